//! One launch that has started, until it has an outcome: what is awaited, and what loses it.

use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Instant;

use super::group::Group;
use super::pipe::Pipe;
use super::{Bounds, Cancel, Class, Launch, Loss, Outcome};

/// How much of standard error is kept for the operator's log. The rest is read and dropped, so
/// that a chatty process is not held up.
const STDERR_KEPT: usize = 4 << 10;

pub(super) struct Running {
    /// The position of its launch in the batch.
    pub(super) index: usize,
    pub(super) class: Class,
    pub(super) started: Instant,
    /// The earlier of its own deadline and the batch's; none when that is past all reckoning.
    pub(super) deadline: Option<Instant>,
    call: u32,
    group: Group,
    stdout: Pipe,
    stderr: Pipe,
}

impl Running {
    /// Starts `launch`. An error is its outcome, and nothing is left running.
    pub(super) fn start(
        index: usize,
        launch: Launch,
        bounds: &Bounds,
        until: Option<Instant>,
    ) -> Result<Self, Outcome> {
        let started = Instant::now();
        let own = started.checked_add(bounds.deadline);
        let (class, call) = (launch.class, launch.call);
        let (stdout, stdout_end) = Pipe::new(bounds.output).map_err(Outcome::NotStarted)?;
        let (stderr, stderr_end) = Pipe::new(STDERR_KEPT).map_err(Outcome::NotStarted)?;
        let mut group =
            Group::start(launch, stdout_end, stderr_end).map_err(Outcome::NotStarted)?;
        // From here on it has started; a failure drops the group, which kills it.
        group
            .watch()
            .map_err(|error| Outcome::Lost(Loss::Io(error)))?;
        Ok(Self {
            index,
            class,
            started,
            deadline: [own, until].into_iter().flatten().min(),
            call,
            group,
            stdout,
            stderr,
        })
    }

    /// What to poll for reading.
    pub(super) fn awaited(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [self.group.exit(), self.stdout.fd(), self.stderr.fd()]
            .into_iter()
            .flatten()
    }

    /// Takes in what is `ready`. Some outcome means that the group is gone. An answer seen to be
    /// complete counts, even when its deadline or a cancellation has come meanwhile.
    pub(super) fn advance(&mut self, ready: &[RawFd], cancel: &Cancel) -> Option<Outcome> {
        let is_ready =
            |fd: Option<BorrowedFd<'_>>| fd.is_some_and(|fd| ready.contains(&fd.as_raw_fd()));
        if is_ready(self.stderr.fd()) {
            // Nothing hangs on standard error; what fails here is cut short there.
            let _ = self.stderr.read();
        }
        if is_ready(self.stdout.fd())
            && let Err(error) = self.stdout.read()
        {
            return Some(self.lose(Loss::Io(error)));
        }
        if is_ready(self.group.exit()) {
            self.group.saw_exit();
        }
        if self.stdout.overflowed() {
            Some(self.lose(Loss::Output))
        } else if self.group.exited() && self.stdout.ended() {
            Some(self.finish())
        } else if cancel.covers(self.call) {
            Some(self.lose(Loss::Cancelled))
        } else if self
            .deadline
            .is_some_and(|deadline| deadline <= Instant::now())
        {
            Some(self.lose(Loss::Deadline))
        } else {
            None
        }
    }

    /// Ends the group, for a reason that leaves the answer incomplete.
    pub(super) fn lose(&mut self, loss: Loss) -> Outcome {
        if let Err(error) = self.group.end() {
            tracing::error!(call = self.call, %error, "a process could not be ended");
        }
        self.log_stderr(true);
        Outcome::Lost(loss)
    }

    fn finish(&mut self) -> Outcome {
        let status = self.group.end();
        let succeeded = status.as_ref().is_ok_and(ExitStatus::success);
        self.log_stderr(!succeeded);
        match status.map(|status| (status.code(), status.signal())) {
            Ok((Some(exit_code), _)) => Outcome::Finished {
                exit_code,
                stdout: self.stdout.take(),
            },
            Ok((None, signal)) => Outcome::Lost(Loss::Signal(signal.unwrap_or_default())),
            Err(error) => Outcome::Lost(Loss::Io(error)),
        }
    }

    /// For the operator alone: standard error may quote host paths and identifiers.
    fn log_stderr(&mut self, failed: bool) {
        // What was written last may have come after the last look.
        let _ = self.stderr.read();
        let (more, kept) = (self.stderr.overflowed(), self.stderr.take());
        if !kept.is_empty() {
            let text = String::from_utf8_lossy(&kept);
            if failed {
                tracing::warn!(call = self.call, stderr = ?text, more, "standard error");
            } else {
                tracing::debug!(call = self.call, stderr = ?text, more, "standard error");
            }
        }
    }
}
