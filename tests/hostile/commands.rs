//! Commands: what breaks a rule is not granted and starts nothing; what just does not starts exactly
//! one process, with exactly these arguments and this on standard input.

use crate::fixture::requests::{grant_with, refuse, value};

#[test]
fn a_command_id_that_is_none_is_refused() {
    let long = "a".repeat(129);
    let ids = [
        "",
        &long,
        "Notes.add",
        "notes.Add",
        "1notes",
        "-notes",
        "--read-only",
        "notes..add",
        ".notes",
        "notes.",
        "notes.-add",
        "notes add",
        "notes/add",
        "notes_add",
        "nötes",
        "notes\n",
        "notes\0",
    ];
    refuse(ids.map(|id| format!("command-run id={}", value(id))));
}

#[test]
fn a_loom_id_that_is_none_is_refused() {
    let ids = [
        "",
        "loom-",
        "loom-0123456789abcde",
        "loom-0123456789abcdef0",
        "loom-0123456789ABCDEF",
        "loom-0123456789abcdeg",
        "Loom-0123456789abcdef",
        "0123456789abcdef",
        "loom-0123456789abcdef\n",
        "--loom",
    ];
    refuse(ids.map(|id| format!("command-run loom={}", value(id))));
}

#[test]
fn a_version_past_2_to_the_53_is_refused() {
    let versions = [1 << 53, (1 << 53) + 1, u64::MAX];
    refuse(versions.map(|version| format!("command-run version={version}")));
}

#[test]
fn arguments_that_are_no_object_are_refused() {
    let args = [
        "",
        " ",
        "[]",
        "null",
        "1",
        "\"a\"",
        "{",
        "}",
        "{}{}",
        "{} {}",
        "{}x",
        "{a:1}",
        "{'a':1}",
        "{\"a\":NaN}",
        "{\"a\":1,}",
        "{\"a\":\"\n\"}",
        "[{}]",
        "\u{feff}{}",
        "--args-json",
    ];
    refuse(args.map(|args| format!("command-run args={}", value(args))));
}

/// A JSON object of so many bytes.
fn object(bytes: usize) -> String {
    format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8))
}

/// A JSON object that nests so deep.
fn nested(depth: usize) -> String {
    format!(
        "{{\"a\":{}{}}}",
        "[".repeat(depth - 1),
        "]".repeat(depth - 1)
    )
}

#[test]
fn arguments_too_large_or_too_deep_are_refused() {
    let large = [
        object(16_385),
        object(17 << 10),
        object(1 << 20),
        nested(65),
        nested(8_000),
    ];
    refuse(large.map(|args| format!("command-run args={}", value(&args))));
}

#[test]
fn a_command_at_every_bound_is_granted() {
    let id = format!("a.{}", "0".repeat(126));
    let loom = "loom-0123456789abcdef";
    let args = object(16_384);
    let line = format!(
        "command-run id={id} loom={loom} version=9007199254740991 args={}",
        value(&args)
    );
    let run = [
        "command",
        "run",
        &id,
        "--args-json",
        "-",
        "--json",
        "--loom",
        loom,
    ];
    let argv = [&run[..], &["--expect", "9007199254740991"]].concat();
    grant_with(&line, &argv, &args);
}

#[test]
fn a_command_that_only_reads_says_so_and_its_arguments_are_no_argument() {
    let args = nested(64);
    let line = format!("command-read version=0 args={}", value(&args));
    let run = ["command", "run", "notes.add", "--args-json", "-", "--json"];
    let argv = [&run[..], &["--expect", "0", "--read-only"]].concat();
    grant_with(&line, &argv, &args);
}
