//! Why a run did not start or does not go on.

use std::fmt;
use std::io;

use wasmtime::Store;

use crate::import::Bound;
use crate::limits::Limit;
use crate::record::Ending;

/// Why a run did not start or does not go on.
#[derive(Debug)]
pub enum RunError {
    /// The component refused its settings or its saved state, with a sentence for the operator.
    Refused(String),
    /// The component broke a limit, which ended its run.
    Limit(Limit),
    /// The component trapped, which ended its run.
    Trapped(wasmtime::Error),
    /// The journal or the recording could not be written, which ended the run. What had started
    /// by then may have taken effect all the same: see
    /// [`Run::started`](super::Run::started).
    Unrecorded(io::Error),
    /// The run had ended before.
    Ended,
    /// The host could not give the run what it needs.
    Host(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(sentence) => f.write_str(sentence),
            Self::Limit(limit) => {
                write!(f, "the component broke a limit: {limit}; its run is over")
            }
            Self::Trapped(error) => write!(f, "the component trapped: {error:#}; its run is over"),
            Self::Unrecorded(error) => {
                write!(
                    f,
                    "the run's audit log or recording could not be written: {error}; the run is over"
                )
            }
            Self::Ended => f.write_str("the run is over"),
            Self::Host(error) => write!(f, "the run could not be set up: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// What a recording says of it.
    pub(crate) fn ending(&self) -> Ending<'static> {
        match self {
            Self::Limit(limit @ (Limit::GuestTime | Limit::TurnTime)) => {
                Ending::Host(Self::Limit(*limit).to_string().into())
            }
            Self::Limit(limit) => Ending::Limit(limit.to_string().into()),
            Self::Trapped(_) => Ending::Trapped,
            error => Ending::Host(error.to_string().into()),
        }
    }
}

/// Why a call into the component failed: the limit it broke, when it broke one.
pub(super) fn ended(store: &mut Store<Bound>, error: wasmtime::Error) -> RunError {
    let bound = store.data_mut();
    if let Some(error) = bound.unrecorded.take() {
        return RunError::Unrecorded(error);
    }
    let stack = matches!(error.downcast_ref(), Some(wasmtime::Trap::StackOverflow));
    match bound.meter.broken.take().or(stack.then_some(Limit::Stack)) {
        Some(limit) => RunError::Limit(limit),
        None => RunError::Trapped(error),
    }
}
