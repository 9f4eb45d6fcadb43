//! Where an invocation is answered: the queue its routing variable names, or this process.

use std::path::PathBuf;

use crate::environment::{DISPATCH_ID, Environment, INSTANCE_DIR, PAGE_QUEUE, SEARCH_QUEUE};
use crate::operation::{Operation, Usage};

/// The way of one invocation to its answer.
pub(super) enum Route {
    /// Through the broker of this queue.
    Queue(PathBuf),
    /// In this process, over the same data: a direct transport.
    Direct,
}

impl Route {
    /// Search has a queue variable of its own. Commands need a broker, which alone can
    /// decide what a run may run.
    pub(super) fn of(operation: &Operation, env: &Environment) -> Result<Self, Usage> {
        let variable = match operation {
            Operation::Search(_) => SEARCH_QUEUE,
            _ => PAGE_QUEUE,
        };
        if let Some(dir) = env.path(variable) {
            return Ok(Self::Queue(dir));
        }
        let command = matches!(operation, Operation::CommandList | Operation::CommandRun(_));
        match (env.path(INSTANCE_DIR), env.text(DISPATCH_ID)) {
            (Some(dir), Some(_)) if !command => match dir.is_dir() {
                true => Ok(Self::Direct),
                false => Err(Usage::new(format!("no instance at {}", dir.display()))),
            },
            _ => Err(Usage::new(format!("{variable} is not set"))),
        }
    }
}
