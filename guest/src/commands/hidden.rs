//! Which manifest rows an agent is not shown, by the row's own declarations (loom-commands, "A
//! manifest row is left out"). Presentation only: the broker's scope is what decides, and a row
//! the host declares nothing about is shown.

use super::row::{Row, text};
use crate::json::scan::Raw;

/// The origin a broker-stamped run reaches the command layer with.
const SESSION: &str = "session";

/// Whether the row says that an agent may not run it.
pub(super) fn is_hidden(row: &Row<'_>) -> bool {
    let is_session = |origin: Raw<'_>| text(origin).as_deref() == Some(SESSION);
    let names_an_agent =
        |actor: Raw<'_>| text(actor).is_some_and(|actor| actor.starts_with("agent:"));
    // An empty list is one the row declares nothing with.
    let some_and_none = |name, wanted: &dyn Fn(Raw<'_>) -> bool| {
        row.elements(name).next().is_some() && !row.elements(name).any(wanted)
    };
    row.text("origin").as_deref() == Some("pattern")
        || row.is("developer", "true")
        || some_and_none("actors", &names_an_agent)
        || row.elements("origins_refused").any(is_session)
        || some_and_none("origins_required", &is_session)
        || has_grant(row)
}

/// A consent grant counts unless it is absent, null, false or "".
fn has_grant(row: &Row<'_>) -> bool {
    row.get("grant")
        .is_some_and(|grant| !["null", "false", r#""""#].iter().any(|none| grant.is(none)))
}
