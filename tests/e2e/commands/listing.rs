//! What a run is shown of the host's manifest.

use loom_tools_tests::fake::{print, rule};
use loom_tools_tests::sample::Sample;
use serde_json::{Value, json};

use super::sample;
use crate::embedded::{reads, writes};
use crate::{PROGRAMS, bench};

fn entry<'a>(listing: &'a Value, name: &str) -> &'a Value {
    let mut entries = listing["entries"].as_array().unwrap().iter();
    entries
        .find(|entry| entry["name"] == name)
        .unwrap_or_else(|| panic!("no {name}: {listing}"))
}

#[test]
fn the_sample_manifest_is_listed_with_what_is_hidden_and_what_cannot_be_read_counted() {
    let sample = sample();
    let mut run = reads(&sample.bench);
    let listing = run.shown("list_commands", json!({}));
    assert_eq!(listing["status"], "ok");
    assert_eq!(listing["entries"].as_array().unwrap().len(), 31);
    assert_eq!(
        (&listing["hidden"], &listing["omitted"]),
        (&json!(6), &json!(5))
    );
    assert!(listing.get("compacted").is_none());
    let notice = listing["notice"].as_str().unwrap();
    assert!(notice.contains("may change the person's data"), "{notice}");
    let dossier = json!({
        "name": "people-discovery.dossier",
        "signature": "people-discovery.dossier(entity_id: string, limit?: integer = 50) -> {messages, records}  [read, global]",
        "title": "Gather what is known about a person.",
        "description": "Messages and records that name the person, newest first.",
        "readOnlyGranted": true,
    });
    assert_eq!(entry(&listing, "people-discovery.dossier"), &dossier);
    let line = |name: &str| entry(&listing, name)["signature"].as_str().unwrap();
    for (name, signature) in [
        (
            "looms.rename",
            "looms.rename(title: string) -> {title, version}  [change, loom]",
        ),
        (
            "projects.status",
            "projects.status(window: Window, project?: string) -> {project, open, recent, version}  [read, project]",
        ),
        (
            "photos.caption",
            r#"photos.caption(photo: string, style: plain|"with place"|"either|or"|""|"say \"cheese\""|"back\\slash", tone?: dry) -> {caption}  [change, global]"#,
        ),
        (
            "search.saved",
            "search.saved(name: string) -> {hits}  [global]",
        ),
        (
            "home.scene",
            "home.scene(room: string, level?: number|null)  [room]",
        ),
        (
            "tasks.sync",
            "tasks.sync() -> {synced, version}  [change, global]",
        ),
        (
            "tasks.toggle",
            "tasks.toggle(...) -> {done}  [change, global]",
        ),
        ("looms.list", "looms.list() -> {looms}  [read, global]"),
        (
            "diag.echo",
            "diag.echo(...) -> {args, loom, expect}  [read, global]",
        ),
    ] {
        assert_eq!(line(name), signature);
    }
    let long = line("travel.plan");
    assert!(
        long.encode_utf16().count() <= 400 && long.contains(", …)"),
        "{long}"
    );
    // Only the broker's literal stamp is shown.
    assert!(
        entry(&listing, "calendar.free-busy")
            .get("readOnlyGranted")
            .is_none()
    );
}

