//! Every row of contract section 3, and their order.

use super::{operation, shape};
use crate::bindings::loom::tools::process::{Failure, Operation};
use crate::retrieval::answer::Code;
use crate::retrieval::{failure, read, wanted};
use crate::tools::Tool;

/// A valid input of the tool.
fn asked(tool: Tool) -> Operation {
    let input = match tool {
        Tool::Search => r#"{"query":"q"}"#,
        Tool::PageInspect | Tool::PageRead => r#"{"target":"t"}"#,
        Tool::People => r#"{"query":"a@b"}"#,
        Tool::Context => r#"{"read":"where"}"#,
        _ => "{}",
    };
    operation(tool, input).expect("a valid input")
}

fn person_search() -> Operation {
    operation(Tool::Search, r#"{"person":"p"}"#).expect("a valid input")
}

/// The number of rows read, and the names of the envelope's fields.
fn outcome_of(
    tool: Tool,
    asked: &Operation,
    exit: i32,
    text: &str,
) -> Result<(usize, Vec<&'static str>), Code> {
    let shape = shape(tool);
    let wanted = wanted(shape);
    let payload = read(shape, asked, exit, text.as_bytes(), &wanted)?;
    assert_eq!(payload.rows().count(), payload.count, "{text}");
    Ok((
        payload.count,
        payload.envelope.iter().map(|&(name, _)| name).collect(),
    ))
}

fn rows(tool: Tool, exit: i32, text: &str) -> Result<usize, Code> {
    outcome_of(tool, &asked(tool), exit, text).map(|(count, _)| count)
}

const RETRIEVALS: [Tool; 8] = [
    Tool::Search,
    Tool::PageDiscover,
    Tool::PageInspect,
    Tool::PageRead,
    Tool::People,
    Tool::CalendarList,
    Tool::Context,
    Tool::Profile,
];

/// A payload of the shape the tool's command prints.
fn payload(tool: Tool) -> &'static str {
    match tool {
        Tool::Search => r#"{"hits":[]}"#,
        Tool::PageDiscover => r#"{"pages":[]}"#,
        Tool::CalendarList => "[]",
        _ => "{}",
    }
}

#[test]
fn what_did_not_start_or_was_lost_or_not_granted_is_command_failed() {
    assert_eq!(failure(Failure::NotStarted), Code::CommandFailed);
    assert_eq!(failure(Failure::Lost), Code::CommandFailed);
    assert_eq!(failure(Failure::NotGranted), Code::CommandFailed);
    assert_eq!(failure(Failure::Cancelled), Code::Cancelled);
}

#[test]
fn output_that_is_not_json_is_command_failed_whatever_the_exit_code() {
    for tool in RETRIEVALS {
        for text in [
            "",
            " ",
            "error: /private/loom",
            "{",
            r#"{"hits":[]} trailing"#,
            "NaN",
            r#"{"hits":[NaN]}"#,
        ] {
            assert_eq!(rows(tool, 0, text), Err(Code::CommandFailed), "{text}");
            assert_eq!(rows(tool, 2, text), Err(Code::CommandFailed), "{text}");
        }
        let deep = format!("{}{}", "[".repeat(129), "]".repeat(129));
        assert_eq!(rows(tool, 0, &deep), Err(Code::CommandFailed));
    }
}

#[test]
fn no_json_from_what_resolves_a_person_is_not_found_at_exit_1_and_contested_at_3() {
    let person = person_search();
    for (exit, code) in [
        (1, Code::NotFound),
        (3, Code::Contested),
        (0, Code::CommandFailed),
        (2, Code::CommandFailed),
        (-1, Code::CommandFailed),
    ] {
        assert_eq!(
            rows(Tool::People, exit, "nobody"),
            Err(code.clone()),
            "{exit}"
        );
        let searched = outcome_of(Tool::Search, &person, exit, "nobody").map(|_| ());
        assert_eq!(searched, Err(code), "{exit}");
    }
    for tool in RETRIEVALS {
        if tool != Tool::People {
            assert_eq!(rows(tool, 1, "nobody"), Err(Code::CommandFailed));
            assert_eq!(rows(tool, 3, "nobody"), Err(Code::CommandFailed));
        }
    }
}

