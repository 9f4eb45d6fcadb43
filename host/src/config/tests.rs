//! What the two files may say, and the exact sentence for everything they may not.

mod files;
mod refusals;
mod schemas;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::{Commands, Retrieval, Transport};

const FILE: &str = "/etc/loom.json";

fn retrieval(text: &str) -> Result<Retrieval, String> {
    Retrieval::parse(Path::new(FILE), text.as_bytes()).map_err(|error| error.to_string())
}

fn commands(text: &str) -> Result<Commands, String> {
    Commands::parse(Path::new(FILE), text.as_bytes()).map_err(|error| error.to_string())
}

#[test]
fn the_documented_retrieval_example_is_accepted() {
    let text = r#"{ "cliPath": "/opt/loom/src/bin/loom", "transport": { "kind": "broker", "queuePath": "/private/loom/run/command-queue" }, "readCeilingFile": "/private/loom/run/read-ceiling.json", "facets": ["work"] }"#;
    let expected = Retrieval {
        cli: "/opt/loom/src/bin/loom".into(),
        transport: Transport::Broker {
            queue: "/private/loom/run/command-queue".into(),
        },
        read_ceiling_file: Some("/private/loom/run/read-ceiling.json".into()),
        facets: Some(vec!["work".to_owned()]),
    };
    assert_eq!(retrieval(text), Ok(expected));
}

#[test]
fn the_documented_commands_example_is_accepted() {
    let text = r#"{ "cliPath": "/opt/loom/src/bin/loom", "jobIdEnvVar": "LOOM_COMMAND_JOB_ID",
        "transport": { "kind": "broker", "queuePath": "/private/loom/run/command-queue" } }"#;
    let expected = Commands {
        cli: "/opt/loom/src/bin/loom".into(),
        queue: "/private/loom/run/command-queue".into(),
        job_id_variable: Some("LOOM_COMMAND_JOB_ID".to_owned()),
    };
    assert_eq!(commands(text), Ok(expected));
}

#[test]
fn a_broker_routes_pages_and_searches_to_its_queue() {
    let text = r#"{ "cliPath": "/l", "transport": { "kind": "broker", "queuePath": "/q" } }"#;
    let config = retrieval(text).unwrap();
    let expected: [(&str, OsString); 2] = [
        ("LOOM_PAGE_RPC_QUEUE", "/q".into()),
        ("LOOM_SEARCH_BROKER_QUEUE", "/q".into()),
    ];
    assert_eq!(config.transport.routing(), expected);
    assert_eq!((config.read_ceiling_file, config.facets), (None, None));
}

#[test]
fn a_direct_transport_routes_to_its_instance_and_carries_no_actor() {
    let text = r#"{ "cliPath": "/l", "transport":
        { "kind": "direct", "instanceDir": "/i", "runId": " run 1\n", "actor": "agent:x" } }"#;
    let expected: [(&str, OsString); 2] = [
        ("LOOM_INSTANCE_DIR", "/i".into()),
        ("LOOM_DISPATCH_ID", "run 1".into()),
    ];
    assert_eq!(retrieval(text).unwrap().transport.routing(), expected);
}

#[test]
fn a_command_is_routed_by_the_page_queue_alone() {
    let text = r#"{ "cliPath": "/l", "transport": { "kind": "broker", "queuePath": "/q" } }"#;
    let config = commands(text).unwrap();
    let expected: [(&str, OsString); 1] = [("LOOM_PAGE_RPC_QUEUE", "/q".into())];
    assert_eq!(config.routing(), expected);
    assert_eq!(config.job_id_variable, None);
}

#[test]
fn a_job_id_of_any_type_is_ignored() {
    for value in ["\"j\"", "7", "null", "{ \"a\": [1] }"] {
        let text = format!(
            r#"{{ "cliPath": "/l", "jobId": {value}, "transport": {{ "kind": "broker", "queuePath": "/q" }} }}"#
        );
        assert_eq!(commands(&text).unwrap().job_id_variable, None);
    }
}

