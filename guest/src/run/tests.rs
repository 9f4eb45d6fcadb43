//! Whole turns, with a host that remembers what it was asked.

mod authority;
mod ceiling;
mod label_bounds;
mod labels;
mod noninterference;
mod replies;
mod resolve;
mod saved;
mod turns;

use crate::run::Run;
use crate::testing::{Host, text_at};

/// A listing with one granted read and one change.
const CATALOG: &str = r#"{"commands":[
    {"id":"notes.read","effect":"read","readOnlyGranted":true,"inputs":{"properties":{"q":{"type":"string"}},"additionalProperties":false}},
    {"id":"notes.write","effect":"change","scope":"loom"}]}"#;

/// Holds a Page in the run and returns its token.
fn hold(run: &mut Run, page: &str) -> String {
    let shown = Host::printing(page).shown(run, "loom_page_read", r#"{"target":"t"}"#);
    let token = text_at(&shown, "/entries/0/handle");
    assert!(token.starts_with("cfh:v:"), "{shown}");
    token
}
