//! The eight retrieval tools (loom-retrieval; contract, sections 2, 3 and 5): what each asks for,
//! how its answer is read, and the bounded result.

mod answer;
mod input;
mod result;

#[cfg(test)]
mod tests;

pub(crate) use answer::{Payload, failure, read, wanted};
pub(crate) use result::result;

use crate::bindings::loom::tools::process::Operation;
use crate::input::Refusal;

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

/// What one tool asks for, and how its answer is read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) kind: &'static str,
    /// Reads the tool's input.
    pub(crate) operation: fn(&str) -> Result<Operation, Refusal>,
    pub(crate) rows: Rows,
    /// The payload's summary fields, in the order shown.
    pub(crate) envelope: &'static [&'static str],
}

pub(crate) const SEARCH: Shape = Shape {
    kind: "search",
    operation: input::search,
    rows: Rows::Member("hits"),
    envelope: &["query", "source_status", "warnings", "truncated"],
};
pub(crate) const PAGE_DISCOVER: Shape = Shape {
    kind: "page.discover",
    operation: input::page_discover,
    rows: Rows::Member("pages"),
    envelope: &["totalPages", "omittedViews"],
};
pub(crate) const PAGE_INSPECT: Shape = row("page.inspect", input::page_inspect);
pub(crate) const PAGE_READ: Shape = row("page.read", input::page_read);
pub(crate) const PEOPLE: Shape = row("people", input::people);
pub(crate) const CALENDAR_LIST: Shape = Shape {
    kind: "calendar.list",
    operation: input::calendar_list,
    rows: Rows::List,
    envelope: &[],
};
pub(crate) const CONTEXT: Shape = row("context", input::context);
pub(crate) const PROFILE: Shape = row("profile", input::profile);

/// An answer that is its only row.
const fn row(kind: &'static str, operation: fn(&str) -> Result<Operation, Refusal>) -> Shape {
    Shape {
        kind,
        operation,
        rows: Rows::Itself,
        envelope: &[],
    }
}

/// Whether the CLI resolves a person for it: exit 1 then means nobody and 3 more than one.
fn resolves_a_person(operation: &Operation) -> bool {
    match operation {
        Operation::People(_) => true,
        Operation::Search(search) => search.person.is_some(),
        _ => false,
    }
}
