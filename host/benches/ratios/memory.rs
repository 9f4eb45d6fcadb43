//! The peak memory of the whole host, as the kernel counted it, once it has answered a search whose
//! process printed 30 MB.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use super::Failed;
use super::cli::Cli;
use super::inputs::search_answer;
use super::table::Table;

pub(crate) fn bench(table: &mut Table) -> Result<(), Failed> {
    let answer = search_answer(30_000_000);
    let cli = Cli::printing(&answer)?;
    let mut session = Command::new(env!("CARGO_BIN_EXE_loom-tools"))
        .args(["session", "--cache-dir"])
        .arg(cli.cache())
        .arg("--loom-retrieval-config")
        .arg(cli.config())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = session.stdin.take().ok_or("no standard input")?;
    let output = session.stdout.take().ok_or("no standard output")?;
    let turn = r#"{"calls":[{"id":"1","tool":"loom_search","input":{"query":"budget"}}]}"#;
    writeln!(input, "{turn}")?;
    let mut reply = String::new();
    BufReader::new(output).read_line(&mut reply)?;
    let status = fs::read_to_string(format!("/proc/{}/status", session.id()))?;
    drop(input);
    session.wait()?;
    if !reply.contains(r#""status":"ok""#) && !reply.contains(r#"\"status\":\"ok\""#) {
        return Err("the search failed".into());
    }
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB"))
        .ok_or("the kernel tells no peak")?;
    let what = "peak memory of the host with a 30 MB answer / its size";
    let peak = peak.trim().parse::<u64>()? * 1024;
    table.bytes(what, peak, answer.len() as u64, 2.5, 40_000_000);
    Ok(())
}
