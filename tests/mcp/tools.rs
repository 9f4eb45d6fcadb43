//! What a strict client accepts of the listing.

use loom_tools_tests::tools;
use serde_json::{Value, json};

use crate::client::open;
use crate::fake::Fake;

fn listed(more: &[&str]) -> Vec<Value> {
    let fake = Fake::new();
    let mut client = open(&fake, more);
    client.request("l", "tools/list", json!({}));
    client.result("l")["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Value]) -> Vec<&str> {
    tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect()
}

#[test]
fn the_tools_are_the_configured_and_allowed_ones_in_order() {
    assert_eq!(names(&listed(&[])), tools::ALL);
    let some = listed(&[
        "--allow-tool",
        "run_read_command",
        "--allow-tool",
        "loom_search",
    ]);
    assert_eq!(names(&some), ["loom_search", "run_read_command"]);
}

#[test]
fn every_schema_is_one_that_strict_clients_take() {
    for tool in listed(&[]) {
        for schema in ["inputSchema", "outputSchema"] {
            let (root, name) = (&tool[schema], &tool["name"]);
            assert_eq!(root["type"], "object", "{name} {schema}");
            for keyword in ["oneOf", "anyOf", "allOf", "not", "if", "enum"] {
                assert!(
                    root.get(keyword).is_none(),
                    "{name} {schema}: {keyword} at the root"
                );
            }
            lint(root, &format!("{name} {schema}"));
        }
    }
}

fn lint(schema: &Value, at: &str) {
    match schema {
        Value::Object(members) => {
            for (key, value) in members {
                assert!(
                    !matches!(key.as_str(), "$ref" | "$defs" | "$dynamicRef"),
                    "{at}: {key}"
                );
                if key == "enum" {
                    let choices = value.as_array().unwrap();
                    assert!(choices.iter().all(Value::is_string), "{at}: {value}");
                    assert_eq!(members["type"], "string", "{at}: {value}");
                }
                lint(value, &format!("{at}/{key}"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| lint(item, at)),
        _ => {}
    }
}

#[test]
fn every_tool_has_a_title_a_description_and_true_annotations() {
    for tool in listed(&[]) {
        let name = tool["name"].as_str().unwrap();
        for text in ["title", "description"] {
            assert!(
                tool[text].as_str().is_some_and(|text| !text.is_empty()),
                "{name} {text}"
            );
        }
        let (read, open) = match name {
            "run_command" => (false, true),
            "run_read_command" => (true, true),
            _ => (true, false),
        };
        let expected = json!({
            "title": tool["title"],
            "readOnlyHint": read,
            "destructiveHint": !read,
            "idempotentHint": read,
            "openWorldHint": open,
        });
        assert_eq!(tool["annotations"], expected, "{name}");
    }
}
