//! A run that a command drives: opened from the flags, continued from a state file and saved to it
//! after each turn, and stopped by a signal.

use anyhow::{Context, anyhow};

use super::Environment;
use super::args::{RunArgs, StateArgs};
use super::error::Failure;
use super::open::{absolute, opening, watch};
use super::stop::Stop;
use crate::ambient_authority;
use crate::journal::Journal;
use crate::run::{Call, Reply, Run, RunError};
use crate::state::{self, StateFile};

/// A run and what hangs on it.
pub(super) struct Driven {
    pub(super) run: Run,
    state: Option<StateFile>,
    stop: Stop,
}

/// A run that no signal stops and no file keeps.
#[cfg(feature = "fuzz")]
impl From<Run> for Driven {
    fn from(run: Run) -> Self {
        Self {
            run,
            state: None,
            stop: Stop::default(),
        }
    }
}

impl Driven {
    /// Opens a run, or continues the one in the state file.
    pub(super) fn open(
        args: &RunArgs,
        state: &StateArgs,
        environment: Environment,
    ) -> Result<Self, Failure> {
        Self::open_heard(args, state, environment, |journal| journal)
    }

    /// The same, with one more ear for its requests: what `hear` makes of the journal.
    pub(super) fn open_heard(
        args: &RunArgs,
        state: &StateArgs,
        environment: Environment,
        hear: impl FnOnce(Box<dyn Journal>) -> Box<dyn Journal>,
    ) -> Result<Self, Failure> {
        let authority = ambient_authority();
        let stop = Stop::listen().context("signals cannot be listened for")?;
        let mut opening = opening(args, environment, authority)?;
        let state_given = state.state.is_some();
        let state = match &state.state {
            None => None,
            Some(path) => Some(StateFile::hold(&absolute(path)?, authority).map_err(state_error)?),
        };
        let saved = match &state {
            None => None,
            Some(state) => state.read().map_err(state_error)?,
        };
        if let Some(id) = saved
            .as_deref()
            .and_then(state::run_id)
            .filter(|_| !opening.run_id_given)
        {
            opening.settings.run_id = id;
        }
        let mut watch = watch(args, &opening.settings.run_id, authority)?;
        watch.journal = hear(watch.journal);
        let saved = saved.as_deref();
        let (component, loom) = (&opening.component, opening.loom);
        let run = Run::open(component, loom, opening.settings, watch, saved, authority)
            .map_err(|error| refused(args, state_given, error))?;
        stop.cancels(run.canceller());
        Ok(Self { run, state, stop })
    }

    /// The run, its state file and what a signal does, for a command that drives it itself.
    #[cfg(feature = "mcp")]
    pub(super) fn into_parts(self) -> (Run, Option<StateFile>, Stop) {
        (self.run, self.state, self.stop)
    }

    /// Answers one turn, saves the run and has `print` say the replies. What could not be saved is
    /// not said: continued, the run would not know what the model has seen. Whatever fails, the
    /// error names what the turn had started.
    pub(super) fn turn(
        &mut self,
        calls: Vec<Call>,
        print: impl FnOnce(&mut Run, Vec<Reply>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { run, state, stop } = self;
        let mut started = Vec::new();
        let answered = stop.finishing(|| -> Result<_, Failure> {
            let replies = run.invoke(calls);
            // Taken now: the next call into the component, whichever it is, forgets them.
            started = run.started().to_vec();
            let replies = replies?;
            if let Some(state) = state {
                state.write(&run.save()?).map_err(anyhow::Error::from)?;
            }
            Ok(replies)
        });
        answered
            .and_then(|replies| print(run, replies))
            .map_err(|failure| unanswered(&started, failure))
    }

    /// Resolves a structured result.
    pub(super) fn resolve(&mut self, result: &str) -> Result<Result<String, String>, RunError> {
        self.run.resolve_result(result)
    }
}

/// A turn that failed, with what it had started. That is not said to have failed: nobody knows.
/// A text, so that a reader who has gone away is no reason to keep it from the operator.
fn unanswered(started: &[String], failure: Failure) -> Failure {
    if started.is_empty() {
        return failure;
    }
    let started = started.join(", ");
    let why = match failure {
        Failure::Usage(sentence) => sentence,
        Failure::Other(error) => format!("{error:#}"),
    };
    Failure::Other(anyhow!(
        "the turn has no answer, and what it had started may have taken effect: {started}: {why}"
    ))
}

/// Names the flags that what the component refuses can have come from.
fn refused(args: &RunArgs, state_given: bool, error: RunError) -> Failure {
    let RunError::Refused(sentence) = error else {
        return error.into();
    };
    let flags: Vec<&str> = [
        ("--state", state_given),
        ("--run-id", args.run_id.is_some()),
        ("--max-confidentiality", args.max_confidentiality.is_some()),
        ("--run-manifest", args.run_manifest.is_some()),
    ]
    .into_iter()
    .filter_map(|(flag, given)| given.then_some(flag))
    .collect();
    if flags.is_empty() {
        return Failure::Usage(sentence);
    }
    Failure::usage(format!("{sentence} (Said by `{}`.)", flags.join("`, `")))
}

fn state_error(error: state::StateError) -> Failure {
    Failure::usage(format!("--state: {error}"))
}
