//! What one run may start: the grant, as data. Derived once from what the operator configured and
//! the run's authority (contract, sections 8 and 9), and asked again for every request, whatever
//! the component thinks it may do. A call's turn is no cover for another tool's requests: what a
//! request is granted for is the tool of the call it serves.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use crate::bindings::loom::tools::process::Operation;
use crate::tools::{Family, TOOLS, Tool, kind};

pub use crate::tools::Kind;

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

/// What a run may start. Empty unless something was granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// The tools that may start processes.
    tools: Vec<&'static Tool>,
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
    /// The call it serves is of a tool that is not granted or makes no such request.
    Tool,
}

impl fmt::Display for NotGranted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kind => "the run's grant does not cover this kind of request",
            Self::Write => "the run may not write, and the request is no read",
            Self::Tool => "it serves a call of a tool that is not granted or makes no such request",
        })
    }
}

impl Grant {
    /// The grant of a run.
    pub fn derive(basis: Basis<'_>) -> Self {
        use Enforcement::{Disabled, EnforceStrict, Observe};
        let direct = basis.slot == Some(PromptSlot::DirectCommand);
        let context = basis.slot == Some(PromptSlot::Context);
        let granted = |tool: &&Tool| {
            let commands = tool.family() == Family::Commands;
            let configured = match tool.family() {
                Family::Retrieval => basis.retrieval,
                Family::Commands => basis.commands,
                // It starts nothing.
                Family::Run => false,
            };
            let allowed = basis
                .allowed_tools
                .is_none_or(|ids| ids.iter().any(|id| id == tool.name));
            let authorized = match basis.enforcement {
                Disabled | Observe => true,
                _ if direct => true,
                EnforceStrict => context && commands && !tool.writes,
                Enforcement::EnforceExplicit => !tool.writes,
            };
            configured && allowed && authorized
        };
        Self {
            tools: TOOLS.iter().filter(granted).collect(),
        }
    }

    /// The kinds of request it holds, in the interface's order.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> + use<> {
        let commands = |tool: &&&Tool| tool.family() == Family::Commands;
        // Every command tool reads the listing.
        let listing = self.tools.iter().find(commands).map(|_| Kind::CommandList);
        let own = self.tools.iter().filter_map(|tool| tool.kind);
        own.chain(listing).collect::<BTreeSet<_>>().into_iter()
    }

    /// Whether a command may run without the demand that it be a read.
    pub fn writes(&self) -> bool {
        self.tools.iter().any(|tool| tool.writes)
    }

    /// Whether it covers this request for a call of this tool.
    pub(crate) fn covers(&self, tool: &str, operation: &Operation) -> Result<(), NotGranted> {
        let serves = |granted: &&Tool| granted.name == tool && granted.makes(operation);
        if self.tools.iter().any(serves) {
            return Ok(());
        }
        // Only to say why.
        let writing = matches!(operation, Operation::CommandRun(run) if !run.read_only);
        Err(if !self.kinds().any(|held| held == kind(operation)) {
            NotGranted::Kind
        } else if writing && !self.writes() {
            NotGranted::Write
        } else {
            NotGranted::Tool
        })
    }
}
