//! The loom read-ceiling record, read afresh for each turn through a capability of its directory.
//! What it says the component decides; that it cannot be read is never no ceiling.

use std::ffi::OsString;
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::Dir;

use crate::config::file::MAX_BYTES;
use crate::regular;

/// The record's place.
#[derive(Debug)]
pub(crate) struct ReadCeiling {
    dir: Option<Dir>,
    name: OsString,
}

impl ReadCeiling {
    /// Holds the directory of the record at `path`. One that cannot be opened makes every turn's
    /// record unreadable.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the record, by its absolute path, and nothing else.
    pub(crate) fn hold(path: &Path, authority: AmbientAuthority) -> Self {
        let dir = path
            .parent()
            .map(|parent| Dir::open_ambient_dir(parent, authority));
        let dir = dir.and_then(|dir| {
            dir.inspect_err(|error| tracing::warn!(%error, "the read-ceiling record's directory"))
                .ok()
        });
        Self {
            dir,
            name: path.file_name().unwrap_or_default().to_owned(),
        }
    }

    /// The record as it is now.
    pub(crate) fn read(&self) -> Result<String, ()> {
        let dir = self.dir.as_ref().ok_or(())?;
        let bytes = regular::open(dir, &self.name)
            .and_then(|file| regular::bounded(file, MAX_BYTES))
            .inspect_err(|error| tracing::warn!(%error, "the read-ceiling record cannot be read"));
        String::from_utf8(bytes.map_err(drop)?).map_err(drop)
    }
}
