//! Both revisions, and what is no message.

use serde_json::{Value, json};

use crate::client::{open, start};
use crate::fake::Fake;

const MAX_LINE: usize = 4 << 20;

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn a_deployed_client_initializes() {
    let fake = Fake::new();
    let mut client = start(&fake, &[]);
    let result = client.initialize()["result"].clone();
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "loom-tools");
    assert_eq!(result["capabilities"], json!({ "tools": {} }));
    client.request("l", "tools/list", json!({}));
    let result = client.result("l");
    assert_eq!(result["tools"].as_array().unwrap().len(), 12);
    assert!(result.get("resultType").is_none(), "not of this revision");
    client.search("s", "tram");
    let result = client.result("s");
    assert!(result.get("resultType").is_none(), "not of this revision");
    client.request("p", "ping", json!({}));
    assert_eq!(client.result("p"), json!({}));
}

#[test]
fn a_client_of_a_revision_nobody_knows_is_offered_one() {
    let fake = Fake::new();
    let mut client = start(&fake, &[]);
    let params = json!({ "protocolVersion": "1999-01-01", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } });
    client.request("i", "initialize", params);
    assert_eq!(client.result("i")["protocolVersion"], "2025-11-25");
}

#[test]
fn a_client_of_the_newest_revision_discovers() {
    let fake = Fake::new();
    let mut client = start(&fake, &[]);
    client.request("d", "server/discover", json!({ "_meta": meta() }));
    let found = client.result("d");
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{found}");
    assert_eq!(found["resultType"], "complete");
    assert!(
        found["ttlMs"].is_u64() && found["cacheScope"].is_string(),
        "{found}"
    );
    client.request("l", "tools/list", json!({ "_meta": meta() }));
    let listed = client.result("l");
    assert_eq!(listed["tools"].as_array().unwrap().len(), 12);
    assert_eq!(listed["resultType"], "complete");
    assert_eq!(
        (&listed["ttlMs"], &listed["cacheScope"]),
        (&json!(3_600_000), &json!("private"))
    );
    let params =
        json!({ "name": "loom_search", "arguments": { "query": "tram" }, "_meta": meta() });
    client.request("s", "tools/call", params);
    let result = client.result("s");
    assert_eq!(result["resultType"], "complete");
    assert_eq!(
        result["structuredContent"]["entries"][0]["value"]["query"],
        "tram"
    );
}

#[test]
fn a_notification_before_the_session_does_not_end_it() {
    let fake = Fake::new();
    let mut client = start(&fake, &[]);
    client.notify("notifications/initialized", json!({}));
    client.cancel("nothing");
    client.request("early", "tools/list", json!({}));
    assert_eq!(client.error(Some("early")).0, -32602);
    client.notify("notifications/initialized", json!({}));
    client.initialize();
}

#[test]
fn a_line_that_is_no_message_gets_an_error_and_the_server_lives_on() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    for (line, code) in [
        ("not json", -32700),
        ("{\"jsonrpc\":", -32700),
        ("[1,2]", -32600),
        ("17", -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600),
        ("{\"id\":1}", -32600),
    ] {
        client.raw(format!("{line}\n").as_bytes());
        assert_eq!(client.error(None).0, code, "{line}");
    }
    client.raw(b"\xff\xfe\n");
    assert_eq!(client.error(None).0, -32700);
    client.raw(format!("{}1{}\n", "[".repeat(200_000), "]".repeat(200_000)).as_bytes());
    assert_eq!(client.error(None).0, -32700);
    // Blank lines are nothing, and a message may end with a carriage return.
    client.raw(b"\n \r\n{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\r\n");
    client.result("p");
}

#[test]
fn a_line_above_4_mib_gets_an_error_and_the_server_lives_on() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let line = |length: usize| {
        let message =
            json!({ "jsonrpc": "2.0", "id": "p", "method": "ping", "params": { "pad": "" } });
        let message = message.to_string();
        message.replace(
            "\"pad\":\"\"",
            &format!("\"pad\":\"{}\"", "x".repeat(length - message.len())),
        )
    };
    client.raw(format!("{}\n", line(MAX_LINE + 1)).as_bytes());
    let (code, text) = client.error(None);
    assert_eq!(
        (code, text.as_str()),
        (-32600, "The line is longer than 4 MiB.")
    );
    client.raw(format!("{}\n", "y".repeat(3 * MAX_LINE)).as_bytes());
    client.error(None);
    client.raw(format!("{}\n", line(MAX_LINE)).as_bytes());
    client.result("p");
}

#[test]
fn what_is_not_served_gets_an_error() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    for (id, method) in [
        ("1", "no/such"),
        ("2", "resources/list"),
        ("3", "prompts/list"),
    ] {
        client.request(id, method, json!({}));
        assert_eq!(client.error(Some(id)).0, -32601, "{method}");
    }
    client.request("4", "tools/call", json!({ "arguments": {} }));
    assert_eq!(client.error(Some("4")).0, -32602);
    client.request(
        "5",
        "tools/call",
        json!({ "name": "loom_search", "arguments": [] }),
    );
    assert_eq!(client.error(Some("5")).0, -32602);
    client.call("6", "loom_serach", json!({}));
    assert_eq!(client.error(Some("6")).0, -32602);
    client.notify("notifications/strange", json!({}));
    client.request("p", "ping", json!({}));
    client.result("p");
}

#[test]
fn an_unterminated_last_line_is_a_message() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.raw(b"{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}");
    client.close();
    client.result("p");
    assert!(client.exit().success());
}
