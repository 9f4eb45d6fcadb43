//! Canonical JSON (contract, section 6): compact, object keys sorted by their UTF-8 bytes at every
//! depth, numbers as they were written.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

/// `raw` in canonical form.
pub(super) fn canonical(raw: &RawValue) -> serde_json::Result<String> {
    let mut out = String::new();
    write(&mut out, raw)?;
    Ok(out)
}

fn write(out: &mut String, raw: &RawValue) -> serde_json::Result<()> {
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            // Sorted by the keys' bytes, as str orders.
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(text)?;
            for (at, (key, member)) in members.into_iter().enumerate() {
                out.push(if at == 0 { '{' } else { ',' });
                out.push_str(&serde_json::to_string(&key)?);
                out.push(':');
                write(out, member)?;
            }
            close(out, text, '{', '}');
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            for (at, item) in items.into_iter().enumerate() {
                out.push(if at == 0 { '[' } else { ',' });
                write(out, item)?;
            }
            close(out, text, '[', ']');
        }
        Some(b'"') => {
            let string: String = serde_json::from_str(text)?;
            out.push_str(&serde_json::to_string(&string)?);
        }
        _ => out.push_str(text),
    }
    Ok(())
}

/// Closes a container, opening it first when it was empty.
fn close(out: &mut String, text: &str, open: char, shut: char) {
    let inside = text
        .get(1..text.len().saturating_sub(1))
        .unwrap_or_default();
    if inside.trim().is_empty() {
        out.push(open);
    }
    out.push(shut);
}
