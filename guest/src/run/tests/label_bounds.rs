//! How much of labels a run takes up: what there is no room for is left out, and counted.

use super::CATALOG;
use crate::bindings::exports::loom::tools::tools::{Call, Reply};
use crate::entry::MAX_LABELS;
use crate::label::{Join, label};
use crate::run::Run;
use crate::testing::{Host, at, call, printed, run, run_below, settings, text_at, value};

const COMMAND: &str = r#"{"command":"notes.read","args":{}}"#;

/// An atom of that many bytes of JSON, unlike one of another name.
fn atom(name: &str, bytes: usize) -> String {
    let bare = format!(r#"{{"type":"t","pad":"{name}"}}"#).len();
    format!(
        r#"{{"type":"t","pad":"{name}{}"}}"#,
        "x".repeat(bytes - bare)
    )
}

/// A row whose label is that clause.
fn row(clause: &str) -> String {
    format!(r#"{{"ifc":{{"confidentiality":[{clause}]}}}}"#)
}

/// A row whose label is stated in that many bytes, with the clause `t` alone.
fn stating(bytes: usize) -> String {
    let bare = r#"{"confidentiality":["t"],"integrity":[]}"#.len();
    let atom = atom("i", bytes - bare);
    format!(r#"{{"ifc":{{"confidentiality":["t"],"integrity":[{atom}]}}}}"#)
}

fn page() -> Call {
    call("loom_page_read", r#"{"target":"t"}"#)
}

fn read(run: &mut Run, row: &str) -> Reply {
    Host::printing(row).turn(run, vec![page()]).remove(0)
}

fn search(rows: &[String]) -> Reply {
    let payload = format!(r#"{{"hits":[{}]}}"#, rows.join(","));
    Host::printing(&payload)
        .turn(&mut run(), vec![call("loom_search", r#"{"query":"q"}"#)])
        .remove(0)
}

fn counts(reply: &Reply) -> [String; 4] {
    ["/admitted", "/withheld", "/omitted", "/truncated"].map(|path| at(&reply.shown, path))
}

#[test]
fn a_row_whose_new_clauses_the_runs_label_has_no_room_for_is_omitted() {
    let half = MAX_LABELS / 2;
    for (bytes, expected) in [
        (half, ["1", "0", "0", "false"]),
        (half + 1, ["0", "0", "1", "true"]),
    ] {
        let mut run = run();
        read(&mut run, &row(&atom("a", half)));
        let before = run.label();
        let reply = read(&mut run, &row(&atom("b", bytes)));
        assert_eq!(counts(&reply), expected, "{bytes}");
        assert_eq!(reply.observation.is_some(), expected[0] == "1");
        assert_eq!(run.label() == before, expected[0] == "0");
    }
}

#[test]
fn rows_of_one_result_state_labels_up_to_the_bound_together() {
    let half = MAX_LABELS / 2;
    assert_eq!(
        counts(&search(&[stating(half), stating(half)])),
        ["2", "0", "0", "false"]
    );
    assert_eq!(
        counts(&search(&[stating(half), stating(half + 1), stating(half)])),
        ["1", "0", "2", "true"]
    );
}

#[test]
fn a_row_that_states_more_label_than_any_result_takes_up_is_omitted_and_past_1_mib_withheld() {
    let of = |bytes| counts(&read(&mut run(), &stating(bytes)));
    let (admitted, omitted) = (["1", "0", "0", "false"], ["0", "0", "1", "true"]);
    assert_eq!(of(MAX_LABELS), admitted);
    assert_eq!(of(MAX_LABELS + 1), omitted);
    assert_eq!(of(1 << 20), omitted);
    assert_eq!(of((1 << 20) + 1), ["0", "1", "0", "false"]);
    // What may not be shown is withheld, whatever its size.
    let reply = read(&mut run_below("[]"), &stating(1 << 20));
    assert_eq!(
        text_at(&reply.shown, "/entries/0/reasonCode"),
        "cfc_ceiling_exceeded"
    );
}

#[test]
fn a_result_of_large_labels_adds_nothing_to_the_run() {
    let rows: Vec<String> = (0..31)
        .map(|n| row(&atom(&format!("n{n}"), 1_000_000)))
        .collect();
    let reply = search(&rows);
    assert_eq!(counts(&reply), ["0", "0", "31", "true"]);
    assert_eq!(reply.observation, None);
    assert!(reply.artifact.len() < 1_000);
}

#[test]
fn a_known_clause_is_free_but_in_a_spelling_of_its_own_it_is_stated_again() {
    let mut run = run();
    let full = atom("a", MAX_LABELS - r#""t""#.len());
    run.label.add(
        label(&value(&format!(r#"{{"confidentiality":["t",{full}]}}"#)))
            .expect("a label")
            .confidentiality(),
    );
    assert_eq!(counts(&read(&mut run, &row(r#""t""#)))[0], "1");
    let respelt = format!(r#"{{"anyOf":[{}]}}"#, vec![r#""t""#; 100_000].join(","));
    assert_eq!(counts(&read(&mut run, &row(&respelt)))[2], "1");
}

#[test]
fn rows_without_a_label_are_shown_in_a_run_whose_label_is_full() {
    let mut run = run();
    let half = MAX_LABELS / 2;
    for name in ["a", "b"] {
        read(&mut run, &row(&atom(name, half)));
    }
    let label = run.label();
    let reply = read(&mut run, r#"{"a":1}"#);
    assert_eq!(counts(&reply)[0], "1");
    assert_eq!(at(&reply.observation.unwrap(), "/label"), label);
    // One that is to carry a further clause has no room.
    let carrying = Call {
        input_label: Some(r#"{"confidentiality":["c"]}"#.to_owned()),
        ..page()
    };
    let reply = Host::printing(r#"{"a":1}"#)
        .turn(&mut run, vec![carrying])
        .remove(0);
    assert_eq!(counts(&reply)[2], "1");
    assert_eq!(run.label(), label);
}

#[test]
fn calls_of_one_turn_share_the_room_in_their_order() {
    let mut names = ["a", "b", "a"].into_iter();
    let mut host = Host::new(move |_| {
        let name = names.next().expect("three requests");
        printed(0, &row(&atom(name, MAX_LABELS - 100)))
    });
    let mut run = run();
    let replies = host.turn(&mut run, vec![page(), page(), page()]);
    let admitted: Vec<String> = replies
        .iter()
        .map(|reply| at(&reply.shown, "/admitted"))
        .collect();
    assert_eq!(admitted, ["1", "0", "1"]);
    assert_eq!(at(&run.label(), "/confidentiality/1"), "");
}

#[test]
fn a_command_whose_answers_label_has_no_room_is_shown_executed_without_its_entry() {
    let answer = |bytes| {
        let atom = atom("a", bytes);
        format!(
            r#"{{"ok":true,"id":"op","outputs":{{"version":3}},"ifc":{{"confidentiality":[{atom}]}}}}"#
        )
    };
    for bytes in [MAX_LABELS, 1_000_000] {
        let mut run = run();
        let large = answer(bytes);
        let mut host = Host::running(CATALOG, &large);
        let reply = host
            .turn(&mut run, vec![call("run_command", COMMAND)])
            .remove(0);
        assert_eq!(text_at(&reply.shown, "/status"), "executed");
        assert_eq!(text_at(&reply.shown, "/outcome/id"), "op");
        assert_eq!(at(&reply.shown, "/entry"), "");
        assert_eq!(at(&reply.shown, "/truncated"), "true");
        assert_eq!(reply.observation, None);
        assert_eq!(run.label(), r#"{"confidentiality":[]}"#);
    }
    // In a batch the later, smaller answers have their entries all the same.
    let mut large = true;
    let mut host = Host::new(|operation| match operation {
        crate::bindings::loom::tools::process::Operation::CommandList => printed(0, CATALOG),
        _ => {
            let bytes = if large { MAX_LABELS } else { 1_000 };
            large = false;
            printed(0, &answer(bytes))
        }
    });
    let batch = format!(r#"{{"calls":[{COMMAND},{COMMAND}]}}"#);
    let shown = host.shown(&mut run(), "run_command", &batch);
    assert_eq!(text_at(&shown, "/results/0/status"), "executed");
    assert_eq!(at(&shown, "/results/0/entry"), "");
    assert_eq!(text_at(&shown, "/results/1/entry/status"), "admitted");
}

#[test]
fn a_saved_run_is_taken_up_with_a_full_label_and_refused_with_more() {
    let saved = |bytes: usize| {
        let mut run = run();
        let half = MAX_LABELS / 2;
        for (name, bytes) in [("a", half), ("b", bytes - half)] {
            let json = format!(r#"{{"confidentiality":[{}]}}"#, atom(name, bytes));
            run.label
                .add(label(&value(&json)).expect("a label").confidentiality());
        }
        (run.label(), run.save())
    };
    let (label, full) = saved(MAX_LABELS);
    let run = Run::resume(settings(), &full).expect("a sound saved run");
    assert_eq!(run.label(), label);
    let (_, over) = saved(MAX_LABELS + 1);
    assert_eq!(
        Run::resume(settings(), &over)
            .map(drop)
            .expect_err("refused"),
        "The saved run is damaged: it does not hold what a run holds."
    );
}

#[test]
fn a_join_is_measured_by_the_clauses_that_are_new_to_it_each_once() {
    let clauses = |json: &str| {
        let json = format!(r#"{{"confidentiality":{json}}}"#);
        label(&value(&json))
            .expect("a label")
            .into_confidentiality()
    };
    let mut join = Join::of(&clauses(r#"["ab"]"#));
    assert_eq!(join.size(), 4);
    let more = clauses(r#"["ab",{"anyOf":["ab"]},"c",{"anyOf":["c"]},{"anyOf":["d","e"]}]"#);
    assert_eq!(join.size_with(&more), 4 + 3 + 19);
    join.add(&more);
    assert_eq!(join.size(), 4 + 3 + 19);
}
