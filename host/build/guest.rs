//! Builds the component from guest/ and wit/: a pure function of them, of Cargo.lock and of the
//! toolchain. What the caller's own build was told is kept out, and so is every path of the machine.
//! Shared by the build script and the test that builds it elsewhere and compares.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "inherited.rs"]
mod inherited;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "component";

/// The component's bytes, built in a target directory of its own: a parent cargo holds the lock of its.
pub(crate) fn component(
    cargo: &Path,
    cargo_home: &Path,
    workspace: &Path,
    target_dir: &Path,
) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut build = Command::new(cargo);
    build
        .current_dir(workspace)
        .args(["build", "--lib", "--package", "loom-tools-guest"])
        .args(["--locked", "--target", TARGET, "--profile", PROFILE])
        .arg("--target-dir")
        .arg(target_dir);
    inherited::keep_out(&mut build);
    build.env("CARGO_HOME", cargo_home);
    build.env("CARGO_ENCODED_RUSTFLAGS", rust_flags(cargo_home, workspace));
    if !build.status()?.success() {
        return Err("the component could not be built; the compiler's message is above".into());
    }
    let module = target_dir.join(TARGET).join(PROFILE);
    let module = fs::read(module.join("loom_tools_guest.wasm"))?;
    let component = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&module)?
        .encode()?;
    Ok(component)
}

/// Where cargo keeps the sources of dependencies.
pub(crate) fn cargo_home() -> Result<PathBuf, Box<dyn Error>> {
    let set = |name| env::var_os(name).map(PathBuf::from);
    let home = || set("HOME").or_else(|| set("USERPROFILE"));
    set("CARGO_HOME")
        .or_else(|| Some(home()?.join(".cargo")))
        .ok_or_else(|| "neither CARGO_HOME nor HOME is set".into())
}

/// Vector instructions for the JSON scanner, and no path of this machine in panic messages.
fn rust_flags(cargo_home: &Path, workspace: &Path) -> OsString {
    let mut flags = OsString::from("-Ctarget-feature=+simd128");
    for (from, to) in [(cargo_home, "/cargo"), (workspace, "/loom-tools")] {
        flags.push("\u{1f}--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    flags
}
