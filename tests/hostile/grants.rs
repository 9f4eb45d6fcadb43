//! Requests that the grant does not cover, whatever the component thinks: not granted, and no
//! process started.

use loom_tools_host::{Enforcement, Loom, PromptSlot, Settings};
use loom_tools_tests::tools;

use crate::fixture::guest::Behaviour;
use crate::fixture::{Stage, asked, call, trusting};

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

/// What a call's tool may be, and which of these its call may be served by.
const TOOLS: [(&str, &[usize]); 14] = [
    ("loom_search", &[0]),
    ("loom_page_discover", &[1]),
    ("loom_page_inspect", &[2]),
    ("loom_page_read", &[3]),
    ("loom_people", &[4]),
    ("loom_calendar_list", &[5]),
    ("loom_context", &[6]),
    ("loom_profile", &[7]),
    ("list_commands", &[8]),
    ("run_read_command", &[8, 9]),
    ("run_command", &[8, 9, 10]),
    ("describe_handle", &[]),
    ("run_shell", &[]),
    ("", &[]),
];

const WRITE: &str = "command-run";
const COMMAND_READS: [&str; 2] = ["list_commands", "run_read_command"];

/// In a turn of one call, a turn for each tool, exactly the requests of the `granted` tools
/// start a process.
#[track_caller]
fn assert_grants(loom: impl FnOnce(Loom) -> Loom, settings: Settings, granted: &[&str]) {
    let stage = Stage::new();
    let mut run = stage.guest_on(loom(stage.loom()), settings);
    let requests = KINDS.map(|(request, _)| request).join("\n");
    let ask = Behaviour::AskOneByOne.input(&requests);
    let mut expected_starts = Vec::new();
    for (tool, served) in TOOLS {
        let served = |kind: &usize| granted.contains(&tool) && served.contains(kind);
        let replies = run.invoke(vec![call(tool, &ask)]).unwrap();
        let answers: Vec<String> = serde_json::from_str(&replies[0].shown).unwrap();
        let expected = (0..KINDS.len()).map(|kind| match served(&kind) {
            true => "exit 0, 14 bytes",
            false => "not granted",
        });
        assert_eq!(answers, expected.collect::<Vec<_>>(), "{tool}");
        expected_starts.extend((0..KINDS.len()).filter(served));
    }
    let started = stage.started();
    assert_eq!(started.len(), expected_starts.len());
    for ((args, _), kind) in started.iter().zip(expected_starts) {
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
    assert_grants(retrieval, trusting(), tools::RETRIEVAL);
}

#[test]
fn commands_alone_grant_no_retrieval() {
    let commands = |loom| Loom {
        retrieval: None,
        ..loom
    };
    assert_grants(commands, trusting(), tools::COMMANDS);
}

#[test]
fn a_run_that_may_not_write_gets_no_write() {
    let reading = [tools::RETRIEVAL, &COMMAND_READS].concat();
    assert_grants(same, Settings::new("hostile"), &reading);
}

#[test]
fn a_strict_context_reads_commands_alone() {
    let strict = run(Enforcement::EnforceStrict, Some(PromptSlot::Context));
    assert_grants(same, strict, &COMMAND_READS);
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
    assert_grants(same, direct, &[tools::RETRIEVAL, tools::COMMANDS].concat());
}

#[test]
fn a_call_is_served_by_the_requests_of_its_own_tool_alone() {
    assert_grants(
        same,
        trusting(),
        &[tools::RETRIEVAL, tools::COMMANDS].concat(),
    );
}

#[test]
fn a_request_serves_the_call_it_names_and_no_other_of_the_turn() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let ask = Behaviour::Ask.input("page-read call=0 target=a\npage-read call=1 target=a");
    let calls = vec![call("loom_profile", &ask), call("loom_page_read", "")];
    let replies = run.invoke(calls).unwrap();
    assert_eq!(replies[0].shown, r#"["not granted","exit 0, 14 bytes"]"#);
    assert_eq!(stage.started().len(), 1);
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
    for tool in tools::RETRIEVAL {
        assert_grants(same, only(&[tool]), &[tool]);
    }
}

#[test]
fn a_command_tool_allowed_grants_the_listing_and_its_own_request_alone() {
    for tool in tools::COMMANDS {
        assert_grants(same, only(&[tool]), &[tool]);
    }
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
