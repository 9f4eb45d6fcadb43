//! JSON out: compact, escaped as JSON.stringify does (contract, section 1).

use std::fmt::Write;

use super::Value;
use super::plain::plain_len;

/// Appends `text` as a JSON string.
pub(crate) fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    loop {
        // Cut before a byte that is ASCII, so at the edge of a character.
        let (plain, tail) = rest
            .split_at_checked(plain_len(rest.as_bytes()))
            .unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\u{8}') => out.push_str("\\b"),
            Some('\u{c}') => out.push_str("\\f"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(other) => out.push_str(&format!("\\u{:04x}", u32::from(other))),
            None => break,
        }
        rest = chars.as_str();
    }
    out.push('"');
}

/// Appends `value`, compact, keys in their own order.
pub(crate) fn value(out: &mut String, value: &Value) {
    write(out, value, false);
}

/// `value` as compact JSON, keys in their own order.
pub(crate) fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, false);
    out
}

/// Canonical JSON (contract, section 6): compact, keys sorted by their UTF-8 bytes at every depth,
/// numbers as they were written.
pub(crate) fn to_canonical(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, true);
    out
}

fn write(out: &mut String, value: &Value, sorted: bool) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(text) => out.push_str(text),
        Value::String(text) => string(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push(',');
                }
                write(out, item, sorted);
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut fields = Fields::open(out);
            let mut member = |(key, member)| write(fields.key(key), member, sorted);
            if sorted {
                let mut members: Vec<_> = object.iter().collect();
                members.sort_unstable_by_key(|&(key, _)| key);
                members.into_iter().for_each(&mut member);
            } else {
                object.iter().for_each(&mut member);
            }
            fields.close();
        }
    }
}

/// Writes one object, field by field, in the order called.
#[must_use]
pub(crate) struct Fields<'a> {
    out: &'a mut String,
    first: bool,
}

impl<'a> Fields<'a> {
    pub(crate) fn open(out: &'a mut String) -> Self {
        // Most objects take about this much: once, and not by doubling from nothing.
        out.reserve(128);
        out.push('{');
        Self { out, first: true }
    }

    /// Continues an object whose closing brace was taken off again.
    pub(crate) fn reopen(out: &'a mut String) -> Self {
        out.pop();
        let first = out.ends_with('{');
        Self { out, first }
    }

    /// Writes the key and hands out the text to append its value to.
    pub(crate) fn key(&mut self, key: &str) -> &mut String {
        if !self.first {
            self.out.push(',');
        }
        self.first = false;
        string(self.out, key);
        self.out.push(':');
        self.out
    }

    pub(crate) fn string(&mut self, key: &str, text: &str) -> &mut Self {
        string(self.key(key), text);
        self
    }

    pub(crate) fn bool(&mut self, key: &str, flag: bool) -> &mut Self {
        self.raw(key, if flag { "true" } else { "false" })
    }

    pub(crate) fn number(&mut self, key: &str, number: usize) -> &mut Self {
        // Writing to a String does not fail.
        let _ = write!(self.key(key), "{number}");
        self
    }

    /// A value that already is JSON.
    pub(crate) fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        self.key(key).push_str(json);
        self
    }

    pub(crate) fn value(&mut self, key: &str, member: &Value) -> &mut Self {
        value(self.key(key), member);
        self
    }

    pub(crate) fn strings<T: AsRef<str>>(
        &mut self,
        key: &str,
        texts: impl IntoIterator<Item = T>,
    ) -> &mut Self {
        let out = self.key(key);
        out.push('[');
        for (at, text) in texts.into_iter().enumerate() {
            if at > 0 {
                out.push(',');
            }
            string(out, text.as_ref());
        }
        out.push(']');
        self
    }

    pub(crate) fn close(self) {
        self.out.push('}');
    }
}
