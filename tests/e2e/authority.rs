//! Four modes, four slots, twelve tools: allowed, warned or denied as the table says, with its
//! code, and no process for what is denied.

use loom_tools_tests::fake::{Step, print, rule};
use serde_json::{Value, json};

use loom_tools_host::{Bounds, Enforcement, PromptSlot};

use crate::bench;
use crate::embedded::{call, parsed, shown, start};

const MODES: [(&str, Enforcement); 4] = [
    ("disabled", Enforcement::Disabled),
    ("observe", Enforcement::Observe),
    ("enforce-explicit", Enforcement::EnforceExplicit),
    ("enforce-strict", Enforcement::EnforceStrict),
];
const SLOTS: [(&str, Option<PromptSlot>); 4] = [
    ("direct-command", Some(PromptSlot::DirectCommand)),
    ("context", Some(PromptSlot::Context)),
    ("quote", Some(PromptSlot::Quote)),
    ("none", None),
];

/// Each tool, an input it takes, and how many processes it starts. One is a write.
fn tools() -> Vec<(&'static str, Value, usize)> {
    vec![
        ("loom_search", json!({ "query": "q" }), 1),
        ("loom_page_discover", json!({}), 1),
        ("loom_page_inspect", json!({ "target": "t" }), 1),
        ("loom_page_read", json!({ "target": "t" }), 1),
        ("loom_people", json!({ "query": "a@b" }), 1),
        ("loom_calendar_list", json!({}), 1),
        ("loom_context", json!({ "read": "where" }), 1),
        ("loom_profile", json!({}), 1),
        ("describe_handle", json!({ "token": "x" }), 0),
        ("list_commands", json!({}), 1),
        ("run_read_command", json!({ "command": "a", "args": {} }), 2),
        // The listing is held from the read before it.
        ("run_command", json!({ "command": "a", "args": {} }), 1),
    ]
}

/// The decision and its code, from the table of contract section 9.
fn expected(mode: &str, slot: &str, tool: &str) -> (&'static str, &'static str) {
    let write = tool == "run_command";
    let direct = slot == "direct-command";
    let host_read = tool == "list_commands" || tool == "run_read_command";
    match (mode, write, direct) {
        ("disabled", ..) => ("allowed", "cfc_disabled"),
        ("observe", false, _) => ("allowed", "cfc_observe_read"),
        ("observe", true, true) => ("allowed", "cfc_observe_direct_command"),
        ("observe", true, false) => ("warned", "cfc_observe_requires_direct_command"),
        ("enforce-explicit", false, _) => ("allowed", "cfc_enforce_explicit_read"),
        ("enforce-explicit", true, true) => ("allowed", "cfc_enforce_explicit_direct_command"),
        ("enforce-explicit", true, false) => {
            ("denied", "cfc_enforce_explicit_requires_direct_command")
        }
        (_, _, true) => ("allowed", "cfc_enforce_strict_direct_command"),
        _ if slot == "context" && host_read => ("allowed", "cfc_enforce_strict_host_command_read"),
        _ => ("denied", "cfc_enforce_strict_requires_direct_command"),
    }
}

