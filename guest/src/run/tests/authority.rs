//! The table of contract section 9.

use super::CATALOG;
use crate::bindings::exports::loom::tools::tools::{Enforcement, PromptSlot, Settings};
use crate::bindings::loom::tools::process::Operation;
use crate::run::Run;
use crate::testing::{Host, at, call, list_at, names, printed, settings, text_at};
use crate::tools::Tool;

const MODES: [(Enforcement, &str); 4] = [
    (Enforcement::Disabled, "disabled"),
    (Enforcement::Observe, "observe"),
    (Enforcement::EnforceExplicit, "enforce-explicit"),
    (Enforcement::EnforceStrict, "enforce-strict"),
];

const SLOTS: [(Option<PromptSlot>, &str); 4] = [
    (Some(PromptSlot::DirectCommand), "direct-command"),
    (Some(PromptSlot::Context), "context"),
    (Some(PromptSlot::Quote), "quote"),
    (None, "none"),
];

/// The table, a row for each mode and slot: what becomes of `run_command`, of `list_commands` and
/// `run_read_command`, and of every other tool.
const TABLE: [(&str, &str, [&str; 3]); 16] = [
    ("disabled", "direct-command", ["allowed cfc_disabled"; 3]),
    ("disabled", "context", ["allowed cfc_disabled"; 3]),
    ("disabled", "quote", ["allowed cfc_disabled"; 3]),
    ("disabled", "none", ["allowed cfc_disabled"; 3]),
    (
        "observe",
        "direct-command",
        [
            "allowed cfc_observe_direct_command",
            "allowed cfc_observe_read",
            "allowed cfc_observe_read",
        ],
    ),
    ("observe", "context", OBSERVED),
    ("observe", "quote", OBSERVED),
    ("observe", "none", OBSERVED),
    (
        "enforce-explicit",
        "direct-command",
        [
            "allowed cfc_enforce_explicit_direct_command",
            "allowed cfc_enforce_explicit_read",
            "allowed cfc_enforce_explicit_read",
        ],
    ),
    ("enforce-explicit", "context", EXPLICIT),
    ("enforce-explicit", "quote", EXPLICIT),
    ("enforce-explicit", "none", EXPLICIT),
    (
        "enforce-strict",
        "direct-command",
        ["allowed cfc_enforce_strict_direct_command"; 3],
    ),
    (
        "enforce-strict",
        "context",
        [
            "denied cfc_enforce_strict_requires_direct_command",
            "allowed cfc_enforce_strict_host_command_read",
            "denied cfc_enforce_strict_requires_direct_command",
        ],
    ),
    (
        "enforce-strict",
        "quote",
        ["denied cfc_enforce_strict_requires_direct_command"; 3],
    ),
    (
        "enforce-strict",
        "none",
        ["denied cfc_enforce_strict_requires_direct_command"; 3],
    ),
];

const OBSERVED: [&str; 3] = [
    "warned cfc_observe_requires_direct_command",
    "allowed cfc_observe_read",
    "allowed cfc_observe_read",
];

const EXPLICIT: [&str; 3] = [
    "denied cfc_enforce_explicit_requires_direct_command",
    "allowed cfc_enforce_explicit_read",
    "allowed cfc_enforce_explicit_read",
];

fn input(tool: Tool) -> &'static str {
    match tool {
        Tool::Search => r#"{"query":"q"}"#,
        Tool::PageInspect | Tool::PageRead => r#"{"target":"t"}"#,
        Tool::People => r#"{"query":"a@b"}"#,
        Tool::Context => r#"{"read":"where"}"#,
        Tool::DescribeHandle => r#"{"token":"x"}"#,
        Tool::RunCommand | Tool::RunReadCommand => r#"{"command":"notes.read","args":{}}"#,
        _ => "",
    }
}

fn host() -> Host<'static> {
    Host::new(|operation| match operation {
        Operation::CommandList => printed(0, CATALOG),
        Operation::CalendarList(_) => printed(0, "[]"),
        _ => printed(0, r#"{"ok":true,"hits":[],"pages":[]}"#),
    })
}

