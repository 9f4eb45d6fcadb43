//! What a run takes up of the rows that one reply shows: each is held, and its label joins the
//! run's. Decides whether there is room for a row's label; one for which there is none is left out
//! like a row that is too long.

use crate::entry::{Admitted, LabelSource, MAX_LABELS};
use crate::handles::{Candidate, Handles, Provenance};
use crate::label::{Join, Label};

/// What one reply takes up.
#[derive(Debug)]
pub(crate) struct Intake<'a> {
    handles: &'a mut Handles,
    /// The run's label, with what earlier calls of the turn added.
    label: &'a mut Join,
    observed: Join,
    /// Bytes of label that the rows taken up state.
    stated: usize,
}

impl<'a> Intake<'a> {
    pub(crate) fn new(handles: &'a mut Handles, label: &'a mut Join) -> Self {
        Self {
            handles,
            label,
            observed: Join::default(),
            stated: 0,
        }
    }

    /// The row with its token; none when there is no room for its label, or no token to be had.
    pub(crate) fn candidate(
        &self,
        source: &str,
        row: &Admitted,
        label_source: LabelSource,
        provenance: Option<Provenance>,
    ) -> Option<Candidate> {
        let stated = self.stated.saturating_add(row.label.stated());
        let added = self.label.size_with(row.label.confidentiality());
        if stated > MAX_LABELS || added > MAX_LABELS {
            return None;
        }
        let handles = &self.handles;
        handles.candidate(source, row, label_source, provenance)
    }

    /// Takes up the row that is shown.
    pub(crate) fn take(&mut self, candidate: Candidate, label: &Label) {
        self.handles.hold(candidate);
        self.stated = self.stated.saturating_add(label.stated());
        self.label.add(label.confidentiality());
        self.observed.add(label.confidentiality());
    }

    /// The labels of the rows taken up, joined.
    pub(crate) fn observed(self) -> Join {
        self.observed
    }
}
