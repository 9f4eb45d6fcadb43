//! `loom-tools mcp`: the MCP server over this process's standard input and output. It ends with its
//! input, with a signal, and with its parent.

use std::thread;
use std::time::Duration;

use anyhow::Context;
use rustix::process::{Pid, getppid};

use super::Environment;
use super::args::McpCommand;
use super::driven::Driven;
use super::error::Failure;
use crate::mcp::{Listener, Shutdown, serve};

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
    let shutdown = Shutdown::default();
    signals.ends({
        let shutdown = shutdown.clone();
        move || shutdown.begin()
    });
    watch_parent(parent, shutdown.clone()).context("the parent cannot be watched")?;
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    // After a signal this does not return: the thread that heard it exits, with a code that tells
    // which it was.
    Ok(signals.finishing(|| serve(run, listener, state, &shutdown, input, output))?)
}

/// Ends the server when the process that started it is gone.
fn watch_parent(parent: Option<Pid>, shutdown: Shutdown) -> std::io::Result<()> {
    thread::Builder::new()
        .name("loom-tools-parent".into())
        .spawn(move || {
            while getppid() == parent {
                thread::sleep(PARENT);
            }
            shutdown.begin();
        })?;
    Ok(())
}
