//! `resolve-result`, all of contract section 6.

use super::hold;
use crate::run::Run;
use crate::testing::{at, list_at, run, text_at};

const PAGE: &str =
    r#"{"a":"é","b":1.50,"ifc":{"integrity":["i"],"confidentiality":["x",{"anyOf":["y","z"]}]}}"#;
const UNHELD: &str = r#"{"code":"unheld_handle","message":"The result names a handle that this run does not hold."}"#;
const HANDWRITTEN: &str = r#"{"code":"invalid_result","message":"The result holds an object whose only key is `@link`. Cite a row by its handle instead."}"#;
const NOT_JSON: &str =
    r#"{"code":"invalid_result","message":"The structured result is not JSON."}"#;

/// A token of the right form that no test holds.
const STRANGER: &str = "cfh:v:zzzzz";

fn resolved(run: &Run, result: &str) -> String {
    run.resolve_result(result)
        .unwrap_or_else(|error| panic!("{result}: {error}"))
}

#[test]
fn a_value_that_is_exactly_a_held_token_becomes_a_link_to_its_document() {
    let mut run = run();
    let token = hold(&mut run, PAGE);
    // Both were computed elsewhere, from the contract's text.
    assert_eq!(token, "cfh:v:b5sv2");
    let link = "loom-doc:7d0762a6fc30fe5f45044c319d5078d582dd2b0160bcd61ff6b96a0459ea89d4";
    assert_eq!(
        resolved(
            &run,
            &format!(r#" {{"cites":["{token}","text"],"n":1.50}} "#)
        ),
        format!(
            r#"{{"result":{{"cites":[{{"@link":"{link}"}},"text"],"n":1.50}},"documents":[{{"token":"{token}","link":"{link}","value":{{"a":"é","b":1.50}},"label":{{"confidentiality":["x",{{"anyOf":["y","z"]}}],"integrity":["i"]}}}}],"uncited":[],"label":{{"confidentiality":["x",{{"anyOf":["y","z"]}}],"integrity":["i"]}}}}"#
        )
    );
    // The whole result may be one.
    let whole = resolved(&run, &format!(r#""{token}""#));
    assert_eq!(at(&whole, "/result"), format!(r#"{{"@link":"{link}"}}"#));
}

#[test]
fn a_result_that_cites_nothing_stays_as_it_is_under_every_held_rows_label() {
    let mut run = run();
    let empty = resolved(&run, r#"{"b":[1,null,true],"a":"cfh:v:"}"#);
    assert_eq!(
        empty,
        r#"{"result":{"b":[1,null,true],"a":"cfh:v:"},"documents":[],"uncited":[],"label":{"confidentiality":[],"integrity":[]}}"#
    );
    let token = hold(&mut run, PAGE);
    let shown = resolved(&run, "null");
    assert_eq!(at(&shown, "/documents"), "[]");
    assert_eq!(
        at(&shown, "/uncited"),
        format!(
            r#"[{{"token":"{token}","label":{{"confidentiality":["x",{{"anyOf":["y","z"]}}],"integrity":["i"]}}}}]"#
        )
    );
    assert_eq!(
        at(&shown, "/label/confidentiality"),
        r#"["x",{"anyOf":["y","z"]}]"#
    );
}

#[test]
fn documents_come_in_the_order_first_cited_and_uncited_in_the_order_held() {
    let mut run = run();
    let tokens: Vec<String> = (0..5)
        .map(|n| hold(&mut run, &format!(r#"{{"n":{n}}}"#)))
        .collect();
    let result = format!(
        r#"[["{}"],{{"x":"{}"}},"{}"]"#,
        tokens[3], tokens[1], tokens[3]
    );
    let shown = resolved(&run, &result);
    let order = |path: &str| -> Vec<String> {
        list_at(&shown, path)
            .iter()
            .map(|row| text_at(row, "/token"))
            .collect()
    };
    assert_eq!(order("/documents"), [tokens[3].clone(), tokens[1].clone()]);
    assert_eq!(
        order("/uncited"),
        [tokens[0].clone(), tokens[2].clone(), tokens[4].clone()]
    );
    assert_eq!(at(&shown, "/result/0/0"), at(&shown, "/result/2"));
    assert_eq!(at(&shown, "/documents/0/value"), r#"{"n":3}"#);
}

#[test]
fn the_inline_label_is_the_join_of_confidentiality_and_the_meet_of_integrity() {
    let mut run = run();
    let page = |n: u8, label: &str| format!(r#"{{"n":{n},"ifc":{{{label}}}}}"#);
    hold(
        &mut run,
        &page(
            1,
            r#""confidentiality":["a","b"],"integrity":["i",{"type":"t","n":1},"k"]"#,
        ),
    );
    hold(
        &mut run,
        &page(
            2,
            r#""confidentiality":["c",{"anyOf":["b"]}],"integrity":[{"n":1.0,"type":"t"},"k","j"]"#,
        ),
    );
    assert_eq!(
        at(&resolved(&run, "1"), "/label"),
        r#"{"confidentiality":["a","b","c"],"integrity":[{"type":"t","n":1},"k"]}"#
    );
    let last = hold(&mut run, &page(3, r#""confidentiality":[]"#));
    let cited = resolved(&run, &format!(r#""{last}""#));
    assert_eq!(
        at(&cited, "/label"),
        r#"{"confidentiality":["a","b","c"],"integrity":[]}"#
    );
}

#[test]
fn a_token_in_longer_text_must_be_held_and_stays_text_and_uncited() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    for text in [
        format!("see {token}."),
        format!("{token} "),
        format!("{token}A"),
        format!("{token},{token}"),
        format!("x{token}"),
    ] {
        let shown = resolved(&run, &format!(r#"["{text}"]"#));
        assert_eq!(at(&shown, "/result/0"), format!(r#""{text}""#));
        assert_eq!(at(&shown, "/documents"), "[]");
        assert_eq!(list_at(&shown, "/uncited").len(), 1);
        let stranger = text.replace(&token, STRANGER);
        assert_eq!(
            run.resolve_result(&format!(r#"["{stranger}"]"#)),
            Err(UNHELD.to_owned())
        );
    }
    let mixed = format!(r#""{token} and {STRANGER}""#);
    assert_eq!(run.resolve_result(&mixed), Err(UNHELD.to_owned()));
}

#[test]
fn a_property_name_that_is_or_holds_a_token_must_be_held_and_stays_text() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    for name in [token.clone(), format!("{token}:a"), format!("a {token}")] {
        let shown = resolved(&run, &format!(r#"{{"{name}":1}}"#));
        assert_eq!(at(&shown, "/result"), format!(r#"{{"{name}":1}}"#));
        assert_eq!(list_at(&shown, "/uncited").len(), 1);
        let stranger = name.replace(&token, STRANGER);
        for result in [
            format!(r#"{{"{stranger}":1}}"#),
            format!(r#"[{{"a":{{"{stranger}":[]}}}}]"#),
        ] {
            assert_eq!(
                run.resolve_result(&result),
                Err(UNHELD.to_owned()),
                "{result}"
            );
        }
    }
}

#[test]
fn a_token_one_letter_longer_is_held_by_no_run_and_one_shorter_is_none() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    // The letters of a prefix are letters too.
    for text in [
        format!("{token}a"),
        format!("{token}{token}"),
        format!("see {token}z."),
    ] {
        for result in [format!(r#""{text}""#), format!(r#"{{"{text}":1}}"#)] {
            assert_eq!(
                run.resolve_result(&result),
                Err(UNHELD.to_owned()),
                "{result}"
            );
        }
    }
    for text in [
        "cfh:v:",
        "cfh:v:zzzz",
        "cfh:v:zzzzA",
        "CFH:V:ZZZZZ",
        "cfh:v:zz1zz",
        "cfh:w:zzzzz",
        "cfh:v: zzzzz",
    ] {
        let shown = resolved(&run, &format!(r#"{{"{text}":"{text}"}}"#));
        assert_eq!(at(&shown, "/result"), format!(r#"{{"{text}":"{text}"}}"#));
    }
}

#[test]
fn a_token_is_found_behind_what_looks_like_the_opening_of_one() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    for (opening, held) in [
        ("cfh:v:", true),
        ("cfh:cfh:v:", true),
        ("cfh:v:abcd-", true),
    ] {
        assert_eq!(
            run.resolve_result(&format!(r#""{opening}{token}""#))
                .is_ok(),
            held
        );
        assert!(
            run.resolve_result(&format!(r#""{opening}{STRANGER}""#))
                .is_err(),
            "{opening}"
        );
    }
    // An escape spells the same text.
    let escaped = format!(r#""\u0063{}""#, token.get(1..).unwrap());
    assert_eq!(list_at(&resolved(&run, &escaped), "/documents").len(), 1);
}

#[test]
fn an_object_whose_only_key_is_link_is_refused() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    for result in [
        r#"{"@link":"loom-doc:00"}"#,
        r#"[{"a":{"@link":null}}]"#,
        r#"{"@link":1,"\u0040link":2}"#,
        &format!(r#"{{"@link":"{token}"}}"#),
    ] {
        assert_eq!(
            run.resolve_result(result),
            Err(HANDWRITTEN.to_owned()),
            "{result}"
        );
    }
    for result in [
        r#"{"@link":"x","a":1}"#,
        r#"{"@Link":"x"}"#,
        r#"["@link"]"#,
        r#"{"a":"@link"}"#,
    ] {
        assert_eq!(at(&resolved(&run, result), "/result"), result);
    }
}

#[test]
fn an_unheld_handle_is_the_error_when_both_are_true_in_either_order() {
    let run = run();
    for result in [
        format!(r#"[{{"@link":1}},"{STRANGER}"]"#),
        format!(r#"["{STRANGER}",{{"@link":1}}]"#),
        format!(r#"{{"@link":"{STRANGER}"}}"#),
    ] {
        assert_eq!(
            run.resolve_result(&result),
            Err(UNHELD.to_owned()),
            "{result}"
        );
    }
}

#[test]
fn what_is_not_json_is_an_invalid_result() {
    let run = run();
    let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
    for result in ["", "{", "[1] 2", "NaN", &deep] {
        assert_eq!(
            run.resolve_result(result),
            Err(NOT_JSON.to_owned()),
            "{result}"
        );
    }
    let deepest = format!("{}{}", "[".repeat(128), "]".repeat(128));
    assert!(run.resolve_result(&deepest).is_ok());
}

#[test]
fn names_that_other_languages_treat_specially_are_names() {
    let run = run();
    let result = r#"{"__proto__":{"a":1},"constructor":null,"toString":[]}"#;
    assert_eq!(at(&resolved(&run, result), "/result"), result);
}

#[test]
fn a_hundred_thousand_citations_of_one_large_row_cost_little_more_than_their_text() {
    let mut run = run();
    // With one digest for each citation this hashes four gigabytes.
    let page = format!(r#"{{"a":[{}1]}}"#, "\"0123456789\",".repeat(3_000));
    let token = hold(&mut run, &page);
    let result = format!(r#"["{token}"{}]"#, format!(r#","{token}""#).repeat(99_999));
    let shown = resolved(&run, &result);
    assert_eq!(list_at(&shown, "/documents").len(), 1);
    assert_eq!(list_at(&shown, "/result").len(), 100_000);
}

#[test]
fn a_hundred_thousand_strings_are_looked_at_each() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    let strings = |last: &str| {
        let text = format!(r#""see {token} cfh:v: and cfh:v:abc-","#).repeat(99_999);
        format!(r#"[{text}"{last}"]"#)
    };
    assert!(run.resolve_result(&strings("end")).is_ok());
    assert_eq!(
        run.resolve_result(&strings(STRANGER)),
        Err(UNHELD.to_owned())
    );
    let one = format!(r#""{}""#, "cfh:v:cfh:".repeat(100_000));
    assert!(run.resolve_result(&one).is_ok());
}

#[test]
fn resolving_changes_nothing_of_the_run() {
    let mut run = run();
    let token = hold(&mut run, PAGE);
    let before = run.save();
    resolved(&run, &format!(r#""{token}""#));
    let _ = run.resolve_result(&format!(r#""{STRANGER}""#));
    assert_eq!(run.save(), before);
}

#[test]
fn a_withheld_row_is_no_part_of_a_result() {
    let mut run = crate::testing::run_below(r#"["a"]"#);
    let page = r#"{"ifc":{"confidentiality":["b"]}}"#;
    crate::testing::Host::printing(page).shown(&mut run, "loom_page_read", r#"{"target":"t"}"#);
    assert_eq!(
        resolved(&run, "1"),
        r#"{"result":1,"documents":[],"uncited":[],"label":{"confidentiality":[],"integrity":[]}}"#
    );
}
