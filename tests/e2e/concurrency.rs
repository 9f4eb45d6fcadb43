//! How many processes are alive at once, as the processes themselves count each other.

use loom_tools_tests::fake::{Step, print, rule};
use serde_json::{Value, json};

use crate::bench;

const LISTING: &str = r#"{"commands":[{"id":"a","effect":"read","readOnlyGranted":true}]}"#;

#[test]
fn the_retrievals_of_a_turn_run_together_and_at_most_eight_at_once() {
    let bench = bench();
    bench
        .fake
        .script(&[rule(&["page read"], [Step::Meet(8), print(r#"{"a":1}"#)])]);
    let mut session = bench.session(&[]);
    let calls: Vec<_> = (0..20)
        .map(|n| ("loom_page_read", json!({ "target": format!("page {n}") })))
        .collect();
    let replies = session.turn(&calls);
    for (n, reply) in replies.iter().enumerate() {
        assert_eq!(reply["callId"], n.to_string());
        assert_eq!(reply["outputId"], format!("run-1:loom_page_read:{}", n + 1));
        assert_eq!(reply["shown"]["status"], "ok", "{reply}");
    }
    assert_eq!(bench.fake.met(), 20);
    assert_eq!(bench.fake.most_alive(), 8);
}

fn batch(from: usize, count: usize) -> Value {
    let call = |n: usize| json!({ "command": "a", "args": { "n": n } });
    json!({ "calls": (from..from + count).map(call).collect::<Vec<_>>() })
}

fn numbers(shown: &Value) -> Vec<u64> {
    let results = shown["results"].as_array().unwrap();
    let number = |result: &Value| {
        assert_eq!(result["status"], "executed", "{result}");
        result["entry"]["value"]["outputs"]["args"]["n"]
            .as_u64()
            .unwrap()
    };
    results.iter().map(number).collect()
}

#[test]
fn a_batch_of_sixteen_has_at_most_four_alive_and_its_results_keep_the_calls_order() {
    let bench = bench();
    bench.fake.script(&[
        rule(&["command list"], [print(LISTING)]),
        // The first call is the last to answer.
        rule(&[r#"{"n":0}"#], [Step::Meet(16), Step::Echo]),
        rule(&["command run"], [Step::Meet(4), Step::Echo]),
    ]);
    let mut session = bench.session(&[]);
    let shown = session.shown("run_read_command", batch(0, 16));
    assert_eq!(shown["status"], "batch");
    assert_eq!(numbers(&shown), (0..16).collect::<Vec<_>>());
    assert_eq!(shown["truncated"], false);
    for (n, result) in shown["results"].as_array().unwrap().iter().enumerate() {
        // The batch's own id was given out first.
        assert_eq!(
            result["outputId"],
            format!("run-1:run_read_command:{}", n + 2)
        );
    }
    assert_eq!(bench.fake.most_alive(), 4);
    // One listing, then one process for each call.
    assert_eq!(bench.fake.records().len(), 17);
}

#[test]
fn all_the_batches_of_a_turn_share_the_four_and_one_listing() {
    let bench = bench();
    bench.fake.script(&[
        rule(&["command list"], [print(LISTING)]),
        rule(&["command run"], [Step::Meet(4), Step::Echo]),
    ]);
    let mut session = bench.session(&["--prompt-slot", "direct-command"]);
    let replies = session.turn(&[
        ("run_command", batch(0, 5)),
        ("list_commands", json!({})),
        ("run_read_command", batch(5, 5)),
        (
            "run_command",
            json!({ "command": "a", "args": { "n": 10 } }),
        ),
    ]);
    assert_eq!(numbers(&replies[0]["shown"]), [0, 1, 2, 3, 4]);
    assert_eq!(numbers(&replies[2]["shown"]), [5, 6, 7, 8, 9]);
    assert_eq!(
        replies[3]["shown"]["entry"]["value"]["outputs"]["args"]["n"],
        10
    );
    assert_eq!(bench.fake.most_alive(), 4);
    let records = bench.fake.records();
    let listings = records
        .iter()
        .filter(|record| record.args()[1] == "list")
        .count();
    assert_eq!((listings, records.len()), (1, 12));
}

#[test]
fn commands_and_retrievals_have_room_of_their_own() {
    let bench = bench();
    bench.fake.script(&[
        rule(&["command list"], [print(LISTING)]),
        // Each waits for the other kind's full number: neither holds up the other.
        rule(&["command run"], [Step::Meet(12), Step::Echo]),
        rule(&["page read"], [Step::Meet(12), print("{}")]),
    ]);
    let mut session = bench.session(&[]);
    let read = ("loom_page_read", json!({ "target": "t" }));
    let mut calls = vec![("run_read_command", batch(0, 6))];
    calls.extend(vec![read; 10]);
    let replies = session.turn(&calls);
    assert_eq!(numbers(&replies[0]["shown"]), [0, 1, 2, 3, 4, 5]);
    assert_eq!(bench.fake.met(), 16);
    assert_eq!(bench.fake.most_alive(), 12);
}
