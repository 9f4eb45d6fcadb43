//! How an answer is read: the rows of contract section 3, in their order.

mod bounds;
mod lost;

use loom_tools_tests::bench::STDERR_MARK;
use loom_tools_tests::fake::{Rule, Step, print, rule};
use serde_json::{Value, json};

use crate::bench;
use crate::embedded::reads;

const COMMAND_FAILED: &str = "Loom could not be asked, or gave no usable answer.";
const MALFORMED: &str = "The host's answer does not have the shape that the command returns.";

/// A tool, whether it resolves a person, what the process does, and the code of the error; `ok`
/// is a result.
type Case = (&'static str, bool, Vec<Step>, &'static str);

/// A number that no other case's text holds.
fn name(at: usize) -> String {
    format!("case{at:04}@example.com")
}

/// The input that leads to the rule of this case.
fn input(tool: &str, person: bool, at: usize) -> Value {
    let name = name(at);
    match tool {
        "loom_search" if person => json!({ "person": name }),
        "loom_search" | "loom_people" => json!({ "query": name }),
        "loom_page_inspect" | "loom_page_read" => json!({ "target": name }),
        "loom_context" => json!({ "read": "where", "at": name }),
        _ => json!({}),
    }
}

fn exits(code: i32, text: &str) -> Vec<Step> {
    // What a CLI says on standard error is for the operator.
    let complaint = format!("{STDERR_MARK}: no such thing in /home/mira/.loom\n");
    vec![print(text), Step::Stderr(complaint), Step::Exit(code)]
}

fn texts() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for text in [
        "",
        "no json",
        "{\"hits\":[",
        "{\"hits\":[]} x",
        "[1,NaN]",
        "{'a':1}",
        "\u{feff}",
    ] {
        cases.push(("loom_search", false, exits(0, text), "command_failed"));
        cases.push(("loom_search", true, exits(0, text), "command_failed"));
        for (code, expected) in [(1, "not_found"), (3, "contested"), (2, "command_failed")] {
            cases.push(("loom_people", false, exits(code, text), expected));
            cases.push(("loom_search", true, exits(code, text), expected));
            cases.push(("loom_search", false, exits(code, text), "command_failed"));
            cases.push(("loom_page_read", false, exits(code, text), "command_failed"));
        }
    }
    // A payload that is JSON says more than the exit code, which then means failure.
    for code in [1, 2, 3, 255] {
        cases.push((
            "loom_people",
            false,
            exits(code, "{\"name\":\"Ada\"}"),
            "command_failed",
        ));
        cases.push((
            "loom_search",
            true,
            exits(code, "{\"hits\":[]}"),
            "command_failed",
        ));
    }
    cases
}

fn payloads() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for version in ["1", "1.0", "1e0", "10e-1"] {
        let text = format!("{{\"schemaVersion\":{version},\"hits\":[]}}");
        cases.push(("loom_search", false, exits(0, &text), "ok"));
    }
    for version in ["null", "\"1\"", "2", "0", "1.5", "[1]", "true"] {
        let text = format!("{{\"schemaVersion\":{version},\"hits\":[]}}");
        cases.push((
            "loom_search",
            false,
            exits(0, &text),
            "schema_version_mismatch",
        ));
    }
    // Only a search states one.
    cases.push((
        "loom_page_read",
        false,
        exits(0, "{\"schemaVersion\":2}"),
        "ok",
    ));
    for text in [
        "[]",
        "{}",
        "{\"hits\":{}}",
        "{\"hits\":null}",
        "5",
        "\"x\"",
        "null",
    ] {
        cases.push(("loom_search", false, exits(0, text), "malformed_payload"));
    }
    for text in ["[]", "{}", "{\"pages\":\"x\"}"] {
        cases.push((
            "loom_page_discover",
            false,
            exits(0, text),
            "malformed_payload",
        ));
    }
    for text in ["{}", "{\"events\":[]}", "\"x\"", "true"] {
        cases.push((
            "loom_calendar_list",
            false,
            exits(0, text),
            "malformed_payload",
        ));
    }
    for tool in [
        "loom_page_inspect",
        "loom_page_read",
        "loom_people",
        "loom_context",
        "loom_profile",
    ] {
        cases.push((tool, false, exits(0, "[{}]"), "malformed_payload"));
        cases.push((tool, false, exits(0, "null"), "malformed_payload"));
        cases.push((tool, false, exits(0, "{}"), "ok"));
    }
    cases.push((
        "loom_profile",
        false,
        exits(1, "{\"hasProfile\":false}"),
        "ok",
    ));
    for (code, text) in [
        (1, "{\"hasProfile\":true}"),
        (1, "{\"hasProfile\":null}"),
        (1, "{}"),
        (2, "{\"hasProfile\":false}"),
    ] {
        cases.push(("loom_profile", false, exits(code, text), "command_failed"));
    }
    cases.push((
        "loom_context",
        false,
        exits(1, "{\"hasProfile\":false}"),
        "command_failed",
    ));
    cases
}

