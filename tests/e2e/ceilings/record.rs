//! The loom read-ceiling record: read anew for each turn, and never taken for no ceiling.

use std::fs;
use std::os::unix::fs::symlink;

use loom_tools_host::PromptSlot;
use loom_tools_tests::fake::{print, rule};
use serde_json::{Value, json};

use super::{ADMITTED, EXCEEDED, LIST, rows, verdicts};
use crate::bench;
use crate::embedded::{driven, reads, writes};

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
    let mut run = writes(&bench);
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
        for reply in run.turn(&shows_loom_data()) {
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
        let known = run.shown("describe_handle", json!({ "token": "x" }));
        assert_eq!(known["known"], false);
    }
    bench.fake.assert_unused();
    let listed = run.shown("list_commands", json!({}));
    assert_eq!(listed["status"], "ok");
    // A sound one is read anew: the run goes on with it.
    fs::write(&record, sound.to_string()).unwrap();
    assert_eq!(run.shown("loom_calendar_list", json!({}))["status"], "ok");
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
    let mut run = driven(&bench, |settings| {
        settings.slot = Some(PromptSlot::DirectCommand);
        settings.ceilings = vec![r#"["work","other"]"#.to_owned()];
    });
    assert_eq!(
        verdicts(&run.shown(LIST, json!({}))),
        [ADMITTED, EXCEEDED, EXCEEDED]
    );
    for (label, verdict) in labels.iter().zip([ADMITTED, EXCEEDED, EXCEEDED]) {
        let answer = json!({ "ok": true, "text": "content", "ifc": { "confidentiality": label } });
        let list = rule(&["command list"], [print(r#"{"commands":[{"id":"a"}]}"#)]);
        bench.fake.script(&[list, rule(&[], [print(answer)])]);
        let shown = run.shown("run_command", json!({ "command": "a", "args": {} }));
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
    let shown = reads(&bench).shown("loom_profile", json!({}));
    assert_eq!(shown["code"], "ceiling_unavailable");
    bench.fake.assert_unused();
}
