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

/// What a command run at the top of the tree prints.
fn printed(command: &mut Command) -> Value {
    let top = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let output = command.current_dir(top).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).unwrap()
}

fn metadata() -> Value {
    printed(
        Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--locked", "--offline"])
            .args(["--filter-platform", "wasm32-unknown-unknown"]),
    )
}

#[test]
fn nothing_runs_while_the_guest_is_built_but_what_is_listed_with_its_reason() {
    let metadata = metadata();
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

#[test]
#[ignore = "installs cargo-cyclonedx where it is missing; .ci/run asks for it"]
fn the_sbom_names_every_package_of_the_guests_tree_and_no_other() {
    let sbom = printed(Command::new(".ci/sbom").arg("guest"));
    assert_eq!(sbom["bomFormat"], "CycloneDX");
    assert_eq!(sbom["specVersion"], "1.5");
    let package = |package: &Value| {
        let text = |name| package[name].as_str().unwrap().to_owned();
        (text("name"), text("version"))
    };
    let components = sbom["components"].as_array().unwrap();
    let ours = &sbom["metadata"]["component"];
    let named: BTreeSet<_> = components.iter().chain([ours]).map(package).collect();
    let metadata = metadata();
    let tree = guest_tree(&metadata);
    let packages = metadata["packages"].as_array().unwrap();
    let of_guest = |package: &&Value| tree.contains(package["id"].as_str().unwrap());
    let expected: BTreeSet<_> = packages.iter().filter(of_guest).map(package).collect();
    assert_eq!(named, expected);
}
