//! The argument vectors that [`command_line`](crate::command_line) can render, as a table for
//! people: one shape for each kind of request, and the rule for each part of it. Tests render
//! operations and hold them against this table, in both directions.

use std::borrow::Cow;

use crate::command_line::{MAX_HITS, MAX_PAGES};
use crate::grant::Kind;
use crate::rules::{MAX_ARGUMENTS, MAX_COMMAND_ID, MAX_DEPTH, MAX_TEXT, MAX_VERSION};

/// What follows the CLI's own name for one kind of request.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) kind: Kind,
    pub(crate) parts: &'static [Part],
    /// What is sent on standard input; it is null for every other kind.
    pub(crate) stdin: Option<Rule>,
    /// What the parts do not say.
    pub(crate) note: Option<&'static str>,
}

/// A part of an argument vector.
#[derive(Debug)]
pub(crate) enum Part {
    /// This word.
    Word(&'static str),
    /// One argument that the component chose, under a rule.
    Value(&'static str, Rule),
    /// These parts, or none of them.
    Maybe(&'static [Part]),
}

/// What a text must keep; [`rules`](crate::rules) decides it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    Text,
    Lookup,
    Date,
    Limit(u32),
    OneOf(&'static [&'static str]),
    CommandId,
    LoomId,
    Version,
    Arguments,
}

use Part::{Maybe, Value, Word};

const JSON: Part = Word("--json");
const CONCISE: Part = Word("--concise");
const PAGE_KINDS: &[&str] = &["all", "project", "projects", "entity", "entities"];

/// Every kind of request, in the interface's order.
pub(crate) const SHAPES: [Shape; 10] = [
    Shape {
        kind: Kind::Search,
        parts: &[
            Word("search"),
            Maybe(&[Value("QUERY", Rule::Text)]),
            JSON,
            Maybe(&[Word("--sources"), Value("SOURCES", Rule::Text)]),
            Maybe(&[Word("--since"), Value("SINCE", Rule::Text)]),
            Maybe(&[Word("--until"), Value("UNTIL", Rule::Text)]),
            Maybe(&[Word("--tz"), Value("TZ", Rule::Text)]),
            Maybe(&[Word("--person"), Value("PERSON", Rule::Text)]),
            Maybe(&[Word("--limit"), Value("LIMIT", Rule::Limit(MAX_HITS))]),
            Maybe(&[
                Word("--rank"),
                Value("RANK", Rule::OneOf(&["recency", "score"])),
            ]),
        ],
        stdin: None,
        note: Some("QUERY or PERSON, or both, are there"),
    },
    Shape {
        kind: Kind::PageDiscover,
        parts: &[
            Word("page"),
            Word("discover"),
            JSON,
            CONCISE,
            Maybe(&[Word("--kind"), Value("KIND", Rule::OneOf(PAGE_KINDS))]),
            Maybe(&[Word("--limit"), Value("LIMIT", Rule::Limit(MAX_PAGES))]),
        ],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::PageInspect,
        parts: &[
            Word("page"),
            Word("inspect"),
            Value("TARGET", Rule::Text),
            JSON,
            CONCISE,
        ],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::PageRead,
        parts: &[
            Word("page"),
            Word("read"),
            Value("TARGET", Rule::Text),
            JSON,
        ],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::People,
        parts: &[
            Word("people"),
            Value("LOOKUP", Rule::Lookup),
            JSON,
            Maybe(&[
                Word("--shape"),
                Value("SHAPE", Rule::OneOf(&["summary", "card"])),
            ]),
        ],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::CalendarList,
        parts: &[
            Word("calendar"),
            Word("list"),
            JSON,
            Maybe(&[Word("--all")]),
            Maybe(&[Word("--from"), Value("FROM", Rule::Date)]),
            Maybe(&[Word("--to"), Value("TO", Rule::Date)]),
        ],
        stdin: None,
        note: Some("--all goes with neither --from nor --to"),
    },
    Shape {
        kind: Kind::Context,
        parts: &[
            Word("context"),
            Value("STATE", Rule::OneOf(&["where", "activity"])),
            JSON,
            Maybe(&[Word("--at"), Value("AT", Rule::Text)]),
            Maybe(&[Word("--since"), Value("SINCE", Rule::Text)]),
            Maybe(&[Word("--until"), Value("UNTIL", Rule::Text)]),
        ],
        stdin: None,
        note: Some("--since and --until go with `activity` only"),
    },
    Shape {
        kind: Kind::Profile,
        parts: &[Word("profile"), JSON, Maybe(&[Word("--fresh")])],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::CommandList,
        parts: &[Word("command"), Word("list"), JSON],
        stdin: None,
        note: None,
    },
    Shape {
        kind: Kind::CommandRun,
        parts: &[
            Word("command"),
            Word("run"),
            Value("COMMAND", Rule::CommandId),
            Word("--args-json"),
            Word("-"),
            JSON,
            Maybe(&[Word("--loom"), Value("LOOM", Rule::LoomId)]),
            Maybe(&[Word("--expect"), Value("VERSION", Rule::Version)]),
            Maybe(&[Word("--read-only")]),
        ],
        stdin: Some(Rule::Arguments),
        note: Some("--read-only is there unless the run may write"),
    },
];

impl Shape {
    /// The argument vector as a usage line.
    pub(crate) fn usage(&self) -> String {
        usage(self.parts)
    }

    /// Each value of the vector, with its rule.
    pub(crate) fn values(&self) -> Vec<(&'static str, Rule)> {
        values(self.parts)
    }
}

fn usage(parts: &[Part]) -> String {
    let parts: Vec<Cow<'_, str>> = parts
        .iter()
        .map(|part| match part {
            Word(word) | Value(word, _) => (*word).into(),
            Maybe(parts) => format!("[{}]", usage(parts)).into(),
        })
        .collect();
    parts.join(" ")
}

fn values(parts: &[Part]) -> Vec<(&'static str, Rule)> {
    let values = parts.iter().flat_map(|part| match part {
        Word(_) => Vec::new(),
        Value(name, rule) => vec![(*name, *rule)],
        Maybe(parts) => values(parts),
    });
    values.collect()
}

impl Rule {
    /// The rule as a phrase.
    pub(crate) fn phrase(self) -> String {
        match self {
            Self::Text => {
                format!("1 to {MAX_TEXT} characters, no control character, not opening with `-`")
            }
            Self::Lookup => format!(
                "{}; an email, a phone number, `handle:…`, `person:…`, `group:…` or \
                 `People/<Name>/about.md`",
                Self::Text.phrase()
            ),
            Self::Date => "a day of the years 0001 to 9999 as `YYYY-MM-DD`".into(),
            Self::Limit(most) => format!("1 to {most}"),
            Self::OneOf(choices) => format!("one of {}", choices.join(", ")),
            Self::CommandId => {
                format!("at most {MAX_COMMAND_ID} characters of dotted lower-case names")
            }
            Self::LoomId => "`loom-` and sixteen hexadecimal digits".into(),
            Self::Version => format!("0 to {MAX_VERSION}"),
            Self::Arguments => format!(
                "a JSON object of at most {MAX_ARGUMENTS} bytes, nested at most {MAX_DEPTH} deep"
            ),
        }
    }
}

#[cfg(test)]
mod tests;
