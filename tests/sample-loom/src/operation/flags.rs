//! Flags of one subcommand: which take a value, which are switches, what else stands there.

use super::Usage;

/// The flags and positional words of one argument vector.
pub(super) struct Flags {
    values: Vec<(String, String)>,
    switches: Vec<String>,
    words: Vec<String>,
}

impl Flags {
    /// Sorts the arguments. `--json` is required wherever it is a switch, since the
    /// sample prints nothing else.
    pub(super) fn read(rest: &[&str], valued: &[&str], switches: &[&str]) -> Result<Self, Usage> {
        let mut flags = Self {
            values: Vec::new(),
            switches: Vec::new(),
            words: Vec::new(),
        };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            if flags.has(word) {
                return Err(Usage::new(format!("{word} is given twice")));
            }
            if switches.contains(word) {
                flags.switches.push((*word).to_owned());
            } else if valued.contains(word) {
                // A lone `-` is standard input, which only --args-json takes.
                let takes = |value: &&&str| {
                    !value.starts_with('-') || **value == "-" && *word == "--args-json"
                };
                let value = rest
                    .next()
                    .filter(takes)
                    .ok_or_else(|| Usage::new(format!("{word} needs a value")))?;
                flags.values.push(((*word).to_owned(), (*value).to_owned()));
            } else if word.starts_with('-') {
                return Err(Usage::new(format!("unknown flag {word}")));
            } else {
                flags.words.push((*word).to_owned());
            }
        }
        if switches.contains(&"--json") && !flags.has("--json") {
            return Err(Usage::new("only --json output is served"));
        }
        Ok(flags)
    }

    pub(super) fn switch(&self, name: &str) -> bool {
        self.switches.iter().any(|switch| switch == name)
    }

    pub(super) fn value(&mut self, name: &str) -> Option<String> {
        let at = self.values.iter().position(|(flag, _)| flag == name)?;
        Some(self.values.swap_remove(at).1)
    }

    pub(super) fn choice(&mut self, name: &str, among: &[&str]) -> Result<Option<String>, Usage> {
        match self.value(name) {
            Some(value) if !among.contains(&value.as_str()) => {
                Err(Usage::new(format!("{name} takes {}", among.join(", "))))
            }
            value => Ok(value),
        }
    }

    pub(super) fn count(&mut self, name: &str, most: usize) -> Result<Option<usize>, Usage> {
        let Some(value) = self.value(name) else {
            return Ok(None);
        };
        match value.parse::<usize>() {
            Ok(count) if (1..=most).contains(&count) => Ok(Some(count)),
            _ => Err(Usage::new(format!(
                "{name} takes a number from 1 to {most}"
            ))),
        }
    }

    /// The only positional word, which must be there.
    pub(super) fn one(&mut self, what: &str) -> Result<String, Usage> {
        self.optional(what)?
            .ok_or_else(|| Usage::new(format!("expected {what}")))
    }

    /// The only positional word, if there is one.
    pub(super) fn optional(&mut self, what: &str) -> Result<Option<String>, Usage> {
        match self.words.len() {
            0 | 1 => Ok(self.words.pop()),
            _ => Err(Usage::new(format!(
                "expected {what}, found {} words",
                self.words.len()
            ))),
        }
    }

    pub(super) fn none(&mut self) -> Result<(), Usage> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => Err(Usage::new(format!("unexpected {word:?}"))),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.switch(name) || self.values.iter().any(|(flag, _)| flag == name)
    }
}
