//! The end of the session: the model's structured result, which cites two rows by their handles, and
//! what the host makes of it. Handles become links to documents, each with its label; what the run
//! held and the result does not cite contributes its label and leaves nothing.

use anyhow::Context;

use super::super::error::Failure;
use super::agent::Agent;
use super::facts;
use super::json::Json;
use super::page::Page;
use super::text::count;
use crate::store::{DirStore, DocumentStore, Link, write_result};

pub(super) fn show(
    page: &mut Page,
    agent: &mut Agent<'_>,
    store: &DirStore,
) -> Result<(), Failure> {
    page.step(
        "A result that cites two rows",
        "Back in the first run. The model answers with handles, not with copies. A handle that the \
         run does not hold fails the whole result.",
    );
    let (asked, missing) = (agent.handle("mail-0001")?, agent.handle("mail-0002")?);
    let result = format!(
        r#"{{"answer":"Sheets 12 and 13 and the fire note are missing; papers close on 19 June.","offer":"I can write a note of it if you say so.","sources":["{asked}","{missing}"]}}"#
    );
    page.model("THE MODEL ANSWERS", "");
    page.asked("", &Json::parse(&result).context("the model writes JSON")?);
    let resolved = agent.resolve(&result)?;
    page.operator("WHAT THE OPERATOR GETS");
    let held = agent.run_label()?;
    match &resolved {
        Ok(resolved) => {
            let json = Json::parse(resolved).context("what was resolved is not JSON")?;
            documents(page, &json, &held);
            written(page, store, resolved)?;
        }
        Err(refused) => page.says("refused", &reason(refused)),
    }

    let invented = r#"{"sources":["cfh:v:22222"]}"#;
    page.model("HAD IT MADE A HANDLE UP", "");
    page.asked("", &Json::parse(invented).context("the model writes JSON")?);
    let refused = agent.resolve(invented)?.err();
    page.operator("WHAT THE OPERATOR GETS");
    page.says("refused", &refused.as_ref().map(reason).unwrap_or_default());
    page.flush()?;
    Ok(())
}

/// The resolved result: its own text, the documents it links to, and what it leaves behind.
fn documents(page: &mut Page, resolved: &Json, held: &[String]) {
    if let Some(result) = resolved.get("result") {
        page.says("result", &short_links(&result.line()));
    }
    for document in resolved.items("documents") {
        let text = |key| document.text(key).unwrap_or("?");
        let title = document.get("value").and_then(|value| value.text("title"));
        page.says("document", &short_links(text("link")));
        page.says("", &format!("{} “{}”", text("token"), title.unwrap_or("?")));
        page.says("", &format!("label: {}", label(document).join(", and ")));
    }
    let uncited = count(resolved.items("uncited").len(), "row");
    page.says(
        "uncited",
        &format!("{uncited}: no document, but the labels stay"),
    );
    for (place, clause) in held.iter().enumerate() {
        page.says(if place == 0 { "run label" } else { "" }, clause);
    }
    let own = label(resolved);
    let own = if own == held {
        "the run's".to_owned()
    } else {
        own.join(", and ")
    };
    page.says("", &format!("label of the result's own text: {own}"));
}

/// What the document store holds afterwards, and what of it `loom-tools show` would print.
fn written(page: &mut Page, store: &DirStore, resolved: &str) -> Result<(), Failure> {
    let written = write_result(store, resolved)?;
    let documents = count(written.documents.len(), "document");
    page.says(
        "written",
        &short_links(&format!(
            "{documents} first, then the result: {}",
            written.link
        )),
    );
    let receipt = &written.receipt;
    let labels: String = receipt.labels_sha256.chars().take(12).collect();
    page.says(
        "receipt",
        &format!(
            "{} uncited, the SHA-256 of their labels {labels}…",
            receipt.uncited
        ),
    );
    let result = Link::parse(&written.link)
        .map(|link| store.get(&link))
        .transpose()?
        .flatten();
    let result = result.context("the store does not have the result it wrote")?;
    let result = Json::parse(&String::from_utf8_lossy(&result)).context("a document is JSON")?;
    if let Some(value) = result.get("value") {
        page.says("shown", &short_links(&value.line()));
    }
    Ok(())
}

/// The clauses of a label: the whole text's, or a document's.
fn label(of: &Json) -> Vec<String> {
    let label = of.get("label");
    let clauses = label.map(facts::clauses).unwrap_or_default();
    if clauses.is_empty() {
        vec!["public".to_owned()]
    } else {
        clauses
    }
}

/// Cuts the digest of each link to its first digits.
fn short_links(text: &str) -> String {
    let mut out = String::new();
    for (place, part) in text.split("loom-doc:").enumerate() {
        if place == 0 {
            out.push_str(part);
            continue;
        }
        let rest = part.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let digits: String = part.chars().take(12).collect();
        out.push_str(&format!("loom-doc:{digits}…{rest}"));
    }
    out
}

fn reason(refused: &Json) -> String {
    let part = |key| refused.text(key).unwrap_or_default();
    format!("{}: {}", part("code"), part("message"))
}
