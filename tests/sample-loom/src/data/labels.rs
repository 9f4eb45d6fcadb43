//! The labels of the sample, by short name, and the ceiling they are measured against.
//!
//! The records name a label (`"label":"board"`) and never spell one, so that what fits
//! the sample ceiling and what does not is read off this file alone.

use serde_json::{Value, json};

const EXPIRES: &str = "https://commonfabric.org/cfc/atom/Expires";
const USER: &str = "https://commonfabric.org/cfc/atom/User";

/// The `ifc` field of a row that carries the named label.
pub(crate) fn ifc(name: &str) -> Option<Value> {
    Some(match name {
        // Within the sample ceiling.
        "public" => json!({ "confidentiality": [], "integrity": ["loom:connector:mail"] }),
        "studio" => {
            json!({ "confidentiality": ["loom:facet:work"], "integrity": ["loom:connector:mail"] })
        }
        "household" => json!({ "confidentiality": ["loom:facet:home"] }),
        "team" => json!({ "confidentiality": [
            { "anyOf": ["loom:group:studio", "loom:group:client", "loom:group:guests"] }
        ] }),
        "family" => json!({ "confidentiality": [
            { "anyOf": ["loom:group:school", "loom:group:family"] }
        ] }),
        "mira" => json!({
            "confidentiality": [{ "subject": "did:example:mira", "type": USER }],
            "integrity": [{ "type": USER, "subject": "did:example:mira" }]
        }),
        "expires-later" => json!({ "confidentiality": [
            "loom:facet:work", { "type": EXPIRES, "timestamp": 1_798_761_600 }
        ] }),
        // Above it.
        "expired" => json!({ "confidentiality": [
            "loom:facet:work", { "type": EXPIRES, "timestamp": 1_767_225_600 }
        ] }),
        "payroll" => json!({ "confidentiality": ["loom:facet:work", "loom:secret:payroll"] }),
        "board" => json!({ "confidentiality": [
            { "anyOf": ["loom:group:board", "loom:group:legal"] }
        ] }),
        "health" => json!({ "confidentiality": ["loom:secret:health"] }),
        // Present and unreadable: a confidentiality that is no list.
        "malformed" => json!({ "confidentiality": "loom:facet:work" }),
        _ => return None,
    })
}

/// The clauses of the sample's read ceiling for a set of facets.
pub fn read_ceiling(facets: &[String]) -> Value {
    let mut clauses: Vec<Value> = facets
        .iter()
        .map(|facet| json!(format!("loom:facet:{facet}")))
        .collect();
    let serves = |name: &str| facets.iter().any(|facet| facet == name);
    if serves("work") {
        clauses.push(json!({ "anyOf": ["loom:group:studio", "loom:group:client"] }));
    }
    if serves("home") {
        clauses.push(json!({ "anyOf": ["loom:group:family", "loom:group:school"] }));
    }
    clauses.extend([
        json!({ "type": USER, "subject": "did:example:mira" }),
        // 2026-10-01: `expires-later` outlives it and fits, `expired` does not.
        json!({ "type": EXPIRES, "timestamp": 1_790_812_800 }),
    ]);
    Value::Array(clauses)
}
