//! The operator's two configuration files: what is refused, with the file, the key and the remedy,
//! before anything starts.

use std::fs;
use std::os::unix::fs::symlink;

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::{print, rule};
use loom_tools_tests::host::Ran;
use loom_tools_tests::tools;
use rustix::fs::{Mode, mkfifoat};
use serde_json::{Value, json};

use crate::bench;

const RETRIEVAL: &str = "--loom-retrieval-config";
const COMMANDS: &str = "--loom-commands-config";

fn tools(bench: &Bench, flag: &str, path: &str) -> Ran {
    bench.host(&["tools", flag, path]).ran()
}

/// The file with this text is refused; the operator is told which file and what of it.
fn assert_refused(bench: &Bench, flag: &str, text: &str, sentence: &str) {
    let path = bench.write("config.json", text).display().to_string();
    let ran = tools(bench, flag, &path).expect_code(2);
    let expected = format!("error: {path}: {sentence}");
    assert!(
        ran.stderr.starts_with(&expected),
        "{text}: no {expected} in {}",
        ran.report()
    );
    assert!(ran.stdout.is_empty(), "{}", ran.report());
}

fn usual() -> Value {
    json!({ "cliPath": "/opt/loom", "transport": { "kind": "broker", "queuePath": "/q" } })
}

fn with(key: &str, value: Value) -> String {
    let mut config = usual();
    config[key] = value;
    config.to_string()
}

fn without(key: &str) -> String {
    let mut config = usual();
    config.as_object_mut().unwrap().remove(key);
    config.to_string()
}

#[test]
fn what_neither_file_may_say_is_refused_with_the_key_and_the_remedy() {
    let bench = bench();
    let transport = |value: Value| with("transport", value);
    let queue = |value: Value| transport(json!({ "kind": "broker", "queuePath": value }));
    let absolute = "must be an absolute path; write it from `/` on.";
    let cases = [
        (String::new(), "this file is not JSON (".to_owned()),
        (
            "[]".into(),
            "this file must hold one JSON object; write `{ ".into(),
        ),
        (without("cliPath"), "`cliPath` is missing; add it.".into()),
        (
            with("cliPath", json!("loom")),
            format!("`cliPath` {absolute}"),
        ),
        (with("cliPath", json!("")), format!("`cliPath` {absolute}")),
        (
            with("cliPath", json!(7)),
            "`cliPath` must be a string; write it in quotes.".into(),
        ),
        (
            with("cliPath", json!("/a\u{0}b")),
            "`cliPath` holds a control character; ".into(),
        ),
        (
            without("transport"),
            "`transport` is missing; add it.".into(),
        ),
        (
            transport(json!("broker")),
            "`transport` must be an object; ".into(),
        ),
        (
            transport(json!({})),
            "`transport.kind` is missing; add it.".into(),
        ),
        (
            transport(json!({ "kind": "broker" })),
            "`transport.queuePath` is missing; add it.".into(),
        ),
        (
            queue(json!("q")),
            format!("`transport.queuePath` {absolute}"),
        ),
        (
            queue(json!(null)),
            "`transport.queuePath` must be a string; ".into(),
        ),
        (
            transport(json!({ "kind": "broker", "queuePath": "/q", "queue": 1 })),
            "`transport.queue` is not a known key; remove it (known here: ".into(),
        ),
        (
            with("cli", json!("/a")),
            "`cli` is not a known key; remove it (known here: `cliPath`, `transport`, ".into(),
        ),
        (
            r#"{"cliPath":"/a","cliPath":"/b"}"#.into(),
            "`cliPath` is given twice; keep one of the two.".into(),
        ),
    ];
    for (text, sentence) in &cases {
        assert_refused(&bench, RETRIEVAL, text, sentence);
        assert_refused(&bench, COMMANDS, text, sentence);
    }
}

