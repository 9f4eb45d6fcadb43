//! The eight retrieval tools (loom-retrieval; contract, sections 2, 3 and 5): what each asks for,
//! how its answer is read, and the bounded result.

mod answer;
mod input;
mod result;

#[cfg(test)]
mod tests;

pub(crate) use answer::{Code, Payload, failure, read, wanted};
pub(crate) use input::operation;
pub(crate) use result::{Retrieved, result};

use crate::bindings::loom::tools::process::Operation;
use crate::tools::Tool;

/// Where a payload holds its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rows {
    /// In the list of that name.
    Member(&'static str),
    /// The payload is the list.
    List,
    /// The payload is the only row.
    Itself,
}

/// How the answer of one tool is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: &'static str,
    pub(crate) rows: Rows,
    /// The payload's summary fields, in the order shown.
    pub(crate) envelope: &'static [&'static str],
}

/// The shape of a retrieval tool's answer; none for another tool.
pub(crate) fn shape(tool: Tool) -> Option<Shape> {
    let (kind, rows, envelope): (_, _, &[&str]) = match tool {
        Tool::Search => (
            "search",
            Rows::Member("hits"),
            &["query", "source_status", "warnings", "truncated"],
        ),
        Tool::PageDiscover => (
            "page.discover",
            Rows::Member("pages"),
            &["totalPages", "omittedViews"],
        ),
        Tool::PageInspect => ("page.inspect", Rows::Itself, &[]),
        Tool::PageRead => ("page.read", Rows::Itself, &[]),
        Tool::People => ("people", Rows::Itself, &[]),
        Tool::CalendarList => ("calendar.list", Rows::List, &[]),
        Tool::Context => ("context", Rows::Itself, &[]),
        Tool::Profile => ("profile", Rows::Itself, &[]),
        _ => return None,
    };
    Some(Shape {
        kind,
        rows,
        envelope,
    })
}

/// Whether the CLI resolves a person for it: exit 1 then means nobody and 3 more than one.
fn resolves_a_person(operation: &Operation) -> bool {
    match operation {
        Operation::People(_) => true,
        Operation::Search(search) => search.person.is_some(),
        _ => false,
    }
}
