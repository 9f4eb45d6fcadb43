//! What is called, and each refusal with its sentence.

use crate::commands::{Call, Calls, Refused, calls, detail};
use crate::input::Refusal;

fn one(input: &str) -> Call {
    match calls(input) {
        Ok(Calls::One(call)) => call,
        other => panic!("{input}: {other:?}"),
    }
}

fn refused(input: &str) -> String {
    match calls(input) {
        Err(Refused::Malformed(Refusal(sentence))) => sentence,
        other => panic!("{input}: {other:?}"),
    }
}

fn batch(input: &str) -> Vec<Result<Call, Refusal>> {
    match calls(input) {
        Ok(Calls::Batch(calls)) => calls,
        other => panic!("{input}: {other:?}"),
    }
}

fn bare(command: &str, args: &str) -> Call {
    Call {
        command: command.to_owned(),
        args: args.to_owned(),
        loom_id: None,
        expected_version: None,
    }
}

#[test]
fn a_call_carries_every_field_it_was_given() {
    assert_eq!(
        one(
            r#"{"expectedVersion":9007199254740991,"loomId":"loom-0123456789abcdef","args":{"b":1.50, "a":[]},"command":"a.b"}"#
        ),
        Call {
            command: "a.b".to_owned(),
            args: r#"{"b":1.50,"a":[]}"#.to_owned(),
            loom_id: Some("loom-0123456789abcdef".to_owned()),
            expected_version: Some(9_007_199_254_740_991),
        }
    );
    assert_eq!(one(r#"{"command":"a","args":{}}"#), bare("a", "{}"));
}

#[test]
fn a_call_without_a_command_id_is_malformed() {
    assert_eq!(refused(""), "`command` is required.");
    assert_eq!(refused(r#"{"args":{}}"#), "`command` is required.");
    let long = format!(r#""{}""#, "a".repeat(129));
    for other in [
        "7",
        "null",
        r#""""#,
        r#""A""#,
        r#""a b""#,
        r#""--json""#,
        r#""a/../b""#,
        &long,
    ] {
        assert_eq!(
            refused(&format!(r#"{{"command":{other},"args":{{}}}}"#)),
            "`command` must be a command's name, as list_commands shows it."
        );
    }
    let longest = "a".repeat(128);
    assert_eq!(
        one(&format!(r#"{{"command":"{longest}","args":{{}}}}"#)).command,
        longest
    );
}

#[test]
fn args_are_a_required_object() {
    assert_eq!(refused(r#"{"command":"a"}"#), "`args` is required.");
    for other in ["null", "[]", r#""{}""#, "7"] {
        assert_eq!(
            refused(&format!(r#"{{"command":"a","args":{other}}}"#)),
            "`args` must be a JSON object."
        );
    }
}

#[test]
fn args_may_be_16384_bytes_of_compact_json_and_not_one_more() {
    let of = |n: usize| {
        format!(
            r#"{{"command":"a","args":{{ "k" : "{}" }}}}"#,
            "é".repeat(n / 2) + &"x".repeat(n % 2)
        )
    };
    let fixed = r#"{"k":""}"#.len();
    assert_eq!(one(&of(16_384 - fixed)).args.len(), 16_384);
    assert_eq!(
        refused(&of(16_384 - fixed + 1)),
        "`args` must be at most 16384 bytes of JSON."
    );
}

#[test]
fn args_may_nest_64_deep_and_not_65() {
    let of = |depth: usize| {
        format!(
            r#"{{"command":"a","args":{}1{}}}"#,
            r#"{"a":"#.repeat(depth),
            "}".repeat(depth)
        )
    };
    one(&of(64));
    assert_eq!(refused(&of(65)), "`args` must nest at most 64 deep.");
    assert_eq!(refused(&of(200)), "The input is not JSON.");
}

#[test]
fn a_loom_id_and_an_expected_version_are_checked() {
    for other in ["null", "7", r#""loom-0123""#, r#""loom-0123456789ABCDEF""#] {
        assert_eq!(
            refused(&format!(
                r#"{{"command":"a","args":{{}},"loomId":{other}}}"#
            )),
            "`loomId` must be `loom-` and sixteen of `0-9 a-f`."
        );
    }
    for other in [
        "null",
        "-1",
        "1.5",
        r#""3""#,
        "9007199254740992",
        "1e400",
        "9007199254740991.5",
    ] {
        assert_eq!(
            refused(&format!(
                r#"{{"command":"a","args":{{}},"expectedVersion":{other}}}"#
            )),
            "`expectedVersion` must be an integer from 0 to 9007199254740991."
        );
    }
    for (version, read) in [("0", 0), ("-0", 0), ("3.0", 3), ("3e0", 3)] {
        let input = format!(r#"{{"command":"a","args":{{}},"expectedVersion":{version}}}"#);
        assert_eq!(one(&input).expected_version, Some(read));
    }
}

#[test]
fn a_field_a_call_does_not_take_is_refused_by_name() {
    for name in ["readOnly", "read-only", "actor", "jobId", "x"] {
        let input = format!(r#"{{"command":"a","args":{{}},"{name}":1}}"#);
        assert_eq!(refused(&input), format!("Unknown field `{name}`."));
        let batched = batch(&format!(r#"{{"calls":[{input}]}}"#));
        assert_eq!(batched, [Err(Refusal(format!("Unknown field `{name}`.")))]);
    }
    // A call of a batch is no batch.
    let nested = batch(r#"{"calls":[{"calls":[]}]}"#);
    assert_eq!(nested, [Err(Refusal("Unknown field `calls`.".to_owned()))]);
}

#[test]
fn an_input_that_is_no_object_is_refused() {
    for other in ["[]", "null", r#""a""#] {
        assert_eq!(refused(other), "The input must be a JSON object.");
    }
    assert_eq!(refused("{"), "The input is not JSON.");
}

#[test]
fn a_batch_carries_one_to_sixteen_calls() {
    let of = |n: usize| {
        let calls = vec![r#"{"command":"a","args":{}}"#; n];
        format!(r#"{{"calls":[{}]}}"#, calls.join(","))
    };
    assert_eq!(batch(&of(1)), [Ok(bare("a", "{}"))]);
    assert_eq!(batch(&of(16)).len(), 16);
    assert!(matches!(calls(&of(17)), Err(Refused::TooMany)));
    for other in ["[]", "{}", "null", "7"] {
        assert_eq!(
            refused(&format!(r#"{{"calls":{other}}}"#)),
            "`calls` must be a list of 1 to 16 calls."
        );
    }
}

#[test]
fn a_batch_that_names_a_field_of_a_lone_call_is_refused() {
    for (name, json) in [
        ("command", r#""a""#),
        ("args", "{}"),
        ("loomId", "null"),
        ("expectedVersion", "1"),
    ] {
        assert_eq!(
            refused(&format!(
                r#"{{"calls":[{{"command":"a","args":{{}}}}],"{name}":{json}}}"#
            )),
            format!("`{name}` and `calls` exclude each other.")
        );
    }
}

#[test]
fn a_malformed_call_of_a_batch_is_that_calls_own_failure() {
    let read = batch(
        r#"{"calls":[7,{"command":"a","args":{}},{"command":"B","args":{}},{"command":"a"}]}"#,
    );
    let refusal = |sentence: &str| Err(Refusal(sentence.to_owned()));
    assert_eq!(
        read,
        [
            refusal("A call must be a JSON object."),
            Ok(bare("a", "{}")),
            refusal("`command` must be a command's name, as list_commands shows it."),
            refusal("`args` is required."),
        ]
    );
}

#[test]
fn a_detail_is_a_list_of_at_most_16_command_ids() {
    assert_eq!(detail(""), Ok(vec![]));
    assert_eq!(detail(r#"{"detail":[]}"#), Ok(vec![]));
    assert_eq!(
        detail(r#"{"detail":["a","b.c"]}"#),
        Ok(vec!["a".to_owned(), "b.c".to_owned()])
    );
    let of = |n: usize| format!(r#"{{"detail":[{}]}}"#, vec![r#""a""#; n].join(","));
    assert_eq!(detail(&of(16)).map(|names| names.len()), Ok(16));
    let sentence = "`detail` must be a list of at most 16 command names.";
    for other in [
        &of(17),
        r#"{"detail":"a"}"#,
        r#"{"detail":null}"#,
        r#"{"detail":[7]}"#,
        r#"{"detail":["A"]}"#,
        r#"{"detail":["a",""]}"#,
    ] {
        assert_eq!(detail(other), Err(Refusal(sentence.to_owned())), "{other}");
    }
    assert_eq!(
        detail(r#"{"details":[]}"#),
        Err(Refusal("Unknown field `details`.".to_owned()))
    );
}
