//! How one schema position reads: `string`, `a|b`, `T[]`, `{...}`, `any`.
//!
//! A position is read by the first of [`READINGS`] that says more than `any`, so that a keyword
//! that says nothing here (`anyOf` with a list of `required`) hides none beside it. No reading
//! looks at what another has looked at, so every subschema is read once at most.
//!
//! Only what the keywords say where they stand is read: a `$ref` is its name and is not followed,
//! and `not`, `if` and the keywords that narrow (`pattern`, `minimum`, …) say nothing.

use std::slice;

use super::alternatives::Alternatives;
use super::bounded::{Bounded, Full};
use super::{LINE, quote};
use crate::json::{Object, Value};

/// Adds what some keywords say; `false` when that is no more than `any`, which then may or may not
/// have been added.
type Reading = fn(&Object, &mut Alternatives) -> Result<bool, Full>;

const READINGS: [Reading; 7] = [
    reference,
    literals,
    |schema, out| union(schema.get("anyOf"), out),
    |schema, out| union(schema.get("oneOf"), out),
    all_of,
    typed,
    untyped,
];

/// The type of a parameter with this schema.
pub(super) fn type_of(schema: &Value) -> Result<String, Full> {
    let mut out = Alternatives::default();
    read(schema, &mut out)?;
    Ok(out.into_text())
}

/// Adds how `schema` reads; `false` when that is `any`.
fn read(schema: &Value, out: &mut Alternatives) -> Result<bool, Full> {
    match schema {
        Value::Bool(false) => never(out),
        Value::Object(schema) => keywords(schema, out),
        _ => any(out),
    }
}

fn keywords(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let before = out.len();
    for reading in READINGS {
        if reading(schema, out)? {
            // How OpenAPI 3.0, which has no type `null`, says that null may be sent. The texts are
            // silent; beside `any` it would add nothing.
            if schema.get("nullable") == Some(&Value::Bool(true)) {
                out.add("null".to_owned())?;
            }
            return Ok(true);
        }
        out.take_back(before);
    }
    any(out)
}

fn any(out: &mut Alternatives) -> Result<bool, Full> {
    out.add("any".to_owned())?;
    Ok(false)
}

fn never(out: &mut Alternatives) -> Result<bool, Full> {
    out.add("never".to_owned())?;
    Ok(true)
}

/// A `$ref` is the name it ends in: what follows the last `/`, and in that what follows a `#`
/// (`tree.json#Node`). A `#` that nothing follows is the root of a document and is kept.
fn reference(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let Some(target) = schema.get("$ref").and_then(Value::as_str) else {
        return Ok(false);
    };
    let last = target.rsplit('/').next().unwrap_or(target);
    let name = match last.rsplit_once('#') {
        Some((_, name)) if !name.is_empty() => name,
        _ => last,
    };
    out.add(Bounded::written(LINE, |out| quote::name(out, name)).whole()?)?;
    Ok(true)
}

fn literals(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let members = match (schema.get("const"), schema.get("enum")) {
        (Some(member), _) => slice::from_ref(member),
        (None, Some(Value::Array(members))) => members,
        _ => return Ok(false),
    };
    if members.is_empty() {
        return never(out);
    }
    for member in members {
        out.add(quote::member(member))?;
    }
    Ok(true)
}

fn union(branches: Option<&Value>, out: &mut Alternatives) -> Result<bool, Full> {
    let Some(branches) = branches.and_then(Value::as_array) else {
        return Ok(false);
    };
    if branches.is_empty() {
        return never(out);
    }
    let mut said = false;
    for branch in branches {
        said |= read(branch, out)?;
    }
    Ok(said)
}

/// One branch reads as that branch. Of several, those that say more than `any` must say the same:
/// a value meets all of them, and naming one of two would pass for the whole.
fn all_of(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let branches = match schema.get("allOf") {
        Some(Value::Array(branches)) => branches.as_slice(),
        _ => return Ok(false),
    };
    if let [only] = branches {
        return read(only, out);
    }
    let mut said = None;
    for branch in branches {
        let mut own = Alternatives::default();
        let own = match read(branch, &mut own) {
            Ok(false) => continue,
            Ok(true) => Ok(own),
            // Too long to be compared: like nothing else.
            Err(full) => Err(full),
        };
        match &said {
            None => said = Some(own),
            Some(Ok(other)) if own.as_ref() == Ok(other) => {}
            Some(_) => return Ok(false),
        }
    }
    match said {
        Some(said) => out.append(said?).map(|()| true),
        None => Ok(false),
    }
}

fn typed(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let names = match schema.get("type") {
        Some(Value::Array(names)) => names,
        Some(name) => slice::from_ref(name),
        None => return Ok(false),
    };
    let mut said = false;
    let mut array_read = false;
    for name in names {
        said |= match name.as_str() {
            Some(name @ ("string" | "number" | "integer" | "boolean" | "null")) => {
                out.add(name.to_owned()).map(|()| true)?
            }
            Some("object") => object(schema, out)?,
            // Read once, however often it is named: at every level it would double the work.
            Some("array") if array_read => true,
            Some("array") => {
                array_read = true;
                array(schema, out)?
            }
            // JSON Schema has no such type.
            _ => any(out)?,
        };
    }
    Ok(said)
}

/// A schema that names no type but describes an object's or an array's parts means one.
fn untyped(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    if has_properties(schema) {
        return object(schema, out);
    }
    let items = schema.get("items");
    let readable = items.is_some_and(|items| matches!(items, Value::Bool(_) | Value::Object(_)));
    if readable || tuple(schema).is_some() {
        return array(schema, out);
    }
    Ok(false)
}

fn has_properties(schema: &Object) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| !properties.is_empty())
}

fn object(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let text = if has_properties(schema) {
        "{...}"
    } else {
        "object"
    };
    out.add(text.to_owned()).map(|()| true)
}

/// A tuple reads as an array of what its positions and its declared rest may hold: the texts have
/// no notation for one, and `any[]` would say less.
fn array(schema: &Object, out: &mut Alternatives) -> Result<bool, Full> {
    let (positions, rest) = tuple(schema).unwrap_or((&[], schema.get("items")));
    let mut element = Alternatives::default();
    for position in positions {
        read(position, &mut element)?;
    }
    match rest {
        // The rest is closed or not spoken of: the positions say it all.
        Some(Value::Bool(false)) | None if !positions.is_empty() => {}
        Some(rest) => _ = read(rest, &mut element)?,
        None => _ = any(&mut element)?,
    }
    out.add_array(element).map(|()| true)
}

/// The positions of a tuple and the schema of what follows them: `prefixItems` and `items`, or up
/// to draft-07 `items` and `additionalItems`.
fn tuple(schema: &Object) -> Option<(&[Value], Option<&Value>)> {
    let items = schema.get("items");
    if let Some(Value::Array(positions)) = schema.get("prefixItems") {
        return Some((positions, items));
    }
    let positions = items.and_then(Value::as_array)?;
    Some((positions, schema.get("additionalItems")))
}
