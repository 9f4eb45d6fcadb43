//! `session`: one line a turn, whatever the line; and how a session ends.

mod ending;

use loom_tools_tests::fake::{print, rule};
use loom_tools_tests::session::Session;
use serde_json::{Value, json};

use crate::bench;

const LINE: usize = 8 << 20;

fn assert_invalid(session: &mut Session, line: &str, message: &str) {
    let answer = session.ask(line);
    let got = answer["error"]["message"].as_str();
    let got = got.unwrap_or_else(|| panic!("no error: {answer}"));
    assert!(got.starts_with(message), "{line:.200}: {got}");
    let expected = json!({ "error": { "code": "invalid_line", "message": got } });
    assert_eq!(answer, expected);
}

#[test]
fn a_line_that_is_no_turn_gets_an_error_and_the_session_goes_on() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    let no_turn = [
        "no json",
        "[]",
        "5",
        "{",
        "\"",
        "{}}",
        r#"{"calls":5}"#,
        r#"{"calls":[{}]}"#,
        r#"{"calls":[{"id":"1"}]}"#,
        r#"{"calls":[{"tool":"loom_profile"}]}"#,
        r#"{"calls":[{"id":1,"tool":"loom_profile"}]}"#,
        r#"{"calls":[{"id":"1","tool":"loom_profile","inputlabel":{}}]}"#,
        r#"{"calls":[],"more":1}"#,
        r#"{"calls":[]} {"calls":[]}"#,
        // A list is no object, though it have its fields in their order.
        r#"[[{"id":"1","tool":"loom_profile"}]]"#,
        r#"[[],null]"#,
        r#"[null,1]"#,
        r#"{"calls":[["1","loom_profile"]]}"#,
        r#"{"calls":[["1","loom_profile",{},null]]}"#,
    ];
    for line in no_turn {
        assert_invalid(&mut session, line, "The line is no turn: ");
    }
    let either = "A line holds either `calls` or `resolveResult`.";
    for line in [
        "{}",
        r#"{"calls":[],"resolveResult":1}"#,
        r#"{"calls":null}"#,
    ] {
        assert_invalid(&mut session, line, either);
    }
    session.send(b"{\"calls\":\"\xff\"}");
    assert_invalid(&mut session, "", "The line is no turn: ");
    bench.fake.assert_unused();
    // A blank line is no line, and a carriage return is white space.
    session.send(b"\n  \t\r\n");
    let answer = session.ask("{\"calls\":[{\"id\":\"\",\"tool\":\"loom_profile\"}]}\r");
    assert_eq!(answer["replies"][0]["callId"], "");
    assert_eq!(answer["replies"][0]["shown"]["status"], "ok");
    assert_eq!(
        session.line(r#"{"calls":[]}"#),
        r#"{"replies":[],"label":{"confidentiality":[]}}"#
    );
    assert!(session.end().success());
}

#[test]
fn a_turn_of_64_calls_is_answered_and_one_of_65_is_refused_whole() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    let calls = |n: usize| {
        let call = |id| json!({ "id": format!("{id}"), "tool": "loom_profile" });
        json!({ "calls": (0..n).map(call).collect::<Vec<_>>() }).to_string()
    };
    assert_invalid(&mut session, &calls(65), "A turn has at most 64 calls.");
    bench.fake.assert_unused();
    let answer = session.ask(&calls(64));
    let replies = answer["replies"].as_array().unwrap();
    assert_eq!(replies.len(), 64);
    assert!(replies.iter().all(|reply| reply["shown"]["status"] == "ok"));
    assert!(session.end().success());
}

#[test]
fn an_input_may_be_any_json_and_a_missing_one_is_empty() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    for input in ["null", "[]", "1e999", "\"x\"", r#""\ud83d""#, "false"] {
        let line = format!(r#"{{"calls":[{{"id":"1","tool":"loom_profile","input":{input}}}]}}"#);
        let shown = session.ask(&line)["replies"][0]["shown"].take();
        assert_eq!(
            shown["message"], "The input must be a JSON object.",
            "{input}"
        );
    }
    // One bad emoji does not lose the rest of an input.
    let line = r#"{"calls":[{"id":"1","tool":"loom_page_read","input":{"target":"a\ud83db"}}]}"#;
    assert_eq!(session.ask(line)["replies"][0]["shown"]["status"], "ok");
    assert_eq!(bench.fake.records()[0].args()[2], "a\u{fffd}b");
    // Nor, in a name, a whole turn.
    let line = r#"{"calls":[{"id":"\ud83d1","tool":"loom_profile"},{"id":"2","tool":"x\udc00"}]}"#;
    let replies = session.ask(line)["replies"].take();
    assert_eq!(replies[0]["callId"], "\u{fffd}1");
    assert_eq!(replies[0]["shown"]["status"], "ok");
    assert_eq!(
        replies[1]["shown"]["message"],
        "There is no tool `x\u{fffd}`."
    );
}