#[test]
fn what_the_retrieval_file_alone_may_not_say_is_refused() {
    let bench = bench();
    let direct = |key: &str, value: Value| {
        let mut direct = json!({ "kind": "direct", "instanceDir": "/i", "runId": "r" });
        direct[key] = value;
        with("transport", direct)
    };
    let run_id = "`transport.runId` must be 1 to 128 characters without control characters; ";
    let facets = "`facets` must be a nonempty list of facet ids, ";
    let absolute = "must be an absolute path; write it from `/` on.";
    for (text, sentence) in [
        (
            with("readCeilngFile", json!("/c")),
            "`readCeilngFile` is not a known key; write `readCeilingFile` or remove it.",
        ),
        (
            with("readCeilingFile", json!("c")),
            &format!("`readCeilingFile` {absolute}"),
        ),
        (
            with("readCeilingFile", json!(null)),
            "`readCeilingFile` must be a string; ",
        ),
        (with("facets", json!([])), facets),
        (with("facets", json!("work")), facets),
        (with("facets", json!(["Work"])), facets),
        (with("facets", json!(["a".repeat(65)])), facets),
        (with("facets", json!([1])), facets),
        (
            with("jobIdEnvVar", json!("X")),
            "`jobIdEnvVar` is not a known key; remove it ",
        ),
        (
            with("transport", json!({ "kind": "socket" })),
            "`transport.kind` must be `broker` or `direct`; write one of them.",
        ),
        (
            direct("instanceDir", json!("i")),
            &format!("`transport.instanceDir` {absolute}"),
        ),
        (direct("runId", json!("  ")), run_id),
        (direct("runId", json!("r".repeat(129))), run_id),
        (direct("runId", json!("a\u{7}b")), run_id),
        (
            direct("actor", json!(5)),
            "`transport.actor` must be a string; ",
        ),
        (
            direct("queuePath", json!("/q")),
            "`transport.queuePath` is not a known key; ",
        ),
    ] {
        assert_refused(&bench, RETRIEVAL, &text, sentence);
    }
}

