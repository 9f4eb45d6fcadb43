//! Results, and which calls share a turn.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Client, open, search};
use crate::fake::Fake;

/// The text of a result, which is the structured content as JSON.
fn text(result: &Value) -> String {
    let content = result["content"].as_array().unwrap();
    assert_eq!(content.len(), 1, "{result}");
    assert_eq!(content[0]["type"], "text");
    content[0]["text"].as_str().unwrap().to_owned()
}

/// The structured content of a call, checked to be the text.
fn shown(client: &mut Client, id: &str, error: bool) -> Value {
    let result = client.result(id);
    let structured = result["structuredContent"].clone();
    let parsed: Value = serde_json::from_str(&text(&result)).unwrap();
    assert_eq!(parsed, structured);
    assert_eq!(
        text(&result),
        structured.to_string(),
        "in order, and exactly"
    );
    assert_eq!(result["isError"], error, "{result}");
    structured
}

#[test]
fn a_result_is_what_the_component_shows_and_nothing_else() {
    let fake = Fake::new();
    let mut client = open(&fake, &["--run-id", "r"]);
    client.search("s", "tram");
    let shown = shown(&mut client, "s", false);
    assert_eq!(shown["outputId"], "r:loom_search:1");
    assert_eq!(shown["entries"][0]["value"], json!({ "query": "tram" }));
    let handle = shown["entries"][0]["handle"].as_str().unwrap().to_owned();
    assert!(shown.get("cfc").is_none() && shown.get("decision").is_none());
    client.call("d", "describe_handle", json!({ "token": handle }));
    let described = self::shown(&mut client, "d", false);
    assert_eq!(described["referent"]["source"], "loom_search");
}

#[test]
fn numbers_keep_their_exact_text() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("s", "numbers");
    let result = client.result("s");
    let (text, structured) = (text(&result), result["structuredContent"].to_string());
    for number in [
        "\"big\":12345678901234567890123",
        "\"price\":1.50",
        "\"a\":-0",
    ] {
        assert!(text.contains(number), "{number}: {text}");
        assert!(structured.contains(number), "{number}: {structured}");
    }
    // serde_json writes a sign before an exponent: the same number, one character longer.
    assert!(text.contains("\"huge\":1e400"), "{text}");
    assert!(structured.contains("\"huge\":1e+400"), "{structured}");
    let arguments = r#"{"z":1.50,"n":98765432109876543210987,"e":1E+2}"#;
    client.raw(
        format!(
            r#"{{"jsonrpc":"2.0","id":"e","method":"tools/call","params":{{"name":"run_read_command","arguments":{{"command":"diag.echo","args":{arguments}}}}}}}"#
        )
        .as_bytes(),
    );
    client.raw(b"\n");
    let echoed = shown(&mut client, "e", false);
    let args = echoed["entry"]["value"]["args"].to_string();
    assert_eq!(args.to_lowercase(), arguments.to_lowercase());
}

#[test]
fn a_lone_surrogate_does_not_lose_the_call() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.raw(
        br#"{"jsonrpc":"2.0","id":"s","method":"tools/call","params":{"name":"loom_search","arguments":{"query":"emoji-\ud83d"}}}"#,
    );
    client.raw(b"\n");
    let shown = shown(&mut client, "s", false);
    assert_eq!(shown["entries"][0]["value"]["query"], "emoji-\u{fffd}");
}

#[test]
fn errors_denials_and_undelivered_commands_set_is_error() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let run = "run_read_command";
    for (id, tool, input, status) in [
        ("1", "loom_search", json!({ "query": "fail" }), "error"),
        ("2", "loom_search", json!({}), "error"),
        (
            "3",
            "run_command",
            json!({ "command": "diag.echo", "args": {} }),
            "denied",
        ),
        (
            "4",
            run,
            json!({ "command": "diag.lost", "args": {} }),
            "failed_to_deliver",
        ),
        (
            "5",
            run,
            json!({ "command": "diag.none", "args": {} }),
            "unknown_command",
        ),
        ("6", run, json!({ "command": 5 }), "failed_to_deliver"),
    ] {
        client.call(id, tool, input);
        assert_eq!(shown(&mut client, id, true)["status"], status, "{tool}");
    }
    // The command ran, and said no.
    client.call("7", run, json!({ "command": "diag.no", "args": {} }));
    assert_eq!(shown(&mut client, "7", false)["outcome"]["ok"], false);
}

#[test]
fn a_batch_is_an_error_when_each_of_its_results_is() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let call = |command: &str| json!({ "command": command, "args": {} });
    let some = json!({ "calls": [call("diag.echo"), call("diag.none")] });
    client.call("1", "run_read_command", some);
    let shown_some = shown(&mut client, "1", false);
    assert_eq!(shown_some["status"], "batch");
    assert_eq!(shown_some["results"][1]["status"], "unknown_command");
    let none = json!({ "calls": [call("diag.none"), call("diag.lost")] });
    client.call("2", "run_read_command", none);
    assert_eq!(shown(&mut client, "2", true)["status"], "batch");
}

#[test]
fn a_tool_the_run_may_not_call_is_denied_by_the_run() {
    let fake = Fake::new();
    let mut client = open(&fake, &["--allow-tool", "loom_search"]);
    client.call("1", "loom_profile", json!({}));
    let shown = shown(&mut client, "1", true);
    assert_eq!(shown["reasonCodes"], json!(["tool_not_allowed"]));
}

#[test]
fn calls_that_arrive_together_run_together() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    // Each waits until all five are there.
    client.together(&["1", "2", "3", "4", "5"].map(|id| search(id, "meet")));
    for id in ["1", "2", "3", "4", "5"] {
        assert_eq!(
            shown(&mut client, id, false)["entries"][0]["value"]["met"],
            true
        );
    }
    let here = fs::read_dir(fake.path(".")).unwrap();
    let here = here.filter(|entry| {
        entry
            .as_ref()
            .unwrap()
            .file_name()
            .to_string_lossy()
            .starts_with("here.")
    });
    assert_eq!(here.count(), 5);
}

#[test]
fn more_calls_than_a_turn_takes_are_all_answered() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    for id in 0..60 {
        client.search(&id.to_string(), &format!("q{id}"));
    }
    for id in 0..60 {
        let shown = shown(&mut client, &id.to_string(), false);
        assert_eq!(shown["entries"][0]["value"]["query"], format!("q{id}"));
    }
}
