//! The product's binary, run once: an environment full of decoys, a hard deadline, and a failure
//! that shows everything.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bench::{DECOY, SEARCH_PATH, STDERR_MARK};
use crate::session::Session;

/// How long the product may take for anything. Far above what it needs, for a busy machine.
pub(crate) const HARD_TIMEOUT: Duration = Duration::from_secs(120);

/// Variables that must reach no process and no output.
const DECOYS: [(&str, &str); 12] = [
    ("AWS_SECRET_ACCESS_KEY", "DECOY-aws"),
    ("GITHUB_TOKEN", "DECOY-github"),
    ("LOOM_TOKEN", "DECOY-loom"),
    ("LOOM_PAGE_RPC_QUEUE", "/DECOY/page-queue"),
    ("LOOM_SEARCH_BROKER_QUEUE", "/DECOY/search-queue"),
    ("LOOM_INSTANCE_DIR", "/DECOY/instance"),
    ("LOOM_DISPATCH_ID", "DECOY-dispatch"),
    ("LOOM_COMMAND_JOB_ID", "DECOY-job"),
    ("LD_LIBRARY_PATH", "/DECOY/lib"),
    ("SSH_AUTH_SOCK", "/DECOY/agent"),
    ("https_proxy", "http://user:DECOY@proxy"),
    ("RUST_BACKTRACE", "1"),
];

/// The product, about to be run.
#[derive(Debug)]
pub struct Host {
    command: Command,
    stdin: Vec<u8>,
    /// Whether nobody reads standard output.
    unread: bool,
    /// What standard output must not hold.
    secrets: Vec<String>,
}

/// How it ended.
#[derive(Debug)]
pub struct Ran {
    /// Its exit code, or the signal that ended it.
    pub status: ExitStatus,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: String,
    described: String,
}

impl Host {
    pub(crate) fn new(program: &str, dir: &Path, args: &[&str]) -> Self {
        let mut command = Command::new(program);
        command
            .args(args)
            .current_dir(dir)
            .env_clear()
            .envs(DECOYS)
            .env("HOME", dir.join("home"))
            // One for all tests, beside the program: compiling is most of what a start costs.
            .env(
                "XDG_CACHE_HOME",
                Path::new(program).with_file_name("e2e-cache"),
            )
            .env("PATH", SEARCH_PATH);
        let dir = dir.display().to_string();
        Self {
            command,
            stdin: Vec::new(),
            unread: false,
            secrets: vec![dir, DECOY.to_owned(), STDERR_MARK.to_owned()],
        }
    }

    /// One more argument.
    pub fn arg(&mut self, arg: impl AsRef<OsStr>) -> &mut Self {
        self.command.arg(arg);
        self
    }

    /// One more argument, by value.
    pub fn with(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// A variable more.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// A variable less.
    pub fn without_env(mut self, name: &str) -> Self {
        self.command.env_remove(name);
        self
    }

    /// What comes on standard input, which is empty otherwise.
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Closes the reading end of standard output before it starts.
    pub fn without_a_reader(mut self) -> Self {
        self.unread = true;
        self
    }

    /// Runs it as a session.
    pub fn session(mut self) -> Session {
        let described = self.described();
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = self.command.spawn().expect("the product can be started");
        Session::new(child, described, self.secrets)
    }

    /// Runs it to its end.
    pub fn ran(mut self) -> Ran {
        let described = self.described();
        self.command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if self.unread {
            let (reader, writer) = std::io::pipe().expect("a pipe can be made");
            drop(reader);
            self.command.stdout(writer);
        }
        let mut child = self.command.spawn().expect("the product can be started");
        let stdin = child.stdin.take();
        let input = self.stdin;
        let writer = thread::spawn(move || {
            // A program that refuses its arguments reads none of it.
            let _ = stdin.map(|mut pipe| pipe.write_all(&input));
        });
        let stdout = child.stdout.take().map(drain);
        let stderr = child.stderr.take().map(drain);
        let status = within(&mut child, &described);
        let _ = writer.join();
        let text = |reader: Option<thread::JoinHandle<Vec<u8>>>| {
            reader
                .and_then(|reader| reader.join().ok())
                .unwrap_or_default()
        };
        let ran = Ran {
            status,
            stdout: text(stdout),
            stderr: String::from_utf8_lossy(&text(stderr)).into_owned(),
            described,
        };
        let shown = String::from_utf8_lossy(&ran.stdout);
        assert_no_secret(&shown, &self.secrets, &ran.report());
        ran
    }

    fn described(&self) -> String {
        let cwd = self.command.get_current_dir().map(PathBuf::from);
        format!(
            "{:?}\nin {}",
            self.command,
            cwd.unwrap_or_default().display()
        )
    }
}

impl Ran {
    /// Fails unless it exited with this code.
    pub fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.status.code(), Some(code), "{}", self.report());
        self
    }

    /// Fails unless this is on standard error.
    pub fn expect_stderr(self, part: &str) -> Self {
        assert!(
            self.stderr.contains(part),
            "no {part:?} in\n{}",
            self.report()
        );
        self
    }

    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8(self.stdout.clone()).expect("standard output is UTF-8")
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        let parsed = serde_json::from_slice(&self.stdout);
        parsed.unwrap_or_else(|error| panic!("no JSON: {error}\n{}", self.report()))
    }

    /// The signal that ended it.
    pub fn signal(&self) -> Option<i32> {
        self.status.signal()
    }

    /// Everything there is to say of it.
    pub fn report(&self) -> String {
        let mut report = String::new();
        let _ = write!(
            report,
            "{}\n{}\nstdout: {}\nstderr: {}",
            self.described,
            self.status,
            shortened(&String::from_utf8_lossy(&self.stdout)),
            shortened(&self.stderr),
        );
        report
    }
}

/// What a model is shown holds no path of the host's, no variable and no standard error.
pub(crate) fn assert_no_secret(shown: &str, secrets: &[String], report: &str) {
    for secret in secrets {
        assert!(!shown.contains(secret), "{secret:?} leaked:\n{report}");
    }
}

/// Waits for the end; kills what takes too long, and fails.
pub(crate) fn within(child: &mut Child, described: &str) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status;
        }
        if started.elapsed() > HARD_TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("took longer than {HARD_TIMEOUT:?}: {described}");
        }
        thread::sleep(Duration::from_millis(2));
    }
}

/// Reads a stream to its end on a thread of its own.
pub(crate) fn drain(mut stream: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        bytes
    })
}

/// The first of a text, for a report that a person reads.
pub(crate) fn shortened(text: &str) -> String {
    const MOST: usize = 4_000;
    let mut short: String = text.chars().take(MOST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}
