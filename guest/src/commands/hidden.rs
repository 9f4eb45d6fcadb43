//! Which manifest rows an agent is not shown, by the row's own declarations (loom-commands, "A
//! manifest row is left out"). Presentation only: the broker's scope is what decides, and a row
//! the host declares nothing about is shown.

use crate::json::{Object, Value};

/// The origin a broker-stamped run reaches the command layer with.
const SESSION: &str = "session";

/// Whether the row says that an agent may not run it.
pub(crate) fn is_hidden(row: &Object) -> bool {
    let list = |name| row.get(name).and_then(Value::as_array).unwrap_or_default();
    let holds_session = |list: &[Value]| list.iter().any(|item| item.as_str() == Some(SESSION));
    let names_an_agent = |actor: &Value| {
        actor
            .as_str()
            .is_some_and(|actor| actor.starts_with("agent:"))
    };
    let actors = list("actors");
    let required = list("origins_required");
    row.get("origin").and_then(Value::as_str) == Some("pattern")
        || row.get("developer") == Some(&Value::Bool(true))
        || (!actors.is_empty() && !actors.iter().any(names_an_agent))
        || holds_session(list("origins_refused"))
        || (!required.is_empty() && !holds_session(required))
        || has_grant(row)
}

/// A consent grant counts unless it is absent, null, false or "".
fn has_grant(row: &Object) -> bool {
    match row.get("grant") {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(text)) => !text.is_empty(),
        Some(_) => true,
    }
}