#[test]
fn an_input_label_that_is_null_refuses_its_whole_turn_and_an_absent_one_does_not() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    let turn = |label: &str| {
        format!(
            r#"{{"calls":[{{"id":"1","tool":"loom_profile"{label}}},{{"id":"2","tool":"loom_profile"}}]}}"#
        )
    };
    let answer = session.ask(&turn(r#","inputLabel":null"#));
    for at in [0, 1] {
        let shown = &answer["replies"][at]["shown"];
        assert_eq!(shown["code"], "invalid_input", "{answer}");
        let message = "The label of an input of this turn cannot be read. Nothing was started.";
        assert_eq!(shown["message"], message);
    }
    bench.fake.assert_unused();
    let answer = session.ask(&turn(""));
    assert_eq!(answer["replies"][1]["shown"]["status"], "ok");
}

#[test]
fn a_line_of_megabytes_is_read_and_one_past_8_mib_is_passed_over() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    assert_invalid(
        &mut session,
        &"x".repeat(5_000_000),
        "The line is no turn: ",
    );
    let call = |query: &str| json!({ "calls": [{ "id": "1", "tool": "loom_page_read", "input": { "target": query } }] });
    let answer = session.ask(&call(&"x".repeat(5_000_000)).to_string());
    assert_eq!(answer["replies"][0]["shown"]["code"], "invalid_input");
    let padded = |length: usize| {
        let line = call("t").to_string();
        format!("{line}{}", " ".repeat(length - line.len()))
    };
    let answer = session.ask(&padded(LINE));
    assert_eq!(answer["replies"][0]["shown"]["status"], "ok");
    let too_long = "The line is longer than 8 MiB.";
    assert_invalid(&mut session, &padded(LINE + 1), too_long);
    assert_invalid(&mut session, &"[".repeat(2 * LINE), too_long);
    assert_eq!(session.shown("loom_profile", json!({}))["status"], "ok");
    assert!(session.end().success());
}

