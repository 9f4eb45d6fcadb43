//! What is refused before anything starts: each with its code and its sentence, and no process.

mod retrieval;

use loom_tools_tests::bench::RUN;
use serde_json::{Value, json};

use loom_tools_host::Call;

use crate::bench;
use crate::embedded::{Driven, call, reads, writes};

/// A tool, an input, and the sentence.
type Cases = Vec<(&'static str, Value, String)>;

fn cases<const N: usize>(tool: &'static str, cases: [(Value, &str); N]) -> Cases {
    let case = |(input, sentence): (Value, &str)| (tool, input, sentence.to_owned());
    cases.into_iter().map(case).collect()
}

/// Every case in one turn: each is refused with `code` and its sentence.
fn assert_refused(run: &mut Driven, code: &str, cases: &Cases) {
    let calls: Vec<_> = cases
        .iter()
        .map(|(tool, input, _)| (*tool, input.clone()))
        .collect();
    let replies = run.turn(&calls);
    for ((tool, input, sentence), reply) in cases.iter().zip(&replies) {
        let shown = &reply["shown"];
        assert_eq!(shown["message"], **sentence, "{tool} {input}: {shown}");
        assert_eq!(shown["code"], code, "{tool} {input}: {shown}");
        assert_eq!(shown["outputId"], reply["outputId"]);
        assert!(reply["observation"].is_null(), "{reply}");
    }
}

fn assert_invalid(cases: Cases) {
    let bench = bench();
    let mut run = writes(&bench);
    assert_refused(&mut run, "invalid_input", &cases);
    bench.fake.assert_unused();
}

#[test]
fn a_call_of_a_command_that_is_malformed_sends_nothing() {
    let name = "`command` must be a command's name, as list_commands shows it.";
    let loom = "`loomId` must be `loom-` and sixteen of `0-9 a-f`.";
    let version = "`expectedVersion` must be an integer from 0 to 9007199254740991.";
    let call = |field: &str, value: Value| {
        let mut call = json!({ "command": "a.b", "args": {} });
        call[field] = value;
        call
    };
    let deep = |depth: usize| {
        let text = format!(
            "{}{}",
            r#"{"a":"#.repeat(depth),
            "1".to_owned() + &"}".repeat(depth)
        );
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let exclude = "`args` and `calls` exclude each other.";
    let list = "`calls` must be a list of 1 to 16 calls.";
    let mut all = Cases::new();
    for tool in ["run_command", "run_read_command"] {
        all.extend(cases(
            tool,
            [
                (json!({}), "`command` is required."),
                (json!({ "command": "a" }), "`args` is required."),
                (call("command", json!("A.b")), name),
                (call("command", json!("a..b")), name),
                (call("command", json!("a b")), name),
                (call("command", json!("--help")), name),
                (
                    call("command", json!(format!("a{}", "b".repeat(128)))),
                    name,
                ),
                (call("command", json!(7)), name),
                (call("args", json!([])), "`args` must be a JSON object."),
                (call("args", json!("{}")), "`args` must be a JSON object."),
                (
                    call("args", json!({ "a": "b".repeat(16_377) })),
                    "`args` must be at most 16384 bytes of JSON.",
                ),
                (call("args", deep(65)), "`args` must nest at most 64 deep."),
                (call("loomId", json!("loom-0123456789ABCDEF")), loom),
                (call("loomId", json!(null)), loom),
                (call("expectedVersion", json!(-1)), version),
                (
                    call("expectedVersion", json!(9_007_199_254_740_992_u64)),
                    version,
                ),
                (call("expectedVersion", json!("3")), version),
                (call("read_only", json!(true)), "Unknown field `read_only`."),
                (json!({ "calls": [] }), list),
                (json!({ "calls": {} }), list),
                (json!({ "calls": [], "args": {} }), exclude),
                (
                    json!({ "calls": [], "command": "a" }),
                    "`command` and `calls` exclude each other.",
                ),
            ],
        ));
    }
    let detail = "`detail` must be a list of at most 16 command names.";
    let mut listings = cases(
        "list_commands",
        [
            (json!({ "detail": "a" }), detail),
            (json!({ "detail": ["a b"] }), detail),
            (json!({ "detail": [1] }), detail),
            (json!({ "detail": vec!["a"; 17] }), detail),
        ],
    );
    listings.extend(cases(
        "describe_handle",
        [
            (json!({}), "`token` is required."),
            (json!({ "token": 5 }), "`token` must be a string."),
        ],
    ));
    let bench = bench();
    let mut run = writes(&bench);
    assert_refused(&mut run, "invalid_input", &all);
    assert_refused(&mut run, "invalid_input", &listings);
    let shown = run.shown("run_command", all[0].1.clone());
    assert_eq!(
        (&shown["status"], &shown["landed"]),
        (&json!("failed_to_deliver"), &json!("no"))
    );
    let many = json!({ "calls": vec![json!({ "command": "a", "args": {} }); 17] });
    let shown = run.shown("run_command", many);
    assert_eq!(shown["code"], "batch_too_large");
    assert_eq!(shown["landed"], "no");
    // A batch of malformed calls alone needs no listing either.
    let shown = run.shown("run_command", json!({ "calls": [{}, 5] }));
    let codes = |at: usize| shown["results"][at]["code"].clone();
    assert_eq!(
        (codes(0), codes(1)),
        (json!("invalid_input"), json!("invalid_input"))
    );
    bench.fake.assert_unused();
}

#[test]
fn a_tool_whose_family_is_not_configured_says_so_in_its_familys_shape() {
    let bench = bench();
    let (retrieval, commands) = (bench.path("retrieval.json"), bench.path("commands.json"));
    let only = |flag: &str, path| {
        let mut host = bench.host(&[
            "session",
            "--prompt-slot",
            "direct-command",
            "--run-id",
            RUN,
        ]);
        host.arg(flag).arg(path);
        host.session()
    };
    let mut session = only("--loom-commands-config", &commands);
    // Before the input is looked at.
    for (tool, input) in [("loom_search", json!({})), ("loom_profile", json!({}))] {
        let shown = session.shown(tool, input);
        let message = "Loom retrieval is not configured for this run.";
        assert_eq!(shown["status"], "error");
        assert_eq!(shown["code"], "not_configured");
        assert_eq!(shown["message"], message);
    }
    let mut session = only("--loom-retrieval-config", &retrieval);
    for tool in ["run_command", "run_read_command"] {
        let shown = session.shown(tool, json!({ "nonsense": 1 }));
        let expected = json!({
            "outputId": shown["outputId"], "status": "failed_to_deliver", "landed": "no",
            "code": "not_configured", "message": "Host commands are not configured for this run.",
        });
        assert_eq!(shown, expected);
    }
    let shown = session.shown("list_commands", json!({}));
    assert_eq!(
        (&shown["status"], &shown["code"]),
        (&json!("error"), &json!("not_configured"))
    );
    bench.fake.assert_unused();
}

#[test]
fn a_tool_that_does_not_exist_is_an_unknown_tool() {
    let bench = bench();
    let mut run = reads(&bench);
    let shown = run.shown("loom_serach", json!({}));
    let expected = json!({
        "outputId": format!("{RUN}:loom_serach:1"), "status": "error", "code": "unknown_tool",
        "message": "There is no tool `loom_serach`.",
    });
    assert_eq!(shown, expected);
    let shown = run.shown(&"x".repeat(1_000), json!({}));
    assert_eq!(
        shown["message"],
        format!("There is no tool `{}`.", "x".repeat(64))
    );
    bench.fake.assert_unused();
}

#[test]
fn an_input_label_that_cannot_be_read_refuses_its_whole_turn() {
    let bench = bench();
    let mut run = reads(&bench);
    let labels = [
        json!({ "confidentiality": "work" }),
        json!({ "confidentiality": [{ "anyOf": [] }] }),
        json!([]),
        json!({}),
    ];
    for label in labels {
        let calls = [None, Some(label.to_string())].map(|input_label| Call {
            input_label,
            ..call("loom_profile", &json!({}))
        });
        let replies = run.invoke(calls.to_vec());
        for reply in replies {
            assert_eq!(reply["shown"]["code"], "invalid_input", "{label}: {reply}");
            let message = "The label of an input of this turn cannot be read. Nothing was started.";
            assert_eq!(reply["shown"]["message"], message);
        }
    }
    bench.fake.assert_unused();
}
