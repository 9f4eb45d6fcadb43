//! JSON as the model gets it, laid out for a person: keys in their order, numbers as they were
//! written. What the demo itself says in it stands in ⟨…⟩, which no JSON text printed here contains.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::text::{columns, harmless, wrap};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json {
    Object(Vec<(String, Json)>),
    List(Vec<Json>),
    Text(String),
    /// A number, a boolean or null, as written.
    Word(String),
    /// The opening of a text, and what the demo says of the rest.
    Opening(String, String),
    /// The demo's own words in place of something.
    Note(String),
}

impl Json {
    pub(super) fn parse(text: &str) -> serde_json::Result<Self> {
        Self::of(serde_json::from_str(text)?)
    }

    fn of(raw: &RawValue) -> serde_json::Result<Self> {
        let text = raw.get();
        Ok(match text.bytes().next() {
            Some(b'{') => {
                let Entries(entries) = serde_json::from_str(text)?;
                let entries = entries.into_iter();
                let read = entries.map(|(key, value)| Ok((key, Self::of(value)?)));
                Self::Object(read.collect::<serde_json::Result<_>>()?)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(text)?;
                Self::List(items.into_iter().map(Self::of).collect::<Result<_, _>>()?)
            }
            Some(b'"') => Self::Text(serde_json::from_str(text)?),
            _ => Self::Word(text.to_owned()),
        })
    }

    /// A field of an object.
    pub(super) fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Self::Object(entries) => entries.iter().find(|(name, _)| name == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// A field that is a text.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key) {
            Some(Self::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// The items of a field that is a list.
    pub(super) fn items(&self, key: &str) -> &[Json] {
        match self.get(key) {
            Some(Self::List(items)) => items,
            _ => &[],
        }
    }

    /// On one line.
    pub(super) fn line(&self) -> String {
        match self {
            Self::Object(entries) => {
                let field =
                    |(key, value): &(String, Json)| format!("{}: {}", quoted(key), value.line());
                let fields: Vec<String> = entries.iter().map(field).collect();
                format!("{{{}}}", fields.join(", "))
            }
            Self::List(items) => {
                let items: Vec<String> = items.iter().map(Json::line).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Text(text) => quoted(text),
            Self::Word(word) => word.clone(),
            Self::Opening(text, note) => format!("{} ⟨{note}⟩", quoted(text)),
            Self::Note(note) => format!("⟨{note}⟩"),
        }
    }

    /// On lines of `width` columns, the first after `opening`. With `whole` a long text stays on
    /// its line, so that what is printed is still JSON.
    pub(super) fn lines(&self, opening: &str, width: usize, whole: bool) -> Vec<String> {
        let mut layout = Layout {
            width,
            whole,
            lines: Vec::new(),
        };
        layout.put(
            self,
            Around {
                indent: 0,
                before: opening,
                after: "",
            },
        );
        layout.lines
    }
}

struct Layout {
    width: usize,
    whole: bool,
    lines: Vec<String>,
}

/// What stands around a value on its line.
#[derive(Clone, Copy)]
struct Around<'a> {
    indent: usize,
    before: &'a str,
    after: &'a str,
}

impl Layout {
    /// Lays a value out; says whether it took one line.
    fn put(&mut self, json: &Json, around: Around<'_>) -> bool {
        let Around {
            indent,
            before,
            after,
        } = around;
        let line = format!("{:indent$}{before}{}{after}", "", json.line());
        if columns(&line) <= self.width {
            self.lines.push(line);
            return true;
        }
        let inner = indent + 2;
        let bracket = |bracket: &str| format!("{:indent$}{bracket}", "");
        match json {
            Json::Object(entries) => {
                self.lines.push(bracket(&format!("{before}{{")));
                let fields = entries
                    .iter()
                    .map(|(key, value)| (format!("{}: ", quoted(key)), value));
                self.inside(fields, entries.len(), inner);
                self.lines.push(bracket(&format!("}}{after}")));
            }
            Json::List(items) => {
                self.lines.push(bracket(&format!("{before}[")));
                let fields = items.iter().map(|item| (String::new(), item));
                self.inside(fields, items.len(), inner);
                self.lines.push(bracket(&format!("]{after}")));
            }
            _ if self.whole => self.lines.push(line),
            _ => self.wrapped(&line, indent),
        }
        false
    }

    /// What stands between two brackets; short neighbours share a line.
    fn inside<'j>(
        &mut self,
        fields: impl Iterator<Item = (String, &'j Json)>,
        of: usize,
        indent: usize,
    ) {
        let mut open = false;
        for (place, (before, value)) in fields.enumerate() {
            let around = Around {
                indent,
                before: &before,
                after: if place + 1 == of { "" } else { "," },
            };
            let short = self.put(value, around) && !matches!(value, Json::Object(_));
            open = short && {
                if open {
                    self.join();
                }
                true
            };
        }
    }

    /// Joins the last line to the one before it, where both fit.
    fn join(&mut self) {
        if let Some(last) = self.lines.pop() {
            let joined = last.trim_start();
            match self.lines.last_mut() {
                Some(line) if columns(line) + 1 + columns(joined) <= self.width => {
                    line.push(' ');
                    line.push_str(joined);
                }
                _ => self.lines.push(last),
            }
        }
    }

    fn wrapped(&mut self, line: &str, indent: usize) {
        let hang = indent + 4;
        let rest = self.width.saturating_sub(hang);
        let text = line.trim_start();
        let broken = wrap(text, self.width.saturating_sub(indent), rest);
        for (place, part) in broken.iter().enumerate() {
            let indent = if place == 0 { indent } else { hang };
            self.lines.push(format!("{:indent$}{part}", ""));
        }
    }
}

fn quoted(text: &str) -> String {
    harmless(&serde_json::Value::from(text).to_string())
}

/// An object's fields in their order.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnyObject)
    }
}

struct AnyObject;

impl<'de> Visitor<'de> for AnyObject {
    type Value = Entries<'de>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Entries<'de>, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            object.push(entry);
        }
        Ok(Entries(object))
    }
}
