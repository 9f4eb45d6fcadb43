//! One test's ground: its directory, its fake `loom`, its configuration files.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::fake::{Fake, RELEASE};
use crate::host::Host;
use crate::processes;
use crate::session::Session;
use crate::temp::TempDir;

/// What the fake `loom` prints to standard error where a test looks for it on standard output.
pub const STDERR_MARK: &str = "STDERR-ONLY";
/// What every decoy in the host's environment holds.
pub const DECOY: &str = "DECOY";
/// The run id that every run has unless a test gives another.
pub const RUN: &str = "run-1";
/// The host's executable search path.
pub const SEARCH_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The built programs, which only an integration test is told of.
#[derive(Clone, Copy, Debug)]
pub struct Programs {
    /// The product.
    pub host: &'static str,
    /// The fake `loom`.
    pub fake: &'static str,
    /// The sample `loom`.
    pub sample: &'static str,
}

/// One test's ground.
#[derive(Debug)]
pub struct Bench {
    /// The `loom` both configurations name unless a test says otherwise.
    pub fake: Fake,
    programs: Programs,
    dir: TempDir,
}

impl Bench {
    /// A fresh directory with a fake `loom` that does nothing yet, and both configurations.
    pub fn new(programs: Programs) -> Self {
        let dir = TempDir::new();
        let fake = Fake::install(dir.path().join("fake"), programs.fake);
        for part in ["home", "queue"] {
            fs::create_dir(dir.path().join(part)).expect("a directory can be made");
        }
        let bench = Self {
            fake,
            programs,
            dir,
        };
        bench.configure_retrieval(|_| {});
        bench.configure_commands(|_| {});
        bench
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// A path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    /// The queue both configurations name.
    pub fn queue(&self) -> PathBuf {
        self.path("queue")
    }

    /// Writes a file and tells its path.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes).expect("a file can be written");
        path
    }

    /// Writes the retrieval configuration, changed from the usual one.
    pub fn configure_retrieval(&self, change: impl FnOnce(&mut Value)) -> PathBuf {
        let mut config = self.usual();
        change(&mut config);
        self.write("retrieval.json", config.to_string())
    }

    /// Writes the command configuration, changed from the usual one.
    pub fn configure_commands(&self, change: impl FnOnce(&mut Value)) -> PathBuf {
        let mut config = self.usual();
        change(&mut config);
        self.write("commands.json", config.to_string())
    }

    fn usual(&self) -> Value {
        json!({
            "cliPath": self.fake.path(),
            "transport": { "kind": "broker", "queuePath": self.queue() },
        })
    }

    /// Puts the sample `loom` in the place of the fake one.
    pub(crate) fn sample_cli(&self) -> PathBuf {
        let path = self.path("sample-loom");
        std::os::unix::fs::symlink(self.programs.sample, &path).expect("a link can be made");
        path
    }

    /// The product with these arguments and no others.
    pub fn host(&self, args: &[&str]) -> Host {
        Host::new(self.programs.host, self.dir(), args)
    }

    /// A subcommand that opens a run, with both configurations and the usual run id.
    pub fn run(&self, subcommand: &[&str], flags: &[&str]) -> Host {
        let (retrieval, commands) = (self.path("retrieval.json"), self.path("commands.json"));
        let mut host = self.host(subcommand);
        host.arg("--loom-retrieval-config").arg(retrieval);
        host.arg("--loom-commands-config").arg(commands);
        if !flags.contains(&"--run-id") && !flags.contains(&"--state") {
            host.arg("--run-id").arg(RUN);
        }
        for flag in flags {
            host.arg(flag);
        }
        host
    }

    /// `loom-tools call` with the usual configuration.
    pub fn call(&self, tool: &str, input: &Value, flags: &[&str]) -> Host {
        self.run(&["call", tool, "--input", &input.to_string()], flags)
    }

    /// `loom-tools session` with the usual configuration.
    pub fn session(&self, flags: &[&str]) -> Session {
        self.run(&["session"], flags).session()
    }

    /// Fails unless nothing that this test started runs any more.
    pub fn assert_nothing_runs(&self) {
        processes::assert_none_under(self.dir());
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        // What the product cannot reach, a test has to end itself: a grandchild in a session of
        // its own.
        let _ = fs::write(self.fake.file(RELEASE), "");
        processes::end_under(self.dir());
    }
}