#[test]
fn a_direct_run_id_has_128_characters_at_most() {
    let with = |id: &str| {
        retrieval(&format!(
            r#"{{ "cliPath": "/l", "transport": {{ "kind": "direct", "instanceDir": "/i", "runId": "{id}" }} }}"#
        ))
    };
    // A character is one UTF-16 code unit: an emoji is two.
    for id in [
        "x".to_owned(),
        "x".repeat(128),
        "😀".repeat(64),
        format!("  {}  ", "é".repeat(128)),
    ] {
        assert!(with(&id).is_ok(), "{id}");
    }
    for id in [
        "x".repeat(129),
        "😀".repeat(65),
        String::new(),
        "   ".to_owned(),
        "a\\tb".to_owned(),
        "a\\u0085b".to_owned(),
    ] {
        let sentence = "/etc/loom.json: `transport.runId` must be 1 to 128 characters without control characters; shorten or correct it.";
        assert_eq!(with(&id), Err(sentence.to_owned()));
    }
}

#[test]
fn a_facet_id_has_64_characters_at_most() {
    let with = |facets: &str| {
        retrieval(&format!(
            r#"{{ "cliPath": "/l", "transport": {{ "kind": "broker", "queuePath": "/q" }}, "facets": {facets} }}"#
        ))
    };
    let longest = "a".repeat(64);
    let accepted = with(&format!(r#"["0", "a-b-", "{longest}"]"#)).unwrap();
    assert_eq!(
        accepted.facets,
        Some(vec!["0".to_owned(), "a-b-".to_owned(), longest.clone()])
    );
    let longer = format!("[\"{longest}a\"]");
    for facets in [
        &longer,
        "[]",
        "null",
        "\"work\"",
        "[1]",
        "[\"work\", null]",
        "[\"\"]",
        "[\"-a\"]",
        "[\"A\"]",
        "[\"a_b\"]",
        "[\"é\"]",
        "[\"a\\n\"]",
    ] {
        let sentence = "/etc/loom.json: `facets` must be a nonempty list of facet ids, each of at most 64 of `a-z 0-9 -` and not opening with `-`; correct it, or remove it to accept any facets.";
        assert_eq!(with(facets), Err(sentence.to_owned()), "{facets}");
    }
}

#[test]
fn a_job_id_variable_is_upper_case_and_replaces_nothing() {
    let with = |name: &str| {
        commands(&format!(
            r#"{{ "cliPath": "/l", "transport": {{ "kind": "broker", "queuePath": "/q" }}, "jobIdEnvVar": "{name}" }}"#
        ))
    };
    for name in ["A", "_", "JOB_2", "PATHS"] {
        assert_eq!(with(name).unwrap().job_id_variable.as_deref(), Some(name));
    }
    for name in ["", "2A", "a", "A-B", "A=B", "A ", "É", "A\\u0000"] {
        let sentence = "/etc/loom.json: `jobIdEnvVar` must be of `A-Z 0-9 _` and not open with a digit; `LOOM_COMMAND_JOB_ID` will do.";
        assert_eq!(with(name), Err(sentence.to_owned()), "{name}");
    }
    for name in [
        "PATH",
        "LOOM_PAGE_RPC_QUEUE",
        "LOOM_SEARCH_BROKER_QUEUE",
        "LOOM_INSTANCE_DIR",
        "LOOM_DISPATCH_ID",
    ] {
        let sentence = "/etc/loom.json: `jobIdEnvVar` must not replace a variable the host sets; `LOOM_COMMAND_JOB_ID` will do.";
        assert_eq!(with(name), Err(sentence.to_owned()), "{name}");
    }
}

#[test]
fn a_number_is_a_number_whatever_serde_json_makes_of_it() {
    let sentence = |key: &str| {
        let text = format!(
            r#"{{ "cliPath": "/l", "transport": {{ "kind": "broker", "queuePath": "/q" }}, "{key}": 1.5 }}"#
        );
        retrieval(&text).unwrap_err()
    };
    assert!(sentence("readCeilingFile").starts_with("/etc/loom.json: `readCeilingFile` must be"));
    let transport = retrieval(r#"{ "cliPath": "/l", "transport": 12345678901234567890123 }"#);
    let sentence = transport.unwrap_err();
    assert!(
        sentence.starts_with("/etc/loom.json: `transport` must be"),
        "{sentence}"
    );
}
