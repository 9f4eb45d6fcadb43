//! The argument schema a model sees: the host's, without its `x-*` extension keywords at every
//! subschema position and nowhere else. A property may be named `x-…`, and what stands inside
//! `enum`, `const`, `default` or `examples` is data.

use crate::json::{Object, Value, to_string};

/// The most bytes of a schema that is shown (contract, section 7).
const MAX_SCHEMA: usize = 16 * 1024;

/// The schema of a row's `inputs`, as JSON: `true`, open, when it is no object or too large.
pub(crate) fn input_schema(inputs: Option<&Value>) -> String {
    match inputs {
        Some(Value::Object(schema)) => {
            let shown = to_string(&Value::Object(stripped(schema)));
            if shown.len() <= MAX_SCHEMA {
                shown
            } else {
                "true".to_owned()
            }
        }
        _ => "true".to_owned(),
    }
}

fn stripped(schema: &Object) -> Object {
    let keywords = schema.iter().filter(|(name, _)| !name.starts_with("x-"));
    Object::from_distinct(
        keywords
            .map(|(name, value)| (name.to_owned(), keyword(name, value)))
            .collect(),
    )
}

fn keyword(name: &str, value: &Value) -> Value {
    match (name, value) {
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "not"
            | "if"
            | "then"
            | "else"
            | "contains"
            | "propertyNames"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema",
            schema @ Value::Object(_),
        ) => subschema(schema),
        ("items" | "prefixItems" | "allOf" | "anyOf" | "oneOf", Value::Array(schemas)) => {
            Value::Array(schemas.iter().map(subschema).collect())
        }
        (
            "properties" | "patternProperties" | "$defs" | "definitions" | "dependentSchemas"
            | "dependencies",
            Value::Object(schemas),
        ) => Value::Object(Object::from_distinct(
            schemas
                .iter()
                .map(|(name, schema)| (name.to_owned(), subschema(schema)))
                .collect(),
        )),
        (_, other) => other.clone(),
    }
}

fn subschema(schema: &Value) -> Value {
    match schema {
        Value::Object(schema) => Value::Object(stripped(schema)),
        other => other.clone(),
    }
}
