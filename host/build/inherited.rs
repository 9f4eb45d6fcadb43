//! What cargo tells a build script or a test, and is not meant for a build that they start themselves
//! for another target. Shared by all that do.

use std::env;
use std::process::Command;

/// How the variables begin. `RUSTC` itself stays.
const INHERITED: [&str; 7] = [
    "RUSTFLAGS",
    "RUSTC_",
    "CARGO_ENCODED_",
    "CARGO_BUILD_",
    "CARGO_TARGET_",
    "CARGO_PROFILE_",
    "CLIPPY_",
];

/// Keeps them out of `build`.
pub(crate) fn keep_out(build: &mut Command) {
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if INHERITED.iter().any(|prefix| text.starts_with(prefix)) {
            build.env_remove(&name);
        }
    }
}
