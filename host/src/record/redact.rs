//! Redaction: of every text of a line but those this project named itself, its size and digest.

use serde_json::{Map, Value, json};

use super::bytes::unhex;
use crate::component::Sha256Hex;
use crate::tools::tool_names;

/// Where a text stays: names and choices of `wit/world.wit`, ids that the audit log has too, and
/// digests. A text anywhere else is taken for somebody's.
const PLAIN: [&str; 16] = [
    "loomTools",
    "component",
    "run_id",
    "enforcement",
    "slot",
    "call",
    "failed",
    "kind",
    "rank",
    "shape",
    "state",
    "operation",
    "CalendarList",
    "id",
    "call_id",
    "effect",
];

/// A line with digests for its texts.
pub(crate) fn redacted(line: Value) -> Value {
    let mut line = redact("", line);
    if let Some(flag) = line.pointer_mut("/start/redacted") {
        *flag = Value::Bool(true);
    }
    line
}

fn redact(key: &str, value: Value) -> Value {
    match value {
        Value::String(text) if is_plain(key, &text) => Value::String(text),
        Value::String(text) => digest(text.as_bytes()),
        Value::Array(items) => items.into_iter().map(|item| redact(key, item)).collect(),
        Value::Object(fields) => object(fields),
        plain => plain,
    }
}

fn is_plain(key: &str, text: &str) -> bool {
    let named = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b':' | b'/' | b'-');
    match key {
        "tool" | "allowed_tools" => tool_names().any(|name| name == text),
        // A component may write anything where an id belongs.
        key => PLAIN.contains(&key) && text.len() <= 128 && text.bytes().all(named),
    }
}

fn object(fields: Map<String, Value>) -> Value {
    // Bytes that are no text: the same digest as of the bytes themselves.
    let binary = fields.get("hex").and_then(Value::as_str).and_then(unhex);
    if let Some(bytes) = binary.filter(|_| fields.len() == 1) {
        return digest(&bytes);
    }
    let fields = fields.into_iter();
    fields
        .map(|(key, value)| {
            let value = redact(&key, value);
            (key, value)
        })
        .collect()
}

fn digest(bytes: &[u8]) -> Value {
    json!({ "bytes": bytes.len(), "sha256": Sha256Hex::of(bytes).to_string() })
}
