//! `loom-tools component`: the built-in component, or its WIT, for other runtimes.

use std::io::IsTerminal;

use super::args::ComponentCommand;
use super::error::Failure;
use super::output;
use crate::component::EMBEDDED;

const WIT: &str = include_str!("../../../wit/world.wit");

pub(super) fn run(command: &ComponentCommand) -> Result<(), Failure> {
    let bytes = if command.wit {
        WIT.as_bytes()
    } else {
        EMBEDDED
    };
    match &command.output {
        Some(path) => std::fs::write(path, bytes).map_err(|error| {
            Failure::Other(anyhow::anyhow!(
                "--output: {} cannot be written: {error}",
                path.display()
            ))
        }),
        None if !command.wit && std::io::stdout().is_terminal() => Err(Failure::usage(
            "the component is binary; give `--output FILE`, or send standard output somewhere else",
        )),
        None => Ok(output::bytes(bytes)?),
    }
}
