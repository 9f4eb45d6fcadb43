//! Every rule against real processes. No test's verdict depends on how fast anything is: a wait
//! here ends when what it waits for is so, and only a broken rule makes it last.

mod batch;
mod birth;
mod cancelling;
mod ending;

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{Bounds, Cancel, Class, Launch, Loss, Outcome, run};

/// How long a test waits for what must come before it calls it missing.
const PATIENCE: Duration = Duration::from_secs(30);

fn launch(program: &str, args: &[&str]) -> Launch {
    Launch {
        program: PathBuf::from(program),
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![("PATH".to_owned(), "/usr/bin:/bin".into())],
        stdin: None,
        class: Class::Retrieval,
        call: 0,
    }
}

/// A script with the test's mark as `$0`.
fn sh(script: &str, mark: &str) -> Launch {
    launch("/bin/sh", &["-c", script, mark])
}

fn run_with(launch: Launch, bounds: &Bounds) -> Outcome {
    let cancel = Cancel::new().unwrap();
    let mut outcomes = run(vec![launch], bounds, None, &cancel, &mut |_, _, _| {});
    assert_eq!(outcomes.len(), 1);
    outcomes.remove(0)
}

fn run_one(launch: Launch) -> Outcome {
    run_with(launch, &Bounds::default())
}

fn text(outcome: Outcome) -> String {
    match outcome {
        Outcome::Finished {
            exit_code: 0,
            stdout,
        } => String::from_utf8(stdout).unwrap(),
        other => panic!("it did not finish: {other:?}"),
    }
}

/// Bounds under which only the deadline can end a process that hangs.
fn soon() -> Bounds {
    Bounds {
        deadline: Duration::from_millis(300),
        ..Bounds::default()
    }
}

/// Something that no other process of the machine has on its command line, and that sleep(1)
/// takes for a number of seconds.
fn mark() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("4321.{:07}{next:03}", std::process::id())
}

/// The processes that carry `mark`. One that is dead and not yet reaped has no command line.
fn marked(mark: &str) -> Vec<i32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let carries = |pid: &i32| {
        let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(mark)
    };
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter(carries)
        .collect()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "never came: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A killed descendant may still be dying when `run` returns; the leader may not.
fn assert_gone(mark: &str) {
    wait_until("the end of every process of the group", || {
        marked(mark).is_empty()
    });
}

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("loom-process-{}", mark()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
