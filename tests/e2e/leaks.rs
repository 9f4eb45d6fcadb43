//! What a model is shown carries nothing of the host. Every line of output of every test here is
//! searched for the test's directory, which holds the CLI, the queue, the home and the
//! configuration, for the variables of the host, and for what the CLI prints to standard error.
//! This test makes a CLI say all of it wherever it can.

use std::fmt::Write as _;

use loom_tools_tests::bench::{Bench, DECOY, STDERR_MARK};
use loom_tools_tests::fake::{Step, print, rule};
use serde_json::{Value, json};

use crate::bench;

/// Everything that must not be seen, in one text.
fn everything(bench: &Bench) -> String {
    format!("{STDERR_MARK} {DECOY} {}", bench.dir().display())
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("loom_search", json!({ "query": "q", "person": "p" })),
        ("loom_page_discover", json!({})),
        ("loom_page_inspect", json!({ "target": "t" })),
        ("loom_page_read", json!({ "target": "t" })),
        ("loom_people", json!({ "query": "a@b" })),
        ("loom_calendar_list", json!({})),
        ("loom_context", json!({ "read": "where" })),
        ("loom_profile", json!({})),
        ("list_commands", json!({})),
        ("run_command", json!({ "command": "a", "args": {} })),
        ("run_read_command", json!({ "command": "a", "args": {} })),
    ]
}

#[test]
fn no_failure_shows_a_path_a_variable_or_standard_error() {
    let bench = bench();
    let told = everything(&bench);
    let mut session = bench.session(&["--prompt-slot", "direct-command", "-vv"]);
    let stderr = || Step::Stderr(told.clone());
    let refusal = json!({ "ok": false, "code": told, "message": told, "detail": { "at": told } });
    let failures: Vec<Vec<Step>> = vec![
        vec![stderr(), Step::Exit(1)],
        vec![stderr(), print(&told), Step::Exit(3)],
        vec![stderr(), print(&told)],
        vec![stderr(), print(json!(told))],
        vec![stderr(), print(json!([told]))],
        vec![
            stderr(),
            print(json!({ "schemaVersion": told, "commands": told, told.as_str(): 1 })),
            Step::Exit(2),
        ],
        vec![stderr(), print(&refusal), Step::Exit(1)],
        vec![stderr(), print(&told), Step::Signal(9)],
        vec![stderr(), print(r#"{"hits":["#), print(json!(told))],
    ];
    for steps in failures {
        bench.fake.script(&[loom_tools_tests::fake::Rule {
            when: Vec::new(),
            steps: steps.clone(),
        }]);
        for (call, reply) in calls().iter().zip(session.turn(&calls())) {
            let shown = &reply["shown"];
            // A list of one string is a payload of the calendar's, whose row has no label.
            let withheld = shown["withheld"] == 1 && shown["admitted"] == 0;
            assert!(
                shown["code"].is_string() || withheld,
                "{call:?} {steps:?}: {shown}"
            );
        }
    }
    // The commands themselves fail, the listing does not.
    let list = || {
        rule(
            &["command list"],
            [print(
                r#"{"commands":[{"id":"a","effect":"read","readOnlyGranted":true}]}"#,
            )],
        )
    };
    let withheld =
        json!({ "ok": false, "id": told, "code": told, "completed": [told], "ifc": told });
    for steps in [
        [stderr(), print(&told)],
        [stderr(), print(json!({ "ok": told }))],
        [stderr(), print(withheld)],
    ] {
        bench.fake.script(&[list(), rule(&[], steps)]);
        for reply in session.turn(&calls()[9..]) {
            assert!(reply["shown"].is_object(), "{reply}");
        }
    }
    assert!(session.end().success());
    // The operator sees it.
    assert!(
        session.stderr().contains(STDERR_MARK),
        "{}",
        session.stderr()
    );
}

#[test]
fn no_tool_describes_the_host() {
    let bench = bench();
    let ran = bench.run(&["tools"], &[]).ran().expect_code(0);
    let mut words = String::new();
    for tool in ran.json()["tools"].as_array().unwrap() {
        let _ = write!(words, "{tool}");
    }
    for word in ["queue", "LOOM_", "cliPath", "--json", "/opt", "stderr"] {
        assert!(!words.contains(word), "{word} in {words}");
    }
}
