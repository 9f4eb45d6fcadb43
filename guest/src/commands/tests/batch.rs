//! A batch's result: its order, its compact summaries, and what shrinks first.

use std::rc::Rc;

use super::catalog_of;
use crate::bindings::loom::tools::process::{Failure, Operation};
use crate::commands::batch::within;
use crate::commands::{Batched, Call, Executed, outcome};
use crate::handles::Handles;
use crate::intake::Intake;
use crate::json::utf16_len;
use crate::label::{Join, Label};
use crate::shown::Outgoing;
use crate::testing::{Host, at, call, list_at, names, printed, run, run_below, text_at};

const CATALOG: &str = r#"{"commands":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"}]}"#;

/// A batch of one call to each command, and what each answers.
fn turn(answers: &[(&str, &str)]) -> String {
    let mut host = Host::new(|operation| match operation {
        Operation::CommandRun(run) => {
            let answer = answers
                .iter()
                .find(|(id, _)| *id == run.id)
                .expect("an answer")
                .1;
            if answer == "lost" {
                Err(Failure::Lost)
            } else {
                printed(0, answer)
            }
        }
        _ => printed(0, CATALOG),
    });
    host.shown(
        &mut run(),
        "run_command",
        &input(answers.iter().map(|(id, _)| *id)),
    )
}

