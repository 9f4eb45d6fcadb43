//! Answers that never arrive whole, and what of their processes is left: nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loom_tools_tests::bench::STDERR_MARK;
use loom_tools_tests::fake::{RELEASE, Rule, Step, print, rule};
use loom_tools_tests::processes::{alive_under, assert_none_under};
use serde_json::{Value, json};

use crate::bench;
use crate::embedded::writes;

const WHOLE: &str = r#"{"body":"whole"}"#;

fn read(target: &str) -> (&'static str, Value) {
    ("loom_page_read", json!({ "target": target }))
}

/// Each rule in one turn, with its own name as the target; each is `command_failed`.
fn assert_lost(flags: &[&str], rules: &[Rule]) {
    let bench = bench();
    bench.fake.script(rules);
    let mut session = bench.session(flags);
    let calls: Vec<_> = rules.iter().map(|rule| read(&rule.when[0])).collect();
    let replies = session.turn(&calls);
    for (rule, reply) in rules.iter().zip(&replies) {
        let shown = &reply["shown"];
        assert_eq!(shown["code"], "command_failed", "{rule:?}: {shown}");
    }
    assert_eq!(bench.fake.records().len(), rules.len());
    // The session goes on, and has kept nothing running.
    assert_none_under(&bench.path("fake"));
    bench.fake.script(&[rule(&[], [print(WHOLE)])]);
    assert_eq!(session.shown("loom_profile", json!({}))["status"], "ok");
    assert!(session.end().success());
    bench.assert_nothing_runs();
}

#[test]
fn a_process_ended_by_a_signal_is_lost_also_after_it_printed_everything() {
    assert_lost(
        &[],
        &[
            rule(&["killed"], [print(WHOLE), Step::Signal(9)]),
            rule(&["terminated"], [print(WHOLE), Step::Signal(15)]),
            rule(&["hung up"], [Step::Signal(1)]),
            rule(&["cut off"], [print(r#"{"body":"wh"#)]),
            rule(&["empty"], []),
        ],
    );
}

#[test]
fn a_process_past_its_deadline_is_lost_however_it_holds_on() {
    let group = Step::Grandchild {
        setsid: false,
        keeps_stdout: true,
    };
    let mark = || Step::Stderr(STDERR_MARK.repeat(20_000));
    assert_lost(
        &["--timeout-ms", "4000"],
        &[
            rule(&["sleeps"], [print(WHOLE), Step::Sleep(300_000)]),
            rule(
                &["lingers"],
                [
                    print(WHOLE),
                    mark(),
                    Step::CloseStdout,
                    Step::Sleep(300_000),
                ],
            ),
            rule(&["says nothing"], [Step::Sleep(300_000)]),
            rule(
                &["grandchild keeps the pipe"],
                [print(WHOLE), group.clone()],
            ),
            rule(&["both stay"], [print(WHOLE), group, Step::Sleep(300_000)]),
            rule(&["drips"], [print("["), mark(), Step::Sleep(300_000)]),
        ],
    );
}

#[test]
fn a_descendant_in_a_session_of_its_own_does_not_hold_the_turn_past_the_deadline() {
    let bench = bench();
    let away = Step::Grandchild {
        setsid: true,
        keeps_stdout: true,
    };
    bench
        .fake
        .script(&[rule(&["page read"], [print(WHOLE), away])]);
    let mut session = bench.session(&["--timeout-ms", "8000"]);
    let (tool, input) = read("x");
    assert_eq!(session.shown(tool, input)["code"], "command_failed");
    assert!(session.end().success());
    // It left the group, which is as far as the host reaches; nobody waited for it.
    assert_eq!(alive_under(bench.dir()).len(), 1);
    bench.fake.touch(RELEASE);
    assert_none_under(bench.dir());
}

#[test]
fn an_answer_that_is_there_counts_and_what_the_process_left_in_its_group_is_killed() {
    let bench = bench();
    let left = Step::Grandchild {
        setsid: false,
        keeps_stdout: false,
    };
    bench.fake.script(&[rule(&[], [print(WHOLE), left])]);
    let mut session = bench.session(&[]);
    let (tool, input) = read("x");
    assert_eq!(
        session.shown(tool, input)["entries"][0]["value"],
        json!({ "body": "whole" })
    );
    assert_none_under(&bench.path("fake"));
}

#[test]
fn a_process_that_prints_past_the_bound_is_lost_and_one_at_the_bound_is_not() {
    let text = format!(r#"{{"body":"{}"}}"#, "b".repeat(100_000));
    let rules = [
        rule(&["whole"], [print(&text)]),
        rule(&["endless"], [Step::Endless(text.clone())]),
    ];
    for (past, whole) in [(0, "ok"), (1, "error")] {
        let bench = bench();
        bench.fake.script(&rules);
        let bound = (text.len() - past).to_string();
        let mut session = bench.session(&["--max-output-bytes", &bound]);
        let shown: Vec<_> = session.turn(&[read("whole"), read("endless")]);
        assert_eq!(shown[0]["shown"]["status"], whole);
        assert_eq!(shown[1]["shown"]["code"], "command_failed");
        assert!(session.end().success());
        bench.assert_nothing_runs();
    }
}

#[test]
fn an_endless_answer_ends_at_the_usual_bound() {
    assert_lost(
        &[],
        &[rule(
            &["endless"],
            [Step::Endless(r#"{"a":"#.repeat(10_000))],
        )],
    );
}

#[test]
fn a_cli_that_cannot_be_started_is_a_failed_command() {
    let script = "{\"body\":1}";
    for cli in ["missing", "plain", "fake", "fake/loom/more", "nonsense"] {
        let bench = bench();
        bench.write("plain", script);
        let nonsense = bench.write("nonsense", "\u{7f}ELF");
        fs::set_permissions(&nonsense, fs::Permissions::from_mode(0o700)).unwrap();
        let configure = |config: &mut Value| config["cliPath"] = json!(bench.path(cli));
        bench.configure_retrieval(configure);
        bench.configure_commands(configure);
        let mut run = writes(&bench);
        let (tool, input) = read("x");
        assert_eq!(run.shown(tool, input)["code"], "command_failed", "{cli}");
        let shown = run.shown("run_command", json!({ "command": "a", "args": {} }));
        let expected = json!({
            "outputId": shown["outputId"], "status": "failed_to_deliver", "landed": "no",
            "code": "command_failed",
            "message": "The host's listing could not be read. Nothing was sent.",
        });
        assert_eq!(shown, expected, "{cli}");
    }
    // The operator is told, on standard error alone.
    let bench = bench();
    bench.configure_retrieval(|config| config["cliPath"] = json!(bench.path("missing")));
    let ran = bench.call("loom_profile", &json!({}), &[]).ran();
    let ran = ran.expect_code(0).expect_stderr("could not be started");
    assert_eq!(ran.json()["code"], "command_failed");
}
