//! The four kinds of record the sample holds, and how each is read from its line of JSON.

use serde_json::Value;

use super::{ifc, long};
use crate::clock::{DAY, parse_day, parse_instant};

/// A row of a connector: a mail, a message or a note.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) at: i64,
    /// Slugs of the people the row names.
    pub(crate) who: Vec<String>,
    /// What the row says of its sender and its people, for a reader.
    pub(crate) names: Vec<String>,
    pub(crate) facet: String,
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) ifc: Option<Value>,
    /// Title, names and text in lower case, which a query is matched against.
    pub(crate) haystack: String,
}

/// A Page of the File Cabinet, or a Document.
pub(crate) struct Page {
    pub(crate) target: String,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) facet: String,
    pub(crate) version: u64,
    pub(crate) updated: String,
    pub(crate) summary: String,
    pub(crate) links: Vec<String>,
    pub(crate) body: String,
    /// A Document that cannot be opened.
    pub(crate) damaged: bool,
    pub(crate) ifc: Option<Value>,
}

/// Someone Mira knows.
pub(crate) struct Person {
    pub(crate) slug: String,
    pub(crate) name: String,
    pub(crate) latin: Option<String>,
    pub(crate) facet: String,
    pub(crate) emails: Vec<String>,
    pub(crate) phones: Vec<String>,
    pub(crate) handles: Vec<String>,
    pub(crate) groups: Vec<String>,
    pub(crate) summary: String,
    pub(crate) ifc: Option<Value>,
}

/// An entry of the calendar.
pub(crate) struct Event {
    pub(crate) id: String,
    pub(crate) start: i64,
    pub(crate) end: i64,
    pub(crate) all_day: bool,
    pub(crate) title: String,
    pub(crate) place: Option<String>,
    pub(crate) names: Vec<String>,
    pub(crate) notes: Option<String>,
    pub(crate) facet: String,
    pub(crate) ifc: Option<Value>,
}

impl Row {
    /// Finishes a row: names its people and prepares it to be matched.
    pub(crate) fn finish(mut self, people: &[Person]) -> Self {
        self.names.extend(names(&self.who, people));
        self.haystack =
            format!("{}\n{}\n{}", self.title, self.names.join("\n"), self.text).to_lowercase();
        self
    }

    pub(super) fn read(line: &Value, people: &[Person]) -> Option<Self> {
        let id = text(line, "id")?;
        let body = match line.get("special").and_then(Value::as_str) {
            Some("long") => long::planting_notes(),
            _ => text(line, "text")?,
        };
        let row = Self {
            source: text(line, "source")?,
            at: parse_instant(&text(line, "when")?, 0)?,
            who: list(line, "who"),
            names: text(line, "from").into_iter().collect(),
            facet: text(line, "facet")?,
            title: text(line, "title")?,
            text: body,
            ifc: label(line),
            haystack: String::new(),
            id,
        };
        Some(row.finish(people))
    }
}

impl Page {
    pub(super) fn read(line: Value) -> Option<Self> {
        let special = line.get("special").and_then(Value::as_str);
        let mut body = text(&line, "body")?;
        match special {
            Some("straddle") => long::straddle(&mut body),
            Some("diary") => long::diary(&mut body),
            _ => {}
        }
        Some(Self {
            target: text(&line, "target")?,
            kind: text(&line, "kind")?,
            title: text(&line, "title")?,
            facet: text(&line, "facet")?,
            version: line.get("version").and_then(Value::as_u64)?,
            updated: text(&line, "updated")?,
            summary: text(&line, "summary")?,
            links: list(&line, "links"),
            body,
            damaged: special == Some("damaged"),
            ifc: label(&line),
        })
    }
}

impl Person {
    pub(super) fn read(line: Value) -> Option<Self> {
        Some(Self {
            slug: text(&line, "slug")?,
            name: text(&line, "name")?,
            latin: text(&line, "latin"),
            facet: text(&line, "facet")?,
            emails: list(&line, "emails"),
            phones: list(&line, "phones"),
            handles: list(&line, "handles"),
            groups: list(&line, "groups"),
            summary: text(&line, "summary")?,
            ifc: label(&line),
        })
    }

    /// The name for a reader: the name as written, with its Latin spelling beside it.
    pub(crate) fn shown(&self) -> String {
        match &self.latin {
            Some(latin) => format!("{} ({latin})", self.name),
            None => self.name.clone(),
        }
    }

    /// The target of the person's Page.
    pub(crate) fn target(&self) -> String {
        format!("People/{}/about.md", self.name)
    }

    pub(super) fn page(&self) -> Page {
        let body = format!(
            "# {}\n\n{}\n\n- Mail: {}\n- Phone: {}\n- Groups: {}\n",
            self.shown(),
            self.summary,
            self.emails.join(", "),
            self.phones.join(", "),
            self.groups.join(", "),
        );
        Page {
            target: self.target(),
            kind: "entity".to_owned(),
            title: self.name.clone(),
            facet: self.facet.clone(),
            version: 1,
            updated: "2026-03-01T09:00:00Z".to_owned(),
            summary: self.summary.clone(),
            links: Vec::new(),
            body,
            damaged: false,
            ifc: self.ifc.clone(),
        }
    }
}

impl Event {
    pub(super) fn read(line: &Value, people: &[Person]) -> Option<Self> {
        let start = text(line, "start")?;
        let day = parse_day(&start).map(|day| day * DAY);
        let at = day.or_else(|| parse_instant(&start, 0))?;
        let minutes = line.get("minutes").and_then(Value::as_i64).unwrap_or(0);
        Some(Self {
            id: text(line, "id")?,
            start: at,
            end: if day.is_some() {
                at + DAY
            } else {
                at + minutes * 60
            },
            all_day: day.is_some(),
            title: text(line, "title")?,
            place: text(line, "where"),
            names: names(&list(line, "with"), people),
            notes: text(line, "notes"),
            facet: text(line, "facet")?,
            ifc: label(line),
        })
    }
}

pub(super) fn names(slugs: &[String], people: &[Person]) -> Vec<String> {
    let known = |slug: &String| people.iter().find(|person| person.slug == *slug);
    slugs.iter().filter_map(known).map(Person::shown).collect()
}

fn text(line: &Value, key: &str) -> Option<String> {
    line.get(key)?.as_str().map(str::to_owned)
}

fn list(line: &Value, key: &str) -> Vec<String> {
    let items = line.get(key).and_then(Value::as_array);
    items
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(str::to_owned)
        .collect()
}

fn label(line: &Value) -> Option<Value> {
    line.get("label").and_then(Value::as_str).and_then(ifc)
}
