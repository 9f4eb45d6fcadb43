//! Whether a command that was not delivered may have landed: killed at each stage.

use std::fs;
use std::thread;

use loom_tools_host::{Bounds, Cancel, PromptSlot, Run, Settings};
use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{Step, print, rule};
use serde_json::{Value, json};

use super::{DIRECT, assert_undelivered, lists, one, sample};
use crate::bench;
use crate::embedded::{call, driven, shown, start, writes};

#[test]
fn an_answer_that_is_lost_after_the_command_was_sent_may_have_landed() {
    let sample = sample();
    let mut run = writes(&sample.bench);
    for tool in ["run_command", "run_read_command"] {
        let mut run = |name: &str| run.shown(tool, one(name, json!({})));
        assert_undelivered(&run("diag.die"), "unknown", "command_failed");
        assert_undelivered(&run("diag.garble"), "unknown", "command_failed");
        assert_undelivered(&run("diag.shapeless"), "unknown", "malformed_payload");
    }
}

#[test]
fn a_command_past_its_deadline_or_its_bound_or_without_an_answer_may_have_landed() {
    let bench = bench();
    let killed = [print(r#"{"ok":true}"#), Step::Signal(9)];
    let rules = [
        lists(&[
            "slow", "endless", "killed", "silent", "cut", "fails", "listed",
        ]),
        rule(&["run slow"], [Step::Sleep(300_000)]),
        rule(&["run endless"], [Step::Endless("x".repeat(10_000))]),
        rule(&["run killed"], killed),
        rule(&["run silent"], []),
        rule(&["run cut"], [print(r#"{"ok":tr"#)]),
        rule(&["run fails"], [Step::Exit(1)]),
    ];
    bench.fake.script(&rules);
    let flags = [&DIRECT[..], &["--timeout-ms", "5000"]].concat();
    let mut session = bench.session(&flags);
    let names = ["slow", "endless", "killed", "silent", "cut", "fails"];
    let calls = names.map(|name| one(name, json!({}))).to_vec();
    let shown = session.shown("run_command", json!({ "calls": calls }));
    for result in shown["results"].as_array().unwrap() {
        assert_undelivered(result, "unknown", "command_failed");
    }
    assert!(session.end().success());
    bench.assert_nothing_runs();
}

#[test]
fn a_command_whose_process_cannot_start_did_not_land() {
    let bench = bench();
    bench.fake.script(&[lists(&["a"]), rule(&[], [Step::Echo])]);
    let mut run = writes(&bench);
    run.shown("list_commands", json!({}));
    fs::rename(bench.fake.path(), bench.path("gone")).unwrap();
    let shown = run.shown("run_command", one("a", json!({})));
    assert_undelivered(&shown, "no", "command_failed");
    let message = "The command could not be sent. Nothing was started.";
    assert_eq!(shown["message"], message);
    fs::rename(bench.path("gone"), bench.fake.path()).unwrap();
    let shown = run.shown("run_command", one("a", json!({})));
    assert_eq!(shown["outcome"]["ok"], true, "{shown}");
}

#[test]
fn a_command_that_the_hosts_grant_does_not_cover_did_not_land() {
    // The component may only refuse it too: both are asked, and nothing is started.
    let bench = bench();
    bench.fake.script(&[lists(&["a"])]);
    let mut run = driven(&bench, |settings| settings.slot = Some(PromptSlot::Quote));
    assert_eq!(
        run.shown("run_command", one("a", json!({})))["status"],
        "denied"
    );
    bench.fake.assert_unused();
}

/// Invokes one call on a thread and cancels the turn once `begun` is there.
fn cancelled(bench: &Bench, tool: &str, input: &Value, begun: &str) -> Value {
    let direct = |settings: &mut Settings| settings.slot = Some(PromptSlot::DirectCommand);
    let mut run: Run = start(bench, Bounds::default(), direct).unwrap();
    let cancel: Cancel = run.canceller();
    let replies = thread::scope(|scope| {
        let turn = scope.spawn(|| run.invoke(vec![call(tool, input)]).unwrap());
        bench.fake.await_file(begun);
        cancel.turn();
        turn.join().unwrap()
    });
    bench.assert_nothing_runs();
    // The run goes on.
    let next = run
        .invoke(vec![call("describe_handle", &json!({ "token": "x" }))])
        .unwrap();
    assert_eq!(shown(&next[0])["known"], false);
    shown(&replies[0])
}

#[test]
fn of_a_cancelled_batch_what_had_started_may_have_landed_and_the_rest_did_not() {
    let bench = bench();
    bench.fake.script(&[
        lists(&["a"]),
        rule(
            &["command run"],
            [
                Step::Meet(4),
                Step::Touch("begun".into()),
                Step::Sleep(300_000),
            ],
        ),
    ]);
    let calls = vec![one("a", json!({})); 7];
    let shown = cancelled(&bench, "run_command", &json!({ "calls": calls }), "begun");
    let results = shown["results"].as_array().unwrap();
    for result in &results[..4] {
        assert_undelivered(result, "unknown", "command_failed");
    }
    for result in &results[4..] {
        assert_undelivered(result, "no", "cancelled");
    }
    // The listing and four.
    assert_eq!(bench.fake.records().len(), 5);
}

#[test]
fn a_turn_cancelled_while_the_listing_is_read_sends_nothing() {
    let bench = bench();
    let slow = [Step::Touch("begun".into()), Step::Sleep(300_000)];
    bench.fake.script(&[rule(&["command list"], slow)]);
    let shown = cancelled(&bench, "run_command", &one("a", json!({})), "begun");
    // The listing had started: it is lost, and with it the chance to send anything.
    assert_undelivered(&shown, "no", "command_failed");
    assert_eq!(bench.fake.records().len(), 1);
}

#[test]
fn of_cancelled_retrievals_those_that_waited_are_cancelled() {
    let bench = bench();
    let steps = [
        Step::Meet(8),
        Step::Touch("begun".into()),
        Step::Sleep(300_000),
    ];
    bench.fake.script(&[rule(&["profile"], steps)]);
    let mut run = start(&bench, Bounds::default(), |_| {}).unwrap();
    let cancel = run.canceller();
    let replies = thread::scope(|scope| {
        let calls = vec![call("loom_profile", &json!({})); 10];
        let turn = scope.spawn(|| run.invoke(calls).unwrap());
        bench.fake.await_file("begun");
        cancel.turn();
        turn.join().unwrap()
    });
    let codes: Vec<_> = replies
        .iter()
        .map(|reply| shown(reply)["code"].clone())
        .collect();
    let expected = [vec!["command_failed"; 8], vec!["cancelled"; 2]].concat();
    assert_eq!(codes, expected);
    assert_eq!(bench.fake.records().len(), 8);
    bench.assert_nothing_runs();
}

#[test]
fn one_call_of_a_turn_is_cancelled_and_the_others_are_answered() {
    let bench = bench();
    let waits = [
        Step::Touch("begun".into()),
        Step::Await("go on".into()),
        print("{}"),
    ];
    bench.fake.script(&[
        rule(
            &["page read stuck"],
            [Step::Touch("stuck".into()), Step::Sleep(300_000)],
        ),
        rule(&["page read fine"], waits),
    ]);
    let mut run = start(&bench, Bounds::default(), |_| {}).unwrap();
    let cancel = run.canceller();
    let read = |target: &str| call("loom_page_read", &json!({ "target": target }));
    let replies = thread::scope(|scope| {
        let turn = scope.spawn(|| run.invoke(vec![read("fine"), read("stuck")]).unwrap());
        bench.fake.await_file("begun");
        bench.fake.await_file("stuck");
        cancel.call(1);
        bench.fake.touch("go on");
        turn.join().unwrap()
    });
    assert_eq!(shown(&replies[0])["status"], "ok");
    assert_eq!(shown(&replies[1])["code"], "command_failed");
    bench.assert_nothing_runs();
}
