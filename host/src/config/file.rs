//! Reading a file the operator named, through a capability of its directory and no more than that.

use std::ffi::OsStr;
use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;

use super::ConfigError;

/// The largest operator file that is read, in bytes. Threat: a path that names something endless
/// fills the host's memory. Trade: real files hold a few hundred bytes.
const MAX_BYTES: u64 = 1 << 20;

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
        .and_then(|dir| read_regular(&dir, name))
        .map_err(|error| refuse(&format!(
            "this file cannot be read ({error}); name a readable, regular file of at most 1 MiB, \
             not a link that leads out of its directory."
        )))
}

/// The bytes of a regular file of at most [`MAX_BYTES`] bytes in `dir`. A link that leads out of
/// `dir` is an error.
pub(crate) fn read_regular(dir: &Dir, name: &OsStr) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    // Without waiting: to open a named pipe could otherwise take for ever.
    options
        .read(true)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    let file = dir.open_with(name, &options)?;
    if !file.metadata()?.is_file() {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            "it is larger than 1 MiB",
        ));
    }
    Ok(bytes)
}
