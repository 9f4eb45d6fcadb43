//! `loom-tools replay`: whether a component does again what was recorded.

use anyhow::anyhow;

use super::args::ReplayCommand;
use super::error::Failure;
use super::open::{absolute, component};
use super::output;
use crate::ambient_authority;
use crate::limits::Limits;
use crate::plain::plain;
use crate::replay::{Verdict, agrees, replay};

pub(super) fn run(command: &ReplayCommand) -> Result<(), Failure> {
    let authority = ambient_authority();
    let limits = Limits::default();
    let recording = absolute(&command.recording)?;
    let component = component(
        command.component.as_deref(),
        command.component_sha256.as_ref(),
        &limits,
        None,
    )?;
    let replayed = replay(&component, &recording, &limits, authority)?;
    let digest = component.digest().to_string();
    if replayed.recorded_component != digest {
        output::line(&format!(
            "the component is another one:\n  recorded: {}\n  replayed: {digest}",
            plain(&replayed.recorded_component)
        ))?;
    }
    let count = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let compared = format!(
        "{} and {}",
        count(replayed.turns, "turn"),
        count(replayed.requests, "answered request")
    );
    match replayed.verdict {
        Verdict::Identical => output::line(&format!("identical: {compared}"))?,
        Verdict::EndedByHost(told) => output::line(&format!(
            "identical: {compared}, up to where the recorded run's host ended it ({})",
            plain(&told)
        ))?,
        Verdict::Differs(difference) => {
            output::line(&format!("different: {difference}"))?;
            return Err(anyhow!("the component does not do what was recorded").into());
        }
    }
    let Some(redacted) = &command.redacted else {
        return Ok(());
    };
    match agrees(&recording, &absolute(redacted)?, authority)? {
        None => Ok(output::line(
            "the redacted recording is one of this run, to the digest",
        )?),
        Some(line) => {
            Err(anyhow!("line {line} of the redacted recording is not that of this run").into())
        }
    }
}
