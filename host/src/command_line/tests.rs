//! Each operation's argument vector, with nothing and with everything; contract, sections 2 and 7.

use super::{CommandLine, render};
use crate::bindings::loom::tools::process::{
    CalendarBounds, CalendarWindow, CardShape, CommandRun, Context, ContextState, Operation,
    PageDiscover, PageKind, People, Search, SearchRank,
};
use crate::process::Class;

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

/// It becomes a retrieval with these arguments, as one would type them.
#[track_caller]
fn becomes(operation: &Operation, words: &str) {
    let line = CommandLine {
        args: words.split(' ').map(str::to_owned).collect(),
        stdin: None,
        class: Class::Retrieval,
    };
    assert_eq!(render(operation), Ok(line));
}

#[track_caller]
fn is_refused(operation: &Operation, reason: &str) {
    assert_eq!(render(operation), Err(reason));
}

const NO_SEARCH: Search = Search {
    query: None,
    sources: None,
    since: None,
    until: None,
    tz: None,
    person: None,
    limit: None,
    rank: None,
};

#[test]
fn a_search_puts_its_query_first_and_its_flags_in_order() {
    let everything = Search {
        query: some("q"),
        sources: some("s"),
        since: some("a"),
        until: some("b"),
        tz: some("t"),
        person: some("p"),
        limit: Some(200),
        rank: Some(SearchRank::Recency),
    };
    becomes(
        &Operation::Search(everything),
        "search q --json --sources s --since a --until b --tz t --person p --limit 200 --rank recency",
    );
    let person = Search {
        person: some("p"),
        rank: Some(SearchRank::Score),
        ..NO_SEARCH
    };
    becomes(
        &Operation::Search(person),
        "search --json --person p --rank score",
    );
}

#[test]
fn a_search_for_nothing_is_refused() {
    is_refused(
        &Operation::Search(NO_SEARCH),
        "a search has neither a query nor a person",
    );
}

#[test]
fn every_page_kind_is_spelt() {
    let kinds = [
        (PageKind::All, "all"),
        (PageKind::Project, "project"),
        (PageKind::Projects, "projects"),
        (PageKind::Entity, "entity"),
        (PageKind::Entities, "entities"),
    ];
    for (kind, word) in kinds {
        let discover = PageDiscover {
            kind: Some(kind),
            limit: Some(500),
        };
        becomes(
            &Operation::PageDiscover(discover),
            &format!("page discover --json --concise --kind {word} --limit 500"),
        );
    }
    let all = PageDiscover {
        kind: None,
        limit: None,
    };
    becomes(
        &Operation::PageDiscover(all),
        "page discover --json --concise",
    );
}

#[test]
fn a_page_is_inspected_concisely_and_read_whole() {
    let target = || "a".to_owned();
    becomes(
        &Operation::PageInspect(target()),
        "page inspect a --json --concise",
    );
    becomes(&Operation::PageRead(target()), "page read a --json");
}

#[test]
fn a_person_is_looked_up_in_a_shape() {
    for (shape, end) in [
        (None, ""),
        (Some(CardShape::Summary), " --shape summary"),
        (Some(CardShape::Card), " --shape card"),
    ] {
        let query = "a@b".to_owned();
        becomes(
            &Operation::People(People { query, shape }),
            &format!("people a@b --json{end}"),
        );
    }
    let verb = People {
        query: "merge".to_owned(),
        shape: None,
    };
    is_refused(
        &Operation::People(verb),
        "a people query is no lookup and could read as a verb",
    );
}

#[test]
fn a_calendar_has_one_window() {
    let list = |window| Operation::CalendarList(window);
    becomes(&list(CalendarWindow::DefaultWindow), "calendar list --json");
    becomes(
        &list(CalendarWindow::EveryEvent),
        "calendar list --json --all",
    );
    let bounded = |from_date, to_date| {
        list(CalendarWindow::Bounded(CalendarBounds {
            from_date,
            to_date,
        }))
    };
    becomes(
        &bounded(some("2026-01-02"), some("2026-01-01")),
        "calendar list --json --from 2026-01-02 --to 2026-01-01",
    );
    becomes(&bounded(None, None), "calendar list --json");
    for broken in [bounded(some("now"), None), bounded(None, some("--all"))] {
        is_refused(&broken, "a date is not a day written YYYY-MM-DD");
    }
}

#[test]
fn a_location_has_no_span_and_an_activity_may_have_one() {
    let context = |state, since, until| {
        Operation::Context(Context {
            state,
            at: some("t"),
            since,
            until,
        })
    };
    becomes(
        &context(ContextState::Location, None, None),
        "context where --json --at t",
    );
    becomes(
        &context(ContextState::Activity, some("a"), some("b")),
        "context activity --json --at t --since a --until b",
    );
    for (since, until) in [(some("a"), None), (None, some("b"))] {
        is_refused(
            &context(ContextState::Location, since, until),
            "a location has no span of time",
        );
    }
}

#[test]
fn a_profile_and_a_listing_are_fixed() {
    becomes(&Operation::Profile(false), "profile --json");
    becomes(&Operation::Profile(true), "profile --json --fresh");
    becomes(&Operation::CommandList, "command list --json");
}

#[test]
fn a_command_sends_its_arguments_on_standard_input() {
    let run = CommandRun {
        id: "notes.add".to_owned(),
        args_json: r#"{"a":1}"#.to_owned(),
        loom_id: some("loom-0123456789abcdef"),
        expected_version: Some(0),
        read_only: true,
    };
    let words = "command run notes.add --args-json - --json --loom loom-0123456789abcdef --expect 0 \
                 --read-only";
    let line = CommandLine {
        args: words.split(' ').map(str::to_owned).collect(),
        stdin: Some(br#"{"a":1}"#.to_vec()),
        class: Class::CommandRun,
    };
    assert_eq!(render(&Operation::CommandRun(run)), Ok(line));
}

#[test]
fn a_command_is_refused_for_any_part_of_it() {
    let good = || CommandRun {
        id: "a".to_owned(),
        args_json: "{}".to_owned(),
        loom_id: None,
        expected_version: None,
        read_only: false,
    };
    let refused = |run| is_refused_run(run);
    refused(CommandRun {
        id: "A".to_owned(),
        ..good()
    });
    refused(CommandRun {
        args_json: "[]".to_owned(),
        ..good()
    });
    refused(CommandRun {
        loom_id: some("loom-1"),
        ..good()
    });
    refused(CommandRun {
        expected_version: Some(1 << 53),
        ..good()
    });
    assert!(render(&Operation::CommandRun(good())).is_ok());
}

#[track_caller]
fn is_refused_run(run: CommandRun) {
    assert!(render(&Operation::CommandRun(run)).is_err());
}

#[test]
fn a_text_is_refused_wherever_it_stands() {
    let bad = || some("-x");
    let search = |search| Operation::Search(search);
    let query = || Search {
        query: some("q"),
        ..NO_SEARCH
    };
    let broken = [
        search(Search {
            query: bad(),
            ..NO_SEARCH
        }),
        search(Search {
            person: bad(),
            ..NO_SEARCH
        }),
        search(Search {
            sources: bad(),
            ..query()
        }),
        search(Search {
            since: bad(),
            ..query()
        }),
        search(Search {
            until: bad(),
            ..query()
        }),
        search(Search {
            tz: bad(),
            ..query()
        }),
        Operation::PageInspect("-x".to_owned()),
        Operation::PageRead("-x".to_owned()),
    ];
    for operation in broken {
        is_refused(
            &operation,
            "a text opens with a dash and would read as a flag",
        );
    }
}