fn message(code: &str) -> &'static str {
    match code {
        "not_found" => "No live person matches.",
        "contested" => {
            "More than one live person matches. Name one by an email address or `person:…`."
        }
        "schema_version_mismatch" => {
            "The host's search answer states a schema version other than 1."
        }
        "malformed_payload" => MALFORMED,
        _ => COMMAND_FAILED,
    }
}

/// Runs cases, a turn for each: tools without a text of their own are told apart by the script.
fn assert_read(cases: Vec<Case>) {
    let bench = bench();
    let mut run = reads(&bench);
    for (at, (tool, person, steps, code)) in cases.into_iter().enumerate() {
        bench.fake.script(&[Rule {
            when: Vec::new(),
            steps: steps.clone(),
        }]);
        let shown = run.shown(tool, input(tool, person, at));
        let got = match shown["status"].as_str() {
            Some("ok") => "ok",
            _ => shown["code"].as_str().unwrap(),
        };
        assert_eq!(got, code, "{tool} {steps:?}: {shown}");
        if code != "ok" {
            let expected = json!({
                "outputId": shown["outputId"], "status": "error", "code": code,
                "message": message(code),
            });
            assert_eq!(shown, expected);
        }
    }
    bench.assert_nothing_runs();
}

#[test]
fn output_that_is_no_json_fails_or_says_that_nobody_or_several_were_found() {
    assert_read(texts());
}

#[test]
fn a_payload_of_another_version_shape_or_exit_code_is_an_error() {
    assert_read(payloads());
}

#[test]
fn a_refusal_of_the_host_shows_its_code_when_that_is_an_identifier_and_nothing_else() {
    let long = "c".repeat(200);
    let cut = "c".repeat(128);
    let codes = [
        (json!("facet_denied"), Some("facet_denied")),
        (json!("a.B-9:/_"), Some("a.B-9:/_")),
        (json!(long), Some(cut.as_str())),
        (json!(format!("{cut} and a sentence")), Some(cut.as_str())),
        (json!("no such file /home/mira/x y"), None),
        (json!(""), None),
        (json!("naïve"), None),
        (json!(7), None),
        (json!(null), None),
        (json!(["a"]), None),
    ];
    let bench = bench();
    let mut run = reads(&bench);
    for (exit, tool) in [
        (0, "loom_page_read"),
        (1, "loom_people"),
        (3, "loom_search"),
    ] {
        for (code, shown_code) in &codes {
            let told = json!({
                "ok": false, "code": code, "message": STDERR_MARK, "hits": [],
                "detail": bench.dir(), "hasProfile": false,
            });
            bench
                .fake
                .script(&[rule(&[], [print(told), Step::Exit(exit)])]);
            let shown = run.shown(tool, input(tool, true, 1));
            let mut expected = json!({
                "outputId": shown["outputId"], "status": "error", "code": "host_refused",
                "message": "The host refused the request.",
            });
            if let Some(code) = shown_code {
                expected["hostCode"] = json!(code);
            }
            assert_eq!(shown, expected, "{code}");
        }
    }
    // Only an `ok` that is literally false refuses.
    bench
        .fake
        .script(&[rule(&[], [print(r#"{"ok":0,"code":"x"}"#)])]);
    assert_eq!(run.shown("loom_profile", json!({}))["status"], "ok");
}

#[test]
fn odd_bytes_are_read_and_numbers_and_the_order_of_keys_are_kept() {
    let bench = bench();
    let mut session = bench.session(&[]);
    let mut line = |bytes: &[u8]| {
        bench
            .fake
            .script(&[rule(&[], [Step::Bytes(bytes.to_vec())])]);
        session.line(r#"{"calls":[{"id":"1","tool":"loom_profile"}]}"#)
    };
    let holds = |line: String, value: &str| {
        let value = format!(r#""labelSource":"query","value":{value},"handle":"cfh:v:"#);
        assert!(line.contains(&value), "no {value} in {line}");
    };
    holds(line(b"\xef\xbb\xbf{\"a\":1}\n"), r#"{"a":1}"#);
    // A second mark is no JSON.
    assert!(line(b"\xef\xbb\xbf\xef\xbb\xbf{}").contains(r#""code":"command_failed""#));
    holds(
        line(b"{\"a\":\"x\xffy\xf0\x9f\x9b\"}"),
        "{\"a\":\"x\u{fffd}y\u{fffd}\"}",
    );
    holds(
        line(br#"{"a":"\ud83d","b":"\ude00\ud83d\ude00"}"#),
        "{\"a\":\"\u{fffd}\",\"b\":\"\u{fffd}😀\"}",
    );
    let numbers = r#"{"z":12345678901234567890,"y":1.50,"x":1e400,"w":-0,"a":9007199254740993}"#;
    holds(line(numbers.as_bytes()), numbers);
    holds(
        line(br#"{"a":1,"b":2,"a":{"c":3}}"#),
        r#"{"a":{"c":3},"b":2}"#,
    );
    holds(
        line(br#" { "a" : "\u0041\/\u001f\t\u007f" } "#),
        "{\"a\":\"A/\\u001f\\t\u{7f}\"}",
    );
    let nested = |depth: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    holds(line(nested(127).as_bytes()), &nested(127));
    assert!(line(nested(128).as_bytes()).contains(r#""code":"command_failed""#));
}
