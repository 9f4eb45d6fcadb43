//! CLI output to a listing, row by row as the contract's section 7 reads it, and what can be called
//! by it afterwards: no hidden command, and to read with only what the host grants.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::{Input, text};
use loom_tools_fuzz::json::{DEEPEST, Json, opening, units};
use loom_tools_fuzz::request::is_command_id;
use loom_tools_fuzz::watched::{Watched, printed, results, settings};
use loom_tools_guest::process::Operation;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let exit = input.knob(&[0, 1]);
    let stdout = input.part();
    let manifest = Json::read(&text(&stdout), DEEPEST);
    let mut run = Watched::start(settings(&[]));
    let mut answers = |operation: &Operation| match operation {
        Operation::CommandList => printed(exit, &stdout),
        _ => printed(0, r#"{"ok":true}"#),
    };
    let rows = manifest
        .as_ref()
        .and_then(|manifest| manifest.get("commands")?.list());
    let Some(rows) = rows.filter(|_| exit == 0) else {
        let shown = run.call("list_commands", "{}", &mut answers).shown;
        let code = if manifest.is_none() || exit != 0 {
            "command_failed"
        } else {
            "malformed_payload"
        };
        return assert_eq!(shown.get("code").and_then(Json::text), Some(code));
    };
    let catalog = Catalog::of(rows);
    let names: Vec<Json> = catalog
        .kept
        .iter()
        .take(16)
        .map(|(id, _)| Json::Text((*id).to_owned()))
        .collect();
    let detail = format!(r#"{{"detail":{}}}"#, Json::List(names).compact());
    let shown = run.call("list_commands", &detail, &mut answers).shown;
    catalog.check(&shown);

    for (tool, read_only) in [("run_command", false), ("run_read_command", true)] {
        let ids = catalog
            .kept
            .iter()
            .map(|(id, _)| *id)
            .rev()
            .take(15)
            .chain(["not.listed"]);
        let ids: Vec<&str> = ids.collect();
        let calls: Vec<String> = ids
            .iter()
            .map(|id| format!(r#"{{"command":"{id}","args":{{}}}}"#))
            .collect();
        let calls = format!(r#"{{"calls":[{}]}}"#, calls.join(","));
        let shown = run.call(tool, &calls, &mut answers).shown;
        for (id, result) in ids.iter().zip(results(&shown)) {
            let row = catalog
                .kept
                .iter()
                .find(|(own, _)| own == id)
                .map(|(_, row)| row);
            let granted = |row: &&&Json| {
                row.get("effect").and_then(Json::text) == Some("read")
                    && row
                        .get("readOnlyGranted")
                        .is_some_and(|flag| flag.is("true"))
            };
            let expected = match row {
                None => "unknown_command",
                Some(_) if read_only && row.filter(granted).is_none() => "failed_to_deliver",
                Some(_) => "executed",
            };
            assert_eq!(result.get("status").and_then(Json::text), Some(expected));
            let sent = |request: &loom_tools_guest::process::Request| matches!(&request.operation, Operation::CommandRun(run) if run.id == *id && run.read_only == read_only);
            assert_eq!(run.asked.iter().any(sent), expected == "executed");
        }
    }
});

struct Catalog<'a> {
    kept: Vec<(&'a str, &'a Json)>,
    hidden: usize,
    omitted: usize,
}

impl<'a> Catalog<'a> {
    fn of(rows: &'a [Json]) -> Self {
        let mut catalog = Self {
            kept: Vec::new(),
            hidden: 0,
            omitted: 0,
        };
        for row in rows {
            match row
                .get("id")
                .and_then(Json::text)
                .filter(|id| is_command_id(id))
            {
                None => catalog.omitted += 1,
                Some(_) if is_hidden(row) => catalog.hidden += 1,
                Some(id) if catalog.kept.iter().any(|(other, _)| *other == id) => {
                    catalog.omitted += 1
                }
                Some(_) if catalog.kept.len() == 256 => catalog.omitted += 1,
                Some(id) => catalog.kept.push((id, row)),
            }
        }
        catalog
    }

    fn check(&self, shown: &Json) {
        let entries = shown.get("entries").and_then(Json::list).expect("entries");
        let count = |name| {
            shown
                .get(name)
                .map_or(0, |n| n.integer(1 << 40).expect("a count")) as usize
        };
        assert_eq!(
            (count("hidden"), count("omitted")),
            (self.hidden, self.omitted)
        );
        assert_eq!(entries.len(), self.kept.len());
        let mut compacted = 0;
        for (at, (entry, (id, row))) in entries.iter().zip(&self.kept).enumerate() {
            let told = |name: &str| entry.get(name).and_then(Json::text);
            let text = |name: &str, most| {
                row.get(name)
                    .and_then(Json::text)
                    .filter(|t| !t.is_empty())
                    .map(|t| opening(t, most))
            };
            assert_eq!(told("name"), Some(*id));
            assert!(told("signature").is_some_and(|line| units(line) <= 400));
            assert_eq!(told("title"), text("title", 500));
            match (told("description"), text("help", 8_000)) {
                (None, Some(_)) => compacted += 1,
                (told, text) => assert_eq!(told, text),
            }
            let granted = row
                .get("readOnlyGranted")
                .is_some_and(|flag| flag.is("true"));
            assert_eq!(entry.get("readOnlyGranted").is_some(), granted);
            let schema = (at < 16).then(|| schema(row.get("inputs")));
            assert_eq!(entry.get("inputSchema"), schema.as_ref());
        }
        assert_eq!(count("compacted"), compacted);
    }
}

/// The list of loom-commands: what the host's own declarations keep from an agent.
fn is_hidden(row: &Json) -> bool {
    let list = |name: &str| row.get(name).and_then(Json::list).unwrap_or_default();
    let session = |name| {
        list(name)
            .iter()
            .any(|origin| origin.text() == Some("session"))
    };
    let agent = |actor: &Json| {
        actor
            .text()
            .is_some_and(|actor| actor.starts_with("agent:"))
    };
    let grant = row.get("grant");
    row.get("origin").and_then(Json::text) == Some("pattern")
        || row.get("developer").is_some_and(|flag| flag.is("true"))
        || !list("actors").is_empty() && !list("actors").iter().any(agent)
        || session("origins_refused")
        || !list("origins_required").is_empty() && !session("origins_required")
        || grant.is_some_and(|g| !g.is("null") && !g.is("false") && g.text() != Some(""))
}

/// The schema that is shown: without `x-*` keywords at subschema positions.
fn schema(inputs: Option<&Json>) -> Json {
    match inputs
        .filter(|inputs| inputs.members().is_some())
        .map(stripped)
    {
        Some(schema) if schema.compact().len() <= 16 * 1024 => schema,
        _ => Json::Word("true"),
    }
}

fn stripped(schema: &Json) -> Json {
    const ONE: [&str; 12] = [
        "items",
        "additionalItems",
        "additionalProperties",
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    ];
    const LISTS: [&str; 5] = ["items", "prefixItems", "allOf", "anyOf", "oneOf"];
    const NAMED: [&str; 6] = [
        "properties",
        "patternProperties",
        "$defs",
        "definitions",
        "dependentSchemas",
        "dependencies",
    ];
    let Some(members) = schema.members() else {
        return schema.clone();
    };
    let keyword = |(name, value): &(String, Json)| {
        let name_is_in = |names: &[&str]| names.contains(&name.as_str());
        let value = match value {
            Json::Object(_) if name_is_in(&ONE) => stripped(value),
            Json::List(schemas) if name_is_in(&LISTS) => {
                Json::List(schemas.iter().map(stripped).collect())
            }
            Json::Object(schemas) if name_is_in(&NAMED) => {
                let one = |(name, schema): &(String, Json)| (name.clone(), stripped(schema));
                Json::Object(schemas.iter().map(one).collect())
            }
            other => other.clone(),
        };
        (name.clone(), value)
    };
    Json::Object(
        members
            .iter()
            .filter(|(name, _)| !name.starts_with("x-"))
            .map(keyword)
            .collect(),
    )
}
