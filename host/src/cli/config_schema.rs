//! `loom-tools config-schema`: the JSON Schema of a configuration file. A test keeps it to what the
//! parser takes.

use super::args::{ConfigSchemaCommand, Configuration};
use super::error::Failure;
use super::output;
use crate::config::{COMMANDS_SCHEMA, RETRIEVAL_SCHEMA};

pub(super) fn run(command: &ConfigSchemaCommand) -> Result<(), Failure> {
    let schema = match command.configuration {
        Configuration::Retrieval => RETRIEVAL_SCHEMA,
        Configuration::Commands => COMMANDS_SCHEMA,
    };
    Ok(output::line(schema.trim_end())?)
}
