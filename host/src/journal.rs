//! What an operator can watch of a run: every request, started or refused, as it ends, and that the
//! component broke its run. The host waits for the journal before the answer goes back to the
//! component.

use std::io;
use std::time::Duration;

use crate::grant::Kind;

/// One request, over.
#[derive(Debug)]
pub struct Event<'a> {
    /// The position in its turn of the call it was made for, as the component says.
    pub call: u32,
    /// That call, when the turn has one at that position.
    pub caller: Option<&'a Caller>,
    /// What kind of request it was.
    pub kind: Kind,
    /// The argument vector, the program first; empty for a request that was refused.
    pub argv: &'a [String],
    /// What was sent on standard input.
    pub stdin: Option<&'a [u8]>,
    /// How it ended.
    pub end: End<'a>,
    /// How long the process ran.
    pub took: Duration,
}

/// The call of a turn that a request serves, as the harness named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The call's id.
    pub id: String,
    /// The tool's name, which need not be one that exists.
    pub tool: String,
}

/// How a request ended.
#[derive(Clone, Copy, Debug)]
pub enum End<'a> {
    /// It broke a rule or the grant does not cover it; nothing started.
    Refused(&'a str),
    /// It was cancelled; nothing started.
    Cancelled,
    /// It could not be started, for this reason.
    NotStarted(&'a str),
    /// It started and its whole answer never arrived, for this reason.
    Lost(&'a str),
    /// It exited with this code and printed this many bytes.
    Exited(i32, usize),
}

/// Hears of every request. An error ends the run: what cannot be recorded is not run.
pub trait Journal: Send {
    /// Called before any of a batch of this many requests is decided. An error refuses them all:
    /// nothing starts.
    fn starting(&mut self, requests: usize) -> io::Result<()>;

    /// Called as each request ends, before its answer goes back. An error keeps every process from
    /// starting that has not.
    fn ended(&mut self, event: &Event<'_>) -> io::Result<()>;

    /// Called when the component has broken a limit, trapped or answered what its interface does
    /// not allow: its run is over, for this reason, in words of little more than two thousand characters.
    /// An error is told to the operator; the run is over as it is.
    fn over(&mut self, why: &str) -> io::Result<()>;
}

/// Hears of every request and keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoJournal;

impl Journal for NoJournal {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, _event: &Event<'_>) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }
}
