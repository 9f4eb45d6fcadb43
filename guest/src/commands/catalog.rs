//! The run's catalog: the host's manifest, read row by row (contract, section 7). What cannot be
//! read and what is past the limit is counted, and so is what is hidden.

use std::collections::BTreeMap;

use super::hidden::is_hidden;
use super::row::{self, Row};
use super::schema::input_schema;
use crate::json::scan::{Raw, outline};
use crate::json::{Value, cut, parse_within, unmarked};
use crate::rules::{MAX_IDENTIFIER, is_command_id};
use crate::signature::{Declaration, render};

/// The most commands a catalog keeps.
const MAX_COMMANDS: usize = 256;
/// The most values that a row's `inputs` may hold and be read: a guard of the memory, far above the
/// 16 KiB that a schema is shown of.
const MAX_INPUT_VALUES: usize = 1 << 18;
const MAX_TITLE: usize = 500;
const MAX_DESCRIPTION: usize = 8_000;
const MAX_OUTPUTS: usize = 32;

/// The effect a command's host declares for it; anything else it writes is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Declared {
    Read,
    Change,
}

impl Declared {
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

/// Why there is no listing to work from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlisted {
    Cancelled,
    /// The listing is JSON of another shape.
    Malformed,
    Failed,
}

impl Unlisted {
    /// Its code, and the sentence for the model.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Cancelled => (
                "cancelled",
                "The turn was cancelled before the listing was read. Nothing was sent.",
            ),
            Self::Malformed => (
                "malformed_payload",
                "The host's listing does not have the shape of one. Nothing was sent.",
            ),
            Self::Failed => (
                "command_failed",
                "The host's listing could not be read. Nothing was sent.",
            ),
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
    pub(crate) effect: Option<Declared>,
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
    pub(crate) fn read(exit_code: i32, stdout: &[u8]) -> Result<Self, Unlisted> {
        let outline = outline(unmarked(stdout), &["commands"]).map_err(|_| Unlisted::Failed)?;
        if exit_code != 0 {
            return Err(Unlisted::Failed);
        }
        let rows = outline.member("commands").filter(|rows| rows.raw.is_list());
        let mut catalog = Self::default();
        for row in rows.ok_or(Unlisted::Malformed)?.raw.elements() {
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
        let Some(row) = Row::of(row) else {
            return self.omitted += 1;
        };
        let Some(id) = row.text("id").filter(|id| is_command_id(id)) else {
            return self.omitted += 1;
        };
        if is_hidden(&row) {
            self.hidden += 1;
        } else if self.by_id.contains_key(&id) || self.commands.len() == MAX_COMMANDS {
            self.omitted += 1;
        } else {
            self.by_id.insert(id.clone(), self.commands.len());
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

fn command(id: String, row: &Row<'_>) -> Command {
    // Inputs of more values than that are as good as none that can be read.
    let inputs = row
        .get("inputs")
        .and_then(|inputs| parse_within(inputs, MAX_INPUT_VALUES));
    let effect = row.text("effect").and_then(|name| Declared::named(&name));
    let outputs: Vec<String> = row
        .elements("outputs")
        .filter_map(row::text)
        .take(MAX_OUTPUTS)
        .map(|name| shortened(name, MAX_IDENTIFIER))
        .collect();
    let target = text(row, "scope", MAX_IDENTIFIER).unwrap_or_else(|| "global".to_owned());
    let signature = render(&Declaration {
        id: &id,
        inputs: inputs.as_ref().unwrap_or(&Value::Bool(true)),
        outputs: &outputs,
        effect: effect.map(Declared::name),
        target: &target,
    });
    Command {
        signature,
        title: text(row, "title", MAX_TITLE),
        description: text(row, "help", MAX_DESCRIPTION),
        effect,
        read_only_granted: row.is("readOnlyGranted", "true"),
        input_schema: input_schema(inputs.as_ref()),
        id,
    }
}

/// A text of the row's, cut; empty text is left out.
fn text(row: &Row<'_>, name: &str, most: usize) -> Option<String> {
    let text = row.text(name).filter(|text| !text.is_empty())?;
    Some(shortened(text, most))
}

fn shortened(text: String, most: usize) -> String {
    match cut(&text, most) {
        Some(kept) => kept.to_owned(),
        None => text,
    }
}
