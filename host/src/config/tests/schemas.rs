//! The schemas and the parser agree on every object: its keys, and which of them are required.

use serde_json::{Map, Value, json};

use super::super::{COMMANDS_SCHEMA, RETRIEVAL_SCHEMA, transport};
use super::*;

/// Every key of an object with a value that both take.
fn sample(keys: &[&str], kind: &str) -> Map<String, Value> {
    let value = |key: &str| match key {
        "transport" => json!({ "kind": "broker", "queuePath": "/q" }),
        "kind" => json!(kind),
        "facets" => json!(["work"]),
        "jobIdEnvVar" => json!("JOB"),
        "runId" | "actor" | "jobId" => json!("x"),
        path => json!(format!("/{path}")),
    };
    keys.iter()
        .map(|key| ((*key).to_owned(), value(key)))
        .collect()
}

/// `parses` says whether the parser takes a file, or a transport, of this content.
fn agree(schema: &Value, keys: &[&str], kind: &str, parses: impl Fn(&Map<String, Value>) -> bool) {
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["additionalProperties"], false);
    let mut known: Vec<&str> = keys.to_vec();
    known.sort_unstable();
    let mut properties: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    properties.sort_unstable();
    assert_eq!(properties, known);

    let whole = sample(keys, kind);
    assert!(parses(&whole));
    let required = schema["required"].as_array().unwrap();
    for key in keys {
        let mut without = whole.clone();
        without.remove(*key);
        assert_eq!(
            parses(&without),
            !required.contains(&json!(key)),
            "without {key}"
        );
    }
    let mut extra = whole;
    extra.insert("extra".to_owned(), json!("x"));
    assert!(!parses(&extra));
}

fn text(content: impl Into<Value>) -> String {
    content.into().to_string()
}

#[test]
fn both_schemas_are_of_2020_12_and_agree_with_the_parser() {
    let of_retrieval: Value = serde_json::from_str(RETRIEVAL_SCHEMA).unwrap();
    let of_commands: Value = serde_json::from_str(COMMANDS_SCHEMA).unwrap();
    for schema in [&of_retrieval, &of_commands] {
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
    }
    let retrieves = |file: &Map<String, Value>| retrieval(&text(file.clone())).is_ok();
    let commanded = |file: &Map<String, Value>| commands(&text(file.clone())).is_ok();
    agree(&of_retrieval, &super::super::retrieval::KEYS, "", retrieves);
    agree(&of_commands, &super::super::commands::KEYS, "", commanded);

    let around =
        |transport: &Map<String, Value>| text(json!({ "cliPath": "/l", "transport": transport }));
    let retrieves = |transport: &Map<String, Value>| retrieval(&around(transport)).is_ok();
    let commanded = |transport: &Map<String, Value>| commands(&around(transport)).is_ok();
    let transports = &of_retrieval["properties"]["transport"]["oneOf"];
    agree(&transports[0], &transport::BROKER_KEYS, "broker", retrieves);
    agree(&transports[1], &transport::DIRECT_KEYS, "direct", retrieves);
    agree(
        &of_commands["properties"]["transport"],
        &transport::BROKER_KEYS,
        "broker",
        commanded,
    );
    for (schema, kind) in [(&transports[0], "broker"), (&transports[1], "direct")] {
        assert_eq!(schema["properties"]["kind"]["const"], kind);
    }
}

#[test]
fn the_schema_refuses_the_variables_that_a_job_id_may_not_replace() {
    let schema: Value = serde_json::from_str(COMMANDS_SCHEMA).unwrap();
    let refused = schema["properties"]["jobIdEnvVar"]["not"]["enum"]
        .as_array()
        .unwrap();
    let expected: Vec<Value> = [json!("PATH")]
        .into_iter()
        .chain(transport::ROUTING.map(|name| json!(name)))
        .collect();
    assert_eq!(*refused, expected);
}
