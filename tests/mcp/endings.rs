//! End of input, signals, a vanished parent: nothing is left running.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::client::{Client, call, command, initialize, open, search};
use crate::fake::{Fake, eventually, gone, runs};

#[test]
fn end_of_input_in_a_call_leaves_nothing_running() {
    let fake = Fake::new();
    let mut client = open(&fake, &[]);
    let input = json!({ "command": "diag.hang", "args": { "tag": "c" } });
    let command = call("c", "run_read_command", input);
    client.together(&[search("h", "hang-1"), command]);
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
    client.send(&initialize());
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
        "\"$@\" <&3 & echo $! > {0}.new && mv {0}.new {0}; exec sleep 600",
        pid.display()
    );
    let mut shell = Command::new("/bin/sh")
        .args(["-c", &format!("exec 3<&0; {script}"), "sh"])
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let id: u32 = eventually("the server starts", || fs::read_to_string(&pid).ok())
        .trim()
        .parse()
        .unwrap();
    assert!(runs(id));
    // Once it answers it has looked at its parent.
    let mut input = shell.stdin.take().unwrap();
    input
        .write_all(format!("{}\n", initialize()).as_bytes())
        .unwrap();
    let mut reply = String::new();
    let mut output = BufReader::new(shell.stdout.take().unwrap());
    output.read_line(&mut reply).unwrap();
    assert!(reply.contains(r#""id":"init""#), "{reply}");
    shell.kill().unwrap();
    shell.wait().unwrap();
    gone(&[id]);
}

#[test]
fn a_run_that_has_ended_answers_each_call_with_one_fixed_sentence() {
    let fake = Fake::new();
    let log = fake.path("log").display().to_string();
    // Room in the log to reserve two lines of 16 KiB, for one request and for the run's end, and no
    // third. The limit holds for what the engine keeps in memory files, too, which is less.
    fs::write(&log, "\n".repeat((4096 - 32) << 10)).unwrap();
    fs::set_permissions(&log, fs::Permissions::from_mode(0o600)).unwrap();
    let server = command(&fake, &["--audit-log", &log]);
    let mut limited = Command::new("/bin/sh");
    limited.envs(
        server
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let script = "trap '' XFSZ; ulimit -f 8192; exec \"$0\" \"$@\"";
    limited.args(["-c", script]).arg(server.get_program());
    limited.args(server.get_args());
    let mut client = Client::of(limited, true);
    client.initialize();
    client.search("first", "one");
    assert_eq!(client.result("first")["isError"], false);
    let sentence = "The tools of this server have failed, and what became of the call is not \
                    known: a command may have taken effect. The server's log says why.";
    let failed = json!({
        "content": [{ "type": "text", "text": sentence }],
        "isError": true,
    });
    // In the turn that ends the run, its calls; after it, every other.
    client.together(&["a", "b"].map(|id| search(id, "two")));
    for id in ["a", "b"] {
        assert_eq!(client.result(id), failed, "{id}");
    }
    client.call("after", "describe_handle", json!({ "token": "x" }));
    assert_eq!(client.result("after"), failed);
    let log = fs::read_to_string(log).unwrap();
    assert_eq!(log.trim_start().lines().count(), 1, "{}", log.trim_start());
    client.close();
    assert!(client.exit().success());
}