#[test]
fn a_command_named_in_detail_has_its_schema_without_extension_keywords() {
    let sample = sample();
    let mut run = reads(&sample.bench);
    let detail = json!({ "detail": ["people-discovery.dossier", "projects.status", "reports.export", "no.such"] });
    let listing = run.shown("list_commands", detail);
    let schema = json!({
        "type": "object", "required": ["entity_id"],
        "properties": {
            "entity_id": { "type": "string", "minLength": 1 },
            "limit": { "type": "integer", "minimum": 1, "maximum": 200, "default": 50 },
        },
        "additionalProperties": false,
    });
    assert_eq!(
        entry(&listing, "people-discovery.dossier")["inputSchema"],
        schema
    );
    let status = entry(&listing, "projects.status")["inputSchema"].to_string();
    assert!(
        !status.contains("x-source") && !status.contains("x-unit"),
        "{status}"
    );
    // A property may be named so.
    assert!(status.contains(r#""x-ray":{"type":"boolean""#), "{status}");
    // Larger than 16 KiB: open.
    assert_eq!(entry(&listing, "reports.export")["inputSchema"], true);
    assert!(entry(&listing, "notes.list").get("inputSchema").is_none());
}

#[test]
fn a_scope_of_the_broker_narrows_what_is_listed() {
    let scope = |options: &mut loom_tools_sample::BrokerOptions| {
        options.scope = vec!["notes.".to_owned(), "diag.echo".to_owned()];
    };
    let sample = Sample::with(PROGRAMS, scope);
    let mut run = reads(&sample.bench);
    let listing = run.shown("list_commands", json!({}));
    let names: Vec<_> = listing["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| &e["name"])
        .collect();
    assert_eq!(names, ["notes.list", "notes.create", "diag.echo"]);
    assert_eq!(listing["omitted"], 1);
    assert!(listing.get("hidden").is_none());
}

#[test]
fn a_large_listing_keeps_its_first_entries_and_what_is_named_whole() {
    let bench = bench();
    let row = |n: usize| json!({ "id": format!("c{n:03}"), "help": "h".repeat(1_000), "inputs": { "type": "object" } });
    let rows: Vec<Value> = (0..300).map(row).collect();
    bench
        .fake
        .script(&[rule(&[], [print(json!({ "commands": rows }))])]);
    let mut run = reads(&bench);
    let listing = run.shown("list_commands", json!({ "detail": ["c255", "c299"] }));
    let entries = listing["entries"].as_array().unwrap();
    // 256 are kept.
    assert_eq!(entries.len(), 256);
    assert_eq!(listing["omitted"], 44);
    let described = |entry: &&Value| entry.get("description").is_some();
    let whole = entries.iter().filter(described).count();
    assert_eq!(listing["compacted"], 256 - whole);
    assert!((25..32).contains(&whole), "{whole}");
    // The first ones in order, and the one that was named, wherever it stands.
    assert_eq!(entries.iter().take_while(described).count(), whole - 1);
    assert!(described(&&entries[255]));
    assert_eq!(entries[255]["inputSchema"], json!({ "type": "object" }));
    assert_eq!(bench.fake.records().len(), 1);
}

#[test]
fn a_listing_that_cannot_be_read_is_an_error_and_is_not_held() {
    let bench = bench();
    let mut run = writes(&bench);
    let cases = [
        (r#"{"commands":[]}"#, 1, "command_failed"),
        ("no json", 0, "command_failed"),
        ("", 0, "command_failed"),
        ("[]", 0, "malformed_payload"),
        (r#"{"commands":{}}"#, 0, "malformed_payload"),
        (r#"{"ok":false,"code":"forbidden"}"#, 1, "command_failed"),
    ];
    let count = cases.len();
    for (text, exit, code) in cases {
        bench.fake.script(&[rule(
            &["command list"],
            [print(text), loom_tools_tests::fake::Step::Exit(exit)],
        )]);
        let shown = run.shown("list_commands", json!({}));
        let expected = json!({
            "outputId": shown["outputId"], "status": "error", "code": code,
            "message": shown["message"],
        });
        assert_eq!(shown, expected, "{text}");
        for tool in ["run_command", "run_read_command"] {
            let batch =
                json!({ "calls": [super::one("a", json!({})), super::one("b", json!({}))] });
            // The whole call is stopped, in the place of the batch.
            super::assert_undelivered(&run.shown(tool, batch), "no", code);
        }
    }
    // Each asked the host again, and nothing was run.
    let records = bench.fake.take_records();
    assert_eq!(records.len(), 3 * count);
    assert!(
        records
            .iter()
            .all(|record| record.args() == ["command", "list", "--json"])
    );
    bench.fake.script(&[super::lists(&["a"])]);
    run.shown("list_commands", json!({}));
    let shown = run.shown("run_command", super::one("b", json!({})));
    assert_eq!(shown["status"], "unknown_command");
    assert_eq!(bench.fake.records().len(), 1, "the listing is held");
    // A failed reading takes away what was held before it.
    bench.fake.script(&[]);
    run.shown("list_commands", json!({}));
    super::assert_undelivered(
        &run.shown("run_command", super::one("a", json!({}))),
        "no",
        "command_failed",
    );
}
