//! End of input, signals, a vanished parent: nothing is left running.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::client::{Client, command, open};
use crate::fake::{Fake, eventually, gone, runs};

#[test]
fn end_of_input_in_a_call_leaves_nothing_running() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("h", "hang-1");
    let input = json!({ "command": "diag.hang", "args": { "tag": "c" } });
    client.call("c", "run_read_command", input);
    let mut ids = fake.started("hang-1");
    ids.extend(fake.started("tagc"));
    let start = Instant::now();
    client.close();
    assert!(client.exit().success());
    assert!(start.elapsed() < Duration::from_secs(10), "a bounded drain");
    gone(&ids);
}

#[test]
fn calls_that_are_nearly_done_are_answered_after_the_end_of_input() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    client.search("1", "one");
    client.search("2", "two");
    client.close();
    client.result("1");
    client.result("2");
    assert!(client.exit().success());
}

#[test]
fn a_server_nobody_talked_to_ends_with_its_input() {
    let fake = Fake::new();
    let mut client = Client::of(command(&fake, &[]), true);
    client.close();
    assert!(client.exit().success());
}

#[test]
fn a_signal_in_a_call_leaves_nothing_running() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::INT, 130), (Signal::HUP, 129)] {
        let fake = Fake::new();
        let mut client = open(&fake, &[]);
        client.search("h", "hang-1");
        let ids = fake.started("hang-1");
        let server = Pid::from_raw(client.id().cast_signed()).unwrap();
        kill_process(server, signal).unwrap();
        assert_eq!(client.exit().code(), Some(code));
        gone(&ids);
    }
}

#[test]
fn a_client_that_is_gone_ends_the_server() {
    let fake = Fake::new();
    let mut client = Client::of(command(&fake, &[]), false);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": { "name": "test", "version": "1" } });
    client.request("init", "initialize", params);
    client.search("h", "hang-1");
    let ids = fake.started("hang-1");
    // Its output is closed and its input is not: the next reply finds nobody.
    client.hang_up();
    client.request("p", "ping", json!({}));
    gone(&ids);
    assert!(client.exit().success());
}

#[test]
fn a_vanished_parent_ends_the_server_even_if_its_input_stays_open() {
    let fake = Fake::new();
    // The shell passes its input on, which this test holds open, and dies.
    let server = command(&fake, &[]);
    let mut words = vec![server.get_program()];
    words.extend(server.get_args());
    let pid = fake.path("pid");
    let script = format!(
        "\"$@\" <&3 & echo $! > {0}.new && mv {0}.new {0}; sleep 600",
        pid.display()
    );
    let mut shell = Command::new("/bin/sh")
        .args(["-c", &format!("exec 3<&0; {script}"), "sh"])
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let id: u32 = eventually("the server starts", || std::fs::read_to_string(&pid).ok())
        .trim()
        .parse()
        .unwrap();
    assert!(runs(id));
    // Long enough to have looked at its parent once.
    std::thread::sleep(Duration::from_millis(500));
    shell.kill().unwrap();
    shell.wait().unwrap();
    gone(&[id]);
}
