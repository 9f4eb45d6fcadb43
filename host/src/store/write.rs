//! Writes a resolved result. The documents' links are computed again here: a component that lies
//! about one gets nothing written.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sha2::{Digest, Sha256};

use super::canonical::canonical;
use super::{DocumentStore, Link};
use crate::component::Sha256Hex;

/// What the component's `resolve-result` returns (contract, section 6).
#[derive(Deserialize)]
struct Resolved<'a> {
    #[serde(borrow)]
    result: &'a RawValue,
    #[serde(borrow)]
    documents: Vec<Document<'a>>,
    #[serde(borrow)]
    uncited: Vec<Uncited<'a>>,
    #[serde(borrow)]
    label: &'a RawValue,
}

#[derive(Deserialize)]
struct Document<'a> {
    link: Cow<'a, str>,
    #[serde(borrow)]
    value: &'a RawValue,
    #[serde(borrow)]
    label: &'a RawValue,
}

#[derive(Deserialize)]
struct Uncited<'a> {
    #[serde(borrow)]
    label: &'a RawValue,
}

/// A result that was written.
#[derive(Debug, Serialize)]
pub struct Written {
    /// The link to the result's own document.
    pub link: String,
    /// The links to the documents it cites, each once, in the order first cited.
    pub documents: Vec<String>,
    /// The label of the result's inline text.
    pub label: Box<RawValue>,
    /// What the result does not cite.
    pub receipt: Receipt,
}

/// What stands for the held rows that a result does not cite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    /// How many held rows the result does not cite.
    pub uncited: usize,
    /// The SHA-256 of the canonical JSON of the list of their labels, in the order held.
    pub labels_sha256: String,
}

/// Why nothing links to anything: no result was written.
#[derive(Debug)]
pub enum WriteError {
    /// The component's answer is not what it returns.
    Malformed(serde_json::Error),
    /// A document's link is not the digest of its label and value.
    WrongLink(String),
    /// The store failed. Documents may have been written; no result was.
    Store(io::Error),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => write!(f, "the resolved result is malformed: {error}"),
            Self::WrongLink(link) => write!(f, "the document behind `{link}` has another digest"),
            Self::Store(error) => write!(f, "no result was written: the store failed: {error}"),
        }
    }
}

impl std::error::Error for WriteError {}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Store(error)
    }
}

/// Writes what `resolve-result` returned: the cited documents, each once, then the result.
pub fn write_result(store: &dyn DocumentStore, resolved: &str) -> Result<Written, WriteError> {
    let resolved: Resolved<'_> = serde_json::from_str(resolved)?;
    let mut documents: Vec<(Link, String)> = Vec::new();
    let mut seen = BTreeSet::new();
    for document in &resolved.documents {
        let label = canonical(document.label)?;
        let bytes = format!(
            r#"{{"label":{label},"value":{}}}"#,
            canonical(document.value)?
        );
        let link = Link::to(bytes.as_bytes());
        if document.link != link.to_string() {
            return Err(WriteError::WrongLink(document.link.clone().into_owned()));
        }
        if seen.insert(&document.link) {
            documents.push((link, bytes));
        }
    }
    let receipt = receipt(&resolved.uncited)?;
    let result = format!(
        r#"{{"label":{},"receipt":{{"labelsSha256":"{}","uncited":{}}},"value":{}}}"#,
        canonical(resolved.label)?,
        receipt.labels_sha256,
        receipt.uncited,
        canonical(resolved.result)?,
    );
    for (_, bytes) in &documents {
        store.put(bytes.as_bytes())?;
    }
    // Last: what it links to is there.
    let link = store.put(result.as_bytes())?;
    Ok(Written {
        link: link.to_string(),
        documents: documents.iter().map(|(link, _)| link.to_string()).collect(),
        label: resolved.label.to_owned(),
        receipt,
    })
}

fn receipt(uncited: &[Uncited<'_>]) -> Result<Receipt, WriteError> {
    let mut digest = Sha256::new_with_prefix("[");
    for (at, row) in uncited.iter().enumerate() {
        if at > 0 {
            digest.update(",");
        }
        digest.update(canonical(row.label)?);
    }
    digest.update("]");
    let labels_sha256 = Sha256Hex::finished(digest).to_string();
    Ok(Receipt {
        uncited: uncited.len(),
        labels_sha256,
    })
}
