//! The process table, as far as a test's own directory is concerned: whatever a test starts has a
//! path below that directory in its command line.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// How long a killed process may take to leave the table on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// The processes with a path below `dir` in their command line, each with that line.
pub fn alive_under(dir: &Path) -> Vec<(i32, String)> {
    let wanted = dir.as_os_str().as_bytes();
    let processes = fs::read_dir("/proc").expect("there is a /proc");
    let pids = processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    pids.filter_map(|pid| {
        // A process that is gone meanwhile, and a zombie, have no command line.
        let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
        let holds = line.windows(wanted.len()).any(|window| window == wanted);
        let words = line
            .split(|&byte| byte == 0)
            .map(String::from_utf8_lossy)
            .collect::<Vec<_>>();
        holds.then(|| (pid, words.join(" ")))
    })
    .collect()
}

/// Fails unless nothing below `dir` runs any more.
pub fn assert_none_under(dir: &Path) {
    let started = Instant::now();
    loop {
        let alive = alive_under(dir);
        if alive.is_empty() {
            return;
        }
        assert!(started.elapsed() < PATIENCE, "left running: {alive:#?}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Ends what a test itself started below `dir` and left, each by its id.
pub(crate) fn end_under(dir: &Path) {
    for (pid, _) in alive_under(dir) {
        if let Some(pid) = Pid::from_raw(pid) {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Waits until `ready`; fails with `what` when it takes unreasonably long.
pub fn wait_until(what: &str, mut ready: impl FnMut() -> bool) {
    let started = Instant::now();
    while !ready() {
        assert!(started.elapsed() < Duration::from_secs(60), "never: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
