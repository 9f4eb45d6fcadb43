//! What each command does once it may: one function for each, chosen by id.

mod diag;
mod everyday;
mod looms;
mod pages;

use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use super::outcome::Outcome;
use super::state::State;
use crate::retrieval::View;

/// One admitted call: its arguments fit the schema.
pub(super) struct Run<'a> {
    pub(super) view: &'a View<'a>,
    pub(super) state: &'a State,
    pub(super) args: &'a Map<String, Value>,
    /// The arguments as they were sent, to the byte.
    pub(super) sent: &'a str,
    pub(super) loom: Option<&'a str>,
    pub(super) expect: Option<u64>,
    pub(super) halt: &'a AtomicBool,
}

impl Run<'_> {
    fn text(&self, name: &str) -> &str {
        self.args
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    fn number(&self, name: &str, otherwise: u64) -> u64 {
        self.args
            .get(name)
            .and_then(Value::as_u64)
            .unwrap_or(otherwise)
    }

    /// Refuses a write whose writer has read another version than the current one.
    fn expects(&self, current: u64) -> Result<(), Outcome> {
        match self.expect {
            Some(expected) if expected != current => Err(Outcome::failed(
                "version-conflict",
                "Someone else wrote in between.",
            )
            .with("expected", json!(expected))
            .with("current", json!(current))
            .with("may_have_landed", json!(false))),
            _ => Ok(()),
        }
    }
}

pub(super) fn handle(id: &str, run: &Run<'_>) -> Outcome {
    match id {
        "people-discovery.dossier" => everyday::dossier(run),
        "notes.list" => everyday::notes_list(run),
        "notes.create" => everyday::notes_create(run),
        "mail.draft" => everyday::mail_draft(run),
        "mail.label-all" => everyday::mail_label_all(run),
        "calendar.free-busy" => everyday::free_busy(run),
        "projects.status" => everyday::projects_status(run),
        "travel.plan" => everyday::travel_plan(run),
        "archive.search" | "search.saved" => everyday::found(run),
        "ledger.summary" => everyday::ledger_summary(run),
        "ledger.balance" => everyday::ledger_balance(),
        "looms.list" => looms::list(run),
        "looms.create" => looms::create(run),
        "looms.rename" => looms::rename(run),
        "looms.outline" => looms::outline(run),
        "page.write" => pages::write(run),
        "page.history" => pages::history(run),
        "diag.echo" => diag::echo(id, run),
        "diag.sleep" => diag::sleep(run),
        "diag.flood" => diag::flood(run),
        "diag.die" => Outcome::Died,
        "diag.garble" => Outcome::Raw(b"Traceback (most recent call last):\n".to_vec()),
        "diag.shapeless" => Outcome::Raw(b"{\"ok\":\"yes\",\"id\":\"diag.shapeless\"}\n".to_vec()),
        // The rest of a life: counted, and done.
        _ => everyday::counted(id, run),
    }
}
