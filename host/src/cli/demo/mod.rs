//! `loom-tools demo`: one agent's session against the sample Loom, printed so that a person sees what
//! was asked, what process ran, what the model would see, and why. It drives the library as any
//! embedder does. It decides what is undone and when: whatever happens, the broker ends and the
//! directory goes.

mod agent;
mod facts;
mod json;
mod page;
mod recorder;
mod result;
mod session;
mod shorten;
mod stage;
#[cfg(test)]
mod tests;
mod text;

use std::io::IsTerminal;

use anyhow::Context;

use super::Environment;
use super::args::DemoCommand;
use super::error::Failure;
use super::stop::Stop;
use page::Page;
use session::Session;

pub(super) fn run(command: &DemoCommand, environment: Environment) -> Result<(), Failure> {
    let color = std::io::stdout().is_terminal() && !environment.surroundings.no_color;
    let stop = Stop::listen().context("signals cannot be listened for")?;
    let _undone = Undone(&stop);
    let mut page = Page::new(color, command.full);
    Session::open(&mut page, environment, &stop)?.play(&mut page)
}

/// Undoes what the demo left, also when it fails half way.
struct Undone<'s>(&'s Stop);

impl Drop for Undone<'_> {
    fn drop(&mut self) {
        self.0.clean();
    }
}
