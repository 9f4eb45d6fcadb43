//! How files are read that somebody else may have put in their place: regular ones, opened without
//! waiting, since to open a named pipe could take for ever, and no further than a bound.

use std::io::{self, Error, ErrorKind, Read};
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt};
use rustix::fs::OFlags;

/// Opens a file of a directory. A link that leads out of it is an error.
pub(crate) fn open(dir: &Dir, name: impl AsRef<Path>) -> io::Result<File> {
    regular(dir.open_with(name, &reading(OFlags::empty()))?)
}

/// The same, and a link is an error wherever it leads.
pub(crate) fn open_no_link(dir: &Dir, name: impl AsRef<Path>) -> io::Result<File> {
    regular(dir.open_with(name, &reading(OFlags::NOFOLLOW))?)
}

/// The bytes of the file at `path`, of which there are at most `max`.
///
/// # Ambient Authority
///
/// Opens that file, wherever the path and its links lead.
pub(crate) fn read_bounded(
    path: &Path,
    max: u64,
    authority: AmbientAuthority,
) -> io::Result<Vec<u8>> {
    let file = File::open_ambient_with(path, &reading(OFlags::empty()), authority)?;
    bounded(regular(file)?, max)
}

/// All bytes of a file, of which there are at most `max`, a whole number of MiB.
pub(crate) fn bounded(file: File, max: u64) -> io::Result<Vec<u8>> {
    let too_large = || {
        let why = format!("it is larger than {} MiB", max >> 20);
        Error::new(ErrorKind::FileTooLarge, why)
    };
    // Looked at first: nothing is read of what is refused. It may still grow.
    if file.metadata()?.len() > max {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Bytes that have to be UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The file, when it is a regular one.
pub(crate) fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(Error::new(
        ErrorKind::InvalidInput,
        "it is not a regular file",
    ))
}

fn reading(more: OFlags) -> OpenOptions {
    let mut options = OpenOptions::new();
    options
        .read(true)
        .custom_flags((OFlags::NONBLOCK | more).bits().cast_signed());
    options
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    use cap_std::ambient_authority;
    use tempfile::TempDir;

    use super::read_bounded;

    const MAX: u64 = 1 << 20;

    fn read(path: &Path) -> Result<usize, String> {
        let read = read_bounded(path, MAX, ambient_authority());
        read.map(|bytes| bytes.len())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_is_read_up_to_its_bound_and_one_byte_more_is_refused() {
        let dir = TempDir::new().unwrap();
        let path = dir.path().join("file");
        let file = fs::File::create(&path).unwrap();
        file.set_len(MAX).unwrap();
        assert_eq!(read(&path), Ok(1 << 20));
        file.set_len(MAX + 1).unwrap();
        assert_eq!(read(&path), Err("it is larger than 1 MiB".to_owned()));
    }

    #[test]
    fn what_is_no_regular_file_is_refused_without_waiting() {
        let dir = TempDir::new().unwrap();
        let pipe = dir.path().join("pipe");
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        for path in [pipe.as_path(), dir.path(), Path::new("/dev/zero")] {
            assert_eq!(read(path), Err("it is not a regular file".to_owned()));
        }
    }
}
