//! Builds values from text, all of it or as much as can still be shown.

use std::ops::Range;

use super::scan::Raw;
use super::scanner::Scanner;
use super::text::unescape;
use super::{MAX_DEPTH, NotJson, Object, Value, cut};

/// Objects of up to this many members are searched for duplicate keys pair by pair.
const FEW_MEMBERS: usize = 8;

/// Builds the value that `text` is.
pub(crate) fn parse(text: &str) -> Result<Value, NotJson> {
    parse_nested(text, MAX_DEPTH)
}

/// Builds the value that a text of our own is, which wraps what may itself nest to the bound.
pub(crate) fn parse_nested(text: &str, depth: usize) -> Result<Value, NotJson> {
    let mut builder = Builder::new(text, Bounds::NONE);
    builder.scanner.space();
    let value = builder.value(depth).ok_or(NotJson)?;
    builder.scanner.space();
    match builder.scanner.peek() {
        None => Ok(value),
        Some(_) => Err(NotJson),
    }
}

/// How much of a value is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most values it may hold, itself included, one for each time it is written: a property
    /// that stands twice counts twice.
    nodes: usize,
    /// The most UTF-16 units that its property names and numbers, which are never cut, may take
    /// at the least.
    uncut: usize,
    /// Where its strings are cut, in UTF-16 units.
    string: usize,
}

impl Bounds {
    const NONE: Self = Self {
        nodes: usize::MAX,
        uncut: usize::MAX,
        string: usize::MAX,
    };

    /// For what is shown in at most `most` units, its strings cut at `string`: every value takes at
    /// least one, so what cannot fit is not built to know that it does not.
    pub(crate) fn shown(most: usize, string: usize) -> Self {
        Self {
            nodes: most,
            uncut: most,
            string,
        }
    }
}

/// A value built within bounds.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) value: Value,
    /// Whether a string was cut.
    pub(crate) cut: bool,
}

/// Builds a value within bounds, leaving out the member `without` of its outermost object; none
/// when it holds more than it may.
pub(crate) fn build(raw: Raw<'_>, bounds: Bounds, without: Option<&str>) -> Option<Built> {
    let text = raw.text();
    let mut builder = Builder::new(&text, bounds);
    builder.without = without;
    let value = builder.value(MAX_DEPTH)?;
    Some(Built {
        value,
        cut: builder.cut,
    })
}

/// Builds a value that holds at most `nodes` values; none when it holds more.
pub(crate) fn parse_within(raw: Raw<'_>, nodes: usize) -> Option<Value> {
    let bounds = Bounds {
        nodes,
        ..Bounds::NONE
    };
    build(raw, bounds, None).map(|built| built.value)
}

struct Builder<'a> {
    text: &'a str,
    scanner: Scanner<'a>,
    bounds: Bounds,
    without: Option<&'a str>,
    cut: bool,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str, bounds: Bounds) -> Self {
        Self {
            text,
            scanner: Scanner::new(text.as_bytes()),
            bounds,
            without: None,
            cut: false,
        }
    }

    /// The value at hand; none when it is no JSON or larger than the bounds.
    fn value(&mut self, room: usize) -> Option<Value> {
        self.bounds.nodes = self.bounds.nodes.checked_sub(1)?;
        let scanner = &mut self.scanner;
        Some(match scanner.peek() {
            Some(b'{') => Value::Object(self.object(room.checked_sub(1)?)?),
            Some(b'[') => Value::Array(self.list(room.checked_sub(1)?)?),
            Some(b'"') => {
                let inside = scanner.string().ok()?;
                Value::String(self.string(self.text.get(inside)?))
            }
            Some(b't') => scanner.word("true").map(|()| Value::Bool(true)).ok()?,
            Some(b'f') => scanner.word("false").map(|()| Value::Bool(false)).ok()?,
            Some(b'n') => scanner.word("null").map(|()| Value::Null).ok()?,
            _ => {
                let number = scanner.number().ok()?;
                Value::Number(self.uncut(number)?.into())
            }
        })
    }

    /// The text of a name or a number; none when there is no room for it.
    fn uncut(&mut self, at: Range<usize>) -> Option<&'a str> {
        // One unit takes at most six bytes, as `\uxxxx`.
        self.bounds.uncut = self.bounds.uncut.checked_sub(at.len() / 6)?;
        self.text.get(at)
    }

    /// The string, cut; what lies past the cut is not unescaped.
    fn string(&mut self, inside: &str) -> String {
        let most = self.bounds.string;
        // One unit takes at most six bytes, as `\uxxxx`; one more tells that there is more.
        let enough = most.saturating_add(2).saturating_mul(6);
        let opening = inside
            .get(..inside.floor_char_boundary(enough))
            .unwrap_or(inside);
        let text = unescape(opening);
        match cut(&text, most) {
            Some(kept) => {
                self.cut = true;
                kept.to_owned()
            }
            None => text.into_owned(),
        }
    }

    fn list(&mut self, room: usize) -> Option<Vec<Value>> {
        let mut items = Vec::new();
        self.scanner.require(b'[').ok()?;
        self.scanner.space();
        if self.scanner.take(b']') {
            return Some(items);
        }
        loop {
            self.scanner.space();
            items.push(self.value(room)?);
            self.scanner.space();
            if !self.scanner.take(b',') {
                self.scanner.require(b']').ok()?;
                return Some(items);
            }
        }
    }

    fn object(&mut self, room: usize) -> Option<Object> {
        // Only the outermost object, which is the first, is without it.
        let without = self.without.take();
        let mut members = Vec::new();
        self.scanner.require(b'{').ok()?;
        self.scanner.space();
        if self.scanner.take(b'}') {
            return Some(Object::from_distinct(members));
        }
        loop {
            self.scanner.space();
            let key = self.scanner.string().ok()?;
            let key = unescape(self.uncut(key)?).into_owned();
            self.scanner.colon().ok()?;
            if without == Some(key.as_str()) {
                self.scanner.skip().ok()?;
            } else {
                members.push((key, self.value(room)?));
            }
            self.scanner.space();
            if !self.scanner.take(b',') {
                self.scanner.require(b'}').ok()?;
                return Some(distinct(members));
            }
        }
    }
}

/// Gives each key its first place and its last value.
fn distinct(members: Vec<(String, Value)>) -> Object {
    if !has_duplicates(&members) {
        return Object::from_distinct(members);
    }
    let mut places = std::collections::BTreeMap::new();
    let mut kept: Vec<(String, Value)> = Vec::new();
    for (key, value) in members {
        match places
            .get(&key)
            .and_then(|&place: &usize| kept.get_mut(place))
        {
            Some(first) => first.1 = value,
            None => {
                places.insert(key.clone(), kept.len());
                kept.push((key, value));
            }
        }
    }
    Object::from_distinct(kept)
}

fn has_duplicates(members: &[(String, Value)]) -> bool {
    if members.len() <= FEW_MEMBERS {
        let mut rest = members;
        while let Some(((key, _), later)) = rest.split_first() {
            if later.iter().any(|(other, _)| other == key) {
                return true;
            }
            rest = later;
        }
        return false;
    }
    let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
    keys.sort_unstable();
    keys.iter().zip(keys.iter().skip(1)).any(|(a, b)| a == b)
}
