//! Reads a tool's input field by field. What it refuses it refuses with a sentence for the model
//! that names the field and quotes at most 64 characters of the model's own words.

use crate::json::{Object, Value, parse};
use crate::rules::{self, MAX_TEXT, TextFault, clip};

/// Why an input is refused: one sentence for the model.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

/// A tool's input: an object that has no field the tool does not take.
#[derive(Debug)]
pub(crate) struct Input(Object);

impl Input {
    /// Reads the text of an input; a missing one reads as `{}`.
    pub(crate) fn read(text: &str, takes: &[&str]) -> Result<Self, Refusal> {
        if text.is_empty() {
            return Ok(Self(Object::default()));
        }
        match parse(text) {
            Ok(Value::Object(object)) => Self::of(object, takes),
            Ok(_) => Err(Refusal("The input must be a JSON object.".to_owned())),
            Err(_) => Err(Refusal("The input is not JSON.".to_owned())),
        }
    }

    pub(crate) fn of(object: Object, takes: &[&str]) -> Result<Self, Refusal> {
        if let Some((name, _)) = object.iter().find(|(name, _)| !takes.contains(name)) {
            return Err(Refusal(format!("Unknown field `{}`.", clip(name))));
        }
        Ok(Self(object))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Free text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>, Refusal> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let length = || {
            Refusal(format!(
                "`{name}` must be a string of 1 to {MAX_TEXT} characters."
            ))
        };
        let text = value.as_str().ok_or_else(length)?;
        match rules::text(text) {
            Ok(()) => Ok(Some(text.to_owned())),
            Err(TextFault::Length) => Err(length()),
            Err(TextFault::Control) => Err(Refusal(format!(
                "`{name}` must not hold a control character."
            ))),
            Err(TextFault::Dash) => Err(Refusal(format!("`{name}` must not open with `-`."))),
        }
    }

    /// A field that has to be there.
    pub(crate) fn required<T>(&self, name: &str, read: Option<T>) -> Result<T, Refusal> {
        read.ok_or_else(|| Refusal(format!("`{name}` is required.")))
    }

    /// One of a closed set of names.
    pub(crate) fn choice<T: Copy>(
        &self,
        name: &str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Refusal> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        let chosen = |text: &str| choices.iter().find(|(choice, _)| *choice == text);
        match value.as_str().and_then(chosen) {
            Some(&(_, choice)) => Ok(Some(choice)),
            None => {
                let names: Vec<&str> = choices.iter().map(|&(choice, _)| choice).collect();
                Err(Refusal(format!(
                    "`{name}` must be one of {}.",
                    names.join(", ")
                )))
            }
        }
    }

    /// An integer from 1 to `most`.
    pub(crate) fn limit(&self, name: &str, most: u32) -> Result<Option<u32>, Refusal> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value
            .as_integer_to(most.into())
            .and_then(|n| u32::try_from(n).ok())
        {
            Some(limit) if limit >= 1 => Ok(Some(limit)),
            _ => Err(Refusal(format!(
                "`{name}` must be an integer from 1 to {most}."
            ))),
        }
    }

    /// True or false; false when it is left out.
    pub(crate) fn flag(&self, name: &str) -> Result<bool, Refusal> {
        match self.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => Err(Refusal(format!("`{name}` must be true or false."))),
        }
    }
}
