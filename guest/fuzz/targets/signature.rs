//! A command's schema to its line: one line within its bound that opens with the parameter that
//! comes first, or says that there is none, shown through the listing.
#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::Input;
use loom_tools_fuzz::json::{DEEPEST, Json, quoted, units};
use loom_tools_fuzz::watched::{Watched, printed, settings};

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let effect = input.knob(&["", r#""effect":"read","#, r#""effect":"change","#]);
    let inputs = Json::read(&input.text(), DEEPEST - 3);
    let scope = input.text();
    let declared = inputs
        .as_ref()
        .map_or_else(String::new, |i| format!(r#""inputs":{},"#, i.compact()));
    let manifest = format!(
        r#"{{"commands":[{{{effect}{declared}"id":"f","scope":{}}}]}}"#,
        quoted(&scope)
    );
    let mut run = Watched::start(settings(&[]));
    let answered = run.call("list_commands", "{}", &mut |_| printed(0, &manifest));
    let entry = answered
        .shown
        .get("entries")
        .and_then(|entries| entries.list()?.first());
    let line = entry
        .and_then(|entry| entry.get("signature")?.text())
        .expect("a signature");
    assert!(units(line) <= 400, "{line}");
    assert!(!line.contains(is_unsafe), "{line:?}");
    assert!(line.ends_with(']') || line.ends_with('…'), "{line}");
    check_parameters(line, inputs.as_ref());
});

/// C0, DEL, C1, the line separators and the bidirectional controls.
fn is_unsafe(ch: char) -> bool {
    ch.is_control()
        || matches!(ch, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The first of the required parameters, then those that only `required` names, then optional ones.
fn check_parameters(line: &str, inputs: Option<&Json>) {
    let properties = inputs
        .and_then(|i| i.get("properties")?.members())
        .unwrap_or_default();
    let listed = inputs
        .and_then(|i| i.get("required")?.list())
        .unwrap_or_default();
    let listed: Vec<&str> = listed.iter().filter_map(Json::text).collect();
    let required: BTreeSet<&str> = listed.iter().copied().collect();
    let sourced = |schema: &Json| match schema.get("x-source") {
        None => false,
        Some(source) => !source.is("null") && !source.is("false") && source.text() != Some(""),
    };
    let needed =
        |(name, schema): &&(String, Json)| required.contains(name.as_str()) && !sourced(schema);
    let declared: BTreeSet<&str> = properties.iter().map(|(name, _)| name.as_str()).collect();
    let mut names: Vec<(&str, bool)> = properties
        .iter()
        .filter(needed)
        .map(|(name, _)| (name.as_str(), true))
        .collect();
    let mut seen = declared;
    names.extend(
        listed
            .into_iter()
            .filter(|name| seen.insert(name))
            .map(|name| (name, true)),
    );
    names.extend(
        properties
            .iter()
            .filter(|p| !needed(p))
            .map(|(name, _)| (name.as_str(), false)),
    );

    let rest = line.strip_prefix("f(").expect("the line opens with the id");
    let Some((first, must)) = names.first() else {
        let closed = inputs.is_some_and(|inputs| {
            let patterns = inputs.get("patternProperties").and_then(Json::members);
            inputs
                .get("additionalProperties")
                .is_some_and(|more| more.is("false"))
                && patterns.is_none_or(<[_]>::is_empty)
        });
        return assert_eq!(rest.starts_with(')'), closed, "{line}");
    };
    assert!(!rest.starts_with(')') && !rest.starts_with("..."), "{line}");
    if first.chars().all(|ch| ch.is_ascii_alphanumeric())
        && !first.is_empty()
        && !rest.starts_with('…')
    {
        let opening = format!("{first}{}: ", if *must { "" } else { "?" });
        assert!(rest.starts_with(&opening), "{line}");
    }
}
