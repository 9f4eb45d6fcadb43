//! The audit log: one JSON line for each request, started or refused, in the file before the
//! request's answer goes back, and one when the component breaks its run.
//!
//! What was sent on standard input is a person's text and appears as its size and digest only.
//! Room for the lines of a batch, and one for the run's end, is reserved before the batch is decided,
//! so that a full disk or a quota refuses it whole and nothing starts unlogged; where the file system cannot reserve, a
//! line that cannot be written keeps whatever has not started from starting. Lines go to the
//! kernel unbuffered and are not synced: they outlive this program, not a loss of power.

use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use cap_std::AmbientAuthority;
use cap_std::fs::File;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{Resource, getrlimit};
use serde::Serialize;

use crate::component::Sha256Hex;
use crate::journal::{End, Event, Journal};
use crate::private_file;
use crate::text::cut;
use crate::timestamp::rfc3339;

/// Room reserved for one line. Six texts of the most characters fit, each escaped.
const LINE: u64 = 16 << 10;

/// How much of a name that the harness or its model chose is kept, in bytes.
const NAME: usize = 128;

/// A journal that appends to a file.
#[derive(Debug)]
pub struct AuditLog {
    file: File,
    run: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    time: String,
    run: &'a str,
    /// The call's id, and its position in the turn.
    call: Option<&'a str>,
    position: u32,
    tool: Option<&'a str>,
    request: &'static str,
    decision: &'static str,
    /// Why it was refused, could not be started or was lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    argv: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    stdin: Option<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    /// How many bytes it printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    ms: u64,
}

/// The component broke its run.
#[derive(Serialize)]
struct Over<'a> {
    time: String,
    run: &'a str,
    over: &'a str,
}

#[derive(Serialize)]
struct Digest {
    bytes: usize,
    sha256: String,
}

impl AuditLog {
    /// Opens the log at `path`, or makes it, for the run of this id. Refuses what is no regular
    /// file, what others may use, and what cannot be written.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the file, by its absolute path, and nothing else.
    pub fn open(
        path: &Path,
        run_id: impl Into<String>,
        authority: AmbientAuthority,
    ) -> io::Result<Self> {
        let mut log = Self {
            file: private_file::append(path, authority)?,
            run: run_id.into(),
        };
        log.starting(0)?;
        Ok(log)
    }
}

impl Journal for AuditLog {
    fn starting(&mut self, requests: usize) -> io::Result<()> {
        let requests = u64::try_from(requests).unwrap_or(u64::MAX);
        let lines = requests.saturating_add(1);
        let (from, room) = (self.file.metadata()?.len(), lines.saturating_mul(LINE));
        // The kernel does not hold what is reserved to this limit, only what is written.
        let largest = getrlimit(Resource::Fsize).current.unwrap_or(u64::MAX);
        if from.saturating_add(room) > largest {
            return Err(Errno::FBIG.into());
        }
        let reserve = || fallocate(&self.file, FallocateFlags::KEEP_SIZE, from, room);
        match retry_on_intr(reserve) {
            Ok(()) | Err(Errno::OPNOTSUPP | Errno::NOSYS) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn ended(&mut self, event: &Event<'_>) -> io::Result<()> {
        append(&mut self.file, &Line::of(&self.run, event))
    }

    fn over(&mut self, why: &str) -> io::Result<()> {
        let over = Over {
            time: rfc3339(SystemTime::now()),
            run: &self.run,
            over: why,
        };
        append(&mut self.file, &over)
    }
}

/// In one write: lines of several programs do not mix.
fn append(file: &mut File, line: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(line)?;
    line.push(b'\n');
    file.write_all(&line)
}

impl<'a> Line<'a> {
    fn of(run: &'a str, event: &'a Event<'_>) -> Self {
        let (decision, end, reason) = match event.end {
            End::Refused(reason) => ("refused", None, Some(reason)),
            End::Cancelled => ("allowed", Some("cancelled"), None),
            End::NotStarted(reason) => ("allowed", Some("not-started"), Some(reason)),
            End::Lost(reason) => ("allowed", Some("lost"), Some(reason)),
            End::Exited(..) => ("allowed", Some("exited"), None),
        };
        let exited = match event.end {
            End::Exited(code, bytes) => Some((code, bytes)),
            _ => None,
        };
        Self {
            time: rfc3339(SystemTime::now()),
            run,
            call: event.caller.map(|caller| cut(&caller.id, NAME)),
            position: event.call,
            tool: event.caller.map(|caller| cut(&caller.tool, NAME)),
            request: event.kind.name(),
            decision,
            reason,
            argv: event.argv,
            stdin: event.stdin.map(|bytes| Digest {
                bytes: bytes.len(),
                sha256: Sha256Hex::of(bytes).to_string(),
            }),
            end,
            exit: exited.map(|(code, _)| code),
            bytes: exited.map(|(_, bytes)| bytes),
            ms: u64::try_from(event.took.as_millis()).unwrap_or(u64::MAX),
        }
    }
}
