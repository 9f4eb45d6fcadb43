//! What is written as it stands and what as quoted JSON: names, enum members, literals, defaults.
//!
//! Everything here comes from the host's schema, and none of it may break the line, reorder it on
//! a screen, or read as part of the signature's own notation.

use super::bounded::{Bounded, Full};
use crate::json::Value;

/// The most characters of a default or of an enum member.
const LITERAL: usize = 40;

/// The format characters: Unicode's general category Cf.
const FORMAT: [(char, char); 21] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{600}', '\u{605}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{6dd}', '\u{6dd}'),
    ('\u{70f}', '\u{70f}'),
    ('\u{890}', '\u{891}'),
    ('\u{8e2}', '\u{8e2}'),
    ('\u{180e}', '\u{180e}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{202a}', '\u{202e}'),
    ('\u{2060}', '\u{2064}'),
    ('\u{2066}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{110bd}', '\u{110bd}'),
    ('\u{110cd}', '\u{110cd}'),
    ('\u{13430}', '\u{1343f}'),
    ('\u{1bca0}', '\u{1bca3}'),
    ('\u{1d173}', '\u{1d17a}'),
    ('\u{e0001}', '\u{e0001}'),
    ('\u{e0020}', '\u{e007f}'),
];

/// Writes a parameter, output, `$ref` or target name.
pub(super) fn name(out: &mut Bounded, name: &str) -> Result<(), Full> {
    let odd = |ch: char| {
        ch.is_whitespace()
            || ch.is_control()
            || is_format(ch)
            || matches!(ch, ',' | ':' | '(' | ')' | '[' | ']' | '{' | '}')
            || matches!(ch, '|' | '=' | '?' | '"' | '\\')
    };
    bare_or_quoted(out, name, odd)
}

/// A member of an enum, or a `const`.
pub(super) fn member(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let odd =
                |ch: char| ch.is_whitespace() || is_unsafe(ch) || matches!(ch, '|' | '"' | '\\');
            Bounded::written(LITERAL, |out| bare_or_quoted(out, text, odd)).ended()
        }
        // As in a default.
        _ => literal(value),
    }
}

/// A default, as JSON.
pub(super) fn literal(value: &Value) -> String {
    Bounded::written(LITERAL, |out| json(out, value)).ended()
}

fn bare_or_quoted(out: &mut Bounded, text: &str, odd: impl Fn(char) -> bool) -> Result<(), Full> {
    if text.is_empty() || text.contains(odd) {
        quoted(out, text)
    } else {
        out.push_str(text)
    }
}

fn json(out: &mut Bounded, value: &Value) -> Result<(), Full> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(text) => out.push_str(text),
        Value::String(text) => quoted(out, text),
        Value::Array(items) => {
            out.push('[')?;
            for (at, item) in items.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" })?;
                json(out, item)?;
            }
            out.push(']')
        }
        Value::Object(object) => {
            out.push('{')?;
            for (at, (key, member)) in object.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" })?;
                quoted(out, key)?;
                out.push(':')?;
                json(out, member)?;
            }
            out.push('}')
        }
    }
}

/// A JSON string that escapes more than the output JSON does: it is read outside of JSON.
fn quoted(out: &mut Bounded, text: &str) -> Result<(), Full> {
    out.push('"')?;
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\"")?,
            '\\' => out.push_str("\\\\")?,
            '\u{8}' => out.push_str("\\b")?,
            '\u{c}' => out.push_str("\\f")?,
            '\n' => out.push_str("\\n")?,
            '\r' => out.push_str("\\r")?,
            '\t' => out.push_str("\\t")?,
            // None of these lies past U+FFFF, so four digits do.
            _ if is_unsafe(ch) => out.push_str(&format!("\\u{:04x}", u32::from(ch)))?,
            _ => out.push(ch)?,
        }
    }
    out.push('"')
}

/// Whether the character may end a line, move a cursor, or reorder what stands beside it: C0, DEL,
/// C1, the two line separators and the bidirectional controls.
pub(super) fn is_unsafe(ch: char) -> bool {
    ch.is_control()
        || matches!(
            ch,
            '\u{2028}'
                | '\u{2029}'
                | '\u{61c}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2066}'..='\u{2069}'
        )
}

fn is_format(ch: char) -> bool {
    FORMAT
        .iter()
        .any(|&(first, last)| (first..=last).contains(&ch))
}
