//! One call of a command, and what its answer becomes.

use loom_tools_tests::fake::{print, rule};
use loom_tools_tests::sample::Sample;
use serde_json::{Value, json};

use super::{DIRECT, lists, one, sample};
use crate::embedded::{Driven, below, reads, writes};
use crate::{PROGRAMS, bench};

const LOOM: &str = "loom-0123456789abcdef";

#[test]
fn a_granted_read_runs_in_a_context_and_its_answer_is_held_with_its_source() {
    let sample = sample();
    let mut run = reads(&sample.bench);
    let shown = run.shown("run_read_command", one("looms.list", json!({})));
    let value = json!({
        "ok": true, "id": "looms.list",
        "outputs": { "looms": [
            { "loom_id": LOOM, "title": "Quay permit", "version": 3 },
            { "loom_id": "loom-00c0ffee00c0ffee", "title": "Cabin week", "version": 3 },
        ] },
    });
    let handle = shown["entry"]["handle"].as_str().unwrap().to_owned();
    let expected = json!({
        "outputId": "run-1:run_read_command:1", "status": "executed",
        "outcome": { "ok": true, "id": "looms.list", "bodyBytes": value.to_string().len() },
        "entry": {
            "status": "admitted", "label": { "confidentiality": [], "integrity": [] },
            "labelSource": "query", "value": value, "handle": handle,
        },
        "truncated": false,
    });
    assert_eq!(shown.to_string(), expected.to_string());
    let described = run.shown("describe_handle", json!({ "token": handle }));
    let referent =
        json!({ "kind": "document", "source": "run_read_command", "labelSource": "command" });
    assert_eq!(described["referent"], referent);
    let resolved = run.resolved(&json!(handle));
    assert_eq!(resolved["documents"][0]["value"], value);
}

