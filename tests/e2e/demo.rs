//! `loom-tools demo`: what it shows, what it keeps from the model's side, and that nothing of it stays.

#![allow(
    clippy::unwrap_used,
    reason = "a test whose ground gives way has nothing to recover to"
)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use loom_tools_tests::tools;

/// A directory for temporary files whose name a shell would trip over.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Self {
        let name = format!("demo {test} it's {}", std::process::id());
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn demo(&self, program: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(program);
        command
            .arg("demo")
            .args(args)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", "/nowhere/decoy-home")
            .env("TMPDIR", &self.0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> Output {
        self.demo(binary(), args).output().unwrap()
    }

    fn start(&self) -> Child {
        self.demo(binary(), &[]).spawn().unwrap()
    }

    fn left(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    /// The processes that were told of this directory.
    fn processes(&self) -> Vec<String> {
        let mark = self.0.to_str().unwrap();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let read = |name| fs::read(entry.path().join(name)).unwrap_or_default();
            let line = String::from_utf8_lossy(&read("cmdline")).into_owned();
            let environ = String::from_utf8_lossy(&read("environ")).into_owned();
            if line.contains(mark) || environ.contains(mark) {
                found.push(line.replace('\0', " "));
            }
        }
        found
    }

    fn assert_nothing_stays(&self, when: &str) {
        assert_eq!(self.left(), Vec::<PathBuf>::new(), "{when}");
        assert_eq!(self.processes(), Vec::<String>::new(), "{when}");
    }

    /// Waits until the demo's directory is there.
    fn until_set_up(&self) {
        until("the demo made its directory", || !self.left().is_empty());
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn binary() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_loom-tools-under-test"))
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(60), "never: {what}");
        sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &kill])
            .status()
            .unwrap()
            .success()
    );
}

fn text(output: &Output) -> String {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.is_empty(),
        "{}: {stderr}",
        output.status
    );
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The lines of one side, without their bar.
fn side(text: &str, bar: &str) -> String {
    let lines = text.lines().filter_map(|line| line.strip_prefix(bar));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn it_shows_every_tool_and_every_kind_of_answer() {
    let place = Place::new("shows");
    let text = text(&place.run(&[]));
    let (model, operator) = (side(&text, "  ┃"), side(&text, "  ┆"));
    for tool in tools::ALL {
        assert!(model.contains(&format!("\n {tool} {{")), "{tool}");
    }
    for shown in [
        r#"{"status": "withheld", "reasonCode": "cfc_ceiling_exceeded"}"#,
        r#"{"status": "withheld", "reasonCode": "cfc_label_read_failed"}"#,
        r#""truncated": true"#,
        r#""code": "invalid_input""#,
        r#""readOnlyGranted": true"#,
        r#""code": "not_granted""#,
        r#""status": "denied""#,
        r#""completed": ["notes.create:"#,
        r#""known": false"#,
        "⟨",
    ] {
        assert!(model.contains(shown), "{shown}\n{model}");
    }
    for told in [
        "loom search 'quay permit' --json",
        "loom command run ledger.balance --args-json - --json --read-only",
        "loom command run notes.create --args-json - --json\n",
        "cfc_enforce_explicit_requires_direct_command",
        "ran       nothing",
        "refused   unheld_handle",
    ] {
        assert!(operator.contains(told), "{told}\n{operator}");
    }
    assert_eq!(operator.matches("document  loom-doc:").count(), 2);
    assert!(!text.contains('\u{1b}'), "an escape sequence in a pipe");
    place.assert_nothing_stays("it ended");
}

#[test]
fn the_models_side_holds_no_path_of_the_machine() {
    let place = Place::new("paths");
    // A program whose own path needs quoting, too.
    let programs = Place::new("programs");
    let program = programs.0.join("loom-tools");
    if fs::hard_link(binary(), &program).is_err() {
        fs::copy(binary(), &program).unwrap();
    }
    for args in [&[][..], &["--full"]] {
        let text = text(&place.demo(&program, args).output().unwrap());
        let (model, operator) = (side(&text, "  ┃"), side(&text, "  ┆"));
        let folded = operator.replace("\n           ", "").replace(' ', "");
        for path in [&place.0, &program] {
            let path = path.to_str().unwrap().replace(' ', "");
            assert!(folded.contains(&path), "{path}\n{operator}");
        }
        let temporary = place.0.to_str().unwrap();
        let built = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        for path in [temporary, built.to_str().unwrap(), "loom-tools-demo-"] {
            assert!(!model.contains(path), "{path}");
        }
        for path in ["decoy-home", "/home/", "/tmp/", "/usr/", "queue", "it's"] {
            assert!(!model.contains(path), "{path}");
        }
        assert_eq!(args.is_empty(), model.contains('⟨'), "{args:?}");
    }
}

#[test]
fn a_signal_at_any_moment_leaves_nothing() {
    let place = Place::new("signals");
    for (name, code, delay) in [
        ("INT", 130, 0),
        ("INT", 130, 30),
        ("TERM", 143, 80),
        ("INT", 130, 160),
        ("HUP", 129, 240),
    ] {
        let child = place.start();
        place.until_set_up();
        sleep(Duration::from_millis(delay));
        signal(&child, name);
        let output = child.wait_with_output().unwrap();
        let when = format!("SIG{name} after {delay} ms");
        // A fast machine is through by then.
        let code_seen = output.status.code();
        assert!(
            code_seen == Some(code) || code_seen == Some(0),
            "{when}: {}",
            output.status
        );
        // A log line of the cancelled process may be there.
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            !stderr.contains("panic") && !stderr.contains("error:"),
            "{when}: {stderr}"
        );
        place.assert_nothing_stays(&when);
    }
}

#[test]
fn a_killed_demo_takes_its_broker_along() {
    let place = Place::new("killed");
    let mut child = place.start();
    place.until_set_up();
    until("the broker serves", || {
        let queues = place
            .left()
            .into_iter()
            .map(|dir| dir.join("queue/ready.json"));
        queues.into_iter().any(|ready| ready.exists())
    });
    signal(&child, "KILL");
    assert_eq!(child.wait().unwrap().signal(), Some(9));
    until("its processes are gone", || place.processes().is_empty());
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let place = Place::new("closed");
    let mut child = place.start();
    let mut line = String::new();
    let mut reader = BufReader::with_capacity(64, child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "loom-tools demo\n");
    drop(reader);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    place.assert_nothing_stays("its reader went away");
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let place = Place::new("missing");
    let missing = place.0.join("missing");
    let output = place
        .demo(binary(), &[])
        .env("TMPDIR", &missing)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("missing/loom-tools-demo-"), "{stderr}");
    assert!(stderr.contains("cannot be made"), "{stderr}");
}
