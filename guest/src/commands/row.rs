//! One manifest row, read member by member: a member that is large, or of another shape than it
//! should be, costs a scan and leaves the others as they are.

use crate::json::scan::{Outline, Raw};
use crate::json::{Value, parse_within};

/// Every member that is read, here and in `hidden`.
const MEMBERS: [&str; 14] = [
    "id",
    "title",
    "help",
    "effect",
    "scope",
    "inputs",
    "outputs",
    "readOnlyGranted",
    "origin",
    "developer",
    "actors",
    "origins_refused",
    "origins_required",
    "grant",
];

/// A row that is an object.
pub(super) struct Row<'a>(Outline<'a>);

impl<'a> Row<'a> {
    /// None when the row is no object.
    pub(super) fn of(raw: Raw<'a>) -> Option<Self> {
        raw.is_object()
            .then(|| raw.outline(&MEMBERS))
            .flatten()
            .map(Self)
    }

    pub(super) fn get(&self, name: &str) -> Option<Raw<'a>> {
        Some(self.0.member(name)?.raw)
    }

    /// Whether the member is that literal.
    pub(super) fn is(&self, name: &str, literal: &str) -> bool {
        self.get(name).is_some_and(|raw| raw.is(literal))
    }

    /// The member when it is a string.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        text(self.get(name)?)
    }

    /// The elements of the member; none when it is no list.
    pub(super) fn elements(&self, name: &str) -> impl Iterator<Item = Raw<'a>> {
        self.get(name).into_iter().flat_map(Raw::elements)
    }
}

/// What the value says when it is a string.
pub(super) fn text(raw: Raw<'_>) -> Option<String> {
    match parse_within(raw, 1)? {
        Value::String(text) => Some(text),
        _ => None,
    }
}
