//! Requests and replies as a test writes them: a line each, `KIND NAME=VALUE …`, values with `%XX`
//! for any byte, so that every text can be had in any place.

use crate::bindings::exports::loom::tools::tools::Reply;
use crate::bindings::loom::tools::process::{
    CalendarBounds, CalendarWindow, CardShape, CommandRun, Context, ContextState, Operation,
    PageDiscover, PageKind, People, Request, Search, SearchRank,
};

pub(crate) fn all(lines: &str) -> Vec<Request> {
    lines.lines().map(one).collect()
}

pub(crate) fn one(line: &str) -> Request {
    let fields = Fields::of(line);
    let operation = match fields.kind {
        "search" => Operation::Search(Search {
            query: fields.text("query"),
            sources: fields.text("sources"),
            since: fields.text("since"),
            until: fields.text("until"),
            tz: fields.text("tz"),
            person: fields.text("person"),
            limit: fields.number("limit"),
            rank: fields.choice(
                "rank",
                &[
                    ("recency", SearchRank::Recency),
                    ("score", SearchRank::Score),
                ],
            ),
        }),
        "page-discover" => Operation::PageDiscover(PageDiscover {
            kind: fields.choice(
                "kind",
                &[
                    ("all", PageKind::All),
                    ("project", PageKind::Project),
                    ("projects", PageKind::Projects),
                    ("entity", PageKind::Entity),
                    ("entities", PageKind::Entities),
                ],
            ),
            limit: fields.number("limit"),
        }),
        "page-inspect" => Operation::PageInspect(fields.needed("target")),
        "page-read" => Operation::PageRead(fields.needed("target")),
        "people" => Operation::People(People {
            query: fields.needed("query"),
            shape: fields.choice(
                "shape",
                &[("summary", CardShape::Summary), ("card", CardShape::Card)],
            ),
        }),
        "calendar" => Operation::CalendarList(CalendarWindow::DefaultWindow),
        "calendar-all" => Operation::CalendarList(CalendarWindow::EveryEvent),
        "calendar-bounded" => Operation::CalendarList(CalendarWindow::Bounded(CalendarBounds {
            from_date: fields.text("from"),
            to_date: fields.text("to"),
        })),
        "location" => context(&fields, ContextState::Location),
        "activity" => context(&fields, ContextState::Activity),
        "profile" => Operation::Profile(false),
        "profile-fresh" => Operation::Profile(true),
        "command-list" => Operation::CommandList,
        "command-run" => command_run(&fields, false),
        "command-read" => command_run(&fields, true),
        kind => panic!("no request is called {kind}"),
    };
    Request {
        call: fields.number("call").unwrap_or(0),
        operation,
    }
}

pub(crate) fn replies(lines: &str) -> Vec<Reply> {
    let reply = |line| {
        let fields = Fields::of(line);
        Reply {
            call_id: fields.needed("call"),
            output_id: "hostile:1".to_owned(),
            shown: fields.text("shown").unwrap_or_else(|| "{}".to_owned()),
            artifact: fields.text("artifact").unwrap_or_else(|| "{}".to_owned()),
            observation: fields.text("observation"),
            decision: fields.text("decision").unwrap_or_else(|| "{}".to_owned()),
        }
    };
    lines.lines().map(reply).collect()
}

fn context(fields: &Fields<'_>, state: ContextState) -> Operation {
    Operation::Context(Context {
        state,
        at: fields.text("at"),
        since: fields.text("since"),
        until: fields.text("until"),
    })
}

fn command_run(fields: &Fields<'_>, read_only: bool) -> Operation {
    Operation::CommandRun(CommandRun {
        id: fields.text("id").unwrap_or_else(|| "notes.add".to_owned()),
        args_json: fields.text("args").unwrap_or_else(|| "{}".to_owned()),
        loom_id: fields.text("loom"),
        expected_version: fields.number("version"),
        read_only,
    })
}

struct Fields<'a> {
    kind: &'a str,
    values: Vec<(&'a str, String)>,
}

impl<'a> Fields<'a> {
    fn of(line: &'a str) -> Self {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or_default();
        let field = |word: &'a str| {
            let (name, value) = word.split_once('=').expect("a field is NAME=VALUE");
            (name, unescaped(value))
        };
        Self {
            kind,
            values: words.map(field).collect(),
        }
    }

    fn text(&self, name: &str) -> Option<String> {
        let found = self.values.iter().find(|(given, _)| *given == name);
        found.map(|(_, value)| value.clone())
    }

    fn needed(&self, name: &str) -> String {
        self.text(name).expect("the field is needed")
    }

    fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.text(name)
            .map(|text| text.parse().ok().expect("a number"))
    }

    fn choice<T: Copy>(&self, name: &str, choices: &[(&str, T)]) -> Option<T> {
        let text = self.text(name)?;
        let found = choices.iter().find(|(choice, _)| *choice == text);
        Some(found.expect("a choice").1)
    }
}

fn unescaped(value: &str) -> String {
    let mut parts = value.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at(2);
        bytes.push(u8::from_str_radix(hex, 16).expect("two hexadecimal digits"));
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).expect("text")
}
