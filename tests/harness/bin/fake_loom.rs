//! `fake-loom`: does what the script beside the path it is called by says, and writes down how it
//! was started. See `harness/fake.rs`.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a fake that cannot play its part has to be noticed"
)]

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio, exit};
use std::thread;
use std::time::{Duration, Instant};

use loom_tools_tests::fake::{ALIVE, PEERS, RECORDS, RELEASE, Record, Rule, SCRIPT, STARTED, Step};
use rustix::process::{Pid, Signal, getpgid, getpid, kill_process, setsid};

/// Nothing waits longer than this, so that a forgotten process does not stay for ever.
const LONGEST: Duration = Duration::from_secs(300);
/// What no rule fits: an exit code no test uses.
const UNSCRIPTED: u8 = 99;
/// How a grandchild is called.
const GRANDCHILD: &str = "--grandchild";

fn main() -> ExitCode {
    let argv: Vec<String> = env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    let me = PathBuf::from(argv.first().expect("there is a program name"));
    let dir = me.parent().expect("the program is in a directory");
    if argv.get(1).is_some_and(|word| word == GRANDCHILD) {
        return grandchild(dir, argv.get(2).is_some_and(|word| word == "setsid"));
    }
    let record = record(argv);
    write_down(dir, &record);
    let script = fs::read(dir.join(SCRIPT)).expect("there is a script");
    let rules: Vec<Rule> = serde_json::from_slice(&script).expect("the script is rules");
    let told = format!("{}\n{}", record.argv.join(" "), record.stdin);
    let fits = |rule: &&Rule| rule.when.iter().all(|text| told.contains(text));
    let Some(rule) = rules.iter().find(fits) else {
        return ExitCode::from(UNSCRIPTED);
    };
    for step in &rule.steps {
        if let Err(error) = play(step, dir, &me, &record) {
            // The reader has gone away, as a bound makes it do.
            assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn record(argv: Vec<String>) -> Record {
    let mut stdin = Vec::new();
    io::stdin()
        .read_to_end(&mut stdin)
        .expect("standard input can be read");
    let text = |value: std::ffi::OsString| value.to_string_lossy().into_owned();
    let descriptor = |number: i32| {
        let target = fs::read_link(format!("/proc/self/fd/{number}"));
        target.map_or_else(|_| String::new(), |path| text(path.into_os_string()))
    };
    let numbers = fs::read_dir("/proc/self/fd").expect("there is a /proc");
    let numbers: Vec<i32> = numbers
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    let descriptors: BTreeMap<i32, String> = numbers
        .into_iter()
        .filter(|number| *number > 2)
        .map(|number| (number, descriptor(number)))
        // The directory that was read just now is closed again.
        .filter(|(_, target)| !target.is_empty())
        .collect();
    Record {
        argv,
        env: env::vars_os()
            .map(|(name, value)| (text(name), text(value)))
            .collect(),
        cwd: text(
            env::current_dir()
                .expect("there is a directory")
                .into_os_string(),
        ),
        stdin_from: descriptor(0),
        stdin: String::from_utf8_lossy(&stdin).into_owned(),
        pid: getpid().as_raw_nonzero().get(),
        group: getpgid(None).map_or(0, |group| group.as_raw_nonzero().get()),
        descriptors,
    }
}

/// Under the next free number, and never seen in part.
fn write_down(dir: &Path, record: &Record) {
    let records = dir.join(RECORDS);
    let whole = records.join(format!(".{}", record.pid));
    let text = serde_json::to_string(record).expect("a record is JSON");
    fs::write(&whole, text).expect("a record can be written");
    let numbered = (1..10_000).any(|number| {
        let place = records.join(format!("{number:05}"));
        fs::hard_link(&whole, place).is_ok()
    });
    assert!(numbered, "no number is free");
    fs::remove_file(whole).expect("a record can be moved");
}

fn play(step: &Step, dir: &Path, me: &Path, record: &Record) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match step {
        Step::Print(text) => out.write_all(text.as_bytes())?,
        Step::Bytes(bytes) => out.write_all(bytes)?,
        Step::Repeat(text, times) => out.write_all(text.repeat(*times).as_bytes())?,
        Step::Endless(text) => loop {
            out.write_all(text.as_bytes())?;
        },
        Step::Stderr(text) => io::stderr().write_all(text.as_bytes())?,
        Step::Echo => {
            let id = record.argv.get(3).map_or("", String::as_str);
            let args = &record.stdin;
            let told = format!(r#"{{"ok":true,"id":"{id}","outputs":{{"args":{args}}}}}"#);
            out.write_all(told.as_bytes())?;
        }
        Step::Exit(code) => {
            out.flush()?;
            exit(*code);
        }
        Step::Signal(number) => {
            out.flush()?;
            let signal = Signal::from_named_raw(*number).expect("a signal has a name");
            kill_process(getpid(), signal)?;
            thread::sleep(LONGEST);
        }
        Step::Sleep(milliseconds) => thread::sleep(Duration::from_millis(*milliseconds)),
        Step::Touch(name) => fs::write(dir.join(name), "")?,
        Step::Await(name) => wait(|| dir.join(name).exists()),
        Step::Meet(count) => meet(dir, *count)?,
        Step::CloseStdout => {
            out.flush()?;
            let null = fs::OpenOptions::new().write(true).open("/dev/null")?;
            rustix::stdio::dup2_stdout(null)?;
        }
        Step::Grandchild {
            setsid,
            keeps_stdout,
        } => {
            out.flush()?;
            leave_behind(dir, me, *setsid, *keeps_stdout)?;
        }
    }
    out.flush()
}

/// Registers as started only after it is registered as alive, and leaves only after a while: who
/// first sees enough started sees all of them alive.
fn meet(dir: &Path, count: usize) -> io::Result<()> {
    let name = getpid().to_string();
    fs::write(dir.join(ALIVE).join(&name), "")?;
    fs::write(dir.join(STARTED).join(&name), "")?;
    let number = |part: &str| fs::read_dir(dir.join(part)).map_or(0, Iterator::count);
    wait(|| number(STARTED) >= count);
    let mut most = 0;
    for _ in 0..30 {
        most = most.max(number(ALIVE));
        thread::sleep(Duration::from_millis(5));
    }
    let written = dir.join(PEERS).join(format!(".{name}"));
    fs::write(&written, most.to_string())?;
    fs::rename(written, dir.join(PEERS).join(&name))?;
    fs::remove_file(dir.join(ALIVE).join(&name))
}

fn leave_behind(dir: &Path, me: &Path, setsid: bool, keeps_stdout: bool) -> io::Result<()> {
    let mode = if setsid { "setsid" } else { "same" };
    let mut command = Command::new(me);
    command.args([GRANDCHILD, mode]).stdin(Stdio::null());
    if !keeps_stdout {
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let child = command.spawn()?;
    let ready = dir.join(format!("grandchild-{}", child.id()));
    wait(|| ready.exists());
    Ok(())
}

fn grandchild(dir: &Path, own_session: bool) -> ExitCode {
    if own_session {
        setsid().expect("a grandchild leads no group");
    }
    let pid: Pid = getpid();
    fs::write(dir.join(format!("grandchild-{pid}")), "").expect("a file can be made");
    wait(|| dir.join(RELEASE).exists());
    ExitCode::SUCCESS
}

fn wait(ready: impl Fn() -> bool) {
    let started = Instant::now();
    while !ready() && started.elapsed() < LONGEST {
        thread::sleep(Duration::from_millis(5));
    }
}
