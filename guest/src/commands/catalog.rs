//! The run's catalog: the host's manifest, read row by row (contract, section 7). What cannot be
//! read and what is past the limit is counted, and so is what is hidden.

use std::collections::BTreeMap;

use super::hidden::is_hidden;
use super::schema::input_schema;
use crate::json::scan::{Raw, outline};
use crate::json::{Object, Value, cut, parse_within, unmarked};
use crate::retrieval::Code;
use crate::rules::{MAX_IDENTIFIER, is_command_id};
use crate::signature::{Declaration, render};

/// The most commands a catalog keeps.
const MAX_COMMANDS: usize = 256;
/// The most values a manifest row may hold and be read: a guard of the memory, far above the
/// 16 KiB that a schema is shown of.
const MAX_ROW_VALUES: usize = 1 << 18;
const MAX_TITLE: usize = 500;
const MAX_DESCRIPTION: usize = 8_000;
const MAX_OUTPUTS: usize = 32;

/// The effect a command's host declares for it; anything else it writes is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    Read,
    Change,
}

impl Effect {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "read" => Some(Self::Read),
            "change" => Some(Self::Change),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Change => "change",
        }
    }
}

/// One command the catalog shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub(crate) id: String,
    pub(crate) signature: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) effect: Option<Effect>,
    /// The broker's stamp, literally `true`.
    pub(crate) read_only_granted: bool,
    /// The schema of its arguments, as JSON.
    pub(crate) input_schema: String,
}

/// What the host lets this run run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Catalog {
    commands: Vec<Command>,
    by_id: BTreeMap<String, usize>,
    /// Rows whose own declarations say an agent may not run them.
    pub(crate) hidden: usize,
    /// Rows that could not be read or fell past the limit.
    pub(crate) omitted: usize,
}

impl Catalog {
    /// Reads the answer of `command list`.
    pub(crate) fn read(exit_code: i32, stdout: &[u8]) -> Result<Self, Code> {
        let outline = outline(unmarked(stdout), &["commands"]).map_err(|_| Code::CommandFailed)?;
        if exit_code != 0 {
            return Err(Code::CommandFailed);
        }
        let rows = outline.member("commands").filter(|rows| rows.raw.is_list());
        let mut catalog = Self::default();
        for row in rows.ok_or(Code::MalformedPayload)?.raw.elements() {
            catalog.add(row);
        }
        Ok(catalog)
    }

    /// Takes up commands that were read before.
    pub(crate) fn of(commands: Vec<Command>, hidden: usize, omitted: usize) -> Self {
        let by_id = commands
            .iter()
            .enumerate()
            .map(|(at, c)| (c.id.clone(), at))
            .collect();
        Self {
            commands,
            by_id,
            hidden,
            omitted,
        }
    }

    fn add(&mut self, row: Raw<'_>) {
        let row = match parse_within(row, MAX_ROW_VALUES) {
            Some(Value::Object(row)) => row,
            _ => return self.omitted += 1,
        };
        let Some(id) = row
            .get("id")
            .and_then(Value::as_str)
            .filter(|id| is_command_id(id))
        else {
            return self.omitted += 1;
        };
        if is_hidden(&row) {
            self.hidden += 1;
        } else if self.by_id.contains_key(id) || self.commands.len() == MAX_COMMANDS {
            self.omitted += 1;
        } else {
            self.by_id.insert(id.to_owned(), self.commands.len());
            self.commands.push(command(id, &row));
        }
    }

    pub(crate) fn get(&self, id: &str) -> Option<&Command> {
        self.commands.get(*self.by_id.get(id)?)
    }

    pub(crate) fn commands(&self) -> &[Command] {
        &self.commands
    }
}

fn command(id: &str, row: &Object) -> Command {
    let inputs = row.get("inputs");
    let effect = row
        .get("effect")
        .and_then(Value::as_str)
        .and_then(Effect::named);
    let outputs = row
        .get("outputs")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let outputs: Vec<String> = outputs
        .iter()
        .filter_map(Value::as_str)
        .take(MAX_OUTPUTS)
        .map(|name| cut(name, MAX_IDENTIFIER).unwrap_or(name).to_owned())
        .collect();
    let target = text(row, "scope", MAX_IDENTIFIER).unwrap_or_else(|| "global".to_owned());
    let signature = render(&Declaration {
        id,
        inputs: inputs.unwrap_or(&Value::Bool(true)),
        outputs: &outputs,
        effect: effect.map(Effect::name),
        target: &target,
    });
    Command {
        id: id.to_owned(),
        signature,
        title: text(row, "title", MAX_TITLE),
        description: text(row, "help", MAX_DESCRIPTION),
        effect,
        read_only_granted: row.get("readOnlyGranted") == Some(&Value::Bool(true)),
        input_schema: input_schema(inputs),
    }
}

/// A text of the row's, cut; empty text is left out.
fn text(row: &Object, name: &str, most: usize) -> Option<String> {
    let text = row.get(name)?.as_str().filter(|text| !text.is_empty())?;
    Some(cut(text, most).unwrap_or(text).to_owned())
}
