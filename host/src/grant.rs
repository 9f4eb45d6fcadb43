//! What one run may start: the grant, as data. Derived once from what the operator configured and
//! the run's authority (contract, sections 8 and 9), and asked again for every request, whatever
//! the component thinks it may do.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use crate::bindings::loom::tools::process::Operation;

/// How strictly the run's authority is enforced (contract, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// Everything is allowed.
    Disabled,
    /// Everything is allowed; a write without a direct command is warned of.
    Observe,
    /// Reads are allowed; a write needs a direct command.
    EnforceExplicit,
    /// Everything needs a direct command, but the host's own reads in a context.
    EnforceStrict,
}

/// How the run's task reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptSlot {
    /// The person said so.
    DirectCommand,
    /// It arrived as context, e.g. from a pattern.
    Context,
    /// It is quoted text.
    Quote,
}

impl Enforcement {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Observe => "observe",
            Self::EnforceExplicit => "enforce-explicit",
            Self::EnforceStrict => "enforce-strict",
        }
    }
}

impl PromptSlot {
    /// The name of a slot, or of none, on the command line.
    pub fn name(slot: Option<Self>) -> &'static str {
        match slot {
            Some(Self::DirectCommand) => "direct-command",
            Some(Self::Context) => "context",
            Some(Self::Quote) => "quote",
            None => "none",
        }
    }
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

/// What a run may start. Empty unless something was granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    kinds: BTreeSet<Kind>,
    /// Whether `command run` may go without `--read-only`.
    writes: bool,
}

/// What a grant is derived from.
#[derive(Clone, Copy, Debug)]
pub struct Basis<'a> {
    /// Whether the operator configured retrieval.
    pub retrieval: bool,
    /// Whether the operator configured host commands.
    pub commands: bool,
    /// How strictly the run's authority is enforced.
    pub enforcement: Enforcement,
    /// How the run's task reached it; none is as little as a quote.
    pub slot: Option<PromptSlot>,
    /// The tools the run may call; none allows every configured one.
    pub allowed_tools: Option<&'a [String]>,
}

/// Why a request was not granted; for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotGranted {
    /// The run's grant does not hold requests of this kind.
    Kind,
    /// The run may not write, and the request does not demand a read.
    Write,
}

impl fmt::Display for NotGranted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kind => "the run's grant does not cover this kind of request",
            Self::Write => "the run may not write, and the request is no read",
        })
    }
}

/// The tools that start processes, each with the kind of request it makes for itself.
const TOOLS: [(&str, Kind); 11] = [
    ("loom_search", Kind::Search),
    ("loom_page_discover", Kind::PageDiscover),
    ("loom_page_inspect", Kind::PageInspect),
    ("loom_page_read", Kind::PageRead),
    ("loom_people", Kind::People),
    ("loom_calendar_list", Kind::CalendarList),
    ("loom_context", Kind::Context),
    ("loom_profile", Kind::Profile),
    ("list_commands", Kind::CommandList),
    ("run_read_command", Kind::CommandRun),
    (RUN_COMMAND, Kind::CommandRun),
];

const RUN_COMMAND: &str = "run_command";

/// The one tool that starts no process.
const DESCRIBE_HANDLE: &str = "describe_handle";

/// Every tool's name, in the order of listings.
pub(crate) fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS
        .into_iter()
        .map(|(name, _)| name)
        .chain([DESCRIBE_HANDLE])
}

/// Which configuration a tool needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Retrieval,
    Commands,
    /// None: it is answered from the run alone.
    Run,
}

/// The family of a tool; none for a name that is no tool's.
pub(crate) fn tool_family(name: &str) -> Option<Family> {
    match TOOLS.iter().find(|(tool, _)| *tool == name) {
        Some((_, kind)) => Some(kind.family()),
        None => (name == DESCRIBE_HANDLE).then_some(Family::Run),
    }
}

/// Whether a tool can write, whatever a component says of it.
pub(crate) fn tool_writes(name: &str) -> bool {
    name == RUN_COMMAND
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

impl Grant {
    /// The grant of a run.
    pub fn derive(basis: Basis<'_>) -> Self {
        use Enforcement::{Disabled, EnforceStrict, Observe};
        let direct = basis.slot == Some(PromptSlot::DirectCommand);
        let context = basis.slot == Some(PromptSlot::Context);
        let mut grant = Self::default();
        for (tool, kind) in TOOLS {
            let commands = kind.family() == Family::Commands;
            let configured = if commands {
                basis.commands
            } else {
                basis.retrieval
            };
            let allowed = basis
                .allowed_tools
                .is_none_or(|ids| ids.iter().any(|id| id == tool));
            let write = tool == RUN_COMMAND;
            let authorized = match basis.enforcement {
                Disabled | Observe => true,
                _ if direct => true,
                EnforceStrict => context && commands && !write,
                Enforcement::EnforceExplicit => !write,
            };
            if configured && allowed && authorized {
                grant.kinds.insert(kind);
                grant.writes |= write;
                if commands {
                    // Every command tool reads the listing.
                    grant.kinds.insert(Kind::CommandList);
                }
            }
        }
        grant
    }

    /// The kinds of request it holds, in the interface's order.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + '_ {
        self.kinds.iter().copied()
    }

    /// Whether a command may run without the demand that it be a read.
    pub fn writes(&self) -> bool {
        self.writes
    }

    /// Whether it covers this request.
    pub(crate) fn covers(&self, operation: &Operation) -> Result<(), NotGranted> {
        if !self.kinds.contains(&kind(operation)) {
            return Err(NotGranted::Kind);
        }
        match operation {
            Operation::CommandRun(run) if !run.read_only && !self.writes => Err(NotGranted::Write),
            _ => Ok(()),
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
