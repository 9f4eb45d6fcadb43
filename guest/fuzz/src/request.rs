//! What an input asks for, from the contract's table (section 2) and its rules for commands
//! (section 7), and whether the host would start it.

use loom_tools_guest::process::{
    CalendarBounds, CalendarWindow, CardShape, CommandRun, Context, ContextState, Operation,
    PageDiscover, PageKind, People, Search, SearchRank,
};

use crate::json::{DEEPEST, Json};
use crate::rules;

/// The operation that a retrieval tool's input asks for; none when the input is to be refused.
pub fn retrieval(tool: &str, input: &str) -> Option<Operation> {
    let takes: &[&str] = match tool {
        "loom_search" => &[
            "query", "sources", "since", "until", "tz", "person", "limit", "rank",
        ],
        "loom_page_discover" => &["kind", "limit"],
        "loom_page_inspect" | "loom_page_read" => &["target"],
        "loom_people" => &["query", "shape"],
        "loom_calendar_list" => &["from", "to", "all"],
        "loom_context" => &["read", "at", "since", "until"],
        "loom_profile" => &["fresh"],
        _ => return None,
    };
    let input = fields(input, takes)?;
    let text = |name| {
        optional(&input, name, |v| {
            rules::text(v.text()?).ok().map(str::to_owned)
        })
    };
    let date = |name| {
        optional(&input, name, |v| {
            rules::date(v.text()?).ok().map(str::to_owned)
        })
    };
    let limit = |most| {
        let limit = |v: &Json| u32::try_from(v.integer(most)?).ok().filter(|n| *n >= 1);
        optional(&input, "limit", limit)
    };
    let flag = |name| {
        let flag = |v: &Json| (v.is("true") || v.is("false")).then(|| v.is("true"));
        optional(&input, name, flag).map(Option::unwrap_or_default)
    };
    Some(match tool {
        "loom_search" => {
            let search = Search {
                query: text("query")?,
                sources: text("sources")?,
                since: text("since")?,
                until: text("until")?,
                tz: text("tz")?,
                person: text("person")?,
                limit: limit(200)?,
                rank: choice(
                    &input,
                    "rank",
                    &[
                        ("recency", SearchRank::Recency),
                        ("score", SearchRank::Score),
                    ],
                )?,
            };
            if search.query.is_none() && search.person.is_none() {
                return None;
            }
            Operation::Search(search)
        }
        "loom_page_discover" => Operation::PageDiscover(PageDiscover {
            kind: choice(
                &input,
                "kind",
                &[
                    ("all", PageKind::All),
                    ("project", PageKind::Project),
                    ("projects", PageKind::Projects),
                    ("entity", PageKind::Entity),
                    ("entities", PageKind::Entities),
                ],
            )?,
            limit: limit(500)?,
        }),
        "loom_page_inspect" => Operation::PageInspect(text("target")??),
        "loom_page_read" => Operation::PageRead(text("target")??),
        "loom_people" => Operation::People(People {
            query: rules::lookup(&text("query")??).ok()?.to_owned(),
            shape: choice(
                &input,
                "shape",
                &[("summary", CardShape::Summary), ("card", CardShape::Card)],
            )?,
        }),
        "loom_calendar_list" => {
            let (from_date, to_date, all) = (date("from")?, date("to")?, flag("all")?);
            Operation::CalendarList(match (from_date.is_some() || to_date.is_some(), all) {
                (true, true) => return None,
                (true, false) => CalendarWindow::Bounded(CalendarBounds { from_date, to_date }),
                (false, true) => CalendarWindow::EveryEvent,
                (false, false) => CalendarWindow::DefaultWindow,
            })
        }
        "loom_context" => {
            let states = [
                ("where", ContextState::Location),
                ("activity", ContextState::Activity),
            ];
            let context = Context {
                state: choice(&input, "read", &states)??,
                at: text("at")?,
                since: text("since")?,
                until: text("until")?,
            };
            let spans = context.since.is_some() || context.until.is_some();
            if spans && context.state == ContextState::Location {
                return None;
            }
            Operation::Context(context)
        }
        _ => Operation::Profile(flag("fresh")?),
    })
}

