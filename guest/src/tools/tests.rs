use super::*;
use crate::bindings::exports::loom::tools::tools::Settings;
use crate::json::Value;
use crate::run::Run;
use crate::testing::{Host, at, list_at, names, run, settings, text_at, value};

fn schema(tool: Tool) -> String {
    descriptor(tool).input_schema
}

/// Every schema of the value, its own first: what stands at a subschema position of those used.
fn subschemas(schema: &Value) -> Vec<&Value> {
    let mut all = vec![schema];
    let Some(object) = schema.as_object() else {
        return all;
    };
    for (name, member) in object.iter() {
        match (name, member) {
            ("properties", Value::Object(properties)) => {
                all.extend(properties.iter().flat_map(|(_, schema)| subschemas(schema)));
            }
            ("items", items) => all.extend(subschemas(items)),
            _ => {}
        }
    }
    all
}

#[test]
fn the_tools_come_in_one_fixed_order_with_their_effects() {
    let ids: Vec<&str> = Tool::ALL.iter().map(|tool| tool.id()).collect();
    assert_eq!(
        ids,
        [
            "loom_search",
            "loom_page_discover",
            "loom_page_inspect",
            "loom_page_read",
            "loom_people",
            "loom_calendar_list",
            "loom_context",
            "loom_profile",
            "describe_handle",
            "list_commands",
            "run_command",
            "run_read_command",
        ]
    );
    for tool in Tool::ALL {
        assert_eq!(Tool::named(tool.id()), Some(tool));
        assert_eq!(
            tool.effect() == Effect::Write,
            tool == Tool::RunCommand,
            "{tool:?}"
        );
        assert_eq!(descriptor(tool).effect, tool.effect());
    }
    assert_eq!(Tool::named("loom_Search"), None);
    assert_eq!(Tool::named(""), None);
}

#[test]
fn every_tool_is_tagged_loom_and_says_what_it_does_in_one_line() {
    for tool in Tool::ALL {
        let descriptor = descriptor(tool);
        assert!(descriptor.tags.contains(&"loom".to_owned()), "{tool:?}");
        for text in [&descriptor.title, &descriptor.description] {
            assert!(
                !text.is_empty() && !text.contains(['\n', '\t']) && !text.contains("  "),
                "{text}"
            );
        }
        assert!(descriptor.description.len() <= 1_024, "{tool:?}");
    }
}

