//! The one function a component is granted, `run-loom`, from request to answer: count it, write it
//! into the recording, answer it, write that down too. Where the answer comes from is a value: the
//! operator's CLI ([`Live`]), or a recording that is replayed ([`Tape`]) and starts nothing.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use wasmtime::component::HasData;

use crate::bindings::loom::tools::process::{Answer, Failure, Host, Request};
use crate::journal::Caller;
use crate::limits::Meter;
use crate::live::Live;
use crate::record::{Crossing, Recorder};
use crate::replay::Tape;

/// What a store holds: everything the import needs, as values.
pub(crate) struct Bound {
    pub(crate) source: Source,
    pub(crate) recorder: Option<Recorder>,
    pub(crate) meter: Meter,
    /// The calls of the turn that is being answered, one of which a request serves; none while
    /// no turn is.
    pub(crate) callers: Vec<Caller>,
    /// Why the journal or the recording could not be written, which ended the run.
    pub(crate) unrecorded: Option<io::Error>,
}

/// Where answers come from.
pub(crate) enum Source {
    /// Processes.
    Live(Box<Live>),
    /// A recording.
    Recorded(Arc<Mutex<Tape>>),
}

impl HasData for Bound {
    type Data<'a> = &'a mut Self;
}

/// The journal or the recording could not be written; the run must not go on without.
#[derive(Debug)]
struct Unrecorded;

impl std::fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the run's requests could not be written down")
    }
}

impl std::error::Error for Unrecorded {}

impl Host for Bound {
    fn run_loom(
        &mut self,
        requests: Vec<Request>,
    ) -> wasmtime::Result<Vec<Result<Answer, Failure>>> {
        self.meter.leave_guest();
        let answers = self.answer(&requests);
        self.meter.enter_guest();
        answers
    }
}

impl Bound {
    fn answer(&mut self, requests: &[Request]) -> wasmtime::Result<Vec<Result<Answer, Failure>>> {
        self.meter.requests(requests.len())?;
        self.write(&Crossing::Requests(requests.into()))?;
        let answers = match &mut self.source {
            Source::Live(live) => live.answer(requests, &self.callers, &mut self.meter),
            Source::Recorded(tape) => {
                let mut tape = tape.lock().unwrap_or_else(PoisonError::into_inner);
                return tape.answer(requests);
            }
        };
        let answers = answers.or_else(|error| self.unrecorded(error))?;
        for answer in &answers {
            self.write(&Crossing::of_answer(answer))?;
        }
        Ok(answers)
    }

    /// Writes what crossed the boundary into the recording, if there is one.
    pub(crate) fn write(&mut self, crossing: &Crossing<'_>) -> wasmtime::Result<()> {
        let written = match &mut self.recorder {
            None => Ok(()),
            Some(recorder) => recorder.write(crossing),
        };
        written.or_else(|error| self.unrecorded(error))
    }

    /// Tells the journal that the component broke its run.
    pub(crate) fn over(&mut self, why: &str) {
        if let Source::Live(live) = &mut self.source
            && let Err(error) = live.journal.over(why)
        {
            tracing::error!(%error, why, "the end of the run could not be written down");
        }
    }

    fn unrecorded<T>(&mut self, error: io::Error) -> wasmtime::Result<T> {
        self.unrecorded = Some(error);
        Err(Unrecorded.into())
    }
}
