//! The queue: routing, many processes at once, and brokers that are gone, silent or twice.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

mod common;

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Bench, TempDir, bare, spawn, text};
use loom_tools_sample::{Broker, BrokerOptions};
use serde_json::{Value, json};

const SEARCH: [&str; 3] = ["search", "permit", "--json"];

fn broker_process(dir: &TempDir, flags: &[&str]) -> Child {
    let queue = dir.queue();
    let args = [&["broker", "--queue", queue.to_str().unwrap()], flags].concat();
    let child = bare(&args).stdin(Stdio::piped()).spawn().unwrap();
    wait_until(|| queue.join("ready.json").exists());
    child
}

fn wait_until(mut done: impl FnMut() -> bool) {
    let started = Instant::now();
    while !done() {
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "it never happened"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn without_its_queue_variable_a_command_refuses_to_run() {
    let dir = TempDir::new();
    for (args, variable) in [
        (&SEARCH[..], "LOOM_SEARCH_BROKER_QUEUE"),
        (&["profile", "--json"], "LOOM_PAGE_RPC_QUEUE"),
        (&["command", "list", "--json"], "LOOM_PAGE_RPC_QUEUE"),
    ] {
        let other = match variable {
            "LOOM_PAGE_RPC_QUEUE" => "LOOM_SEARCH_BROKER_QUEUE",
            _ => "LOOM_PAGE_RPC_QUEUE",
        };
        let output = bare(args).env(other, dir.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(text(&output.stderr).contains(variable), "{args:?}");
    }
}

#[test]
fn a_direct_transport_serves_the_same_data_in_process_and_no_commands() {
    let dir = TempDir::new();
    let direct = |args: &[&str]| {
        let mut command = bare(args);
        command
            .env("LOOM_INSTANCE_DIR", dir.path())
            .env("LOOM_DISPATCH_ID", "run-1");
        command.output().unwrap()
    };
    let output = direct(&SEARCH);
    assert_eq!(output.stdout, Bench::new().loom(&SEARCH).stdout);
    assert_eq!(
        direct(&["people", "handle:sam", "--json"]).status.code(),
        Some(3)
    );
    assert_eq!(
        direct(&["command", "list", "--json"]).status.code(),
        Some(2)
    );
}

#[test]
fn a_broker_that_is_not_there_is_noticed_at_once() {
    let dir = TempDir::new();
    let started = Instant::now();
    let output = spawn(&dir.queue(), &SEARCH, "").wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no broker serves"));
    drop(Bench::new());
    assert!(started.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_broker_killed_at_work_ends_the_waiting() {
    let dir = TempDir::new();
    let mut broker = broker_process(&dir, &[]);
    let args = ["command", "run", "diag.sleep", "--args-json", "-", "--json"];
    let client = spawn(&dir.queue(), &args, "{\"ms\":60000}");
    std::thread::sleep(Duration::from_millis(200));
    broker.kill().unwrap();
    broker.wait().unwrap();
    let output = client.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).contains("is gone"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_broker_that_is_silent_is_given_up_and_its_request_withdrawn() {
    let dir = TempDir::new();
    for name in ["requests", "answers"] {
        fs::create_dir_all(dir.queue().join(name)).unwrap();
    }
    let lock = File::create(dir.queue().join("broker.lock")).unwrap();
    lock.lock().unwrap();
    fs::write(dir.queue().join("ready.json"), "{\"patienceMs\":300}").unwrap();
    let output = spawn(&dir.queue(), &SEARCH, "").wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("is silent"));
    assert_eq!(
        fs::read_dir(dir.queue().join("requests")).unwrap().count(),
        0
    );
}

#[test]
fn sixteen_processes_at_once_each_get_their_own_answer() {
    let bench = Bench::new();
    let clients: Vec<Child> = (0..16)
        .map(|n| {
            let args = ["command", "run", "diag.sleep", "--args-json", "-", "--json"];
            spawn(
                &bench.dir.queue(),
                &args,
                &format!("{{\"ms\":150,\"tag\":\"{n}\"}}"),
            )
        })
        .collect();
    let quick = Instant::now();
    bench.json(&SEARCH);
    assert!(
        quick.elapsed() < Duration::from_millis(140),
        "a sleeping command keeps nobody waiting"
    );
    for (n, client) in clients.into_iter().enumerate() {
        let told: Value =
            serde_json::from_slice(&client.wait_with_output().unwrap().stdout).unwrap();
        assert_eq!(told["outputs"]["tag"], json!(n.to_string()));
    }
    for name in ["requests", "answers"] {
        assert_eq!(
            fs::read_dir(bench.dir.queue().join(name)).unwrap().count(),
            0,
            "{name}"
        );
    }
}

#[test]
fn what_is_no_request_is_answered_or_left_alone() {
    let bench = Bench::new();
    let requests = bench.dir.queue().join("requests");
    fs::write(requests.join("README.md"), "not yours").unwrap();
    fs::write(requests.join(".1.json.part"), "half a requ").unwrap();
    fs::create_dir(requests.join("2.json")).unwrap();
    fs::write(requests.join("3.json"), b"\xff{").unwrap();
    fs::write(requests.join("4.json"), "{\"argv\":[7]}").unwrap();
    for id in ["3", "4"] {
        let answer = bench.dir.queue().join("answers").join(id);
        wait_until(|| answer.exists());
        assert!(
            fs::read_to_string(answer)
                .unwrap()
                .contains("could not be read")
        );
    }
    bench.json(&SEARCH);
    for name in ["README.md", ".1.json.part", "2.json"] {
        assert!(requests.join(name).exists(), "{name}");
    }
}

#[test]
fn the_queue_is_private_and_has_one_broker() {
    let bench = Bench::new();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&bench.dir.queue()), 0o700);
    assert_eq!(mode(&bench.dir.queue().join("answers")), 0o700);
    let second = Broker::start(BrokerOptions::new(bench.dir.queue()));
    assert_eq!(
        second.err().unwrap().to_string(),
        "another broker serves this queue"
    );
}

#[test]
fn a_broker_process_writes_its_record_and_ends_with_its_input() {
    let dir = TempDir::new();
    let record = dir.path().join("read-ceiling.json");
    let flags = [
        "--facets",
        "work",
        "--read-ceiling",
        record.to_str().unwrap(),
        "--until-stdin-closes",
    ];
    let mut broker = broker_process(&dir, &flags);
    let written: Value = serde_json::from_slice(&fs::read(record).unwrap()).unwrap();
    assert_eq!(written["facets"], json!(["work"]));
    assert_eq!(written["facetSource"], "dispatch");
    assert_eq!(
        written["loomReadCeiling"],
        loom_tools_sample::read_ceiling(&["work".to_owned()])
    );
    broker
        .stdin
        .as_mut()
        .unwrap()
        .write_all(b"anything")
        .unwrap();
    assert!(broker.try_wait().unwrap().is_none());
    drop(broker.stdin.take());
    assert_eq!(broker.wait().unwrap().code(), Some(0));
    assert!(!dir.queue().join("ready.json").exists());
}

#[test]
fn a_broker_refuses_options_it_does_not_understand() {
    let dir = TempDir::new();
    let queue = dir.queue();
    let queue = queue.to_str().unwrap();
    for args in [
        &["broker"][..],
        &["broker", "--queue", queue, "--facet", "x"],
        &["broker", "--queue"],
    ] {
        assert_eq!(
            bare(args).output().unwrap().status.code(),
            Some(2),
            "{args:?}"
        );
    }
    let unknown = bare(&["broker", "--queue", queue, "--facets", "wrok"])
        .output()
        .unwrap();
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("no facet \"wrok\""));
}
