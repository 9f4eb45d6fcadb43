//! A started process and every descendant in its process group. It decides what the process is
//! born with, and that nothing of the group is left when this value is gone.

use std::fs::File;
use std::io::{self, Error, ErrorKind, PipeWriter};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::{Pid, Signal, kill_process_group};

use super::Launch;

/// Dropping it kills and reaps, so neither a panic nor an early return leaks a process.
pub(super) struct Group {
    leader: Child,
    /// The leader's process id, which is the group's too.
    id: Pid,
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
            ended: false,
        })
    }

    /// The leader's process id, good until [`end`](Self::end).
    pub(super) fn id(&self) -> Pid {
        self.id
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
        match self.leader.kill() {
            // It has left its group, it is dying with it, or it has exited already.
            Ok(()) => self.leader.wait(),
            // A set-user-id program cannot be killed; to wait for it could take for ever.
            Err(error) => self.leader.try_wait()?.ok_or(error),
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.ended {
            let _ = self.end();
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
