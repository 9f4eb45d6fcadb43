//! What changed between listing and running is caught at each of the three gates: the held catalog,
//! the fresh one, the broker.

use loom_tools_tests::fake::{print, rule};
use serde_json::json;

use super::{assert_undelivered, lists, one, sample};
use crate::bench;
use crate::embedded::writes;

#[test]
fn the_held_catalog_keeps_out_what_it_did_not_show() {
    let sample = sample();
    assert!(sample.broker.withdraw("notes.list"));
    let mut run = writes(&sample.bench);
    run.shown("list_commands", json!({}));
    // Given back, but not shown to this run yet.
    assert!(sample.broker.restore("notes.list"));
    let shown = run.shown("run_command", one("notes.list", json!({})));
    assert_eq!(shown["status"], "unknown_command");
    run.shown("list_commands", json!({}));
    let shown = run.shown("run_command", one("notes.list", json!({})));
    assert_eq!(shown["outcome"]["ok"], true, "{shown}");
}

#[test]
fn the_broker_refuses_what_was_withdrawn_since_the_catalog_was_read() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    run.shown("list_commands", json!({}));
    assert!(sample.broker.withdraw("notes.create"));
    let shown = run.shown(
        "run_command",
        one("notes.create", json!({ "title": "t", "text": "x" })),
    );
    let outcome = &shown["outcome"];
    assert_eq!(
        (&outcome["ok"], &outcome["code"]),
        (&json!(false), &json!("not_granted"))
    );
    assert_eq!(outcome["hostCode"], "forbidden");
    assert!(
        shown["hint"]
            .as_str()
            .unwrap()
            .contains("Offer it to the person"),
        "{shown}"
    );
}

#[test]
fn a_read_sees_the_fresh_catalog_of_its_own_turn() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    let mut read = || run.shown("run_read_command", one("notes.list", json!({})));
    assert_eq!(read()["outcome"]["ok"], true);
    assert!(sample.broker.revoke("notes.list"));
    let shown = read();
    assert_undelivered(&shown, "no", "not_granted");
    assert!(
        shown["hint"].as_str().unwrap().contains("to the person"),
        "{shown}"
    );
    assert!(sample.broker.regrant("notes.list"));
    assert_eq!(read()["outcome"]["ok"], true);
    assert!(sample.broker.withdraw("notes.list"));
    assert_eq!(read()["status"], "unknown_command");
    // What the read saw is what the run holds from then on.
    assert!(sample.broker.restore("notes.list"));
    let shown = run.shown("run_command", one("notes.list", json!({})));
    assert_eq!(shown["status"], "unknown_command");
}

#[test]
fn a_read_of_what_is_no_granted_read_is_not_sent() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    // A change; no effect; an unknown effect; a read without the stamp.
    for name in [
        "notes.create",
        "search.saved",
        "home.scene",
        "calendar.free-busy",
    ] {
        let shown = run.shown("run_read_command", one(name, json!({})));
        assert_undelivered(&shown, "no", "not_granted");
    }
    let calls = json!({ "calls": [one("tasks.sync", json!({})), one("looms.list", json!({}))] });
    let shown = run.shown("run_read_command", calls);
    assert_undelivered(&shown["results"][0], "no", "not_granted");
    assert_eq!(shown["results"][1]["outcome"]["ok"], true);
}

#[test]
fn a_stamp_that_is_not_literally_true_or_on_no_read_grants_nothing() {
    let bench = bench();
    let listing = json!({ "commands": [
        { "id": "a", "effect": "read", "readOnlyGranted": "true" },
        { "id": "b", "effect": "read", "readOnlyGranted": 1 },
        { "id": "c", "effect": "change", "readOnlyGranted": true },
        { "id": "d", "readOnlyGranted": true },
        { "id": "e", "effect": "READ", "readOnlyGranted": true },
        { "id": "f", "effect": ["read"], "readOnlyGranted": true },
        { "id": "g", "effect": "read" },
    ] });
    bench
        .fake
        .script(&[rule(&["command list"], [print(listing)])]);
    let mut run = writes(&bench);
    let calls: Vec<_> = ["a", "b", "c", "d", "e", "f", "g"]
        .map(|id| one(id, json!({})))
        .to_vec();
    let shown = run.shown("run_read_command", json!({ "calls": calls }));
    for result in shown["results"].as_array().unwrap() {
        assert_undelivered(result, "no", "not_granted");
    }
    assert_eq!(bench.fake.records().len(), 1);
}

#[test]
fn the_broker_has_the_last_word_on_a_read_that_the_fresh_catalog_granted() {
    let bench = bench();
    let refusal = json!({ "ok": false, "code": "forbidden" });
    bench.fake.script(&[
        lists(&["a"]),
        rule(&["--read-only"], [print(&refusal)]),
        rule(&[], [print(r#"{"ok":true}"#)]),
    ]);
    let mut run = writes(&bench);
    let shown = run.shown("run_read_command", one("a", json!({})));
    assert_eq!(shown["outcome"]["code"], "not_granted");
    assert_eq!(shown["outcome"]["hostCode"], "forbidden");
    // A run that may write sends no such demand.
    let shown = run.shown("run_command", one("a", json!({})));
    assert_eq!(shown["outcome"]["ok"], true);
}

#[test]
fn a_broker_that_wants_a_job_gets_it_from_the_operator_alone() {
    let wants = |options: &mut loom_tools_sample::BrokerOptions| {
        options.job_id = Some("job-7".to_owned());
    };
    let sample = loom_tools_tests::sample::Sample::with(crate::PROGRAMS, wants);
    let cli = sample.bench.path("sample-loom");
    sample.bench.configure_commands(|config| {
        config["cliPath"] = json!(cli);
        config["jobIdEnvVar"] = json!("LOOM_COMMAND_JOB_ID");
    });
    for (flags, status) in [
        (&[][..], "error"),
        (&["--command-job-id", "job-8"], "error"),
        (&["--command-job-id", "job-7"], "ok"),
    ] {
        let ran = sample
            .bench
            .call("list_commands", &json!({}), flags)
            .ran()
            .expect_code(0);
        assert_eq!(ran.json()["status"], status, "{flags:?}");
    }
}
