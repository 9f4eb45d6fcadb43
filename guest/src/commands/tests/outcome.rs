//! What is read of an answer, whether or not it is withheld: booleans, counts and identifiers.

use crate::bindings::loom::tools::process::Failure;
use crate::commands::outcome;
use crate::commands::outcome::{Form, Outcome, Undelivered};
use crate::shown::Landed;
use crate::testing::{at, list_at, printed};

fn read(text: &str) -> Result<Outcome, Undelivered> {
    // The exit code of `command run` is not read.
    let answer = printed(70, text);
    outcome(&answer).map(|(outcome, _)| outcome)
}

fn shown(text: &str) -> String {
    read(text)
        .unwrap_or_else(|lost| panic!("{text}: {lost:?}"))
        .to_json(Form::Whole)
}

#[test]
fn an_outcome_holds_what_the_command_layer_answered() {
    let text = r#"{"ok":true,"id":"op-1","code":"done","may_have_landed":false,"completed":["a","b"],"secret":"s"}"#;
    assert_eq!(
        shown(text),
        format!(
            r#"{{"ok":true,"id":"op-1","code":"done","mayHaveLanded":false,"completed":["a","b"],"bodyBytes":{}}}"#,
            text.len()
        )
    );
    assert_eq!(shown(r#"{"ok":false}"#), r#"{"ok":false,"bodyBytes":12}"#);
}

#[test]
fn only_identifiers_pass() {
    let long = "i".repeat(128);
    for (json, passes) in [
        (r#""a.b:c/d-e_F9""#.to_owned(), true),
        (format!(r#""{long}""#), true),
        (r#""""#.to_owned(), false),
        (r#""two words""#.to_owned(), false),
        (r#""é""#.to_owned(), false),
        ("7".to_owned(), false),
        ("null".to_owned(), false),
        (r#"{"a":1}"#.to_owned(), false),
        (r#"["a"]"#.to_owned(), false),
    ] {
        let shown = shown(&format!(
            r#"{{"ok":true,"id":{json},"code":{json},"completed":[{json}]}}"#
        ));
        assert_eq!(
            at(&shown, "/id"),
            if passes { json.clone() } else { String::new() }
        );
        assert_eq!(
            at(&shown, "/code"),
            if passes { json.clone() } else { String::new() }
        );
        assert_eq!(
            at(&shown, "/completed"),
            if passes {
                format!("[{json}]")
            } else {
                "[]".into()
            }
        );
    }
    // Cut first, judged then.
    let shown = shown(&format!(r#"{{"ok":true,"id":"{long} and a sentence"}}"#));
    assert_eq!(at(&shown, "/id"), format!(r#""{long}""#));
}

#[test]
fn may_have_landed_is_read_from_a_boolean() {
    for other in ["null", "0", r#""true""#, "[]"] {
        assert_eq!(
            at(
                &shown(&format!(r#"{{"ok":true,"may_have_landed":{other}}}"#)),
                "/mayHaveLanded"
            ),
            ""
        );
    }
    assert_eq!(
        at(
            &shown(r#"{"ok":true,"may_have_landed":true}"#),
            "/mayHaveLanded"
        ),
        "true"
    );
    assert_eq!(
        at(
            &shown(r#"{"ok":true,"mayHaveLanded":true}"#),
            "/mayHaveLanded"
        ),
        ""
    );
}

#[test]
fn completed_is_the_first_32_of_its_identifiers_and_in_a_batch_their_count() {
    let ids: Vec<String> = (0..40).map(|n| format!(r#""op{n}""#)).collect();
    let text = format!(
        r#"{{"ok":true,"completed":["not one",7,{},null]}}"#,
        ids.join(",")
    );
    assert_eq!(list_at(&shown(&text), "/completed"), ids[..32]);
    for (held, kept) in [(32, 32), (33, 32)] {
        let text = format!(r#"{{"ok":true,"completed":[{}]}}"#, ids[..held].join(","));
        assert_eq!(list_at(&shown(&text), "/completed"), ids[..kept]);
    }
    let compact = read(&text).expect("an outcome").to_json(Form::Compact);
    assert_eq!(at(&compact, "/completedOmitted"), "40");
    assert_eq!(at(&compact, "/completed"), "");
    for none in ["null", "{}", r#""a""#, "7"] {
        let text = format!(r#"{{"ok":true,"completed":{none}}}"#);
        assert_eq!(at(&shown(&text), "/completed"), "", "{none}");
        let compact = read(&text).expect("an outcome").to_json(Form::Compact);
        assert_eq!(at(&compact, "/completedOmitted"), "", "{none}");
    }
}

#[test]
fn body_bytes_are_those_of_the_answer_as_compact_json() {
    assert_eq!(
        at(
            &shown(" { \"ok\" : true , \"a\" : [ 1 , 2 ] } "),
            "/bodyBytes"
        ),
        "21"
    );
    assert_eq!(
        at(&shown(r#"{"ok":true,"a":"\u00e9"}"#), "/bodyBytes"),
        "20"
    );
    assert_eq!(at(&shown(r#"{"ok":1,"ok":true}"#), "/bodyBytes"), "11");
}

#[test]
fn body_bytes_of_an_answer_of_any_size_do_not_depend_on_how_it_was_printed() {
    // Three values beside the numbers: the answer, `ok`, and the list.
    for values in [1 << 18, (1 << 18) + 1, 1 << 19] {
        let compact = format!(r#"{{"ok":true,"é":[{}1]}}"#, "1,".repeat(values - 4));
        let spaced = compact
            .replace(',', " ,\n")
            .replace('é', "\\u00e9")
            .replace(':', " : ");
        assert!(spaced.len() > compact.len() + values);
        let expected = compact.len().to_string();
        assert_eq!(at(&shown(&compact), "/bodyBytes"), expected, "{values}");
        assert_eq!(at(&shown(&spaced), "/bodyBytes"), expected, "{values}");
    }
}

#[test]
fn forbidden_and_refused_read_as_not_granted_only_when_ok_is_false() {
    for code in ["forbidden", "refused"] {
        let refusal = format!(r#"{{"ok":false,"code":"{code}"}}"#);
        let shown = shown(&refusal);
        assert_eq!(at(&shown, "/code"), r#""not_granted""#);
        assert_eq!(at(&shown, "/hostCode"), format!(r#""{code}""#));
        let smallest = read(&refusal).expect("an outcome").to_json(Form::Smallest);
        assert_eq!(
            smallest,
            format!(
                r#"{{"ok":false,"code":"not_granted","bodyBytes":{},"summaryOmitted":true}}"#,
                refusal.len()
            )
        );
        let said = self::shown(&format!(r#"{{"ok":true,"code":"{code}"}}"#));
        assert_eq!(at(&said, "/code"), format!(r#""{code}""#));
        assert_eq!(at(&said, "/hostCode"), "");
    }
    let other = shown(r#"{"ok":false,"code":"conflict"}"#);
    assert_eq!(
        (at(&other, "/code"), at(&other, "/hostCode")),
        (r#""conflict""#.into(), String::new())
    );
}

#[test]
fn bad_args_counts_only_when_ok_is_false() {
    let is = |text: &str| read(text).expect("an outcome").is_bad_args();
    assert!(is(r#"{"ok":false,"code":"bad-args"}"#));
    assert!(!is(r#"{"ok":true,"code":"bad-args"}"#));
    assert!(!is(r#"{"ok":false,"code":"Bad-args"}"#));
    assert!(!is(r#"{"ok":false}"#));
}

#[test]
fn the_version_is_that_of_the_outputs_when_it_is_an_integer_within_2_to_the_53() {
    let version = |outputs: &str| {
        read(&format!(r#"{{"ok":true,"outputs":{outputs}}}"#))
            .expect("an outcome")
            .version
    };
    assert_eq!(version(r#"{"version":0}"#), Some(0));
    assert_eq!(version(r#"{"version":3.0}"#), Some(3));
    assert_eq!(
        version(r#"{"version":9007199254740991}"#),
        Some(9_007_199_254_740_991)
    );
    for other in [
        r#"{"version":9007199254740992}"#,
        r#"{"version":-1}"#,
        r#"{"version":"3"}"#,
        r#"{"version":1.5}"#,
        "{}",
        "[]",
        "null",
        r#"{"a":{"version":1}}"#,
    ] {
        assert_eq!(version(other), None, "{other}");
    }
}

#[test]
fn an_answer_that_is_not_json_is_landed_unknown_command_failed() {
    for text in ["", "nope", "{", r#"{"ok":true} x"#, "NaN"] {
        let lost = read(text).map(drop).expect_err("lost");
        assert_eq!(
            (lost.landed, lost.code),
            (Landed::Unknown, "command_failed"),
            "{text}"
        );
    }
}

#[test]
fn json_without_a_boolean_ok_is_landed_unknown_malformed_payload() {
    for text in [
        "{}",
        "[]",
        "null",
        "7",
        r#"{"ok":null}"#,
        r#"{"ok":"true"}"#,
        r#"{"ok":1}"#,
        r#"[{"ok":true}]"#,
        r#"{"a":{"ok":true}}"#,
    ] {
        let lost = read(text).map(drop).expect_err("lost");
        assert_eq!(
            (lost.landed, lost.code),
            (Landed::Unknown, "malformed_payload"),
            "{text}"
        );
    }
}

#[test]
fn a_failure_before_an_answer_sent_nothing_unless_it_was_lost() {
    for (failure, landed, code) in [
        (Failure::Cancelled, Landed::No, "cancelled"),
        (Failure::NotStarted, Landed::No, "command_failed"),
        (Failure::NotGranted, Landed::No, "command_failed"),
        (Failure::Lost, Landed::Unknown, "command_failed"),
    ] {
        let lost = outcome(&Err(failure)).map(drop).expect_err("lost");
        assert_eq!((lost.landed, lost.code), (landed, code), "{failure:?}");
    }
}
