//! The result of one command call: its outcome, and its answer measured as one row and held as a
//! referent (loom-commands, "The answer is Loom data").

use std::rc::Rc;

use super::outcome::{Form, Outcome};
use super::{Call, Command};
use crate::entry::{LabelSource, MAX_RESULT, Measured, measure};
use crate::handles::Provenance;
use crate::intake::Intake;
use crate::json::scan::Raw;
use crate::json::{Fields, utf16_len};
use crate::label::{Ceiling, Label};
use crate::shown::Outgoing;

const NOT_GRANTED_HINT: &str = "This run may not run the command. Offer it to the person \
     in your result rather than retry it.";

/// An answer that was delivered, measured and not yet shown.
#[derive(Debug)]
pub(crate) struct Executed {
    output_id: String,
    outcome: Outcome,
    /// The line the listing shows, for arguments that do not match it.
    signature: Option<String>,
    measured: Measured,
    provenance: Provenance,
}

/// The most that stays beside a summary: `,"truncated":false`.
const FLAG: &str = r#","truncated":false"#;

impl Executed {
    pub(crate) fn new(
        output_id: String,
        call: &Call,
        command: &Command,
        (outcome, body): (Outcome, Raw<'_>),
        query: &Rc<Label>,
        ceiling: Option<&Ceiling>,
    ) -> Self {
        Self {
            output_id,
            signature: outcome.is_bad_args().then(|| command.signature.clone()),
            measured: measure(body, query, ceiling),
            provenance: Provenance {
                command: call.command.clone(),
                loom_id: call.loom_id.clone(),
                version: outcome.version,
            },
            outcome,
        }
    }

    /// The summaries of a batched call, the largest first.
    pub(crate) fn summaries(&self) -> Vec<String> {
        let mut forms = vec![self.summary(Form::Compact, true)];
        if self.signature.is_some() {
            forms.push(self.summary(Form::Compact, false));
        }
        // Beside an outcome with little to leave out, the mark that it was left out is the longer.
        let smallest = self.summary(Form::Smallest, false);
        if forms.last().is_some_and(|form| smallest.len() < form.len()) {
            forms.push(smallest);
        }
        forms
    }

    fn summary(&self, form: Form, signed: bool) -> String {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("outputId", &self.output_id)
            .string("status", "executed")
            .raw("outcome", &self.outcome.to_json(form));
        if form == Form::Whole && self.outcome.is_refusal() {
            fields.string("hint", NOT_GRANTED_HINT);
        }
        if let Some(signature) = self.signature.as_ref().filter(|_| signed) {
            fields.string("signature", signature);
        }
        fields.close();
        out
    }

    /// Completes a summary with the answer's entry, if that takes no more than `room` characters.
    /// Takes up the row it shows; what is too large, or has a label there is no room for, is left out.
    pub(crate) fn finish(
        self,
        summary: String,
        room: usize,
        tool_id: &str,
        intake: &mut Intake<'_>,
    ) -> Finished {
        let (entry, cut) = match self.measured {
            Measured::TooLarge => (None, true),
            Measured::Withheld(reason) => {
                let entry = reason.entry().to_owned();
                let fits = entry_len(&entry) <= room;
                (fits.then_some(entry), !fits)
            }
            Measured::Admitted(row) => {
                let provenance = Some(self.provenance);
                let held = intake.candidate(tool_id, &row, LabelSource::Command, provenance);
                let shown = held.map(|candidate| (row.entry(&candidate.token), candidate));
                match shown.filter(|(entry, _)| entry_len(entry) <= room) {
                    None => (None, true),
                    Some((entry, candidate)) => {
                        intake.take(candidate, &row.label);
                        (Some(entry), row.truncated)
                    }
                }
            }
        };
        let used = entry.as_deref().map_or(0, entry_len);
        let mut shown = summary;
        let mut fields = Fields::reopen(&mut shown);
        if let Some(entry) = &entry {
            fields.raw("entry", entry);
        }
        fields.bool("truncated", cut);
        fields.close();
        Finished {
            shown,
            truncated: cut,
            used,
        }
    }
}

/// A result as shown.
pub(crate) struct Finished {
    pub(crate) shown: String,
    pub(crate) truncated: bool,
    /// How much of the room its entry took.
    pub(crate) used: usize,
}

fn entry_len(entry: &str) -> usize {
    r#","entry":"#.len() + utf16_len(entry)
}

/// The length of a summary as a result without an entry.
pub(crate) fn summary_len(summary: &str) -> usize {
    utf16_len(summary) + FLAG.len()
}

/// The result of a lone call.
pub(crate) fn answer(executed: Executed, tool_id: &str, mut intake: Intake<'_>) -> Outgoing {
    let summary = executed.summary(Form::Whole, true);
    let room = MAX_RESULT.saturating_sub(summary_len(&summary));
    let finished = executed.finish(summary, room, tool_id, &mut intake);
    Outgoing {
        shown: finished.shown,
        observed: intake.observed(),
        truncated: finished.truncated,
    }
}
