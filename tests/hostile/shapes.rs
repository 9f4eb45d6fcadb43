//! Files that are no component of ours: refused with what is wrong with them, mostly before they
//! are compiled, and never by a panic.

use loom_tools_host::component::LoadError;
use loom_tools_host::decode::{EXPORT, IMPORT, Undecodable};
use loom_tools_host::{Component, Run, RunError, ambient_authority};
use wit_component::StringEncoding;

use crate::fixture::wat::{Core, WIT, encode};
use crate::fixture::{Stage, brief, call, trusting};

/// Why these bytes are not loaded.
#[track_caller]
fn refused(bytes: &[u8]) -> LoadError {
    let stage = Stage::new();
    match Component::load(&stage.engine, bytes, None) {
        Err(error) => error,
        Ok(_) => panic!("it was loaded"),
    }
}

/// The bytes are refused before they are compiled, for importing exactly these beyond the one.
#[track_caller]
fn assert_extra(bytes: &[u8], names: &[&str]) {
    let error = refused(bytes);
    match &error {
        LoadError::Boundary(Undecodable::ExtraImports(extra)) => assert_eq!(extra, names),
        other => panic!("it was refused otherwise: {other}"),
    }
    for name in names {
        assert!(error.to_string().contains(name), "{error}");
    }
}

/// The module of [`Core`] with a further import, in a world with this in place of its import.
fn with_import(world: &str, import: &str) -> Vec<u8> {
    let core = Core {
        imports: import.to_owned(),
        ..Core::new()
    };
    let wit = WIT.replace("  import process;", world);
    assert_ne!(wit, WIT);
    encode(core.module(), &wit, StringEncoding::UTF8)
}

#[test]
fn a_second_interface_is_refused_by_name() {
    let world = "import process; import clock: interface { now: func() -> u64; }";
    let import = r#"(import "clock" "now" (func (result i64)))"#;
    assert_extra(&with_import(world, import), &["clock"]);
}

#[test]
fn a_function_at_the_root_is_refused_by_name() {
    let world = "import process; import get-secret: func() -> u64;";
    let import = r#"(import "$root" "get-secret" (func (result i64)))"#;
    assert_extra(&with_import(world, import), &["get-secret"]);
}

#[test]
fn a_function_more_in_the_one_interface_is_refused_by_name() {
    let core = Core {
        imports: r#"(import "loom:tools/process@0.1.0" "run-shell" (func (param i32 i32)))"#
            .to_owned(),
        ..Core::new()
    };
    let more = "run-shell: func(line: string); run-loom: func";
    let wit = WIT.replacen("run-loom: func", more, 1);
    let bytes = encode(core.module(), &wit, StringEncoding::UTF8);
    assert_extra(&bytes, &["loom:tools/process@0.1.0#run-shell"]);
}

/// A component without substance.
fn text(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(component {fields})")).unwrap()
}

/// The import and the export, by name alone.
const OURS: &str = r#"(import "loom:tools/process@0.1.0" (instance))
    (instance $i) (export "loom:tools/tools@0.1.0" (instance $i))"#;

#[test]
fn wasi_is_refused_by_name() {
    let wasi = r#"(import "wasi:cli/environment@0.2.0" (instance))
        (import "wasi:filesystem/preopens@0.2.0" (instance))"#;
    let names = [
        "wasi:cli/environment@0.2.0",
        "wasi:filesystem/preopens@0.2.0",
    ];
    assert_extra(&text(&format!("{wasi} {OURS}")), &names);
}

#[test]
fn another_version_of_the_interface_is_refused_by_name() {
    let two = r#"(import "loom:tools/process@0.2.0" (instance))"#;
    assert_extra(
        &text(&format!("{two} {OURS}")),
        &["loom:tools/process@0.2.0"],
    );
}

#[test]
fn a_module_a_component_and_a_function_are_refused_by_name() {
    let more = r#"(import "m" (core module)) (import "c" (component)) (import "f" (func))"#;
    assert_extra(&text(&format!("{more} {OURS}")), &["m", "c", "f"]);
}

#[test]
fn an_instance_inside_the_one_interface_is_refused_by_name() {
    let inner = r#"(import "loom:tools/process@0.1.0" (instance (export "more" (instance))))
        (instance $i) (export "loom:tools/tools@0.1.0" (instance $i))"#;
    assert_extra(&text(inner), &["loom:tools/process@0.1.0#more"]);
}

#[test]
fn a_component_that_imports_nothing_is_refused() {
    let error = refused(&text(
        r#"(instance $i) (export "loom:tools/tools@0.1.0" (instance $i))"#,
    ));
    assert!(
        matches!(error, LoadError::Boundary(Undecodable::Missing(IMPORT))),
        "{error}"
    );
}

#[test]
fn a_component_that_exports_something_else_is_refused() {
    let something = r#"(import "loom:tools/process@0.1.0" (instance))
        (instance $i) (export "loom:tools/tolls@0.1.0" (instance $i))"#;
    let error = refused(&text(something));
    assert!(
        matches!(error, LoadError::Boundary(Undecodable::Missing(EXPORT))),
        "{error}"
    );
}

#[test]
fn an_import_that_is_no_interface_does_not_fit() {
    let function = r#"(import "loom:tools/process@0.1.0" (func))
        (instance $i) (export "loom:tools/tools@0.1.0" (instance $i))"#;
    let error = refused(&text(function));
    assert!(matches!(error, LoadError::World(_)), "{error}");
    assert!(error.to_string().contains(IMPORT), "{error}");
}

