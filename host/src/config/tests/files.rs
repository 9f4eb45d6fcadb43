//! Which files are read at all.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use cap_std::ambient_authority;

use super::*;

const GOOD: &str = r#"{ "cliPath": "/l", "transport": { "kind": "broker", "queuePath": "/q" } }"#;

/// A directory that is removed again.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let name = format!("loom-config-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// What reading the file `name` comes to, its path left out of the refusal.
    fn read(&self, name: &str) -> Result<(), String> {
        let path = self.0.join(name);
        let retrieval = Retrieval::read(&path, ambient_authority()).map(|_| ());
        let commands = Commands::read(&path, ambient_authority()).map(|_| ());
        let told = |error: super::super::ConfigError| {
            error
                .to_string()
                .replace(&format!("{}: ", path.display()), "")
        };
        let (retrieval, commands) = (retrieval.map_err(told), commands.map_err(told));
        assert_eq!(retrieval, commands);
        retrieval
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn unreadable(why: &str) -> Result<(), String> {
    Err(format!(
        "this file cannot be read ({why}); name a readable, regular file of at most 1 MiB, not a \
         link that leads out of its directory."
    ))
}

#[test]
fn a_regular_file_is_read() {
    let scratch = Scratch::new("regular");
    fs::write(scratch.0.join("c.json"), GOOD).unwrap();
    assert_eq!(scratch.read("c.json"), Ok(()));
}

#[test]
fn a_file_of_one_mebibyte_is_read_and_one_byte_more_is_refused() {
    let scratch = Scratch::new("size");
    let padded = |size: usize| format!("{GOOD}{}", " ".repeat(size - GOOD.len()));
    fs::write(scratch.0.join("c.json"), padded(1 << 20)).unwrap();
    assert_eq!(scratch.read("c.json"), Ok(()));
    fs::write(scratch.0.join("c.json"), padded((1 << 20) + 1)).unwrap();
    assert_eq!(
        scratch.read("c.json"),
        unreadable("it is larger than 1 MiB")
    );
}

#[test]
fn a_missing_file_a_directory_and_a_named_pipe_are_refused_without_waiting() {
    let scratch = Scratch::new("kinds");
    let made = Command::new("mkfifo").arg(scratch.0.join("pipe")).status();
    assert!(made.unwrap().success());
    fs::create_dir(scratch.0.join("dir")).unwrap();
    assert_eq!(
        scratch.read("none"),
        unreadable("No such file or directory (os error 2)")
    );
    assert_eq!(
        scratch.read("none/none"),
        unreadable("No such file or directory (os error 2)")
    );
    assert_eq!(scratch.read("dir"), unreadable("it is not a regular file"));
    assert_eq!(scratch.read("pipe"), unreadable("it is not a regular file"));
}

#[test]
fn a_link_is_followed_inside_its_directory_and_nowhere_else() {
    let (scratch, other) = (Scratch::new("link"), Scratch::new("target"));
    fs::write(scratch.0.join("c.json"), GOOD).unwrap();
    fs::write(other.0.join("c.json"), GOOD).unwrap();
    symlink("c.json", scratch.0.join("inside")).unwrap();
    symlink(other.0.join("c.json"), scratch.0.join("outside")).unwrap();
    assert_eq!(scratch.read("inside"), Ok(()));
    let refusal = unreadable("a path led outside of the filesystem");
    assert_eq!(scratch.read("outside"), refusal);
}

#[test]
fn a_path_that_is_relative_or_names_no_file_is_refused() {
    let told = |path: &str| {
        Retrieval::read(Path::new(path), ambient_authority())
            .unwrap_err()
            .to_string()
    };
    for path in ["loom.json", "./loom.json", ""] {
        let problem = "the path of this file must be absolute; write it from `/` on.";
        assert_eq!(told(path), format!("{path}: {problem}"));
    }
    for path in ["/", "/etc/.."] {
        let problem = "this path names no file; give that of the configuration file.";
        assert_eq!(told(path), format!("{path}: {problem}"));
    }
}
