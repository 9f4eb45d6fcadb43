//! Reads the label a row states, and the label a call's input carries.

use super::{Atom, Clause, Label};
use crate::json::scan::Raw;
use crate::json::{Value, parse, parse_within};

/// A label of more JSON than this is one that cannot be read: a guard of the memory while it is
/// measured, far above what a run takes up of labels.
const MAX_LABEL_BYTES: usize = 1 << 20;

/// What a row says of its own label.
#[derive(Debug)]
pub(crate) enum RowLabel {
    /// It has no `ifc` field of its own.
    Absent,
    /// It has one that states no label.
    Unreadable,
    Stated(Label),
}

/// Reads the `ifc` field of an object row.
pub(crate) fn row_label(row: Raw<'_>) -> RowLabel {
    let Some(ifc) = row.member("ifc") else {
        return RowLabel::Absent;
    };
    let stated = ifc.text().len();
    let label = (stated <= MAX_LABEL_BYTES)
        .then(|| parse_within(ifc, usize::MAX))
        .flatten()
        .and_then(|value| label(&value))
        .map(|label| Label { stated, ..label });
    label.map_or(RowLabel::Unreadable, RowLabel::Stated)
}

/// Reads a label out of its JSON value: `confidentiality` a list of clauses, `integrity` absent or a list of atoms.
pub(crate) fn label(value: &Value) -> Option<Label> {
    let object = value.as_object()?;
    let confidentiality = clauses(object.get("confidentiality")?)?;
    let integrity = match object.get("integrity") {
        None => Vec::new(),
        Some(list) => list
            .as_array()?
            .iter()
            .map(Atom::read)
            .collect::<Option<_>>()?,
    };
    Some(Label::new(confidentiality, integrity))
}

/// The clauses of a `{ "confidentiality": [clauses] }`; none when it cannot be read.
pub(crate) fn confidentiality_of(json: &str) -> Option<Vec<Clause>> {
    if json.len() > MAX_LABEL_BYTES {
        return None;
    }
    Some(label(&parse(json).ok()?)?.into_confidentiality())
}

fn clauses(value: &Value) -> Option<Vec<Clause>> {
    value.as_array()?.iter().map(Clause::read).collect()
}
