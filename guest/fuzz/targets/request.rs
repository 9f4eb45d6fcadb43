//! The model's input to the requests it makes: exactly those that the contract's table says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::authority::TOOLS;
use loom_tools_fuzz::input::Input;
use loom_tools_fuzz::request;
use loom_tools_fuzz::watched::{Watched, printed, settings};
use loom_tools_guest::process::{CommandRun, Operation};

const CATALOG: &str = r#"{"commands":[
    {"id":"a","effect":"read","readOnlyGranted":true},{"id":"a.b-c.0"},{"id":"b","effect":"change","readOnlyGranted":true}]}"#;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let tool = input.knob(&TOOLS);
    let text = input.text();
    let mut run = Watched::start(settings(&[]));
    run.call(tool, &text, &mut |operation| match operation {
        Operation::CommandList => printed(0, CATALOG),
        _ => printed(0, "{}"),
    });
    let asked: Vec<&Operation> = run.asked.iter().map(|request| &request.operation).collect();
    let expected = match tool {
        "describe_handle" => Vec::new(),
        "list_commands" => request::detail(&text)
            .map(|_| Operation::CommandList)
            .into_iter()
            .collect(),
        "run_command" | "run_read_command" => commands(&text, tool == "run_read_command"),
        _ => request::retrieval(tool, &text).into_iter().collect(),
    };
    assert_eq!(asked, expected.iter().collect::<Vec<_>>());
});

/// The listing, then what is listed: of reads, those that the host grants.
fn commands(text: &str, read_only: bool) -> Vec<Operation> {
    let calls = request::commands(text, read_only).unwrap_or_default();
    let calls: Vec<CommandRun> = calls.into_iter().flatten().collect();
    let listing = (!calls.is_empty()).then_some(Operation::CommandList);
    let listed = |call: &CommandRun| match call.id.as_str() {
        "a" => true,
        "a.b-c.0" | "b" => !read_only,
        _ => false,
    };
    let sent = calls.into_iter().filter(listed).map(Operation::CommandRun);
    listing.into_iter().chain(sent).collect()
}
