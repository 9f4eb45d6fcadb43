//! The eight reads through the built binary and a real broker.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

mod common;

use common::{Bench, bare, text};
use loom_tools_sample::{HOST_TEXT, ProfileTier};
use serde_json::{Value, json};

fn ids(payload: &Value) -> Vec<&str> {
    payload["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["id"].as_str().unwrap())
        .collect()
}

#[test]
fn a_search_prints_hits_and_its_envelope() {
    let bench = Bench::new();
    let found = bench.json(&["search", "quay permit", "--json"]);
    let fields: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(
        fields,
        ["query", "source_status", "warnings", "truncated", "hits"]
    );
    assert!(ids(&found).contains(&"mail-0002"));
    assert_eq!(found["truncated"], false);
    assert_eq!(
        found["hits"][0].get("ifc").is_some(),
        ids(&found)[0] == "mail-0002"
    );
}

#[test]
fn one_search_finds_a_row_of_every_measure() {
    let found = Bench::new().json(&["search", "budget", "--json", "--limit", "100"]);
    let hits = ids(&found);
    for id in [
        "mail-0010",
        "mail-0011",
        "mail-0012",
        "mail-0013",
        "mail-0018",
        "mail-0024",
    ] {
        assert_eq!(hits.contains(&id), id != "mail-0010", "{id} in {hits:?}");
    }
}

#[test]
fn a_search_narrows_by_time_source_person_and_number() {
    let bench = Bench::new();
    let all = bench.json(&["search", "garlic", "--json"]);
    assert_eq!(ids(&all), ["msg-0004"]);
    let none = bench.json(&["search", "garlic", "--json", "--until", "2026-06-13"]);
    assert_eq!(ids(&none).len(), 0);
    let mail = bench.json(&["search", "garlic", "--json", "--sources", "mail,fax"]);
    assert_eq!(mail["warnings"], json!(["unknown source fax"]));
    assert_eq!(mail["source_status"].as_object().unwrap().len(), 1);
    let jonas = bench.json(&[
        "search",
        "--json",
        "--tz",
        "Europe/Berlin",
        "--person",
        "Jonas",
        "--limit",
        "2",
        "--rank",
        "recency",
    ]);
    assert_eq!(ids(&jonas), ["msg-0004", "msg-0003"]);
    assert_eq!(jonas["truncated"], true);
    assert_eq!(jonas["query"], Value::Null);
    assert_eq!(jonas["hits"][0]["when"], "2026-06-14T19:06:00+02:00");
}

#[test]
fn a_search_finds_every_script() {
    let bench = Bench::new();
    for (query, id) in [
        ("μάρμαρο", "mail-0005"),
        ("読書室", "mail-0004"),
        ("الزراعة", "mail-0006"),
        ("ההדהוד", "mail-0007"),
        ("प्रकाश", "mail-0008"),
        ("🙏", "msg-0002"),
    ] {
        assert!(
            ids(&bench.json(&["search", query, "--json"])).contains(&id),
            "{query}"
        );
    }
}

#[test]
fn a_person_nobody_is_exits_1_and_a_contested_one_3() {
    let bench = Bench::new();
    for (args, code) in [
        (vec!["people", "nobody@nowhere.example", "--json"], 1),
        (vec!["people", "handle:sam", "--json"], 3),
        (vec!["people", "+49 40 555 0100", "--json"], 3),
        (vec!["people", "group:nothing", "--json"], 1),
        (vec!["search", "--json", "--person", "Nobody"], 1),
        (
            vec!["search", "permit", "--json", "--person", "handle:sam"],
            3,
        ),
    ] {
        let output = bench.loom(&args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn a_lookup_of_every_form_prints_one_card() {
    let bench = Bench::new();
    for lookup in [
        "tomas@ferreira-estruturas.example",
        "+351 21 555 0142",
        "handle:tomas",
        "person:tomas-ferreira",
        "People/Tomás Ferreira/about.md",
    ] {
        let card = bench.json(&["people", lookup, "--json", "--shape", "card"]);
        assert_eq!(card["person"], "person:tomas-ferreira", "{lookup}");
        assert_eq!(card["groups"], json!(["studio"]));
    }
    let summary = bench.json(&["people", "handle:yuki", "--json"]);
    assert_eq!(
        (&summary["name"], summary.get("emails")),
        (&json!("田中由紀"), None)
    );
    assert_eq!(
        bench.json(&["people", "group:choir", "--json"])["members"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
}

#[test]
fn pages_are_discovered_inspected_and_read() {
    let bench = Bench::new();
    let projects = bench.json(&[
        "page",
        "discover",
        "--json",
        "--concise",
        "--kind",
        "projects",
        "--limit",
        "3",
    ]);
    assert_eq!(projects["pages"].as_array().unwrap().len(), 3);
    assert_eq!(projects["totalPages"], 12);
    let context = bench.json(&[
        "page",
        "inspect",
        "Projects/Harbour Library/about.md",
        "--json",
        "--concise",
    ]);
    assert_eq!(context["backlinks"].as_array().unwrap().len(), 3);
    assert!(context.get("views").is_none());
    let page = bench.json(&["page", "read", "Projects/Partner Agreement", "--json"]);
    assert!(page["body"].as_str().unwrap().contains("Draft four") && page.get("ifc").is_some());
}

#[test]
fn a_page_that_cannot_be_had_is_refused_in_the_payload() {
    let bench = Bench::new();
    let output = bench.loom(&["page", "read", "Projects/Atlantis", "--json"]);
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &told["ok"], &told["code"]),
        (Some(1), &json!(false), &json!("not_found"))
    );
    let output = bench.loom(&["page", "read", "Documents/Damaged Scan.md", "--json"]);
    assert!(text(&output.stdout).contains("/private/loom/store"));
}

#[test]
fn the_calendar_lists_two_weeks_bounds_or_everything() {
    let bench = Bench::new();
    let count = |args: &[&str]| bench.json(args).as_array().unwrap().len();
    let fortnight = count(&["calendar", "list", "--json"]);
    let day = bench.json(&[
        "calendar",
        "list",
        "--json",
        "--from",
        "2026-06-26",
        "--to",
        "2026-06-26",
    ]);
    assert!(day.to_string().contains("Quay permit: planning committee"));
    let all = count(&["calendar", "list", "--json", "--all"]);
    assert!(
        (10..30).contains(&fortnight) && all > 200,
        "{fortnight} {all}"
    );
}

#[test]
fn context_tells_where_and_what() {
    let bench = Bench::new();
    let now = bench.json(&["context", "where", "--json"]);
    assert_eq!(now["place"]["kind"], "work");
    let night = bench.json(&["context", "where", "--json", "--at", "2026-06-14T21:00:00Z"]);
    assert_eq!(night["place"]["kind"], "home");
    assert!(night.get("ifc").is_some());
    let done = bench.json(&["context", "activity", "--json", "--since", "2d"]);
    assert!(done["activities"].as_array().unwrap().len() > 3);
}

#[test]
fn a_fallback_profile_exits_1_with_a_payload() {
    let live = Bench::new().json(&["profile", "--json", "--fresh"]);
    assert_eq!(
        (&live["hasProfile"], &live["tier"]),
        (&json!(true), &json!("live"))
    );
    let output =
        Bench::with(|options| options.profile = ProfileTier::Fallback).loom(&["profile", "--json"]);
    let payload: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (output.status.code(), &payload["hasProfile"]),
        (Some(1), &json!(false))
    );
}

#[test]
fn a_broker_serves_its_facets_and_no_others() {
    let home = Bench::with(|options| options.facets = vec!["home".into()]);
    assert_eq!(
        home.json(&["search", "permit", "--json"])["hits"],
        json!([])
    );
    assert_eq!(
        home.loom(&["people", "handle:ilse", "--json"])
            .status
            .code(),
        Some(1)
    );
    assert_eq!(
        home.loom(&["page", "read", "Harbour Library", "--json"])
            .status
            .code(),
        Some(1)
    );
    let health = Bench::with(|options| options.facets = vec!["health".into()]);
    assert_eq!(
        ids(&health.json(&["search", "ferritin", "--json"])),
        ["mail-0027"]
    );
}

#[test]
fn a_stated_schema_version_comes_first() {
    let bench = Bench::with(|options| options.search_schema = Some(json!(2)));
    assert_eq!(
        bench.json(&["search", "permit", "--json"])["schemaVersion"],
        2
    );
}

#[test]
fn a_usage_error_exits_2_and_quotes_the_host_on_standard_error() {
    for args in [
        &["search", "--json"][..],
        &["search", "x"],
        &["search", "x", "--json", "--limit", "0"],
        &["search", "x", "--json", "--since", "-1d"],
        &["search", "x", "--json", "--since", "soon"],
        &["search", "x", "--json", "--json"],
        &["search", "x", "--json", "--peek"],
        &["page", "discover", "--json", "--kind", "panel"],
        &["page", "read", "--json"],
        &["people", "list", "extra", "--json"],
        &["calendar", "list", "--json", "--all", "--to", "2026-01-01"],
        &["calendar", "list", "--json", "--from", "2026-02-30"],
        &[
            "calendar",
            "list",
            "--json",
            "--from",
            "2026-02-03",
            "--to",
            "2026-02-01",
        ],
        &["context", "hosted", "--json"],
        &["context", "where", "--json", "--since", "1d"],
        &["command", "run", "x", "--json"],
        &[],
    ] {
        let output = bare(args).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(HOST_TEXT), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}
