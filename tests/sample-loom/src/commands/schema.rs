//! Arguments against a JSON Schema: the keywords that manifests of commands use.
//!
//! Types, `required`, `properties`, `additionalProperties`, `items`, `enum`, `const`,
//! bounds of numbers, texts and lists, `anyOf`, `oneOf`, `allOf` and local `$ref`. Any
//! other keyword says nothing, as the specification has it.

use serde_json::Value;

/// References deeper than this are taken for a cycle.
const DEEPEST: usize = 64;

/// What is wrong with a value, each as a path and a sentence; empty when nothing is.
pub(super) fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut judge = Judge {
        root: schema,
        errors: Vec::new(),
    };
    judge.check(schema, value, "args", 0);
    judge.errors
}

struct Judge<'a> {
    root: &'a Value,
    errors: Vec<String>,
}

impl<'a> Judge<'a> {
    fn check(&mut self, schema: &'a Value, value: &Value, at: &str, depth: usize) {
        if depth > DEEPEST {
            return self.wrong(at, "nests too deep");
        }
        if schema == &Value::Bool(false) {
            return self.wrong(at, "is not allowed");
        }
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            match reference
                .strip_prefix('#')
                .and_then(|pointer| self.root.pointer(pointer))
            {
                Some(target) => self.check(target, value, at, depth + 1),
                None => self.wrong(at, "refers to nothing"),
            }
        }
        if !types(schema, value) {
            return self.wrong(at, "has another type");
        }
        let members = schema.get("enum").and_then(Value::as_array);
        if members.is_some_and(|members| !members.contains(value))
            || schema.get("const").is_some_and(|only| only != value)
        {
            self.wrong(at, "is none of the values allowed");
        }
        self.bounds(schema, value, at);
        self.object(schema, value, at, depth);
        if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
            for (index, item) in list.iter().enumerate() {
                self.check(items, item, &format!("{at}[{index}]"), depth + 1);
            }
        }
        self.branches(schema, value, at, depth);
    }

    fn object(&mut self, schema: &'a Value, value: &Value, at: &str, depth: usize) {
        let Some(fields) = value.as_object() else {
            return;
        };
        let required = schema.get("required").and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                self.wrong(&format!("{at}.{name}"), "is required");
            }
        }
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            let declared = schema
                .get("properties")
                .and_then(|properties| properties.get(name));
            match declared.or_else(|| schema.get("additionalProperties")) {
                Some(Value::Bool(false)) => self.wrong(&at, "is unknown"),
                Some(schema) => self.check(schema, field, &at, depth + 1),
                None => {}
            }
        }
    }

    fn branches(&mut self, schema: &'a Value, value: &Value, at: &str, depth: usize) {
        let root = self.root;
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        let fits = |branch: &&'a Value| {
            let mut judge = Judge {
                root,
                errors: Vec::new(),
            };
            judge.check(branch, value, at, depth + 1);
            judge.errors.is_empty()
        };
        for branch in list("allOf").into_iter().flatten() {
            self.check(branch, value, at, depth + 1);
        }
        if list("anyOf").is_some_and(|branches| !branches.iter().any(|branch| fits(&branch))) {
            self.wrong(at, "fits no alternative");
        }
        if list("oneOf").is_some_and(|branches| branches.iter().filter(fits).count() != 1) {
            self.wrong(at, "does not fit exactly one alternative");
        }
    }

    fn bounds(&mut self, schema: &Value, value: &Value, at: &str) {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let (least, most, size) = match value {
            Value::Number(n) => (number("minimum"), number("maximum"), n.as_f64()),
            Value::String(text) => (
                number("minLength"),
                number("maxLength"),
                count(text.chars().count()),
            ),
            Value::Array(list) => (number("minItems"), number("maxItems"), count(list.len())),
            _ => return,
        };
        let Some(size) = size else { return };
        if least.is_some_and(|least| size < least) {
            self.wrong(at, "is below the least allowed");
        }
        if most.is_some_and(|most| size > most) {
            self.wrong(at, "is above the most allowed");
        }
    }

    fn wrong(&mut self, at: &str, sentence: &str) {
        self.errors.push(format!("{at} {sentence}"));
    }
}

fn count(size: usize) -> Option<f64> {
    u32::try_from(size).ok().map(f64::from)
}

fn types(schema: &Value, value: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(name)) => is(name, value),
        Some(Value::Array(names)) => names
            .iter()
            .filter_map(Value::as_str)
            .any(|name| is(name, value)),
        _ => true,
    }
}

fn is(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fits(schema: Value, value: Value) -> bool {
        errors(&schema, &value).is_empty()
    }

    #[test]
    fn what_is_required_must_be_there_and_what_is_unknown_must_not() {
        let schema = json!({
            "type": "object", "required": ["a"], "properties": { "a": { "type": "integer" } },
            "additionalProperties": false
        });
        assert!(fits(schema.clone(), json!({ "a": 1.0 })));
        assert_eq!(
            errors(&schema, &json!({ "b": 1 })),
            ["args.a is required", "args.b is unknown"]
        );
        assert_eq!(
            errors(&schema, &json!({ "a": 1.5 })),
            ["args.a has another type"]
        );
    }

    #[test]
    fn references_and_alternatives_are_followed_and_cycles_end() {
        let schema = json!({
            "$defs": { "Name": { "type": "string", "minLength": 1 } },
            "oneOf": [{ "$ref": "#/$defs/Name" }, { "type": "array", "items": { "$ref": "#/$defs/Name" } }]
        });
        assert!(fits(schema.clone(), json!("x")));
        assert!(fits(schema.clone(), json!(["x", "y"])));
        assert!(!fits(schema.clone(), json!([""])));
        assert!(!fits(schema, json!(null)));
        assert!(!fits(json!({ "$ref": "#" }), json!(1)));
    }
}
