//! The command line with a hostile component: one clear sentence on standard error, nothing of the
//! component's on standard output, and no panic.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use crate::fixture::guest::{self, Behaviour};
use crate::fixture::script;
use crate::fixture::wat::{Core, NOTHING, SPIN};
use crate::fixture::{Stage, wait_until};

/// `loom-tools` with this component and a retrieval configuration, given this to read.
fn loom_tools(stage: &Stage, component: &[u8], args: &[&str], input: &str) -> Output {
    let mut child = spawn(stage, component, args);
    // It may end before it reads.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn spawn(stage: &Stage, component: &[u8], args: &[&str]) -> Child {
    let dir = stage.dir();
    let write = |name: &str, bytes: &[u8]| -> PathBuf {
        let path = dir.join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let config = serde_json::json!({
        "cliPath": script::path(),
        "transport": { "kind": "broker", "queuePath": dir },
    });
    let config = write("retrieval.json", config.to_string().as_bytes());
    let component = write("hostile.wasm", component);
    let mut command = Command::new(env!("CARGO_BIN_EXE_loom-tools-under-test"));
    command
        .args(args)
        .arg("--loom-retrieval-config")
        .arg(config)
        .arg("--component")
        .arg(component)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// It ends so, with one line on standard error, and nothing on standard output.
#[track_caller]
fn assert_fails(output: &Output, code: i32, sentence: &str) {
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert!(told.contains(sentence), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(!told.contains('\u{1b}'), "{told}");
}

/// One turn of a session, as a line; `input` is JSON.
fn turn(behaviour: Behaviour, input: &str) -> String {
    let input = behaviour.input(input);
    format!("{{\"calls\":[{{\"id\":\"1\",\"tool\":\"loom_profile\",\"input\":{input}}}]}}\n")
}

#[test]
fn a_session_with_too_few_replies_ends_with_a_sentence() {
    let stage = Stage::new();
    let component = Core::new().component();
    let output = loom_tools(
        &stage,
        &component,
        &["session"],
        &turn(Behaviour::Show, "{}"),
    );
    assert_fails(
        &output,
        1,
        "malformed: 0 replies to 1 calls; its run is over",
    );
}

#[test]
fn a_session_shows_a_good_reply_on_one_line() {
    let stage = Stage::new();
    let line = turn(Behaviour::Show, "[1,2]");
    let output = loom_tools(&stage, guest::component(), &["session"], &line);
    let shown = String::from_utf8(output.stdout).unwrap();
    assert_eq!(shown.lines().count(), 1, "{shown}");
    assert!(shown.contains(r#""shown":[1,2]"#), "{shown}");
}

#[test]
fn a_session_shows_no_reply_with_white_space_of_its_own() {
    let stage = Stage::new();
    let line = turn(Behaviour::Show, "[ {}\t]");
    let output = loom_tools(&stage, guest::component(), &["session"], &line);
    assert_fails(&output, 1, "its `shown` is not one line of JSON");
}

#[test]
fn a_call_with_a_trap_ends_with_a_sentence() {
    let stage = Stage::new();
    let core = Core::invoking("(unreachable)").component();
    let output = loom_tools(&stage, &core, &["call", "loom_profile"], "");
    assert_fails(
        &output,
        1,
        "error: the component trapped: wasm trap: wasm `unreachable`",
    );
}

#[test]
fn a_call_that_breaks_a_limit_ends_with_its_name() {
    let stage = Stage::new();
    let core = Core::invoking("(drop (memory.grow (i32.const 8192))) (unreachable)").component();
    let output = loom_tools(&stage, &core, &["call", "loom_profile"], "");
    assert_fails(
        &output,
        1,
        "error: the component broke a limit: linear memory; its run is over",
    );
}

#[test]
fn a_listing_with_a_trap_ends_with_a_sentence() {
    let stage = Stage::new();
    let core = Core {
        tools: "(unreachable)".to_owned(),
        ..Core::new()
    };
    let output = loom_tools(&stage, &core.component(), &["tools"], "");
    assert_fails(&output, 1, "error: the component trapped");
}

#[test]
fn a_refusal_of_the_components_writes_nothing_on_the_terminal() {
    let stage = Stage::new();
    let core = Core {
        items: r#"(data (i32.const 128) "a\1b[2J\0ab")"#.to_owned(),
        start:
            "(i32.store8 (i32.const 64) (i32.const 1)) (i32.store (i32.const 68) (i32.const 128))
            (i32.store (i32.const 72) (i32.const 7)) (i32.const 64)"
                .to_owned(),
        ..Core::new()
    };
    let output = loom_tools(&stage, &core.component(), &["call", "loom_profile"], "");
    assert_fails(&output, 2, "error: a\u{fffd}[2J\u{fffd}b");
}

#[test]
fn a_component_that_imports_more_is_a_usage_error_that_names_it() {
    let stage = Stage::new();
    let more = r#"(component (import "wasi:cli/environment@0.2.0" (instance)))"#;
    let component = wat::parse_str(more).unwrap();
    let output = loom_tools(&stage, &component, &["call", "loom_profile"], "");
    assert_fails(&output, 2, "`wasi:cli/environment@0.2.0`");
    assert!(stage.started().is_empty());
}

#[test]
fn a_component_that_is_none_is_a_usage_error() {
    let stage = Stage::new();
    for bytes in [&b""[..], b"loom", b"\0asm\x0d\0\x01\0\xff"] {
        let output = loom_tools(&stage, bytes, &["tools"], "");
        assert_fails(&output, 2, "it is not a WebAssembly component");
    }
}

#[test]
fn a_signal_ends_the_program_though_the_component_spins() {
    let stage = Stage::new();
    let asks_then_spins = Core::asking("").invoke.replace(NOTHING, SPIN);
    let component = Core::invoking(&asks_then_spins).component();
    let child = spawn(&stage, &component, &["call", "loom_page_read"]);
    wait_until("its process", || stage.started().len() == 1);
    let kill = Command::new("kill").arg(child.id().to_string()).status();
    assert!(kill.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(128 + 15));
}