/// The commands that an input calls, each none when it is malformed; none when the whole is to be
/// refused.
pub fn commands(input: &str, read_only: bool) -> Option<Vec<Option<CommandRun>>> {
    const ONE: [&str; 4] = ["command", "args", "loomId", "expectedVersion"];
    let input = fields(input, &[&ONE[..], &["calls"]].concat())?;
    match input.get("calls") {
        None => Some(vec![Some(command(&input, read_only)?)]),
        Some(calls) => {
            let calls = calls
                .list()
                .filter(|calls| (1..=16).contains(&calls.len()))?;
            if ONE.iter().any(|name| input.get(name).is_some()) {
                return None;
            }
            let one = |call: &Json| {
                let known = |(name, _): &(String, Json)| ONE.contains(&name.as_str());
                call.members()?
                    .iter()
                    .all(known)
                    .then(|| command(call, read_only))?
            };
            Some(calls.iter().map(one).collect())
        }
    }
}

fn command(input: &Json, read_only: bool) -> Option<CommandRun> {
    let loom_id = |v: &Json| rules::loom_id(v.text()?).ok().map(str::to_owned);
    let args = input.get("args")?;
    let args_json = args.compact();
    rules::arguments(&args_json).ok()?;
    Some(CommandRun {
        id: rules::command_id(input.get("command")?.text()?)
            .ok()?
            .to_owned(),
        args_json,
        loom_id: optional(input, "loomId", loom_id)?,
        expected_version: optional(input, "expectedVersion", |v| v.integer((1 << 53) - 1))?,
        read_only,
    })
}

/// The names that a listing's input wants whole; none when the input is to be refused.
pub fn detail(input: &str) -> Option<Vec<String>> {
    let input = fields(input, &["detail"])?;
    let Some(names) = input.get("detail") else {
        return Some(Vec::new());
    };
    let names = names.list().filter(|names| names.len() <= 16)?;
    let name = |name: &Json| rules::command_id(name.text()?).ok().map(str::to_owned);
    names.iter().map(name).collect()
}

/// An input that is an object of those fields and no others.
fn fields(input: &str, takes: &[&str]) -> Option<Json> {
    let input = Json::read(if input.is_empty() { "{}" } else { input }, DEEPEST)?;
    let known = input
        .members()?
        .iter()
        .all(|(name, _)| takes.contains(&name.as_str()));
    known.then_some(input)
}

/// A field that may be left out, and otherwise has to be readable.
fn optional<T>(
    input: &Json,
    name: &str,
    read: impl FnOnce(&Json) -> Option<T>,
) -> Option<Option<T>> {
    input
        .get(name)
        .map_or(Some(None), |value| read(value).map(Some))
}

fn choice<T: Copy>(input: &Json, name: &str, choices: &[(&str, T)]) -> Option<Option<T>> {
    optional(input, name, |value| {
        let text = value.text()?;
        choices
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, choice)| *choice)
    })
}

/// Fails unless the host's rules let the operation start.
pub fn assert_sound(operation: &Operation) {
    let texts = |texts: &[&Option<String>]| {
        for text in texts.iter().filter_map(|text| text.as_deref()) {
            rules::text(text).unwrap_or_else(|broken| panic!("{broken}: {operation:?}"));
        }
    };
    let sound = match operation {
        Operation::Search(s) => {
            texts(&[&s.query, &s.sources, &s.since, &s.until, &s.tz, &s.person]);
            let limited = s.limit.map_or(Ok(1), |n| rules::limit(n, 200));
            limited.is_ok() && (s.query.is_some() || s.person.is_some())
        }
        Operation::PageDiscover(d) => d.limit.map_or(Ok(1), |n| rules::limit(n, 500)).is_ok(),
        Operation::PageInspect(target) | Operation::PageRead(target) => rules::text(target).is_ok(),
        Operation::People(people) => rules::lookup(&people.query).is_ok(),
        Operation::CalendarList(CalendarWindow::Bounded(bounds)) => {
            let dates = [&bounds.from_date, &bounds.to_date];
            let mut given = dates.iter().filter_map(|date| date.as_deref());
            given.all(|date| rules::date(date).is_ok())
        }
        Operation::Context(c) => {
            texts(&[&c.at, &c.since, &c.until]);
            c.state == ContextState::Activity || c.since.is_none() && c.until.is_none()
        }
        Operation::CommandRun(run) => {
            rules::command_id(&run.id).is_ok()
                && rules::arguments(&run.args_json).is_ok()
                && run
                    .loom_id
                    .as_deref()
                    .is_none_or(|id| rules::loom_id(id).is_ok())
                && run
                    .expected_version
                    .is_none_or(|n| rules::version(n).is_ok())
        }
        Operation::CalendarList(_) | Operation::Profile(_) | Operation::CommandList => true,
    };
    assert!(sound, "the host would refuse {operation:?}");
}

/// Whether the text is a command id.
pub fn is_command_id(text: &str) -> bool {
    rules::command_id(text).is_ok()
}
