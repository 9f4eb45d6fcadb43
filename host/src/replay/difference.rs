//! The first place where a replay differs from its recording, as a person wants to see it.

use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::plain::is_plain;
use crate::record::Crossing;
use crate::text::cut;

/// How much is shown before the place that differs, and from it on, in bytes.
const BEFORE: usize = 40;
const AFTER: usize = 80;

/// A line that differs, down to its first value that does.
#[derive(Debug)]
pub struct Difference {
    line: u64,
    /// The way to the value within the line.
    place: String,
    recorded: String,
    replayed: String,
}

impl Difference {
    pub(super) fn of(line: u64, recorded: &Crossing<'_>, replayed: &Crossing<'_>) -> Self {
        let (place, recorded, replayed) = first(String::new(), &value(recorded), &value(replayed));
        let same = recorded
            .bytes()
            .zip(replayed.bytes())
            .take_while(|(recorded, replayed)| recorded == replayed)
            .count();
        Self {
            line,
            place: if place.is_empty() { "/".into() } else { place },
            recorded: excerpt(&recorded, same),
            replayed: excerpt(&replayed, same),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "line {}, {}\n  recorded: {}\n  replayed: {}",
            self.line, self.place, self.recorded, self.replayed
        )
    }
}

fn value(crossing: &impl Serialize) -> Value {
    // These types have no key that is not a text.
    serde_json::to_value(crossing).unwrap_or_default()
}

/// The first value that differs, depth first, and the way there as a JSON Pointer.
fn first(place: String, recorded: &Value, replayed: &Value) -> (String, String, String) {
    match (recorded, replayed) {
        (Value::Object(left), Value::Object(right)) if left.keys().eq(right.keys()) => {
            let mut pairs = left.iter().zip(right.values());
            if let Some(((key, left), right)) = pairs.find(|((_, left), right)| left != right) {
                return first(format!("{place}/{key}"), left, right);
            }
        }
        (Value::Array(left), Value::Array(right)) => {
            let mut pairs = left.iter().zip(right).enumerate();
            if let Some((at, (left, right))) = pairs.find(|(_, (left, right))| left != right) {
                return first(format!("{place}/{at}"), left, right);
            }
        }
        (Value::String(left), Value::String(right)) => return (place, left.clone(), right.clone()),
        _ => {}
    }
    (place, recorded.to_string(), replayed.to_string())
}

/// The text around a place, on one line.
fn excerpt(text: &str, at: usize) -> String {
    let from = cut(text, at.saturating_sub(BEFORE)).len();
    let rest = text.get(from..).unwrap_or_default();
    let shown = cut(rest, BEFORE + AFTER);
    let before = if from > 0 { "…" } else { "" };
    let after = if shown.len() < rest.len() { "…" } else { "" };
    let mut excerpt = before.to_owned();
    for c in shown.chars() {
        if is_plain(c) {
            excerpt.push(c);
        } else {
            excerpt.extend(c.escape_default());
        }
    }
    excerpt + after
}
