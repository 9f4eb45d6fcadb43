//! `loom-tools demo`.
use super::Environment;
use super::args::DemoCommand;
use super::error::Failure;

pub(super) fn run(_command: &DemoCommand, _environment: Environment) -> Result<(), Failure> {
    Ok(())
}
