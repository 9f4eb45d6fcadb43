//! What runs while the component is built: every build script and procedural macro in the guest's
//! tree, each with the reason it is there.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

const BINDINGS: &str = "wit-bindgen's macro writes the bindings of wit/world.wit";
const MACRO_SYNTAX: &str = "reads and prints Rust for that macro; asks the compiler its version";
const MACRO_JSON: &str = "reads WIT's metadata for that macro; asks the compiler its version";

const KNOWN: [(&str, &str); 12] = [
    (
        "anyhow",
        "errors of that macro; asks the compiler its version",
    ),
    ("prettyplease", MACRO_SYNTAX),
    ("proc-macro2", MACRO_SYNTAX),
    ("quote", MACRO_SYNTAX),
    ("serde", MACRO_JSON),
    ("serde_core", MACRO_JSON),
    ("serde_derive", MACRO_JSON),
    ("serde_json", MACRO_JSON),
    ("wit-bindgen", BINDINGS),
    ("wit-bindgen-rust", BINDINGS),
    ("wit-bindgen-rust-macro", BINDINGS),
    ("zmij", MACRO_JSON),
];

/// The packages of the guest's tree, its macros' own included, by id.
fn guest_tree(metadata: &Value) -> BTreeSet<&str> {
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let nodes: BTreeMap<&str, &Value> = nodes
        .iter()
        .map(|node| (node["id"].as_str().unwrap(), node))
        .collect();
    let of_guest = |id: &&&str| id.contains("#loom-tools-guest@");
    let mut waiting: Vec<&str> = nodes.keys().filter(of_guest).copied().collect();
    assert_eq!(waiting.len(), 1, "{waiting:?}");
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            for dependency in nodes[id]["deps"].as_array().unwrap() {
                let kinds = dependency["dep_kinds"].as_array().unwrap();
                if kinds.iter().any(|kind| kind["kind"] != "dev") {
                    waiting.push(dependency["pkg"].as_str().unwrap());
                }
            }
        }
    }
    seen
}

#[test]
fn nothing_runs_while_the_guest_is_built_but_what_is_listed_with_its_reason() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", "wasm32-unknown-unknown"])
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tree = guest_tree(&metadata);
    let runs = |package: &&Value| {
        let targets = package["targets"].as_array().unwrap();
        let kind = |kind: &Value| kind == "custom-build" || kind == "proc-macro";
        targets
            .iter()
            .any(|target| target["kind"].as_array().unwrap().iter().any(kind))
    };
    let found: BTreeSet<&str> = metadata["packages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|package| tree.contains(package["id"].as_str().unwrap()))
        .filter(runs)
        .map(|package| package["name"].as_str().unwrap())
        .collect();
    let known: BTreeSet<&str> = KNOWN.into_iter().map(|(name, _)| name).collect();
    assert_eq!(found, known);
}
