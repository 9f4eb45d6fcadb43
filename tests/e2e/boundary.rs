//! The component's boundary, decoded from the file that `component --output` writes.

use std::fs;

use wasmparser::{ComponentExternalKind, Parser, Payload};

use crate::bench;

const IMPORT: &str = "loom:tools/process@0.1.0";
const EXPORT: &str = "loom:tools/tools@0.1.0";

/// Every name imported and exported by the outermost component, and every import name of the core
/// modules inside.
#[derive(Default)]
struct Names {
    imports: Vec<String>,
    exports: Vec<(String, ComponentExternalKind)>,
    core_imports: Vec<String>,
}

fn names(bytes: &[u8]) -> Names {
    let mut names = Names::default();
    let mut depth = 0;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.unwrap() {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth -= 1,
            Payload::ComponentImportSection(section) if depth == 0 => {
                let imports = section.into_iter().map(|import| import.unwrap().name.name);
                names.imports.extend(imports.map(str::to_owned));
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                let exports = section.into_iter().map(|export| export.unwrap());
                let named = exports.map(|export| (export.name.name.to_owned(), export.kind));
                names.exports.extend(named);
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.unwrap();
                    names.core_imports.push(import.module.to_owned());
                    names.core_imports.push(import.name.to_owned());
                }
            }
            _ => {}
        }
    }
    names
}

#[test]
fn the_written_component_imports_process_alone_and_exports_the_tools() {
    let bench = bench();
    let path = bench.path("tools.wasm");
    let host = bench.host(&["component", "--output"]).with(&path);
    let ran = host.ran().expect_code(0);
    assert!(ran.stdout.is_empty(), "{}", ran.report());
    let bytes = fs::read(&path).unwrap();
    wasmparser::Validator::new_with_features(wasmparser::WasmFeatures::all())
        .validate_all(&bytes)
        .unwrap();
    let names = names(&bytes);
    assert_eq!(names.imports, [IMPORT]);
    let exports = [(EXPORT.to_owned(), ComponentExternalKind::Instance)];
    assert_eq!(names.exports, exports);
    let wasi = |name: &&String| name.contains("wasi");
    assert_eq!(names.imports.iter().find(wasi), None);
    assert_eq!(names.core_imports.iter().find(wasi), None);
}

#[test]
fn the_component_names_no_path_of_the_machine_that_built_it() {
    let bytes = loom_tools_host::component::EMBEDDED;
    let holds = |text: &str| {
        bytes
            .windows(text.len())
            .any(|window| window == text.as_bytes())
    };
    assert!(!holds("/.cargo/registry"));
    let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let workspace = fs::canonicalize(workspace).unwrap();
    assert!(!holds(&workspace.display().to_string()));
}

#[test]
fn standard_output_and_the_file_and_the_built_in_component_are_the_same_bytes() {
    let bench = bench();
    let path = bench.path("tools.wasm");
    bench
        .host(&["component", "-o"])
        .with(&path)
        .ran()
        .expect_code(0);
    let printed = bench.host(&["component"]).ran().expect_code(0);
    let written = fs::read(&path).unwrap();
    assert!(written == loom_tools_host::component::EMBEDDED);
    assert!(printed.stdout == written);
}

#[test]
fn the_wit_is_printed_as_it_is() {
    let bench = bench();
    let ran = bench.host(&["component", "--wit"]).ran().expect_code(0);
    assert_eq!(ran.text(), include_str!("../../wit/world.wit"));
}

#[test]
fn a_component_that_cannot_be_written_is_a_failure() {
    let bench = bench();
    bench
        .host(&["component", "--output", "no/such/directory/tools.wasm"])
        .ran()
        .expect_code(1)
        .expect_stderr("--output: no/such/directory/tools.wasm cannot be written");
}

#[test]
fn the_written_component_runs_in_the_place_of_the_built_in_one() {
    let bench = bench();
    let path = bench.path("tools.wasm");
    bench
        .host(&["component", "--output"])
        .with(&path)
        .ran()
        .expect_code(0);
    let ran = bench
        .run(&["tools"], &["--component", "tools.wasm"])
        .ran()
        .expect_code(0);
    assert_eq!(ran.json()["tools"].as_array().unwrap().len(), 12);
}
