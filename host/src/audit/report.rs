//! What an audit found: one page, as values. `report.schema.json` documents them as JSON.

use serde::Serialize;

/// JSON Schema (2020-12) of `loom-tools audit --json`.
pub const REPORT_SCHEMA: &str = include_str!("report.schema.json");

/// The whole page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether there are no findings.
    pub ok: bool,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What a reviewer may want to know that is not wrong.
    pub notes: Vec<String>,
    pub(super) versions: Versions,
    pub(super) component: Option<ComponentFacts>,
    pub(super) grant: GrantFacts,
    pub(super) requests: Vec<RequestFacts>,
    pub(super) environment: EnvironmentFacts,
    pub(super) limits: Vec<LimitFact>,
    pub(super) places: Vec<Place>,
}

/// Something wrong, in a sentence that tells the remedy.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about: a flag, a file, a part.
    pub about: String,
    /// What is wrong and what to do.
    pub sentence: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Versions {
    pub(super) loom_tools: &'static str,
    pub(super) wasmtime: &'static str,
    pub(super) interface: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ComponentFacts {
    pub(super) source: String,
    pub(super) bytes: usize,
    pub(super) sha256: String,
    pub(super) pinned: Option<String>,
    pub(super) imports: Vec<Interface>,
    pub(super) exports: Vec<Interface>,
    pub(super) imports_exactly_one_function: bool,
}

/// An imported or exported interface, or a function that stands alone.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Interface {
    pub(super) name: String,
    pub(super) functions: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GrantFacts {
    pub(super) enforcement_mode: &'static str,
    pub(super) prompt_slot: &'static str,
    pub(super) allowed_tools: Option<Vec<String>>,
    pub(super) kinds: Vec<&'static str>,
    pub(super) writes: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RequestFacts {
    pub(super) kind: &'static str,
    pub(super) granted: bool,
    pub(super) argv: String,
    pub(super) values: Vec<ValueRule>,
    pub(super) stdin: Option<String>,
    pub(super) note: Option<&'static str>,
}

#[derive(Debug, Serialize)]
pub(super) struct ValueRule {
    pub(super) name: &'static str,
    pub(super) rule: String,
}

/// The names of the variables each family's processes get; none for a family not configured.
#[derive(Debug, Serialize)]
pub(super) struct EnvironmentFacts {
    pub(super) retrieval: Option<Vec<String>>,
    pub(super) commands: Option<Vec<String>>,
}

#[derive(Debug, Serialize)]
pub(super) struct LimitFact {
    pub(super) name: &'static str,
    pub(super) value: u64,
    pub(super) unit: &'static str,
}

/// A file or a directory that the configuration names.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Place {
    pub(super) role: String,
    pub(super) path: String,
    pub(super) resolved: String,
    pub(super) directory: bool,
    pub(super) owner: u32,
    pub(super) group: u32,
    pub(super) mode: String,
    pub(super) sha256: Option<String>,
    /// Whether anyone but root, its owner and who runs this can replace or change it.
    pub(super) replaceable_by_others: bool,
}