#[test]
fn an_export_without_its_functions_does_not_fit() {
    let error = refused(&text(OURS));
    assert!(matches!(error, LoadError::World(_)), "{error}");
}

/// [`Core`] in a world with this changed.
fn in_world(from: &str, to: &str) -> Vec<u8> {
    let wit = WIT.replacen(from, to, 1);
    assert_ne!(wit, WIT);
    encode(Core::new().module(), &wit, StringEncoding::UTF8)
}

#[test]
fn a_missing_function_does_not_fit_and_is_named() {
    let error = refused(&in_world("    save: func() -> string;\n", ""));
    assert!(matches!(error, LoadError::World(_)), "{error}");
    assert!(error.to_string().contains("save"), "{error}");
}

#[test]
fn an_import_of_another_type_does_not_fit() {
    let error = refused(&in_world("stdout: list<u8>", "stdout: string"));
    assert!(matches!(error, LoadError::World(_)), "{error}");
    assert!(error.to_string().contains("run-loom"), "{error}");
}

#[test]
fn an_export_of_another_type_starts_no_run() {
    let bytes = in_world("label: func() -> string", "label: func() -> list<u8>");
    let stage = Stage::new();
    let Err(error @ RunError::World(_)) = stage.open(&bytes, trusting()) else {
        panic!("it was not refused so");
    };
    assert!(
        error.to_string().contains("expected `string` found `list`"),
        "{error}"
    );
}

#[test]
fn a_core_module_is_refused_as_one() {
    let error = refused(&Core::new().module());
    let LoadError::Boundary(Undecodable::NotAComponent(why)) = &error else {
        panic!("it was refused otherwise: {error}");
    };
    assert_eq!(why, "it is a core module");
}

#[test]
fn a_name_that_would_write_on_the_terminal_is_not_told_as_it_is() {
    // The text format takes no such name; the bytes are changed afterwards.
    let mut bytes = text(&format!(r#"(import "escape" (func)) {OURS}"#));
    let at = bytes.windows(6).position(|name| name == b"escape").unwrap();
    bytes[at] = 0x1b;
    let told = refused(&bytes).to_string();
    assert!(!told.contains('\u{1b}'), "{told}");
}

#[test]
fn an_import_given_twice_is_refused() {
    let mut bytes = text(
        r#"(import "loom:tools/process@0.1.0" (instance)) (import "loom:tools/process@0.1.1" (instance))"#,
    );
    let at = bytes.windows(5).rposition(|name| name == b"0.1.1").unwrap();
    bytes[at + 4] = b'0';
    let error = refused(&bytes);
    assert!(
        matches!(error, LoadError::Boundary(Undecodable::NotAComponent(_))),
        "{error}"
    );
}

#[test]
fn a_component_in_a_component_is_not_taken_for_it() {
    let good = Core::new().component();
    let mut bytes = text("");
    bytes.push(4);
    let mut length = good.len();
    while length >= 0x80 {
        bytes.push(u8::try_from(length & 0x7f).unwrap() | 0x80);
        length >>= 7;
    }
    bytes.push(u8::try_from(length).unwrap());
    bytes.extend(good);
    let error = refused(&bytes);
    assert!(
        matches!(error, LoadError::Boundary(Undecodable::Missing(IMPORT))),
        "{error}"
    );
}

#[test]
fn a_component_given_twice_is_refused() {
    let good = Core::new().component();
    let error = refused(&[&good[..], &good[..]].concat());
    assert!(
        matches!(error, LoadError::Boundary(Undecodable::NotAComponent(_))),
        "{error}"
    );
}

#[test]
fn a_component_cut_anywhere_is_refused() {
    let stage = Stage::new();
    let good = Core::new().component();
    for end in (0..good.len()).step_by(7) {
        assert!(
            Component::load(&stage.engine, &good[..end], None).is_err(),
            "{end}"
        );
    }
}

/// The same numbers every time.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap()
    }
}

#[test]
fn bytes_without_meaning_are_refused() {
    let stage = Stage::new();
    let mut numbers = Numbers(1);
    for length in 0..400 {
        let mut bytes: Vec<u8> = (0..length)
            .map(|_| numbers.next().to_le_bytes()[0])
            .collect();
        assert!(Component::load(&stage.engine, &bytes, None).is_err());
        // With a component's opening, so that they are read further.
        bytes.splice(0..0, text(""));
        assert!(Component::load(&stage.engine, &bytes, None).is_err());
    }
}

#[test]
fn a_component_with_a_changed_byte_is_refused_or_does_no_harm() {
    let stage = Stage::new();
    let good = Core::asking("").component();
    let mut numbers = Numbers(2);
    for _ in 0..300 {
        let mut bytes = good.clone();
        let at = numbers.next() % bytes.len();
        bytes[at] ^= 1 << (numbers.next() % 8);
        let Ok(component) = Component::load(&stage.engine, &bytes, None) else {
            continue;
        };
        let (loom, authority) = (stage.loom(), ambient_authority());
        let Ok(mut run) = Run::start(&component, loom, brief(), authority) else {
            continue;
        };
        let _ = run.invoke(vec![call("loom_page_read", "{}")]);
    }
}
