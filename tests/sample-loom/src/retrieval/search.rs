//! `loom search`: words, people, sources and time over the rows of the view.
//!
//! Words match anywhere in a row, in any script, which suits Japanese as well as Greek.
//! Rows that hold every word come alone; only when there are none do rows that hold some
//! of them stand in, and a warning says so.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::people::{Found, resolve_anyone};
use super::{View, labeled};
use crate::answer::Answer;
use crate::clock::{Edge, format_instant, parse_moment, parse_zone};
use crate::data::Row;
use crate::operation::Search;

const SOURCES: [&str; 3] = ["mail", "messages", "notes"];
const DEFAULT_LIMIT: usize = 25;

/// A row that matches: how many of the words it holds, and how well.
struct Hit {
    words: usize,
    score: u32,
    row: Row,
}

pub(crate) fn search(view: &View<'_>, search: &Search, schema: Option<&Value>) -> Answer {
    let person = match search
        .person
        .as_deref()
        .map(|name| resolve_anyone(view, name))
    {
        None => None,
        Some(Found::One(person)) => Some(person.slug.clone()),
        Some(Found::Nobody) => return Answer::failure(1, "loom: no such person\n"),
        Some(Found::Several(names)) => {
            return Answer::failure(3, format!("loom: contested: {}\n", names.join(", ")));
        }
    };
    let mut warnings = Vec::new();
    let zone = match search.zone.as_deref().map(|text| (text, parse_zone(text))) {
        None => 0,
        Some((_, Some(zone))) => zone,
        Some((text, None)) => {
            warnings.push(format!("unknown time zone {text}, using UTC"));
            0
        }
    };
    let sources = sources(search.sources.as_deref(), &mut warnings);
    let moment = |text: &Option<String>, edge| {
        text.as_deref()
            .and_then(|text| parse_moment(text, zone, edge))
    };
    let since = moment(&search.since, Edge::Start).unwrap_or(i64::MIN);
    let until = moment(&search.until, Edge::End).unwrap_or(i64::MAX);
    let words = words(search.query.as_deref().unwrap_or_default());

    let written = view.state.rows();
    let candidates = view
        .rows()
        .chain(written.iter().filter(|row| view.shows(&row.facet)));
    let mut hits: Vec<Hit> = candidates
        .filter(|row| sources.contains(row.source.as_str()))
        .filter(|row| (since..=until).contains(&row.at))
        .filter(|row| person.as_ref().is_none_or(|slug| row.who.contains(slug)))
        .filter_map(|row| weigh(row, &words))
        .collect();
    if hits.iter().any(|hit| hit.words == words.len()) {
        hits.retain(|hit| hit.words == words.len());
    } else if !hits.is_empty() {
        warnings.push("no row holds every word; these hold some".to_owned());
    }
    hits.sort_by_key(|hit| {
        let score = if search.by_recency || words.is_empty() {
            0
        } else {
            hit.score
        };
        (Reverse(score), Reverse(hit.row.at), hit.row.id.clone())
    });
    let limit = search.limit.unwrap_or(DEFAULT_LIMIT);
    let truncated = hits.len() > limit;
    hits.truncate(limit);

    let mut payload = Map::new();
    if let Some(version) = schema {
        payload.insert("schemaVersion".to_owned(), version.clone());
    }
    payload.insert("query".to_owned(), json!(search.query));
    payload.insert("source_status".to_owned(), status(view, &sources));
    payload.insert("warnings".to_owned(), json!(warnings));
    payload.insert("truncated".to_owned(), json!(truncated));
    payload.insert(
        "hits".to_owned(),
        hits.iter().map(|hit| shown(hit, zone)).collect(),
    );
    Answer::json(&Value::Object(payload))
}

fn shown(hit: &Hit, zone: i32) -> Value {
    let row = &hit.row;
    let value = json!({
        "id": row.id,
        "source": row.source,
        "when": format_instant(row.at, zone),
        "who": row.names,
        "title": row.title,
        "text": row.text,
        "facet": row.facet,
        "score": hit.score,
    });
    labeled(value, row.ifc.as_ref())
}

fn weigh(row: &Row, words: &[String]) -> Option<Hit> {
    let title = row.title.to_lowercase();
    let (mut held, mut score) = (0, 0);
    for word in words
        .iter()
        .filter(|word| row.haystack.contains(word.as_str()))
    {
        held += 1;
        score += if title.contains(word.as_str()) { 3 } else { 1 };
    }
    (held > 0 || words.is_empty()).then(|| Hit {
        words: held,
        score,
        row: row.clone(),
    })
}

fn words(query: &str) -> Vec<String> {
    const IDLE: [&str; 10] = [
        "the", "a", "an", "of", "and", "for", "in", "to", "about", "what",
    ];
    let edge = |c: char| !c.is_alphanumeric() && c.is_ascii();
    let mut seen = BTreeSet::new();
    let mut words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    words
        .iter_mut()
        .for_each(|word| *word = word.trim_matches(edge).to_owned());
    words.retain(|word| {
        !word.is_empty() && !IDLE.contains(&word.as_str()) && seen.insert(word.clone())
    });
    words
}

fn sources<'a>(asked: Option<&str>, warnings: &mut Vec<String>) -> BTreeSet<&'a str> {
    let Some(asked) = asked else {
        return SOURCES.into();
    };
    let mut chosen = BTreeSet::new();
    for name in asked
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
    {
        match SOURCES.iter().find(|source| **source == name) {
            Some(source) => {
                chosen.insert(*source);
            }
            None => warnings.push(format!("unknown source {name}")),
        }
    }
    chosen
}

fn status(view: &View<'_>, sources: &BTreeSet<&str>) -> Value {
    let of = |source: &&str| {
        let rows = view.rows().filter(|row| row.source == *source).count();
        ((*source).to_owned(), json!({ "state": "ok", "rows": rows }))
    };
    Value::Object(sources.iter().map(of).collect())
}
