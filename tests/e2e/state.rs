//! A run that is saved in a file and continued from it.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{Step, print, rule};
use loom_tools_tests::host::{Host, Ran};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::bench;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn call(bench: &Bench, tool: &str, input: &Value, flags: &[&str]) -> Host {
    bench.call(tool, input, &[&["--state", "run.state"], flags].concat())
}

/// Nothing opens with this state, and the file stays as it is.
fn assert_refused(bench: &Bench, bytes: impl AsRef<[u8]>, sentence: &str) -> Ran {
    let path = bench.write("run.state", &bytes);
    let ran = call(bench, "describe_handle", &json!({ "token": "x" }), &[]).ran();
    let ran = ran.expect_code(2).expect_stderr(sentence);
    assert!(ran.stdout.is_empty(), "{}", ran.report());
    assert!(
        fs::read(path).unwrap() == bytes.as_ref(),
        "the file was touched"
    );
    ran
}

#[test]
fn a_saved_run_goes_on_with_its_id_its_counter_its_handles_its_label_and_its_catalog() {
    let bench = bench();
    let row = json!({ "a": 1, "ifc": { "confidentiality": ["work"] } });
    let listing = json!({ "commands": [{ "id": "a.b", "title": "A" }] });
    bench.fake.script(&[
        rule(&["profile"], [print(row)]),
        rule(&["command list"], [print(listing)]),
        rule(&["command run"], [Step::Echo]),
    ]);
    let first = call(&bench, "loom_profile", &json!({}), &["--run-id", "the:run"]);
    let first = first.ran().expect_code(0).json();
    assert_eq!(first["outputId"], "the:run:loom_profile:1");
    let state = bench.path("run.state");
    assert_eq!(mode(&state), 0o600);
    // The id is the state's own when none is given.
    let token = &first["entries"][0]["handle"];
    let described = call(&bench, "describe_handle", &json!({ "token": token }), &[]);
    let described = described.ran().expect_code(0).json();
    assert_eq!(described["outputId"], "the:run:describe_handle:2");
    assert_eq!(described["known"], true);
    let write = ["--prompt-slot", "direct-command", "--artifact"];
    let input = json!({ "command": "a.b", "args": {} });
    for (n, processes) in [(3, 3), (4, 4)] {
        let ran = call(&bench, "run_command", &input, &write)
            .ran()
            .expect_code(0)
            .json();
        let reply = &ran["reply"];
        assert_eq!(reply["outputId"], format!("the:run:run_command:{n}"));
        // The query carries the label the run observed before.
        assert_eq!(
            reply["observation"]["label"],
            json!({ "confidentiality": ["work"] })
        );
        // The first reads the listing, which the second one has.
        assert_eq!(bench.fake.records().len(), processes);
    }
    let other = call(
        &bench,
        "describe_handle",
        &json!({ "token": token }),
        &["--run-id", "other"],
    );
    other
        .ran()
        .expect_code(2)
        .expect_stderr("The saved run is another run: its run id differs.");
}

#[test]
fn a_session_saves_each_turn_before_it_answers_it() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print(r#"{"a":1}"#)])]);
    let mut session = bench.session(&["--run-id", "r", "--state", "run.state"]);
    assert!(!bench.path("run.state").exists());
    let shown = session.shown("loom_profile", json!({}));
    let token = shown["entries"][0]["handle"].as_str().unwrap().to_owned();
    let saved = fs::read_to_string(bench.path("run.state")).unwrap();
    assert!(saved.contains(&token), "{saved}");
    // A session that is killed in its next turn loses that turn alone, and the lock with it.
    bench.fake.script(&[rule(
        &[],
        [Step::Touch("begun".into()), Step::Sleep(300_000)],
    )]);
    session.send(b"{\"calls\":[{\"id\":\"1\",\"tool\":\"loom_profile\"}]}\n");
    bench.fake.await_file("begun");
    session.signal(Signal::KILL);
    session.ended();
    assert_eq!(fs::read_to_string(bench.path("run.state")).unwrap(), saved);
    let described = call(&bench, "describe_handle", &json!({ "token": token }), &[]);
    let described = described.ran().expect_code(0).json();
    assert_eq!(
        (&described["known"], &described["outputId"]),
        (&json!(true), &json!("r:describe_handle:2"))
    );
}

#[test]
fn a_second_process_is_refused_while_the_first_has_the_run() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print(r#"{"a":1}"#)])]);
    let mut session = bench.session(&["--run-id", "r", "--state", "run.state"]);
    session.shown("loom_profile", json!({}));
    let saved = fs::read(bench.path("run.state")).unwrap();
    let second = || call(&bench, "describe_handle", &json!({ "token": "x" }), &[]).ran();
    let ran = second()
        .expect_code(2)
        .expect_stderr("another process continues this run now");
    assert!(ran.stderr.contains("run.state"), "{}", ran.report());
    assert!(fs::read(bench.path("run.state")).unwrap() == saved);
    // The first goes on as if nothing had been, and then leaves it.
    session.shown("loom_profile", json!({}));
    assert!(session.end().success());
    let ran = second().expect_code(0);
    assert_eq!(ran.json()["outputId"], "r:describe_handle:3");
}

