//! Recordings: everything that crosses the component's boundary, in both directions, one JSON line
//! each, in order. The component is a pure function of it, so [`replay`](crate::replay) can ask it,
//! or a rebuilt one, the same again and compare.
//!
//! A recording holds what the operator's Loom answered and what the model wrote: a file nobody
//! else can read, never one that was there before. What cannot be written down ends the run, and
//! requests are written before they are answered. Redacted, it keeps the shape and the names this
//! project gives, and of every other text its size and digest: it cannot be replayed, and a full
//! recording can be checked against it. The digest of a short text can be guessed.

mod bytes;
mod crossing;
mod redact;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::File;

use crate::private_file;

pub(crate) use crossing::{Crossing, Ending, Op, Ret, Start, VERSION};
pub(crate) use redact::redacted;

/// Writes a recording.
#[derive(Debug)]
pub struct Recorder {
    file: BufWriter<File>,
    redact: bool,
}

impl Recorder {
    /// Makes a new recording at `path`; refuses a file that is there. `redact` keeps digests of
    /// the texts only.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the file, by its absolute path, and nothing else.
    pub fn create(path: &Path, redact: bool, authority: AmbientAuthority) -> io::Result<Self> {
        let file = BufWriter::new(private_file::create(path, authority)?);
        Ok(Self { file, redact })
    }

    pub(crate) fn write(&mut self, crossing: &Crossing<'_>) -> io::Result<()> {
        if self.redact {
            let line = redacted(serde_json::to_value(crossing)?);
            serde_json::to_writer(&mut self.file, &line)?;
        } else {
            serde_json::to_writer(&mut self.file, crossing)?;
        }
        self.file.write_all(b"\n")?;
        self.file.flush()
    }
}
