//! What a cancellation ends, and what it never sends.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Client, command, initialize, open, search};
use crate::fake::{Fake, gone, runs};

/// Long enough for a reply that must not come.
const SILENCE: Duration = Duration::from_millis(600);

fn has(messages: &[Value], id: &str) -> bool {
    messages.iter().any(|message| message["id"] == id)
}

#[test]
fn a_cancelled_call_loses_its_processes_and_gets_no_reply() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("h", "hang-1");
    let ids = fake.started("hang-1");
    assert!(ids.iter().all(|id| runs(*id)));
    client.cancel("h");
    gone(&ids);
    client.search("s", "after");
    client.result("s");
    assert!(!has(&client.all_within(SILENCE), "h"));
}

#[test]
fn a_cancelled_command_loses_its_processes_and_gets_no_reply() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let input = json!({ "calls": [{ "command": "diag.hang", "args": { "tag": "c" } }] });
    client.call("h", "run_read_command", input);
    let ids = fake.started("tagc");
    client.cancel("h");
    gone(&ids);
    assert!(!has(&client.all_within(SILENCE), "h"));
}

#[test]
fn other_calls_of_the_turn_go_on() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.together(&["a", "b"].map(|id| search(id, &format!("hang-{id}"))));
    let (a, b) = (fake.started("hang-a"), fake.started("hang-b"));
    client.cancel("a");
    gone(&a);
    assert!(b.iter().all(|id| runs(*id)));
    assert!(!has(&client.all_within(SILENCE), "b"));
    client.cancel("b");
    gone(&b);
}

#[test]
fn a_call_cancelled_before_its_turn_never_starts() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("first", "hang-first");
    let first = fake.started("hang-first");
    client.search("second", "hang-second");
    client.search("third", "third");
    client.cancel("second");
    client.cancel("first");
    gone(&first);
    client.result("third");
    let after = client.all_within(SILENCE);
    assert!(!has(&after, "first") && !has(&after, "second"));
    assert!(!fake.path("started.hang-second").exists());
}

#[test]
fn a_cancellation_at_once_is_not_lost() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    for round in 0..20 {
        let (id, query) = (format!("r{round}"), format!("hang-r{round}"));
        client.search(&id, &query);
        std::thread::sleep(Duration::from_millis(round));
        client.cancel(&id);
    }
    // Each turn ends at once, so this one is reached.
    client.search("s", "after");
    client.result("s");
    assert!(
        !client
            .all_within(SILENCE)
            .iter()
            .any(|message| message["id"] != "s")
    );
    for round in 0..20 {
        let name = format!("hang-r{round}");
        if fake.path(&format!("started.{name}")).exists() {
            gone(&fake.started(&name));
        }
    }
}

#[test]
fn a_client_that_does_not_read_still_cancels() {
    let fake = Fake::new();
    let mut client = Client::of(command(&fake, &[]), false);
    client.send(&initialize());
    client.notify("notifications/initialized", json!({}));
    // Far more than a pipe holds, unread.
    for id in 0..40 {
        client.search(&format!("big{id}"), "big");
    }
    client.search("h", "hang-deaf");
    let ids = fake.started("hang-deaf");
    client.cancel("h");
    // A reply that waits to be written is taken back too.
    client.cancel("big39");
    gone(&ids);
    client.read();
    client.result("big38");
    client.search("s", "after");
    client.result("s");
    let after = client.all_within(SILENCE);
    assert!(has(&after, "big0") && !has(&after, "h") && !has(&after, "big39"));
}

#[test]
fn with_too_many_requests_open_the_next_is_refused() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("first", "hang-first");
    let first = fake.started("hang-first");
    for id in 0..200 {
        client.search(&id.to_string(), "q");
    }
    assert_eq!(client.error(Some("199")).0, -32603);
    client.cancel("first");
    gone(&first);
    client.result("0");
    client.result("126");
    client.search("s", "after");
    client.result("s");
}

#[test]
fn a_second_request_with_an_open_id_is_refused_without_it() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("h", "hang-h");
    let ids = fake.started("hang-h");
    client.search("h", "q");
    assert_eq!(client.error(None).0, -32600);
    client.cancel("h");
    gone(&ids);
}
