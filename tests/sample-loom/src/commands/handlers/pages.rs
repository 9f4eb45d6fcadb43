//! Commands over Pages. A version rises by one with each write.

use serde_json::json;

use super::{Outcome, Run};
use crate::retrieval::find_page;

/// `page.write`: replaces or appends, and makes the Page when there is none.
pub(super) fn write(run: &Run<'_>) -> Outcome {
    let asked = run.text("target");
    let known = find_page(run.view, asked);
    let target = known.map_or(asked, |page| page.target.as_str()).to_owned();
    let mut pages = run.state.pages();
    let (body, version) = match (pages.get(&target), known) {
        (Some(written), _) => written.clone(),
        (None, Some(page)) => (page.body.clone(), page.version),
        (None, None) => (String::new(), 0),
    };
    if let Err(conflict) = run.expects(version) {
        return conflict;
    }
    let body = match run.text("mode") {
        "append" => body + run.text("body"),
        _ => run.text("body").to_owned(),
    };
    let version = version + 1;
    pages.insert(target.clone(), (body, version));
    Outcome::done(json!({ "target": target, "version": version }))
        .completed(&[format!("page.write:{version}")])
}

/// `page.history`: the versions there have been.
pub(super) fn history(run: &Run<'_>) -> Outcome {
    let asked = run.text("target");
    let known = find_page(run.view, asked);
    let target = known.map_or(asked, |page| page.target.as_str());
    let written = run.state.page(target).map(|(_, version)| version);
    match written.or(known.map(|page| page.version)) {
        None => Outcome::failed("not-found", "There is no such Page."),
        Some(version) => {
            let versions: Vec<u64> = (1..=version).collect();
            Outcome::done(json!({ "target": target, "versions": versions, "version": version }))
        }
    }
}
