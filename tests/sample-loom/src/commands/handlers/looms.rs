//! Commands over looms. The ones whose target is a loom are given it beside their args.

use serde_json::{Value, json};

use super::{Outcome, Run};
use crate::commands::state::LoomRecord;

pub(super) fn list(run: &Run<'_>) -> Outcome {
    let looms: Vec<Value> = run
        .state
        .looms()
        .iter()
        .map(|loom| json!({ "loom_id": loom.id, "title": loom.title, "version": loom.version }))
        .collect();
    Outcome::done(json!({ "looms": looms }))
}

pub(super) fn create(run: &Run<'_>) -> Outcome {
    let number = run.state.next("loom");
    let id = format!("loom-{:016x}", 0x5a_0000_0000_0000 + number);
    let panels = run.args.get("panels").and_then(Value::as_array);
    let kinds = panels
        .into_iter()
        .flatten()
        .filter_map(|panel| panel.get("kind")?.as_str());
    let loom = LoomRecord {
        id: id.clone(),
        title: run.text("title").to_owned(),
        panels: kinds.map(str::to_owned).collect(),
        version: 1,
    };
    run.state.looms().push(loom);
    Outcome::done(json!({ "loom_id": id, "version": 1 })).completed(&[format!("looms.create:{id}")])
}

pub(super) fn rename(run: &Run<'_>) -> Outcome {
    let mut looms = run.state.looms();
    let Some(loom) = looms
        .iter_mut()
        .find(|loom| Some(loom.id.as_str()) == run.loom)
    else {
        return missing();
    };
    if let Err(conflict) = run.expects(loom.version) {
        return conflict;
    }
    loom.title = run.text("title").to_owned();
    loom.version += 1;
    Outcome::done(json!({ "title": loom.title, "version": loom.version }))
        .completed(&[format!("looms.rename:{}", loom.id)])
}

pub(super) fn outline(run: &Run<'_>) -> Outcome {
    let looms = run.state.looms();
    match looms.iter().find(|loom| Some(loom.id.as_str()) == run.loom) {
        None => missing(),
        Some(loom) => Outcome::done(
            json!({ "title": loom.title, "panels": loom.panels, "version": loom.version }),
        ),
    }
}

fn missing() -> Outcome {
    Outcome::failed("unknown-loom", "There is no such loom.")
}
