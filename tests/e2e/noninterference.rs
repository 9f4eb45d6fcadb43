//! What a process says on standard error is for nobody but the operator: whatever it is, not one
//! byte of standard output changes.

use loom_tools_tests::fake::{Rule, Step, print, rule};
use serde_json::json;

use crate::bench;

/// The answers of one `loom`, each after `complaint` on standard error.
fn script(complaint: &Step) -> Vec<Rule> {
    let after = |when: &[&str], text: &str, code: i32| {
        let steps = [
            complaint.clone(),
            print(text),
            complaint.clone(),
            Step::Exit(code),
        ];
        rule(when, steps)
    };
    let commands = json!({ "commands": [
        { "id": "notes.read", "effect": "read", "readOnlyGranted": true },
        { "id": "notes.write" },
    ] });
    let hits = json!({ "hits": [
        { "t": "shown", "ifc": { "confidentiality": ["a"] } },
        { "t": "kept", "ifc": { "confidentiality": ["b"] } },
    ] });
    vec![
        after(&["command list"], &commands.to_string(), 0),
        after(&["notes.read"], r#"{"ok":true,"outputs":{"version":2}}"#, 0),
        after(&["notes.write"], r#"{"ok":false,"code":"forbidden"}"#, 1),
        after(&["search"], &hits.to_string(), 0),
        after(&["people"], "nobody", 1),
        after(&["page"], "", 2),
        after(&["profile"], r#"{"hasProfile":false}"#, 1),
    ]
}

/// Every line of a session over that `loom`.
fn told(complaint: &Step) -> Vec<String> {
    let bench = bench();
    bench.fake.script(&script(complaint));
    let mut session = bench.session(&[
        "--prompt-slot",
        "direct-command",
        "--max-confidentiality",
        r#"["a"]"#,
    ]);
    let turns = [
        json!([
            { "id": "1", "tool": "loom_search", "input": { "query": "q" } },
            { "id": "2", "tool": "loom_people", "input": { "query": "a@b" } },
            { "id": "3", "tool": "loom_page_read", "input": { "target": "t" } },
            { "id": "4", "tool": "loom_profile", "input": {} },
        ]),
        json!([
            { "id": "5", "tool": "list_commands", "input": {} },
            { "id": "6", "tool": "run_read_command", "input": { "command": "notes.read", "args": {} } },
            { "id": "7", "tool": "run_command", "input": { "calls": [
                { "command": "notes.write", "args": {} },
                { "command": "notes.read", "args": {} },
            ] } },
        ]),
    ];
    let lines = turns.map(|calls| session.line(&json!({ "calls": calls }).to_string()));
    assert!(session.end().success());
    lines.to_vec()
}

#[test]
fn standard_error_changes_no_byte_of_standard_output() {
    let silent = told(&Step::Stderr(String::new()));
    assert!(
        silent[0].contains("shown") && !silent[0].contains("kept"),
        "{silent:?}"
    );
    let complaints = [
        "no such thing in /home/mira/.loom\n".to_owned(),
        r#"{"ok":false,"code":"E_STDERR","hits":[{"t":"x"}]}"#.to_owned(),
        // More than a pipe holds: it has to be read all the same.
        "warning: something is deprecated\n".repeat(20_000),
        "\u{0}\u{1b}[31m\u{202e}".to_owned(),
    ];
    for complaint in complaints {
        assert_eq!(told(&Step::Stderr(complaint)), silent);
    }
}
