//! What a run may be shown: the operator's ceilings and the loom read-ceiling record.

use std::fs;
use std::os::unix::fs::symlink;

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{print, rule};
use loom_tools_tests::session::Session;
use serde_json::{Value, json};

use loom_tools_host::{Bounds, RunError, Settings};

use crate::bench;
use crate::embedded::start;

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
fn verdicts(session: &mut Session) -> Vec<String> {
    let shown = session.shown("loom_calendar_list", json!({}));
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
    let expected = |session: &mut Session, admitted: &[bool]| {
        let expected: Vec<_> = admitted
            .iter()
            .map(|a| if *a { ADMITTED } else { EXCEEDED })
            .collect();
        assert_eq!(verdicts(session), expected);
    };
    let mut session = bench.session(&["--max-confidentiality", "@ceiling.json"]);
    expected(
        &mut session,
        &[true, true, true, true, true, true, true, true, false, false],
    );
    let flags = [
        "--max-confidentiality",
        "@ceiling.json",
        "--run-manifest",
        "manifest.json",
    ];
    let mut session = bench.session(&flags);
    // Of `home` only what is also `work` may be read.
    expected(
        &mut session,
        &[
            true, true, true, false, false, true, true, true, false, false,
        ],
    );
    // An empty ceiling admits public rows alone, and no ceiling everything.
    let mut session = bench.session(&["--max-confidentiality", "[]"]);
    expected(
        &mut session,
        &[
            true, true, false, false, false, false, false, false, false, false,
        ],
    );
    bench.write("manifest.json", r#"{ "cfc": {} }"#);
    let mut session = bench.session(&["--run-manifest", "manifest.json"]);
    expected(&mut session, &[true; 10]);
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
    for flags in [&[][..], &["--max-confidentiality", r#"["work"]"#]] {
        let mut session = bench.session(flags);
        assert_eq!(verdicts(&mut session), [UNREADABLE; 11]);
    }
}

#[test]
fn a_query_gives_its_label_to_rows_without_one_and_the_label_is_the_runs_from_then_on() {
    let bench = bench();
    rows(&bench, &[json!(null), json!(["work"]), json!(["secret"])]);
    let mut session = bench.session(&["--max-confidentiality", r#"["work","home"]"#]);
    let call = |label: Option<Value>| {
        let mut call = json!({ "id": "c", "tool": "loom_calendar_list", "input": {} });
        if let Some(label) = label {
            call["inputLabel"] = json!({ "confidentiality": label });
        }
        call
    };
    let mut ask = |calls: Vec<Value>| session.ask(&json!({ "calls": calls }).to_string());
    // All calls of a turn see the label the run had when it began.
    let answer = ask(vec![call(None), call(Some(json!(["home"]))), call(None)]);
    let replies = answer["replies"].as_array().unwrap();
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
        "toolCallId": "c", "toolId": "loom_calendar_list", "outputId": replies[1]["outputId"],
        "channels": ["output"], "label": { "confidentiality": ["home", "work"] },
    });
    assert_eq!(replies[1]["observation"], observation);
    let observed = &replies[1]["artifact"]["cfc"];
    assert_eq!(
        observed,
        &json!({ "version": 1, "observedLabel": observation["label"] })
    );
    assert!(replies[1]["shown"].get("cfc").is_none());
    assert_eq!(
        answer["label"],
        json!({ "confidentiality": ["work", "home"] })
    );
    // The next turn's query carries it.
    let answer = ask(vec![call(None)]);
    assert_eq!(first(&answer["replies"][0]).1, json!([["work"], ["home"]]));
    // A query above the ceiling finds nothing that has no label of its own.
    let answer = ask(vec![call(Some(json!(["secret"])))]);
    let entries = &answer["replies"][0]["shown"]["entries"];
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

/// The tools that show Loom data, with an input each would take.
fn shows_loom_data() -> Vec<(&'static str, Value)> {
    vec![
        ("loom_search", json!({ "query": "q" })),
        ("loom_page_discover", json!({})),
        ("loom_page_inspect", json!({ "target": "t" })),
        ("loom_page_read", json!({ "target": "t" })),
        ("loom_people", json!({ "query": "a@b" })),
        ("loom_calendar_list", json!({})),
        ("loom_context", json!({ "read": "where" })),
        ("loom_profile", json!({})),
        // Refused for the record before its input is looked at.
        ("loom_profile", json!({ "nonsense": 1 })),
        ("run_command", json!({ "command": "a", "args": {} })),
        ("run_read_command", json!({ "command": "a", "args": {} })),
    ]
}

#[test]
fn a_record_that_is_not_sound_or_names_other_facets_refuses_every_call_that_shows_data() {
    let bench = bench();
    rows(&bench, &[]);
    let record = bench.path("read-ceiling.json");
    bench.configure_retrieval(|config| {
        config["readCeilingFile"] = json!(record);
        config["facets"] = json!(["work", "home", "work"]);
    });
    let mut session = bench.session(&["--prompt-slot", "direct-command"]);
    let sound =
        json!({ "loomReadCeiling": ["w"], "facets": ["home", "work"], "facetSource": "run" });
    let with = |key: &str, value: Value| {
        let mut record = sound.clone();
        record[key] = value;
        record.to_string()
    };
    let mut bad = vec![
        None,
        Some(String::new()),
        Some("[]".to_owned()),
        Some(format!("{sound} x")),
        Some(with("loomReadCeiling", json!([]))),
        Some(with("loomReadCeiling", json!([{ "anyOf": [] }]))),
        Some(with("loomReadCeiling", json!("w"))),
        Some(with("facets", json!([]))),
        Some(with("facets", json!(["work"]))),
        Some(with("facets", json!(["work", "home", "health"]))),
        Some(with("facets", json!(["Work", "home"]))),
        Some(with("facets", json!("work"))),
        Some(with("facetSource", json!(""))),
        Some(with("facetSource", json!(null))),
        Some(with("facetSource", json!("x".repeat(1 << 20)))),
    ];
    bad.push(Some(sound.to_string().replace("home", "h\u{0}me")));
    for text in bad {
        match &text {
            None => assert!(!record.exists()),
            Some(text) => fs::write(&record, text).unwrap(),
        }
        for reply in session.turn(&shows_loom_data()) {
            let shown = &reply["shown"];
            let note = format!("{:?}: {shown}", text.as_ref().map(|text| text.get(..200)));
            assert_eq!(shown["code"], "ceiling_unavailable", "{note}");
            let sentence = "The run's read ceiling cannot be read, so nothing can be shown.";
            assert_eq!(shown["message"], sentence, "{note}");
            let landed = shown["status"] == "failed_to_deliver";
            assert_eq!(
                landed.then(|| &shown["landed"]),
                landed.then_some(&json!("no")),
                "{note}"
            );
        }
        // What shows no Loom data goes on.
        let known = session.shown("describe_handle", json!({ "token": "x" }));
        assert_eq!(known["known"], false);
    }
    bench.fake.assert_unused();
    let listed = session.shown("list_commands", json!({}));
    assert_eq!(listed["status"], "ok");
    // A sound one is read anew: the run goes on with it.
    fs::write(&record, sound.to_string()).unwrap();
    assert_eq!(
        session.shown("loom_calendar_list", json!({}))["status"],
        "ok"
    );
}

#[test]
fn a_record_bounds_retrieval_and_command_answers_and_is_met_with_the_other_ceilings() {
    let bench = bench();
    let record =
        json!({ "loomReadCeiling": ["work", "home"], "facets": ["f"], "facetSource": "run" });
    let record = bench.write("read-ceiling.json", record.to_string());
    bench.configure_retrieval(|config| config["readCeilingFile"] = json!(record));
    let labels = [json!(["work"]), json!(["home"]), json!(["other"])];
    rows(&bench, &labels);
    let mut session = bench.session(&[
        "--prompt-slot",
        "direct-command",
        "--max-confidentiality",
        r#"["work","other"]"#,
    ]);
    assert_eq!(verdicts(&mut session), [ADMITTED, EXCEEDED, EXCEEDED]);
    for (label, verdict) in labels.iter().zip([ADMITTED, EXCEEDED, EXCEEDED]) {
        let answer = json!({ "ok": true, "text": "content", "ifc": { "confidentiality": label } });
        let list = rule(&["command list"], [print(r#"{"commands":[{"id":"a"}]}"#)]);
        bench.fake.script(&[list, rule(&[], [print(answer)])]);
        let shown = session.shown("run_command", json!({ "command": "a", "args": {} }));
        let entry = &shown["entry"];
        let got = entry["reasonCode"].as_str().unwrap_or(ADMITTED);
        assert_eq!(
            (got, &shown["outcome"]["ok"]),
            (verdict, &json!(true)),
            "{shown}"
        );
        assert_eq!(shown.to_string().contains("content"), verdict == ADMITTED);
    }
}

#[test]
fn a_record_behind_a_link_out_of_its_directory_is_unavailable() {
    let bench = bench();
    rows(&bench, &[]);
    let sound = json!({ "loomReadCeiling": ["w"], "facets": ["f"], "facetSource": "run" });
    let elsewhere = bench.write("home/elsewhere.json", sound.to_string());
    symlink(&elsewhere, bench.queue().join("record.json")).unwrap();
    bench.configure_retrieval(|config| {
        config["readCeilingFile"] = json!(bench.queue().join("record.json"));
    });
    let ran = bench
        .call("loom_profile", &json!({}), &[])
        .ran()
        .expect_code(0);
    assert_eq!(ran.json()["code"], "ceiling_unavailable");
    bench.fake.assert_unused();
}
