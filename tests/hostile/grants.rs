//! Requests that the grant does not cover, whatever the component thinks: not granted, and no
//! process started.

use loom_tools_host::{Enforcement, Loom, PromptSlot, Settings};
use loom_tools_tests::tools;

use crate::fixture::guest::Behaviour;
use crate::fixture::{Stage, asked, outcomes, trusting};

/// A good request of each kind, and how it starts.
const KINDS: [(&str, &str); 11] = [
    ("search query=a", "search"),
    ("page-discover", "page discover"),
    ("page-inspect target=a", "page inspect"),
    ("page-read target=a", "page read"),
    ("people query=a@b", "people"),
    ("calendar", "calendar list"),
    ("location", "context where"),
    ("profile", "profile"),
    ("command-list", "command list"),
    ("command-read", "command run"),
    (WRITE, "command run"),
];

const WRITE: &str = "command-run";
const RETRIEVAL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
const READING: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// Of the eleven requests exactly those in `granted` start a process.
#[track_caller]
fn assert_grants(loom: impl FnOnce(Loom) -> Loom, settings: Settings, granted: &[usize]) {
    let stage = Stage::new();
    let mut run = stage.guest_on(loom(stage.loom()), settings);
    let requests = KINDS.map(|(request, _)| request).join("\n");
    let answers = outcomes(&mut run, Behaviour::AskOneByOne, &requests);
    let expected = (0..KINDS.len()).map(|kind| match granted.contains(&kind) {
        true => "exit 0, 14 bytes",
        false => "not granted",
    });
    assert_eq!(answers, expected.collect::<Vec<_>>());
    let started = stage.started();
    assert_eq!(started.len(), granted.len());
    for ((args, _), &kind) in started.iter().zip(granted) {
        assert!(args.join(" ").starts_with(KINDS[kind].1), "{args:?}");
    }
}

fn same(loom: Loom) -> Loom {
    loom
}

fn run(enforcement: Enforcement, slot: Option<PromptSlot>) -> Settings {
    Settings {
        enforcement,
        slot,
        ..Settings::new("hostile")
    }
}

#[test]
fn nothing_configured_grants_nothing() {
    assert_grants(
        |loom| Loom {
            retrieval: None,
            commands: None,
            ..loom
        },
        trusting(),
        &[],
    );
}

#[test]
fn retrieval_alone_grants_no_command() {
    let retrieval = |loom| Loom {
        commands: None,
        ..loom
    };
    assert_grants(retrieval, trusting(), &RETRIEVAL);
}

#[test]
fn commands_alone_grant_no_retrieval() {
    let commands = |loom| Loom {
        retrieval: None,
        ..loom
    };
    assert_grants(commands, trusting(), &[8, 9, 10]);
}

#[test]
fn a_run_that_may_not_write_gets_no_write() {
    assert_grants(same, Settings::new("hostile"), &READING);
}

#[test]
fn a_strict_context_reads_commands_alone() {
    let strict = run(Enforcement::EnforceStrict, Some(PromptSlot::Context));
    assert_grants(same, strict, &[8, 9]);
}

#[test]
fn a_strict_quote_gets_nothing() {
    assert_grants(
        same,
        run(Enforcement::EnforceStrict, Some(PromptSlot::Quote)),
        &[],
    );
}

#[test]
fn a_strict_run_without_a_slot_gets_nothing() {
    assert_grants(same, run(Enforcement::EnforceStrict, None), &[]);
}

#[test]
fn a_strict_direct_command_gets_everything() {
    let direct = run(Enforcement::EnforceStrict, Some(PromptSlot::DirectCommand));
    assert_grants(same, direct, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

/// A run that may call these tools and would otherwise have everything.
fn only(tools: &[&str]) -> Settings {
    Settings {
        allowed_tools: Some(tools.iter().map(|&tool| tool.to_owned()).collect()),
        ..trusting()
    }
}

#[test]
fn no_tool_allowed_grants_nothing() {
    assert_grants(same, only(&[]), &[]);
}

#[test]
fn an_unknown_tool_allowed_grants_nothing() {
    assert_grants(
        same,
        only(&["loom_searc", "", "LOOM_PROFILE", "describe_handle"]),
        &[],
    );
}

#[test]
fn a_retrieval_tool_allowed_grants_its_own_request_alone() {
    for (kind, tool) in tools::RETRIEVAL.iter().enumerate() {
        assert_grants(same, only(&[tool]), &[kind]);
    }
}

#[test]
fn the_listing_allowed_grants_no_command() {
    assert_grants(same, only(&["list_commands"]), &[8]);
}

#[test]
fn the_reading_of_commands_allowed_grants_no_write() {
    assert_grants(same, only(&["run_read_command"]), &[8, 9]);
}

#[test]
fn the_running_of_commands_allowed_grants_no_retrieval() {
    assert_grants(same, only(&["run_command"]), &[8, 9, 10]);
}

#[test]
fn a_refused_request_does_not_hold_up_the_others_of_its_list() {
    let stage = Stage::new();
    let mut run = stage.guest(Settings::new("hostile"));
    let requests = format!("{WRITE}\nprofile\npage-read target=-x\ncommand-read");
    let (no, yes) = ("not granted", "exit 0, 14 bytes");
    assert_eq!(asked(&mut run, &requests), [no, yes, no, yes]);
    assert_eq!(stage.started().len(), 2);
}

#[test]
fn a_cli_that_does_not_exist_is_not_started() {
    let stage = Stage::new();
    let mut loom = stage.loom();
    loom.retrieval.as_mut().unwrap().cli = "/nonexistent/loom".into();
    let mut run = stage.guest_on(loom, trusting());
    assert_eq!(asked(&mut run, "profile"), ["not started"]);
}