#[test]
fn every_schema_is_one_that_strict_clients_accept() {
    for tool in Tool::ALL {
        let schema = schema(tool);
        assert_eq!(at(&schema, "/type"), r#""object""#, "{tool:?}");
        assert_eq!(at(&schema, "/additionalProperties"), "false", "{tool:?}");
        for keyword in [
            "oneOf",
            "anyOf",
            "allOf",
            "not",
            "if",
            "$ref",
            "$defs",
            "definitions",
        ] {
            assert!(
                !schema.contains(&format!(r#""{keyword}":"#)),
                "{tool:?} {keyword}"
            );
        }
        let root = value(&schema);
        for part in subschemas(&root) {
            let part = part.as_object().expect("a schema object");
            assert!(
                part.get("type").and_then(Value::as_str).is_some(),
                "{tool:?}"
            );
            if let Some(members) = part.get("enum") {
                let members = members.as_array().expect("a list");
                assert!(!members.is_empty() && members.iter().all(|m| m.as_str().is_some()));
            }
            if let Some(required) = part.get("required") {
                let properties = part
                    .get("properties")
                    .and_then(Value::as_object)
                    .expect("some");
                let named =
                    |name: &Value| name.as_str().is_some_and(|n| properties.get(n).is_some());
                assert!(
                    required.as_array().expect("a list").iter().all(named),
                    "{tool:?}"
                );
            }
        }
        // Every property says what it is.
        let properties = at(&schema, "/properties");
        for name in names(&properties) {
            assert_ne!(
                at(&properties, &format!("/{name}/description")),
                "",
                "{tool:?} {name}"
            );
        }
    }
}

#[test]
fn a_schema_names_exactly_the_fields_the_tool_takes_and_requires() {
    let call = ["command", "args", "loomId", "expectedVersion", "calls"];
    let expected: [(&[&str], &[&str]); 12] = [
        (
            &[
                "query", "sources", "since", "until", "tz", "person", "limit", "rank",
            ],
            &[],
        ),
        (&["kind", "limit"], &[]),
        (&["target"], &["target"]),
        (&["target"], &["target"]),
        (&["query", "shape"], &["query"]),
        (&["from", "to", "all"], &[]),
        (&["read", "at", "since", "until"], &["read"]),
        (&["fresh"], &[]),
        (&["token"], &["token"]),
        (&["detail"], &[]),
        (&call, &[]),
        (&call, &[]),
    ];
    for (tool, (properties, required)) in Tool::ALL.into_iter().zip(expected) {
        let schema = schema(tool);
        assert_eq!(names(&at(&schema, "/properties")), properties, "{tool:?}");
        let quoted: Vec<String> = required.iter().map(|name| format!(r#""{name}""#)).collect();
        assert_eq!(list_at(&schema, "/required"), quoted, "{tool:?}");
    }
    for tool in [Tool::RunCommand, Tool::RunReadCommand] {
        let one = at(&schema(tool), "/properties/calls/items");
        assert_eq!(names(&at(&one, "/properties")), call[..4]);
        assert_eq!(at(&one, "/required"), r#"["command","args"]"#);
        assert_eq!(at(&one, "/additionalProperties"), "false");
    }
}

/// A well-formed input of the tool with that field set.
fn with(tool: Tool, name: &str, json: &str) -> String {
    let base: &[(&str, &str)] = match tool {
        Tool::Search => &[("query", r#""q""#)],
        Tool::PageInspect | Tool::PageRead => &[("target", r#""t""#)],
        Tool::People => &[("query", r#""a@b""#)],
        Tool::Context => &[("read", r#""activity""#)],
        Tool::DescribeHandle => &[("token", r#""t""#)],
        Tool::RunCommand | Tool::RunReadCommand if name != "calls" => {
            &[("command", r#""a""#), ("args", "{}")]
        }
        _ => &[],
    };
    let others = base.iter().filter(|(other, _)| *other != name);
    let members: Vec<String> = others
        .chain([&(name, json)])
        .map(|(name, json)| format!(r#""{name}":{json}"#))
        .collect();
    format!("{{{}}}", members.join(","))
}

/// Whether the tool takes that input.
fn takes(tool: Tool, input: &str) -> bool {
    let shown = Host::printing(r#"{"commands":[]}"#).shown(&mut run(), tool.id(), input);
    !["invalid_input", "batch_too_large"].contains(&text_at(&shown, "/code").as_str())
}

/// Tries a field at the bounds that its schema states, and past them; returns how many it states.
fn try_bounds(tool: Tool, name: &str, schema: &str, of: &dyn Fn(&str) -> String) -> usize {
    let check = |json: &str, expected: bool| {
        let input = with(tool, name, &of(json));
        assert_eq!(takes(tool, &input), expected, "{tool:?} {input}");
    };
    let bound = |key| at(schema, &format!("/{key}")).parse::<i64>().ok();
    // A lookup, and a command's name, and free text.
    let text = |length: i64| match usize::try_from(length).unwrap() {
        length if tool == Tool::People && length >= 8 => {
            format!(r#""handle:{}""#, "a".repeat(length - 7))
        }
        length => format!(r#""{}""#, "a".repeat(length)),
    };
    let item = match name {
        "calls" => r#"{"command":"a","args":{}}"#,
        _ => r#""a""#,
    };
    let list = |length: i64| {
        format!(
            "[{}]",
            vec![item; usize::try_from(length).unwrap()].join(",")
        )
    };
    let (text, list): (&dyn Fn(i64) -> String, &dyn Fn(i64) -> String) = (&text, &list);
    let number: &dyn Fn(i64) -> String = &|n: i64| n.to_string();
    let mut stated = 0;
    for (least, most, json) in [
        ("minimum", "maximum", number),
        ("minLength", "maxLength", text),
        ("minItems", "maxItems", list),
    ] {
        if let Some(most) = bound(most) {
            check(&json(most), true);
            check(&json(most + 1), false);
            stated += 1;
        }
        if let Some(least) = bound(least) {
            // One character is no lookup.
            if tool != Tool::People {
                check(&json(least), true);
            }
            check(
                &if least == 0 {
                    "-1".to_owned()
                } else {
                    json(least - 1)
                },
                false,
            );
            stated += 1;
        }
    }
    if !at(schema, "/enum").is_empty() {
        for choice in list_at(schema, "/enum") {
            check(&choice, true);
        }
        // The refusal names what the validation knows, so exactly these.
        let choices = list_at(schema, "/enum").join(", ").replace('"', "");
        let input = with(tool, name, r#""another""#);
        let shown = Host::printing("{}").shown(&mut run(), tool.id(), &input);
        assert_eq!(
            text_at(&shown, "/message"),
            format!("`{name}` must be one of {choices}.")
        );
        stated += 1;
    }
    stated
}

#[test]
fn the_validation_takes_what_a_schema_bounds_and_nothing_past_it() {
    let mut stated = 0;
    for tool in Tool::ALL {
        let properties = at(&schema(tool), "/properties");
        for name in names(&properties) {
            let property = at(&properties, &format!("/{name}"));
            stated += try_bounds(tool, &name, &property, &str::to_owned);
            if name == "detail" {
                let items = at(&property, "/items");
                stated += try_bounds(tool, &name, &items, &|item| format!("[{item}]"));
            }
            if name == "calls" {
                // Those of a call alone, again.
                let one = at(&property, "/items/properties");
                for name in names(&one) {
                    assert_eq!(
                        at(&one, &format!("/{name}")),
                        at(&properties, &format!("/{name}"))
                    );
                }
            }
        }
    }
    assert_eq!(stated, 44);
}

#[test]
fn a_run_lists_the_tools_that_are_configured_and_allowed() {
    let listed = |settings: Settings| -> Vec<String> {
        let run = Run::start(settings).expect("sound settings");
        run.tools().into_iter().map(|tool| tool.id).collect()
    };
    assert_eq!(listed(settings()).len(), 12);
    let without = listed(Settings {
        commands: false,
        ..settings()
    });
    assert_eq!(
        (without.len(), without.contains(&"list_commands".to_owned())),
        (9, false)
    );
    let without = listed(Settings {
        retrieval: None,
        ..settings()
    });
    assert_eq!(
        without,
        [
            "describe_handle",
            "list_commands",
            "run_command",
            "run_read_command"
        ]
    );
    let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
    // In the fixed order, not in that of the naming; a tool that is not configured stays away.
    let allowed_tools = names(&["run_command", "loom_search", "loom_search"]);
    assert_eq!(
        listed(Settings {
            allowed_tools: allowed_tools.clone(),
            ..settings()
        }),
        ["loom_search", "run_command"]
    );
    assert_eq!(
        listed(Settings {
            allowed_tools,
            commands: false,
            ..settings()
        }),
        ["loom_search"]
    );
    assert!(
        listed(Settings {
            allowed_tools: names(&[]),
            ..settings()
        })
        .is_empty()
    );
}
