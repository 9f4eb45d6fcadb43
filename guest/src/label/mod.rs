//! Confidentiality labels and the ceilings they are measured against (contract, section 4).
//!
//! A label is read whole or not at all: what is present and unreadable is never read as absent.

mod atom;
mod ceiling;
mod clause;
mod read;

#[cfg(test)]
mod law;
#[cfg(test)]
mod tests;

pub(crate) use atom::Atom;
pub(crate) use ceiling::Ceiling;
pub(crate) use clause::{Clause, Join};
pub(crate) use read::{RowLabel, confidentiality_of, label, row_label};

use std::cell::OnceCell;

use crate::json::{Fields, Object, Value, to_canonical, to_string};

/// A label as it was measured.
#[derive(Debug, Default)]
pub(crate) struct Label {
    confidentiality: Vec<Clause>,
    integrity: Vec<Atom>,
    /// Bytes of JSON it was stated in; 0 for one that no row states.
    stated: usize,
    disclosed: OnceCell<String>,
    canonical: OnceCell<String>,
}

impl Label {
    pub(crate) fn new(confidentiality: Vec<Clause>, integrity: Vec<Atom>) -> Self {
        Self {
            confidentiality,
            integrity,
            ..Self::default()
        }
    }

    /// A label of confidentiality alone, which is what a query has: the prompt slot's influence
    /// is integrity and does not reach a row.
    pub(crate) fn confidential(confidentiality: Vec<Clause>) -> Self {
        Self::new(confidentiality, Vec::new())
    }

    pub(crate) fn confidentiality(&self) -> &[Clause] {
        &self.confidentiality
    }

    pub(crate) fn into_confidentiality(self) -> Vec<Clause> {
        self.confidentiality
    }

    /// Bytes of JSON that the row states it in; 0 for a label that was assumed.
    pub(crate) fn stated(&self) -> usize {
        self.stated
    }

    pub(crate) fn integrity(&self) -> &[Atom] {
        &self.integrity
    }

    /// What the model is told of the label: atom types alone (contract, section 4), as JSON.
    pub(crate) fn disclosed(&self) -> &str {
        self.disclosed.get_or_init(|| {
            let mut out = String::new();
            let mut fields = Fields::open(&mut out);
            let clauses = fields.key("confidentiality");
            clauses.push('[');
            for (at, clause) in self.confidentiality.iter().enumerate() {
                if at > 0 {
                    clauses.push(',');
                }
                types(clauses, clause.alternatives());
            }
            clauses.push(']');
            types(fields.key("integrity"), &self.integrity);
            fields.close();
            out
        })
    }

    /// The label itself, `{ confidentiality, integrity }` in the spelling it was read in.
    pub(crate) fn measured(&self) -> Value {
        let integrity = self
            .integrity
            .iter()
            .map(|atom| atom.value().clone())
            .collect();
        Value::Object(Object::from_distinct(vec![
            (
                "confidentiality".to_owned(),
                clauses_value(&self.confidentiality),
            ),
            ("integrity".to_owned(), Value::Array(integrity)),
        ]))
    }

    /// The label itself as canonical JSON.
    pub(crate) fn canonical(&self) -> &str {
        self.canonical
            .get_or_init(|| to_canonical(&self.measured()))
    }
}

/// `{ "confidentiality": [clauses] }` as JSON.
pub(crate) fn confidentiality_json(clauses: &[Clause]) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields.raw("confidentiality", &to_string(&clauses_value(clauses)));
    fields.close();
    out
}

fn clauses_value(clauses: &[Clause]) -> Value {
    Value::Array(
        clauses
            .iter()
            .map(|clause| clause.spelling().clone())
            .collect(),
    )
}

fn types(out: &mut String, atoms: &[Atom]) {
    out.push('[');
    for (at, atom) in atoms.iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        crate::json::string(out, atom.kind());
    }
    out.push(']');
}
