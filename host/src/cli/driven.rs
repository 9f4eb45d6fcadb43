//! A run that a command drives: opened from the flags, continued from a state file and saved to it
//! after each turn, and stopped by a signal.

use anyhow::Context;

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

    /// Answers one turn and saves the run.
    pub(super) fn invoke(&mut self, calls: Vec<Call>) -> Result<Vec<Reply>, Failure> {
        let Self { run, state, stop } = self;
        stop.finishing(|| {
            let replies = run.invoke(calls).map_err(|error| ended(run, error))?;
            if let Some(state) = state {
                state.write(&run.save()?).map_err(anyhow::Error::from)?;
            }
            Ok(replies)
        })
    }

    /// Resolves a structured result.
    pub(super) fn resolve(&mut self, result: &str) -> Result<Result<String, String>, RunError> {
        self.run.resolve_result(result)
    }
}

/// Why a turn failed. What it had started is not said to have failed: nobody knows.
fn ended(run: &Run, error: RunError) -> Failure {
    let started = run.started();
    if started.is_empty() {
        return error.into();
    }
    let started = started.join(", ");
    Failure::Other(anyhow::Error::from(error).context(format!(
        "the turn has no answer, and what it had started may have taken effect: {started}"
    )))
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
