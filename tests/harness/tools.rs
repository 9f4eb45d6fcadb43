//! The tools by name, in the order a run lists them: what the product's own list is held to.

/// Every tool.
pub const ALL: [&str; 12] = [
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

/// The tools of the retrieval configuration.
pub const RETRIEVAL: &[&str] = ALL.split_at(8).0;

/// The tools of the command configuration.
pub const COMMANDS: &[&str] = ALL.split_at(9).1;
