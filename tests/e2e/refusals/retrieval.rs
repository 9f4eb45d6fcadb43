//! The inputs of the retrieval tools, and what is wrong with an input of any tool.

use loom_tools_tests::tools;
use serde_json::{Value, json};

use super::{Cases, assert_invalid, cases};

const QUERY_LENGTH: &str = "`query` must be a string of 1 to 500 characters.";
const TARGET_LENGTH: &str = "`target` must be a string of 1 to 500 characters.";
const LOOKUP: &str = "`query` must be a lookup: an email address, a phone number, `handle:…`, \
                      `person:…`, `group:…` or `People/<Name>/about.md`.";
const NOT_AN_OBJECT: &str = "The input must be a JSON object.";

#[test]
fn an_input_that_is_no_object_or_has_an_unknown_field() {
    let mut all = Cases::new();
    for tool in tools::ALL {
        for input in [json!([]), json!("x"), json!(1), json!(null), json!(true)] {
            all.push((tool, input, NOT_AN_OBJECT.to_owned()));
        }
        let flag = json!({ "--instance": "/x" });
        all.push((tool, flag, "Unknown field `--instance`.".to_owned()));
        let long = json!({ "é".repeat(100): 1 });
        all.push((tool, long, format!("Unknown field `{}`.", "é".repeat(64))));
    }
    for field in [
        "rpc-queue",
        "engine",
        "peek",
        "list_sources",
        "person_ref",
        "chat",
    ] {
        let input = json!({ "query": "q", field: "x" });
        all.push(("loom_search", input, format!("Unknown field `{field}`.")));
    }
    assert_invalid(all);
}

#[test]
fn free_text_that_is_too_long_or_could_be_read_as_something_else() {
    let fields: [(&str, &[&str], Value); 6] = [
        ("loom_search", &["query", "person"], json!({})),
        (
            "loom_search",
            &["sources", "since", "until", "tz"],
            json!({ "query": "q" }),
        ),
        ("loom_page_inspect", &["target"], json!({})),
        ("loom_page_read", &["target"], json!({})),
        (
            "loom_context",
            &["at", "since", "until"],
            json!({ "read": "activity" }),
        ),
        ("loom_people", &["query"], json!({})),
    ];
    let length = "must be a string of 1 to 500 characters.";
    let control = "must not hold a control character.";
    let texts = [
        (json!(""), length),
        (json!("a".repeat(501)), length),
        // 251 characters beyond the basic plane are 502 units of UTF-16.
        (json!("🛶".repeat(251)), length),
        (json!(5), length),
        (json!(null), length),
        (json!(["q"]), length),
        (json!("a\nb"), control),
        (json!("a\u{0}b"), control),
        (json!("a\u{7f}b"), control),
        (json!("a\u{85}b"), control),
        (json!("-q"), "must not open with `-`."),
        (json!("--rpc-queue"), "must not open with `-`."),
    ];
    let mut all = Cases::new();
    for (tool, names, base) in fields {
        for name in names {
            for (text, problem) in &texts {
                let mut input = base.clone();
                input[*name] = text.clone();
                all.push((tool, input, format!("`{name}` {problem}")));
            }
        }
    }
    assert_invalid(all);
}

#[test]
fn a_search_without_anything_to_search_for_or_with_a_choice_it_does_not_have() {
    let limit = "`limit` must be an integer from 1 to 200.";
    let rank = "`rank` must be one of recency, score.";
    let with = |name: &str, value: Value| json!({ "query": "q", name: value });
    let needed = "One of `query` and `person` is required.";
    assert_invalid(cases(
        "loom_search",
        [
            (json!({}), needed),
            (json!({ "limit": 5, "sources": "mail" }), needed),
            (json!({ "query": null }), QUERY_LENGTH),
            (with("limit", json!(0)), limit),
            (with("limit", json!(201)), limit),
            (with("limit", json!(-1)), limit),
            (with("limit", json!(5.5)), limit),
            (with("limit", json!("5")), limit),
            (with("limit", json!(null)), limit),
            (with("rank", json!("best")), rank),
            (with("rank", json!(null)), rank),
            (with("rank", json!("Score")), rank),
        ],
    ));
}

