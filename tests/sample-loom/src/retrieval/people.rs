//! `loom people`: a lookup resolves one live person, nobody (exit code 1) or several (3).

use serde_json::{Value, json};

use super::{View, labeled};
use crate::answer::Answer;
use crate::data::Person;
use crate::operation::Usage;

/// What a lookup resolves to.
pub(crate) enum Found<'a> {
    One(&'a Person),
    Nobody,
    /// The names of all it could mean.
    Several(Vec<String>),
}

/// The verbs that share the positional with lookups. They write, and the sample has none.
const VERBS: [&str; 8] = [
    "list", "merge", "split", "reindex", "group", "add", "remove", "maintain",
];

pub(crate) fn people(view: &View<'_>, query: &str, card: bool) -> Answer {
    if VERBS.contains(&query) {
        return Answer::failure(
            2,
            Usage::new(format!("people {query} is not served")).message(),
        );
    }
    if let Some(group) = query.strip_prefix("group:") {
        return group_card(view, group);
    }
    match resolve(view, query) {
        Found::Nobody => Answer::failure(1, format!("loom: nobody is {query:?}\n")),
        Found::Several(names) => {
            Answer::failure(3, format!("loom: contested: {}\n", names.join(", ")))
        }
        Found::One(person) => Answer::json(&shown(person, card)),
    }
}

/// Resolves an email, a phone number, `handle:`, `person:` or a Page of a person.
pub(crate) fn resolve<'a>(view: &View<'a>, query: &str) -> Found<'a> {
    let phone = digits(query);
    gather(view, |person| {
        if let Some(handle) = query.strip_prefix("handle:") {
            person
                .handles
                .iter()
                .any(|known| known.eq_ignore_ascii_case(handle))
        } else if let Some(slug) = query.strip_prefix("person:") {
            person.slug == slug
        } else if query.starts_with("People/") {
            person.target() == query
        } else if query.contains('@') {
            person
                .emails
                .iter()
                .any(|email| email.eq_ignore_ascii_case(query))
        } else {
            phone.len() > 4 && person.phones.iter().any(|known| digits(known) == phone)
        }
    })
}

/// Resolves a lookup or a name or part of one, as `search --person` takes it.
pub(crate) fn resolve_anyone<'a>(view: &View<'a>, query: &str) -> Found<'a> {
    match resolve(view, query) {
        Found::Nobody => {}
        found => return found,
    }
    let asked = query.to_lowercase();
    match gather(view, |person| person.shown().to_lowercase() == asked) {
        Found::Nobody => {}
        found => return found,
    }
    gather(view, |person| {
        let name = person.shown().to_lowercase();
        name.split(|c: char| !c.is_alphanumeric())
            .any(|part| part == asked)
            || person.name.to_lowercase() == asked
    })
}

fn gather<'a>(view: &View<'a>, fits: impl Fn(&Person) -> bool) -> Found<'a> {
    let found: Vec<&Person> = view.people().filter(|person| fits(person)).collect();
    match found.as_slice() {
        [] => Found::Nobody,
        [one] => Found::One(one),
        several => Found::Several(several.iter().map(|person| person.shown()).collect()),
    }
}

fn shown(person: &Person, card: bool) -> Value {
    let mut value = json!({
        "person": format!("person:{}", person.slug),
        "name": person.name,
        "latin": person.latin,
        "summary": person.summary,
        "page": person.target(),
    });
    if let (true, Some(fields)) = (card, value.as_object_mut()) {
        fields.insert("emails".to_owned(), json!(person.emails));
        fields.insert("phones".to_owned(), json!(person.phones));
        fields.insert("handles".to_owned(), json!(person.handles));
        fields.insert("groups".to_owned(), json!(person.groups));
        fields.insert("facet".to_owned(), json!(person.facet));
    }
    labeled(value, person.ifc.as_ref())
}

fn group_card(view: &View<'_>, group: &str) -> Answer {
    let inside = |person: &&Person| person.groups.iter().any(|name| name == group);
    let members: Vec<Value> = view
        .people()
        .filter(inside)
        .map(|person| json!({ "person": format!("person:{}", person.slug), "name": person.name }))
        .collect();
    if members.is_empty() {
        return Answer::failure(1, format!("loom: no group {group:?}\n"));
    }
    Answer::json(&json!({ "group": format!("group:{group}"), "members": members }))
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}
