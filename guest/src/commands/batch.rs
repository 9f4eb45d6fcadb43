//! The result of a batch, under one output bound (loom-commands, "A batch's result"). Summaries
//! are charged first, in the calls' order, each beside the smallest form of every later one, so
//! that later calls shrink first; then answers, in the calls' order, against what is left.

use super::answer::{Executed, summary_len};
use crate::entry::MAX_RESULT;
use crate::intake::Intake;
use crate::json::{Fields, utf16_len};
use crate::shown::Outgoing;

/// What became of one call of a batch.
#[derive(Debug)]
pub(crate) enum Batched {
    /// It was not delivered, or names no listed command: shown as it is.
    Settled(String),
    Executed(Box<Executed>),
}

/// Shows a batch.
pub(crate) fn batch(
    output_id: &str,
    results: Vec<Batched>,
    tool_id: &str,
    intake: Intake<'_>,
) -> Outgoing {
    within(MAX_RESULT, output_id, results, tool_id, intake)
}

/// Shows a batch in at most `most` characters, or in its smallest form.
pub(super) fn within(
    most: usize,
    output_id: &str,
    results: Vec<Batched>,
    tool_id: &str,
    mut intake: Intake<'_>,
) -> Outgoing {
    let forms: Vec<Vec<String>> = results
        .iter()
        .map(|result| match result {
            Batched::Settled(shown) => vec![shown.clone()],
            Batched::Executed(executed) => executed.summaries(),
        })
        .collect();
    let len = |result: &Batched, form: &str| match result {
        Batched::Settled(_) => utf16_len(form),
        Batched::Executed(_) => summary_len(form),
    };
    let frame = utf16_len(&write(output_id, &[], false)) + results.len().saturating_sub(1);
    let smallest = |(result, forms): (&Batched, &Vec<String>)| {
        forms.last().map_or(0, |form| len(result, form))
    };
    let mut later: usize = results.iter().zip(&forms).map(smallest).sum();
    let mut used = frame;
    let mut summaries = Vec::new();
    for (result, forms) in results.iter().zip(&forms) {
        later = later.saturating_sub(smallest((result, forms)));
        let fits = |form: &&String| used + len(result, form) + later <= most;
        let form = forms
            .iter()
            .find(fits)
            .or(forms.last())
            .cloned()
            .unwrap_or_default();
        used += len(result, &form);
        summaries.push(form);
    }
    let mut room = most.saturating_sub(used);
    let mut truncated = false;
    let mut shown = Vec::new();
    for (result, summary) in results.into_iter().zip(summaries) {
        shown.push(match result {
            Batched::Settled(_) => summary,
            Batched::Executed(executed) => {
                let finished = executed.finish(summary, room, tool_id, &mut intake);
                room = room.saturating_sub(finished.used);
                truncated |= finished.truncated;
                finished.shown
            }
        });
    }
    Outgoing {
        shown: write(output_id, &shown, truncated),
        observed: intake.observed(),
        truncated,
    }
}

fn write(output_id: &str, results: &[String], truncated: bool) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("status", "batch")
        .raw("results", &format!("[{}]", results.join(",")))
        .bool("truncated", truncated);
    fields.close();
    out
}
