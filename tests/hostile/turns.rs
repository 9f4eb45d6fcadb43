//! Requests after a cancellation, from outside a turn, for no call of it: nothing starts.

use std::thread;

use loom_tools_host::{Reply, Run, RunError};

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::Core;
use crate::fixture::{Stage, asked, call, limited, told, trusting, wait_until};

fn shown(replies: &[Reply]) -> Vec<String> {
    serde_json::from_str(&replies[0].shown).unwrap()
}

#[test]
fn requests_after_a_cancellation_of_the_turn_start_nothing() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let cancel = run.canceller();
    let requests = "page-read target=sleep\npage-read target=after\nprofile\ncommand-run";
    thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("the first process", || stage.started().len() == 1);
            cancel.turn();
        });
        let replies = told(&mut run, Behaviour::AskOneByOne, requests).unwrap();
        assert_eq!(
            shown(&replies),
            ["lost", "cancelled", "cancelled", "cancelled"]
        );
    });
    assert_eq!(stage.started().len(), 1);
    // The next turn is its own.
    assert_eq!(asked(&mut run, "profile"), ["exit 0, 14 bytes"]);
}

#[test]
fn requests_for_a_cancelled_call_start_nothing_and_others_go_on() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let cancel = run.canceller();
    let requests = "page-read call=1 target=sleep\npage-read call=1 target=after\nprofile call=0";
    thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("the first process", || stage.started().len() == 1);
            cancel.call(1);
        });
        let ask = Behaviour::AskOneByOne.input(requests);
        let calls = vec![call("loom_profile", &ask), call("loom_page_read", "")];
        let replies = run.invoke(calls).unwrap();
        assert_eq!(shown(&replies), ["lost", "cancelled", "exit 0, 14 bytes"]);
    });
    assert_eq!(stage.started().len(), 2);
}

#[test]
fn requests_after_the_host_stopped_start_nothing_in_any_turn() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    run.canceller().stop();
    for _ in 0..2 {
        assert_eq!(asked(&mut run, "profile\ncommand-list"), ["cancelled"; 2]);
    }
    assert!(stage.started().is_empty());
}

#[test]
fn a_request_for_a_call_past_the_turns_is_not_granted() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let requests = "profile call=1\nprofile call=4294967295";
    assert_eq!(asked(&mut run, requests), ["not granted"; 2]);
    assert!(stage.started().is_empty());
    let ask = Behaviour::Ask.input("profile call=1");
    let calls = vec![call("loom_profile", &ask), call("loom_profile", "")];
    let replies = run.invoke(calls).unwrap();
    assert_eq!(shown(&replies), ["exit 0, 14 bytes"]);
}

#[test]
fn requests_before_the_first_turn_are_not_granted() {
    let stage = Stage::new();
    let ask = Core::asking("").invoke;
    let core = Core {
        start: format!("(drop (block (result i32) {ask})) {}", Core::new().start),
        ..Core::new()
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_eq!(run.label().unwrap(), "null");
    assert!(stage.started().is_empty());
}

/// A turn, then `call`, in which the component asks for what a turn would be granted.
fn asks_outside(call: impl FnOnce(&mut Run) -> String) {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    told(&mut run, Behaviour::AskLater, "profile\ncommand-list").unwrap();
    assert_eq!(call(&mut run), r#"["not granted","not granted"]"#);
    assert!(stage.started().is_empty());
}

#[test]
fn requests_from_a_label_are_not_granted() {
    asks_outside(|run| run.label().unwrap());
}

#[test]
fn requests_from_a_save_are_not_granted() {
    asks_outside(|run| run.save().unwrap());
}

#[test]
fn requests_from_a_resolution_are_not_granted() {
    asks_outside(|run| run.resolve_result("{}").unwrap().unwrap());
}

#[test]
fn requests_from_tools_are_not_granted() {
    asks_outside(|run| {
        assert!(run.tools().unwrap().is_empty());
        run.label().unwrap()
    });
}

#[test]
fn requests_in_a_turn_without_calls_are_not_granted() {
    let stage = Stage::new();
    let mut run = stage
        .open(&Core::asking("").component(), trusting())
        .unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
    assert!(stage.started().is_empty());
}

#[test]
fn what_a_turn_started_is_known_until_the_next_turn() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    assert_eq!(asked(&mut run, "profile"), ["exit 0, 14 bytes"]);
    run.label().unwrap();
    run.save().unwrap();
    run.tools().unwrap();
    assert_eq!(run.started(), ["`profile` for call \"1\" (exited with 0)"]);
    told(&mut run, Behaviour::Show, "{}").unwrap();
    assert!(run.started().is_empty());
}

#[test]
fn a_turn_of_more_calls_than_are_allowed_reaches_no_component_and_the_run_goes_on() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.calls = 2));
    assert_eq!(asked(&mut run, "profile\npage-read target=t").len(), 2);
    let ask = Behaviour::Ask.input("profile call=0");
    let refused = run.invoke(vec![call("loom_profile", &ask); 3]);
    assert!(matches!(refused, Err(RunError::TooManyCalls(2))));
    assert!(run.started().is_empty());
    assert_eq!(asked(&mut run, "profile"), ["exit 0, 14 bytes"]);
    assert_eq!(stage.started().len(), 3);
}
