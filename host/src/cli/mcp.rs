//! `loom-tools mcp`: the MCP server over this process's standard input and output. It ends with its
//! input, with a signal, and with its parent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use rustix::process::{Pid, getppid};

use super::Environment;
use super::args::McpCommand;
use super::driven::Driven;
use super::error::Failure;
use crate::mcp::{Listener, Stop, serve};

/// How often the parent is looked at. A client that dies closes the server's input with it, unless
/// another process holds the other end too; servers left over so pile up.
const PARENT: Duration = Duration::from_secs(1);

pub(super) fn run(command: &McpCommand, environment: Environment) -> Result<(), Failure> {
    let parent = getppid();
    let listener = Listener::default();
    let driven = Driven::open_heard(&command.run, &command.state, environment, |journal| {
        listener.journal(journal)
    })?;
    let (run, state, signals) = driven.into_parts();
    let stop = Stop::default();
    let signalled = Arc::new(AtomicBool::new(false));
    signals.ends({
        let (stop, signalled) = (stop.clone(), Arc::clone(&signalled));
        move || {
            signalled.store(true, Ordering::SeqCst);
            stop.stop();
        }
    });
    watch_parent(parent, stop.clone()).context("the parent cannot be watched")?;
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    signals.finishing(|| serve(run, listener, state, &stop, input, output))?;
    while signalled.load(Ordering::SeqCst) {
        // The thread that heard the signal exits, with a code that tells which it was.
        thread::park();
    }
    Ok(())
}

/// Ends the server when the process that started it is gone.
fn watch_parent(parent: Option<Pid>, stop: Stop) -> std::io::Result<()> {
    thread::Builder::new()
        .name("loom-tools-parent".into())
        .spawn(move || {
            while getppid() == parent {
                thread::sleep(PARENT);
            }
            stop.stop();
        })?;
    Ok(())
}