#[test]
fn each_tool_in_each_mode_and_slot_is_decided_as_the_table_says_and_a_denial_starts_nothing() {
    let mut seen = 0;
    for (enforcement, mode) in MODES {
        for (slot, slot_name) in SLOTS {
            let row = TABLE.iter().find(|(m, s, _)| *m == mode && *s == slot_name);
            let (_, _, expected) = row.expect("a row");
            for tool in Tool::ALL {
                let column = match tool {
                    Tool::RunCommand => 0,
                    Tool::ListCommands | Tool::RunReadCommand => 1,
                    _ => 2,
                };
                let (decision, reason) = expected[column].split_once(' ').expect("two words");
                let settings = Settings {
                    enforcement,
                    slot,
                    ..settings()
                };
                let mut run = Run::start(settings).expect("sound settings");
                let mut host = host();
                let reply = host
                    .turn(&mut run, vec![call(tool.id(), input(tool))])
                    .remove(0);
                let effect = if tool == Tool::RunCommand {
                    "write"
                } else {
                    "read"
                };
                assert_eq!(
                    reply.decision,
                    format!(
                        r#"{{"toolId":"{}","effectClass":"{effect}","mode":"{mode}","slot":"{slot_name}","decision":"{decision}","reasonCodes":["{reason}"]}}"#,
                        tool.id()
                    )
                );
                if decision == "denied" {
                    assert!(host.asked.is_empty(), "{mode} {slot_name} {tool:?}");
                    assert_eq!(text_at(&reply.shown, "/status"), "denied");
                    assert_eq!(at(&reply.shown, "/reasonCodes"), format!(r#"["{reason}"]"#));
                } else {
                    assert_eq!(
                        host.asked.is_empty(),
                        tool == Tool::DescribeHandle,
                        "{tool:?}"
                    );
                    assert_ne!(text_at(&reply.shown, "/status"), "denied");
                    assert_ne!(text_at(&reply.shown, "/status"), "error", "{}", reply.shown);
                }
                seen += 1;
            }
        }
    }
    assert_eq!(seen, 4 * 4 * 12);
}

#[test]
fn a_denial_is_shown_in_one_shape_for_every_tool() {
    let settings = Settings {
        slot: None,
        enforcement: Enforcement::EnforceStrict,
        ..settings()
    };
    let mut run = Run::start(settings).expect("sound settings");
    for (n, tool) in Tool::ALL.into_iter().enumerate() {
        let reply = host()
            .turn(&mut run, vec![call(tool.id(), input(tool))])
            .remove(0);
        let output_id = format!("r1:{}:{}", tool.id(), n + 1);
        assert_eq!(
            reply.shown,
            format!(
                r#"{{"outputId":"{output_id}","status":"denied","code":"not_authorized","reasonCodes":["cfc_enforce_strict_requires_direct_command"],"message":"This run's task does not carry the authority for this tool. Nothing was started. Offer the action to the person in your result instead."}}"#
            )
        );
        assert_eq!(reply.output_id, output_id);
        assert_eq!(reply.observation, None);
    }
}

#[test]
fn a_tool_that_is_not_allowed_is_denied_in_every_mode() {
    for (enforcement, _) in MODES {
        let allowed_tools = Some(vec!["loom_search".to_owned()]);
        let settings = Settings {
            enforcement,
            allowed_tools,
            ..settings()
        };
        let mut run = Run::start(settings).expect("sound settings");
        let mut host = host();
        let reply = host
            .turn(&mut run, vec![call("loom_profile", "")])
            .remove(0);
        assert_eq!(
            reply.shown,
            r#"{"outputId":"r1:loom_profile:1","status":"denied","code":"not_authorized","reasonCodes":["tool_not_allowed"],"message":"This run is not allowed to call this tool."}"#
        );
        assert_eq!(
            at(&reply.decision, "/reasonCodes"),
            r#"["tool_not_allowed"]"#
        );
        assert!(host.asked.is_empty());
        let shown = host.shown(&mut run, "loom_search", r#"{"query":"q"}"#);
        assert_eq!(text_at(&shown, "/status"), "ok");
        // It is not listed either.
        let listed: Vec<String> = run.tools().into_iter().map(|tool| tool.id).collect();
        assert_eq!(listed, ["loom_search"]);
    }
}

#[test]
fn a_batch_is_denied_whole_as_one_write() {
    let settings = Settings {
        slot: Some(PromptSlot::Context),
        ..settings()
    };
    let mut run = Run::start(settings).expect("sound settings");
    let mut host = host();
    let batch =
        r#"{"calls":[{"command":"notes.read","args":{}},{"command":"notes.read","args":{}}]}"#;
    let reply = host
        .turn(&mut run, vec![call("run_command", batch)])
        .remove(0);
    assert_eq!(text_at(&reply.shown, "/status"), "denied");
    assert_eq!(
        names(&reply.shown),
        ["outputId", "status", "code", "reasonCodes", "message"]
    );
    assert!(host.asked.is_empty());
    assert_eq!(list_at(&reply.decision, "/reasonCodes").len(), 1);
}

#[test]
fn a_denial_wins_over_a_missing_configuration_and_a_bad_input() {
    let settings = Settings {
        slot: None,
        commands: false,
        ..settings()
    };
    let mut run = Run::start(settings).expect("sound settings");
    let shown = host().shown(&mut run, "run_command", "{");
    assert_eq!(text_at(&shown, "/status"), "denied");
}
