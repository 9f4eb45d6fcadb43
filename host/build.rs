//! Builds the guest for wasm32-unknown-unknown, turns it into a component and leaves it where the
//! library embeds it. Only guest/ and wit/ rebuild it. A packager hands in a ready component with
//! `LOOM_TOOLS_COMPONENT=FILE` instead.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const TARGET: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "component";
const READY_COMPONENT: &str = "LOOM_TOOLS_COMPONENT";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={READY_COMPONENT}");
    println!("cargo::rustc-env=WASMTIME_VERSION={}", wasmtime_version()?);
    let out = variable("OUT_DIR")?.join("loom_tools.component.wasm");
    if let Some(ready) = env::var_os(READY_COMPONENT) {
        println!("cargo::rerun-if-changed={}", Path::new(&ready).display());
        fs::copy(ready, out)?;
        return Ok(());
    }
    let workspace = variable("CARGO_MANIFEST_DIR")?.join("..").canonicalize()?;
    for source in ["guest/src", "guest/Cargo.toml", "wit"] {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(source).display()
        );
    }
    ensure_target()?;
    let module = fs::read(build_guest(&workspace)?)?;
    let component = wit_component::ComponentEncoder::default()
        .validate(true)
        .module(&module)?
        .encode()?;
    fs::write(out, component)?;
    Ok(())
}

/// Builds the guest's module in a target directory of its own: the parent holds the lock of ours.
fn build_guest(workspace: &Path) -> Result<PathBuf, Box<dyn Error>> {
    // <target>/<profile>/build/<package>/out: one guest for every build of this script.
    let out = variable("OUT_DIR")?;
    let target_dir = out.ancestors().nth(3).unwrap_or(&out).join("guest");
    let mut cargo = Command::new(variable("CARGO")?);
    cargo
        .current_dir(workspace)
        .args([
            "build",
            "--lib",
            "--package",
            "loom-tools-guest",
            "--locked",
        ])
        .args(["--target", TARGET, "--profile", PROFILE])
        .arg("--target-dir")
        .arg(&target_dir);
    // What this build was called with is not meant for another target.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let inherited = [
            "RUSTFLAGS",
            "RUSTC",
            "CARGO_ENCODED_",
            "CARGO_BUILD_",
            "CARGO_TARGET_",
            "CARGO_PROFILE_",
            "CLIPPY_",
        ];
        if inherited.iter().any(|prefix| text.starts_with(prefix)) && name != "RUSTC" {
            cargo.env_remove(&name);
        }
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", rust_flags(workspace)?);
    if !cargo.status()?.success() {
        return Err("the component could not be built; the compiler's message is above".into());
    }
    Ok(target_dir
        .join(TARGET)
        .join(PROFILE)
        .join("loom_tools_guest.wasm"))
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

/// Vector instructions for the JSON scanner, and no path of this machine in panic messages: two
/// builds in different places give the same bytes.
fn rust_flags(workspace: &Path) -> Result<OsString, Box<dyn Error>> {
    let home = || {
        env::var_os("HOME")
            .or_else(|| env::var_os("USERPROFILE"))
            .map(PathBuf::from)
    };
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let cargo_home = cargo_home.or_else(|| Some(home()?.join(".cargo")));
    let cargo_home = cargo_home.ok_or("neither CARGO_HOME nor HOME is set")?;
    let mut flags = OsString::from("-Ctarget-feature=+simd128");
    for (from, to) in [(cargo_home.as_path(), "/cargo"), (workspace, "/loom-tools")] {
        flags.push("\u{1f}--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    Ok(flags)
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
