//! Which reading of the catalog a call is checked against, and the grant of a read.

use crate::bindings::loom::tools::process::{Answer, Failure, Operation};
use crate::run::Run;
use crate::testing::{Host, at, call, names, printed, run, text_at};

const READ: &str = r#"{"id":"a","effect":"read","readOnlyGranted":true}"#;
const ONE: &str = r#"{"command":"a","args":{}}"#;

fn catalog(rows: &str) -> String {
    format!(r#"{{"commands":[{rows}]}}"#)
}

/// A host whose listings answer so, one after the other, and whose commands all succeed.
fn host(mut listings: Vec<Result<Answer, Failure>>) -> Host<'static> {
    listings.reverse();
    Host::new(move |operation| match operation {
        Operation::CommandList => listings.pop().expect("a further listing"),
        _ => printed(0, r#"{"ok":true}"#),
    })
}

fn listed(rows: &str) -> Result<Answer, Failure> {
    printed(0, &catalog(rows))
}

fn status(host: &mut Host<'_>, run: &mut Run, tool: &str) -> String {
    text_at(&host.shown(run, tool, ONE), "/status")
}

#[test]
fn the_listing_is_read_once_and_held_for_the_run() {
    let mut host = host(vec![listed(READ)]);
    let mut run = run();
    for _ in 0..3 {
        assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    }
    // What the catalog does not show is not asked for again either.
    let unknown = host.shown(&mut run, "run_command", r#"{"command":"b","args":{}}"#);
    assert_eq!(text_at(&unknown, "/status"), "unknown_command");
}

#[test]
fn list_commands_and_every_run_read_command_read_the_listing_afresh_and_hold_it() {
    let mut host = host(vec![listed(READ), listed(READ), listed(r#"{"id":"b"}"#)]);
    let mut run = run();
    assert_eq!(status(&mut host, &mut run, "run_read_command"), "executed");
    assert_eq!(status(&mut host, &mut run, "run_read_command"), "executed");
    let listing = host.shown(&mut run, "list_commands", "");
    assert_eq!(text_at(&listing, "/entries/0/name"), "b");
    // Held: `a` is unknown now, and no further listing is read.
    assert_eq!(
        status(&mut host, &mut run, "run_command"),
        "unknown_command"
    );
}

#[test]
fn a_reading_that_failed_is_not_held_and_the_next_call_asks_again() {
    for failed in [
        printed(1, "{}"),
        printed(0, "no"),
        printed(0, "[]"),
        Err(Failure::Lost),
    ] {
        let mut host = host(vec![failed, listed(READ)]);
        let mut run = run();
        assert_eq!(
            status(&mut host, &mut run, "run_command"),
            "failed_to_deliver"
        );
        assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    }
}

#[test]
fn a_fresh_reading_that_failed_leaves_nothing_held() {
    let mut host = host(vec![listed(READ), printed(1, ""), listed(READ)]);
    let mut run = run();
    assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    assert_eq!(
        text_at(&host.shown(&mut run, "list_commands", ""), "/status"),
        "error"
    );
    // Asks again.
    assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    assert_eq!(
        host.operations()
            .iter()
            .filter(|op| **op == Operation::CommandList)
            .count(),
        3
    );
}

#[test]
fn a_catalog_that_could_not_be_read_is_typed_and_landed_no() {
    for (answer, code, message) in [
        (
            printed(1, "{}"),
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
        (
            printed(0, "/private"),
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
        (
            Err(Failure::NotStarted),
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
        (
            Err(Failure::NotGranted),
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
        (
            Err(Failure::Lost),
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
        (
            printed(0, "{}"),
            "malformed_payload",
            "The host's listing does not have the shape of one. Nothing was sent.",
        ),
        (
            Err(Failure::Cancelled),
            "cancelled",
            "The turn was cancelled before the listing was read. Nothing was sent.",
        ),
    ] {
        let batch = format!(r#"{{"calls":[{ONE},{ONE}]}}"#);
        for (tool, input) in [
            ("run_command", ONE),
            ("run_read_command", ONE),
            ("run_command", &batch),
        ] {
            let mut host = host(vec![answer.clone()]);
            assert_eq!(
                host.shown(&mut run(), tool, input),
                format!(
                    r#"{{"outputId":"r1:{tool}:1","status":"failed_to_deliver","landed":"no","code":"{code}","message":"{message}"}}"#
                )
            );
            assert_eq!(host.operations(), [Operation::CommandList]);
        }
        let mut host = host(vec![answer.clone()]);
        assert_eq!(
            host.shown(&mut run(), "list_commands", ""),
            format!(
                r#"{{"outputId":"r1:list_commands:1","status":"error","code":"{code}","message":"{message}"}}"#
            )
        );
    }
}

#[test]
fn a_listing_that_failed_stops_the_turns_commands_and_not_its_retrievals() {
    let mut host = host(vec![Err(Failure::Lost)]);
    let calls = vec![
        call("run_command", ONE),
        call("loom_page_read", r#"{"target":"t"}"#),
        call("list_commands", ""),
    ];
    let replies = host.turn(&mut run(), calls);
    let statuses: Vec<String> = replies
        .iter()
        .map(|r| text_at(&r.shown, "/status"))
        .collect();
    assert_eq!(statuses, ["failed_to_deliver", "ok", "error"]);
}

/// What each call of a turn comes to: its code, or its status when it has none.
fn outcomes(host: &mut Host<'_>, run: &mut Run, calls: &[(&str, &str)]) -> Vec<String> {
    let calls = calls.iter().map(|(tool, input)| call(tool, input));
    let of = |shown: &str| match text_at(shown, "/code") {
        code if code.is_empty() => text_at(shown, "/status"),
        code => code,
    };
    host.turn(run, calls.collect())
        .iter()
        .map(|reply| of(&reply.shown))
        .collect()
}

/// The call that each listing asked for was attributed to.
fn attributed(host: &Host<'_>) -> Vec<u32> {
    let requests = host.asked.iter().flatten();
    requests
        .filter(|request| request.operation == Operation::CommandList)
        .map(|request| request.call)
        .collect()
}

#[test]
fn a_cancelled_call_leaves_the_listing_to_the_next_that_needs_it() {
    let cancelled = || Err(Failure::Cancelled);
    let calls = [
        ("run_command", ONE),
        ("list_commands", ""),
        ("run_command", "{"),
        ("run_read_command", ONE),
    ];
    let mut one = host(vec![cancelled(), listed(READ)]);
    assert_eq!(
        outcomes(&mut one, &mut run(), &calls),
        ["cancelled", "ok", "invalid_input", "executed"]
    );
    assert_eq!(attributed(&one), [0, 1]);
    // Nothing was sent for the cancelled call.
    assert_eq!(one.asked[2].len(), 1);
    // A turn that is cancelled as a whole asks once for each call, and holds nothing.
    let mut run = run();
    let mut all = host(vec![cancelled(), cancelled(), cancelled(), listed(READ)]);
    assert_eq!(
        outcomes(&mut all, &mut run, &calls),
        ["cancelled", "cancelled", "invalid_input", "cancelled"]
    );
    assert_eq!(attributed(&all), [0, 1, 3]);
    assert_eq!(status(&mut all, &mut run, "run_command"), "executed");
}

#[test]
fn a_failure_after_a_cancellation_is_that_of_every_other_call() {
    let mut host = host(vec![Err(Failure::Cancelled), printed(0, "[]")]);
    let calls = [
        ("list_commands", ""),
        ("run_command", ONE),
        ("run_command", ONE),
    ];
    assert_eq!(
        outcomes(&mut host, &mut run(), &calls),
        ["cancelled", "malformed_payload", "malformed_payload"]
    );
    assert_eq!(attributed(&host), [0, 1]);
}

#[test]
fn a_call_that_held_a_catalog_asks_for_itself_when_the_fresh_reading_was_cancelled() {
    let mut host = host(vec![listed(READ), Err(Failure::Cancelled), listed(READ)]);
    let mut run = run();
    assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    let calls = [("run_command", ONE), ("run_read_command", ONE)];
    assert_eq!(
        outcomes(&mut host, &mut run, &calls),
        ["executed", "cancelled"]
    );
    assert_eq!(attributed(&host), [0, 1, 0]);
}

#[test]
fn a_fresh_reading_that_failed_fails_the_calls_of_its_turn_that_had_a_catalog_held() {
    let mut host = host(vec![listed(READ), printed(1, "")]);
    let mut run = run();
    assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    let calls = [("run_command", ONE), ("list_commands", "")];
    assert_eq!(
        outcomes(&mut host, &mut run, &calls),
        ["command_failed", "command_failed"]
    );
}

#[test]
fn a_batch_without_a_well_formed_call_is_answered_beside_a_listing_that_failed() {
    let mut host = host(vec![Err(Failure::Lost)]);
    let batch = r#"{"calls":[{"command":"A"},7]}"#;
    let calls = vec![call("list_commands", ""), call("run_command", batch)];
    let replies = host.turn(&mut run(), calls);
    assert_eq!(text_at(&replies[0].shown, "/code"), "command_failed");
    assert_eq!(text_at(&replies[1].shown, "/status"), "batch");
    for n in 0..2 {
        let code = text_at(&replies[1].shown, &format!("/results/{n}/code"));
        assert_eq!(code, "invalid_input");
    }
}

#[test]
fn a_read_needs_effect_read_and_the_literal_grant_in_the_fresh_listing() {
    for row in [
        r#"{"id":"a","effect":"read"}"#,
        r#"{"id":"a","effect":"read","readOnlyGranted":false}"#,
        r#"{"id":"a","effect":"read","readOnlyGranted":"true"}"#,
        r#"{"id":"a","effect":"change","readOnlyGranted":true}"#,
        r#"{"id":"a","readOnlyGranted":true}"#,
        r#"{"id":"a","effect":"reads","readOnlyGranted":true}"#,
    ] {
        // Granted in the catalog held, and not any more.
        let mut host = host(vec![listed(READ), listed(row)]);
        let mut run = run();
        assert_eq!(status(&mut host, &mut run, "run_read_command"), "executed");
        host.asked.clear();
        assert_eq!(
            host.shown(&mut run, "run_read_command", ONE),
            r#"{"outputId":"r1:run_read_command:2","status":"failed_to_deliver","landed":"no","code":"not_granted","message":"The host does not grant this run to read with this command. Nothing was sent.","hint":"Offer the command to the person in your result rather than retry it."}"#,
            "{row}"
        );
        assert_eq!(host.operations(), [Operation::CommandList]);
    }
}

#[test]
fn a_read_of_a_withdrawn_command_is_unknown() {
    let mut host = host(vec![listed(READ), listed("")]);
    let mut run = run();
    assert_eq!(status(&mut host, &mut run, "run_command"), "executed");
    assert_eq!(
        status(&mut host, &mut run, "run_read_command"),
        "unknown_command"
    );
}

#[test]
fn each_call_of_a_batch_of_reads_is_checked_on_its_own() {
    let mut host = host(vec![listed(&format!(
        r#"{READ},{{"id":"b","effect":"change"}}"#
    ))]);
    let batch = r#"{"calls":[{"command":"b","args":{}},{"command":"a","args":{}},{"command":"c","args":{}},{"command":"a"}]}"#;
    let shown = host.shown(&mut run(), "run_read_command", batch);
    let of = |n: usize, name| text_at(&shown, &format!("/results/{n}/{name}"));
    assert_eq!(of(0, "code"), "not_granted");
    assert_eq!(of(1, "status"), "executed");
    assert_eq!(of(2, "status"), "unknown_command");
    assert_eq!(of(3, "code"), "invalid_input");
    assert_eq!(host.asked[1].len(), 1);
    assert_eq!(
        names(&shown),
        ["outputId", "status", "results", "truncated"]
    );
    assert_eq!(at(&shown, "/truncated"), "false");
}

#[test]
fn a_hidden_command_cannot_be_called() {
    let mut host = host(vec![listed(r#"{"id":"a","developer":true}"#)]);
    assert_eq!(
        status(&mut host, &mut run(), "run_command"),
        "unknown_command"
    );
}

#[test]
fn a_bad_detail_is_invalid_input_and_reads_no_listing() {
    let mut host = host(vec![]);
    assert_eq!(
        host.shown(&mut run(), "list_commands", r#"{"detail":"a"}"#),
        r#"{"outputId":"r1:list_commands:1","status":"error","code":"invalid_input","message":"`detail` must be a list of at most 16 command names."}"#
    );
    assert!(host.asked.is_empty());
}
