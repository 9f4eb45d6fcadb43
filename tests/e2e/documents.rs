//! `write-result` and `show`: a structured result into a document store, and a document out of it.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{print, rule};
use serde_json::{Value, json};

use crate::bench;

/// A saved run that holds two rows, and their handles.
fn saved(bench: &Bench) -> (String, [String; 2]) {
    let hits = json!({ "hits": [
        { "id": "a", "text": "first", "ifc": { "confidentiality": ["work"], "integrity": ["seen", "signed"] } },
        { "id": "b", "n": 1, "ifc": { "confidentiality": [{ "anyOf": ["x", { "type": "T", "of": 1 }] }], "integrity": ["seen"] } },
    ] });
    bench.fake.script(&[rule(&["search"], [print(hits)])]);
    let state = bench.path("state.json").display().to_string();
    let shown = bench
        .call(
            "loom_search",
            &json!({ "query": "q" }),
            &["--state", &state],
        )
        .ran();
    let shown = shown.expect_code(0).json();
    let handle = |at: usize| shown["entries"][at]["handle"].as_str().unwrap().to_owned();
    (state, [handle(0), handle(1)])
}

fn write(bench: &Bench, state: &str, result: &Value) -> loom_tools_tests::host::Ran {
    let store = bench.path("store").display().to_string();
    bench
        .host(&[
            "write-result",
            "--store",
            &store,
            "--state",
            state,
            &result.to_string(),
        ])
        .ran()
}

fn show(bench: &Bench, link: &Value, flags: &[&str]) -> loom_tools_tests::host::Ran {
    let store = bench.path("store").display().to_string();
    let link = link.as_str().unwrap();
    bench
        .host(&[&["show", "--store", &store, link], flags].concat())
        .ran()
}

#[test]
fn a_result_is_written_with_the_row_it_cites_and_a_receipt_for_the_other() {
    let bench = bench();
    let (state, [first, second]) = saved(&bench);
    let written = write(
        &bench,
        &state,
        &json!({ "see": first, "not": format!("about {second}") }),
    );
    let written = written.expect_code(0).json();
    assert_eq!(written["documents"].as_array().unwrap().len(), 1);
    assert_eq!(written["receipt"]["uncited"], 1);
    assert_eq!(
        written["label"],
        json!({ "confidentiality": ["work", { "anyOf": ["x", { "type": "T", "of": 1 }] }], "integrity": ["seen"] })
    );
    let files: Vec<_> = fs::read_dir(bench.path("store"))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(files.len(), 2);
    assert!(
        files
            .iter()
            .all(|file| file.metadata().unwrap().permissions().mode() & 0o777 == 0o600)
    );

    let result = show(&bench, &written["link"], &["--content"])
        .expect_code(0)
        .json();
    assert_eq!(result["content"]["see"]["@link"], written["documents"][0]);
    assert_eq!(result["content"]["not"], format!("about {second}"));
    assert_eq!(
        result["label"]["confidentiality"],
        json!([["work"], ["x", "T"]])
    );
    let row = show(&bench, &written["documents"][0], &["--content"])
        .expect_code(0)
        .json();
    assert_eq!(row["content"], json!({ "id": "a", "text": "first" }));
    assert_eq!(
        row["label"],
        json!({ "confidentiality": [["work"]], "integrity": ["seen", "signed"] })
    );
}

#[test]
fn a_document_is_shown_without_its_content_unless_asked() {
    let bench = bench();
    let (state, [first, _]) = saved(&bench);
    let written = write(&bench, &state, &json!([first])).expect_code(0).json();
    let shown = show(&bench, &written["documents"][0], &[]).expect_code(0);
    assert!(!shown.text().contains("first"), "{}", shown.text());
    assert!(shown.json().get("content").is_none());
}

#[test]
fn a_result_that_names_an_unheld_handle_is_refused_and_nothing_is_written() {
    let bench = bench();
    let (state, [first, _]) = saved(&bench);
    for (result, code) in [
        (json!({ "a": first, "b": "cfh:v:22222" }), "unheld_handle"),
        (json!({ "a": { "@link": "loom-doc:0" } }), "invalid_result"),
    ] {
        let refused = write(&bench, &state, &result).expect_code(1);
        assert_eq!(refused.json()["error"]["code"], code);
        assert!(!bench.path("store").exists());
    }
}

#[test]
fn a_result_is_written_though_the_configurations_are_gone() {
    let bench = bench();
    let (state, [first, _]) = saved(&bench);
    let store = bench.path("store").display().to_string();
    let result = json!([first]).to_string();
    let words = [
        "write-result",
        "--store",
        &store,
        "--state",
        &state,
        &result,
    ];
    bench
        .host(&words)
        .env("CF_HARNESS_LOOM_RETRIEVAL_CONFIG", "/nowhere.json")
        .env("CF_HARNESS_LOOM_COMMANDS_CONFIG", "stale.json")
        .ran()
        .expect_code(0);
}

#[test]
fn what_is_not_there_is_a_clear_error() {
    let bench = bench();
    let nowhere = bench.path("nowhere").display().to_string();
    bench
        .host(&[
            "write-result",
            "--store",
            &nowhere,
            "--state",
            &nowhere,
            "1",
        ])
        .ran()
        .expect_code(2)
        .expect_stderr("name a saved run");
    let link = format!("loom-doc:{}", "0".repeat(64));
    bench
        .host(&["show", "--store", &nowhere, &link])
        .ran()
        .expect_code(2)
        .expect_stderr("is no directory");
    let dir = bench.dir().display().to_string();
    bench
        .host(&["show", "--store", &dir, &link])
        .ran()
        .expect_code(1)
        .expect_stderr("no sound document");
    bench
        .host(&["show", "--store", &dir, "loom-doc:0"])
        .ran()
        .expect_code(2)
        .expect_stderr("64 of");
}
