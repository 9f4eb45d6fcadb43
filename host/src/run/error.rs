//! Why a run did not start or does not go on.

use std::fmt;
use std::io;

use wasmtime::Store;

use crate::import::Bound;
use crate::limits::Limit;
use crate::plain::plain;
use crate::record::Ending;
use crate::reply::{Flaw, Unfit};

/// Why a run did not start or does not go on.
#[derive(Debug)]
pub enum RunError {
    /// The component refused its settings or its saved state, with a sentence for the operator.
    Refused(String),
    /// The component broke a limit, which ended its run.
    Limit(Limit),
    /// The component trapped, which ended its run.
    Trapped(wasmtime::Error),
    /// What the component exports under the right names is of another type.
    World(wasmtime::Error),
    /// The component answered what its interface does not allow, which ended its run.
    Malformed(Flaw),
    /// The journal or the recording could not be written, which ended the run. What had started
    /// by then may have taken effect all the same: see
    /// [`Run::started`](super::Run::started).
    Unrecorded(io::Error),
    /// The turn has more than [`Limits::calls`](crate::limits::Limits::calls) calls, which is how many
    /// are taken. Nothing was started, and the run goes on.
    TooManyCalls(usize),
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
            Self::Trapped(error) => {
                let why = plain(&format!("{error:#}"));
                write!(f, "the component trapped: {why}; its run is over")
            }
            Self::World(error) => {
                let why = plain(&format!("{error:#}"));
                write!(
                    f,
                    "the component does not fit the world `loom-tools`: {why}"
                )
            }
            Self::Malformed(flaw) => {
                write!(
                    f,
                    "the component's answer is malformed: {flaw}; its run is over"
                )
            }
            Self::Unrecorded(error) => {
                write!(
                    f,
                    "the run's audit log or recording could not be written: {error}; the run is over"
                )
            }
            Self::TooManyCalls(most) => {
                write!(f, "a turn has at most {most} calls; nothing was started")
            }
            Self::Ended => f.write_str("the run is over"),
            Self::Host(error) => write!(f, "the run could not be set up: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// Whether the component broke its run: not the operator, who may set things right, nor the host.
    pub(crate) fn is_the_components(&self) -> bool {
        match self {
            Self::Limit(_) | Self::Trapped(_) | Self::World(_) | Self::Malformed(_) => true,
            Self::Refused(_)
            | Self::Unrecorded(_)
            | Self::TooManyCalls(_)
            | Self::Ended
            | Self::Host(_) => false,
        }
    }

    /// What a recording says of it.
    pub(crate) fn ending(&self) -> Ending<'static> {
        match self {
            Self::Limit(limit @ (Limit::GuestTime | Limit::TurnTime)) => {
                Ending::Host(Self::Limit(*limit).to_string().into())
            }
            Self::Limit(limit) => Ending::Limit(limit.to_string().into()),
            Self::Trapped(_) => Ending::Trapped,
            Self::World(_) => Ending::Malformed("its world".into()),
            Self::Malformed(flaw) => Ending::Malformed(flaw.to_string().into()),
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
    match error.downcast_ref() {
        Some(Unfit::Flaw(flaw)) => return RunError::Malformed(*flaw),
        Some(Unfit::Limit(limit)) => return RunError::Limit(*limit),
        None => {}
    }
    match bound.meter.broken.take().or(Limit::of_engine(&error)) {
        Some(limit) => RunError::Limit(limit),
        None if error.is::<Misfit>() => RunError::World(error),
        None => RunError::Trapped(error),
    }
}

/// The component's exports are of other types than the world's.
#[derive(Debug)]
pub(super) struct Misfit(String);

impl Misfit {
    pub(super) fn of(error: wasmtime::Error) -> Self {
        Self(format!("{error:#}"))
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misfit {}
