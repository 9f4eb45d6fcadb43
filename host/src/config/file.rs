//! Reading a file the operator named, through a capability of its directory and no more than that.

use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::Dir;

use super::ConfigError;
use crate::regular;

/// The largest operator file that is read, in bytes. Threat: a path that names something endless
/// fills the host's memory. Trade: real files hold a few hundred bytes.
pub(crate) const MAX_BYTES: u64 = 1 << 20;

/// The bytes of the configuration file at `path`.
///
/// # Ambient Authority
///
/// Opens the directory that holds the file, by its absolute path, and nothing else.
pub(super) fn read(path: &Path, authority: AmbientAuthority) -> Result<Vec<u8>, ConfigError> {
    let refuse = |problem: &str| ConfigError::new(path, problem);
    if !path.is_absolute() {
        return Err(refuse(
            "the path of this file must be absolute; write it from `/` on.",
        ));
    }
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(refuse(
            "this path names no file; give that of the configuration file.",
        ));
    };
    Dir::open_ambient_dir(parent, authority)
        .and_then(|dir| regular::open(&dir, name))
        .and_then(|file| regular::bounded(file, MAX_BYTES))
        .map_err(|error| refuse(&format!(
            "this file cannot be read ({error}); name a readable, regular file of at most 1 MiB, \
             not a link that leads out of its directory."
        )))
}
