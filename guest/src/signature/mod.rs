//! A command's signature: one line of at most 400 characters that says how it is called
//! (loom-commands, `list_commands`; contract, section 7).
//!
//! The line is made of whole parameters: the tail is rendered first, then parameters are added
//! while they fit before it, and the first that does not ends the list. Every name is looked at once
//! and no type is rendered further than a line, so the cost is linear in the schema whatever its shape.

mod alternatives;
mod bounded;
mod parameters;
mod quote;
mod types;

#[cfg(test)]
mod tests;

use crate::json::{Value, utf16_len};
use bounded::{Bounded, Full};
use parameters::parameters;

/// The most characters of a line.
const LINE: usize = 400;

/// What a manifest row says about how its command is called.
pub(crate) struct Declaration<'a> {
    /// The command's id.
    pub id: &'a str,
    /// The row's own `inputs`, `x-*` keywords still in it; `true` when it has none.
    pub inputs: &'a Value,
    /// The fields the command's answer declares.
    pub outputs: &'a [String],
    /// `read` or `change`, when the host declares it.
    pub effect: Option<&'a str>,
    /// The scope the host declares, or `global`.
    pub target: &'a str,
}

/// The line that says how the command is called.
pub(crate) fn render(declaration: &Declaration<'_>) -> String {
    let tail = Bounded::written(LINE, |out| tail(out, declaration));
    Bounded::written(LINE, |line| {
        quote::name(line, declaration.id)?;
        line.push('(')?;
        match parameters(declaration.inputs) {
            None => line.push_str("...")?,
            // A tail that was stopped leaves no room, for `…` neither: the line is cut as a whole.
            Some(parameters) => list(line, &parameters, LINE.saturating_sub(tail.units()))?,
        }
        line.push_str(tail.as_str())
    })
    .ended()
}

/// Adds the parameters that fit in `room`, the line's opening counted, and `…` for the rest.
fn list(
    line: &mut Bounded,
    parameters: &[parameters::Parameter<'_>],
    room: usize,
) -> Result<(), Full> {
    let mut separator = "";
    let mut left = parameters.len();
    for parameter in parameters {
        left -= 1;
        let rest = if left > 0 { utf16_len(", …") } else { 0 };
        let taken = line.units() + utf16_len(separator) + rest;
        line.push_str(separator)?;
        match parameter.render() {
            Ok(text) if taken + text.units() <= room => line.push_str(text.as_str())?,
            _ => return line.push('…'),
        }
        separator = ", ";
    }
    Ok(())
}

/// `) -> {a, b}  [effect, target]`.
fn tail(out: &mut Bounded, declaration: &Declaration<'_>) -> Result<(), Full> {
    out.push(')')?;
    let mut before = " -> {";
    for output in declaration.outputs {
        out.push_str(before)?;
        quote::name(out, output)?;
        before = ", ";
    }
    out.push_str(if declaration.outputs.is_empty() {
        ""
    } else {
        "}"
    })?;
    out.push_str("  [")?;
    if let Some(effect) = declaration.effect {
        quote::name(out, effect)?;
        out.push_str(", ")?;
    }
    quote::name(out, declaration.target)?;
    out.push(']')
}
