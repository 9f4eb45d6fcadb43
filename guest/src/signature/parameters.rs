//! Which parameters a schema has, in which order, and how one is written.
//!
//! Lookups go through ordered sets: 10,000 properties that are all required cost no square.

use std::collections::BTreeSet;

use super::bounded::{Bounded, Full};
use super::{LINE, quote, types};
use crate::json::{Object, Value};

/// One parameter.
pub(super) struct Parameter<'a> {
    name: &'a str,
    /// None for a name that only `required` holds.
    schema: Option<&'a Value>,
    optional: bool,
}

/// The parameters, required ones first; none of them when the schema leaves its arguments open.
pub(super) fn parameters(inputs: &Value) -> Option<Vec<Parameter<'_>>> {
    let schema = inputs.as_object()?;
    let properties = schema.get("properties").and_then(Value::as_object);
    let required = schema
        .get("required")
        .and_then(Value::as_array)
        .unwrap_or_default();
    let mut undeclared: BTreeSet<&str> = required.iter().filter_map(Value::as_str).collect();

    let mut parameters = Vec::new();
    let mut optional = Vec::new();
    for (name, schema) in properties.into_iter().flat_map(Object::iter) {
        let parameter = Parameter {
            name,
            optional: !undeclared.remove(name) || is_sourced(schema),
            schema: Some(schema),
        };
        if parameter.optional {
            optional.push(parameter);
        } else {
            parameters.push(parameter);
        }
    }
    // They have no place in `properties`: after the declared ones, in the order of `required`.
    for name in required.iter().filter_map(Value::as_str) {
        if undeclared.remove(name) {
            parameters.push(Parameter {
                name,
                schema: None,
                optional: false,
            });
        }
    }
    parameters.append(&mut optional);
    (!parameters.is_empty() || is_closed(schema)).then_some(parameters)
}

/// Whether the host fills the input from the call's context. As with a grant, a declaration that
/// is null, false or empty says nothing.
fn is_sourced(schema: &Value) -> bool {
    match schema.as_object().and_then(|schema| schema.get("x-source")) {
        None | Some(Value::Null | Value::Bool(false)) => false,
        Some(Value::String(source)) => !source.is_empty(),
        Some(_) => true,
    }
}

/// Whether the schema admits no name. `patternProperties` admits some.
fn is_closed(schema: &Object) -> bool {
    let patterns = schema
        .get("patternProperties")
        .and_then(Value::as_object)
        .is_some_and(|patterns| !patterns.is_empty());
    !patterns && schema.get("additionalProperties") == Some(&Value::Bool(false))
}

impl Parameter<'_> {
    /// `name?: type = default`, when it is not too long for any line.
    pub(super) fn render(&self) -> Result<Bounded, Full> {
        let mut out = Bounded::new(LINE);
        quote::name(&mut out, self.name)?;
        out.push_str(if self.optional { "?: " } else { ": " })?;
        let Some(schema) = self.schema else {
            out.push_str("any")?;
            return Ok(out);
        };
        out.push_str(&types::type_of(schema)?)?;
        if let Some(default) = schema.as_object().and_then(|schema| schema.get("default")) {
            out.push_str(" = ")?;
            out.push_str(&quote::literal(default))?;
        }
        Ok(out)
    }
}
