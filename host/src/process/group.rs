//! A started process and every descendant in its process group. It decides what the process is
//! born with, and that nothing of the group is left when this value is gone.
//!
//! What it cannot bound: starting. The call that does it returns once the kernel has loaded the
//! program, and a file system that does not answer there holds up the host. A process that such a
//! file system holds up later cannot be reaped; that is waited for only so long.

use std::fs::File;
use std::io::{self, Error, ErrorKind, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use super::Launch;

/// How long a killed leader is waited for. It dies at once, unless the kernel holds it up.
const DYING: Duration = Duration::from_secs(2);
/// How often it is looked for where nothing says that it is gone.
const LOOK: Duration = Duration::from_millis(10);

/// Dropping it kills and reaps, so neither a panic nor an early return leaks a process.
pub(super) struct Group {
    leader: Child,
    /// The leader's process id, which is the group's too.
    id: Pid,
    /// Readable once the leader has exited.
    exit: Option<OwnedFd>,
    /// Whether that was seen; until it is reaped it stays so.
    exited: bool,
    ended: bool,
}

impl Group {
    /// Starts `launch`. An error means that nothing started.
    pub(super) fn start(
        launch: Launch,
        stdout: PipeWriter,
        stderr: PipeWriter,
    ) -> io::Result<Self> {
        if !launch.program.is_absolute() {
            return Err(Error::new(
                ErrorKind::InvalidInput,
                "the program's path is not absolute",
            ));
        }
        let stdin = match launch.stdin {
            Some(bytes) => Stdio::from(in_memory(&bytes)?),
            None => Stdio::null(),
        };
        // All of these keep the fast posix_spawn path, where a `pre_exec` closure would fork.
        let leader = Command::new(launch.program)
            .args(launch.args)
            .env_clear()
            .envs(launch.env)
            .current_dir("/")
            .process_group(0)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(stderr)
            .spawn()?;
        let id = Pid::from_child(&leader);
        Ok(Self {
            leader,
            id,
            exit: None,
            exited: false,
            ended: false,
        })
    }

    /// Begins to watch for the leader's exit.
    pub(super) fn watch(&mut self) -> io::Result<()> {
        self.exit = Some(pidfd_open(self.id, PidfdFlags::empty())?);
        Ok(())
    }

    /// What becomes readable when the leader exits; none once that was seen.
    pub(super) fn exit(&self) -> Option<BorrowedFd<'_>> {
        let exit = self.exit.as_ref().filter(|_| !self.exited);
        exit.map(|exit| exit.as_fd())
    }

    /// The leader has exited.
    pub(super) fn saw_exit(&mut self) {
        self.exited = true;
    }

    /// Whether its exit was seen.
    pub(super) fn exited(&self) -> bool {
        self.exited
    }

    /// Kills whatever is left of the group, then reaps the leader. In this order: until it is
    /// reaped, the leader keeps the group's id from meaning anybody else. Called once.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        self.ended = true;
        // "Group 1" would be every process of the machine; group 0, ours, is no `Pid`.
        if !self.id.is_init() {
            // An error: nobody is left in the group, or nobody there may be signalled.
            let _ = kill_process_group(self.id, Signal::KILL);
        }
        if self.exited {
            return self.leader.wait();
        }
        match self.leader.kill() {
            // It has left its group, it is dying with it, or it has exited already.
            Ok(()) => self.reap(DYING),
            // A set-user-id program cannot be killed; to wait for it could take for ever.
            Err(error) => self.leader.try_wait()?.ok_or(error),
        }
    }

    /// Reaps the leader when it exits within that time.
    pub(super) fn reap(&mut self, within: Duration) -> io::Result<ExitStatus> {
        let start = Instant::now();
        loop {
            if let Some(status) = self.leader.try_wait()? {
                return Ok(status);
            }
            let left = within.saturating_sub(start.elapsed());
            if left.is_zero() {
                let why = "it was killed and does not exit; the kernel holds it up";
                return Err(Error::new(ErrorKind::TimedOut, why));
            }
            match &self.exit {
                None => thread::sleep(left.min(LOOK)),
                Some(exit) => {
                    let left = Timespec::try_from(left).map_err(Error::other)?;
                    match poll(&mut [PollFd::new(exit, PollFlags::IN)], Some(&left)) {
                        Ok(_) | Err(Errno::INTR) => {}
                        Err(error) => return Err(error.into()),
                    }
                }
            }
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended
            && let Err(error) = self.end()
        {
            tracing::error!(%error, "a process could not be ended");
        }
    }
}

/// Standard input as a file in memory: it is there whole before the process starts, so a process
/// that reads it late, in part or never blocks nobody and breaks no pipe.
fn in_memory(bytes: &[u8]) -> io::Result<File> {
    let create = |flags| memfd_create("stdin", MemfdFlags::CLOEXEC | flags);
    // Hardened kernels demand the seal; those before 6.3 do not know it.
    let file =
        File::from(create(MemfdFlags::NOEXEC_SEAL).or_else(|_| create(MemfdFlags::empty()))?);
    // Written at an offset, which leaves the position, shared with the process, at the start.
    file.write_all_at(bytes, 0)?;
    Ok(file)
}
