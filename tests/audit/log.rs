//! The audit log: a line for each request before its answer goes back, or no run.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::bed::{Bed, Done, search, turn, write_note};

fn session(bed: &Bed, input: &str) -> Done {
    bed.with_run("session", &["--audit-log", "log.jsonl"], input)
}

/// A line without what differs from run to run, once that is looked at.
fn steady(mut line: Value) -> Value {
    let fields = line.as_object_mut().unwrap();
    let time = fields.remove("time").unwrap();
    let time = time.as_str().unwrap();
    assert_eq!(time.len(), "2024-02-29T23:59:59.001Z".len());
    assert!(time.starts_with("20") && time.ends_with('Z'));
    assert!(fields.remove("ms").unwrap().as_u64().unwrap() < 60_000);
    line
}

#[test]
fn every_request_is_a_line_with_its_call_and_its_vector() {
    let bed = Bed::new();
    let input = search("c1") + &write_note("c2", "buy tea");
    session(&bed, &input).exits(0);
    let loom = bed.path("loom");
    let args = r#"{"text":"buy tea"}"#;
    let digest: String = Sha256::digest(args)
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect();
    let lines: Vec<Value> = bed.lines("log.jsonl").into_iter().map(steady).collect();
    let [first, listing, run] = &lines[..] else {
        panic!("{lines:?}");
    };
    assert_eq!(
        *first,
        json!({
            "run": "run-1", "call": "c1", "position": 0, "tool": "loom_search",
            "request": "search", "decision": "allowed",
            "argv": [loom, "search", "tea", "--json"],
            "end": "exited", "exit": 0, "bytes": 35,
        })
    );
    assert_eq!(listing["request"], "command-list");
    assert_eq!(listing["call"], "c2");
    assert_eq!(
        *run,
        json!({
            "run": "run-1", "call": "c2", "position": 0, "tool": "run_command",
            "request": "command-run", "decision": "allowed",
            "argv": [loom, "command", "run", "note.add", "--args-json", "-", "--json"],
            "stdin": { "bytes": args.len(), "sha256": digest },
            "end": "exited", "exit": 0, "bytes": 28,
        })
    );
    assert!(!bed.read("log.jsonl").contains("buy tea"));
    assert_eq!(bed.mode_of("log.jsonl"), 0o600);
}

#[test]
fn what_failed_says_how() {
    let bed = Bed::with_loom("case $1 in search) kill -9 $$ ;; esac; exit 3");
    let input = search("c1") + &turn("c2", "loom_profile", json!({}));
    session(&bed, &input).exits(0);
    fs::remove_file(bed.path("loom")).unwrap();
    session(&bed, &search("c3")).exits(0);
    let lines = bed.lines("log.jsonl");
    assert_eq!(lines[0]["end"], "lost");
    assert_eq!(lines[0]["reason"], "signal 9");
    assert_eq!(lines[1]["end"], "exited");
    assert_eq!(
        (&lines[1]["exit"], &lines[1]["bytes"]),
        (&json!(3), &json!(0))
    );
    assert_eq!(lines[2]["end"], "not-started");
    assert!(
        lines[2]["reason"]
            .as_str()
            .unwrap()
            .contains("No such file")
    );
}

#[test]
fn names_that_others_chose_are_cut() {
    let bed = Bed::new();
    session(&bed, &search(&"é".repeat(4_000))).exits(0);
    assert_eq!(bed.lines("log.jsonl")[0]["call"], "é".repeat(64));
}

#[test]
fn a_log_is_appended_to_and_a_line_cut_off_is_ended() {
    let bed = Bed::new();
    bed.write("log.jsonl", "{\"time\":\"2024-");
    bed.mode("log.jsonl", 0o600);
    session(&bed, &search("c1")).exits(0);
    session(&bed, &search("c2")).exits(0);
    let log = bed.read("log.jsonl");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!((lines[0], lines.len()), ("{\"time\":\"2024-", 3));
    assert!(log.ends_with('\n'));
}

#[test]
fn a_log_that_cannot_be_opened_refuses_the_run() {
    let bed = Bed::new();
    let refused = |log: &str| {
        let done = bed.with_run("session", &["--audit-log", log], &search("c1"));
        assert_eq!(done.out(), "");
        done.exits(2).says("--audit-log").says("the run is refused")
    };
    symlink("/dev/full", bed.path("full")).unwrap();
    refused("full");
    refused("/dev/full");
    refused("missing/log.jsonl");
    refused("queue");
    bed.write("open.jsonl", "");
    bed.mode("open.jsonl", 0o640);
    refused("open.jsonl").says("chmod 600");
    assert_eq!(bed.started(), 0);
}

#[test]
fn a_log_that_is_full_ends_the_run_before_anything_more_starts() {
    let bed = Bed::new();
    // Room for the first turns' lines, each reserved at its longest, and not for all of them.
    let input: String = (0..400).map(|n| search(&format!("c{n}"))).collect();
    let done = bed.run_with_small_files(128, &["--audit-log", "log.jsonl"], &input);
    let answered = done.out().lines().count();
    done.exits(1)
        .says("could not be written")
        .says("the run is over");
    assert!((1..400).contains(&answered), "{answered}");
    // Nothing ran that is not in the log, and nothing ran after it was full.
    assert_eq!(bed.lines("log.jsonl").len(), answered);
    assert_eq!(bed.started(), answered);
}

#[test]
fn without_a_log_nothing_is_written() {
    let bed = Bed::new();
    bed.with_run("session", &[], &search("c1")).exits(0);
    assert!(!bed.path("log.jsonl").exists());
}