#[test]
fn what_the_command_file_alone_may_not_say_is_refused() {
    let bench = bench();
    let direct = json!({ "kind": "direct", "instanceDir": "/i", "runId": "r" });
    let broker = "`transport.kind` must be `broker`, which keeps the grant; start a broker and ";
    assert_refused(&bench, COMMANDS, &with("transport", direct), broker);
    let known = "`facets` is not a known key; remove it ";
    assert_refused(&bench, COMMANDS, &with("facets", json!(["work"])), known);
    let form = "`jobIdEnvVar` must be of `A-Z 0-9 _` and not open with a digit; ";
    for name in ["", "job", "1JOB", "JOB-ID", "JOB=ID", "Jö"] {
        assert_refused(&bench, COMMANDS, &with("jobIdEnvVar", json!(name)), form);
    }
    let replaces = "`jobIdEnvVar` must not replace a variable the host sets; ";
    let set = [
        "PATH",
        "LOOM_PAGE_RPC_QUEUE",
        "LOOM_SEARCH_BROKER_QUEUE",
        "LOOM_INSTANCE_DIR",
        "LOOM_DISPATCH_ID",
    ];
    for name in set {
        assert_refused(
            &bench,
            COMMANDS,
            &with("jobIdEnvVar", json!(name)),
            replaces,
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_refused() {
    let bench = bench();
    fs::create_dir(bench.path("dir.json")).unwrap();
    mkfifoat(
        rustix::fs::CWD,
        bench.path("pipe.json"),
        Mode::RUSR | Mode::WUSR,
    )
    .unwrap();
    bench.write(
        "large.json",
        format!("{usual}{}", " ".repeat(1 << 20), usual = usual()),
    );
    bench.write("home/outside.json", usual().to_string());
    symlink(bench.path("home/outside.json"), bench.path("link.json")).unwrap();
    for flag in [RETRIEVAL, COMMANDS] {
        for name in [
            "none.json",
            "dir.json",
            "pipe.json",
            "large.json",
            "link.json",
            "no/dir.json",
        ] {
            let path = bench.path(name).display().to_string();
            let sentence = format!("error: {path}: this file cannot be read (");
            let ran = tools(&bench, flag, &path)
                .expect_code(2)
                .expect_stderr(&sentence);
            let remedy = "name a readable, regular file of at most 1 MiB";
            assert!(ran.stderr.contains(remedy), "{}", ran.report());
        }
        let relative = "retrieval.json: the path of this file must be absolute; ";
        tools(&bench, flag, "retrieval.json")
            .expect_code(2)
            .expect_stderr(relative);
    }
}

#[test]
fn the_variables_name_the_files_and_a_flag_wins_over_its_variable() {
    let bench = bench();
    let listed = |ran: Ran| {
        let listed = ran.expect_code(0).json();
        listed["tools"].as_array().unwrap().len()
    };
    let (retrieval, commands) = (bench.path("retrieval.json"), bench.path("commands.json"));
    let variables = [
        "CF_HARNESS_LOOM_RETRIEVAL_CONFIG",
        "CF_HARNESS_LOOM_COMMANDS_CONFIG",
    ];
    let host = || bench.host(&["tools"]);
    let both = host()
        .env(variables[0], &retrieval)
        .env(variables[1], &commands);
    assert_eq!(listed(both.ran()), 12);
    assert_eq!(listed(host().env(variables[0], &retrieval).ran()), 9);
    // An empty one is not set.
    assert_eq!(
        listed(
            host()
                .env(variables[0], "")
                .env(variables[1], &commands)
                .ran()
        ),
        4
    );
    let none = bench.path("none.json");
    let ran = host().env(variables[0], &none).ran().expect_code(2);
    ran.expect_stderr("none.json: this file cannot be read");
    let won = host()
        .with(RETRIEVAL)
        .with(&retrieval)
        .env(variables[0], &none);
    assert_eq!(listed(won.ran()), 9);
    let lost = host()
        .with(COMMANDS)
        .with(&none)
        .env(variables[1], &commands);
    lost.ran()
        .expect_code(2)
        .expect_stderr("none.json: this file cannot be read");
}

#[test]
fn a_job_id_in_the_file_is_ignored_with_a_warning() {
    let bench = bench();
    let path = bench.configure_commands(|config| config["jobId"] = json!("j"));
    let ran = tools(&bench, COMMANDS, &path.display().to_string()).expect_code(0);
    ran.expect_stderr("`jobId` is ignored; remove it and give the id with each run.");
}

#[test]
fn allowing_a_tool_that_is_not_configured_or_not_there_is_a_contradiction() {
    let bench = bench();
    let (retrieval, commands) = (bench.path("retrieval.json"), bench.path("commands.json"));
    let refused = |tool: &str, flag: &str| {
        let sentence = format!(
            "`--allow-tool {tool}` names a tool that is not configured; give `{flag} FILE` or leave \
             the tool out"
        );
        let (other, path) = if flag == RETRIEVAL {
            (COMMANDS, &commands)
        } else {
            (RETRIEVAL, &retrieval)
        };
        let host = bench.host(&["tools", "--allow-tool", "describe_handle", tool]);
        host.with(other)
            .with(path)
            .ran()
            .expect_code(2)
            .expect_stderr(&sentence);
    };
    for tool in tools::RETRIEVAL {
        refused(tool, RETRIEVAL);
    }
    for tool in tools::COMMANDS {
        refused(tool, COMMANDS);
    }
    let unknown = bench
        .run(&["tools"], &["--allow-tool", "loom_serach"])
        .ran();
    unknown
        .expect_code(2)
        .expect_stderr("--allow-tool: there is no tool `loom_serach`; the nearest are loom_search");
}

#[test]
fn a_refused_configuration_starts_no_process_whatever_the_command() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    bench.configure_commands(|config| config["more"] = json!(1));
    let call = bench
        .call("loom_profile", &json!({}), &[])
        .ran()
        .expect_code(2);
    assert!(call.stdout.is_empty(), "{}", call.report());
    let session = bench.run(&["session"], &[]);
    let session = session.stdin(*b"{\"calls\":[]}\n").ran().expect_code(2);
    assert!(session.stdout.is_empty(), "{}", session.report());
    bench.fake.assert_unused();
}