#[test]
fn every_tool_is_decided_as_the_table_says_and_a_denial_starts_nothing() {
    let bench = bench();
    let listing = json!({ "commands": [{ "id": "a", "effect": "read", "readOnlyGranted": true }] });
    bench.fake.script(&[
        rule(&["command list"], [print(listing)]),
        rule(&["command run"], [Step::Echo]),
        rule(&["calendar"], [print("[]")]),
        rule(&["page discover"], [print(r#"{"pages":[]}"#)]),
        rule(&[], [print(r#"{"hits":[]}"#)]),
    ]);
    for ((mode, enforcement), (slot, prompt_slot)) in MODES
        .into_iter()
        .flat_map(|mode| SLOTS.map(|slot| (mode, slot)))
    {
        let authority = |settings: &mut loom_tools_host::Settings| {
            settings.enforcement = enforcement;
            settings.slot = prompt_slot;
        };
        let mut run = start(&bench, Bounds::default(), authority).unwrap();
        for (tool, input, processes) in tools() {
            let (decision, code) = expected(mode, slot, tool);
            let effect = if tool == "run_command" {
                "write"
            } else {
                "read"
            };
            let record = json!({
                "toolId": tool, "effectClass": effect, "mode": mode, "slot": slot,
                "decision": decision, "reasonCodes": [code],
            });
            let reply = run.invoke(vec![call(tool, &input)]).unwrap().remove(0);
            let note = format!("{mode} {slot} {tool}: {}", reply.shown);
            assert_eq!(parsed(&reply.decision), record, "{note}");
            let shown = shown(&reply);
            let started = bench.fake.take_records();
            if decision == "denied" {
                assert_eq!(shown["status"], "denied", "{note}");
                assert_eq!(shown["code"], "not_authorized", "{note}");
                assert_eq!(shown["reasonCodes"], json!([code]), "{note}");
                assert!(shown["message"].is_string(), "{note}");
                assert!(started.is_empty(), "{note}");
            } else {
                let status = shown["status"].as_str().unwrap_or_default();
                assert!(
                    !["denied", "error", "failed_to_deliver"].contains(&status),
                    "{note}"
                );
                assert_eq!(started.len(), processes, "{note}");
            }
            for run in started
                .iter()
                .filter(|record| record.args()[..2] == ["command", "run"])
            {
                assert_eq!(
                    run.args().contains(&"--read-only"),
                    tool == "run_read_command"
                );
            }
        }
    }
}

#[test]
fn the_flags_of_the_command_line_say_the_mode_and_the_slot() {
    let bench = bench();
    bench
        .fake
        .script(&[rule(&[], [print(r#"{"commands":[]}"#)])]);
    for (flags, code) in [
        (&[][..], "cfc_enforce_explicit_requires_direct_command"),
        (
            &["--prompt-slot", "quote", "--enforcement-mode", "observe"],
            "cfc_observe_requires_direct_command",
        ),
        (
            &[
                "--prompt-slot",
                "none",
                "--enforcement-mode",
                "enforce-strict",
            ],
            "cfc_enforce_strict_requires_direct_command",
        ),
        (
            &["--prompt-slot", "direct-command"],
            "cfc_enforce_explicit_direct_command",
        ),
    ] {
        let flags = [flags, &["--artifact"]].concat();
        let input = json!({ "command": "a", "args": {} });
        let reply = bench
            .call("run_command", &input, &flags)
            .ran()
            .expect_code(0)
            .json();
        assert_eq!(reply["reply"]["decision"]["reasonCodes"], json!([code]));
    }
}

#[test]
fn a_tool_that_is_not_allowed_is_denied_and_not_listed() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let flags = [
        "--allow-tool",
        "loom_profile",
        "run_read_command",
        "--enforcement-mode",
        "disabled",
    ];
    let listed = bench.run(&["tools"], &flags).ran().expect_code(0).json();
    let ids: Vec<_> = listed["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| &tool["id"])
        .collect();
    assert_eq!(ids, ["loom_profile", "run_read_command"]);
    let mut session = bench.session(&flags);
    for (tool, input, _) in tools() {
        let reply = session.turn(&[(tool, input)]).remove(0);
        let allowed = flags[1..3].contains(&tool);
        let code = if allowed {
            "cfc_disabled"
        } else {
            "tool_not_allowed"
        };
        assert_eq!(reply["decision"]["reasonCodes"], json!([code]), "{tool}");
        if !allowed {
            let expected = json!({
                "outputId": reply["outputId"], "status": "denied", "code": "not_authorized",
                "reasonCodes": ["tool_not_allowed"],
                "message": "This run is not allowed to call this tool.",
            });
            assert_eq!(reply["shown"], expected);
        }
    }
    // The profile, and the listing of the read that found nothing granted.
    assert_eq!(bench.fake.records().len(), 2);
}
