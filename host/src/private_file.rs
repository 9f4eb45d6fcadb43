//! Files the host writes for its operator alone: opened once, through a capability of their
//! directory, readable by nobody else. A link that leads out of the directory is refused, and so
//! is everything that is no regular file.

use std::ffi::OsStr;
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, File, Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;
use rustix::process::geteuid;

use crate::regular;

/// A new file; one that is there already is left alone.
///
/// # Ambient Authority
///
/// Opens the directory that holds the file, by its absolute path, and nothing else.
pub(crate) fn create(path: &Path, authority: AmbientAuthority) -> io::Result<File> {
    let (dir, name) = directory(path, authority)?;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    dir.open_with(name, &options)
}

/// A file to append whole lines to, made if it is not there. One that others own, or may read or
/// write, is refused. A line that an earlier writer did not finish is ended.
///
/// # Ambient Authority
///
/// Opens the directory that holds the file, by its absolute path, and nothing else.
pub(crate) fn append(path: &Path, authority: AmbientAuthority) -> io::Result<File> {
    let (dir, name) = directory(path, authority)?;
    let mut options = OpenOptions::new();
    options
        .read(true)
        .append(true)
        .create(true)
        .mode(0o600)
        .custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    let mut file = regular::regular(dir.open_with(name, &options)?)?;
    let metadata = file.metadata()?;
    ours_alone(&metadata, "600")?;
    if metadata.len() > 0 {
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(file)
}

/// Refuses what belongs to somebody else, or what others have access to; `mode` is the remedy.
pub(crate) fn ours_alone(metadata: &Metadata, mode: &str) -> io::Result<()> {
    let refuse = |why| Err(Error::new(ErrorKind::PermissionDenied, why));
    if metadata.uid() != geteuid().as_raw() {
        return refuse("it belongs to somebody else; name one of your own".to_owned());
    }
    if metadata.mode() & 0o077 != 0 {
        let why = "others than its owner may use it; type `chmod";
        return refuse(format!("{why} {mode}` and its name"));
    }
    Ok(())
}

/// A file to read.
///
/// # Ambient Authority
///
/// Opens the directory that holds the file, by its absolute path, and nothing else.
pub(crate) fn read(path: &Path, authority: AmbientAuthority) -> io::Result<File> {
    let (dir, name) = directory(path, authority)?;
    regular::open(&dir, name)
}

fn directory(path: &Path, authority: AmbientAuthority) -> io::Result<(Dir, &OsStr)> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::new(
            ErrorKind::InvalidInput,
            "this path names no file",
        ));
    };
    Ok((Dir::open_ambient_dir(parent, authority)?, name))
}