#[test]
fn json_from_a_person_that_was_not_resolved_is_read_by_the_later_rules() {
    assert_eq!(rows(Tool::People, 1, "{}"), Err(Code::CommandFailed));
    assert_eq!(rows(Tool::People, 3, "{}"), Err(Code::CommandFailed));
    let refused = Err(Code::HostRefused(None));
    assert_eq!(rows(Tool::People, 1, r#"{"ok":false}"#), refused);
}

#[test]
fn an_object_whose_ok_is_false_is_host_refused_before_its_exit_code_or_shape_is_read() {
    for tool in RETRIEVALS {
        for exit in [0, 1, 3, 70] {
            let text = r#"{"ok":false,"code":"scope:denied","schemaVersion":2,"hasProfile":false}"#;
            let code = Some("scope:denied".to_owned());
            assert_eq!(rows(tool, exit, text), Err(Code::HostRefused(code)));
        }
    }
    // Only the value false, and the last one that stands there.
    assert_eq!(rows(Tool::PageRead, 0, r#"{"ok":null}"#), Ok(1));
    assert_eq!(rows(Tool::PageRead, 0, r#"{"ok":0}"#), Ok(1));
    assert_eq!(rows(Tool::PageRead, 0, r#"{"ok":"false"}"#), Ok(1));
    assert_eq!(rows(Tool::PageRead, 0, r#"{"ok":false,"ok":true}"#), Ok(1));
    assert_eq!(rows(Tool::PageRead, 0, r#"{"a":{"ok":false}}"#), Ok(1));
    assert_eq!(
        rows(Tool::PageRead, 0, r#"{"ok":true,"o\u006b":false}"#),
        Err(Code::HostRefused(None))
    );
    // A list has no `ok`.
    assert_eq!(rows(Tool::CalendarList, 0, r#"[{"ok":false}]"#), Ok(1));
}

#[test]
fn a_host_code_is_kept_when_it_is_an_identifier_once_cut_to_128_characters() {
    let code = |json: &str| match rows(
        Tool::PageRead,
        1,
        &format!(r#"{{"ok":false,"code":{json}}}"#),
    ) {
        Err(Code::HostRefused(code)) => code,
        other => panic!("{other:?}"),
    };
    assert_eq!(code(r#""A-Z_0.9:/-""#).as_deref(), Some("A-Z_0.9:/-"));
    let long = "c".repeat(128);
    assert_eq!(code(&format!(r#""{long}""#)).as_deref(), Some(&*long));
    assert_eq!(
        code(&format!(r#""{long}c and a sentence""#)).as_deref(),
        Some(&*long)
    );
    let sentence = format!(r#""{} x""#, "c".repeat(126));
    for other in [
        r#""""#,
        r#""no such file""#,
        r#""é""#,
        r#""a\n""#,
        r#""a(b)""#,
        "7",
        "null",
        "[]",
        &sentence,
    ] {
        assert_eq!(code(other), None, "{other}");
    }
}

#[test]
fn a_nonzero_exit_is_command_failed() {
    for tool in RETRIEVALS {
        for exit in [1, 2, 3, 127, 255, -1, i32::MIN] {
            assert_eq!(
                rows(tool, exit, payload(tool)),
                Err(Code::CommandFailed),
                "{tool:?}"
            );
        }
        assert!(rows(tool, 0, payload(tool)).is_ok(), "{tool:?}");
    }
}

#[test]
fn a_profile_from_a_fallback_tier_is_read_at_exit_1() {
    let fallback = r#"{"hasProfile":false,"name":"Ada"}"#;
    assert_eq!(rows(Tool::Profile, 1, fallback), Ok(1));
    assert_eq!(rows(Tool::Profile, 2, fallback), Err(Code::CommandFailed));
    assert_eq!(rows(Tool::Profile, 0, fallback), Ok(1));
    for other in [
        r#"{"hasProfile":true}"#,
        r#"{"hasProfile":"false"}"#,
        r#"{"hasProfile":null}"#,
        "{}",
    ] {
        assert_eq!(
            rows(Tool::Profile, 1, other),
            Err(Code::CommandFailed),
            "{other}"
        );
    }
    assert_eq!(rows(Tool::People, 1, fallback), Err(Code::CommandFailed));
}

#[test]
fn a_search_that_states_another_schema_version_than_the_number_1_is_a_mismatch() {
    for version in [
        "2", "0", "null", r#""1""#, "true", "[1]", "{}", "-1", "1.5", "11", "1e1",
    ] {
        let text = format!(r#"{{"schemaVersion":{version},"hits":[]}}"#);
        assert_eq!(
            rows(Tool::Search, 0, &text),
            Err(Code::SchemaVersionMismatch),
            "{version}"
        );
        // Before the rows are looked for.
        let shapeless = format!(r#"{{"schemaVersion":{version}}}"#);
        assert_eq!(
            rows(Tool::Search, 0, &shapeless),
            Err(Code::SchemaVersionMismatch)
        );
        // After the exit code.
        assert_eq!(rows(Tool::Search, 1, &text), Err(Code::CommandFailed));
    }
    for version in ["1", "1.0", "1e0", "10e-1"] {
        let text = format!(r#"{{"schemaVersion":{version},"hits":[]}}"#);
        assert_eq!(rows(Tool::Search, 0, &text), Ok(0), "{version}");
    }
    assert_eq!(rows(Tool::Search, 0, r#"{"hits":[]}"#), Ok(0));
    // Of no other tool's payload is it asked.
    assert_eq!(
        rows(Tool::PageDiscover, 0, r#"{"schemaVersion":2,"pages":[]}"#),
        Ok(0)
    );
    assert_eq!(rows(Tool::PageRead, 0, r#"{"schemaVersion":2}"#), Ok(1));
}

#[test]
fn a_payload_without_the_shape_of_its_command_is_malformed() {
    let malformed = Err(Code::MalformedPayload);
    for text in [
        "null",
        "7",
        r#""hits""#,
        "[]",
        "{}",
        r#"{"hits":{}}"#,
        r#"{"hits":null}"#,
        r#"{"pages":[]}"#,
        r#"{"a":{"hits":[]}}"#,
    ] {
        assert_eq!(rows(Tool::Search, 0, text), malformed, "{text}");
    }
    for text in ["[]", "{}", r#"{"pages":"a"}"#, r#"{"hits":[]}"#] {
        assert_eq!(rows(Tool::PageDiscover, 0, text), malformed, "{text}");
    }
    for text in ["{}", "null", r#"{"events":[]}"#, r#""a""#] {
        assert_eq!(rows(Tool::CalendarList, 0, text), malformed, "{text}");
    }
    for tool in [
        Tool::PageInspect,
        Tool::PageRead,
        Tool::People,
        Tool::Context,
        Tool::Profile,
    ] {
        for text in ["[]", "null", "7", r#""a""#, "true", "[{}]"] {
            assert_eq!(rows(tool, 0, text), malformed, "{tool:?} {text}");
        }
        assert_eq!(rows(tool, 0, "{}"), Ok(1));
    }
}

#[test]
fn every_element_of_the_list_is_a_row_whatever_it_is() {
    assert_eq!(
        rows(
            Tool::Search,
            0,
            r#" { "hits" : [ 1 , null, {} , [2,3] ] } "#
        ),
        Ok(4)
    );
    assert_eq!(
        rows(Tool::PageDiscover, 0, r#"{"pages":[1],"pages":[{},{}]}"#),
        Ok(2)
    );
    assert_eq!(rows(Tool::CalendarList, 0, "[[],[[]],{}]"), Ok(3));
}

#[test]
fn envelope_fields_are_the_ones_present_in_the_order_shown() {
    let envelope = |tool, text: &str| outcome_of(tool, &asked(tool), 0, text).map(|(_, e)| e);
    assert_eq!(
        envelope(
            Tool::Search,
            r#"{"warnings":[],"hits":[],"query":null,"truncated":false,"source_status":{},"other":1}"#
        ),
        Ok(vec!["query", "source_status", "warnings", "truncated"])
    );
    assert_eq!(envelope(Tool::Search, r#"{"hits":[]}"#), Ok(vec![]));
    assert_eq!(
        envelope(
            Tool::PageDiscover,
            r#"{"omittedViews":[],"pages":[],"totalPages":3}"#
        ),
        Ok(vec!["totalPages", "omittedViews"])
    );
    assert_eq!(
        envelope(Tool::PageRead, r#"{"query":1,"warnings":2}"#),
        Ok(vec![])
    );
}
