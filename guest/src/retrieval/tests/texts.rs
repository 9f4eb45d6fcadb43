//! The rules of free text, in every place that takes it.

use super::input::{accepted, refused};
use super::operation;
use crate::tools::Tool;

/// An input with the text in one place that takes free text, and the field's name.
fn texts(json_text: &str) -> Vec<(Tool, &'static str, String)> {
    let alone = |name: &str| format!(r#"{{"{name}":{json_text}}}"#);
    let mut inputs = vec![
        (Tool::Search, "query", alone("query")),
        (Tool::Search, "person", alone("person")),
        (Tool::PageInspect, "target", alone("target")),
        (Tool::PageRead, "target", alone("target")),
        (Tool::People, "query", alone("query")),
        (
            Tool::Context,
            "at",
            format!(r#"{{"read":"where","at":{json_text}}}"#),
        ),
    ];
    for name in ["sources", "since", "until", "tz"] {
        inputs.push((
            Tool::Search,
            name,
            format!(r#"{{"query":"q","{name}":{json_text}}}"#),
        ));
    }
    for name in ["since", "until"] {
        let input = format!(r#"{{"read":"activity","{name}":{json_text}}}"#);
        inputs.push((Tool::Context, name, input));
    }
    inputs
}
#[test]
fn free_text_is_bounded_at_500_characters_and_refused_past_it() {
    // An emoji is two characters; a lone surrogate escape is one.
    for text in [
        "x".repeat(500),
        format!("{}xx", "😀".repeat(249)),
        "é".repeat(500),
        format!(r"{}\ud83d", "x".repeat(499)),
    ] {
        for (tool, name, input) in texts(&format!(r#""{text}""#)) {
            if tool != Tool::People {
                assert!(operation(tool, &input).is_ok(), "{name} {input}");
            }
        }
    }
    for text in [
        r#""""#.to_owned(),
        format!(r#""{}""#, "x".repeat(501)),
        format!(r#""{}x""#, "😀".repeat(250)),
        "null".to_owned(),
        "7".to_owned(),
        r#"["a"]"#.to_owned(),
        r#"{"a":1}"#.to_owned(),
    ] {
        for (tool, name, input) in texts(&text) {
            let sentence = format!("`{name}` must be a string of 1 to 500 characters.");
            assert_eq!(refused(tool, &input), sentence, "{input}");
        }
    }
}

#[test]
fn free_text_with_a_control_character_is_refused() {
    for escape in [
        r"\u0000", r"\n", r"\t", r"\u001b", r"\u001f", r"\u007f", r"\u0080", r"\u0085", r"\u009f",
    ] {
        for (tool, name, input) in texts(&format!(r#""a{escape}""#)) {
            let sentence = format!("`{name}` must not hold a control character.");
            assert_eq!(refused(tool, &input), sentence, "{input}");
        }
    }
    // What only looks like one is text.
    accepted(Tool::Search, r#"{"query":"a\u00a0\u2028\ufeff\u202e"}"#);
}

#[test]
fn free_text_that_opens_with_a_dash_is_refused() {
    for text in [r#""-""#, r#""--json""#, r#""\u002dx""#] {
        for (tool, name, input) in texts(text) {
            assert_eq!(
                refused(tool, &input),
                format!("`{name}` must not open with `-`.")
            );
        }
    }
    for text in [r#"" -x""#, r#""a-b""#, r#""\u2212x""#] {
        accepted(Tool::PageRead, &format!(r#"{{"target":{text}}}"#));
    }
}

#[test]
fn a_message_quotes_the_models_words_cut_to_64_characters() {
    let input = |name: &str| format!(r#"{{"{name}":1}}"#);
    let name = "n".repeat(64);
    assert_eq!(
        refused(Tool::Profile, &input(&name)),
        format!("Unknown field `{name}`.")
    );
    assert_eq!(
        refused(Tool::Profile, &input(&format!("{name}n"))),
        format!("Unknown field `{name}`.")
    );
    let split = format!("{}😀", "n".repeat(63));
    assert_eq!(
        refused(Tool::Profile, &input(&split)),
        format!("Unknown field `{}`.", "n".repeat(63))
    );
}

#[test]
fn people_takes_a_lookup_and_refuses_everything_else() {
    const SENTENCE: &str = "`query` must be a lookup: an email address, a phone number, `handle:…`, \
                            `person:…`, `group:…` or `People/<Name>/about.md`.";
    for lookup in [
        "a@b",
        "+49 30 1234",
        "handle:x",
        "person:1",
        "group:g",
        "People/Ada L/about.md",
    ] {
        accepted(Tool::People, &format!(r#"{{"query":"{lookup}"}}"#));
    }
    for other in [
        "Ada",
        "merge",
        "groups add x",
        "a@b@c",
        "People/../about.md",
        "handle:",
        "1234",
    ] {
        assert_eq!(
            refused(Tool::People, &format!(r#"{{"query":"{other}"}}"#)),
            SENTENCE,
            "{other}"
        );
    }
}
