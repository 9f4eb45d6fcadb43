//! The side of the command line: one request, one answer, and an end to the waiting.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::Value;

use super::{PATIENCE, Queue, encode, write_whole};
use crate::answer::Answer;
use crate::loom::Call;

/// How often the client asks whether the broker still lives.
const LIVENESS: Duration = Duration::from_millis(100);
/// How long a taken request may take, since the broker lives and works on it.
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// Puts the call into the queue and waits for its answer.
pub(crate) fn ask(queue: &Queue, call: &Call) -> Result<Answer, String> {
    let place = queue.dir().display();
    if !broker_lives(queue) {
        return Err(format!("no broker serves {place}"));
    }
    let id = request_id();
    let request = queue.requests().join(format!("{id}.json"));
    let answer = queue.answers().join(&id);
    write_whole(&queue.requests(), &format!("{id}.json"), &encode(call))
        .map_err(|error| format!("cannot write into {place}: {error}"))?;

    let started = Instant::now();
    let mut asked = started;
    let mut patience = PATIENCE;
    let mut taken = false;
    loop {
        if let Some(answer) = collect(&answer)? {
            return Ok(answer);
        }
        if asked.elapsed() >= LIVENESS {
            asked = Instant::now();
            taken = taken || !request.exists();
            patience = stated_patience(queue).unwrap_or(patience);
            if !broker_lives(queue) {
                // It may have answered between the two looks.
                let last = collect(&answer)?;
                let _ = fs::remove_file(&request);
                return last.ok_or_else(|| format!("the broker of {place} is gone"));
            }
        }
        if !taken && started.elapsed() >= patience && fs::remove_file(&request).is_ok() {
            return Err(format!("the broker of {place} is silent"));
        }
        if started.elapsed() >= LONGEST {
            return Err(format!("the broker of {place} did not answer in time"));
        }
        std::thread::sleep(pause(started.elapsed()));
    }
}

/// Polls closely at first, when nearly every answer comes, and calmly later.
fn pause(waited: Duration) -> Duration {
    match waited.as_millis() {
        0..20 => Duration::from_micros(200),
        20..1_000 => Duration::from_millis(1),
        _ => Duration::from_millis(5),
    }
}

/// Reads and removes an answer, if it is there.
fn collect(path: &Path) -> Result<Option<Answer>, String> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot read {}: {error}", path.display())),
    };
    // An answer that stays behind is swept by the broker.
    let _ = fs::remove_file(path);
    Answer::from_bytes(bytes)
        .map(Some)
        .ok_or_else(|| "the answer is damaged".to_owned())
}

/// A broker lives when its lock cannot be had.
fn broker_lives(queue: &Queue) -> bool {
    let Ok(file) = File::open(queue.lock()) else {
        return false;
    };
    matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
}

fn stated_patience(queue: &Queue) -> Option<Duration> {
    let ready: Value = serde_json::from_slice(&fs::read(queue.ready()).ok()?).ok()?;
    ready.get("patienceMs")?.as_u64().map(Duration::from_millis)
}

fn request_id() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{:x}-{count}", std::process::id(), since.as_nanos())
}
