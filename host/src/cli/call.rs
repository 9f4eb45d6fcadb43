//! `loom-tools call`: one call, and what the model would be shown.

use std::io::Read;

use anyhow::Context;
use serde::Serialize;

use super::Environment;
use super::args::CallCommand;
use super::driven::Driven;
use super::error::Failure;
use super::json::ReplyJson;
use super::open::{text_or_file, unknown_tool};
use super::output;
use crate::run::Call;
use crate::tools::tool_names;

/// The largest input read from a file or from standard input, in bytes; a session's line is as long at most.
const MAX_INPUT: u64 = 8 << 20;

#[derive(Serialize)]
struct Replied {
    reply: ReplyJson,
}

pub(super) fn run(command: &CallCommand, environment: Environment) -> Result<(), Failure> {
    if !tool_names().any(|name| name == command.tool) {
        return Err(unknown_tool("TOOL", &command.tool));
    }
    let input = input(command.input.as_deref())?;
    let mut driven = Driven::open(&command.run, &command.state, environment)?;
    let call = Call {
        id: "1".to_owned(),
        tool: command.tool.clone(),
        input,
        input_label: None,
    };
    driven.turn(vec![call], |_, replies| {
        let reply = replies
            .into_iter()
            .next()
            .context("the component gave no reply")?;
        let text = if command.artifact {
            let reply = ReplyJson::of(reply).context("the component's reply is not JSON")?;
            serde_json::to_string(&Replied { reply })?
        } else {
            reply.shown
        };
        Ok(output::line(&text)?)
    })
}

fn input(flag: Option<&str>) -> Result<String, Failure> {
    flag.map_or_else(
        || Ok(String::new()),
        |flag| text_file_or_input("--input", flag),
    )
}

/// The value of an argument that takes JSON, `@FILE`, or `-` for standard input.
pub(super) fn text_file_or_input(name: &str, value: &str) -> Result<String, Failure> {
    if value != "-" {
        return text_or_file(name, value, MAX_INPUT);
    }
    let mut text = String::new();
    let read = std::io::stdin()
        .lock()
        .take(MAX_INPUT + 1)
        .read_to_string(&mut text);
    read.map_err(|error| Failure::usage(format!("{name} -: {error}")))?;
    if text.len() as u64 > MAX_INPUT {
        return Err(Failure::usage(format!(
            "{name} -: the input is larger than 8 MiB"
        )));
    }
    Ok(text)
}