fn input<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    let calls: Vec<String> = ids
        .map(|id| format!(r#"{{"command":"{id}","args":{{}}}}"#))
        .collect();
    format!(r#"{{"calls":[{}]}}"#, calls.join(","))
}

#[test]
fn results_keep_the_calls_order_each_with_its_own_output_id() {
    let shown = turn(&[
        ("c", r#"{"ok":true,"id":"1"}"#),
        ("zz", ""),
        ("a", "lost"),
        ("b", r#"{"ok":true,"id":"2"}"#),
    ]);
    assert_eq!(
        names(&shown),
        ["outputId", "status", "results", "truncated"]
    );
    assert_eq!(text_at(&shown, "/status"), "batch");
    assert_eq!(text_at(&shown, "/outputId"), "r1:run_command:1");
    let of = |n: usize, path: &str| text_at(&shown, &format!("/results/{n}/{path}"));
    for n in 0..4 {
        assert_eq!(of(n, "outputId"), format!("r1:run_command:{}", n + 2));
    }
    assert_eq!(
        (of(0, "outcome/id"), of(3, "outcome/id")),
        ("1".into(), "2".into())
    );
    assert_eq!(of(1, "status"), "unknown_command");
    assert_eq!(
        (of(2, "landed"), of(2, "code")),
        ("unknown".into(), "command_failed".into())
    );
}

#[test]
fn a_summary_counts_what_was_completed_and_leaves_out_the_hint_and_keeps_the_signature() {
    let shown = turn(&[
        (
            "a",
            r#"{"ok":false,"code":"refused","completed":["x","y"]}"#,
        ),
        ("b", r#"{"ok":false,"code":"bad-args"}"#),
    ]);
    assert_eq!(
        at(&shown, "/results/0/outcome"),
        r#"{"ok":false,"code":"not_granted","hostCode":"refused","completedOmitted":2,"bodyBytes":51}"#
    );
    assert_eq!(at(&shown, "/results/0/hint"), "");
    assert_eq!(text_at(&shown, "/results/1/signature"), "b(...)  [global]");
}

#[test]
fn a_batch_records_one_observation_the_join_of_its_admitted_answers() {
    let mut run = run_below(r#"["x","y"]"#);
    let mut labels = [r#"["x"]"#, r#"["secret"]"#, r#"["y","x"]"#].into_iter();
    let mut host = Host::new(|operation| match operation {
        Operation::CommandRun(_) => {
            let label = labels.next().expect("a label");
            printed(
                0,
                &format!(r#"{{"ok":true,"ifc":{{"confidentiality":{label}}}}}"#),
            )
        }
        _ => printed(0, CATALOG),
    });
    let calls = vec![call("run_command", &input(["a", "b", "c"].into_iter()))];
    let reply = host.turn(&mut run, calls).remove(0);
    assert_eq!(
        reply.observation.as_deref(),
        Some(
            r#"{"toolCallId":"call of run_command","toolId":"run_command","outputId":"r1:run_command:1","channels":["output"],"label":{"confidentiality":["x","y"]}}"#
        )
    );
    assert_eq!(text_at(&reply.shown, "/results/1/entry/status"), "withheld");
    // All were asked for at once, as one call of the turn.
    assert_eq!(
        host.asked[1]
            .iter()
            .map(|request| request.call)
            .collect::<Vec<_>>(),
        [0, 0, 0]
    );
}

#[test]
fn an_answer_that_does_not_fit_does_not_keep_a_later_smaller_one_out() {
    let large = format!(
        r#"{{"ok":true,"t":[{}1]}}"#,
        format!(r#""{}","#, "x".repeat(3_900)).repeat(9)
    );
    let shown = turn(&[
        ("a", &large),
        ("b", &large),
        ("c", r#"{"ok":true,"n":1}"#),
        ("d", &large),
    ]);
    let entry = |n: usize| !at(&shown, &format!("/results/{n}/entry")).is_empty();
    let flag = |n: usize| at(&shown, &format!("/results/{n}/truncated"));
    assert_eq!(
        [entry(0), entry(1), entry(2), entry(3)],
        [true, false, true, false]
    );
    assert_eq!(
        [flag(0), flag(1), flag(2), flag(3)],
        ["false", "true", "false", "true"]
    );
    assert_eq!(at(&shown, "/truncated"), "true");
    assert!(utf16_len(&shown) <= 48_000);
}

#[test]
fn a_cut_string_marks_its_entry_its_result_and_the_batch() {
    let long = format!(r#"{{"ok":true,"t":"{}"}}"#, "x".repeat(4_001));
    let shown = turn(&[("a", r#"{"ok":true}"#), ("b", &long)]);
    assert_eq!(at(&shown, "/results/0/truncated"), "false");
    assert_eq!(at(&shown, "/results/1/truncated"), "true");
    assert_eq!(at(&shown, "/results/1/entry/truncated"), "true");
    assert_eq!(at(&shown, "/truncated"), "true");
    assert_eq!(at(&turn(&[("a", r#"{"ok":true}"#)]), "/truncated"), "false");
}

/// Executed calls with these answers, the whole of them shown in at most `most` characters.
fn shrunk(most: usize, answers: &[&str]) -> Outgoing {
    let catalog =
        catalog_of(&[r#"{"id":"a","inputs":{"properties":{"parameter":{"type":"string"}}}}"#]);
    let call = Call {
        command: "a".to_owned(),
        args: "{}".to_owned(),
        loom_id: None,
        expected_version: None,
    };
    let query = Rc::new(Label::default());
    let executed = answers.iter().enumerate().map(|(n, text)| {
        let answer = printed(0, text);
        let outcome = outcome(&answer).expect("an outcome");
        let command = catalog.get("a").expect("listed");
        Batched::Executed(Box::new(Executed::new(
            format!("id{n}"),
            &call,
            command,
            outcome,
            &query,
            None,
        )))
    });
    within(
        most,
        "batch",
        executed.collect(),
        "run_command",
        Intake::new(&mut Handles::new("r1"), &mut Join::default()),
    )
}

/// How far each result was shrunk: 0 whole, 1 without its signature, 2 in its smallest form.
fn levels(shown: &str) -> Vec<u8> {
    let level = |result: &String| match (
        at(result, "/signature"),
        at(result, "/outcome/summaryOmitted"),
    ) {
        (signature, _) if !signature.is_empty() => 0,
        (_, omitted) if omitted == "true" => 2,
        _ => 1,
    };
    list_at(shown, "/results").iter().map(level).collect()
}

/// An answer whose summary has all that can be left out, and longer itself than all of that.
fn bad_args() -> String {
    format!(
        r#"{{"ok":false,"code":"bad-args","id":"{}","completed":["x"],"t":"{}"}}"#,
        "i".repeat(100),
        "x".repeat(600)
    )
}

#[test]
fn a_summary_drops_its_signature_and_then_keeps_ok_code_and_body_bytes_later_calls_first() {
    let answer = bad_args();
    let answers = [answer.as_str(); 3];
    let of = |most: usize| shrunk(most, &answers).shown;
    let smallest = of(0);
    let whole = (0..)
        .map(|n| of(utf16_len(&smallest) + n))
        .find(|shown| levels(shown) == [0; 3]);
    let whole = whole.expect("a bound that all fits in");
    assert_eq!(at(&whole, "/results/0/entry"), "");
    assert_eq!(levels(&smallest), [2, 2, 2]);
    assert_eq!(
        at(&smallest, "/results/0/outcome"),
        format!(
            r#"{{"ok":false,"code":"bad-args","bodyBytes":{},"summaryOmitted":true}}"#,
            answer.len()
        )
    );
    // At every bound between: what is shown fits, and no earlier call shrank more than a later.
    // `false` and not `true` is charged for each flag, so a bound may stay unused by a few.
    let slack = 4;
    let mut seen = std::collections::BTreeSet::new();
    for most in utf16_len(&smallest) + slack..=utf16_len(&whole) + slack {
        let shown = of(most);
        assert!(utf16_len(&shown) <= most);
        let levels = levels(&shown);
        assert!(levels.is_sorted(), "{most} {levels:?}");
        seen.insert(levels);
    }
    assert!(
        seen.contains(&vec![0, 0, 1]) && seen.contains(&vec![0, 0, 2]),
        "{seen:?}"
    );
    assert!(
        seen.contains(&vec![0, 2, 2]) && seen.contains(&vec![0, 0, 0]),
        "{seen:?}"
    );
}

#[test]
fn summaries_are_charged_before_any_answer() {
    // The first call's answer would fit if the second's summary shrank; it is left out instead.
    let first = format!(r#"{{"ok":true,"t":"{}"}}"#, "x".repeat(300));
    let second = bad_args();
    let both = utf16_len(&shrunk(48_000, &[&first, &second]).shown);
    // Without the second's answer, and ten characters short of the first's.
    let entry = utf16_len(&at(
        &shrunk(48_000, &[&first, &second]).shown,
        "/results/1/entry",
    ));
    let most = both - entry - r#","entry":"#.len() - 10;
    let shown = shrunk(most, &[&first, &second]).shown;
    assert_eq!(at(&shown, "/results/0/entry"), "");
    assert_eq!(at(&shown, "/results/0/truncated"), "true");
    assert_ne!(at(&shown, "/results/1/signature"), "");
}

#[test]
fn a_result_that_was_left_out_is_held_nowhere() {
    let mut run = run();
    let large = format!(r#"{{"ok":true,"t":[{}1]}}"#, "1,".repeat(30_000));
    let mut host = Host::running(CATALOG, &large);
    let reply = host.turn(
        &mut run,
        vec![call("run_command", &input(["a", "b"].into_iter()))],
    );
    assert_eq!(at(&reply[0].shown, "/truncated"), "true");
    assert_eq!(reply[0].observation, None);
    assert_eq!(at(&run.resolve_result("1").unwrap(), "/uncited"), "[]");
}

#[test]
fn the_smallest_form_is_used_where_it_is_smaller() {
    // Beside a bare outcome the mark would be the longer: there is nothing to leave out.
    let shown = shrunk(0, &[r#"{"ok":true}"#]).shown;
    assert_eq!(
        at(&shown, "/results/0/outcome"),
        r#"{"ok":true,"bodyBytes":11}"#
    );
}
