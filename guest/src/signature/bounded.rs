//! Text that stops at a bound: whoever writes past it is told so at once, so that nothing is
//! rendered which could not be shown. The units are UTF-16 (contract, section 1).

use crate::json::utf16_len;

/// The text passed its bound; what writes it stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Full;

/// A text of at most so many units, and whether more was to come.
pub(super) struct Bounded {
    text: String,
    units: usize,
    most: usize,
    full: bool,
}

impl Bounded {
    pub(super) fn new(most: usize) -> Self {
        Self {
            text: String::new(),
            units: 0,
            most,
            full: false,
        }
    }

    /// What `write` writes, up to the bound. That it was stopped is kept in the text.
    pub(super) fn written(most: usize, write: impl FnOnce(&mut Self) -> Result<(), Full>) -> Self {
        let mut bounded = Self::new(most);
        bounded.full |= write(&mut bounded).is_err();
        bounded
    }

    pub(super) fn push(&mut self, ch: char) -> Result<(), Full> {
        let units = self.units + ch.len_utf16();
        // Once full it stays full: a narrower character must not slip in after a wider one.
        if self.full || units > self.most {
            self.full = true;
            return Err(Full);
        }
        self.text.push(ch);
        self.units = units;
        Ok(())
    }

    pub(super) fn push_str(&mut self, text: &str) -> Result<(), Full> {
        text.chars().try_for_each(|ch| self.push(ch))
    }

    pub(super) fn units(&self) -> usize {
        self.units
    }

    /// The text as far as it was taken.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The whole text, when it is within its bound.
    pub(super) fn whole(self) -> Result<String, Full> {
        if self.full { Err(Full) } else { Ok(self.text) }
    }

    /// The text, when it passed its bound cut to it with `…` as the last.
    pub(super) fn ended(mut self) -> String {
        if self.full {
            while self.units + utf16_len("…") > self.most {
                let Some(last) = self.text.pop() else { break };
                self.units -= last.len_utf16();
            }
            self.text.push('…');
        }
        self.text
    }
}
