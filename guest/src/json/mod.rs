//! JSON as the contract reads it (section 1), which no off-the-shelf reader does: numbers keep
//! the exact text they had, keys keep their order, a duplicate key keeps its first place and its
//! last value, a lone surrogate escape reads as U+FFFD, and nesting ends at 128.
//!
//! Two ways in: [`parse`] builds a [`Value`]; [`scan`] checks a whole text and hands out slices
//! of it, so that what lies past a bound is never built.

mod build;
mod decimal;
mod plain;
pub(crate) mod scan;
mod scanner;
mod text;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use build::{Bounds, Built, build, parse, parse_nested, parse_within};
pub(crate) use decimal::Decimal;
pub(crate) use text::{cut, unmarked, utf16_len};
pub(crate) use write::{Fields, string, to_canonical, to_string};

/// The deepest nesting that still is JSON (contract, section 1).
pub(crate) const MAX_DEPTH: usize = 128;

/// The text is not JSON: malformed, nested too deep, empty, or followed by more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson;

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// The number's exact text.
    Number(Box<str>),
    String(String),
    Array(Vec<Value>),
    Object(Object),
}

/// An object: its members in order, each key once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Object(Vec<(String, Value)>);

impl Object {
    /// The caller vouches that no key stands twice.
    pub(crate) fn from_distinct(members: Vec<(String, Value)>) -> Self {
        Self(members)
    }

    pub(crate) fn get(&self, key: &str) -> Option<&Value> {
        self.iter()
            .find_map(|(name, value)| (name == key).then_some(value))
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn members_mut(&mut self) -> impl Iterator<Item = (&str, &mut Value)> {
        self.0
            .iter_mut()
            .map(|(name, value)| (name.as_str(), value))
    }
}

impl Value {
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    pub(crate) fn as_array(&self) -> Option<&[Value]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(flag) => Some(*flag),
            _ => None,
        }
    }

    /// The number read by value, when it is one.
    pub(crate) fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Self::Number(text) => Some(Decimal::of(text)),
            _ => None,
        }
    }

    /// The integer from 0 to `most` that the value is by value (`5`, `5.0`, `50e-1`), if it is one.
    pub(crate) fn as_integer_to(&self, most: u64) -> Option<u64> {
        self.as_decimal()?.to_u64().filter(|&n| n <= most)
    }

    /// How deep containers nest: 0 for a scalar, 1 for `[]`.
    pub(crate) fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(object) => 1 + object.iter().map(|(_, v)| v.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }
}
