//! From a retrieval tool's input to the operation it asks for (contract, section 2). Refuses what
//! the CLI could take for a flag, a verb or a choice it does not have.

use crate::bindings::loom::tools::process::{
    CalendarBounds, CalendarWindow, CardShape, Context, ContextState, Operation, PageDiscover,
    PageKind, People, Search, SearchRank,
};
use crate::input::{Input, Refusal};
use crate::rules;

/// The most search hits that may be asked for.
const MAX_HITS: u32 = 200;
/// The most Pages that may be asked for.
const MAX_PAGES: u32 = 500;

pub(super) fn search(input: &str) -> Result<Operation, Refusal> {
    let takes = [
        "query", "sources", "since", "until", "tz", "person", "limit", "rank",
    ];
    let input = Input::read(input, &takes)?;
    let search = Search {
        query: input.text("query")?,
        sources: input.text("sources")?,
        since: input.text("since")?,
        until: input.text("until")?,
        tz: input.text("tz")?,
        person: input.text("person")?,
        limit: input.limit("limit", MAX_HITS)?,
        rank: input.choice(
            "rank",
            &[
                ("recency", SearchRank::Recency),
                ("score", SearchRank::Score),
            ],
        )?,
    };
    if search.query.is_none() && search.person.is_none() {
        return Err(Refusal(
            "One of `query` and `person` is required.".to_owned(),
        ));
    }
    Ok(Operation::Search(search))
}

pub(super) fn page_discover(input: &str) -> Result<Operation, Refusal> {
    let input = Input::read(input, &["kind", "limit"])?;
    let kinds = [
        ("all", PageKind::All),
        ("project", PageKind::Project),
        ("projects", PageKind::Projects),
        ("entity", PageKind::Entity),
        ("entities", PageKind::Entities),
    ];
    Ok(Operation::PageDiscover(PageDiscover {
        kind: input.choice("kind", &kinds)?,
        limit: input.limit("limit", MAX_PAGES)?,
    }))
}

pub(super) fn page_inspect(input: &str) -> Result<Operation, Refusal> {
    target(input).map(Operation::PageInspect)
}

pub(super) fn page_read(input: &str) -> Result<Operation, Refusal> {
    target(input).map(Operation::PageRead)
}

fn target(input: &str) -> Result<String, Refusal> {
    let input = Input::read(input, &["target"])?;
    input.required("target", input.text("target")?)
}

pub(super) fn people(input: &str) -> Result<Operation, Refusal> {
    let input = Input::read(input, &["query", "shape"])?;
    let query = input.required("query", input.text("query")?)?;
    if !rules::is_lookup(&query) {
        return Err(Refusal(
            "`query` must be a lookup: an email address, a phone number, `handle:…`, `person:…`, \
             `group:…` or `People/<Name>/about.md`."
                .to_owned(),
        ));
    }
    let shapes = [("summary", CardShape::Summary), ("card", CardShape::Card)];
    Ok(Operation::People(People {
        query,
        shape: input.choice("shape", &shapes)?,
    }))
}

pub(super) fn calendar_list(input: &str) -> Result<Operation, Refusal> {
    let input = Input::read(input, &["from", "to", "all"])?;
    let bounds = CalendarBounds {
        from_date: date(&input, "from")?,
        to_date: date(&input, "to")?,
    };
    let bounded = bounds.from_date.is_some() || bounds.to_date.is_some();
    Ok(Operation::CalendarList(
        match (input.flag("all")?, bounded) {
            (true, true) => return Err(Refusal("`all` excludes `from` and `to`.".to_owned())),
            (true, false) => CalendarWindow::EveryEvent,
            (false, true) => CalendarWindow::Bounded(bounds),
            (false, false) => CalendarWindow::DefaultWindow,
        },
    ))
}

fn date(input: &Input, name: &str) -> Result<Option<String>, Refusal> {
    match input.get(name) {
        None => Ok(None),
        Some(value) => match value.as_str().filter(|text| rules::is_date(text)) {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err(Refusal(format!(
                "`{name}` must be a real date, written YYYY-MM-DD."
            ))),
        },
    }
}

pub(super) fn context(input: &str) -> Result<Operation, Refusal> {
    let input = Input::read(input, &["read", "at", "since", "until"])?;
    let states = [
        ("where", ContextState::Location),
        ("activity", ContextState::Activity),
    ];
    let context = Context {
        state: input.required("read", input.choice("read", &states)?)?,
        at: input.text("at")?,
        since: input.text("since")?,
        until: input.text("until")?,
    };
    if context.state == ContextState::Location {
        let given = [("since", &context.since), ("until", &context.until)];
        if let Some((name, _)) = given.into_iter().find(|(_, text)| text.is_some()) {
            return Err(Refusal(format!(
                "`{name}` goes with `read: activity` only."
            )));
        }
    }
    Ok(Operation::Context(context))
}

pub(super) fn profile(input: &str) -> Result<Operation, Refusal> {
    Ok(Operation::Profile(
        Input::read(input, &["fresh"])?.flag("fresh")?,
    ))
}
