//! A run's saved state on disk: one private file, replaced atomically, and a lock beside it so that
//! two processes do not lose each other's work.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, File, OpenOptions, OpenOptionsExt};
use rustix::fs::{FlockOperation, flock};
use serde::Deserialize;

use crate::object::Object;
use crate::regular;

/// The largest saved state that is read, in bytes. Threat: a path that names something endless.
/// Trade: ten thousand long rows are some hundred megabytes.
pub(crate) const MAX_STATE: u64 = 512 << 20;

/// A state file that this process holds the lock of.
pub struct StateFile {
    dir: Dir,
    path: PathBuf,
    name: OsString,
    /// Unlocked when it is closed.
    _lock: File,
}

/// Why a state file cannot be used; for the operator.
#[derive(Debug)]
pub struct StateError {
    path: PathBuf,
    problem: String,
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.problem)
    }
}

impl std::error::Error for StateError {}

impl StateFile {
    /// Takes the lock of the state file at `path`, which need not exist yet.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the file, by its absolute path, and nothing else.
    pub fn hold(path: &Path, authority: AmbientAuthority) -> Result<Self, StateError> {
        let refuse = |problem: String| StateError {
            path: path.to_owned(),
            problem,
        };
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(refuse("this path names no file".to_owned()));
        };
        let dir = Dir::open_ambient_dir(parent, authority)
            .map_err(|error| refuse(format!("its directory cannot be opened: {error}")))?;
        let lock = dir
            .open_with(beside(name, ".lock"), private().write(true).create(true))
            .map_err(|error| refuse(format!("its lock file cannot be opened: {error}")))?;
        match flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(rustix::io::Errno::WOULDBLOCK) => {
                return Err(refuse("another process continues this run now".to_owned()));
            }
            Err(error) => return Err(refuse(format!("it cannot be locked: {error}"))),
        }
        Ok(Self {
            dir,
            path: path.to_owned(),
            name: name.to_owned(),
            _lock: lock,
        })
    }

    /// The saved run, if there is one.
    pub fn read(&self) -> Result<Option<String>, StateError> {
        let file = match regular::open(&self.dir, &self.name) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            file => file.map_err(|error| self.refuse(&error))?,
        };
        let text = regular::bounded(file, MAX_STATE).and_then(regular::text);
        text.map(Some).map_err(|error| self.refuse(&error))
    }

    /// Replaces the saved run: a private temporary file, synced, renamed, the directory synced.
    pub fn write(&self, saved: &str) -> Result<(), StateError> {
        let temporary = beside(&self.name, ".tmp");
        self.replace(&temporary, saved).map_err(|error| {
            let _ = self.dir.remove_file(&temporary);
            self.refuse(&error)
        })
    }

    fn replace(&self, temporary: &OsStr, saved: &str) -> io::Result<()> {
        // What an earlier process left there is not written into.
        match self.dir.remove_file(temporary) {
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = self
            .dir
            .open_with(temporary, private().write(true).create_new(true))?;
        file.write_all(saved.as_bytes())?;
        file.sync_all()?;
        self.dir.rename(temporary, &self.dir, &self.name)?;
        self.dir.open(".")?.sync_all()
    }

    fn refuse(&self, problem: &dyn fmt::Display) -> StateError {
        StateError {
            path: self.path.clone(),
            problem: problem.to_string(),
        }
    }
}

/// The run id that a saved run states, for a host that was given none; the component checks it.
pub fn run_id(saved: &str) -> Option<String> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Saved {
        run_id: String,
    }
    serde_json::from_str::<Object<Saved>>(saved)
        .ok()
        .map(|Object(saved)| saved.run_id)
}

fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// `.NAME` with an ending, in the same directory.
fn beside(name: &OsStr, ending: &str) -> OsString {
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(ending);
    beside
}
