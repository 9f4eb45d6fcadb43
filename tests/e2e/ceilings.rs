//! What a run may be shown: the operator's ceilings and the loom read-ceiling record.

mod record;

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{print, rule};
use serde_json::{Value, json};

use loom_tools_host::{Bounds, Call, RunError, Settings};

use crate::bench;
use crate::embedded::{below, call, reads, start};

/// Rows with these labels; a null is a row without one.
fn rows(bench: &Bench, labels: &[Value]) {
    let row = |(at, label): (usize, &Value)| match label {
        Value::Null => json!({ "at": at }),
        label => json!({ "at": at, "ifc": { "confidentiality": label } }),
    };
    let rows: Vec<Value> = labels.iter().enumerate().map(row).collect();
    let list = rule(&["command list"], [print(r#"{"commands":[{"id":"a"}]}"#)]);
    bench.fake.script(&[list, rule(&[], [print(json!(rows))])]);
}

/// Which of the rows are admitted, and the reasons of the others.
fn verdicts(shown: &Value) -> Vec<String> {
    let verdict = |entry: &Value| match entry["reasonCode"].as_str() {
        None => "admitted".to_owned(),
        Some(reason) => {
            assert_eq!(
                entry,
                &json!({ "status": "withheld", "reasonCode": reason })
            );
            reason.to_owned()
        }
    };
    shown["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(verdict)
        .collect()
}

const LIST: &str = "loom_calendar_list";
const ADMITTED: &str = "admitted";
const EXCEEDED: &str = "cfc_ceiling_exceeded";
const UNREADABLE: &str = "cfc_label_read_failed";

#[test]
fn the_flag_and_the_manifest_are_met_and_a_row_above_either_is_withheld() {
    let bench = bench();
    let expires =
        |at: i64| json!({ "type": "https://commonfabric.org/cfc/atom/Expires", "timestamp": at });
    rows(
        &bench,
        &[
            json!(null),
            json!([]),
            json!(["work"]),
            json!(["home"]),
            json!(["work", "home"]),
            json!([{ "anyOf": ["work", "home"] }]),
            json!([{ "anyOf": ["work", "home", "garden"] }]),
            json!([expires(200)]),
            json!([expires(50)]),
            json!(["secret"]),
        ],
    );
    let manifest = json!({
        "name": "a run", "cfc": { "maxConfidentiality": ["work", expires(100)], "more": 1 },
    });
    bench.write("manifest.json", manifest.to_string());
    bench.write(
        "ceiling.json",
        json!(["work", "home", expires(100)]).to_string(),
    );
    let list = || json!({});
    let expected = |shown: Value, admitted: &[bool]| {
        let expected: Vec<_> = admitted
            .iter()
            .map(|a| if *a { ADMITTED } else { EXCEEDED })
            .collect();
        assert_eq!(verdicts(&shown), expected);
    };
    let one = json!(["work", "home", expires(100)]);
    expected(
        below(&bench, &one).shown(LIST, list()),
        &[true, true, true, true, true, true, true, true, false, false],
    );
    let flags = [
        "--max-confidentiality",
        "@ceiling.json",
        "--run-manifest",
        "manifest.json",
    ];
    // Of `home` only what is also `work` may be read.
    expected(
        bench.session(&flags).shown(LIST, list()),
        &[
            true, true, true, false, false, true, true, true, false, false,
        ],
    );
    // An empty ceiling admits public rows alone, and no ceiling everything.
    expected(
        below(&bench, &json!([])).shown(LIST, list()),
        &[
            true, true, false, false, false, false, false, false, false, false,
        ],
    );
    bench.write("manifest.json", r#"{ "cfc": {} }"#);
    let flags = ["--run-manifest", "manifest.json"];
    expected(bench.session(&flags).shown(LIST, list()), &[true; 10]);
}

#[test]
fn a_label_that_cannot_be_read_withholds_its_row_with_and_without_a_ceiling() {
    let bench = bench();
    let texts = [
        r#"{"ifc":null}"#,
        r#"{"ifc":[]}"#,
        r#"{"ifc":{}}"#,
        r#"{"ifc":{"confidentiality":"work"}}"#,
        r#"{"ifc":{"confidentiality":[5]}}"#,
        r#"{"ifc":{"confidentiality":[{"anyOf":[]}]}}"#,
        r#"{"ifc":{"confidentiality":[{"anyOf":["a"],"x":1}]}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":"x"}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":[{"anyOf":["x"]}]}}"#,
        r#""a row that is no object""#,
        "[1]",
    ];
    bench
        .fake
        .script(&[rule(&[], [print(format!("[{}]", texts.join(",")))])]);
    for mut run in [reads(&bench), below(&bench, &json!(["work"]))] {
        assert_eq!(verdicts(&run.shown(LIST, json!({}))), [UNREADABLE; 11]);
    }
}

#[test]
fn a_query_gives_its_label_to_rows_without_one_and_the_label_is_the_runs_from_then_on() {
    let bench = bench();
    rows(&bench, &[json!(null), json!(["work"]), json!(["secret"])]);
    let mut run = below(&bench, &json!(["work", "home"]));
    let with = |label: Option<Value>| Call {
        input_label: label.map(|label| json!({ "confidentiality": label }).to_string()),
        ..call(LIST, &json!({}))
    };
    // All calls of a turn see the label the run had when it began.
    let replies = run.invoke(vec![with(None), with(Some(json!(["home"]))), with(None)]);
    let first = |reply: &Value| {
        let entry = &reply["shown"]["entries"][0];
        (
            entry["labelSource"].clone(),
            entry["label"]["confidentiality"].clone(),
        )
    };
    assert_eq!(first(&replies[0]), (json!("query"), json!([])));
    assert_eq!(first(&replies[1]), (json!("query"), json!([["home"]])));
    assert_eq!(first(&replies[2]), (json!("query"), json!([])));
    let observation = json!({
        "toolCallId": "1", "toolId": LIST, "outputId": replies[1]["outputId"],
        "channels": ["output"], "label": { "confidentiality": ["home", "work"] },
    });
    assert_eq!(replies[1]["observation"], observation);
    let observed = &replies[1]["artifact"]["cfc"];
    assert_eq!(
        observed,
        &json!({ "version": 1, "observedLabel": observation["label"] })
    );
    assert!(replies[1]["shown"].get("cfc").is_none());
    assert_eq!(run.label(), json!({ "confidentiality": ["work", "home"] }));
    // The next turn's query carries it.
    let replies = run.invoke(vec![with(None)]);
    assert_eq!(first(&replies[0]).1, json!([["work"], ["home"]]));
    // A query above the ceiling finds nothing that has no label of its own.
    let replies = run.invoke(vec![with(Some(json!(["secret"])))]);
    let entries = &replies[0]["shown"]["entries"];
    assert_eq!(entries[0]["reasonCode"], EXCEEDED);
    assert_eq!(entries[1]["status"], ADMITTED);
}

#[test]
fn a_ceiling_that_is_no_list_of_clauses_refuses_the_run_at_start() {
    let bench = bench();
    let sentence = "A confidentiality ceiling must be a JSON list of clauses";
    let bad = [
        "",
        "work",
        "null",
        "{}",
        "[5]",
        r#"[{"anyOf":[]}]"#,
        r#"["work"] x"#,
        r#""work""#,
    ];
    for ceiling in bad {
        let with = |settings: &mut Settings| settings.ceilings = vec!["[]".into(), ceiling.into()];
        let error = start(&bench, Bounds::default(), with).err().unwrap();
        assert!(
            matches!(&error, RunError::Refused(why) if why.starts_with(sentence)),
            "{error}"
        );
    }
    bench.write("manifest.json", r#"{"cfc":{"maxConfidentiality":null}}"#);
    for flags in [
        ["--max-confidentiality", "work"],
        ["--run-manifest", "manifest.json"],
    ] {
        let ran = bench.call("loom_profile", &json!({}), &flags).ran();
        ran.expect_code(2).expect_stderr(sentence);
    }
    bench.fake.assert_unused();
}

#[test]
fn a_manifest_whose_ceiling_stands_in_no_object_is_refused_and_is_not_no_ceiling() {
    let bench = bench();
    for manifest in [
        "[null]",
        "[[]]",
        r#"[{"maxConfidentiality":[]}]"#,
        "null",
        r#"{"cfc":[]}"#,
        r#"{"cfc":[[]]}"#,
        r#"{"cfc":null}"#,
        r#"{"cfc":"public"}"#,
        r#"{"cfc":true}"#,
    ] {
        bench.write("manifest.json", manifest);
        let flags = ["--run-manifest", "manifest.json"];
        let ran = bench.call("loom_profile", &json!({}), &flags).ran();
        ran.expect_code(2)
            .expect_stderr("--run-manifest: manifest.json is no run manifest");
    }
    bench.fake.assert_unused();
}

#[test]
fn a_ceiling_file_or_manifest_that_cannot_be_read_names_the_flag_and_the_file() {
    let bench = bench();
    bench.write("bad.json", "{");
    bench.write("list.json", "[]");
    for (flags, sentence) in [
        (
            ["--max-confidentiality", "@none.json"],
            "--max-confidentiality: none.json cannot be read",
        ),
        (
            ["--run-manifest", "none.json"],
            "--run-manifest: none.json cannot be read",
        ),
        (
            ["--run-manifest", "bad.json"],
            "--run-manifest: bad.json is no run manifest",
        ),
        (
            ["--run-manifest", "list.json"],
            "--run-manifest: list.json is no run manifest",
        ),
    ] {
        bench
            .call("loom_profile", &json!({}), &flags)
            .ran()
            .expect_code(2)
            .expect_stderr(sentence);
    }
    bench.fake.assert_unused();
}
