//! Builds values from text, all of it or as much as can still be shown.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::Raw;
use super::scanner::Scanner;
use super::{MAX_DEPTH, NotJson, Object, Value, cut};

/// Objects of up to this many members are searched for duplicate keys pair by pair.
const FEW_MEMBERS: usize = 8;

/// Builds the value that `text` is.
pub(crate) fn parse(text: &str) -> Result<Value, NotJson> {
    parse_nested(text, MAX_DEPTH)
}

/// Builds the value that a text of our own is, which wraps what may itself nest to the bound.
pub(crate) fn parse_nested(text: &str, depth: usize) -> Result<Value, NotJson> {
    let mut builder = Builder::new(
        text,
        Bounds {
            nodes: usize::MAX,
            string: usize::MAX,
        },
    );
    builder.scanner.space();
    let value = builder.value(depth).map_err(|_| NotJson)?;
    builder.scanner.space();
    match builder.scanner.peek() {
        None => Ok(value),
        Some(_) => Err(NotJson),
    }
}

/// How much of a value is built.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most values it may hold, itself included. A duplicate key's value counts each time it is
    /// written, though the last alone is kept: a row of 48,001 duplicates is too large.
    ///
    /// What is shown is bounded in characters and every value takes at least one, so a row of
    /// more values than that bound need not be built to know that it does not fit.
    pub(crate) nodes: usize,
    /// Where its strings are cut, in UTF-16 units; property names are not.
    pub(crate) string: usize,
}

/// A value built within bounds.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) value: Value,
    /// Whether a string was cut.
    pub(crate) cut: bool,
}

/// Builds a value within bounds, leaving out the member `without` of its outermost object; none
/// when it holds more values than it may.
pub(crate) fn build(raw: Raw<'_>, bounds: Bounds, without: Option<&str>) -> Option<Built> {
    let text = raw.text();
    let mut builder = Builder::new(&text, bounds);
    builder.without = without;
    let value = builder.value(MAX_DEPTH).ok()?;
    Some(Built {
        value,
        cut: builder.cut,
    })
}

/// Builds a value that holds at most `nodes` values; none when it holds more.
pub(crate) fn parse_within(raw: Raw<'_>, nodes: usize) -> Option<Value> {
    Some(
        build(
            raw,
            Bounds {
                nodes,
                string: usize::MAX,
            },
            None,
        )?
        .value,
    )
}

enum Stop {
    NotJson,
    TooLarge,
}

impl From<NotJson> for Stop {
    fn from(_: NotJson) -> Self {
        Self::NotJson
    }
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

    fn value(&mut self, room: usize) -> Result<Value, Stop> {
        self.bounds.nodes = self.bounds.nodes.checked_sub(1).ok_or(Stop::TooLarge)?;
        let scanner = &mut self.scanner;
        Ok(match scanner.peek() {
            Some(b'{') => Value::Object(self.object(room.checked_sub(1).ok_or(NotJson)?)?),
            Some(b'[') => Value::Array(self.list(room.checked_sub(1).ok_or(NotJson)?)?),
            Some(b'"') => {
                let inside = scanner.string()?;
                Value::String(self.string(self.slice(inside)?))
            }
            Some(b't') => scanner.word("true").map(|()| Value::Bool(true))?,
            Some(b'f') => scanner.word("false").map(|()| Value::Bool(false))?,
            Some(b'n') => scanner.word("null").map(|()| Value::Null)?,
            _ => {
                let number = scanner.number()?;
                Value::Number(self.slice(number)?.into())
            }
        })
    }

    fn slice(&self, at: Range<usize>) -> Result<&'a str, NotJson> {
        self.text.get(at).ok_or(NotJson)
    }

    /// The string, cut; what lies past the cut is not unescaped.
    fn string(&mut self, inside: &str) -> String {
        let most = self.bounds.string;
        // One unit takes at most six bytes, as `\\uxxxx`; one more tells that there is more.
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

    fn list(&mut self, room: usize) -> Result<Vec<Value>, Stop> {
        let mut items = Vec::new();
        self.scanner.require(b'[')?;
        self.scanner.space();
        if self.scanner.take(b']') {
            return Ok(items);
        }
        loop {
            self.scanner.space();
            items.push(self.value(room)?);
            self.scanner.space();
            if !self.scanner.take(b',') {
                self.scanner.require(b']')?;
                return Ok(items);
            }
        }
    }

    fn object(&mut self, room: usize) -> Result<Object, Stop> {
        let mut members = Vec::new();
        self.scanner.require(b'{')?;
        self.scanner.space();
        if self.scanner.take(b'}') {
            return Ok(Object::from_distinct(members));
        }
        loop {
            self.scanner.space();
            let key = self.scanner.string()?;
            let key = unescape(self.slice(key)?).into_owned();
            self.scanner.colon()?;
            if room + 1 == MAX_DEPTH && self.without == Some(key.as_str()) {
                self.scanner.skip()?;
            } else {
                members.push((key, self.value(room)?));
            }
            self.scanner.space();
            if !self.scanner.take(b',') {
                self.scanner.require(b'}')?;
                return Ok(distinct(members));
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

/// What the inside of a checked string literal says; a lone surrogate escape says U+FFFD.
pub(super) fn unescape(inside: &str) -> Cow<'_, str> {
    if !inside.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(inside);
    }
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((plain, tail)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let (character, after) = code_point(chars.as_str());
                out.push(character);
                rest = after;
                continue;
            }
            Some(itself) => out.push(itself),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads the digits of a `\u` escape, and the low surrogate that completes a high one.
fn code_point(tail: &str) -> (char, &str) {
    let Some((unit, after)) = unit(tail) else {
        return (char::REPLACEMENT_CHARACTER, tail);
    };
    if let Some(character) = char::from_u32(unit) {
        return (character, after);
    }
    let low = after.strip_prefix("\\u").and_then(self::unit);
    let pair = low.and_then(|(low, rest)| {
        let both = matches!(unit, 0xd800..0xdc00) && matches!(low, 0xdc00..0xe000);
        let point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        both.then(|| char::from_u32(point))
            .flatten()
            .map(|c| (c, rest))
    });
    pair.unwrap_or((char::REPLACEMENT_CHARACTER, after))
}

fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}
