//! Every acceptance and refusal of contract section 2.

use super::operation;
use crate::bindings::loom::tools::process::{
    CalendarBounds, CalendarWindow, CardShape, Context, ContextState, Operation, PageDiscover,
    PageKind, People, Search, SearchRank,
};
use crate::input::Refusal;
use crate::tools::Tool;

pub(super) fn accepted(tool: Tool, input: &str) -> Operation {
    match operation(tool, input) {
        Ok(operation) => operation,
        Err(refusal) => panic!("{input}: {refusal:?}"),
    }
}

pub(super) fn refused(tool: Tool, input: &str) -> String {
    match operation(tool, input) {
        Err(Refusal(sentence)) => sentence,
        Ok(operation) => panic!("{input}: {operation:?}"),
    }
}

fn no_search() -> Search {
    Search {
        query: None,
        sources: None,
        since: None,
        until: None,
        tz: None,
        person: None,
        limit: None,
        rank: None,
    }
}

const RETRIEVALS: [Tool; 8] = [
    Tool::Search,
    Tool::PageDiscover,
    Tool::PageInspect,
    Tool::PageRead,
    Tool::People,
    Tool::CalendarList,
    Tool::Context,
    Tool::Profile,
];

#[test]
fn a_search_carries_every_field_it_was_given() {
    assert_eq!(
        accepted(
            Tool::Search,
            r#"{"rank":"score","limit":200,"person":"p","tz":"t","until":"u","since":"s","sources":"mail","query":"q"}"#
        ),
        Operation::Search(Search {
            query: Some("q".to_owned()),
            sources: Some("mail".to_owned()),
            since: Some("s".to_owned()),
            until: Some("u".to_owned()),
            tz: Some("t".to_owned()),
            person: Some("p".to_owned()),
            limit: Some(200),
            rank: Some(SearchRank::Score),
        })
    );
    assert_eq!(
        accepted(Tool::Search, r#"{"query":"q","rank":"recency"}"#),
        Operation::Search(Search {
            query: Some("q".to_owned()),
            rank: Some(SearchRank::Recency),
            ..no_search()
        })
    );
    assert_eq!(
        accepted(Tool::Search, r#"{"person":"p"}"#),
        Operation::Search(Search {
            person: Some("p".to_owned()),
            ..no_search()
        })
    );
}

#[test]
fn a_search_without_query_and_person_is_refused() {
    for input in ["", "{}", r#"{"limit":1}"#, r#"{"sources":"mail"}"#] {
        assert_eq!(
            refused(Tool::Search, input),
            "One of `query` and `person` is required."
        );
    }
}

#[test]
fn page_discover_takes_each_kind_and_none() {
    let discover = |kind, limit| Operation::PageDiscover(PageDiscover { kind, limit });
    for (name, kind) in [
        ("all", PageKind::All),
        ("project", PageKind::Project),
        ("projects", PageKind::Projects),
        ("entity", PageKind::Entity),
        ("entities", PageKind::Entities),
    ] {
        let input = format!(r#"{{"kind":"{name}","limit":500}}"#);
        assert_eq!(
            accepted(Tool::PageDiscover, &input),
            discover(Some(kind), Some(500))
        );
    }
    assert_eq!(accepted(Tool::PageDiscover, ""), discover(None, None));
    assert_eq!(accepted(Tool::PageDiscover, " {} "), discover(None, None));
}

#[test]
fn the_other_tools_ask_for_exactly_their_operation() {
    assert_eq!(
        accepted(Tool::PageInspect, r#"{"target":"Projects/A"}"#),
        Operation::PageInspect("Projects/A".to_owned())
    );
    assert_eq!(
        accepted(Tool::PageRead, r#"{"target":"a b"}"#),
        Operation::PageRead("a b".to_owned())
    );
    for (shape, card) in [
        ("", None),
        (r#","shape":"summary""#, Some(CardShape::Summary)),
        (r#","shape":"card""#, Some(CardShape::Card)),
    ] {
        let input = format!(r#"{{"query":"a@b.c"{shape}}}"#);
        let people = People {
            query: "a@b.c".to_owned(),
            shape: card,
        };
        assert_eq!(accepted(Tool::People, &input), Operation::People(people));
    }
    for (input, fresh) in [
        ("", false),
        ("{}", false),
        (r#"{"fresh":false}"#, false),
        (r#"{"fresh":true}"#, true),
    ] {
        assert_eq!(accepted(Tool::Profile, input), Operation::Profile(fresh));
    }
}

#[test]
fn a_context_reads_where_or_activity_and_activity_takes_a_span() {
    let none = Context {
        state: ContextState::Location,
        at: None,
        since: None,
        until: None,
    };
    assert_eq!(
        accepted(Tool::Context, r#"{"read":"where"}"#),
        Operation::Context(none.clone())
    );
    let at = Context {
        at: Some("noon".to_owned()),
        ..none
    };
    assert_eq!(
        accepted(Tool::Context, r#"{"read":"where","at":"noon"}"#),
        Operation::Context(at)
    );
    let activity = Context {
        state: ContextState::Activity,
        at: Some("a".to_owned()),
        since: Some("s".to_owned()),
        until: Some("u".to_owned()),
    };
    let input = r#"{"read":"activity","at":"a","since":"s","until":"u"}"#;
    assert_eq!(accepted(Tool::Context, input), Operation::Context(activity));
    for name in ["since", "until"] {
        assert_eq!(
            refused(
                Tool::Context,
                &format!(r#"{{"read":"where","{name}":"x"}}"#)
            ),
            format!("`{name}` goes with `read: activity` only.")
        );
    }
}

#[test]
fn a_calendar_takes_bounds_or_all_and_all_false_excludes_nothing() {
    let bounded = |from: Option<&str>, to: Option<&str>| {
        Operation::CalendarList(CalendarWindow::Bounded(CalendarBounds {
            from_date: from.map(str::to_owned),
            to_date: to.map(str::to_owned),
        }))
    };
    let (from, to) = (Some("2026-02-28"), Some("2026-01-01"));
    for (input, operation) in [
        ("", Operation::CalendarList(CalendarWindow::DefaultWindow)),
        (
            r#"{"all":false}"#,
            Operation::CalendarList(CalendarWindow::DefaultWindow),
        ),
        (
            r#"{"all":true}"#,
            Operation::CalendarList(CalendarWindow::EveryEvent),
        ),
        (r#"{"from":"2026-02-28"}"#, bounded(from, None)),
        (r#"{"to":"2026-01-01"}"#, bounded(None, to)),
        // `from` after `to` is left to the CLI.
        (
            r#"{"from":"2026-02-28","to":"2026-01-01"}"#,
            bounded(from, to),
        ),
        (r#"{"from":"2026-02-28","all":false}"#, bounded(from, None)),
    ] {
        assert_eq!(accepted(Tool::CalendarList, input), operation, "{input}");
    }
    for input in [
        r#"{"all":true,"from":"2026-01-01"}"#,
        r#"{"all":true,"to":"2026-01-01"}"#,
    ] {
        assert_eq!(
            refused(Tool::CalendarList, input),
            "`all` excludes `from` and `to`."
        );
    }
}

#[test]
fn a_date_that_is_no_real_day_is_refused() {
    for (name, date) in [
        ("from", r#""2026-02-29""#),
        ("to", r#""2026-2-01""#),
        ("from", r#""0000-01-01""#),
        ("to", r#""today""#),
        ("from", r#""""#),
        ("to", "20260101"),
        ("from", "null"),
    ] {
        assert_eq!(
            refused(Tool::CalendarList, &format!(r#"{{"{name}":{date}}}"#)),
            format!("`{name}` must be a real date, written YYYY-MM-DD.")
        );
    }
}

#[test]
fn a_limit_is_a_json_integer_within_its_bounds() {
    for (tool, most, with) in [
        (Tool::Search, 200, r#""query":"q","#),
        (Tool::PageDiscover, 500, ""),
    ] {
        let input = |limit: &str| format!(r#"{{{with}"limit":{limit}}}"#);
        for limit in ["1", "5", "5.0", "50e-1", "0.5e1", &most.to_string()] {
            accepted(tool, &input(limit));
        }
        let past = (most + 1).to_string();
        for limit in [
            "0",
            "-1",
            "-0",
            &past,
            "5.5",
            r#""5""#,
            "null",
            "true",
            "[]",
            "1e400",
            "1e-400",
            "4294967297",
            "18446744073709551617",
            "1e99999999999999999999",
        ] {
            assert_eq!(
                refused(tool, &input(limit)),
                format!("`limit` must be an integer from 1 to {most}."),
                "{limit}"
            );
        }
    }
}

#[test]
fn an_unknown_choice_names_the_valid_ones() {
    for other in [r#""record""#, r#""All""#, r#""""#, "1", "null", "[]"] {
        assert_eq!(
            refused(Tool::PageDiscover, &format!(r#"{{"kind":{other}}}"#)),
            "`kind` must be one of all, project, projects, entity, entities."
        );
        assert_eq!(
            refused(Tool::Search, &format!(r#"{{"query":"q","rank":{other}}}"#)),
            "`rank` must be one of recency, score."
        );
        assert_eq!(
            refused(
                Tool::People,
                &format!(r#"{{"query":"a@b","shape":{other}}}"#)
            ),
            "`shape` must be one of summary, card."
        );
        assert_eq!(
            refused(Tool::Context, &format!(r#"{{"read":{other}}}"#)),
            "`read` must be one of where, activity."
        );
    }
    assert_eq!(
        refused(Tool::Context, r#"{"read":"hosted"}"#),
        "`read` must be one of where, activity."
    );
}

#[test]
fn a_flag_is_true_or_false() {
    for other in ["null", "0", r#""true""#, "[]"] {
        assert_eq!(
            refused(Tool::Profile, &format!(r#"{{"fresh":{other}}}"#)),
            "`fresh` must be true or false."
        );
        assert_eq!(
            refused(Tool::CalendarList, &format!(r#"{{"all":{other}}}"#)),
            "`all` must be true or false."
        );
    }
}

#[test]
fn a_missing_required_field_is_refused_by_name() {
    for (tool, sentence) in [
        (Tool::PageInspect, "`target` is required."),
        (Tool::PageRead, "`target` is required."),
        (Tool::People, "`query` is required."),
        (Tool::Context, "`read` is required."),
    ] {
        assert_eq!(refused(tool, ""), sentence);
        assert_eq!(refused(tool, "{}"), sentence);
    }
}

#[test]
fn an_input_that_is_no_object_or_has_an_unknown_field_is_refused() {
    for tool in RETRIEVALS {
        for other in ["null", "[]", r#""q""#, "7", "true"] {
            assert_eq!(refused(tool, other), "The input must be a JSON object.");
        }
        for other in ["{", "{} {}", "NaN", " ", r#"{"query":}"#] {
            assert_eq!(refused(tool, other), "The input is not JSON.");
        }
        for name in [
            "rpc-queue",
            "instance",
            "engine",
            "peek",
            "list-sources",
            "person-ref",
            "chat",
            "Query",
            "",
            "json",
        ] {
            let input = format!(r#"{{"{name}":null}}"#);
            assert_eq!(refused(tool, &input), format!("Unknown field `{name}`."));
        }
    }
}

#[test]
fn a_duplicate_field_has_its_last_value() {
    assert_eq!(
        accepted(Tool::PageRead, r#"{"target":"-x","target":"b"}"#),
        Operation::PageRead("b".to_owned())
    );
}
