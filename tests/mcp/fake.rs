//! The operator's CLI as a shell script in a directory of its own, where it leaves what the tests
//! look for: `started.NAME` with the ids of its processes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

/// Longer than anything takes that does not hang.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

const SCRIPT: &str = r#"#!/bin/sh
dir=${0%/*}
rows() { printf '{"hits":[%s]}' "$1"; }
# Waits in a child of its own, so that killing the script alone would leave it behind.
hang() {
    sleep 600 &
    printf '%s %s' $$ $! > "$dir/.$1" && mv "$dir/.$1" "$dir/started.$1"
    wait
}
# Answers once $1 processes are here together.
meet() {
    : > "$dir/here.$$"
    tries=0
    while [ "$(ls "$dir" | grep -c '^here\.')" -lt "$1" ]; do
        tries=$((tries + 1))
        [ "$tries" -gt 400 ] && exit 1
        sleep 0.05
    done
}
case "$1 $2" in
    'search hang-'*) hang "$2"; exit 1 ;;
    'search meet') meet 5; rows '{"met":true}' ;;
    'search numbers') rows '{"big":12345678901234567890123,"price":1.50,"huge":1e400,"z":1,"a":-0}' ;;
    'search emoji-'*) rows "{\"query\":\"$2\"}" ;;
    'search big') i=0; printf '{"hits":['; while [ $i -lt 40 ]; do
        [ $i -gt 0 ] && printf ,; printf '{"n":%s,"text":"%01000d"}' $i 0; i=$((i + 1)); done; printf ']}' ;;
    'search fail') exit 7 ;;
    search*) rows "{\"query\":\"$2\"}" ;;
    'command list') cat "$dir/commands.json" ;;
    'command run')
        args=$(cat)
        case "$3" in
            diag.echo) printf '{"ok":true,"id":"diag.echo","args":%s}' "$args" ;;
            diag.hang) hang "$(printf %s "$args" | tr -dc 0-9a-z-)" ;;
            diag.slow) sleep 1; printf '{"ok":true}' ;;
            diag.lost) kill -9 $$ ;;
            *) printf '{"ok":false,"code":"refused"}' ;;
        esac ;;
    *) exit 2 ;;
esac
"#;

/// A directory with the CLI, its configurations and its traces. Gone with the value.
pub(crate) struct Fake {
    dir: PathBuf,
}

impl Fake {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("loom-tools-mcp-{}-{number}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        fs::create_dir_all(dir.join("queue")).unwrap();
        let cli = dir.join("loom");
        fs::write(&cli, SCRIPT).unwrap();
        fs::set_permissions(&cli, fs::Permissions::from_mode(0o755)).unwrap();
        let transport = json!({ "kind": "broker", "queuePath": dir.join("queue") });
        let config = json!({ "cliPath": cli, "transport": transport }).to_string();
        fs::write(dir.join("config.json"), config).unwrap();
        let command = |id: &str| json!({ "id": id, "effect": "read", "readOnlyGranted": true });
        let ids = [
            "diag.echo",
            "diag.hang",
            "diag.slow",
            "diag.lost",
            "diag.no",
        ];
        let list = json!({ "commands": ids.map(command) }).to_string();
        fs::write(dir.join("commands.json"), list).unwrap();
        Self { dir }
    }

    /// Both configurations, as flags.
    pub(crate) fn flags(&self) -> Vec<String> {
        let config = self.path("config.json").display().to_string();
        let flags = ["--loom-retrieval-config", "--loom-commands-config"];
        flags
            .iter()
            .flat_map(|flag| [flag.to_string(), config.clone()])
            .collect()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The ids of the processes that `hang-NAME` left, once it has started.
    pub(crate) fn started(&self, name: &str) -> Vec<u32> {
        let path = self.path(&format!("started.{name}"));
        let ids = eventually(&format!("{name} starts"), || fs::read_to_string(&path).ok());
        ids.split(' ').map(|id| id.parse().unwrap()).collect()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Waits for something to be there.
pub(crate) fn eventually<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < PATIENCE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process runs; one that is dead and not yet reaped does not.
pub(crate) fn runs(id: u32) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat"));
    let state = |stat: String| Some(stat.rsplit_once(") ")?.1.chars().next()? != 'Z');
    stat.ok().and_then(state).unwrap_or(false)
}

/// Waits until none of the processes runs.
pub(crate) fn gone(ids: &[u32]) {
    eventually("the processes are gone", || {
        ids.iter().all(|id| !runs(*id)).then_some(())
    });
}
