//! A directory with a `loom` that is a shell script, its configurations, and the binary to run.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_loom-tools-under-test");

/// What the script does when nothing else is asked of it.
const USUAL: &str = r#"
case "$1 $2" in
  "command list") echo '{"commands":[{"id":"note.add","effect":"change"}]}' ;;
  "command run") cat >/dev/null; echo '{"ok":true,"id":"note.add"}' ;;
  *) echo '{"hits":[{"title":"private tea"}]}' ;;
esac
"#;

pub(crate) struct Bed {
    dir: PathBuf,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self::with_loom(USUAL)
    }

    /// A bed whose `loom` notes that it started, and then does as `script` says.
    pub(crate) fn with_loom(script: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("loom-tools-audit-{}-{count}", std::process::id());
        let bed = Self {
            dir: std::env::temp_dir().join(name),
        };
        fs::create_dir(&bed.dir).unwrap();
        bed.mode("", 0o700);
        fs::create_dir(bed.path("queue")).unwrap();
        bed.mode("queue", 0o700);
        let started = bed.path("started");
        let script = format!("#!/bin/sh\necho \"$*\" >>'{}'\n{script}", started.display());
        bed.write("loom", &script);
        bed.mode("loom", 0o755);
        bed.configure(&bed.path("loom"), &bed.path("queue"));
        bed
    }

    /// Writes both configurations.
    pub(crate) fn configure(&self, cli: &Path, queue: &Path) {
        let transport = json!({ "kind": "broker", "queuePath": queue });
        let config = json!({ "cliPath": cli, "transport": transport }).to_string();
        self.write("retrieval.json", &config);
        self.write("commands.json", &config);
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub(crate) fn mode(&self, name: &str, mode: u32) {
        let path = match name {
            "" => self.dir.clone(),
            name => self.path(name),
        };
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn mode_of(&self, name: &str) -> u32 {
        fs::metadata(self.path(name)).unwrap().permissions().mode() & 0o7777
    }

    /// How many processes of `loom` have started.
    pub(crate) fn started(&self) -> usize {
        fs::read_to_string(self.path("started")).map_or(0, |text| text.lines().count())
    }

    /// The lines of a file, each JSON.
    pub(crate) fn lines(&self, name: &str) -> Vec<Value> {
        let text = self.read(name);
        let lines = text.lines().map(serde_json::from_str);
        lines.collect::<Result<_, _>>().unwrap()
    }

    /// The flags of a run that may write.
    pub(crate) fn run_flags(&self) -> Vec<String> {
        let path = |name: &str| self.path(name).display().to_string();
        vec![
            "--loom-retrieval-config".into(),
            path("retrieval.json"),
            "--loom-commands-config".into(),
            path("commands.json"),
            "--run-id=run-1".into(),
            "--prompt-slot=direct-command".into(),
        ]
    }

    /// Runs a subcommand that opens a run, or audits what it would open.
    pub(crate) fn with_run(&self, command: &str, more: &[&str], input: &str) -> Done {
        let flags = self.run_flags();
        let flags = flags.iter().map(String::as_str);
        let args: Vec<&str> = [command].into_iter().chain(flags).collect();
        self.run(&[&args[..], more].concat(), input)
    }

    /// Runs the binary in the bed's directory.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, args: &[S], input: &str) -> Done {
        let mut command = Command::new(BINARY);
        command.args(args);
        self.done(command, input)
    }

    /// Runs it under a limit of the size of files, in blocks of 512 bytes.
    pub(crate) fn run_with_small_files(&self, blocks: u32, more: &[&str], input: &str) -> Done {
        let mut command = Command::new("/bin/sh");
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, BINARY, "session"]);
        command.args(self.run_flags()).args(more);
        self.done(command, input)
    }

    fn done(&self, mut command: Command, input: &str) -> Done {
        command
            .current_dir(&self.dir)
            .env_remove("CF_HARNESS_LOOM_RETRIEVAL_CONFIG")
            .env_remove("CF_HARNESS_LOOM_COMMANDS_CONFIG")
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let input = input.to_owned();
        // It may end without reading.
        let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        Done(output)
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// What a program did.
pub(crate) struct Done(Output);

impl Done {
    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    pub(crate) fn all(&self) -> String {
        format!("{}\n{}\n{}", self.0.status, self.out(), self.err())
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.0.status.code(), Some(code), "{}", self.all());
        self
    }

    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.all().contains(text),
            "{text:?} is not in {}",
            self.all()
        );
        self
    }
}

/// A turn of one call, as a line of a session.
pub(crate) fn turn(id: &str, tool: &str, input: Value) -> String {
    let call = json!({ "id": id, "tool": tool, "input": input });
    format!("{}\n", json!({ "calls": [call] }))
}

/// A search.
pub(crate) fn search(id: &str) -> String {
    turn(id, "loom_search", json!({ "query": "tea" }))
}

/// A write, with a text for its arguments.
pub(crate) fn write_note(id: &str, text: &str) -> String {
    let input = json!({ "command": "note.add", "args": { "text": text } });
    turn(id, "run_command", input)
}
