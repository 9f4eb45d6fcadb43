//! `loom-tools write-result` and `loom-tools show`: a run's structured result into a document store,
//! and one document out of it.

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use super::Environment;
use super::args::{RunArgs, ShowCommand, StateArgs, WriteResultCommand};
use super::call::text_file_or_input;
use super::driven::Driven;
use super::error::Failure;
use super::open::absolute;
use super::output;
use crate::ambient_authority;
use crate::store::{DirStore, DocumentStore, Link, write_result};

pub(super) fn write(command: &WriteResultCommand, environment: Environment) -> Result<(), Failure> {
    let result = text_file_or_input("RESULT", &command.result)?;
    let state = StateArgs {
        state: Some(command.state.clone()),
    };
    if !command.state.exists() {
        let path = command.state.display();
        return Err(Failure::usage(format!(
            "--state: {path} is not there; name a saved run"
        )));
    }
    // To resolve starts nothing: a configuration that has become stale is no obstacle.
    let environment = Environment {
        retrieval_config: None,
        commands_config: None,
        ..environment
    };
    let mut driven = Driven::open(&RunArgs::default(), &state, environment)?;
    let resolved = match driven.resolve(&result)? {
        Ok(resolved) => resolved,
        Err(refused) => {
            output::line(&format!(r#"{{"error":{refused}}}"#))?;
            return Err(anyhow!("nothing was written: the result is refused").into());
        }
    };
    let store = DirStore::open(&absolute(&command.store)?, ambient_authority())
        .with_context(|| format!("--store: {} cannot be opened", command.store.display()))?;
    let written = write_result(&store, &resolved)?;
    Ok(output::line(&serde_json::to_string(&written)?)?)
}

/// A stored document: a row, or a result with its receipt.
#[derive(Deserialize)]
struct Document<'a> {
    label: Label,
    receipt: Option<Value>,
    #[serde(borrow)]
    value: &'a RawValue,
}

#[derive(Deserialize)]
struct Label {
    confidentiality: Vec<Value>,
    integrity: Vec<Value>,
}

#[derive(Serialize)]
struct Shown<'a> {
    link: String,
    label: Types,
    #[serde(skip_serializing_if = "Option::is_none")]
    receipt: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a RawValue>,
}

/// A label as atom types.
#[derive(Serialize)]
struct Types {
    confidentiality: Vec<Vec<String>>,
    integrity: Vec<String>,
}

pub(super) fn show(command: &ShowCommand) -> Result<(), Failure> {
    let link = Link::parse(&command.link).ok_or_else(|| {
        Failure::usage("LINK: a link is `loom-doc:` and 64 of `0-9 a-f`, as write-result prints it")
    })?;
    let path = absolute(&command.store)?;
    if !path.is_dir() {
        return Err(Failure::usage(format!(
            "--store: {} is no directory",
            path.display()
        )));
    }
    let store = DirStore::open(&path, ambient_authority())
        .with_context(|| format!("--store: {} cannot be opened", path.display()))?;
    let bytes = store
        .get(&link)?
        .ok_or_else(|| anyhow!("the store has no sound document `{link}`"))?;
    let document: Document<'_> =
        serde_json::from_slice(&bytes).context("the document is not one of a run's")?;
    let shown = Shown {
        link: link.to_string(),
        label: Types {
            confidentiality: document
                .label
                .confidentiality
                .iter()
                .map(clause_types)
                .collect(),
            integrity: document.label.integrity.iter().map(atom_type).collect(),
        },
        receipt: document.receipt,
        content: command.content.then_some(document.value),
    };
    Ok(output::line(&serde_json::to_string(&shown)?)?)
}

fn clause_types(clause: &Value) -> Vec<String> {
    match clause
        .get("anyOf")
        .and_then(Value::as_array)
        .filter(|_| clause.get("type").is_none())
    {
        Some(atoms) => atoms.iter().map(atom_type).collect(),
        None => vec![atom_type(clause)],
    }
}

fn atom_type(atom: &Value) -> String {
    let kind = atom.as_str().or_else(|| atom.get("type")?.as_str());
    kind.unwrap_or("?").to_owned()
}
