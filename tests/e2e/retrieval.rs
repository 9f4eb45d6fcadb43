//! The eight retrieval tools over the sample Loom: a real process, a real queue, a real broker.

use loom_tools_sample::{BrokerOptions, ProfileTier};
use loom_tools_tests::sample::Sample;
use serde_json::{Value, json};

use crate::PROGRAMS;

/// A broker that writes a read-ceiling record, and a configuration that names it.
fn bounded(change: impl FnOnce(&mut BrokerOptions)) -> Sample {
    let sample = Sample::with(PROGRAMS, |options| {
        options.read_ceiling = Some(options.queue.with_file_name("read-ceiling.json"));
        change(options);
    });
    let (cli, record) = (
        sample.bench.path("sample-loom"),
        sample.bench.path("read-ceiling.json"),
    );
    sample.bench.configure_retrieval(|config| {
        config["cliPath"] = json!(cli);
        config["readCeilingFile"] = json!(record);
        config["facets"] = json!(["home", "work"]);
    });
    sample
}

fn ids(shown: &Value, status: &str) -> Vec<String> {
    let entries = shown["entries"].as_array().unwrap().iter();
    entries
        .filter(|entry| entry["status"] == status)
        .map(|entry| entry["value"]["id"].as_str().unwrap_or("none").to_owned())
        .collect()
}

#[test]
fn each_tool_answers_through_the_broker() {
    let sample = bounded(|_| {});
    let mut session = sample.bench.session(&[]);
    let mut first = |tool: &str, input: Value| {
        let mut shown = session.shown(tool, input);
        assert_eq!(shown["status"], "ok", "{tool}: {shown}");
        shown["entries"][0]["value"].take()
    };
    let hit = first(
        "loom_search",
        json!({ "query": "garlic", "person": "Jonas", "rank": "score" }),
    );
    assert_eq!(hit["id"], "msg-0004");
    let page = first(
        "loom_page_discover",
        json!({ "kind": "projects", "limit": 1 }),
    );
    assert!(
        page["target"].as_str().unwrap().starts_with("Projects/"),
        "{page}"
    );
    let target = json!({ "target": "Projects/Harbour Library/about.md" });
    assert!(first("loom_page_inspect", target.clone())["backlinks"].is_array());
    assert!(first("loom_page_read", target)["body"].is_string());
    let lookup = json!({ "query": "People/Tomás Ferreira/about.md", "shape": "card" });
    assert_eq!(
        first("loom_people", lookup)["person"],
        "person:tomas-ferreira"
    );
    let day = json!({ "from": "2026-06-26", "to": "2026-06-26" });
    let event = first("loom_calendar_list", day).to_string();
    assert!(event.contains("2026-06-26"), "{event}");
    assert_eq!(
        first("loom_context", json!({ "read": "where" }))["place"]["kind"],
        "work"
    );
    let done = first("loom_context", json!({ "read": "activity", "since": "2d" }));
    assert!(done["activities"].is_array(), "{done}");
    assert_eq!(
        first("loom_profile", json!({ "fresh": true }))["hasProfile"],
        true
    );
}

#[test]
fn rows_above_the_record_or_with_an_unreadable_label_are_withheld_and_counted() {
    let sample = bounded(|_| {});
    let mut session = sample.bench.session(&[]);
    let reply = session
        .turn(&[("loom_search", json!({ "query": "budget", "limit": 100 }))])
        .remove(0);
    let shown = &reply["shown"];
    let admitted = ids(shown, "admitted");
    let withheld = shown["entries"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|entry| entry["reasonCode"].as_str());
    let withheld: Vec<_> = withheld.collect();
    assert_eq!(shown["admitted"], admitted.len());
    assert_eq!(shown["withheld"], withheld.len());
    assert!(withheld.contains(&"cfc_ceiling_exceeded"), "{shown}");
    assert!(withheld.contains(&"cfc_label_read_failed"), "{shown}");
    assert!(!admitted.is_empty());
    for entry in shown["entries"].as_array().unwrap() {
        assert!(entry["value"].get("ifc").is_none());
        if entry["status"] == "withheld" {
            assert_eq!(entry.as_object().unwrap().len(), 2);
        }
    }
}

#[test]
fn what_the_cli_refuses_or_does_not_find_is_a_typed_error() {
    let sample = bounded(|options| options.search_schema = Some(json!(2)));
    let mut session = sample.bench.session(&["-vv"]);
    for (tool, input, code, host_code) in [
        (
            "loom_people",
            json!({ "query": "nobody@nowhere.example" }),
            "not_found",
            None,
        ),
        (
            "loom_people",
            json!({ "query": "handle:sam" }),
            "contested",
            None,
        ),
        (
            "loom_search",
            json!({ "person": "Nobody" }),
            "not_found",
            None,
        ),
        (
            "loom_search",
            json!({ "query": "permit", "person": "handle:sam" }),
            "contested",
            None,
        ),
        (
            "loom_search",
            json!({ "query": "permit" }),
            "schema_version_mismatch",
            None,
        ),
        (
            "loom_page_read",
            json!({ "target": "Projects/Atlantis" }),
            "host_refused",
            Some("not_found"),
        ),
        // A moment and a span that only the CLI understands: its usage errors quote the host.
        (
            "loom_search",
            json!({ "query": "x", "since": "soon" }),
            "command_failed",
            None,
        ),
        (
            "loom_calendar_list",
            json!({ "from": "2026-02-03", "to": "2026-02-01" }),
            "command_failed",
            None,
        ),
    ] {
        let shown = session.shown(tool, input.clone());
        assert_eq!(shown["code"], code, "{tool} {input}: {shown}");
        assert_eq!(shown.get("hostCode").and_then(Value::as_str), host_code);
        assert!(!shown.to_string().contains(loom_tools_sample::HOST_TEXT));
    }
    // A page whose refusal is a sentence with a path in it.
    let shown = session.shown(
        "loom_page_read",
        json!({ "target": "Documents/Damaged Scan.md" }),
    );
    assert_eq!(shown["code"], "host_refused");
    assert!(!shown.to_string().contains("/private"), "{shown}");
    assert!(session.end().success());
    assert!(
        session.stderr().contains(loom_tools_sample::HOST_TEXT),
        "{}",
        session.stderr()
    );
}

#[test]
fn a_fallback_profile_is_a_payload() {
    let sample = bounded(|options| options.profile = ProfileTier::Fallback);
    let ran = sample
        .bench
        .call("loom_profile", &json!({}), &[])
        .ran()
        .expect_code(0);
    assert_eq!(ran.json()["entries"][0]["value"]["hasProfile"], false);
}

#[test]
fn without_a_broker_every_tool_says_that_the_command_failed() {
    let Sample { broker, bench } = Sample::with(PROGRAMS, |options| {
        options.patience = std::time::Duration::from_millis(100);
    });
    drop(broker);
    let mut session = bench.session(&["--prompt-slot", "direct-command", "--timeout-ms", "20000"]);
    let replies = session.turn(&[
        ("loom_search", json!({ "query": "q" })),
        ("loom_profile", json!({})),
        ("list_commands", json!({})),
        (
            "run_command",
            json!({ "command": "notes.list", "args": {} }),
        ),
    ]);
    for reply in replies {
        assert_eq!(reply["shown"]["code"], "command_failed", "{reply}");
    }
}
