//! A batch: each result in the shape it would have had alone, all under one bound.

use loom_tools_tests::fake::{Step, print, rule};
use serde_json::json;

use super::{assert_undelivered, lists, one, sample};
use crate::bench;
use crate::embedded::{below, reads, writes};

#[test]
fn one_failure_stops_no_other_and_each_result_is_what_it_would_be_alone() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    let calls = json!({ "calls": [
        one("diag.die", json!({})),
        one("notes.create", json!({ "title": "t", "text": "x" })),
        one("no.such.command", json!({})),
        { "command": "notes.list" },
        one("looms.create", json!({})),
        one("mail.send", json!({ "draft_id": "d" })),
        one("diag.shapeless", json!({})),
        one("looms.list", json!({})),
        "no call at all",
    ] });
    let reply = run.turn(&[("run_command", calls)]).remove(0);
    let shown = &reply["shown"];
    assert_eq!(
        (&shown["status"], &shown["truncated"]),
        (&json!("batch"), &json!(false))
    );
    let results = shown["results"].as_array().unwrap();
    assert_eq!(results.len(), 9);
    for (n, result) in results.iter().enumerate() {
        assert_eq!(result["outputId"], format!("run-1:run_command:{}", n + 2));
    }
    assert_undelivered(&results[0], "unknown", "command_failed");
    // Its operations are counted instead of named.
    let outcome = &results[1]["outcome"];
    assert_eq!(
        (&outcome["ok"], &outcome["completedOmitted"]),
        (&json!(true), &json!(1))
    );
    assert!(outcome.get("completed").is_none());
    assert_eq!(results[2]["status"], "unknown_command");
    assert_undelivered(&results[3], "no", "invalid_input");
    assert_eq!(results[3]["message"], "`args` is required.");
    assert_eq!(results[4]["outcome"]["code"], "bad-args");
    assert!(
        results[4]["signature"]
            .as_str()
            .unwrap()
            .starts_with("looms.create(title: string")
    );
    // A hint is left out.
    assert_eq!(results[5]["outcome"]["code"], "not_granted");
    assert!(results[5].get("hint").is_none());
    assert_undelivered(&results[6], "unknown", "malformed_payload");
    assert_eq!(results[7]["entry"]["status"], "admitted");
    assert_eq!(results[8]["message"], "A call must be a JSON object.");
}

#[test]
fn the_answers_of_a_batch_share_one_bound_and_a_large_one_keeps_no_small_one_out() {
    let bench = bench();
    let long = json!({ "ok": true, "outputs": vec!["x".repeat(3_900); 4] });
    bench.fake.script(&[
        lists(&["long", "small"]),
        rule(&["run long"], [print(&long)]),
        rule(&["run small"], [print(r#"{"ok":true,"outputs":{}}"#)]),
    ]);
    let names = ["small", "long", "long", "long", "long", "small"];
    let calls = names.map(|name| one(name, json!({}))).to_vec();
    let mut run = reads(&bench);
    let shown = run.shown("run_read_command", json!({ "calls": calls }));
    let length = shown.to_string().encode_utf16().count();
    assert!(length <= 48_000, "{length}");
    let results = shown["results"].as_array().unwrap();
    let shows: Vec<bool> = results
        .iter()
        .map(|result| result.get("entry").is_some())
        .collect();
    // Each long answer takes about 16,000 characters, and the summaries their part.
    assert_eq!(shows, [true, true, true, false, false, true]);
    let truncated: Vec<_> = results
        .iter()
        .map(|result| result["truncated"] == true)
        .collect();
    assert_eq!(truncated, [false, false, false, true, true, false]);
    assert_eq!(shown["truncated"], true);
}

#[test]
fn a_batch_records_one_observation_the_join_of_what_it_showed() {
    let bench = bench();
    let answer = |label: &str| print(json!({ "ok": true, "ifc": { "confidentiality": [label] } }));
    bench.fake.script(&[
        lists(&["a", "b", "c"]),
        rule(&["run a"], [answer("work")]),
        rule(&["run b"], [answer("home")]),
        rule(&["run c"], [answer("secret")]),
    ]);
    let mut run = below(&bench, &json!(["home", "work"]));
    let calls = ["a", "b", "c", "a"].map(|id| one(id, json!({}))).to_vec();
    let reply = run
        .turn(&[("run_read_command", json!({ "calls": calls }))])
        .remove(0);
    let label = json!({ "confidentiality": ["work", "home"] });
    let observation = json!({
        "toolCallId": "0", "toolId": "run_read_command", "outputId": reply["outputId"],
        "channels": ["output"], "label": label,
    });
    assert_eq!(reply["observation"], observation);
    let results = reply["shown"]["results"].as_array().unwrap();
    assert_eq!(results[2]["entry"]["reasonCode"], "cfc_ceiling_exceeded");
    // The same answer to the same tool is one referent.
    assert_eq!(results[0]["entry"]["handle"], results[3]["entry"]["handle"]);
}

#[test]
fn sixteen_calls_go_and_seventeen_do_not() {
    let bench = bench();
    bench
        .fake
        .script(&[lists(&["a"]), rule(&["command run"], [Step::Echo])]);
    let mut run = reads(&bench);
    let calls = |count: usize| json!({ "calls": vec![one("a", json!({})); count] });
    let shown = run.shown("run_read_command", calls(17));
    assert_undelivered(&shown, "no", "batch_too_large");
    bench.fake.assert_unused();
    let shown = run.shown("run_read_command", calls(16));
    assert_eq!(shown["results"].as_array().unwrap().len(), 16);
    assert_eq!(bench.fake.records().len(), 17);
    // A batch of one is a batch.
    let shown = run.shown("run_read_command", calls(1));
    assert_eq!(shown["status"], "batch");
}
