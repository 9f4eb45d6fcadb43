//! The file queue between many command-line processes and one broker.
//!
//! ```text
//! DIR/requests/ID.json    a request, renamed into place whole
//! DIR/requests/ID.taken   the same request, while the broker reads it
//! DIR/answers/ID          its answer, renamed into place whole
//! DIR/broker.lock         held by the broker as long as it lives
//! DIR/ready.json          there once the broker serves
//! ```
//!
//! Whether a broker lives is asked of a file lock and not of a process id: the system lets
//! go of the lock however the broker ends, and nobody else can have taken over its number.
//! A client therefore notices at once that nobody serves. Files the queue does not know
//! are left alone; a request that cannot be read is answered as a failure.
//!
//! Rejected: one directory for both directions, since every poll of the broker would read
//! the answers too, and sockets, since the real queue is a directory that a container can
//! be given.

mod client;
mod server;

pub(crate) use client::ask;
pub(crate) use server::{Server, Taken};

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::loom::Call;

/// How long a request may wait to be taken, unless the broker says otherwise.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
/// A request file larger than this is not read.
const LARGEST_REQUEST: u64 = 8 << 20;

/// The paths of one queue.
#[derive(Clone, Debug)]
pub(crate) struct Queue {
    dir: PathBuf,
}

impl Queue {
    pub(crate) fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    fn requests(&self) -> PathBuf {
        self.dir.join("requests")
    }

    fn answers(&self) -> PathBuf {
        self.dir.join("answers")
    }

    fn lock(&self) -> PathBuf {
        self.dir.join("broker.lock")
    }

    pub(crate) fn ready(&self) -> PathBuf {
        self.dir.join("ready.json")
    }
}

/// Writes a file under a name nobody looks for and renames it into place.
pub(crate) fn write_whole(dir: &Path, name: &str, bytes: &[u8]) -> io::Result<()> {
    let temporary = dir.join(format!(".{name}.part"));
    let written = fs::File::create(&temporary).and_then(|mut file| file.write_all(bytes));
    written
        .and_then(|()| fs::rename(&temporary, dir.join(name)))
        .inspect_err(|_| {
            // The error that matters is the first one.
            let _ = fs::remove_file(&temporary);
        })
}

/// The id a file name carries: lower-case letters, digits and hyphens before the suffix.
fn id_of<'a>(name: &'a OsStr, suffix: &str) -> Option<&'a str> {
    let id = name.to_str()?.strip_suffix(suffix)?;
    let known = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    (!id.is_empty() && id.len() <= 64 && id.bytes().all(known)).then_some(id)
}

fn encode(call: &Call) -> Vec<u8> {
    let request = json!({ "argv": call.argv, "stdin": call.stdin, "job": call.job });
    request.to_string().into_bytes()
}

fn decode(bytes: &[u8]) -> Option<Call> {
    let request: Value = serde_json::from_slice(bytes).ok()?;
    let words = request.get("argv")?.as_array()?.iter();
    Some(Call {
        argv: words
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<_>>()?,
        stdin: request
            .get("stdin")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
        job: request
            .get("job")
            .and_then(Value::as_str)
            .map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_survives_the_queue() {
        let call = Call {
            argv: vec!["search".into(), "読書室 \n \"x\"".into()],
            stdin: "{\"a\":1}".into(),
            job: Some("job-1".into()),
        };
        assert_eq!(decode(&encode(&call)), Some(call));
    }

    #[test]
    fn only_names_of_the_queue_are_requests() {
        assert_eq!(id_of(OsStr::new("12-ab-0.json"), ".json"), Some("12-ab-0"));
        for name in [
            ".json",
            ".12.json.part",
            "12.json~",
            "../x.json",
            "A.json",
            "README.md",
        ] {
            assert_eq!(id_of(OsStr::new(name), ".json"), None, "{name}");
        }
    }
}
