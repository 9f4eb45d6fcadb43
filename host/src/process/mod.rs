//! The one place that starts processes.
//!
//! [`run`] takes launches that are decided to the last byte and gives each one an outcome. It runs on the
//! calling thread, in one poll(2) loop: no shell, no thread, no async runtime, and nothing here
//! reads the environment or opens a path. A process gets the given environment and nothing of the
//! host's, works in `/`, reads nothing unless its launch says so, and leads a process group of its
//! own. However it ends, and also when the host panics, its whole group is killed and then reaped.
//!
//! What it refuses: a program by a relative path, output past a bound, and to wait past a deadline
//! for anything, the end of a pipe included. What it cannot do: bound the start itself, which the
//! kernel may hold up (see [`group`]); reach a descendant that has left
//! the group with setsid(2), or act once the host itself got a SIGKILL (in both cases the pipes are
//! closed and nobody waits); and close descriptors that the host was itself started with and
//! that nobody marked close-on-exec. Linux only (pidfd, 5.3).

mod bounds;
mod cancel;
mod group;
mod pipe;
mod running;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

pub use bounds::Bounds;
pub use cancel::Cancel;
use running::Running;

/// One process to start, fully decided.
#[derive(Debug)]
pub(crate) struct Launch {
    /// An absolute path.
    pub(crate) program: PathBuf,
    /// What follows the program's own name.
    pub(crate) args: Vec<String>,
    /// The whole environment.
    pub(crate) env: Vec<(String, OsString)>,
    /// Standard input, which is null when there is none.
    pub(crate) stdin: Option<Vec<u8>>,
    /// What it counts as where a bound says how many run at once.
    pub(crate) class: Class,
    /// The position, in its turn, of the call it serves: what a cancellation names.
    pub(crate) call: u32,
}

/// Which of the two bounds on processes at once a launch falls under.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Class {
    /// A retrieval, or the listing of commands.
    Retrieval,
    /// A `command run`.
    CommandRun,
}

/// How a launch ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It exited by itself and its whole standard output is here.
    Finished {
        /// 0 to 255.
        exit_code: i32,
        /// At most [`Bounds::output`] bytes.
        stdout: Vec<u8>,
    },
    /// Cancelled, or its turn's time was over, before it started. Nothing started.
    Cancelled,
    /// It could not be started. Nothing started.
    NotStarted(io::Error),
    /// It started, and its whole answer never arrived.
    Lost(Loss),
}

/// Why the answer of a process that started never arrived.
#[derive(Debug)]
pub(crate) enum Loss {
    /// A signal, by its number, that was not ours.
    Signal(i32),
    /// Its own deadline, or its turn's.
    Deadline,
    /// A cancellation of its call or its turn.
    Cancelled,
    /// It printed more than [`Bounds::output`].
    Output,
    /// Its answer arrived, and the turn has no room for it; decided by whoever ran it.
    TurnOutput,
    /// The host could not watch, read or reap it.
    Io(io::Error),
}

/// Runs every launch and returns one outcome for each, in order; contract section 8, "The process".
///
/// They start in order as far as `bounds` lets them, the two classes apart. Past `until` what runs
/// is lost and what waits is cancelled. `report` gets each outcome, by position and with the time
/// since its start (zero if it never started), as it comes, and may lose an answer there is no room
/// for; it holds up the loop while it runs. When this returns nothing is running.
pub(crate) fn run(
    launches: Vec<Launch>,
    bounds: &Bounds,
    until: Option<Instant>,
    cancel: &Cancel,
    report: &mut dyn FnMut(usize, &mut Outcome, Duration),
) -> Vec<Outcome> {
    let mut outcomes: Vec<Outcome> = launches.iter().map(|_| Outcome::Cancelled).collect();
    let mut settle = |index: usize, mut outcome: Outcome, took: Duration| {
        report(index, &mut outcome, took);
        if let Some(place) = outcomes.get_mut(index) {
            *place = outcome;
        }
    };
    let mut waiting: Vec<(usize, Launch)> = launches.into_iter().enumerate().collect();
    let mut running: Vec<Running> = Vec::new();
    loop {
        for (index, launch) in std::mem::take(&mut waiting) {
            let busy = running
                .iter()
                .filter(|other| other.class == launch.class)
                .count();
            if cancel.covers(launch.call) || until.is_some_and(|until| until <= Instant::now()) {
                settle(index, Outcome::Cancelled, Duration::ZERO);
            } else if busy >= bounds.at_once(launch.class) {
                waiting.push((index, launch));
            } else {
                match Running::start(index, launch, bounds, until) {
                    Ok(child) => running.push(child),
                    Err(outcome) => settle(index, outcome, Duration::ZERO),
                }
            }
        }
        // A launch waits only behind one that runs.
        if running.is_empty() {
            break;
        }
        let ready = wait(&running, cancel);
        running.retain_mut(|child| {
            let outcome = match &ready {
                Ok(ready) => child.advance(ready, cancel),
                // Nothing can be watched any more, so nothing may go on.
                Err(error) => Some(child.lose(Loss::Io((*error).into()))),
            };
            let Some(outcome) = outcome else {
                return true;
            };
            settle(child.index, outcome, child.started.elapsed());
            false
        });
        if let Err(error) = ready {
            for (index, _) in waiting {
                settle(index, Outcome::NotStarted(error.into()), Duration::ZERO);
            }
            break;
        }
    }
    outcomes
}

/// Sleeps until something is readable, cancelled or due, and says what is readable.
fn wait(running: &[Running], cancel: &Cancel) -> Result<Vec<RawFd>, Errno> {
    let due = running.iter().filter_map(|child| child.deadline).min();
    let sleep = due.map(|due| due.saturating_duration_since(Instant::now()));
    let sleep = sleep.and_then(|sleep| Timespec::try_from(sleep).ok());
    let awaited = running.iter().flat_map(Running::awaited);
    let mut polled: Vec<PollFd<'_>> = std::iter::once(cancel.woken())
        .chain(awaited)
        .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN))
        .collect();
    match poll(&mut polled, sleep.as_ref()) {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok(Vec::new()),
        Err(error) => return Err(error),
    }
    let ready = polled.iter().filter(|fd| !fd.revents().is_empty());
    let ready: Vec<RawFd> = ready.map(|fd| fd.as_fd().as_raw_fd()).collect();
    if ready.contains(&cancel.woken().as_raw_fd()) {
        cancel.quiet();
    }
    Ok(ready)
}