#[test]
fn a_line_nests_192_deep_and_no_deeper() {
    let bench = bench();
    let mut session = bench.session(&[]);
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    // Three of the line's own.
    let call = |depth| {
        let input = nested(depth);
        format!(r#"{{"calls":[{{"id":"1","tool":"loom_profile","input":{input}}}]}}"#)
    };
    let message = |session: &mut Session, line: &str| {
        session.ask(line)["replies"][0]["shown"]["message"].take()
    };
    assert_eq!(
        message(&mut session, &call(128)),
        "The input must be a JSON object."
    );
    assert_eq!(message(&mut session, &call(129)), "The input is not JSON.");
    assert_eq!(message(&mut session, &call(189)), "The input is not JSON.");
    let too_deep = "The line nests deeper than 192.";
    assert_invalid(&mut session, &call(190), too_deep);
    assert_invalid(&mut session, &nested(1_000_000), too_deep);
    // Brackets in strings nest nothing.
    let text = format!(r#"{{"resolveResult":"{}\"["}}"#, "[".repeat(1_000));
    assert!(session.ask(&text)["resolved"].is_object());
    let answer = session.ask(&format!(r#"{{"resolveResult":{}}}"#, nested(191)));
    assert_eq!(answer["error"]["code"], "invalid_result");
    bench.fake.assert_unused();
}

/// The token of the only row that a retrieval shows.
fn token(shown: &Value) -> String {
    shown["entries"][0]["handle"].as_str().unwrap().to_owned()
}

#[test]
fn a_row_has_one_token_over_all_turns_and_its_content_is_never_described() {
    let bench = bench();
    let label = json!({ "confidentiality": ["work", { "anyOf": ["a", "b"] }], "integrity": ["i"] });
    let row = json!({ "body": "b", "ifc": label });
    bench.fake.script(&[
        rule(&["first"], [print(&row)]),
        rule(&["again"], [print(&row)]),
        rule(&["other"], [print(json!({ "body": "c" }))]),
    ]);
    let mut session = bench.session(&[]);
    let mut read = |target: &str| session.shown("loom_page_read", json!({ "target": target }));
    let (first, again, other) = (read("first"), read("again"), read("other"));
    let held = token(&first);
    assert_eq!(token(&again), held);
    assert_ne!(token(&other), held);
    let letters = held.strip_prefix("cfh:v:").unwrap();
    assert_eq!(letters.len(), 5);
    assert!(
        letters
            .chars()
            .all(|c| "23456789abcdefghjkmnpqrstvwxyz".contains(c)),
        "{held}"
    );
    // Another tool's row is another row.
    bench.fake.script(&[rule(&["profile"], [print(&row)])]);
    let replies = session.turn(&[
        ("loom_profile", json!({})),
        ("describe_handle", json!({ "token": held })),
        ("describe_handle", json!({ "token": "cfh:v:22222" })),
        ("describe_handle", json!({ "token": "anything at all" })),
    ]);
    assert_ne!(token(&replies[0]["shown"]), held);
    let known = json!({
        "outputId": replies[1]["outputId"], "token": held, "known": true, "hasSchema": false,
        "labels": [{ "confidentiality": [["work"], ["a", "b"]], "integrity": ["i"] }],
        "referent": { "kind": "document", "source": "loom_page_read", "labelSource": "row" },
    });
    assert_eq!(replies[1]["shown"], known);
    for (at, token) in [(2, "cfh:v:22222"), (3, "anything at all")] {
        let outputs = &replies[at]["outputId"];
        let unknown = json!({ "outputId": outputs, "token": token, "known": false });
        assert_eq!(replies[at]["shown"], unknown);
    }
    // A later call of the turn sees what an earlier one held.
    let held = token(&replies[0]["shown"]);
    let shown = session.shown("describe_handle", json!({ "token": held }));
    assert_eq!(shown["referent"]["source"], "loom_profile");
}

#[test]
fn a_structured_result_links_what_it_cites_and_fails_on_what_is_not_held() {
    let bench = bench();
    let row = |body: &str, label: &str| json!({ "body": body, "ifc": { "confidentiality": [label], "integrity": ["i", body] } });
    bench.fake.script(&[
        rule(&["one"], [print(row("one", "work"))]),
        rule(&["two"], [print(row("two", "home"))]),
    ]);
    let mut session = bench.session(&[]);
    let mut read =
        |target: &str| token(&session.shown("loom_page_read", json!({ "target": target })));
    let (one, two) = (read("one"), read("two"));
    let result = json!({ "a": [one, format!("see {two}")], two.clone(): { "b": one } });
    let answer = session.ask(&json!({ "resolveResult": result }).to_string());
    let resolved = &answer["resolved"];
    let link = resolved["documents"][0]["link"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(
        link.starts_with("loom-doc:") && link.len() == "loom-doc:".len() + 64,
        "{link}"
    );
    let expected = json!({ "resolved": {
        "result": { "a": [{ "@link": link }, format!("see {two}")], two.clone(): { "b": { "@link": link } } },
        "documents": [{
            "token": one, "link": link, "value": { "body": "one" },
            "label": { "confidentiality": ["work"], "integrity": ["i", "one"] },
        }],
        "uncited": [{ "token": two, "label": { "confidentiality": ["home"], "integrity": ["i", "two"] } }],
        "label": { "confidentiality": ["work", "home"], "integrity": ["i"] },
    } });
    assert_eq!(answer, expected);
    let unheld = "cfh:v:zzzzz";
    for (result, code) in [
        (json!(unheld), "unheld_handle"),
        (json!(format!("in {unheld} text")), "unheld_handle"),
        (json!({ unheld: 1 }), "unheld_handle"),
        (json!(format!("{one}2")), "unheld_handle"),
        (json!([unheld, { "@link": "x" }]), "unheld_handle"),
        (json!({ "a": { "@link": "loom-doc:x" } }), "invalid_result"),
    ] {
        let answer = session.ask(&json!({ "resolveResult": result }).to_string());
        assert_eq!(answer["error"]["code"], code, "{result}");
        assert!(answer["error"]["message"].is_string());
    }
    // No token: the prefix and too few letters, or an `@link` beside another key.
    let text = json!(["cfh:v:", "cfh:v:2222", "CFH:V:22222", { "@link": 1, "x": 1 }, null]);
    let answer = session.ask(&json!({ "resolveResult": text }).to_string());
    assert_eq!(answer["resolved"]["result"], text);
    let answer = session.ask(r#"{"resolveResult":null}"#);
    assert_eq!(answer["resolved"]["result"], Value::Null);
}
