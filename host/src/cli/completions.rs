//! `loom-tools completions`: the script that completes the command line in a shell.

use clap::CommandFactory;

use super::args::{Cli, CompletionsCommand};
use super::error::Failure;
use super::output;

pub(super) fn run(command: &CompletionsCommand) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(
        command.shell,
        &mut Cli::command(),
        "loom-tools",
        &mut script,
    );
    Ok(output::bytes(&script)?)
}
