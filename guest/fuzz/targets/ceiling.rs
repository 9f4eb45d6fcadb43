//! Labels and ceilings to the decision on a row: that of the contract's text (section 4), whether
//! a ceiling is the operator's or the record's, the label the row's own or its query's, and the
//! row retrieved or a command's answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::{Input, spelled};
use loom_tools_fuzz::json::{DEEPEST, Json};
use loom_tools_fuzz::labels::{self, Verdict};
use loom_tools_fuzz::watched::{Answered, Watched, call, entries, printed, settings};
use loom_tools_guest::Run;
use loom_tools_guest::exported::Turn;

/// What is too large to be met or carried has bounds, and tests, of its own.
const MOST: usize = 1_500;
const CATALOG: &str = r#"{"commands":[{"id":"a"}]}"#;

fuzz_target!(|data: &[u8]| {
    let table = atoms();
    let mut input = Input::of(data);
    let recorded = input.knob(&[false, true]);
    let own = input.knob(&[true, false]);
    let mut texts: Vec<String> = (0..3).map(|_| spelled(&input.part(), &table)).collect();
    if texts.iter().any(|text| text.len() > MOST) {
        return;
    }
    let label = texts.remove(0);
    let given: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let read: Vec<Option<Json>> = given
        .iter()
        .map(|text| Json::read(text, DEEPEST).filter(labels::is_ceiling))
        .collect();
    let readable: Option<Vec<Json>> = read.iter().cloned().collect();

    // A record is a ceiling of one turn; what is no ceiling refuses a run, or the turn.
    let record = given.last().filter(|_| recorded);
    let record = record.map(|clauses| {
        Ok(format!(
            r#"{{"loomReadCeiling":{clauses},"facets":["f"],"facetSource":"s"}}"#
        ))
    });
    let operators = &given[..given.len() - usize::from(record.is_some())];
    let sound = read[..operators.len()].iter().all(Option::is_some);
    assert_eq!(Run::start(settings(operators)).is_ok(), sound);
    if !sound {
        return;
    }
    let mut run = Watched::start(settings(operators));
    // A text that is no JSON of its own could make a row of another shape.
    let stated = Json::read(&label, DEEPEST - 1);
    let row = match &stated {
        Some(stated) if own => format!(r#"{{"ok":true,"ifc":{}}}"#, stated.compact()),
        _ => r#"{"ok":true}"#.to_owned(),
    };
    let mut calls = vec![
        call("loom_page_read", r#"{"target":"t"}"#),
        call("run_command", r#"{"command":"a","args":{}}"#),
    ];
    if !own {
        calls
            .iter_mut()
            .for_each(|call| call.input_label = Some(label.clone()));
    }
    let turn = Turn {
        calls,
        ceiling_record: record,
    };
    let unavailable = turn.ceiling_record.is_some()
        && read
            .last()
            .and_then(|c| c.as_ref()?.list())
            .is_none_or(<[Json]>::is_empty);
    let answered = run.turn(turn, &mut |operation| match operation {
        loom_tools_guest::process::Operation::CommandList => printed(0, CATALOG),
        _ => printed(0, &row),
    });
    let query = match (&stated, own) {
        (_, true) => Some(Vec::new()),
        (Some(stated), false) => labels::readable(stated).map(|(clauses, _)| labels::join(clauses)),
        (None, false) => None,
    };
    let row = Json::read(&row, DEEPEST).expect("a row");
    for one in &answered {
        match (&query, &readable) {
            _ if unavailable => assert_eq!(code(one), Some("ceiling_unavailable")),
            (None, _) => assert_eq!(code(one), Some("invalid_input")),
            (Some(query), Some(ceilings)) => check(one, labels::measure(&row, query, ceilings)),
            (Some(_), None) => panic!("a record that is no ceiling bounds nothing"),
        }
    }
    assert_eq!(run.asked.is_empty(), unavailable || query.is_none());
});

fn code(answered: &Answered) -> Option<&str> {
    answered.shown.get("code").and_then(Json::text)
}

fn check(answered: &Answered, verdict: Verdict) {
    let entries = entries(&answered.shown);
    let Some(entry) = entries.first() else {
        // Only a label that is too large to be shown leaves nothing.
        let flag = answered.shown.get("truncated");
        assert!(
            flag.is_some_and(|flag| flag.is("true")),
            "{}",
            answered.reply.shown
        );
        return;
    };
    let text = |name: &str| entry.get(name).and_then(Json::text);
    match verdict {
        Verdict::Unreadable => assert_eq!(text("reasonCode"), Some("cfc_label_read_failed")),
        Verdict::Exceeded => assert_eq!(text("reasonCode"), Some("cfc_ceiling_exceeded")),
        Verdict::Fits { label, source } => {
            assert_eq!(text("labelSource"), Some(source));
            assert_eq!(entry.get("label"), Some(&labels::disclosed(&label)));
        }
    }
}

/// Atoms that entail each other in every way there is, and pieces of clauses.
fn atoms() -> Vec<String> {
    let expires = "https://commonfabric.org/cfc/atom/Expires";
    let mut table: Vec<String> = [r#""a""#, r#""b""#, r#""c""#, r#""cfc:label-read-failed""#]
        .map(str::to_owned)
        .to_vec();
    for n in [
        "1",
        "1.0",
        "10e-1",
        "2",
        "-3",
        "0",
        "-0",
        "1.5",
        "9007199254740993",
        "1e400",
    ] {
        table.push(format!(r#"{{"type":"{expires}","timestamp":{n}}}"#));
        table.push(format!(r#"{{"n":{n},"type":"a"}}"#));
    }
    table.push(format!(r#"{{"timestamp":2,"type":"{expires}"}}"#));
    table.push(format!(
        r#"{{"type":"{expires}","timestamp":1,"digestOf":"x"}}"#
    ));
    table.push(r#"{"type":"a","n":1}"#.to_owned());
    for piece in [
        r#"{"anyOf":["#,
        "]}",
        r#"{"confidentiality":["#,
        r#"],"integrity":["#,
        "[",
        "]",
        ",",
    ] {
        table.push(piece.to_owned());
    }
    table
}
