//! Replays a recording against a component, built in or rebuilt: gives it the recorded calls and
//! answers, starts no process, and compares what it asks for and what it returns.
//!
//! Compared are texts byte for byte, and of a run that its component ended, the limit or the trap
//! and not the place. A recorded run that its host ended, or its clock, is compared up to there.
//! A recording is read a line at a time and every line bounded: it may have come from anybody.

mod difference;
mod redacted;
mod tape;

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use cap_std::AmbientAuthority;

use crate::component::Component;
use crate::limits::Limits;
use crate::plain::plain;
use crate::record::{Crossing, Op, Ret};
use crate::run::{Run, RunError};

pub use difference::Difference;
pub use redacted::agrees;
pub(crate) use tape::Tape;
pub use tape::{Damage, ReplayError};

/// What came of a replay. Its texts are one line each and cannot steer a terminal, whoever wrote the
/// recording.
#[derive(Debug)]
pub struct Replayed {
    /// The SHA-256 of the component that was recorded, as the recording says.
    pub recorded_component: String,
    /// How many turns were compared.
    pub turns: usize,
    /// How many requests were answered from the recording.
    pub requests: usize,
    /// What was found.
    pub verdict: Verdict,
}

/// Whether a component did what was recorded.
#[derive(Debug)]
pub enum Verdict {
    /// It did, to the byte.
    Identical,
    /// It did, up to where the recorded run's host ended it, with this message.
    EndedByHost(String),
    /// It did not; this is the first difference.
    Differs(Box<Difference>),
}

/// Why a replay stopped early.
#[derive(Debug)]
pub(crate) enum Halt {
    Verdict(Verdict),
    Error(ReplayError),
}

impl<E: Into<ReplayError>> From<E> for Halt {
    fn from(error: E) -> Self {
        Self::Error(error.into())
    }
}

/// Replays the recording at `path`, within these limits.
///
/// # Ambient Authority
///
/// Opens the directory that holds the recording, by its absolute path, and nothing else.
pub fn replay(
    component: &Component,
    path: &Path,
    limits: &Limits,
    authority: AmbientAuthority,
) -> Result<Replayed, ReplayError> {
    let mut tape = Tape::open(path, authority)?;
    let start = tape.start()?;
    let recorded_component = plain(&start.component);
    let tape = Arc::new(Mutex::new(tape));
    let mut turns = 0;
    let opened = Run::replay(
        component,
        &start.settings,
        limits,
        start.saved.as_deref(),
        Arc::clone(&tape),
    );
    let verdict = match follow(opened, &tape, &mut turns) {
        Ok(()) => Verdict::Identical,
        Err(Halt::Verdict(verdict)) => verdict,
        Err(Halt::Error(error)) => return Err(error),
    };
    let requests = hold(&tape).requests;
    Ok(Replayed {
        recorded_component,
        turns,
        requests,
        verdict,
    })
}

fn hold(tape: &Mutex<Tape>) -> std::sync::MutexGuard<'_, Tape> {
    tape.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes every recorded call.
fn follow(
    opened: Result<Run, RunError>,
    tape: &Mutex<Tape>,
    turns: &mut usize,
) -> Result<(), Halt> {
    let returned = match &opened {
        Ok(_) => Crossing::Return(Ret::Started(Ok(()))),
        Err(RunError::Refused(sentence)) => Crossing::Return(Ret::Started(Err(sentence.into()))),
        Err(error) => Crossing::Ended(error.ending()),
    };
    hold(tape).meets(&returned)?;
    let Ok(mut run) = opened else {
        return hold(tape).ends();
    };
    loop {
        // Not held while the component runs, nor twice.
        let recorded = hold(tape).read()?;
        let op = match recorded {
            None => return Ok(()),
            Some(Crossing::Call(op)) => op,
            Some(_) => return Err(hold(tape).damaged(Damage::OutOfPlace).into()),
        };
        *turns += usize::from(matches!(op, Op::Invoke(_)));
        let returned = match perform(&mut run, op) {
            Ok(ret) => Crossing::Return(ret),
            Err(error) => Crossing::Ended(error.ending()),
        };
        hold(tape).meets(&returned)?;
        if matches!(returned, Crossing::Ended(_)) {
            return hold(tape).ends();
        }
    }
}

fn perform(run: &mut Run, op: Op<'_>) -> Result<Ret<'static>, RunError> {
    Ok(match op {
        Op::Tools => Ret::Tools(run.tools()?.into()),
        Op::Invoke(turn) => Ret::Replies(run.turn(turn.into_owned())?.into()),
        Op::Label => Ret::Label(run.label()?.into()),
        Op::Save => Ret::Saved(run.save()?.into()),
        Op::ResolveResult(result) => {
            let resolved = run.resolve_result(&result)?;
            Ret::Resolved(resolved.map(Into::into).map_err(Into::into))
        }
    })
}
