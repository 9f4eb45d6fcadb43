//! For any generated declaration: one line, at most 400 characters.

use proptest::prelude::*;

use super::*;
use crate::json::Object;

/// Texts a host might write, and texts only a hostile one would.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[a-z]{0,8}",
        2 => any::<String>(),
        1 => "[\\x00-\\x20\\x7f-\\x9f\u{2028}\u{2029}\u{61c}\u{200e}\u{202a}-\u{202e}\u{2066}-\u{2069}\"|\\\\,(){}=?]{0,6}",
        1 => (350usize..450).prop_map(|n| "x".repeat(n)),
        1 => (170usize..210).prop_map(|n| "😀".repeat(n)),
    ]
}

fn keyword() -> impl Strategy<Value = String> {
    const KEYWORDS: [&str; 18] = [
        "type",
        "properties",
        "required",
        "enum",
        "const",
        "anyOf",
        "oneOf",
        "allOf",
        "items",
        "prefixItems",
        "additionalItems",
        "additionalProperties",
        "patternProperties",
        "$ref",
        "default",
        "nullable",
        "x-source",
        "string",
    ];
    prop_oneof![
        6 => proptest::sample::select(&KEYWORDS[..]).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn word() -> impl Strategy<Value = String> {
    const WORDS: [&str; 8] = [
        "string",
        "number",
        "integer",
        "boolean",
        "null",
        "array",
        "object",
        "#/$defs/A",
    ];
    prop_oneof![
        2 => proptest::sample::select(&WORDS[..]).prop_map(str::to_owned),
        1 => text(),
    ]
}

fn object(members: Vec<(String, Value)>) -> Value {
    let mut distinct: Vec<(String, Value)> = Vec::new();
    for (key, value) in members {
        if distinct.iter().all(|(other, _)| *other != key) {
            distinct.push((key, value));
        }
    }
    Value::Object(Object::from_distinct(distinct))
}

/// JSON that looks like a schema more often than not.
fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i32>().prop_map(|n| Value::Number(n.to_string().into())),
        word().prop_map(Value::String),
    ];
    leaf.prop_recursive(6, 96, 6, |inner| {
        prop_oneof![
            1 => prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            3 => prop::collection::vec((keyword(), inner), 0..6).prop_map(object),
        ]
    })
}

/// A schema with names, so that most lines have parameters.
fn inputs() -> impl Strategy<Value = Value> {
    let properties = prop::collection::vec((text(), schema()), 0..12).prop_map(object);
    let required =
        prop::collection::vec(word().prop_map(Value::String), 0..4).prop_map(Value::Array);
    prop_oneof![
        1 => schema(),
        4 => (properties, required).prop_map(|(properties, required)| object(vec![
            ("properties".to_owned(), properties),
            ("required".to_owned(), required),
        ])),
    ]
}

proptest! {
    #[test]
    fn any_declaration_is_one_line_of_at_most_400_characters(
        id in prop_oneof![3 => "[a-z]{1,8}(\\.[a-z]{1,8}){0,2}", 1 => text()],
        inputs in inputs(),
        outputs in prop::collection::vec(text(), 0..5),
        effect in prop_oneof![Just(None), Just(Some("read")), Just(Some("change"))],
        target in text(),
    ) {
        let line = render(&Declaration { id: &id, inputs: &inputs, outputs: &outputs, effect, target: &target });
        prop_assert!(utf16_len(&line) <= 400, "{line}");
        prop_assert!(!line.chars().any(quote::is_unsafe), "{line:?}");
        prop_assert!(line.ends_with(']') || line.ends_with('…'), "{line}");
    }

    #[test]
    fn a_line_that_is_cut_shows_whole_parameters_of_the_line_that_is_not(
        names in prop::collection::btree_set("[a-z]{1,60}", 0..20),
    ) {
        let properties = names.iter().map(|name| (name.clone(), Value::Bool(true))).collect();
        let inputs = object(vec![("properties".to_owned(), object(properties))]);
        let line = of(&inputs, &["out"], "global");
        let all: Vec<String> = names.iter().map(|name| format!("{name}?: any")).collect();
        let tail = ") -> {out}  [global]";
        let expected = |shown: usize| match (shown, all.len()) {
            (0, 0) => format!("f(...{tail}"),
            (shown, most) if shown == most => format!("f({}{tail}", all.join(", ")),
            (0, _) => format!("f(…{tail}"),
            _ => format!("f({}, …{tail}", all[..shown].join(", ")),
        };
        // The longest that fits is the one shown.
        let longest = (0..=all.len()).rev().map(expected).find(|line| utf16_len(line) <= 400);
        prop_assert_eq!(Some(line), longest);
    }
}
