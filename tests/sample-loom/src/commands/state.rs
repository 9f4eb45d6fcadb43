//! What commands have written since the broker started, shared with the reads.
//!
//! A note can be found by a search and a written Page is what `page read` prints, so that
//! a session against the sample sees its own work.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::NOW;
use crate::data::Row;

/// A loom: a surface with a title and panels.
#[derive(Clone, Debug)]
pub(crate) struct LoomRecord {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) panels: Vec<String>,
    pub(crate) version: u64,
}

/// A Page that was written: its body and version.
type Written = (String, u64);

/// Everything that was written, behind one lock for each kind.
pub(crate) struct State {
    notes: Mutex<Vec<Row>>,
    looms: Mutex<Vec<LoomRecord>>,
    pages: Mutex<BTreeMap<String, Written>>,
    counters: Mutex<BTreeMap<&'static str, u64>>,
}

impl State {
    /// Two looms are there from the start.
    pub(crate) fn new() -> Self {
        let loom = |id: &str, title: &str, panels: &[&str]| LoomRecord {
            id: id.to_owned(),
            title: title.to_owned(),
            panels: panels.iter().map(|panel| (*panel).to_owned()).collect(),
            version: 3,
        };
        let looms = vec![
            loom(
                "loom-0123456789abcdef",
                "Quay permit",
                &["notes", "timeline"],
            ),
            loom("loom-00c0ffee00c0ffee", "Cabin week", &["table"]),
        ];
        Self {
            notes: Mutex::default(),
            looms: Mutex::new(looms),
            pages: Mutex::default(),
            counters: Mutex::default(),
        }
    }

    /// The notes, as rows a search finds.
    pub(crate) fn rows(&self) -> Vec<Row> {
        held(&self.notes).clone()
    }

    /// The body and version of a Page, if a command wrote it.
    pub(crate) fn page(&self, target: &str) -> Option<Written> {
        held(&self.pages).get(target).cloned()
    }

    /// Adds a note and tells its id and how many there are.
    pub(super) fn add_note(&self, title: &str, text: &str, facet: &str) -> (String, u64) {
        let mut notes = held(&self.notes);
        let number = notes.len() as u64 + 1;
        let id = format!("note-new-{number:04}");
        let row = Row {
            id: id.clone(),
            source: "notes".to_owned(),
            at: NOW,
            who: Vec::new(),
            names: Vec::new(),
            facet: facet.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
            ifc: None,
            haystack: String::new(),
        };
        notes.push(row.finish(&[]));
        (id, number)
    }

    /// Changes the looms under their lock.
    pub(super) fn looms(&self) -> MutexGuard<'_, Vec<LoomRecord>> {
        held(&self.looms)
    }

    /// Changes the written Pages under their lock.
    pub(super) fn pages(&self) -> MutexGuard<'_, BTreeMap<String, Written>> {
        held(&self.pages)
    }

    /// Counts one more of a kind, from 1.
    pub(super) fn next(&self, kind: &'static str) -> u64 {
        let mut counters = held(&self.counters);
        let counter = counters.entry(kind).or_default();
        *counter += 1;
        *counter
    }
}

/// A poisoned lock is taken all the same: every change above is whole or not begun.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
