//! The manifest: what a host says of its commands, with every oddity hosts have.

use serde_json::{Map, Value, json};

/// The reads the broker grants unless it is told otherwise. Every other read is listed
/// without the stamp.
pub(super) const DEFAULT_READ_GRANTS: [&str; 15] = [
    "people-discovery.dossier",
    "notes.list",
    "looms.list",
    "looms.outline",
    "page.history",
    "projects.status",
    "travel.plan",
    "ledger.summary",
    "ledger.balance",
    "diag.echo",
    "diag.sleep",
    "diag.flood",
    "diag.die",
    "diag.garble",
    "diag.shapeless",
];

/// Every row, the malformed ones and the duplicate among them.
pub(super) fn rows() -> Vec<Value> {
    let text = include_str!("../../data/commands.json");
    let mut rows: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        if row.get("inputs").is_some_and(Value::is_string) {
            row.insert("inputs".to_owned(), large_schema());
        }
    }
    rows
}

pub(super) fn id(row: &Value) -> Option<&str> {
    row.get("id").and_then(Value::as_str)
}

/// Whether the host declares the command a read.
pub(super) fn reads(row: &Value) -> bool {
    row.get("effect").and_then(Value::as_str) == Some("read")
}

/// Whether a row's own declarations, or the command layer's rule for it, keep agents out.
pub(super) fn for_people_only(row: &Value) -> bool {
    let list = |key: &str| {
        row.get(key)
            .and_then(Value::as_array)
            .filter(|list| !list.is_empty())
    };
    let holds = |list: &Vec<Value>, text: &str| list.iter().any(|entry| entry == text);
    let agents = |list: &Vec<Value>| {
        list.iter()
            .filter_map(Value::as_str)
            .any(|actor| actor.starts_with("agent:"))
    };
    id(row) == Some("mail.send")
        || row.get("origin").is_some_and(|origin| origin == "pattern")
        || row
            .get("developer")
            .is_some_and(|developer| developer == true)
        || list("actors").is_some_and(|actors| !agents(actors))
        || list("origins_refused").is_some_and(|origins| holds(origins, "session"))
        || list("origins_required").is_some_and(|origins| !holds(origins, "session"))
        || row.get("grant").is_some_and(Value::is_string)
}

/// A schema of about 20 KiB that stays above 16 KiB without its `x-*` keywords.
fn large_schema() -> Value {
    let column = |number: usize| {
        let property = json!({
            "type": "string",
            "description": format!("Column {number} of the report: its heading, its unit, and how it is rounded."),
            "x-column": number,
        });
        (format!("column-{number:03}"), property)
    };
    let properties: Map<String, Value> = (0..175).map(column).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_large_schema_is_large_without_its_extensions() {
        let mut schema = large_schema();
        for property in schema["properties"].as_object_mut().unwrap().values_mut() {
            property.as_object_mut().unwrap().remove("x-column");
        }
        let bytes = schema.to_string().len();
        assert!((18 << 10..24 << 10).contains(&bytes), "{bytes}");
    }

    #[test]
    fn agents_are_kept_out_of_exactly_the_rows_that_say_so() {
        let rows = rows();
        let kept: Vec<&str> = rows
            .iter()
            .filter(|row| for_people_only(row))
            .filter_map(id)
            .collect();
        assert_eq!(
            kept,
            [
                "mail.send",
                "board.vote",
                "debug.dump-store",
                "payroll.approve",
                "consent.sign",
                "onboarding.start",
                "health.export",
            ]
        );
    }

    #[test]
    fn every_granted_command_is_a_declared_read() {
        let rows = rows();
        for granted in DEFAULT_READ_GRANTS {
            assert!(
                rows.iter()
                    .any(|row| id(row) == Some(granted) && reads(row)),
                "{granted}"
            );
        }
    }
}
