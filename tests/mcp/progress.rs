//! Progress: with a token, and never without.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::open;
use crate::fake::Fake;

fn batch() -> Value {
    let call = |command: &str| json!({ "command": command, "args": {} });
    json!({ "calls": [call("diag.echo"), call("diag.slow"), call("diag.echo")] })
}

#[test]
fn a_call_with_a_token_hears_of_each_command_of_its_batch() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let params = json!({ "name": "run_read_command", "arguments": batch(), "_meta": { "progressToken": "t" } });
    client.request("b", "tools/call", params);
    for step in [1.0, 2.0, 3.0] {
        let heard = client.wait("progress", |message| {
            message["method"] == "notifications/progress"
        });
        assert_eq!(heard["params"]["progressToken"], "t");
        assert_eq!(heard["params"]["progress"].as_f64(), Some(step));
        assert_eq!(heard["params"]["total"].as_f64(), Some(3.0));
    }
    client.result("b");
    // Nothing is said of a request after its reply.
    let late = client.all_within(Duration::from_millis(300));
    assert!(late.is_empty(), "{late:?}");
}

#[test]
fn a_lone_call_that_is_quick_has_no_progress_but_its_reply() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let params = json!({ "name": "loom_search", "arguments": { "query": "q" }, "_meta": { "progressToken": "t" } });
    client.request("s", "tools/call", params);
    client.result("s");
    let heard = client.all_within(Duration::from_millis(300));
    assert!(heard.is_empty(), "{heard:?}");
}

#[test]
fn a_call_without_a_token_hears_nothing() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.call("b", "run_read_command", batch());
    client.result("b");
    let heard = client.all_within(Duration::from_millis(300));
    assert!(heard.is_empty(), "{heard:?}");
}

#[test]
fn a_long_call_with_a_token_is_heard_of_while_it_runs() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let call = |id: &str, meta: Value| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params":
            { "name": "loom_search", "arguments": { "query": format!("hang-{id}") }, "_meta": meta } })
    };
    client.send(&call("with", json!({ "progressToken": 7 })));
    client.send(&call("without", json!({})));
    let heard = client.wait("a heartbeat", |message| {
        message["method"] == "notifications/progress"
    });
    assert_eq!(heard["params"]["progressToken"], 7);
    let progress = heard["params"]["progress"].as_f64().unwrap();
    assert!(progress > 0.0 && progress < 1.0, "{heard}");
    assert!(client.all_within(Duration::from_millis(300)).is_empty());
    client.cancel("with");
    client.cancel("without");
}
