//! The JSON Schema of the audit's JSON against what is printed: every value has the type it says,
//! every key is one it knows, and every key it requires is there.

use serde_json::Value;

use crate::bed::Bed;

/// As much of JSON Schema as the report's uses.
fn check(root: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        let target = root.pointer(reference.strip_prefix('#').unwrap()).unwrap();
        return check(root, target, value, place);
    }
    if let Some(choices) = schema["enum"].as_array() {
        assert!(choices.contains(value), "{place}: {value}");
        return;
    }
    let ty = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    match &schema["type"] {
        Value::String(one) => assert_eq!(one, ty, "{place}: {value}"),
        Value::Array(some) => assert!(some.iter().any(|one| one == ty), "{place}: {value}"),
        _ => panic!("{place}: the schema says no type"),
    }
    if let Value::Array(items) = value {
        for (at, item) in items.iter().enumerate() {
            check(root, &schema["items"], item, &format!("{place}/{at}"));
        }
    }
    if let Value::Object(fields) = value {
        assert_eq!(schema["additionalProperties"], false, "{place}");
        for (key, value) in fields {
            let place = format!("{place}/{key}");
            let property = schema["properties"].get(key);
            check(
                root,
                property.unwrap_or_else(|| panic!("{place}")),
                value,
                &place,
            );
        }
        for key in schema["required"].as_array().unwrap() {
            assert!(fields.contains_key(key.as_str().unwrap()), "{place}: {key}");
        }
    }
}

#[test]
fn the_json_is_what_its_schema_says() {
    let bed = Bed::new();
    let schema = bed.run(&["audit", "--json-schema"], "").exits(0).out();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    for (more, code) in [
        (&["--allow-tool", "loom_search"][..], 0),
        (&["--component", "missing.wasm"], 1),
        (&["--loom-retrieval-config", "/missing.json"], 1),
    ] {
        let done = match code {
            0 => bed.with_run("audit", &[&["--json"], more].concat(), ""),
            _ => bed.run(&[&["audit", "--json"], more].concat(), ""),
        };
        let report = serde_json::from_str(&done.exits(code).out()).unwrap();
        check(&schema, &schema, &report, "");
    }
}
