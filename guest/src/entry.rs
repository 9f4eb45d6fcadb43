//! Measures one row against the run's ceiling, and writes the entry of a row that is admitted
//! (loom-retrieval, "The ceiling"). Retrieved rows and command answers come through here alike.
//!
//! Nothing of a withheld row leaves this module but the reason.

use std::rc::Rc;

use crate::json::scan::Raw;
use crate::json::{Bounds, Built, Fields, Value, build, to_string};
use crate::label::{Ceiling, Label, RowLabel, row_label};

/// The most characters of a string that are shown (loom-retrieval, "Bounds").
pub(crate) const MAX_STRING: usize = 4_000;
/// The most characters of a whole result, as serialized (loom-retrieval, "Bounds").
pub(crate) const MAX_RESULT: usize = 48_000;

/// The most bytes of label that the rows of one reply state together, and of clauses that a run's
/// label holds, as JSON. Threat: a model is shown types alone, so a result of few characters may
/// bring megabytes of label, which the run holds with each row and every later reply carries twice.
/// Trade: labels in use are some hundred bytes, and few clauses differ.
pub(crate) const MAX_LABELS: usize = 256 * 1024;

/// Where a row's label came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelSource {
    /// Read off the row's `ifc`.
    Row,
    /// Assigned from the query.
    Query,
    /// That of a host command's answer, read or assigned.
    Command,
}

impl LabelSource {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Row => "row",
            Self::Query => "query",
            Self::Command => "command",
        }
    }
}

/// What comes of measuring a row.
#[derive(Debug)]
pub(crate) enum Measured {
    Withheld(Reason),
    Admitted(Admitted),
    /// Its label fits, and it holds more than any result can show or states more label than any
    /// can take up.
    TooLarge,
}

/// Why a row is withheld.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    CeilingExceeded,
    LabelReadFailed,
}

/// A row as the model will see it.
#[derive(Debug)]
pub(crate) struct Admitted {
    /// The row without `ifc`, its strings cut.
    pub(crate) value: Value,
    /// The same as compact JSON.
    pub(crate) json: String,
    pub(crate) label: Rc<Label>,
    pub(crate) source: LabelSource,
    /// Whether a string was cut.
    pub(crate) truncated: bool,
}

/// The label of a row that states none: assumed, not read.
///
/// A placeholder that is not sound: what a row holds is decided by the store it came from, not by
/// who asked. The one function to replace when loom returns a label for each row.
pub(crate) fn label_for_unlabeled_row(query: &Rc<Label>) -> Rc<Label> {
    Rc::clone(query)
}

/// Measures `row` against `ceiling`; none admits every label.
pub(crate) fn measure(row: Raw<'_>, query: &Rc<Label>, ceiling: Option<&Ceiling>) -> Measured {
    if !row.is_object() {
        return Measured::Withheld(Reason::LabelReadFailed);
    }
    let (label, source) = match row_label(row) {
        RowLabel::Unreadable => return Measured::Withheld(Reason::LabelReadFailed),
        RowLabel::Stated(label) => (Rc::new(label), LabelSource::Row),
        RowLabel::Absent => (label_for_unlabeled_row(query), LabelSource::Query),
    };
    if !ceiling.is_none_or(|ceiling| ceiling.admits(label.confidentiality())) {
        return Measured::Withheld(Reason::CeilingExceeded);
    }
    if label.stated() > MAX_LABELS {
        return Measured::TooLarge;
    }
    match build(row, Bounds::shown(MAX_RESULT, MAX_STRING), Some("ifc")) {
        None => Measured::TooLarge,
        Some(Built { value, cut }) => Measured::Admitted(Admitted::new(value, label, source, cut)),
    }
}

impl Reason {
    /// The entry that stands for a withheld row.
    pub(crate) fn entry(self) -> &'static str {
        match self {
            Self::CeilingExceeded => r#"{"status":"withheld","reasonCode":"cfc_ceiling_exceeded"}"#,
            Self::LabelReadFailed => {
                r#"{"status":"withheld","reasonCode":"cfc_label_read_failed"}"#
            }
        }
    }
}

impl Admitted {
    /// A row that may be shown, as it will be.
    pub(crate) fn new(
        value: Value,
        label: Rc<Label>,
        source: LabelSource,
        truncated: bool,
    ) -> Self {
        Self {
            json: to_string(&value),
            value,
            label,
            source,
            truncated,
        }
    }

    /// The entry that shows the row, held as `handle`.
    pub(crate) fn entry(&self, handle: &str) -> String {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("status", "admitted")
            .raw("label", self.label.disclosed())
            .string("labelSource", self.source.name())
            .raw("value", &self.json)
            .string("handle", handle);
        if self.truncated {
            fields.bool("truncated", true);
        }
        fields.close();
        out
    }
}
