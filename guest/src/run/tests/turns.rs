//! Turns of several calls.

use super::CATALOG;
use crate::bindings::loom::tools::process::{Answer, Failure, Operation, Request};
use crate::run::Run;
use crate::testing::{Host, at, call, printed, run, text_at, turn};

const ONE: &str = r#"{"command":"notes.read","args":{"q":"x"}}"#;

fn page(target: &str) -> crate::bindings::exports::loom::tools::tools::Call {
    call("loom_page_read", &format!(r#"{{"target":"{target}"}}"#))
}

/// A host whose Pages name the target they were asked for.
fn echo() -> Host<'static> {
    Host::new(|operation| match operation {
        Operation::PageRead(target) => printed(0, &format!(r#"{{"page":"{target}"}}"#)),
        Operation::CommandList => printed(0, CATALOG),
        Operation::CommandRun(run) => printed(0, &format!(r#"{{"ok":true,"id":"{}"}}"#, run.id)),
        _ => Err(Failure::NotGranted),
    })
}

#[test]
fn calls_are_answered_in_order_from_one_request_for_all() {
    let mut run = run();
    let mut host = echo();
    let calls = vec![
        page("one"),
        call("loom_page_read", "{"),
        page("two"),
        call("nothing", ""),
        call("run_command", ONE),
        page("three"),
    ];
    let replies = host.turn(&mut run, calls);
    let shown = |n: usize, path| text_at(&replies[n].shown, path);
    assert_eq!(shown(0, "/entries/0/value/page"), "one");
    assert_eq!(shown(1, "/code"), "invalid_input");
    assert_eq!(shown(2, "/entries/0/value/page"), "two");
    assert_eq!(shown(3, "/code"), "unknown_tool");
    assert_eq!(shown(4, "/outcome/id"), "notes.read");
    assert_eq!(shown(5, "/entries/0/value/page"), "three");
    // The listing first, alone; then everything at once, each naming the call it serves.
    let served: Vec<Vec<u32>> = host
        .asked
        .iter()
        .map(|batch| batch.iter().map(|request| request.call).collect())
        .collect();
    assert_eq!(served, [vec![4], vec![0, 2, 4, 5]]);
}

#[test]
fn output_ids_count_over_the_run_and_over_every_kind_of_reply() {
    let mut run = run();
    let mut host = echo();
    let batch = format!(r#"{{"calls":[{ONE},{ONE}]}}"#);
    let calls = vec![
        page("a"),
        call("nothing", ""),
        call("run_command", &batch),
        page("b"),
    ];
    let ids = |replies: &[crate::bindings::exports::loom::tools::tools::Reply]| -> Vec<String> {
        replies
            .iter()
            .map(|reply| reply.output_id.clone())
            .collect()
    };
    let replies = host.turn(&mut run, calls);
    assert_eq!(
        ids(&replies),
        [
            "r1:loom_page_read:1",
            "r1:nothing:2",
            "r1:run_command:3",
            "r1:loom_page_read:6"
        ]
    );
    assert_eq!(
        text_at(&replies[2].shown, "/results/0/outputId"),
        "r1:run_command:4"
    );
    assert_eq!(
        text_at(&replies[2].shown, "/results/1/outputId"),
        "r1:run_command:5"
    );
    for reply in &replies {
        assert_eq!(text_at(&reply.shown, "/outputId"), reply.output_id);
        assert_eq!(text_at(&reply.artifact, "/outputId"), reply.output_id);
    }
    assert_eq!(
        ids(&host.turn(&mut run, vec![page("c")])),
        ["r1:loom_page_read:7"]
    );
}

#[test]
fn an_empty_turn_has_no_replies_and_asks_nothing() {
    let mut host = echo();
    assert!(host.turn(&mut run(), Vec::new()).is_empty());
    assert!(host.asked.is_empty());
}

#[test]
fn a_missing_input_reads_as_an_empty_object() {
    let mut host = Host::printing("{}");
    host.shown(&mut run(), "loom_profile", "");
    assert_eq!(host.operations(), [Operation::Profile(false)]);
}

#[test]
fn describe_handle_sees_what_an_earlier_call_of_its_turn_held_and_no_later_one() {
    let token = {
        let shown = echo().shown(&mut run(), "loom_page_read", r#"{"target":"one"}"#);
        text_at(&shown, "/entries/0/handle")
    };
    let describe = call("describe_handle", &format!(r#"{{"token":"{token}"}}"#));
    let replies = echo().turn(&mut run(), vec![describe.clone(), page("one"), describe]);
    assert_eq!(at(&replies[0].shown, "/known"), "false");
    assert_eq!(at(&replies[2].shown, "/known"), "true");
}

#[test]
fn the_same_row_keeps_its_token_over_turns() {
    let mut run = run();
    let mut host = echo();
    let mut token = || {
        text_at(
            &host.turn(&mut run, vec![page("one")])[0].shown,
            "/entries/0/handle",
        )
    };
    assert_eq!(token(), token());
}

/// Answers with the first of `answers` only, whatever it is asked.
fn short(run: &mut Run, answers: &[Result<Answer, Failure>], calls: &[&str]) -> Vec<String> {
    let calls = calls.iter().map(|target| page(target)).collect();
    let mut host = |_: &[Request]| answers.to_vec();
    let replies = run.invoke(turn(calls), &mut host);
    replies.into_iter().map(|reply| reply.shown).collect()
}

#[test]
fn a_host_that_returns_too_few_answers_lost_the_rest_and_one_that_returns_too_many_is_not_heard() {
    let answer = || printed(0, r#"{"a":1}"#);
    let shown = short(&mut run(), &[answer()], &["one", "two"]);
    assert_eq!(text_at(&shown[0], "/status"), "ok");
    assert_eq!(text_at(&shown[1], "/code"), "command_failed");
    let shown = short(&mut run(), &[], &["one"]);
    assert_eq!(text_at(&shown[0], "/code"), "command_failed");
    let shown = short(&mut run(), &[answer(), answer(), answer()], &["one"]);
    assert_eq!(shown.len(), 1);
    assert_eq!(text_at(&shown[0], "/status"), "ok");
}

#[test]
fn a_failure_of_one_call_stops_no_other() {
    let mut host = Host::new(|operation| match operation {
        Operation::PageRead(target) => match target.as_str() {
            "cancelled" => Err(Failure::Cancelled),
            "lost" => Err(Failure::Lost),
            _ => printed(0, "{}"),
        },
        _ => Err(Failure::NotGranted),
    });
    let calls = vec![page("cancelled"), page("one"), page("lost"), page("two")];
    let replies = host.turn(&mut run(), calls);
    let codes: Vec<String> = replies
        .iter()
        .map(|reply| text_at(&reply.shown, "/code"))
        .collect();
    assert_eq!(codes, ["cancelled", "", "command_failed", ""]);
}

#[test]
fn a_turn_reads_the_listing_once_first_and_all_its_calls_use_that_reading() {
    let mut run = run();
    let mut host = echo();
    // Held from here on.
    host.shown(&mut run, "run_command", ONE);
    host.asked.clear();
    let calls = vec![
        call("run_command", ONE),
        call("run_read_command", ONE),
        call("list_commands", ""),
        call("run_read_command", ONE),
    ];
    host.turn(&mut run, calls);
    let listings = |batch: &Vec<Request>| {
        batch
            .iter()
            .filter(|request| request.operation == Operation::CommandList)
            .count()
    };
    assert_eq!(host.asked.iter().map(listings).collect::<Vec<_>>(), [1, 0]);
    // The first call that needs it fresh is the one it is attributed to.
    assert_eq!(host.asked[0][0].call, 1);
    assert_eq!(host.asked[1].len(), 3);
}
