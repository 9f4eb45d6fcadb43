//! The schema a model sees: without `x-*` keywords, and open when it is too large.

use crate::commands::schema::input_schema;
use crate::testing::value;

fn shown(inputs: &str) -> String {
    input_schema(Some(&value(inputs)))
}

#[test]
fn inputs_that_are_no_object_read_as_open() {
    assert_eq!(input_schema(None), "true");
    for other in ["null", "true", "false", "[]", "7", r#""x""#] {
        assert_eq!(shown(other), "true", "{other}");
    }
    assert_eq!(shown("{}"), "{}");
}

#[test]
fn extension_keywords_are_removed_at_every_subschema_position() {
    const SCHEMA: &str = r#"{"x-a":1,"type":"object","X-b":2,"x":3}"#;
    const SHOWN: &str = r#"{"type":"object","X-b":2,"x":3}"#;
    assert_eq!(shown(SCHEMA), SHOWN);
    for keyword in [
        "items",
        "additionalItems",
        "additionalProperties",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    ] {
        let of = |schema: &str| format!(r#"{{"{keyword}":{schema}}}"#);
        assert_eq!(shown(&of(SCHEMA)), of(SHOWN), "{keyword}");
        assert_eq!(shown(&of("false")), of("false"), "{keyword}");
    }
    for keyword in ["items", "prefixItems", "allOf", "anyOf", "oneOf"] {
        let of = |schema: &str| format!(r#"{{"{keyword}":[true,{schema},{schema}]}}"#);
        assert_eq!(shown(&of(SCHEMA)), of(SHOWN), "{keyword}");
    }
    for keyword in [
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "dependencies",
    ] {
        let of = |schema: &str| format!(r#"{{"{keyword}":{{"a":{schema},"b":["x-c"],"c":true}}}}"#);
        assert_eq!(shown(&of(SCHEMA)), of(SHOWN), "{keyword}");
    }
}

#[test]
fn a_property_may_be_named_like_an_extension() {
    for keyword in [
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
    ] {
        let of =
            |member: &str| format!(r#"{{"{keyword}":{{"x-source":{{"type":"string"{member}}}}}}}"#);
        assert_eq!(shown(&of(r#","x-source":"session""#)), of(""), "{keyword}");
    }
}

#[test]
fn data_keeps_what_looks_like_an_extension() {
    for keyword in ["enum", "examples", "const", "default", "required", "other"] {
        for data in [r#"{"x-a":1}"#, r#"[{"x-a":{"x-b":2}}]"#] {
            let schema = format!(r#"{{"properties":{{"p":{{"{keyword}":{data}}}}}}}"#);
            assert_eq!(shown(&schema), schema);
        }
    }
    // Nor is anything below a keyword of another shape a subschema.
    let schema = r#"{"allOf":{"x-a":1},"properties":[{"x-a":1}],"not":[{"x-a":1}]}"#;
    assert_eq!(shown(schema), schema);
}

#[test]
fn extensions_are_removed_however_deep() {
    let nested = |inner: &str| {
        format!(
            "{}{inner}{}",
            r#"{"not":{"properties":{"p":"#.repeat(40),
            "}}}".repeat(40)
        )
    };
    assert_eq!(shown(&nested(r#"{"x-a":1}"#)), nested("{}"));
}

#[test]
fn a_schema_of_16_kib_once_stripped_is_shown_and_one_byte_more_reads_as_open() {
    let of = |n: usize| {
        format!(
            r#"{{"title":"{}","x-a":"{}"}}"#,
            "é".repeat(n / 2) + &"t".repeat(n % 2),
            "x".repeat(40_000)
        )
    };
    let fixed = r#"{"title":""}"#.len();
    assert_eq!(shown(&of(16_384 - fixed)).len(), 16_384);
    assert_eq!(shown(&of(16_384 - fixed + 1)), "true");
}
