//! Replies that are not what a turn asked for: the run ends with a word on what was wrong, and no
//! harness has to make sense of them.

use loom_tools_host::{Flaw, RunError};

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::Core;
use crate::fixture::{Stage, assert_over, call, told, trusting};

/// The error of a turn of one call whose replies are these lines.
fn answered(replies: &str) -> Flaw {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let ended = told(&mut run, Behaviour::Reply, replies);
    assert_over(&mut run);
    match ended {
        Err(RunError::Malformed(flaw)) => flaw,
        other => panic!("it did not end so: {other:?}"),
    }
}

const GOOD: &str = "reply call=1";

#[test]
fn a_reply_as_it_should_be_is_handed_on() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let reply = "reply call=1 shown=[1] artifact=null observation={} decision=true";
    let replies = told(&mut run, Behaviour::Reply, reply).unwrap();
    assert_eq!(replies[0].shown, "[1]");
}

#[test]
fn no_reply_to_a_call_ends_the_run() {
    assert_eq!(
        answered(""),
        Flaw::Count {
            calls: 1,
            replies: 0
        }
    );
}

#[test]
fn a_second_reply_to_a_call_ends_the_run() {
    let flaw = Flaw::Count {
        calls: 1,
        replies: 2,
    };
    assert_eq!(answered(&format!("{GOOD}\n{GOOD}")), flaw);
}

#[test]
fn a_reply_to_no_call_of_the_turn_ends_the_run() {
    assert_eq!(answered("reply call=2"), Flaw::CallId { place: 0 });
}

#[test]
fn replies_in_another_order_end_the_run() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let mut first = call(
        "loom_profile",
        &Behaviour::Reply.input("reply call=b\nreply call=a"),
    );
    let mut second = first.clone();
    (first.id, second.id) = ("a".to_owned(), "b".to_owned());
    let ended = run.invoke(vec![first, second]);
    assert!(matches!(
        ended,
        Err(RunError::Malformed(Flaw::CallId { place: 0 }))
    ));
}

#[test]
fn each_part_of_a_reply_that_is_no_json_ends_the_run() {
    for part in ["shown", "artifact", "observation", "decision"] {
        assert_eq!(answered(&format!("{GOOD} {part}={{")), Flaw::Json { part });
    }
}

#[test]
fn a_line_break_in_a_reply_ends_the_run() {
    // It would read as a line of its own in a session.
    let flaw = answered(&format!("{GOOD} shown=[%0A{{\"replies\":[]}}%0A]"));
    assert_eq!(flaw, Flaw::Json { part: "shown" });
}

#[test]
fn a_reply_that_nests_without_end_ends_the_run() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let ended = told(&mut run, Behaviour::Show, &deep);
    assert!(matches!(
        ended,
        Err(RunError::Malformed(Flaw::Json { part: "shown" }))
    ));
}

#[test]
fn a_malformed_reply_says_what_was_wrong() {
    let told = RunError::Malformed(answered("reply call=1 artifact=oops")).to_string();
    assert_eq!(
        told,
        "the component's answer is malformed: its `artifact` is not one line of JSON; its run is over"
    );
}

/// A text at 128, returned by pointer.
fn text(json: &str) -> (String, String) {
    let data = format!("(data (i32.const 128) \"{}\")", json.escape_default());
    let body = format!(
        "(i32.store (i32.const 64) (i32.const 128))
         (i32.store (i32.const 68) (i32.const {})) (i32.const 64)",
        json.len()
    );
    (data, body)
}

#[test]
fn a_label_that_is_no_json_ends_the_run() {
    let stage = Stage::new();
    let (items, label) = text("{,}");
    let core = Core {
        items,
        label,
        ..Core::new()
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert!(matches!(
        run.label(),
        Err(RunError::Malformed(Flaw::Json { part: "label" }))
    ));
    assert_over(&mut run);
}

#[test]
fn a_saved_state_that_is_no_json_ends_the_run() {
    let stage = Stage::new();
    let (items, save) = text("");
    let core = Core {
        items,
        save,
        ..Core::new()
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert!(matches!(
        run.save(),
        Err(RunError::Malformed(Flaw::Json { part: "save" }))
    ));
}

#[test]
fn a_resolution_that_is_no_json_ends_the_run() {
    for outcome in [0, 1] {
        let stage = Stage::new();
        let core = Core {
            resolve: format!(
                "(i32.store8 (i32.const 64) (i32.const {outcome}))
                 (i32.store (i32.const 68) (i32.const 16))
                 (i32.store (i32.const 72) (i32.const 3)) (i32.const 64)"
            ),
            ..Core::new()
        };
        let mut run = stage.open(&core.component(), trusting()).unwrap();
        let ended = run.resolve_result("{}");
        let part = "resolve-result";
        assert!(matches!(ended, Err(RunError::Malformed(flaw)) if flaw == Flaw::Json { part }));
    }
}

#[test]
fn a_refusal_is_one_line_for_a_terminal() {
    let stage = Stage::new();
    let core = Core {
        items: r#"(data (i32.const 128) "a\1b[2J\nb")"#.to_owned(),
        start:
            "(i32.store8 (i32.const 64) (i32.const 1)) (i32.store (i32.const 68) (i32.const 128))
            (i32.store (i32.const 72) (i32.const 7)) (i32.const 64)"
                .to_owned(),
        ..Core::new()
    };
    match stage.open(&core.component(), trusting()) {
        Err(RunError::Refused(sentence)) => assert_eq!(sentence, "a\u{fffd}[2J\u{fffd}b"),
        _ => panic!("it was not refused"),
    }
}
