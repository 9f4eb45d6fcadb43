//! The table of the contract's section 9, and which requests a tool may make.

use loom_tools_guest::exported::{Enforcement, PromptSlot, Settings};
use loom_tools_guest::process::Operation;

/// The tools, in the contract's order.
pub const TOOLS: [&str; 12] = [
    "loom_search",
    "loom_page_discover",
    "loom_page_inspect",
    "loom_page_read",
    "loom_people",
    "loom_calendar_list",
    "loom_context",
    "loom_profile",
    "describe_handle",
    "list_commands",
    "run_command",
    "run_read_command",
];

/// The decision on a call of `tool`, and its code.
pub fn decision(settings: &Settings, tool: &str) -> (&'static str, &'static str) {
    let allowed = settings.allowed_tools.as_ref();
    if !TOOLS.contains(&tool) || allowed.is_some_and(|ids| !ids.iter().any(|id| id == tool)) {
        return ("denied", "tool_not_allowed");
    }
    let write = tool == "run_command";
    let direct = settings.slot == Some(PromptSlot::DirectCommand);
    match settings.enforcement {
        Enforcement::Disabled => ("allowed", "cfc_disabled"),
        Enforcement::Observe => match (write, direct) {
            (false, _) => ("allowed", "cfc_observe_read"),
            (true, true) => ("allowed", "cfc_observe_direct_command"),
            (true, false) => ("warned", "cfc_observe_requires_direct_command"),
        },
        Enforcement::EnforceExplicit => match (write, direct) {
            (false, _) => ("allowed", "cfc_enforce_explicit_read"),
            (true, true) => ("allowed", "cfc_enforce_explicit_direct_command"),
            (true, false) => ("denied", "cfc_enforce_explicit_requires_direct_command"),
        },
        Enforcement::EnforceStrict => {
            let host_read = matches!(tool, "list_commands" | "run_read_command");
            match settings.slot {
                Some(PromptSlot::DirectCommand) => ("allowed", "cfc_enforce_strict_direct_command"),
                Some(PromptSlot::Context) if host_read => {
                    ("allowed", "cfc_enforce_strict_host_command_read")
                }
                _ => ("denied", "cfc_enforce_strict_requires_direct_command"),
            }
        }
    }
}

/// Whether a call of `tool` may start this at all.
pub fn covers(settings: &Settings, tool: &str, operation: &Operation) -> bool {
    let of_the_tool = match operation {
        Operation::Search(_) => tool == "loom_search",
        Operation::PageDiscover(_) => tool == "loom_page_discover",
        Operation::PageInspect(_) => tool == "loom_page_inspect",
        Operation::PageRead(_) => tool == "loom_page_read",
        Operation::People(_) => tool == "loom_people",
        Operation::CalendarList(_) => tool == "loom_calendar_list",
        Operation::Context(_) => tool == "loom_context",
        Operation::Profile(_) => tool == "loom_profile",
        Operation::CommandList => {
            matches!(tool, "list_commands" | "run_command" | "run_read_command")
        }
        Operation::CommandRun(run) if run.read_only => tool == "run_read_command",
        Operation::CommandRun(_) => tool == "run_command",
    };
    let configured = match operation {
        Operation::CommandList | Operation::CommandRun(_) => settings.commands,
        _ => settings.retrieval.is_some(),
    };
    of_the_tool && configured && decision(settings, tool).0 != "denied"
}