#[test]
fn a_kind_a_target_or_a_state_that_the_command_does_not_take() {
    let kind = "`kind` must be one of all, project, projects, entity, entities.";
    let limit = "`limit` must be an integer from 1 to 500.";
    let mut all = cases(
        "loom_page_discover",
        [
            (json!({ "kind": "records" }), kind),
            (json!({ "kind": "" }), kind),
            (json!({ "kind": 1 }), kind),
            (json!({ "limit": 501 }), limit),
            (json!({ "limit": 1e300 }), limit),
        ],
    );
    all.extend(cases(
        "loom_page_inspect",
        [(json!({}), "`target` is required.")],
    ));
    all.extend(cases(
        "loom_page_read",
        [(json!({}), "`target` is required.")],
    ));
    all.extend(cases(
        "loom_page_read",
        [(json!({ "target": {} }), TARGET_LENGTH)],
    ));
    let read = "`read` must be one of where, activity.";
    all.extend(cases(
        "loom_context",
        [
            (json!({}), "`read` is required."),
            (json!({ "read": "hosted" }), read),
            (json!({ "read": null }), read),
            (
                json!({ "read": "where", "since": "s" }),
                "`since` goes with `read: activity` only.",
            ),
            (
                json!({ "read": "where", "until": "u" }),
                "`until` goes with `read: activity` only.",
            ),
        ],
    ));
    let fresh = "`fresh` must be true or false.";
    all.extend(cases(
        "loom_profile",
        [
            (json!({ "fresh": "true" }), fresh),
            (json!({ "fresh": 1 }), fresh),
        ],
    ));
    assert_invalid(all);
}

#[test]
fn people_takes_a_lookup_and_none_of_the_verbs() {
    let not_lookups = [
        "Ada",
        "merge",
        "sync",
        "groups",
        "group add",
        "list",
        "a@",
        "@b",
        "a@b@c",
        "a b@c",
        "1234",
        "+49",
        "handle:",
        "person:",
        "group:",
        "people/ada/about.md",
        "People//about.md",
        "People/./about.md",
        "People/../about.md",
        "People/a/b/about.md",
        "People/Ada/notes.md",
        "12345x",
        "(0)1234567",
    ];
    let mut all: Cases = not_lookups
        .iter()
        .map(|text| ("loom_people", json!({ "query": text }), LOOKUP.to_owned()))
        .collect();
    let shape = "`shape` must be one of summary, card.";
    all.extend(cases(
        "loom_people",
        [
            (json!({}), "`query` is required."),
            (json!({ "query": "a@b", "shape": "full" }), shape),
        ],
    ));
    assert_invalid(all);
}

#[test]
fn a_day_that_is_none_and_all_days_beside_some() {
    let mut all = Cases::new();
    for name in ["from", "to"] {
        let days = [
            json!("2026-02-29"),
            json!("2026-13-01"),
            json!("2026-00-10"),
            json!("2026-04-31"),
            json!("0000-01-01"),
            json!("2026-1-1"),
            json!("20260101"),
            json!("today"),
            json!(""),
            json!("2026-01-01T00:00"),
            json!(20260101),
            json!(null),
            json!("-026-01-01"),
            json!("1900-02-29"),
            json!("２026-01-01"),
        ];
        for day in days {
            let sentence = format!("`{name}` must be a real date, written YYYY-MM-DD.");
            all.push(("loom_calendar_list", json!({ name: day }), sentence));
        }
    }
    let excludes = "`all` excludes `from` and `to`.";
    all.extend(cases(
        "loom_calendar_list",
        [
            (json!({ "all": true, "from": "2026-01-01" }), excludes),
            (json!({ "all": true, "to": "2026-01-01" }), excludes),
            (json!({ "all": "yes" }), "`all` must be true or false."),
            (json!({ "since": "2026-01-01" }), "Unknown field `since`."),
        ],
    ));
    assert_invalid(all);
}
