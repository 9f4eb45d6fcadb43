//! The side of the broker: take requests, put answers, keep the directory clean.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{LARGEST_REQUEST, Queue, decode, id_of, write_whole};
use crate::answer::Answer;
use crate::loom::Call;

/// How often what clients left behind is looked for, and how old it must be.
const SWEEP: Duration = Duration::from_secs(10);
const STALE: Duration = Duration::from_secs(60);
/// How long a starting broker waits for clients that are just testing the lock.
const LOCK_PATIENCE: Duration = Duration::from_millis(500);

/// A request that was taken; `call` is none when it cannot be read or came too late.
pub(crate) struct Taken {
    pub(crate) id: String,
    pub(crate) call: Option<Call>,
}

/// A queue this process serves, for as long as the value lives.
pub(crate) struct Server {
    queue: Queue,
    patience: Duration,
    swept: Instant,
    _lock: File,
}

impl Server {
    /// Makes the queue, private to its owner, and becomes its only broker.
    pub(crate) fn open(queue: Queue, patience: Duration) -> io::Result<Self> {
        for dir in [queue.dir(), &queue.requests(), &queue.answers()] {
            DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
        }
        let lock = File::create(queue.lock())?;
        lock_alone(&lock)?;
        Ok(Self {
            queue,
            patience,
            swept: Instant::now(),
            _lock: lock,
        })
    }

    /// Tells whoever waits that requests are served from now on.
    pub(crate) fn announce(&self, facets: &[String]) -> io::Result<()> {
        let ready = json!({
            "pid": std::process::id(),
            "facets": facets,
            "patienceMs": u64::try_from(self.patience.as_millis()).unwrap_or(u64::MAX),
        });
        write_whole(self.queue.dir(), "ready.json", ready.to_string().as_bytes())
    }

    /// Takes what waits, oldest name first, at most `most` of it.
    pub(crate) fn take(&mut self, most: usize) -> Vec<Taken> {
        if self.swept.elapsed() >= SWEEP {
            self.swept = Instant::now();
            self.sweep();
        }
        let Ok(entries) = fs::read_dir(self.queue.requests()) else {
            return Vec::new();
        };
        let mut ids: Vec<String> = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| id_of(&entry.file_name(), ".json").map(str::to_owned))
            .collect();
        ids.sort_unstable();
        ids.truncate(most);
        ids.into_iter().filter_map(|id| self.take_one(id)).collect()
    }

    fn take_one(&self, id: String) -> Option<Taken> {
        let waiting = self.queue.requests().join(format!("{id}.json"));
        let taken = self.queue.requests().join(format!("{id}.taken"));
        // A request whose client gave up is gone by now.
        fs::rename(&waiting, &taken).ok()?;
        let known = fs::metadata(&taken).ok()?;
        let age = known
            .modified()
            .ok()
            .and_then(|at| at.elapsed().ok())
            .unwrap_or_default();
        let bytes = if known.len() <= LARGEST_REQUEST {
            fs::read(&taken).ok()
        } else {
            None
        };
        let _ = fs::remove_file(&taken);
        // Past the patience nobody waits any more, and running it now would surprise everyone.
        let fresh = bytes.filter(|_| age <= self.patience);
        Some(Taken {
            id,
            call: fresh.as_deref().and_then(decode),
        })
    }

    /// What a worker needs to put an answer.
    pub(crate) fn queue(&self) -> Queue {
        self.queue.clone()
    }

    fn sweep(&self) {
        for dir in [self.queue.requests(), self.queue.answers()] {
            let entries = fs::read_dir(dir)
                .into_iter()
                .flatten()
                .filter_map(Result::ok);
            for path in entries
                .map(|entry| entry.path())
                .filter(|path| ours_and_stale(path))
            {
                let _ = fs::remove_file(path);
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.queue.ready());
    }
}

impl Queue {
    /// Puts the answer to a request where its client looks for it.
    pub(crate) fn put(&self, id: &str, answer: &Answer) -> io::Result<()> {
        write_whole(&self.answers(), id, &answer.to_bytes())
    }
}

fn lock_alone(lock: &File) -> io::Result<()> {
    let started = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if started.elapsed() >= LOCK_PATIENCE => {
                return Err(io::Error::new(
                    io::ErrorKind::AddrInUse,
                    "another broker serves this queue",
                ));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}

/// An answer nobody fetched or a part nobody finished; never a file of another name.
fn ours_and_stale(path: &Path) -> bool {
    let Some(name) = path.file_name() else {
        return false;
    };
    let part = name
        .to_str()
        .is_some_and(|name| name.starts_with('.') && name.ends_with(".part"));
    let ours = part || id_of(name, "").is_some() || id_of(name, ".taken").is_some();
    let age = path.symlink_metadata().and_then(|known| known.modified());
    ours && age.is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= STALE))
}
