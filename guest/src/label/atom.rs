//! One atom, and when one atom entails another.

use std::rc::Rc;

use crate::json::{Decimal, Object, Value, string};

/// The string atom that stands for a label nobody could read. It fits no declared ceiling.
const READ_FAILED: &str = "cfc:label-read-failed";

/// The type of the one kind of atom that has an order.
const EXPIRES: &str = "https://commonfabric.org/cfc/atom/Expires";

/// A string, or an object whose `type` is a string.
#[derive(Clone, Debug)]
pub(crate) struct Atom(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    value: Value,
    /// Equal for structurally equal atoms and for no others: keys sorted, numbers by value.
    key: String,
    expires: Option<Decimal>,
}

impl Atom {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let readable = match value {
            Value::String(_) => true,
            Value::Object(object) => object.get("type").is_some_and(|t| t.as_str().is_some()),
            _ => false,
        };
        readable.then(|| {
            let mut key = String::new();
            write_key(&mut key, value);
            Self(Rc::new(Inner {
                value: value.clone(),
                key,
                expires: value.as_object().and_then(expiry),
            }))
        })
    }

    pub(crate) fn value(&self) -> &Value {
        &self.0.value
    }

    pub(crate) fn key(&self) -> &str {
        &self.0.key
    }

    /// What is disclosed of it; a string atom is its own type.
    pub(crate) fn kind(&self) -> &str {
        match &self.0.value {
            Value::String(text) => text,
            Value::Object(object) => object.get("type").and_then(Value::as_str).unwrap_or(""),
            _ => "",
        }
    }

    pub(crate) fn is_read_failure(&self) -> bool {
        self.0.value.as_str() == Some(READ_FAILED)
    }

    /// Whether the atom has an order beside equality.
    pub(crate) fn is_ordered(&self) -> bool {
        self.0.expires.is_some()
    }

    /// Whether this atom, of a ceiling, entails `label`'s: it is equal, or it expires no later.
    pub(crate) fn entails(&self, label: &Self) -> bool {
        match (&self.0.expires, &label.0.expires) {
            (Some(ceiling), Some(label)) => ceiling.cmp_integer(label).is_le(),
            _ => self.key() == label.key(),
        }
    }
}

/// The timestamp of an atom with exactly the keys of an Expires atom; a further key has no order.
fn expiry(object: &Object) -> Option<Decimal> {
    if object.len() != 2 || object.get("type").and_then(Value::as_str) != Some(EXPIRES) {
        return None;
    }
    object
        .get("timestamp")?
        .as_decimal()
        .filter(Decimal::is_integer)
}

/// Canonical JSON but for numbers, which are spelled by value.
fn write_key(out: &mut String, value: &Value) {
    match value {
        Value::Number(text) => out.push_str(&Decimal::of(text).key()),
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_key(out, item);
                out.push(',');
            }
            out.push(']');
        }
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_unstable_by_key(|&(key, _)| key);
            out.push('{');
            for (key, member) in members {
                string(out, key);
                out.push(':');
                write_key(out, member);
                out.push(',');
            }
            out.push('}');
        }
        scalar => out.push_str(&crate::json::to_string(scalar)),
    }
}
