//! Builds the guest for wasm32-unknown-unknown, turns it into a component and leaves it where the
//! library embeds it. Only guest/, wit/, the workspace's dependencies and profiles and the compiler
//! rebuild it. A packager hands in a ready component with `LOOM_TOOLS_COMPONENT=FILE` instead.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "build/guest.rs"]
mod guest;

use guest::TARGET;

const READY_COMPONENT: &str = "LOOM_TOOLS_COMPONENT";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={READY_COMPONENT}");
    println!("cargo::rustc-env=WASMTIME_VERSION={}", wasmtime_version()?);
    let out = variable("OUT_DIR")?.join("loom_tools.component.wasm");
    if let Some(ready) = env::var_os(READY_COMPONENT) {
        println!("cargo::rerun-if-changed={}", Path::new(&ready).display());
        // Its bytes alone: a copy would also keep a mode that forbids the next build to replace it.
        fs::write(out, fs::read(ready)?)?;
        return Ok(());
    }
    let workspace = variable("CARGO_MANIFEST_DIR")?.join("..").canonicalize()?;
    // Beside the sources: the profile and the dependencies, and the compiler. The lock is watched above.
    let from = [
        "guest/src",
        "guest/Cargo.toml",
        "wit",
        "Cargo.toml",
        "rust-toolchain.toml",
    ];
    for source in from {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(source).display()
        );
    }
    ensure_target()?;
    // <target>/<profile>/build/<package>/out: one guest for every build of this script.
    let target_dir = out.ancestors().nth(4).unwrap_or(&out).join("guest");
    let (cargo, cargo_home) = (variable("CARGO")?, guest::cargo_home()?);
    let component = guest::component(&cargo, &cargo_home, &workspace, &target_dir)?;
    fs::write(out, component)?;
    Ok(())
}

/// The version that the lock file names, for the audit's page.
fn wasmtime_version() -> Result<String, Box<dyn Error>> {
    let lock = variable("CARGO_MANIFEST_DIR")?.join("../Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let lock = fs::read_to_string(lock)?;
    let mut lines = lock
        .lines()
        .skip_while(|line| *line != "name = \"wasmtime\"");
    let version = lines
        .nth(1)
        .and_then(|line| line.strip_prefix("version = "));
    Ok(version.unwrap_or("unknown").trim_matches('"').to_owned())
}

/// Asks rustup for the target where it is missing; failing that, says what to type.
fn ensure_target() -> Result<(), Box<dyn Error>> {
    if has_target()? {
        return Ok(());
    }
    let add = Command::new("rustup")
        .args(["target", "add", TARGET])
        .status();
    if add.is_ok_and(|status| status.success()) && has_target()? {
        return Ok(());
    }
    Err(format!(
        "the Rust target {TARGET} is missing and could not be added. Type:\n\n    \
         rustup target add {TARGET}\n"
    )
    .into())
}

fn has_target() -> Result<bool, Box<dyn Error>> {
    let rustc = Command::new(variable("RUSTC")?)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()?;
    let library = String::from_utf8(rustc.stdout)?;
    // The directory alone may be left over from a removed target.
    Ok(rustc.status.success()
        && fs::read_dir(library.trim()).is_ok_and(|mut entries| entries.next().is_some()))
}

fn variable(name: &str) -> Result<PathBuf, Box<dyn Error>> {
    Ok(env::var_os(name)
        .ok_or_else(|| format!("{name} is not set"))?
        .into())
}
