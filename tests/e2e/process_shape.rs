//! Each process seen from inside: its arguments, its whole environment, its directory, its standard
//! input, its group and what it was born with.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use loom_tools_tests::bench::{Bench, SEARCH_PATH};
use loom_tools_tests::fake::{Record, print, rule};
use serde_json::{Value, json};

use crate::bench;

const LOOM: &str = "loom-0123456789abcdef";

/// A tool, an input, and the arguments it becomes.
type Case = (&'static str, Value, &'static [&'static str]);

fn retrievals() -> Vec<Case> {
    let search = json!({
        "rank": "score", "limit": 200, "person": "Ada", "tz": "Europe/Berlin", "until": "2026-02-01",
        "since": "7d", "sources": "mail,notes", "query": "the quay; $(id) `id` \"x\" *"
    });
    vec![
        (
            "loom_search",
            search,
            &[
                "search",
                "the quay; $(id) `id` \"x\" *",
                "--json",
                "--sources",
                "mail,notes",
                "--since",
                "7d",
                "--until",
                "2026-02-01",
                "--tz",
                "Europe/Berlin",
                "--person",
                "Ada",
                "--limit",
                "200",
                "--rank",
                "score",
            ],
        ),
        (
            "loom_search",
            json!({"query": "q"}),
            &["search", "q", "--json"],
        ),
        (
            "loom_search",
            json!({"person": "p", "limit": 1, "rank": "recency"}),
            &[
                "search", "--json", "--person", "p", "--limit", "1", "--rank", "recency",
            ],
        ),
        (
            "loom_page_discover",
            json!({}),
            &["page", "discover", "--json", "--concise"],
        ),
        (
            "loom_page_discover",
            json!({"limit": 5.0, "kind": "entities"}),
            &[
                "page",
                "discover",
                "--json",
                "--concise",
                "--kind",
                "entities",
                "--limit",
                "5",
            ],
        ),
        (
            "loom_page_inspect",
            json!({"target": "Projects/Quay"}),
            &["page", "inspect", "Projects/Quay", "--json", "--concise"],
        ),
        (
            "loom_page_read",
            json!({"target": "Ünïcode 🛶"}),
            &["page", "read", "Ünïcode 🛶", "--json"],
        ),
        (
            "loom_people",
            json!({"query": "ada@example.com"}),
            &["people", "ada@example.com", "--json"],
        ),
        (
            "loom_people",
            json!({"query": "People/Ada L/about.md", "shape": "card"}),
            &[
                "people",
                "People/Ada L/about.md",
                "--json",
                "--shape",
                "card",
            ],
        ),
        (
            "loom_calendar_list",
            json!({}),
            &["calendar", "list", "--json"],
        ),
        (
            "loom_calendar_list",
            json!({"all": false, "to": "2026-02-28", "from": "2024-02-29"}),
            &[
                "calendar",
                "list",
                "--json",
                "--from",
                "2024-02-29",
                "--to",
                "2026-02-28",
            ],
        ),
        (
            "loom_calendar_list",
            json!({"all": true}),
            &["calendar", "list", "--json", "--all"],
        ),
        (
            "loom_context",
            json!({"read": "where", "at": "noon"}),
            &["context", "where", "--json", "--at", "noon"],
        ),
        (
            "loom_context",
            json!({"read": "activity", "until": "u", "since": "s", "at": "a"}),
            &[
                "context", "activity", "--json", "--at", "a", "--since", "s", "--until", "u",
            ],
        ),
        ("loom_profile", json!({}), &["profile", "--json"]),
        (
            "loom_profile",
            json!({"fresh": true}),
            &["profile", "--json", "--fresh"],
        ),
    ]
}

fn with_path(routing: &[(&str, String)]) -> BTreeMap<String, String> {
    let path = ("PATH".to_owned(), SEARCH_PATH.to_owned());
    let routing = routing
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    routing.chain([path]).collect()
}

/// What holds of every process, whatever it is for.
fn assert_born_bare(bench: &Bench, record: &Record) {
    assert_eq!(record.argv[0], bench.fake.path().display().to_string());
    assert_eq!(record.cwd, "/");
    assert_eq!(record.group, record.pid, "it leads a group of its own");
}

#[test]
fn each_retrieval_is_one_process_with_exactly_these_arguments() {
    let bench = bench();
    let queue = bench.queue().display().to_string();
    let env = with_path(&[
        ("LOOM_PAGE_RPC_QUEUE", queue.clone()),
        ("LOOM_SEARCH_BROKER_QUEUE", queue),
    ]);
    let mut session = bench.session(&["--command-job-id", "job-7"]);
    for (tool, input, args) in retrievals() {
        session.shown(tool, input);
        let records = bench.fake.take_records();
        assert_eq!(records.len(), 1, "{tool}");
        assert_eq!(records[0].args(), args);
        assert_eq!(records[0].env, env, "{tool}");
        assert_eq!(records[0].stdin_from, "/dev/null", "{tool}");
        assert_born_bare(&bench, &records[0]);
    }
}

#[test]
fn a_direct_transport_sets_the_instance_and_the_dispatch_and_no_queue() {
    let bench = bench();
    let instance = bench.path("instance").display().to_string();
    bench.configure_retrieval(|config| {
        config["transport"] =
            json!({ "kind": "direct", "instanceDir": instance, "runId": " dispatch 9 ", "actor": "a" });
    });
    let env = with_path(&[
        ("LOOM_INSTANCE_DIR", instance.clone()),
        ("LOOM_DISPATCH_ID", "dispatch 9".to_owned()),
    ]);
    let mut session = bench.session(&[]);
    let calls: Vec<_> = retrievals()
        .into_iter()
        .map(|(tool, input, _)| (tool, input))
        .collect();
    session.turn(&calls);
    let records = bench.fake.take_records();
    assert_eq!(records.len(), calls.len());
    for record in &records {
        assert_eq!(record.env, env, "{:?}", record.argv);
        assert_eq!(record.stdin_from, "/dev/null");
        assert_born_bare(&bench, record);
    }
}

#[test]
fn a_command_is_one_process_with_its_arguments_on_standard_input() {
    let bench = bench();
    let listing = json!({ "commands": [
        { "id": "notes.list", "effect": "read", "readOnlyGranted": true }, { "id": "notes.create" },
    ] });
    bench
        .fake
        .script(&[rule(&["command list"], [print(listing)])]);
    let queue = bench.queue().display().to_string();
    let env = with_path(&[("LOOM_PAGE_RPC_QUEUE", queue)]);
    let mut session = bench.session(&["--prompt-slot", "direct-command"]);
    let args = r#"{"n":1.50,"big":12345678901234567890,"huge":1e400,"text":"-x 'ü'\n"}"#;
    let call = |tool: &str, more: &str| {
        let input = format!(r#"{{ "command": "notes.list", "args": {args}{more} }}"#);
        format!(r#"{{"calls":[{{"id":"1","tool":"{tool}","input":{input}}}]}}"#)
    };
    let more = format!(r#", "loomId": "{LOOM}", "expectedVersion": 9007199254740991"#);
    session.ask(&call("run_command", ""));
    session.ask(&call("run_command", &more));
    session.ask(&call("run_read_command", &more));
    let records = bench.fake.take_records();
    let list = vec!["command", "list", "--json"];
    let run = vec!["command", "run", "notes.list", "--args-json", "-", "--json"];
    let flags = ["--loom", LOOM, "--expect", "9007199254740991"];
    let expected = [
        // The first of the run reads the listing, and so does every read.
        list.clone(),
        run.clone(),
        [&run[..], &flags].concat(),
        list,
        [&run[..], &flags, &["--read-only"]].concat(),
    ];
    let seen: Vec<_> = records.iter().map(Record::args).collect();
    assert_eq!(seen, expected);
    for record in &records {
        assert_eq!(record.env, env, "{:?}", record.argv);
        assert_born_bare(&bench, record);
        if record.argv[2] == "list" {
            assert_eq!(record.stdin_from, "/dev/null");
        } else {
            assert_eq!(record.stdin, args);
        }
    }
}

#[test]
fn the_job_id_reaches_commands_when_it_is_configured_and_supplied() {
    for (configured, supplied) in [(true, true), (true, false), (false, true)] {
        let bench = bench();
        bench.fake.script(&[rule(
            &["command list"],
            [print(r#"{"commands":[{"id":"a"}]}"#)],
        )]);
        bench.configure_commands(|config| {
            // An id in the file is ignored.
            config["jobId"] = json!("DECOY-of-the-file");
            if configured {
                config["jobIdEnvVar"] = json!("LOOM_COMMAND_JOB_ID");
            }
        });
        let mut flags = vec!["--prompt-slot", "direct-command"];
        if supplied {
            flags.extend(["--command-job-id", "job-7"]);
        }
        let mut session = bench.session(&flags);
        session.shown("run_command", json!({ "command": "a", "args": {} }));
        session.shown("loom_profile", json!({}));
        let records = bench.fake.take_records();
        let jobs: Vec<_> = records
            .iter()
            .map(|record| record.env.get("LOOM_COMMAND_JOB_ID"))
            .collect();
        let job = "job-7".to_owned();
        let job = (configured && supplied).then_some(&job);
        assert_eq!(jobs, [job, job, None], "{configured} {supplied}");
    }
}

#[test]
fn without_a_search_path_of_the_host_there_is_none() {
    let bench = bench();
    let host = bench.call("loom_profile", &json!({}), &[]);
    host.without_env("PATH").ran().expect_code(0);
    let records = bench.fake.records();
    assert!(!records[0].env.contains_key("PATH"), "{records:?}");
    assert_eq!(records[0].env.len(), 2);
}

#[test]
fn a_process_is_born_with_no_descriptor_of_the_hosts() {
    let bench = bench();
    // What this test itself was started with and could not close is not the host's doing.
    let direct = Command::new(bench.fake.path())
        .arg("profile")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status();
    assert_eq!(direct.unwrap().code(), Some(99));
    let before = bench.fake.take_records().remove(0).descriptors;
    let state = bench.path("run.state").display().to_string();
    bench
        .call("loom_profile", &json!({}), &["--state", &state])
        .ran()
        .expect_code(0);
    let after = bench.fake.take_records().remove(0).descriptors;
    assert_eq!(after, before);
}

#[test]
fn a_job_id_that_no_process_gets_is_warned_of() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let told = || {
        let flags = ["--command-job-id", "job-7"];
        let ran = bench.call("loom_profile", &json!({}), &flags).ran();
        ran.expect_code(0).stderr
    };
    assert!(told().contains("`--command-job-id` reaches no process"));
    bench.configure_commands(|config| config["jobIdEnvVar"] = json!("LOOM_COMMAND_JOB_ID"));
    assert_eq!(told(), "");
    let flags = ["--command-job-id", "job-7"];
    let ran = bench.host(&["tools"]).with(flags[0]).with(flags[1]).ran();
    ran.expect_code(0).expect_stderr("reaches no process");
}
