//! The component that is built in is the one anybody builds from the same sources: this builds it
//! once more, from a copy in another directory with another cargo home and another target
//! directory, and compares the bytes.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail by panicking too")]

#[path = "../../host/build/guest.rs"]
mod guest;

use std::fs;
use std::path::Path;

use loom_tools_host::component::{EMBEDDED, Sha256Hex};

/// What a build of the guest reads: cargo wants the manifest of every member, and its sources.
const SOURCES: [&str; 7] = [
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    "guest",
    "host",
    "tests",
    "wit",
];

fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        if name != "target" {
            copy(&from.join(&name), &to.join(&name));
        }
    }
}

#[test]
fn a_build_in_another_directory_gives_the_same_bytes() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let elsewhere = std::env::temp_dir().join(format!("elsewhere-{}", std::process::id()));
    let checkout = elsewhere.join("some/other checkout");
    fs::create_dir_all(&checkout).unwrap();
    for source in SOURCES
        .iter()
        .filter(|source| workspace.join(source).exists())
    {
        copy(&workspace.join(source), &checkout.join(source));
    }
    let home = elsewhere.join("cargo-home");
    let real = fs::canonicalize(guest::cargo_home().unwrap()).unwrap();
    std::os::unix::fs::symlink(real, &home).unwrap();

    let cargo = Path::new(env!("CARGO"));
    let built = guest::component(cargo, &home, &checkout, &elsewhere.join("target"));
    fs::remove_dir_all(&elsewhere).unwrap();
    let built = built.unwrap();

    for path in [&workspace.canonicalize().unwrap(), &elsewhere] {
        let path = path.to_str().unwrap().as_bytes();
        assert!(!built.windows(path.len()).any(|bytes| bytes == path));
    }
    let digests = [&built[..], EMBEDDED].map(|bytes| Sha256Hex::of(bytes).to_string());
    assert_eq!(digests[0], digests[1]);
}
