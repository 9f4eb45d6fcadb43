//! The twelve tools, as one table: what each may ask for and whether it may write, whatever a
//! component says of it. The [`grant`](crate::grant) of a run is made of these.

use std::fmt;

use crate::bindings::loom::tools::process::Operation;

/// One tool of the contract.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tool {
    /// Its id.
    pub(crate) name: &'static str,
    /// The kind of request it makes for itself; none when it starts nothing.
    pub(crate) kind: Option<Kind>,
    /// Whether it may run a command without the demand that it be a read.
    pub(crate) writes: bool,
}

/// The listing of commands.
pub(crate) const LIST_COMMANDS: &str = "list_commands";

/// Every tool, in the order of listings.
pub(crate) const TOOLS: [Tool; 12] = [
    Tool::reading("loom_search", Some(Kind::Search)),
    Tool::reading("loom_page_discover", Some(Kind::PageDiscover)),
    Tool::reading("loom_page_inspect", Some(Kind::PageInspect)),
    Tool::reading("loom_page_read", Some(Kind::PageRead)),
    Tool::reading("loom_people", Some(Kind::People)),
    Tool::reading("loom_calendar_list", Some(Kind::CalendarList)),
    Tool::reading("loom_context", Some(Kind::Context)),
    Tool::reading("loom_profile", Some(Kind::Profile)),
    Tool::reading(LIST_COMMANDS, Some(Kind::CommandList)),
    Tool::reading("run_read_command", Some(Kind::CommandRun)),
    Tool {
        name: "run_command",
        kind: Some(Kind::CommandRun),
        writes: true,
    },
    Tool::reading("describe_handle", None),
];

/// Every tool's name, in the order of listings.
pub(crate) fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}

/// The family of a tool; none for a name that is no tool's.
pub(crate) fn tool_family(name: &str) -> Option<Family> {
    named(name).map(Tool::family)
}

/// Whether a tool can write.
pub(crate) fn tool_writes(name: &str) -> bool {
    named(name).is_some_and(|tool| tool.writes)
}

fn named(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl Tool {
    const fn reading(name: &'static str, kind: Option<Kind>) -> Self {
        Self {
            name,
            kind,
            writes: false,
        }
    }

    /// Which configuration it needs.
    pub(crate) fn family(&self) -> Family {
        self.kind.map_or(Family::Run, Kind::family)
    }

    /// Whether a call of it may need this request: one of its own kind, or the listing that every
    /// command is checked against.
    pub(crate) fn makes(&self, operation: &Operation) -> bool {
        match operation {
            Operation::CommandList => self.family() == Family::Commands,
            Operation::CommandRun(run) if !run.read_only && !self.writes => false,
            other => self.kind == Some(kind(other)),
        }
    }
}

/// Which configuration a tool, or a request, needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Retrieval,
    Commands,
    /// None: it is answered from the run alone.
    Run,
}

/// The kinds of request, one for each case of the interface's `operation`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(
    missing_docs,
    reason = "each is the case of that name in wit/world.wit"
)]
pub enum Kind {
    Search,
    PageDiscover,
    PageInspect,
    PageRead,
    People,
    CalendarList,
    Context,
    Profile,
    CommandList,
    CommandRun,
}

impl Kind {
    /// Its case in `wit/world.wit`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::PageDiscover => "page-discover",
            Self::PageInspect => "page-inspect",
            Self::PageRead => "page-read",
            Self::People => "people",
            Self::CalendarList => "calendar-list",
            Self::Context => "context",
            Self::Profile => "profile",
            Self::CommandList => "command-list",
            Self::CommandRun => "command-run",
        }
    }

    /// Which configuration a request of this kind needs.
    pub(crate) fn family(self) -> Family {
        match self {
            Self::CommandList | Self::CommandRun => Family::Commands,
            _ => Family::Retrieval,
        }
    }
}

/// The kind of a request.
pub(crate) fn kind(operation: &Operation) -> Kind {
    match operation {
        Operation::Search(_) => Kind::Search,
        Operation::PageDiscover(_) => Kind::PageDiscover,
        Operation::PageInspect(_) => Kind::PageInspect,
        Operation::PageRead(_) => Kind::PageRead,
        Operation::People(_) => Kind::People,
        Operation::CalendarList(_) => Kind::CalendarList,
        Operation::Context(_) => Kind::Context,
        Operation::Profile(_) => Kind::Profile,
        Operation::CommandList => Kind::CommandList,
        Operation::CommandRun(_) => Kind::CommandRun,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_has_the_family_of_its_requests() {
        assert_eq!(tool_family("loom_search"), Some(Family::Retrieval));
        assert_eq!(tool_family("run_command"), Some(Family::Commands));
        assert_eq!(tool_family("describe_handle"), Some(Family::Run));
        assert_eq!(tool_family("run_shell"), None);
    }

    #[test]
    fn one_tool_writes() {
        let writing = tool_names().filter(|name| tool_writes(name));
        assert_eq!(writing.collect::<Vec<_>>(), ["run_command"]);
    }
}
