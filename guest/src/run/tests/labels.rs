//! What a run accumulates, and what each call is measured with.

use std::rc::Rc;

use super::CATALOG;
use crate::bindings::exports::loom::tools::tools::Call;
use crate::run::plan::Plan;
use crate::testing::{Host, at, call, run, run_below, text_at};

const PAGE_A: &str = r#"{"ifc":{"confidentiality":["a"]}}"#;

fn read_page() -> Call {
    call("loom_page_read", r#"{"target":"t"}"#)
}

fn with_label(label: &str) -> Call {
    Call {
        input_label: Some(label.to_owned()),
        ..read_page()
    }
}

#[test]
fn a_run_that_observed_nothing_labelled_has_a_public_label() {
    let mut run = run();
    assert_eq!(run.label(), r#"{"confidentiality":[]}"#);
    let reply = Host::printing("{}")
        .turn(&mut run, vec![read_page()])
        .remove(0);
    assert_eq!(reply.observation, None);
    assert_eq!(at(&reply.shown, "/entries/0/label/confidentiality"), "[]");
    assert_eq!(run.label(), r#"{"confidentiality":[]}"#);
}

#[test]
fn an_observation_joins_the_label_that_later_turns_are_measured_with() {
    let mut run = run();
    Host::printing(PAGE_A).turn(&mut run, vec![read_page()]);
    assert_eq!(run.label(), r#"{"confidentiality":["a"]}"#);
    let page = r#"{"ifc":{"confidentiality":[{"anyOf":["a"]},"b"]}}"#;
    Host::printing(page).turn(&mut run, vec![read_page()]);
    assert_eq!(run.label(), r#"{"confidentiality":["a","b"]}"#);
    let reply = Host::printing("{}")
        .turn(&mut run, vec![read_page()])
        .remove(0);
    assert_eq!(
        at(&reply.shown, "/entries/0/label/confidentiality"),
        r#"[["a"],["b"]]"#
    );
    assert_eq!(
        at(reply.observation.as_deref().unwrap(), "/label"),
        r#"{"confidentiality":["a","b"]}"#
    );
}

#[test]
fn all_calls_of_one_turn_see_the_label_the_run_had_when_it_began() {
    let mut run = run();
    let mut pages = ["{}", PAGE_A, "{}"].into_iter().cycle();
    let mut host = Host::new(move |_| crate::testing::printed(0, pages.next().unwrap()));
    let label = |reply: &str| at(reply, "/entries/0/label/confidentiality");
    let replies = host.turn(&mut run, vec![read_page(), read_page(), read_page()]);
    let labels: Vec<String> = replies.iter().map(|reply| label(&reply.shown)).collect();
    assert_eq!(labels, ["[]", r#"[["a"]]"#, "[]"]);
    let replies = host.turn(&mut run, vec![read_page()]);
    assert_eq!(label(&replies[0].shown), r#"[["a"]]"#);
}

#[test]
fn an_input_label_joins_the_label_of_its_own_call_alone() {
    let mut run = run();
    Host::printing(PAGE_A).turn(&mut run, vec![read_page()]);
    let calls = vec![
        with_label(r#"{"confidentiality":["b",{"anyOf":["a"]}]}"#),
        read_page(),
        with_label(r#"{"confidentiality":[]}"#),
    ];
    let replies = Host::printing("{}").turn(&mut run, calls);
    let labels: Vec<String> = replies
        .iter()
        .map(|reply| at(&reply.shown, "/entries/0/label/confidentiality"))
        .collect();
    assert_eq!(labels, [r#"[["a"],["b"]]"#, r#"[["a"]]"#, r#"[["a"]]"#]);
}

#[test]
fn an_input_label_bounds_what_may_be_shown() {
    let mut run = run_below(r#"["a"]"#);
    let mut status = |label| {
        let reply = Host::printing("{}")
            .turn(&mut run, vec![with_label(label)])
            .remove(0);
        text_at(&reply.shown, "/entries/0/status")
    };
    assert_eq!(status(r#"{"confidentiality":["a"]}"#), "admitted");
    assert_eq!(status(r#"{"confidentiality":["b"]}"#), "withheld");
    assert_eq!(
        status(r#"{"confidentiality":["cfc:label-read-failed"]}"#),
        "withheld"
    );
}

#[test]
fn an_unreadable_input_label_refuses_its_whole_turn_and_starts_nothing() {
    const MESSAGE: &str = "The label of an input of this turn cannot be read. Nothing was started.";
    for label in [
        "",
        "null",
        "{}",
        r#"{"confidentiality":[1]}"#,
        r#"{"confidentiality":"a"}"#,
        "{",
    ] {
        let mut run = run();
        let mut host = Host::running(CATALOG, r#"{"ok":true}"#);
        let command = r#"{"command":"notes.read","args":{}}"#;
        let calls = vec![
            read_page(),
            with_label(label),
            call("list_commands", ""),
            call("run_command", command),
            call("run_read_command", command),
            call("describe_handle", r#"{"token":"t"}"#),
        ];
        let replies = host.turn(&mut run, calls);
        assert_eq!(replies.len(), 6);
        for (n, reply) in replies.iter().enumerate() {
            assert_eq!(
                text_at(&reply.shown, "/code"),
                "invalid_input",
                "{label} {n}"
            );
            assert_eq!(text_at(&reply.shown, "/message"), MESSAGE, "{label} {n}");
            assert_eq!(reply.observation, None);
        }
        assert_eq!(text_at(&replies[3].shown, "/landed"), "no");
        assert!(host.asked.is_empty(), "{label}");
    }
}

#[test]
fn a_batch_takes_the_label_of_its_input_as_a_whole() {
    let mut run = run();
    let batch =
        r#"{"calls":[{"command":"notes.read","args":{}},{"command":"notes.write","args":{}}]}"#;
    let call = Call {
        input_label: Some(r#"{"confidentiality":["q"]}"#.to_owned()),
        ..call("run_command", batch)
    };
    let reply = Host::running(CATALOG, r#"{"ok":true}"#)
        .turn(&mut run, vec![call])
        .remove(0);
    for n in 0..2 {
        let path = format!("/results/{n}/entry/label/confidentiality");
        assert_eq!(at(&reply.shown, &path), r#"[["q"]]"#);
    }
    assert_eq!(run.label(), r#"{"confidentiality":["q"]}"#);
}

#[test]
fn withheld_rows_and_failures_contribute_nothing() {
    let mut run = run_below(r#"["a"]"#);
    for stdout in [
        r#"{"ifc":{"confidentiality":["b"]}}"#,
        r#"{"ifc":null}"#,
        "no json",
        r#"{"ok":false}"#,
    ] {
        let reply = Host::printing(stdout)
            .turn(&mut run, vec![read_page()])
            .remove(0);
        assert_eq!(reply.observation, None);
    }
    assert_eq!(run.label(), r#"{"confidentiality":[]}"#);
}

#[test]
fn calls_whose_input_label_adds_no_clause_share_the_runs_label() {
    let mut run = run();
    Host::printing(PAGE_A).turn(&mut run, vec![read_page()]);
    let calls = [
        read_page(),
        with_label(r#"{"confidentiality":[{"anyOf":["a"]}]}"#),
        with_label(r#"{"confidentiality":[]}"#),
        with_label(r#"{"confidentiality":["b"]}"#),
    ];
    let queries: Vec<_> = run
        .plan(&calls, &Ok(None))
        .into_iter()
        .map(|planned| match planned.plan {
            Plan::Retrieve { query, .. } => query,
            other => panic!("{other:?}"),
        })
        .collect();
    let shared = |query| Rc::ptr_eq(query, &queries[0]);
    assert_eq!(
        queries.iter().map(shared).collect::<Vec<_>>(),
        [true, true, true, false]
    );
}
