//! Checks a whole JSON text in one pass and hands out slices of it: a payload's rows are counted
//! here without being built, and a row is built only when it is about to be shown.
//!
//! It reads bytes, so that a whole answer need not be checked to be UTF-8: what is not UTF-8 is JSON
//! nowhere but inside a string, and every slice handed out opens and ends with an ASCII byte, which
//! no sequence reaches across. So a slice decoded by itself reads as it does in the decoded whole.

use std::borrow::Cow;

use super::scanner::Scanner;
use super::text::{decode, unescape};
use super::write::string;
use super::{MAX_DEPTH, NotJson};

/// The bytes of exactly one value that was checked to be JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Raw<'a>(pub(super) &'a [u8]);

/// What one pass over a payload finds.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    /// The payload itself.
    pub(crate) raw: Raw<'a>,
    /// How many elements the payload has, when it is a list.
    pub(crate) count: usize,
    wanted: &'a [&'a str],
    members: Vec<Option<Member<'a>>>,
}

/// A member of the payload that was asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    pub(crate) raw: Raw<'a>,
    /// How many elements it has, when it is a list.
    pub(crate) count: usize,
}

/// Checks that `json` is JSON and finds the `wanted` members of its root object; a member that
/// stands twice has its last value.
pub(crate) fn outline<'a>(
    json: &'a (impl AsRef<[u8]> + ?Sized),
    wanted: &'a [&'a str],
) -> Result<Outline<'a>, NotJson> {
    let mut scanner = Scanner::new(json.as_ref());
    scanner.space();
    let start = scanner.at;
    let mut members = vec![None; wanted.len()];
    let mut count = 0;
    match scanner.peek() {
        Some(b'{') => scanner.object(|scanner, key| {
            let at = wanted.iter().position(|name| key.is(name));
            let (raw, count) = scanner.counted(MAX_DEPTH - 1)?;
            if let Some(slot) = at.and_then(|at| members.get_mut(at)) {
                *slot = Some(Member { raw, count });
            }
            Ok(())
        })?,
        _ => count = scanner.counted(MAX_DEPTH)?.1,
    }
    let raw = scanner.since(start)?;
    scanner.space();
    if scanner.peek().is_some() {
        return Err(NotJson);
    }
    Ok(Outline {
        raw,
        count,
        wanted,
        members,
    })
}

impl<'a> Outline<'a> {
    /// The member of that name, which must be among those wanted.
    pub(crate) fn member(&self, name: &str) -> Option<Member<'a>> {
        let at = self.wanted.iter().position(|wanted| *wanted == name)?;
        self.members.get(at).copied().flatten()
    }
}

impl<'a> Raw<'a> {
    /// The value's text; what is not UTF-8 reads as U+FFFD.
    pub(crate) fn text(self) -> Cow<'a, str> {
        decode(self.0)
    }

    /// Bytes of the value as compact JSON, without building it: a duplicate key counts each time it
    /// stands.
    pub(crate) fn compact_len(self) -> usize {
        let mut scanner = Scanner::new(self.0);
        let mut written = String::new();
        let mut len = 0;
        loop {
            scanner.space();
            match scanner.peek() {
                None => return len,
                Some(b'"') => {
                    // The text was checked: every string in it ends.
                    let inside = scanner.string().ok().and_then(|at| self.0.get(at));
                    written.clear();
                    string(&mut written, &unescape(&decode(inside.unwrap_or_default())));
                    len += written.len();
                }
                Some(byte) => len += usize::from(scanner.take(byte)),
            }
        }
    }

    /// Whether it is that literal.
    pub(crate) fn is(self, literal: &str) -> bool {
        self.0 == literal.as_bytes()
    }

    pub(crate) fn is_object(self) -> bool {
        self.0.starts_with(b"{")
    }

    pub(crate) fn is_list(self) -> bool {
        self.0.starts_with(b"[")
    }

    /// Finds the `wanted` members, when this is an object.
    pub(crate) fn outline(self, wanted: &'a [&'a str]) -> Option<Outline<'a>> {
        outline(self.0, wanted).ok()
    }

    /// The elements of a list, one at a time; none when it is no list.
    pub(crate) fn elements(self) -> Elements<'a> {
        let mut scanner = Scanner::new(self.0);
        let open = scanner.take(b'[') && {
            scanner.space();
            scanner.peek() != Some(b']')
        };
        Elements { scanner, open }
    }

    /// The last member of that name, when this is an object that has one.
    pub(crate) fn member(self, name: &str) -> Option<Raw<'a>> {
        let mut found = None;
        if self.is_object() {
            // The text was checked: a second scan of it cannot fail.
            let _ = Scanner::new(self.0).object(|scanner, key| {
                let raw = scanner.value(MAX_DEPTH)?;
                if key.is(name) {
                    found = Some(raw);
                }
                Ok(())
            });
        }
        found
    }
}

/// The elements of a checked list.
pub(crate) struct Elements<'a> {
    scanner: Scanner<'a>,
    open: bool,
}

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Raw<'a>> {
        if !self.open {
            return None;
        }
        self.scanner.space();
        let raw = self.scanner.value(MAX_DEPTH).ok()?;
        self.scanner.space();
        self.open = self.scanner.take(b',');
        Some(raw)
    }
}
