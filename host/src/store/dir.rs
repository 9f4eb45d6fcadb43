//! The embedded store: one private directory, held as a capability. A document is written to a
//! temporary name, synced, renamed to its digest, and the directory synced. Every name it opens is
//! one it made itself, and it follows no link.

use std::io::{self, Error, ErrorKind, Read, Write};
use std::path::Path;

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, OpenOptions, OpenOptionsExt};

use super::{DocumentStore, Link};
use crate::private_file;

/// The largest document that is read back, in bytes. Threat: a planted file that never ends. Trade:
/// a result may be as large as a line of a session.
const MAX_DOCUMENT: u64 = 64 << 20;

/// One thing a write does to the directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Look,
    Create,
    Write,
    Sync,
    Rename,
    SyncDirectory,
    Remove,
}

/// A directory of documents.
pub struct DirStore {
    dir: Dir,
    /// Asked before each step; a test makes it fail.
    before: Box<dyn Fn(Step) -> io::Result<()> + Send + Sync>,
}

impl DirStore {
    /// Holds the directory at `path`, which is made, private, when it is not there. Refuses one that
    /// others than its owner can look into, or that is not ours: a document's digest tells a short
    /// text to whoever can guess it.
    ///
    /// # Ambient Authority
    ///
    /// Opens, and makes if need be, that directory and nothing else.
    pub fn open(path: &Path, authority: AmbientAuthority) -> io::Result<Self> {
        let dir = match Dir::open_ambient_dir(path, authority) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
                    return Err(error);
                };
                let parent = Dir::open_ambient_dir(parent, authority)?;
                let mut private = DirBuilder::new();
                private.mode(0o700);
                match parent.create_dir_with(name, &private) {
                    Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
                    _ => {}
                }
                // A document outlives a crash only as long as its directory does.
                sync(&parent).inspect_err(|_| drop(parent.remove_dir(name)))?;
                parent.open_dir(name)?
            }
            dir => dir?,
        };
        private_file::ours_alone(&dir.dir_metadata()?, "700")?;
        Ok(Self::holding(dir))
    }

    /// Holds a directory that is open.
    pub fn holding(dir: Dir) -> Self {
        Self {
            dir,
            before: Box::new(|_| Ok(())),
        }
    }

    #[cfg(test)]
    pub(super) fn failing(
        dir: Dir,
        before: impl Fn(Step) -> io::Result<()> + Send + Sync + 'static,
    ) -> Self {
        Self {
            dir,
            before: Box::new(before),
        }
    }

    fn replace(&self, temporary: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        (self.before)(Step::Create)?;
        let mut private = OpenOptions::new();
        private.write(true).create_new(true).mode(0o600);
        let mut file = self.dir.open_with(temporary, &private)?;
        (self.before)(Step::Write)?;
        file.write_all(bytes)?;
        (self.before)(Step::Sync)?;
        file.sync_all()?;
        (self.before)(Step::Rename)?;
        self.dir.rename(temporary, &self.dir, name)
    }
}

impl DocumentStore for DirStore {
    fn get(&self, link: &Link) -> io::Result<Option<Vec<u8>>> {
        (self.before)(Step::Look)?;
        let name = file_name(link);
        let regular = match self.dir.symlink_metadata(&name) {
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            // A link, or anything else that is planted there, is no document.
            metadata => metadata?.is_file(),
        };
        if !regular {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        // The beginning of a longer one has another digest.
        let file = self.dir.open(&name)?;
        file.take(MAX_DOCUMENT).read_to_end(&mut bytes)?;
        Ok((Link::to(&bytes) == *link).then_some(bytes))
    }

    fn put(&self, bytes: &[u8]) -> io::Result<Link> {
        if bytes.len() as u64 > MAX_DOCUMENT {
            return Err(Error::new(
                ErrorKind::FileTooLarge,
                "a document is larger than 64 MiB",
            ));
        }
        let link = Link::to(bytes);
        if self.get(&link)?.is_none() {
            let temporary = temporary_name()?;
            self.replace(&temporary, &file_name(&link), bytes)
                .inspect_err(|_| {
                    if (self.before)(Step::Remove).is_ok() {
                        let _ = self.dir.remove_file(&temporary);
                    }
                })?;
        }
        // Also of a document that was there: whoever put it may not have come so far.
        (self.before)(Step::SyncDirectory)?;
        sync(&self.dir)?;
        Ok(link)
    }
}

/// Makes the entries of a directory durable.
fn sync(dir: &Dir) -> io::Result<()> {
    dir.open(".")?.sync_all()
}

fn file_name(link: &Link) -> String {
    format!("{}.json", link.digest())
}

/// A name that no two writers share.
fn temporary_name() -> io::Result<String> {
    let mut bytes = [0; 16];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    Ok(format!(".{:032x}.tmp", u128::from_ne_bytes(bytes)))
}