#[test]
fn a_damaged_state_is_refused_whole_and_left_as_it_is() {
    let bench = bench();
    bench
        .fake
        .script(&[rule(&[], [print(r#"{"body":"the content"}"#)])]);
    call(&bench, "loom_profile", &json!({}), &["--run-id", "r"])
        .ran()
        .expect_code(0);
    let saved = fs::read_to_string(bench.path("run.state")).unwrap();
    let damaged = "The saved run is damaged: its content does not match its digest.";
    assert_refused(&bench, saved.replace("the content", "the c0ntent"), damaged);
    assert_refused(
        &bench,
        saved.get(..saved.len() - 10).unwrap(),
        "The saved run is not JSON: it is damaged.",
    );
    assert_refused(&bench, "", "The saved run is not JSON: it is damaged.");
    assert_refused(&bench, b"\xff\xfe", "run.state: ");
    assert_refused(
        &bench,
        "{}",
        "The saved state is no saved run of loom-tools.",
    );
    let other = saved.replacen("\"version\":1", "\"version\":2", 1);
    assert_refused(
        &bench,
        other,
        "The saved run is of another version of loom-tools.",
    );
    // What it was, it still is.
    bench.write("run.state", &saved);
    let shown = call(&bench, "describe_handle", &json!({ "token": "x" }), &[])
        .ran()
        .expect_code(0);
    assert_eq!(shown.json()["outputId"], "r:describe_handle:2");
}

#[test]
fn a_state_that_is_no_file_or_has_no_directory_is_refused() {
    let bench = bench();
    fs::create_dir(bench.path("run.state")).unwrap();
    let open = |path: &str| {
        bench
            .call("loom_profile", &json!({}), &["--state", path])
            .ran()
    };
    open("run.state")
        .expect_code(2)
        .expect_stderr("run.state: it is not a regular file");
    open("no/such/directory")
        .expect_code(2)
        .expect_stderr("its directory cannot be opened");
    open("/")
        .expect_code(2)
        .expect_stderr("this path names no file");
    // 512 MiB are the most that is read.
    let large = fs::File::create(bench.path("large")).unwrap();
    large.set_len((512 << 20) + 1).unwrap();
    open("large")
        .expect_code(2)
        .expect_stderr("large: it is larger than 512 MiB");
    // A link out of its directory is not followed.
    bench.write("home/elsewhere", "mine");
    symlink(bench.path("home/elsewhere"), bench.queue().join("state")).unwrap();
    open("queue/state").expect_code(2);
    assert_eq!(
        fs::read_to_string(bench.path("home/elsewhere")).unwrap(),
        "mine"
    );
    bench.fake.assert_unused();
}

#[test]
fn a_turn_whose_run_cannot_be_saved_says_what_may_have_landed_and_shows_nothing() {
    let bench = bench();
    bench.fake.script(&[
        rule(&["command list"], [print(r#"{"commands":[{"id":"a.b"}]}"#)]),
        rule(&["command run"], [Step::Echo]),
    ]);
    // Nothing can be written where the next state belongs.
    fs::create_dir(bench.path(".run.state.tmp")).unwrap();
    let input = json!({ "command": "a.b", "args": {} });
    let flags = ["--state", "run.state", "--prompt-slot", "direct-command"];
    let landed = "the turn has no answer, and what it had started may have taken effect: \
                  `command-list` for call \"1\" (exited with 0), `command-run` for call \"1\" (exited with 0): ";
    let line = json!({ "calls": [{ "id": "1", "tool": "run_command", "input": input }] });
    for host in [
        bench.call("run_command", &input, &flags),
        bench.run(&["session"], &flags).stdin(line.to_string()),
    ] {
        let ran = host.ran().expect_code(1).expect_stderr(landed);
        let ran = ran.expect_stderr("run.state: ");
        assert!(ran.stdout.is_empty(), "{}", ran.report());
        let runs = bench.fake.take_records().len();
        assert_eq!(runs, 2, "a listing and a write");
    }
    // Without a process there is nothing to warn of.
    let ran = call(&bench, "describe_handle", &json!({ "token": "x" }), &[]).ran();
    let ran = ran.expect_code(1).expect_stderr("run.state: ");
    assert!(!ran.stderr.contains("taken effect"), "{}", ran.report());
}

#[test]
fn a_state_that_others_could_read_is_private_once_it_is_saved_and_rests_of_a_crash_do_no_harm() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print(r#"{"a":1}"#)])]);
    let state = bench.path("run.state");
    call(&bench, "loom_profile", &json!({}), &["--run-id", "r"])
        .ran()
        .expect_code(0);
    fs::set_permissions(&state, fs::Permissions::from_mode(0o644)).unwrap();
    let rest = bench.write(".run.state.tmp", "half of a st");
    let shown = call(&bench, "loom_profile", &json!({}), &[])
        .ran()
        .expect_code(0)
        .json();
    assert_eq!(shown["outputId"], "r:loom_profile:2");
    assert_eq!(mode(&state), 0o600);
    assert!(!rest.exists());
    assert_eq!(mode(&bench.path(".run.state.lock")), 0o600);
}
