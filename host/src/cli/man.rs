//! `loom-tools man`: the manual page of the program, or of one of its commands.

use clap::CommandFactory;
use clap_mangen::Man;

use super::args::{Cli, ManCommand};
use super::error::Failure;
use super::output;

pub(super) fn run(command: &ManCommand) -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let page = match &command.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                let names: Vec<&str> = program.get_subcommands().map(|c| c.get_name()).collect();
                Failure::usage(format!(
                    "COMMAND: there is no command `{}`; give one of {}, or none for the program",
                    name.escape_debug(),
                    names.join(", ")
                ))
            })?
        }
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    Ok(output::bytes(&text)?)
}
