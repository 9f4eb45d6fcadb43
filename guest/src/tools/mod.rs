//! The twelve tools: their names, their families, and what each is described as.

mod descriptor;
mod schema;

#[cfg(test)]
mod tests;

pub(crate) use descriptor::descriptor;

pub(crate) use crate::bindings::exports::loom::tools::tools::Effect;

/// One of the tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Search,
    PageDiscover,
    PageInspect,
    PageRead,
    People,
    CalendarList,
    Context,
    Profile,
    DescribeHandle,
    ListCommands,
    RunCommand,
    RunReadCommand,
}

/// What the operator configures together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Retrieval,
    Commands,
    /// Answered from the run alone; always there.
    Run,
}

impl Tool {
    /// Every tool, in the fixed order of listings.
    pub(crate) const ALL: [Self; 12] = [
        Self::Search,
        Self::PageDiscover,
        Self::PageInspect,
        Self::PageRead,
        Self::People,
        Self::CalendarList,
        Self::Context,
        Self::Profile,
        Self::DescribeHandle,
        Self::ListCommands,
        Self::RunCommand,
        Self::RunReadCommand,
    ];

    pub(crate) fn named(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.id() == id)
    }

    pub(crate) fn id(self) -> &'static str {
        match self {
            Self::Search => "loom_search",
            Self::PageDiscover => "loom_page_discover",
            Self::PageInspect => "loom_page_inspect",
            Self::PageRead => "loom_page_read",
            Self::People => "loom_people",
            Self::CalendarList => "loom_calendar_list",
            Self::Context => "loom_context",
            Self::Profile => "loom_profile",
            Self::DescribeHandle => "describe_handle",
            Self::ListCommands => "list_commands",
            Self::RunCommand => "run_command",
            Self::RunReadCommand => "run_read_command",
        }
    }

    pub(crate) fn family(self) -> Family {
        match self {
            Self::DescribeHandle => Family::Run,
            Self::ListCommands | Self::RunCommand | Self::RunReadCommand => Family::Commands,
            Self::Search
            | Self::PageDiscover
            | Self::PageInspect
            | Self::PageRead
            | Self::People
            | Self::CalendarList
            | Self::Context
            | Self::Profile => Family::Retrieval,
        }
    }

    /// Only `run_command` writes, whatever the commands it runs declare of themselves.
    pub(crate) fn effect(self) -> Effect {
        match self {
            Self::RunCommand => Effect::Write,
            Self::Search
            | Self::PageDiscover
            | Self::PageInspect
            | Self::PageRead
            | Self::People
            | Self::CalendarList
            | Self::Context
            | Self::Profile
            | Self::DescribeHandle
            | Self::ListCommands
            | Self::RunReadCommand => Effect::Read,
        }
    }
}
