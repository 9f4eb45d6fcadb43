//! A broker in a thread, a queue of its own, and the built binary run against it.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use loom_tools_sample::{Broker, BrokerOptions};
use serde_json::Value;

/// A directory that goes away with the value.
pub(crate) struct TempDir(PathBuf);

impl TempDir {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("sample-loom-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn queue(&self) -> PathBuf {
        self.0.join("queue")
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A served queue. Fields drop in order: the broker before its directory.
pub(crate) struct Bench {
    pub(crate) broker: Broker,
    pub(crate) dir: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut BrokerOptions)) -> Self {
        let dir = TempDir::new();
        let mut options = BrokerOptions::new(dir.queue());
        change(&mut options);
        Self {
            broker: Broker::start(options).unwrap(),
            dir,
        }
    }

    pub(crate) fn loom(&self, args: &[&str]) -> Output {
        spawn(self.dir.queue().as_path(), args, "")
            .wait_with_output()
            .unwrap()
    }

    /// Runs a command that must end well and print JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.loom(args);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            text(&output.stderr)
        );
        serde_json::from_slice(&output.stdout).unwrap()
    }

    pub(crate) fn command(&self, id: &str, args: &str, flags: &[&str]) -> Output {
        let words = ["command", "run", id, "--args-json", "-", "--json"];
        let words = [words.as_slice(), flags].concat();
        spawn(self.dir.queue().as_path(), &words, args)
            .wait_with_output()
            .unwrap()
    }

    /// Runs a host command and reads its answer, whatever its exit code.
    pub(crate) fn told(&self, id: &str, args: &str, flags: &[&str]) -> Value {
        let output = self.command(id, args, flags);
        let told: Value = serde_json::from_slice(&output.stdout).unwrap();
        let code = if told["ok"] == true { 0 } else { 1 };
        assert_eq!(output.status.code(), Some(code), "{told}");
        told
    }
}

/// The binary with nothing in its environment but the two queue variables.
pub(crate) fn bare(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sample-loom"));
    command.env_clear().args(args).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub(crate) fn spawn(queue: &Path, args: &[&str], stdin: &str) -> Child {
    let mut command = bare(args);
    command
        .env("LOOM_SEARCH_BROKER_QUEUE", queue)
        .env("LOOM_PAGE_RPC_QUEUE", queue);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    // A child that refused its arguments has closed the pipe already.
    let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
    child
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
