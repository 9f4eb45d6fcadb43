//! What the parts of the server decide, without a client.

use rmcp::model::{
    CallToolResult, ClientRequest, ErrorCode, JsonRpcMessage, NumberOrString, RequestId,
    ServerJsonRpcMessage, ServerResult,
};
use serde_json::Value;

use super::line::{MAX_LINE, message};
use super::outbox::Outbox;
use super::result::result;
use crate::run::Reply;

fn reply(shown: &str) -> CallToolResult {
    result(Reply {
        call_id: "1".to_owned(),
        output_id: "r:t:1".to_owned(),
        shown: shown.to_owned(),
        artifact: r#"{"secret":true}"#.to_owned(),
        observation: None,
        decision: "{}".to_owned(),
    })
}

fn id(number: i64) -> RequestId {
    NumberOrString::Number(number)
}

fn answer(number: i64) -> ServerJsonRpcMessage {
    let result = ServerResult::CallToolResult(CallToolResult::success(Vec::new()));
    ServerJsonRpcMessage::response(result, id(number))
}

/// The lines an outbox writes once it is closed.
fn written(outbox: &Outbox) -> Vec<Value> {
    outbox.close();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let mut bytes = Vec::new();
    runtime.block_on(outbox.write_to(&mut bytes)).unwrap();
    let lines = bytes.split(|byte| *byte == b'\n');
    lines
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn a_call_keeps_the_text_of_its_numbers_and_the_order_of_its_fields() {
    let line = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"z":1.50,"a":12345678901234567890123,"m":{"e":1e+400}}}}"#;
    let JsonRpcMessage::Request(request) = message(line.as_bytes()).unwrap() else {
        panic!("a request");
    };
    assert_eq!(request.id, id(1));
    let ClientRequest::CallToolRequest(call) = request.request else {
        panic!("a call: {:?}", request.request);
    };
    assert_eq!(
        serde_json::to_string(&call.params.arguments).unwrap(),
        r#"{"z":1.50,"a":12345678901234567890123,"m":{"e":1e+400}}"#
    );
}

#[test]
fn what_is_not_json_and_what_is_no_message_are_told_apart() {
    let code = |line: &str| message(line.as_bytes()).unwrap_err().code;
    assert_eq!(code("{"), ErrorCode::PARSE_ERROR);
    assert_eq!(code("nan"), ErrorCode::PARSE_ERROR);
    assert_eq!(code("{}"), ErrorCode::INVALID_REQUEST);
    assert_eq!(code("[]"), ErrorCode::INVALID_REQUEST);
    assert!(
        message("\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}".as_bytes()).is_ok()
    );
}

#[test]
fn a_result_is_an_error_when_nothing_was_answered() {
    for (shown, error) in [
        (r#"{"outputId":"1","status":"ok"}"#, false),
        (r#"{"outputId":"1","token":"t","known":false}"#, false),
        (r#"{"status":"executed","outcome":{"ok":false}}"#, false),
        (r#"{"status":"error"}"#, true),
        (r#"{"status":"denied"}"#, true),
        (r#"{"status":"failed_to_deliver"}"#, true),
        (r#"{"status":"unknown_command"}"#, true),
        (
            r#"{"status":"batch","results":[{"status":"error"},{"status":"executed"}]}"#,
            false,
        ),
        (
            r#"{"status":"batch","results":[{"status":"unknown_command"}]}"#,
            true,
        ),
        (r#"{"status":"batch","results":[]}"#, false),
    ] {
        let result = reply(shown);
        assert_eq!(result.is_error, Some(error), "{shown}");
        let structured = result.structured_content.unwrap();
        assert_eq!(structured.to_string(), shown);
    }
}

#[test]
fn a_result_keeps_the_text_of_its_numbers() {
    let shown = r#"{"status":"ok","n":[12345678901234567890123,1.50,1e+400,-0],"z":1,"a":2}"#;
    assert_eq!(reply(shown).structured_content.unwrap().to_string(), shown);
}

#[test]
fn a_row_as_deep_as_json_may_be_is_shown() {
    let shown = format!(
        r#"{{"entries":[{{"value":{}{}}}]}}"#,
        "[".repeat(128),
        "]".repeat(128)
    );
    assert_eq!(reply(&shown).structured_content.unwrap().to_string(), shown);
}

#[test]
fn a_result_as_deep_as_a_reply_may_be_is_shown_and_no_deeper_one() {
    // One of its own.
    let nested = |depth: usize| {
        let (open, close) = ("[".repeat(depth - 1), "]".repeat(depth - 1));
        format!(r#"{{"a":{open}{close}}}"#)
    };
    assert!(reply(&nested(256)).structured_content.is_some());
    assert!(reply(&nested(257)).structured_content.is_none());
}

#[test]
fn what_a_hostile_component_shows_is_a_fixed_sentence() {
    let deep = format!(r#"{{"a":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    for shown in ["", "nonsense", "{} {}", "[1]", "\"text\"", deep.as_str()] {
        let result = reply(shown);
        assert_eq!(result.is_error, Some(true));
        assert_eq!(result.structured_content, None);
        let text = serde_json::to_string(&result.content).unwrap();
        assert!(
            text.contains("The tools of this server have failed"),
            "{text}"
        );
        assert!(!text.contains("secret"));
    }
}

#[test]
fn a_cancelled_request_has_no_reply_even_if_it_waits_already() {
    let outbox = Outbox::default();
    for number in 1..=3 {
        outbox.open(&id(number), 10).unwrap();
        outbox.push(answer(number));
    }
    outbox.cancelled(&id(2));
    let ids: Vec<Value> = written(&outbox)
        .iter()
        .map(|line| line["id"].clone())
        .collect();
    assert_eq!(ids, [1, 3]);
}

#[test]
fn a_request_is_open_until_its_reply_is_written() {
    let outbox = Outbox::default();
    for number in 0..128 {
        outbox.open(&id(number), 10).unwrap();
        outbox.push(answer(number));
    }
    assert!(outbox.open(&id(128), 10).is_err());
    assert_eq!(written(&outbox).len(), 128);
    outbox.open(&id(128), 10).unwrap();
}

#[test]
fn the_lines_of_open_requests_have_a_bound_together() {
    let outbox = Outbox::default();
    outbox.open(&id(1), MAX_LINE).unwrap();
    outbox.open(&id(2), MAX_LINE).unwrap();
    assert!(outbox.open(&id(3), 1).is_err());
    outbox.cancelled(&id(1));
    outbox.open(&id(3), MAX_LINE).unwrap();
}

#[test]
fn refusals_to_a_client_that_does_not_read_are_dropped() {
    let outbox = Outbox::default();
    outbox.open(&id(1), 10).unwrap();
    for number in 0..10_000 {
        outbox.push(answer(number + 2));
    }
    outbox.push(answer(1));
    let lines = written(&outbox);
    assert!(lines.len() <= 257, "{}", lines.len());
    assert_eq!(lines.last().unwrap()["id"], 1, "a reply is never dropped");
}