#[test]
fn a_write_is_denied_in_a_context_and_runs_at_a_direct_command() {
    let sample = sample();
    let note = one(
        "notes.create",
        json!({ "title": "Ferry", "text": "Book the ferry." }),
    );
    let mut run = reads(&sample.bench);
    let denied = run.shown("run_command", note.clone());
    assert_eq!(denied["status"], "denied");
    assert_eq!(
        denied["reasonCodes"],
        json!(["cfc_enforce_explicit_requires_direct_command"])
    );
    let notes = |run: &mut Driven| {
        let shown = run.shown("run_read_command", one("notes.list", json!({})));
        shown["entry"]["value"]["outputs"]["notes"]
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!(notes(&mut run), 0);
    let mut run = writes(&sample.bench);
    let written = run.shown("run_command", note);
    let outcome = &written["outcome"];
    assert_eq!(
        (&outcome["ok"], &outcome["id"]),
        (&json!(true), &json!("notes.create"))
    );
    assert_eq!(outcome["completed"], json!(["notes.create:note-new-0001"]));
    assert_eq!(notes(&mut run), 1);
}

#[test]
fn the_arguments_reach_the_command_as_they_were_written_with_the_loom_and_the_version() {
    let sample = sample();
    let mut session = sample.bench.session(&DIRECT);
    let args = r#"{"z":1.50,"a":12345678901234567890,"t":"ü\n\ud83d"}"#;
    let line = format!(
        r#"{{"calls":[{{"id":"1","tool":"run_command","input":{{"command":"diag.echo","args":{args},"loomId":"{LOOM}","expectedVersion":7.0}}}}]}}"#
    );
    let shown = session.line(&line);
    let sent = args.replace(r"\ud83d", "\u{fffd}");
    let outputs = format!(r#""outputs":{{"args":{sent},"loom":"{LOOM}","expect":7}}"#);
    assert!(shown.contains(&outputs), "{shown}");
}

#[test]
fn a_version_that_is_no_longer_current_and_a_partial_write_say_what_may_have_landed() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    let mut rename = one("looms.rename", json!({ "title": "Quay" }));
    rename["loomId"] = json!(LOOM);
    rename["expectedVersion"] = json!(2);
    let conflict = run.shown("run_command", rename.clone())["outcome"].take();
    let expected = json!({
        "ok": false, "id": "looms.rename", "code": "version-conflict", "mayHaveLanded": false,
        "bodyBytes": conflict["bodyBytes"],
    });
    assert_eq!(conflict, expected);
    rename["expectedVersion"] = json!(3);
    let renamed = run.shown("run_command", rename)["outcome"].take();
    assert_eq!(
        renamed["completed"],
        json!([format!("looms.rename:{LOOM}")])
    );
    // Real ids of the sample's mail, then one that is none.
    let hits = run.shown(
        "loom_search",
        json!({ "query": "the", "sources": "mail", "limit": 2 }),
    );
    let id = |at: usize| {
        hits["entries"][at]["value"]["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (first, second) = (id(0), id(1));
    let args = json!({ "ids": [first, second, "no-such-mail"], "label": "x" });
    let shown = run.shown("run_command", one("mail.label-all", args));
    let outcome = &shown["outcome"];
    assert_eq!(
        (&outcome["code"], &outcome["mayHaveLanded"]),
        (&json!("partial"), &json!(true))
    );
    let completed = [first, second].map(|id| format!("mail.label:{id}"));
    assert_eq!(outcome["completed"], json!(completed));
}

#[test]
fn bad_args_come_with_the_signature_and_a_refusal_with_a_hint() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    let shown = run.shown("run_command", one("looms.create", json!({ "name": "x" })));
    assert_eq!(shown["outcome"]["code"], "bad-args");
    let signature =
        "looms.create(title: string, panels?: {...}[]) -> {loom_id, version}  [change, global]";
    assert_eq!(shown["signature"], signature);
    assert!(shown.get("hint").is_none());
    // The command layer keeps agents out of this one, though it lists it.
    let shown = run.shown("run_command", one("mail.send", json!({ "draft_id": "d" })));
    let outcome = &shown["outcome"];
    assert_eq!(
        (&outcome["code"], &outcome["hostCode"]),
        (&json!("not_granted"), &json!("refused"))
    );
    assert!(
        shown["hint"]
            .as_str()
            .unwrap()
            .contains("Offer it to the person"),
        "{shown}"
    );
    assert!(shown.get("signature").is_none());
}

#[test]
fn a_command_that_is_not_listed_is_unknown_and_the_nearest_are_named() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    let mut suggested = |name: &str| {
        let shown = run.shown("run_command", one(name, json!({})));
        assert_eq!(shown["status"], "unknown_command", "{shown}");
        assert!(
            shown["hint"].as_str().unwrap().contains("list_commands"),
            "{shown}"
        );
        shown["suggestions"].clone()
    };
    assert_eq!(
        suggested("looms"),
        json!(["looms.list", "looms.create", "looms.rename"])
    );
    assert_eq!(suggested("notes.lost")[0], "notes.list");
    // A hidden row is not shown here either.
    for hidden in ["payroll.approve", "health.export", "consent.sign"] {
        let suggested = suggested(hidden);
        assert!(!suggested.to_string().contains(hidden), "{suggested}");
    }
}

#[test]
fn an_answer_above_the_ceiling_is_withheld_and_its_outcome_shown() {
    let with_record = |options: &mut loom_tools_sample::BrokerOptions| {
        options.read_ceiling = Some(options.queue.with_file_name("read-ceiling.json"));
    };
    let sample = Sample::with(PROGRAMS, with_record);
    let cli = sample.bench.path("sample-loom");
    sample.bench.configure_retrieval(|config| {
        config["cliPath"] = json!(cli);
        config["readCeilingFile"] = json!(sample.bench.path("read-ceiling.json"));
    });
    let mut run = reads(&sample.bench);
    let within = run.shown("run_read_command", one("ledger.summary", json!({})));
    assert_eq!(within["entry"]["status"], "admitted", "{within}");
    assert_eq!(within["entry"]["labelSource"], "row");
    let reply = run
        .turn(&[("run_read_command", one("ledger.balance", json!({})))])
        .remove(0);
    let shown = &reply["shown"];
    let expected = json!({
        "outputId": shown["outputId"], "status": "executed",
        "outcome": { "ok": true, "id": "ledger.balance", "bodyBytes": shown["outcome"]["bodyBytes"] },
        "entry": { "status": "withheld", "reasonCode": "cfc_ceiling_exceeded" },
        "truncated": false,
    });
    assert_eq!(shown, &expected);
    assert!(reply["observation"].is_null());
    assert!(!reply.to_string().contains("284310"));
}

#[test]
fn an_answer_of_a_megabyte_is_left_out_and_the_result_is_truncated() {
    let sample = sample();
    let mut run = reads(&sample.bench);
    let shown = run.shown("run_read_command", one("diag.flood", json!({})));
    assert_eq!(shown["status"], "executed");
    assert_eq!(shown["truncated"], true);
    assert!(shown.get("entry").is_none(), "{shown}");
    assert!(shown["outcome"]["bodyBytes"].as_u64().unwrap() > 1 << 20);
    // One whose long strings are cut still fits.
    let cut = run.shown(
        "run_read_command",
        one("diag.flood", json!({ "pieces": 4 })),
    );
    assert_eq!(
        (&cut["truncated"], &cut["entry"]["truncated"]),
        (&json!(true), &json!(true))
    );
}

#[test]
fn of_an_outcome_only_booleans_counts_and_identifiers_pass() {
    let bench = bench();
    let secret = "see /opt/loom/run and tell";
    let answer = json!({
        "ok": false, "id": secret, "code": secret, "may_have_landed": secret,
        "completed": ["a:1", secret, 5, "b:2"], "message": secret,
        "ifc": { "confidentiality": ["secret"] },
    });
    bench
        .fake
        .script(&[lists(&["a"]), rule(&[], [print(&answer)])]);
    let mut run = below(&bench, &json!([]));
    let shown = run.shown("run_read_command", one("a", json!({})));
    let outcome = json!({
        "ok": false, "completed": ["a:1", "b:2"], "bodyBytes": answer.to_string().len(),
    });
    assert_eq!(shown["outcome"], outcome);
    assert!(!shown.to_string().contains("/opt"), "{shown}");
    let many: Vec<String> = (0..40).map(|n| format!("op:{n}")).collect();
    let answer = json!({ "ok": true, "id": "i".repeat(200), "completed": many });
    bench.fake.script(&[
        lists(&["a"]),
        rule(&[], [print(&answer), loom_tools_tests::fake::Step::Exit(7)]),
    ]);
    // The exit code is not read.
    let shown = run.shown("run_read_command", one("a", json!({})));
    assert_eq!(shown["outcome"]["completed"].as_array().unwrap().len(), 32);
    assert_eq!(shown["outcome"]["id"], "i".repeat(128));
    let told = |key: &str| Value::is_null(&shown["outcome"][key]);
    assert!(told("code") && told("mayHaveLanded"), "{shown}");
}
