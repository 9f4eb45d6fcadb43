//! `loom page discover|inspect|read`: Pages of the File Cabinet, and Documents.

use serde_json::{Value, json};

use super::{View, labeled};
use crate::answer::Answer;
use crate::data::Page;

const DEFAULT_LIMIT: usize = 50;
/// Views that a full inspection carries and `--concise` leaves out, for each Page.
const VIEWS: usize = 3;

pub(crate) fn discover(view: &View<'_>, kind: Option<&str>, limit: Option<usize>) -> Answer {
    let wanted = |page: &&Page| match kind {
        Some("project" | "projects") => page.kind == "project",
        Some("entity" | "entities") => page.kind == "entity",
        _ => page.kind != "document",
    };
    let pages: Vec<&Page> = view.pages().filter(wanted).collect();
    let shown: Vec<Value> = pages
        .iter()
        .take(limit.unwrap_or(DEFAULT_LIMIT))
        .map(|page| entry(page))
        .collect();
    Answer::json(&json!({
        "totalPages": pages.len(),
        "omittedViews": pages.len() * VIEWS,
        "pages": shown,
    }))
}

pub(crate) fn inspect(view: &View<'_>, target: &str, concise: bool) -> Answer {
    let page = match open(view, target) {
        Ok(page) => page,
        Err(refusal) => return refusal,
    };
    let (body, version) = current(view, page);
    let outline: Vec<&str> = body.lines().filter(|line| line.starts_with('#')).collect();
    let backlinks: Vec<&str> = view
        .pages()
        .filter(|other| other.links.contains(&page.target))
        .map(|other| other.target.as_str())
        .collect();
    let mut value = entry(page);
    if let Some(fields) = value.as_object_mut() {
        fields.insert("version".to_owned(), json!(version));
        fields.insert("outline".to_owned(), json!(outline));
        fields.insert("links".to_owned(), json!(page.links));
        fields.insert("backlinks".to_owned(), json!(backlinks));
        fields.insert("characters".to_owned(), json!(body.encode_utf16().count()));
        fields.insert(
            "omittedViews".to_owned(),
            json!(if concise { VIEWS } else { 0 }),
        );
        if !concise {
            let views = vec![json!({ "kind": "full", "source": body }); VIEWS];
            fields.insert("views".to_owned(), json!(views));
        }
    }
    Answer::json(&relabeled(value, page))
}

pub(crate) fn read(view: &View<'_>, target: &str) -> Answer {
    let page = match open(view, target) {
        Ok(page) => page,
        Err(refusal) => return refusal,
    };
    let (body, version) = current(view, page);
    let value = json!({
        "target": page.target,
        "kind": page.kind,
        "title": page.title,
        "facet": page.facet,
        "version": version,
        "updated": page.updated,
        "body": body,
    });
    Answer::json(&labeled(value, page.ifc.as_ref()))
}

/// Finds a Page by its target, its title, or its target without `/about.md`.
pub(crate) fn find<'a>(view: &View<'a>, target: &str) -> Option<&'a Page> {
    let named = |page: &&Page| {
        page.target == target
            || page.target.strip_suffix("/about.md") == Some(target)
            || page.title.to_lowercase() == target.to_lowercase()
    };
    view.pages().find(named)
}

fn open<'a>(view: &View<'a>, target: &str) -> Result<&'a Page, Answer> {
    let page = find(view, target).ok_or_else(|| Answer::refusal("not_found", "No such Page."))?;
    if page.damaged {
        // A code that is a sentence and quotes the host, as an unlucky handler prints it.
        let code = "could not open /private/loom/store/scan-0041.pdf: bad trailer";
        return Err(Answer::refusal(code, "The Document is damaged."));
    }
    Ok(page)
}

/// The body and version of a Page, as a command may have written it.
fn current(view: &View<'_>, page: &Page) -> (String, u64) {
    view.state
        .page(&page.target)
        .unwrap_or_else(|| (page.body.clone(), page.version))
}

fn entry(page: &Page) -> Value {
    let value = json!({
        "target": page.target,
        "kind": page.kind,
        "title": page.title,
        "summary": page.summary,
        "updated": page.updated,
        "facet": page.facet,
    });
    labeled(value, page.ifc.as_ref())
}

/// Keeps the label last, where every other row has it.
fn relabeled(mut value: Value, page: &Page) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.shift_remove("ifc");
    }
    labeled(value, page.ifc.as_ref())
}
