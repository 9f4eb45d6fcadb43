//! The calls that turns are made of, each with what it comes to.

use serde_json::{Value, json};

use crate::deck::Dice;
use crate::script::{ANSWERS, SOUND, Target, read};
use crate::verdict::Expect;

/// One call of a turn.
pub(crate) struct Asked {
    pub(crate) kind: &'static str,
    pub(crate) tool: &'static str,
    pub(crate) input: Value,
    pub(crate) expect: Expect,
    /// What each call of a batch comes to.
    pub(crate) results: Vec<Expect>,
}

impl Asked {
    pub(crate) fn new(
        kind: &'static str,
        (tool, input): (&'static str, Value),
        expect: impl Into<Expect>,
    ) -> Self {
        Self {
            kind,
            tool,
            input,
            expect: expect.into(),
            results: Vec::new(),
        }
    }

    pub(crate) fn target((target, expect): Target) -> Self {
        Self::new(target, read(target), expect)
    }
}

/// A retrieval of the sample Loom.
pub(crate) fn sample(dice: &mut Dice) -> Asked {
    let reads = [
        ("loom_search", json!({ "query": "permit" })),
        (
            "loom_search",
            json!({ "query": "quay", "limit": 3, "rank": "recency" }),
        ),
        ("loom_page_discover", json!({})),
        (
            "loom_page_discover",
            json!({ "kind": "projects", "limit": 5 }),
        ),
        ("loom_people", json!({ "query": "handle:nobody-at-all" })),
        ("loom_calendar_list", json!({ "all": true })),
        ("loom_context", json!({ "read": "where" })),
        ("loom_context", json!({ "read": "activity" })),
        ("loom_profile", json!({})),
    ];
    let (tool, input) = dice.of(&reads).clone();
    let expect = Expect {
        usual: if tool == "loom_people" {
            "not_found"
        } else {
            "ok"
        },
        also: &[],
    };
    let kind = match tool {
        "loom_people" => "a sample read of nobody",
        _ => "a sample read",
    };
    Asked::new(kind, (tool, input), expect)
}

/// A listing, and commands of the sample Loom: the turn's listing is read first.
pub(crate) fn sample_commands(dice: &mut Dice) -> Vec<Asked> {
    let runs = [
        ("notes.list", json!({}), "executed"),
        ("diag.echo", json!({ "n": 1 }), "executed"),
        ("diag.sleep", json!({ "ms": 30 }), "executed"),
        ("diag.flood", json!({ "bytes": 200_000 }), "executed"),
        ("notes.list", json!({ "limit": "many" }), "executed"),
        ("diag.die", json!({}), "failed_to_deliver"),
        ("diag.garble", json!({}), "failed_to_deliver"),
        ("diag.shapeless", json!({}), "failed_to_deliver"),
        ("notes.lisp", json!({}), "unknown_command"),
    ];
    let mut calls = vec![Asked::new(
        "a sample listing",
        ("list_commands", json!({})),
        "ok",
    )];
    for _ in 0..=dice.below(3) {
        let (command, args, expect) = dice.of(&runs).clone();
        let input = json!({ "command": command, "args": args });
        calls.push(Asked::new(command, ("run_command", input), expect));
    }
    calls
}

/// A batch of up to sixteen, each of which ends in its way.
pub(crate) fn batch(dice: &mut Dice) -> Asked {
    let ways: Vec<(&str, &'static str)> =
        (0..=dice.below(16)).map(|_| *dice.of(&ANSWERS)).collect();
    let call = |(way, _): &(&str, _)| json!({ "command": "soak.echo", "args": { "how": way } });
    let input = json!({ "calls": ways.iter().map(call).collect::<Vec<_>>() });
    let results = ways.iter().map(|&(_, expect)| expect.into()).collect();
    Asked {
        results,
        ..Asked::new("a batch", ("run_read_command", input), "batch")
    }
}

/// Calls that cannot be served.
pub(crate) fn unreachable(kind: &'static str) -> Vec<Asked> {
    let run = json!({ "command": "diag.echo", "args": {} });
    vec![
        Asked::new(kind, read("t-plain"), "command_failed"),
        Asked::new(kind, ("list_commands", json!({})), "command_failed"),
        Asked::new(
            "a command that cannot be served",
            ("run_read_command", run),
            "failed_to_deliver",
        ),
    ]
}

/// Calls that are refused, and one that is not.
pub(crate) fn refused() -> Vec<Asked> {
    vec![
        Asked::new(
            "a bad input",
            ("loom_search", json!({ "limit": "5" })),
            "invalid_input",
        ),
        Asked::new(
            "a tool nobody knows",
            ("loom_lore", json!({})),
            "unknown_tool",
        ),
        Asked::new(
            "a foreign handle",
            ("describe_handle", json!({ "token": "cfh:v:22222" })),
            "unknown",
        ),
        Asked::target(SOUND[0]),
    ]
}
