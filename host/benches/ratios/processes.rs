//! Calls whose process really runs: in a running session, several at once, and from a cold start.

use std::process::{Command, Stdio};
use std::time::Duration;

use criterion::Criterion;
use loom_tools_host::limits::Limits;
use loom_tools_host::{Component, Engine, Run, Settings, ambient_authority};

use super::Failed;
use super::cli::{Cli, call};
use super::sides::{measure, whole};
use super::table::Table;

const RETRIEVALS: usize = 8;

pub(crate) fn bench(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    one_call(criterion, table)?;
    eight_at_once(criterion, table)?;
    cold_start(criterion, table)
}

/// A profile of 300 bytes.
fn profile() -> String {
    let mut json = format!(
        r#"{{"hasProfile":true,"name":"Mira","about":"{}"}}"#,
        "x".repeat(300)
    );
    let excess = json.len() - 300;
    json = json.replacen(&"x".repeat(excess), "", 1);
    json
}

fn run(cli: &Cli) -> Result<Run, Failed> {
    let component = Component::embedded(&Engine::new(&Limits::default())?)?;
    let settings = Settings::new("bench");
    Ok(Run::start(
        &component,
        cli.loom(),
        settings,
        ambient_authority(),
    )?)
}

/// Answers a turn of that many calls, each of which must show its row.
fn turn(run: &mut Run, calls: usize) -> Result<(), Failed> {
    let replies = run.invoke(vec![call(); calls])?;
    let shown = replies
        .iter()
        .filter(|reply| reply.shown.contains(r#""admitted":1"#));
    if shown.count() == calls {
        Ok(())
    } else {
        Err("a call shows no row".into())
    }
}

fn one_call(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let cli = Cli::script(&format!("printf '%s' '{}'", profile()))?;
    let mut run = run(&cli)?;
    let [product, baseline] = measure(
        criterion,
        "one call",
        [whole(|| turn(&mut run, 1)), whole(|| cli.spawn().map(drop))],
    )?;
    let what = "one `loom_profile` call in a running session / spawning the CLI";
    table.ratio(what, product, baseline, 1.10);
    Ok(())
}

fn eight_at_once(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let cli = Cli::script(&format!("sleep 0.05; printf '%s' '{}'", profile()))?;
    let mut run = run(&cli)?;
    let [product, baseline] = measure(
        criterion,
        "eight retrievals",
        [
            whole(|| turn(&mut run, RETRIEVALS)),
            whole(|| cli.spawn().map(drop)),
        ],
    )?;
    let what = "eight retrievals in one turn / spawning one, all sleeping 50 ms";
    table.ratio(what, product, baseline, 1.3);
    Ok(())
}

fn cold_start(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let cli = Cli::script(&format!("printf '%s' '{}'", profile()))?;
    let call = || {
        let output = Command::new(env!("CARGO_BIN_EXE_loom-tools"))
            .args(["call", "loom_profile", "--cache-dir"])
            .arg(cli.cache())
            .arg("--loom-retrieval-config")
            .arg(cli.config())
            .stdin(Stdio::null())
            .output()?;
        if output.stdout.is_empty() {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        Ok(())
    };
    // Fills the cache.
    call()?;
    let [product, baseline] = measure(
        criterion,
        "cold start",
        [whole(call), whole(|| cli.spawn().map(drop))],
    )?;
    let what = "`loom-tools call` from a cold start, compiled form cached - spawning the CLI";
    table.difference(what, product, baseline, Duration::from_millis(15));
    Ok(())
}
