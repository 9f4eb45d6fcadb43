//! A run saved and taken up again.

use sha2::{Digest, Sha256};

use super::{CATALOG, hold};
use crate::bindings::exports::loom::tools::tools::Settings;
use crate::bindings::loom::tools::process::Operation;
use crate::run::Run;
use crate::testing::{Host, at, call, run, settings, text_at};

const NOT_JSON: &str = "The saved run is not JSON: it is damaged.";
const NO_RUN: &str = "The saved state is no saved run of loom-tools.";
const OTHER_VERSION: &str = "The saved run is of another version of loom-tools.";
const OTHER_RUN: &str = "The saved run is another run: its run id differs.";
const DAMAGED: &str = "The saved run is damaged: its content does not match its digest.";

const COMMAND: &str = r#"{"command":"notes.read","args":{},"loomId":"loom-0123456789abcdef"}"#;

fn resumed(saved: &str) -> Run {
    Run::resume(settings(), saved).expect("a sound saved run")
}

fn refused(saved: &str) -> String {
    Run::resume(settings(), saved)
        .map(drop)
        .expect_err("refused")
}

/// A run that holds something of everything.
fn full() -> Run {
    let mut run = run();
    hold(
        &mut run,
        r#"{"a":"é\u0001\"","n":1.50,"ifc":{"confidentiality":[{"type":"t","n":1.0},{"anyOf":["a","b"]}],"integrity":["i"]}}"#,
    );
    hold(&mut run, r#"{"b":[null,true,{}]}"#);
    let answer = r#"{"ok":true,"outputs":{"version":7}}"#;
    Host::running(CATALOG, answer).shown(&mut run, "run_command", COMMAND);
    run
}

#[test]
fn a_run_saved_and_resumed_is_the_same_run() {
    for mut before in [run(), full()] {
        let saved = before.save();
        let mut after = resumed(&saved);
        assert_eq!(after.save(), saved);
        assert_eq!(after.label(), before.label());
        assert_eq!(after.resolve_result("1"), before.resolve_result("1"));
        let page = r#"{"target":"t"}"#;
        let shown = |run: &mut Run| Host::printing("{}").shown(run, "loom_page_read", page);
        assert_eq!(shown(&mut after), shown(&mut before));
    }
}

#[test]
fn a_resumed_run_has_its_catalog_and_does_not_ask_for_it_again() {
    let mut run = resumed(&full().save());
    let mut host = Host::running(CATALOG, r#"{"ok":false,"code":"bad-args"}"#);
    let shown = host.shown(&mut run, "run_command", COMMAND);
    assert_eq!(
        text_at(&shown, "/signature"),
        "notes.read(q?: string)  [read, global]"
    );
    assert!(!host.operations().contains(&Operation::CommandList));
    // A read asks for a fresh one as ever.
    host.shown(&mut run, "run_read_command", COMMAND);
    assert!(host.operations().contains(&Operation::CommandList));
}

#[test]
fn a_resumed_run_counts_on_and_keeps_its_tokens() {
    let mut run = run();
    let token = hold(&mut run, r#"{"a":1}"#);
    let mut run = resumed(&run.save());
    let shown = Host::printing(r#"{"a":1}"#).shown(&mut run, "loom_page_read", r#"{"target":"t"}"#);
    assert_eq!(text_at(&shown, "/outputId"), "r1:loom_page_read:2");
    assert_eq!(text_at(&shown, "/entries/0/handle"), token);
}

#[test]
fn a_run_that_has_counted_past_2_to_the_53rd_is_taken_up() {
    for counter in [1 << 53, u64::MAX] {
        let mut run = run();
        run.counter = counter;
        hold(&mut run, "{}");
        let saved = run.save();
        assert_eq!(resumed(&saved).save(), saved);
    }
}

#[test]
fn rows_whose_tokens_collide_are_taken_up_with_the_tokens_they_had() {
    let mut run = run();
    let tokens = [3_948, 7_382].map(|n| hold(&mut run, &format!(r#"{{"n":{n}}}"#)));
    assert_eq!(tokens, ["cfh:v:zb3pf", "cfh:v:gx37x"]);
    let saved = run.save();
    assert_eq!(resumed(&saved).save(), saved);
}

#[test]
fn what_nests_to_the_bound_is_taken_up() {
    let nested = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    let mut run = run();
    hold(&mut run, &nested(128));
    // A label, and a schema, as deep as they come.
    let atom = format!(r#"{{"type":"t","a":{}}}"#, nested(124));
    hold(
        &mut run,
        &format!(r#"{{"ifc":{{"confidentiality":[{atom}]}}}}"#),
    );
    let catalog = format!(
        r#"{{"commands":[{{"id":"deep","inputs":{}}}]}}"#,
        nested(125)
    );
    Host::printing(&catalog).shown(&mut run, "list_commands", "");
    let saved = run.save();
    assert_eq!(resumed(&saved).save(), saved);
}

#[test]
fn ten_thousand_held_rows_are_saved_and_taken_up() {
    let mut run = run();
    for page in 0..40 {
        let rows: Vec<String> = (0..250)
            .map(|n| format!(r#"{{"n":{}}}"#, page * 250 + n))
            .collect();
        let events = format!("[{}]", rows.join(","));
        let shown = Host::printing(&events).shown(&mut run, "loom_calendar_list", "");
        assert_eq!(at(&shown, "/admitted"), "250");
    }
    let saved = run.save();
    assert_eq!(resumed(&saved).save(), saved);
}

#[test]
fn any_one_byte_changed_or_left_out_is_refused() {
    let mut small = run();
    hold(&mut small, r#"{"a":1}"#);
    for saved in [small.save(), full().save()] {
        resumed(&saved);
        for at in 0..saved.len() {
            let mut bytes = saved.clone().into_bytes();
            for flip in [1, 2, 0x20] {
                bytes[at] = saved.as_bytes()[at] ^ flip;
                // What is no text never comes this far.
                if let Ok(damaged) = std::str::from_utf8(&bytes) {
                    refused(damaged);
                }
            }
            if let Some(opening) = saved.get(..at) {
                refused(opening);
            }
        }
    }
}

#[test]
fn what_is_no_saved_run_is_refused_with_a_reason() {
    assert_eq!(refused(""), NOT_JSON);
    assert_eq!(refused("{"), NOT_JSON);
    for other in [
        "null",
        "[]",
        "{}",
        r#"{"format":"other"}"#,
        r#"{"format":7}"#,
    ] {
        assert_eq!(refused(other), NO_RUN, "{other}");
    }
    let saved = full().save();
    assert_eq!(
        refused(&saved.replace(r#""version":1"#, r#""version":2"#)),
        OTHER_VERSION
    );
    assert_eq!(
        refused(&saved.replacen(r#""version":1"#, r#""version":"1""#, 1)),
        OTHER_VERSION
    );
    assert_eq!(
        refused(&saved.replace(r#""runId":"r1""#, r#""runId":"r2""#)),
        OTHER_RUN
    );
    assert_eq!(
        refused(&saved.replace(r#""counter":3"#, r#""counter":4"#)),
        DAMAGED
    );
    assert_eq!(
        refused(&saved.replace(r#""sha256":"#, r#""sha257":"#)),
        DAMAGED
    );
    assert_eq!(
        refused(&saved.replace(r#""body":"#, r#""bodies":"#)),
        DAMAGED
    );
}

#[test]
fn a_run_of_another_id_is_refused() {
    let saved = full().save();
    let other = Settings {
        run_id: "r2".to_owned(),
        ..settings()
    };
    assert_eq!(
        Run::resume(other, &saved).map(drop),
        Err(OTHER_RUN.to_owned())
    );
}

#[test]
fn settings_are_checked_on_resuming_too() {
    let saved = full().save();
    let unsound = Settings {
        ceilings: vec!["7".to_owned()],
        ..settings()
    };
    assert!(Run::resume(unsound, &saved).is_err());
}

#[test]
fn a_resumed_run_has_the_authority_and_ceiling_of_its_new_settings() {
    let saved = full().save();
    let bounded = Settings {
        ceilings: vec!["[]".to_owned()],
        slot: None,
        ..settings()
    };
    let mut run = Run::resume(bounded, &saved).expect("a sound saved run");
    // The accumulated label no longer fits, and the write is no longer allowed.
    let replies = Host::printing("{}").turn(
        &mut run,
        vec![
            call("loom_page_read", r#"{"target":"t"}"#),
            call("run_command", COMMAND),
        ],
    );
    assert_eq!(text_at(&replies[0].shown, "/entries/0/status"), "withheld");
    assert_eq!(text_at(&replies[1].shown, "/status"), "denied");
}

#[test]
fn a_command_answers_provenance_is_saved() {
    let saved = full().save();
    assert!(
        saved.contains(r#""provenance":{"command":"notes.read","actor":"agent","loomId":"loom-0123456789abcdef","version":7}"#),
        "{saved}"
    );
}

/// A saved run changed so that its digest is right again.
fn resealed(saved: &str, from: &str, to: &str) -> String {
    let changed = saved.replace(from, to);
    assert_ne!(changed, saved);
    let digest: String = Sha256::digest(at(&changed, "/body"))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    changed.replace(&text_at(&changed, "/sha256"), &digest)
}

#[test]
fn a_version_is_taken_up_to_2_to_the_53rd_less_1() {
    let with = |version: u64| format!(r#""loomId":"loom-0123456789abcdef","version":{version}"#);
    let of = |version| resealed(&full().save(), &with(7), &with(version));
    resumed(&of((1 << 53) - 1));
    assert_eq!(
        refused(&of(1 << 53)),
        "The saved run is damaged: it does not hold what a run holds."
    );
}
