//! `--component` and `--component-sha256`: which component is run, decided before it is compiled.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use loom_tools_host::component::EMBEDDED;
use loom_tools_tests::bench::Bench;
use sha2::{Digest, Sha256};

use crate::bench;

const PROCESS: &str = "loom:tools/process@0.1.0";

/// A component that imports empty instances of these names and exports nothing.
fn importing(names: &[&str]) -> Vec<u8> {
    let byte = |n: usize| u8::try_from(n).ok().filter(|byte| *byte < 0x80).unwrap();
    // The preamble of a component, and one type: an instance without exports.
    let mut bytes = b"\0asm\x0d\0\x01\0".to_vec();
    bytes.extend([7, 3, 1, 0x42, 0]);
    let mut section = vec![byte(names.len())];
    for name in names {
        section.extend([0, byte(name.len())]);
        section.extend(name.as_bytes());
        section.extend([5, 0]);
    }
    bytes.push(10);
    // Its length in two bytes of LEB128.
    bytes.extend([
        0x80 | (section.len() & 0x7f) as u8,
        byte(section.len() >> 7),
    ]);
    bytes.extend(section);
    bytes
}

fn assert_refused(bench: &Bench, bytes: &[u8], sentence: &str) {
    let path = bench.write("other.wasm", bytes);
    let host = bench.call("loom_profile", &serde_json::json!({}), &["--component"]);
    let ran = host
        .with(path)
        .ran()
        .expect_code(2)
        .expect_stderr("--component: ");
    let ran = ran.expect_stderr("other.wasm: ").expect_stderr(sentence);
    assert!(ran.stdout.is_empty(), "{}", ran.report());
    assert!(!ran.stderr.contains("panicked"), "{}", ran.report());
    bench.fake.assert_unused();
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn a_component_with_a_further_import_is_refused_and_each_is_named() {
    let bench = bench();
    let more = [
        "wasi:clocks/monotonic-clock@0.2.0",
        "loom:tools/process@0.2.0",
        "env",
    ];
    let bytes = importing(&[more[0], PROCESS, more[1], more[2]]);
    wasmparser::Validator::new().validate_all(&bytes).unwrap();
    let named = format!(
        "the component is refused: it imports more than `{PROCESS}`: `{}`, `{}`, `{}`",
        more[0], more[1], more[2]
    );
    assert_refused(&bench, &bytes, &named);
}

#[test]
fn a_component_that_is_not_one_of_ours_is_refused() {
    let bench = bench();
    let missing = "it has no `loom:tools/tools@0.1.0`";
    assert_refused(&bench, &importing(&[PROCESS]), missing);
    assert_refused(&bench, &importing(&[]), &format!("it has no `{PROCESS}`"));
}

#[test]
fn what_is_no_component_is_refused() {
    let bench = bench();
    let no_component = "it is not a WebAssembly component (";
    assert_refused(
        &bench,
        b"\0asm\x01\0\0\0",
        "it is not a WebAssembly component (it is a core module)",
    );
    assert_refused(&bench, b"", no_component);
    assert_refused(&bench, b"#!/bin/sh\n", no_component);
    assert_refused(&bench, &EMBEDDED[..EMBEDDED.len() / 2], no_component);
    let host = bench.run(&["tools"], &["--component", "none.wasm"]);
    host.ran()
        .expect_code(2)
        .expect_stderr("--component: none.wasm cannot be read");
}

#[test]
fn a_component_whose_digest_is_not_the_pinned_one_is_refused() {
    let bench = bench();
    let digest = hex(EMBEDDED);
    let other = hex(b"another");
    let pinned = |sha: &str| bench.run(&["tools"], &["--component-sha256", sha]).ran();
    pinned(&digest).expect_code(0);
    pinned(&digest.to_uppercase()).expect_code(0);
    let sentence = format!("the component's SHA-256 is {digest}, not the pinned {other}");
    pinned(&other).expect_code(2).expect_stderr(&sentence);
    // The digest is of the file that is given, and looked at before the file is.
    let garbage = b"garbage";
    let path = bench.write("garbage.wasm", garbage).display().to_string();
    let flags = ["--component", &path, "--component-sha256", &digest];
    let sentence = format!(
        "garbage.wasm: the component's SHA-256 is {}, not",
        hex(garbage)
    );
    bench
        .run(&["tools"], &flags)
        .ran()
        .expect_code(2)
        .expect_stderr(&sentence);
}

#[test]
fn a_compiled_component_is_kept_privately_and_trusted_only_undamaged() {
    let bench = bench();
    let cache = bench.path("cache");
    let start = || {
        let host = bench.run(&["tools"], &["--cache-dir"]);
        host.with(&cache).ran()
    };
    let listed = start().expect_code(0).stdout;
    let kept = cache.join("compiled");
    let entries = || -> Vec<_> {
        let entries = fs::read_dir(&kept).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect()
    };
    let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
    let [entry] = &entries()[..] else {
        panic!("{:?}", entries());
    };
    assert_eq!((mode(&kept), mode(entry)), (0o700, 0o600));
    let sound = fs::read(entry).unwrap();
    assert!(start().expect_code(0).stdout == listed);
    // One wrong bit of native code, which is replaced and not run.
    let mut damaged = sound.clone();
    let last = damaged.last_mut().unwrap();
    *last ^= 1;
    fs::write(entry, damaged).unwrap();
    assert!(start().expect_code(0).stdout == listed);
    assert!(fs::read(entry).unwrap() == sound);
    // One that others could have written to is not used, and refused where a flag names it.
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o770)).unwrap();
    start()
        .expect_code(2)
        .expect_stderr("--cache-dir: ")
        .expect_stderr("others than its owner may use it");
}
