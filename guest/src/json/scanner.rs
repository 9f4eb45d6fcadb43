//! A position in a JSON text, moved over one piece of grammar at a time: it decides what a string, a
//! number and a word are for all that reads JSON here, and what a whole value is for all that does
//! not build it. It keeps nothing.
//!
//! Moving over a value is iterative, so that no nesting can exhaust the stack.

use std::ops::Range;

use super::plain::plain_len;
use super::scan::Raw;
use super::text::{decode, unescape};
use super::{MAX_DEPTH, NotJson};

/// A property's name, as it stands between its quotes.
pub(super) struct Key<'a>(&'a [u8]);

impl Key<'_> {
    pub(super) fn is(&self, name: &str) -> bool {
        if self.0 == name.as_bytes() {
            return true;
        }
        // An escape is longer than what it stands for; what is no UTF-8 reads as U+FFFD, which a
        // name that is not ASCII may hold.
        let escaped = self.0.len() > name.len() && self.0.contains(&b'\\');
        (escaped || !name.is_ascii()) && unescape(&decode(self.0)) == name
    }
}

/// A position in a text, moved over one piece of grammar at a time.
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    pub(super) fn require(&mut self, byte: u8) -> Result<(), NotJson> {
        if self.take(byte) {
            Ok(())
        } else {
            Err(NotJson)
        }
    }

    pub(super) fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    pub(super) fn since(&self, start: usize) -> Result<Raw<'a>, NotJson> {
        self.bytes.get(start..self.at).map(Raw).ok_or(NotJson)
    }

    /// Moves over an object, calling `member` at the opening of each value.
    pub(super) fn object(
        &mut self,
        mut member: impl FnMut(&mut Self, Key<'a>) -> Result<(), NotJson>,
    ) -> Result<(), NotJson> {
        self.require(b'{')?;
        self.space();
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            self.space();
            let key = self.string()?;
            let key = Key(self.bytes.get(key).unwrap_or_default());
            self.colon()?;
            member(self, key)?;
            self.space();
            if !self.take(b',') {
                return self.require(b'}');
            }
        }
    }

    /// Moves over one value and counts its elements when it is a list.
    pub(super) fn counted(&mut self, room: usize) -> Result<(Raw<'a>, usize), NotJson> {
        if self.peek() != Some(b'[') {
            return Ok((self.value(room)?, 0));
        }
        let start = self.at;
        let inner = room.checked_sub(1).ok_or(NotJson)?;
        let mut count = 0;
        self.at += 1;
        self.space();
        if !self.take(b']') {
            loop {
                self.space();
                self.value(inner)?;
                count += 1;
                self.space();
                if !self.take(b',') {
                    self.require(b']')?;
                    break;
                }
            }
        }
        Ok((self.since(start)?, count))
    }

    /// Moves over one value in which containers nest at most `room` deep.
    pub(super) fn value(&mut self, room: usize) -> Result<Raw<'a>, NotJson> {
        let start = self.at;
        // One bit for each open container, the innermost lowest: 1 is an object.
        let mut kinds: u128 = 0;
        let mut depth = 0;
        loop {
            match self.peek() {
                Some(open @ (b'{' | b'[')) => {
                    if depth == room.min(MAX_DEPTH) {
                        return Err(NotJson);
                    }
                    self.at += 1;
                    self.space();
                    let object = open == b'{';
                    if !self.take(if object { b'}' } else { b']' }) {
                        depth += 1;
                        kinds = kinds << 1 | u128::from(object);
                        if object {
                            self.skip_string()?;
                            self.colon()?;
                        }
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            // A value has ended: go on in its container, or close it.
            loop {
                if depth == 0 {
                    return self.since(start);
                }
                let object = kinds & 1 == 1;
                self.space();
                if self.take(b',') {
                    self.space();
                    if object {
                        self.skip_string()?;
                        self.colon()?;
                    }
                    break;
                }
                self.require(if object { b'}' } else { b']' })?;
                depth -= 1;
                kinds >>= 1;
            }
        }
    }

    /// Moves over one value.
    pub(super) fn skip(&mut self) -> Result<(), NotJson> {
        self.value(MAX_DEPTH).map(drop)
    }

    pub(super) fn colon(&mut self) -> Result<(), NotJson> {
        self.space();
        self.require(b':')?;
        self.space();
        Ok(())
    }

    fn scalar(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            Some(b'"') => self.skip_string(),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            _ => self.skip_number(),
        }
    }

    pub(super) fn word(&mut self, word: &str) -> Result<(), NotJson> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        if !rest.starts_with(word.as_bytes()) {
            return Err(NotJson);
        }
        self.at += word.len();
        Ok(())
    }

    /// Moves over a number and returns where it stands.
    pub(super) fn number(&mut self) -> Result<Range<usize>, NotJson> {
        let start = self.at;
        self.skip_number()?;
        Ok(start..self.at)
    }

    fn skip_number(&mut self) -> Result<(), NotJson> {
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), NotJson> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(NotJson)
        } else {
            Ok(())
        }
    }

    /// Moves over a string and returns where its inside stands, escapes and all.
    pub(super) fn string(&mut self) -> Result<Range<usize>, NotJson> {
        let start = self.at + 1;
        self.skip_string()?;
        Ok(start..self.at - 1)
    }

    fn skip_string(&mut self) -> Result<(), NotJson> {
        self.require(b'"')?;
        loop {
            self.at += plain_len(self.bytes.get(self.at..).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some(b'\\') => self.escape()?,
                // A control character, or the end of the text.
                _ => return Err(NotJson),
            }
        }
    }

    fn escape(&mut self) -> Result<(), NotJson> {
        match self.bytes.get(self.at + 1) {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 2,
            Some(b'u') => {
                let hex = self.bytes.get(self.at + 2..self.at + 6).ok_or(NotJson)?;
                if !hex.iter().all(u8::is_ascii_hexdigit) {
                    return Err(NotJson);
                }
                self.at += 6;
            }
            _ => return Err(NotJson),
        }
        Ok(())
    }
}
