//! The script of the fake `loom`, and what it writes down. Its environment is cleared, so both lie
//! beside the path it is called by.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::processes::wait_until;

/// The script's file name, beside the program.
pub const SCRIPT: &str = "script.json";
/// The directory of records.
pub const RECORDS: &str = "calls";
/// One empty file for each process that met others and is alive.
pub const ALIVE: &str = "alive";
/// One empty file for each process that ever began to meet others.
pub const STARTED: &str = "started";
/// One file for each process that met others: how many it saw alive at most.
pub const PEERS: &str = "peers";
/// A grandchild ends once this file is there.
pub const RELEASE: &str = "release";

/// What the first rule that fits has the process do, in order. It exits with 0 at the end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rule {
    /// Texts that all occur in the argument vector or on standard input.
    pub when: Vec<String>,
    /// What is done.
    pub steps: Vec<Step>,
}

/// One thing the process does.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// Prints a text.
    Print(String),
    /// Prints bytes.
    Bytes(Vec<u8>),
    /// Prints a text a number of times.
    Repeat(String, usize),
    /// Prints a text for ever.
    Endless(String),
    /// Prints a text to standard error.
    Stderr(String),
    /// Answers a `command run` with its own arguments: `{"ok":true,"id":…,"outputs":{"args":…}}`.
    Echo,
    /// Exits with a code.
    Exit(i32),
    /// Ends itself with a signal.
    Signal(i32),
    /// Sleeps for so many milliseconds.
    Sleep(u64),
    /// Makes an empty file of that name beside the script.
    Touch(String),
    /// Waits for such a file.
    Await(String),
    /// Waits until so many processes have begun to meet, then counts for a while how many are
    /// alive.
    Meet(usize),
    /// Closes standard output.
    CloseStdout,
    /// Leaves a process behind that runs until the release.
    Grandchild {
        /// Whether it leaves the process group, with a session of its own.
        setsid: bool,
        /// Whether it keeps standard output open.
        keeps_stdout: bool,
    },
}

/// How one process was started, seen from inside it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The whole argument vector.
    pub argv: Vec<String>,
    /// The whole environment.
    pub env: BTreeMap<String, String>,
    /// The working directory.
    pub cwd: String,
    /// What standard input is.
    pub stdin_from: String,
    /// What came on standard input.
    pub stdin: String,
    /// Its process id.
    pub pid: i32,
    /// Its process group.
    pub group: i32,
    /// The other descriptors it was born with, and what each is.
    pub descriptors: BTreeMap<i32, String>,
}

impl Record {
    /// The arguments without the program's name.
    pub fn args(&self) -> Vec<&str> {
        self.argv.iter().skip(1).map(String::as_str).collect()
    }
}

/// A rule: when these texts occur, do this.
pub fn rule<const N: usize>(when: &[&str], steps: [Step; N]) -> Rule {
    Rule {
        when: when.iter().map(|text| (*text).to_owned()).collect(),
        steps: steps.to_vec(),
    }
}

/// Prints a text.
pub fn print(text: impl ToString) -> Step {
    Step::Print(text.to_string())
}

/// The fake `loom` of one test.
#[derive(Debug)]
pub struct Fake {
    dir: PathBuf,
}

impl Fake {
    /// Lays it out in `dir`, where `program` is linked as `loom`.
    pub(crate) fn install(dir: PathBuf, program: &str) -> Self {
        for part in [RECORDS, ALIVE, STARTED, PEERS] {
            fs::create_dir_all(dir.join(part)).expect("the fake's directory can be made");
        }
        symlink(program, dir.join("loom")).expect("the fake can be linked");
        let fake = Self { dir };
        fake.script(&[]);
        fake
    }

    /// The `cliPath` of a configuration.
    pub fn path(&self) -> PathBuf {
        self.dir.join("loom")
    }

    /// A file beside the script.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Says what processes that start from now on do.
    pub fn script(&self, rules: &[Rule]) {
        let text = serde_json::to_string(rules).expect("rules are JSON");
        let new = self.dir.join("script.new");
        fs::write(&new, text).expect("the script can be written");
        fs::rename(new, self.dir.join(SCRIPT)).expect("the script can be replaced");
    }

    /// Every process so far, in the order they started.
    pub fn records(&self) -> Vec<Record> {
        let mut files = files(&self.dir.join(RECORDS));
        files.sort();
        let read = |path: &PathBuf| {
            let text = fs::read(path).expect("a record can be read");
            serde_json::from_slice(&text).expect("a record is JSON")
        };
        files.iter().map(read).collect()
    }

    /// Every process since the last time this was asked.
    pub fn take_records(&self) -> Vec<Record> {
        let records = self.records();
        for path in files(&self.dir.join(RECORDS)) {
            fs::remove_file(path).expect("a record can be removed");
        }
        records
    }

    /// Fails when any process was started.
    pub fn assert_unused(&self) {
        let records = self.records();
        assert!(records.is_empty(), "processes started: {records:#?}");
    }

    /// How many of the processes that met were alive at once.
    pub fn most_alive(&self) -> usize {
        let seen = files(&self.dir.join(PEERS)).into_iter().map(|path| {
            let text = fs::read_to_string(path).expect("a count can be read");
            text.parse::<usize>().expect("a count is a number")
        });
        seen.max().unwrap_or(0)
    }

    /// How many processes have begun to meet.
    pub fn met(&self) -> usize {
        files(&self.dir.join(STARTED)).len()
    }

    /// Makes a file that a process awaits.
    pub fn touch(&self, name: &str) {
        fs::write(self.file(name), "").expect("a file can be made");
    }

    /// Waits for a file that a process makes.
    pub fn await_file(&self, name: &str) {
        wait_until(name, || self.file(name).exists());
    }
}

/// The files of a directory that are whole: one being written has a name that opens with a dot.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("the fake's directory is there");
    let paths = entries.flatten().map(|entry| entry.path());
    paths
        .filter(|path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| !name.starts_with('.'))
        })
        .collect()
}
