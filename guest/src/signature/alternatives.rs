//! What a position reads: alternatives in the order first seen, each once.
//!
//! A union inside a union writes into the same list, so that a text is compared and copied once
//! however deep it stands, and a duplicate is found across levels.

use super::LINE;
use super::bounded::Full;
use crate::json::utf16_len;

/// The alternatives of one position. They never come to more than a line.
#[derive(Default, PartialEq)]
pub(super) struct Alternatives {
    texts: Vec<String>,
    units: usize,
    /// Whether an alternative holds a `|` outside quotes.
    inner_bar: bool,
}

impl Alternatives {
    /// Adds one alternative, unless it stands already.
    pub(super) fn add(&mut self, text: String) -> Result<(), Full> {
        // A line holds so few that looking through all of them is a constant.
        if self.texts.contains(&text) {
            return Ok(());
        }
        let units = self.units + utf16_len("|") + utf16_len(&text);
        // The first has no `|` before it.
        if units > LINE + utf16_len("|") {
            return Err(Full);
        }
        self.units = units;
        self.texts.push(text);
        Ok(())
    }

    /// Adds an array of what `element` reads. As the contract has it, a `|` anywhere outside
    /// quotes asks for parentheses, so a list of `(a|b)[]` is `((a|b)[])[]`.
    pub(super) fn add_array(&mut self, element: Self) -> Result<(), Full> {
        let bar = element.inner_bar || element.texts.len() > 1;
        let element = element.into_text();
        self.add(if bar {
            format!("({element})[]")
        } else {
            element + "[]"
        })?;
        self.inner_bar |= bar;
        Ok(())
    }

    /// Adds all of `other`.
    pub(super) fn append(&mut self, other: Self) -> Result<(), Full> {
        if self.texts.is_empty() {
            *self = other;
            return Ok(());
        }
        self.inner_bar |= other.inner_bar;
        other.texts.into_iter().try_for_each(|text| self.add(text))
    }

    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Takes back an `any` that was added past the first `len`.
    pub(super) fn take_back(&mut self, len: usize) {
        for text in self.texts.drain(len.min(self.texts.len())..) {
            self.units -= utf16_len("|") + utf16_len(&text);
        }
    }

    pub(super) fn into_text(mut self) -> String {
        if self.texts.len() == 1 {
            return self.texts.pop().unwrap_or_default();
        }
        self.texts.join("|")
    }
}
