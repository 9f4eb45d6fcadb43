//! `loom-tools tools`: the tools a run would have.

use std::io::IsTerminal;

use anyhow::Context;
use serde::Serialize;
use serde_json::value::RawValue;

use super::Environment;
use super::args::{StateArgs, ToolsCommand};
use super::driven::Driven;
use super::error::Failure;
use super::json::raw;
use super::open::configurations;
use super::output;
use crate::run::{Descriptor, Effect};

#[derive(Serialize)]
struct Tools {
    tools: Vec<Tool>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool {
    id: String,
    title: String,
    description: String,
    effect_class: &'static str,
    input_schema: Box<RawValue>,
    tags: Vec<String>,
}

pub(super) fn run(command: &ToolsCommand, environment: Environment) -> Result<(), Failure> {
    let (retrieval, commands) = configurations(&command.run, &environment);
    let configured = retrieval.is_some() || commands.is_some();
    let mut driven = Driven::open(&command.run, &StateArgs { state: None }, environment)?;
    let tools = driven.run.tools()?;
    let text = if std::io::stdout().is_terminal() {
        table(&tools, configured)
    } else {
        let tools = tools.into_iter().map(tool).collect::<Result<_, _>>();
        let tools = tools.context("a tool's schema is not JSON")?;
        serde_json::to_string(&Tools { tools })?
    };
    Ok(output::line(&text)?)
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Read => "read",
        Effect::Write => "write",
    }
}

fn tool(tool: Descriptor) -> serde_json::Result<Tool> {
    Ok(Tool {
        effect_class: effect(tool.effect),
        input_schema: raw(tool.input_schema)?,
        id: tool.id,
        title: tool.title,
        description: tool.description,
        tags: tool.tags,
    })
}

/// A line for each tool: its name, its effect, its title. Without a configuration, what to give.
fn table(tools: &[Descriptor], configured: bool) -> String {
    let width = tools
        .iter()
        .map(|tool| tool.id.len())
        .max()
        .unwrap_or(0)
        .max("TOOL".len());
    let mut lines = vec![format!("{:width$}  EFFECT  TITLE", "TOOL")];
    for tool in tools {
        lines.push(format!(
            "{:width$}  {:6}  {}",
            tool.id,
            effect(tool.effect),
            tool.title
        ));
    }
    if !configured {
        lines.push(
            "\nNo Loom is configured: give --loom-retrieval-config or --loom-commands-config."
                .to_owned(),
        );
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::table;
    use crate::run::{Descriptor, Effect};

    #[test]
    fn that_no_loom_is_configured_is_said_when_none_is_and_not_when_one_tool_is_allowed() {
        let tool = Descriptor {
            id: "describe_handle".to_owned(),
            title: "Describe a handle".to_owned(),
            description: String::new(),
            effect: Effect::Read,
            input_schema: "{}".to_owned(),
            tags: Vec::new(),
        };
        let row = "TOOL             EFFECT  TITLE\ndescribe_handle  read    Describe a handle";
        assert_eq!(table(std::slice::from_ref(&tool), true), row);
        let advised = table(&[tool], false);
        assert_eq!(
            advised.strip_prefix(row).unwrap(),
            "\n\nNo Loom is configured: give --loom-retrieval-config or --loom-commands-config."
        );
    }
}
