//! Whether a redacted recording is one of the same run as a whole one.

use std::path::Path;

use cap_std::AmbientAuthority;
use serde_json::Value;

use super::tape::{Damage, ReplayError, Tape};
use crate::record;

/// Compares the recording at `whole`, its texts digested, with the one at `redacted`, line by
/// line. Gives the number of the first line that differs.
///
/// # Ambient Authority
///
/// Opens the directories that hold the two files, by their absolute paths, and nothing else.
pub fn agrees(
    whole: &Path,
    redacted: &Path,
    authority: AmbientAuthority,
) -> Result<Option<u64>, ReplayError> {
    let mut whole = Tape::open(whole, authority)?;
    let mut redacted = Tape::open(redacted, authority)?;
    loop {
        let line = json(&mut whole)?.map(record::redacted);
        let digests = json(&mut redacted)?;
        if line != digests {
            return Ok(Some(whole.line));
        }
        if line.is_none() {
            return Ok(None);
        }
    }
}

fn json(tape: &mut Tape) -> Result<Option<Value>, ReplayError> {
    let Some(line) = tape.text()? else {
        return Ok(None);
    };
    let json = serde_json::from_slice(&line);
    json.map(Some)
        .map_err(|error| tape.damaged(Damage::Malformed(error.to_string())))
}
