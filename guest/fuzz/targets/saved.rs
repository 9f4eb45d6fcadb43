//! Saved text to a run: refused or taken up whole, never a panic; what is taken up saves to what
//! resumes as its equal, and answers by the contract.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::Input;
use loom_tools_fuzz::json::{DEEPEST, Json, quoted};
use loom_tools_fuzz::token::{digest, token};
use loom_tools_fuzz::watched::{Watched, call, printed, settings};
use loom_tools_guest::Run;
use loom_tools_guest::exported::Turn;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let (sealed, derived) = input.knob(&[(true, true), (true, false), (false, false)]);
    let text = input.text();
    let body = Json::read(&text, DEEPEST + 7).filter(|_| sealed);
    let saved = match body.clone() {
        // No mutation finds a digest or a token.
        Some(mut body) => {
            if derived {
                derive_tokens(&mut body);
            }
            let body = body.compact();
            let digest = digest(&body);
            format!(
                r#"{{"format":"loom-tools-run","version":1,"runId":"r1","sha256":"{digest}","body":{body}}}"#
            )
        }
        None => text,
    };
    let Ok(run) = Run::resume(settings(&[]), &saved) else {
        return;
    };
    let again = run.save();
    let resumed = Run::resume(settings(&[]), &again).expect("what is saved resumes");
    assert_eq!(resumed.save(), again);
    assert_eq!(resumed.label(), run.label());
    assert_eq!(resumed.resolve_result("[]"), run.resolve_result("[]"));

    let ids = body
        .as_ref()
        .and_then(|body| body.get("counter")?.integer(u64::MAX))
        .unwrap_or(0);
    let mut run = Watched::of(run, settings(&[]), ids);
    let held = Json::written(&run.run.save());
    let handles = held
        .as_ref()
        .and_then(|held| held.get("body")?.get("handles")?.list());
    let tokens = handles
        .unwrap_or_default()
        .iter()
        .filter_map(|handle| handle.get("token")?.text());
    let mut calls: Vec<_> = tokens
        .take(8)
        .map(|token| {
            call(
                "describe_handle",
                format!(r#"{{"token":{}}}"#, quoted(token)),
            )
        })
        .collect();
    let known = calls.len();
    calls.push(call("loom_page_read", r#"{"target":"t"}"#));
    calls.push(call("run_command", r#"{"command":"a","args":{}}"#));
    let turn = Turn {
        calls,
        ceiling_record: None,
    };
    let answered = run.turn(turn, &mut |_| {
        printed(0, r#"{"ok":true,"ifc":{"confidentiality":["a"]}}"#)
    });
    for one in answered.iter().take(known) {
        assert!(one.shown.get("known").is_some_and(|flag| flag.is("true")));
    }
});

/// Gives every handle the token that its row has.
fn derive_tokens(body: &mut Json) {
    let labels: Vec<Json> = body
        .get("labels")
        .and_then(Json::list)
        .unwrap_or_default()
        .iter()
        .map(whole)
        .collect();
    let Json::Object(members) = body else { return };
    let handles = members
        .iter_mut()
        .find(|(name, _)| name == "handles")
        .map(|(_, list)| list);
    let Some(Json::List(handles)) = handles else {
        return;
    };
    for handle in handles {
        let text = |name| handle.get(name).and_then(Json::text);
        let label = handle
            .get("label")
            .and_then(|at| labels.get(at.integer(1 << 16)? as usize));
        let (Some(label), Some(value), Some(tool), Some(source)) = (
            label,
            handle.get("value"),
            text("source"),
            text("labelSource"),
        ) else {
            continue;
        };
        let token = Json::Text(token("r1", tool, value, label, source));
        let Json::Object(members) = handle else {
            continue;
        };
        for (_, value) in members.iter_mut().filter(|(name, _)| name == "token") {
            *value = token.clone();
        }
    }
}

/// A label with both its fields.
fn whole(label: &Json) -> Json {
    let field = |name: &str| {
        (
            name.to_owned(),
            label
                .get(name)
                .cloned()
                .unwrap_or_else(|| Json::List(Vec::new())),
        )
    };
    Json::Object(vec![field("confidentiality"), field("integrity")])
}
