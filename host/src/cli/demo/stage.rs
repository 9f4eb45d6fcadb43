//! The sample Loom that the demo runs against: a private directory with a random name, a `loom` in it
//! that is this program, and a broker. The broker is a child that ends when its standard input closes:
//! a demo that is killed takes it along. The directory then stays, as nobody is left to remove it.

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use super::super::stop::Stop;
use crate::ambient_authority;
use crate::config::{Commands, Retrieval, Transport};
use crate::loom::Loom;
use crate::store::DirStore;

/// What the broker serves.
const FACETS: [&str; 2] = ["work", "home"];
/// How long the broker may take to serve, and to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where everything of the demo lies.
pub(super) struct Stage {
    pub(super) dir: PathBuf,
    pub(super) program: PathBuf,
    pub(super) retrieval: Retrieval,
    pub(super) commands: Commands,
}

impl Stage {
    /// Makes the directory and starts the broker. `stop` undoes both.
    pub(super) fn set(under: &Path, program: PathBuf, stop: &Stop) -> anyhow::Result<Self> {
        let dir = under.join(format!("loom-tools-demo-{:016x}", random()?));
        let cli = dir.join("loom");
        let queue = dir.join("queue");
        let record = dir.join("read-ceiling.json");
        // A signal waits for this, so that there is nothing it does not know of.
        stop.finishing(|| {
            DirBuilder::new()
                .mode(0o700)
                .create(&dir)
                .with_context(|| format!("the directory {} cannot be made", dir.display()))?;
            let broker = Arc::new(Mutex::new(None));
            stop.cleans(undo(dir.clone(), Arc::clone(&broker)));
            write_cli(&cli, &program).context("the sample `loom` cannot be written")?;
            let child = start_broker(&program, &queue, &record)
                .context("the sample broker cannot be started")?;
            *broker.lock().unwrap_or_else(PoisonError::into_inner) = Some(child);
            until_ready(&queue.join("ready.json"), &broker)
        })?;
        let transport = Transport::Broker {
            queue: queue.clone(),
        };
        Ok(Self {
            dir,
            program,
            retrieval: Retrieval {
                cli: cli.clone(),
                transport,
                read_ceiling_file: Some(record),
                facets: Some(FACETS.map(str::to_owned).to_vec()),
            },
            commands: Commands {
                cli,
                queue,
                job_id_variable: None,
            },
        })
    }

    /// The store for the result, in the demo's own directory.
    pub(super) fn documents(&self) -> io::Result<DirStore> {
        DirStore::open(&self.dir.join("documents"), ambient_authority())
    }

    /// What a run is bound to.
    pub(super) fn loom(&self, search_path: Option<OsString>) -> Loom {
        Loom {
            retrieval: Some(self.retrieval.clone()),
            commands: Some(self.commands.clone()),
            search_path,
            ..Loom::default()
        }
    }
}

/// What undoes the stage: the broker first, since it writes into the directory.
fn undo(dir: PathBuf, broker: Arc<Mutex<Option<Child>>>) -> impl FnOnce() + Send + 'static {
    move || {
        let child = broker.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(child) = child {
            end(child);
        }
        if let Err(error) = remove(&dir) {
            tracing::warn!("{} is left behind: {error}", dir.display());
        }
    }
}

/// Removes the directory, also while the demo, which a signal does not stop at once, still puts
/// something into it.
fn remove(dir: &Path) -> io::Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        match fs::remove_dir_all(dir) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            Err(_) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            removed => return removed,
        }
    }
}

/// Lets the broker end, and kills one that does not.
fn end(mut child: Child) {
    drop(child.stdin.take());
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match child.try_wait() {
            Ok(None) => thread::sleep(Duration::from_millis(2)),
            // It is gone, or it cannot be asked: killing does no harm.
            _ => break,
        }
    }
    // The only errors are that it is gone already.
    let _ = child.kill();
    let _ = child.wait();
}

/// A `loom` that takes the documented arguments.
fn write_cli(path: &Path, program: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o700)
        .open(path)?;
    file.write_all(b"#!/bin/sh\nexec '")?;
    file.write_all(&quoted(program.as_os_str()))?;
    file.write_all(b"' sample-loom \"$@\"\n")
}

/// What stands between single quotes of a shell.
fn quoted(text: &OsStr) -> Vec<u8> {
    let mut out = Vec::new();
    for &byte in text.as_bytes() {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            byte => out.push(byte),
        }
    }
    out
}

fn start_broker(program: &Path, queue: &Path, record: &Path) -> io::Result<Child> {
    Command::new(program)
        .args(["sample-loom", "broker", "--facets"])
        .arg(FACETS.join(","))
        .arg("--queue")
        .arg(queue)
        .arg("--read-ceiling")
        .arg(record)
        .arg("--until-stdin-closes")
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        // A terminal's interrupt is for the demo, which ends the broker in its turn.
        .process_group(0)
        .spawn()
}

fn until_ready(ready: &Path, broker: &Mutex<Option<Child>>) -> anyhow::Result<()> {
    let until = Instant::now() + PATIENCE;
    while !ready.exists() {
        let mut broker = broker.lock().unwrap_or_else(PoisonError::into_inner);
        let ended = broker.as_mut().map(Child::try_wait).transpose()?.flatten();
        if let Some(status) = ended {
            bail!("the sample broker ended at once: {status}");
        }
        if Instant::now() > until {
            return Err(anyhow!("the sample broker does not serve"));
        }
        drop(broker);
        thread::sleep(Duration::from_millis(2));
    }
    Ok(())
}

fn random() -> anyhow::Result<u64> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .context("no random name is to be had")?;
    Ok(u64::from_ne_bytes(bytes))
}
