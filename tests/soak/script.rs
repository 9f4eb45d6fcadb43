//! What the fake `loom` does for each target. The rows it prints are the same every time: a run holds
//! every distinct row it was shown, so new ones would be memory that may grow.

use loom_tools_tests::fake::{Rule, Step, print, rule};
use serde_json::{Value, json};

/// What a process makes once it waits to be killed or cancelled.
pub(crate) const HELD: &str = "held-up";
/// How many bytes a process may print.
pub(crate) const OUTPUT: usize = 1 << 20;
/// How long one may take, in milliseconds.
pub(crate) const DEADLINE_MS: u64 = 3_000;

/// Longer than any deadline: what sleeps so long is killed.
const FOR_EVER: u64 = 100_000;

/// A target, and what a read of it reads as.
pub(crate) type Target = (&'static str, &'static str);

/// Targets that answer well.
pub(crate) const SOUND: [Target; 6] = [
    ("t-plain", "ok"),
    ("t-slow", "ok"),
    ("t-large", "ok"),
    ("t-bytes", "ok"),
    ("t-chatty", "ok"),
    ("t-orphan", "ok"),
];

/// Targets that do not.
pub(crate) const FAULTY: [Target; 8] = [
    ("t-dying", "command_failed"),
    ("t-exits", "command_failed"),
    ("t-endless", "command_failed"),
    ("t-garbled", "command_failed"),
    ("t-deep", "command_failed"),
    ("t-closes", "command_failed"),
    ("t-shape", "malformed_payload"),
    ("t-refused", "host_refused"),
];

/// Targets that only the deadline ends.
pub(crate) const WAITING: [Target; 3] = [
    ("t-stuck", "command_failed"),
    ("t-pipe", "command_failed"),
    ("t-away", "command_failed"),
];

/// The target that waits until somebody ends it.
pub(crate) const HOLDING: Target = ("t-held", "command_failed");

pub(crate) fn rules() -> Vec<Rule> {
    let row =
        json!({ "body": "b", "ifc": { "confidentiality": ["work", { "anyOf": ["a", "b"] }] } });
    let listing = json!({ "commands": [
        { "id": "soak.echo", "effect": "read", "readOnlyGranted": true, "outputs": ["args"] },
        { "id": "soak.write", "effect": "change", "inputs": { "type": "object", "required": ["n"] } },
    ] });
    let grandchild = |setsid, keeps_stdout| Step::Grandchild {
        setsid,
        keeps_stdout,
    };
    let deep = || print(format!("{}{}", "[".repeat(500), "]".repeat(500)));
    vec![
        rule(&["command list"], [print(listing)]),
        rule(&["\"how\":\"dying\""], [print("{\"ok\":"), Step::Signal(9)]),
        rule(&["\"how\":\"garbled\""], [print("{\"ok\":tru")]),
        rule(&["\"how\":\"shapeless\""], [print("[true]")]),
        rule(&["\"how\":\"endless\""], [endless()]),
        rule(&["command run"], [Step::Echo]),
        rule(&["t-plain"], [print(&row)]),
        rule(&["t-slow"], [Step::Sleep(40), print(&row)]),
        rule(
            &["t-large"],
            [
                print("{\"body\":\""),
                Step::Repeat("drip ".into(), 150_000),
                print("\"}"),
            ],
        ),
        rule(
            &["t-bytes"],
            [Step::Bytes(b"{\"body\":\"\xff\xfe\\ud83d\"}".to_vec())],
        ),
        rule(
            &["t-chatty"],
            [Step::Stderr("chatter ".repeat(50_000)), print(&row)],
        ),
        rule(&["t-orphan"], [grandchild(false, false), print(&row)]),
        rule(&["t-dying"], [print("{\"body\":"), Step::Signal(6)]),
        rule(&["t-exits"], [print(&row), Step::Exit(3)]),
        rule(&["t-endless"], [endless()]),
        rule(&["t-garbled"], [print("{\"body\":\"b\"} trailing")]),
        rule(&["t-deep"], [deep()]),
        rule(&["t-closes"], [Step::CloseStdout, Step::Sleep(20)]),
        rule(&["t-shape"], [print("[]")]),
        rule(
            &["t-refused"],
            [print(json!({ "ok": false, "code": "no" })), Step::Exit(1)],
        ),
        rule(&["t-stuck"], [Step::Sleep(FOR_EVER)]),
        rule(&["t-pipe"], [grandchild(false, true), print(&row)]),
        rule(&["t-away"], [grandchild(true, true), print(&row)]),
        rule(
            &["t-held"],
            [Step::Touch(HELD.into()), Step::Sleep(FOR_EVER)],
        ),
    ]
}

fn endless() -> Step {
    Step::Endless("for ever and ".repeat(400))
}

/// A read of a target.
pub(crate) fn read(target: &str) -> (&'static str, Value) {
    ("loom_page_read", json!({ "target": target }))
}

/// Ways a command can answer, and what a call of it reads as.
pub(crate) const ANSWERS: [(&str, &str); 5] = [
    ("well", "executed"),
    ("dying", "failed_to_deliver"),
    ("garbled", "failed_to_deliver"),
    ("shapeless", "failed_to_deliver"),
    ("endless", "failed_to_deliver"),
];
