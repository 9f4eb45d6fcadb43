//! One object of a configuration file, read key by key: no key unknown, none twice.

use std::path::{Path, PathBuf};

use super::ConfigError;
use super::json::Json;

/// The keys of one object that are not yet taken.
pub(super) struct Keys<'a> {
    file: &'a Path,
    /// What stands before a key in a message: empty, or `transport.`.
    prefix: &'static str,
    entries: Vec<(String, Json)>,
}

impl<'a> Keys<'a> {
    /// The whole file as one object.
    pub(super) fn of_file(file: &'a Path, text: &[u8]) -> Result<Self, ConfigError> {
        let json = serde_json::from_slice(text).map_err(|error| {
            ConfigError::new(
                file,
                format!("this file is not JSON ({error}); correct it there."),
            )
        })?;
        match json {
            Json::Object(entries) => Self::of(file, "", entries),
            _ => Err(ConfigError::new(
                file,
                "this file must hold one JSON object; write `{ \"cliPath\": …, \"transport\": … }`.",
            )),
        }
    }

    fn of(
        file: &'a Path,
        prefix: &'static str,
        entries: Vec<(String, Json)>,
    ) -> Result<Self, ConfigError> {
        let keys = Self {
            file,
            prefix,
            entries,
        };
        let mut seen = Vec::new();
        for (key, _) in &keys.entries {
            if seen.contains(&key) {
                return Err(keys.refuse(key, "is given twice; keep one of the two."));
            }
            seen.push(key);
        }
        Ok(keys)
    }

    /// Refuses every key that is not in `known`. Called before a key is missed: a misspelt key is
    /// then named as such.
    pub(super) fn only(&self, known: &[&str]) -> Result<(), ConfigError> {
        let unknown = self
            .entries
            .iter()
            .find(|(key, _)| !known.contains(&key.as_str()));
        let Some((key, _)) = unknown else {
            return Ok(());
        };
        let remedy = match nearest(key, known) {
            Some(near) => format!(
                "is not a known key; write `{}{near}` or remove it.",
                self.prefix
            ),
            None => format!(
                "is not a known key; remove it (known here: `{}`).",
                known.join("`, `")
            ),
        };
        Err(self.refuse(key, &remedy))
    }

    /// Takes `key`, if it is there.
    pub(super) fn take(&mut self, key: &str) -> Option<Json> {
        let place = self.entries.iter().position(|(name, _)| name == key)?;
        Some(self.entries.remove(place).1)
    }

    /// Takes the object under `key`; its keys are named with `prefix`.
    pub(super) fn object(&mut self, key: &str, prefix: &'static str) -> Result<Self, ConfigError> {
        match self.take(key) {
            Some(Json::Object(entries)) => Self::of(self.file, prefix, entries),
            None => Err(self.refuse(key, "is missing; add it.")),
            Some(_) => Err(self.refuse(key, "must be an object; write it as `{ \"kind\": … }`.")),
        }
    }

    /// Takes a string.
    pub(super) fn text(&mut self, key: &str) -> Result<Option<String>, ConfigError> {
        match self.take(key) {
            None => Ok(None),
            Some(Json::Text(text)) => Ok(Some(text)),
            Some(_) => Err(self.refuse(key, "must be a string; write it in quotes.")),
        }
    }

    /// Takes a string that must be there.
    pub(super) fn required_text(&mut self, key: &str) -> Result<String, ConfigError> {
        self.text(key)?
            .ok_or_else(|| self.refuse(key, "is missing; add it."))
    }

    /// Takes an absolute path.
    pub(super) fn path(&mut self, key: &str) -> Result<Option<PathBuf>, ConfigError> {
        let Some(text) = self.text(key)? else {
            return Ok(None);
        };
        if text.contains(char::is_control) {
            return Err(self.refuse(key, "holds a control character; write the path without it."));
        }
        let path = PathBuf::from(text);
        if !path.is_absolute() {
            return Err(self.refuse(key, "must be an absolute path; write it from `/` on."));
        }
        Ok(Some(path))
    }

    /// Takes an absolute path that must be there.
    pub(super) fn required_path(&mut self, key: &str) -> Result<PathBuf, ConfigError> {
        self.path(key)?
            .ok_or_else(|| self.refuse(key, "is missing; add it."))
    }

    /// The refusal of `key`; `problem` says what is wrong and what to do about it.
    pub(super) fn refuse(&self, key: &str, problem: &str) -> ConfigError {
        // A key is quoted as it is written, but must not end the line it is printed on.
        let key: String = key.chars().filter(|c| !c.is_control()).collect();
        ConfigError::new(self.file, format!("`{}{key}` {problem}", self.prefix))
    }
}

/// The known key that `key` was probably meant to be: the same but for case, or two edits away.
fn nearest<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let key = key.to_lowercase();
    known
        .iter()
        .map(|name| (strsim::levenshtein(&key, &name.to_lowercase()), *name))
        .filter(|(edits, name)| *edits <= 2 && *edits < name.len() / 2)
        .min()
        .map(|(_, name)| name)
}
