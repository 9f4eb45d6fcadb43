//! Decides whether a call may run at all: the table of contract section 9 and nothing else. Says
//! why, in reason codes.

use crate::bindings::exports::loom::tools::tools::{Enforcement, PromptSlot};
use crate::json::Fields;
use crate::tools::{Effect, Tool};

/// What the operator's flags say of the run's authority.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    pub(crate) enforcement: Enforcement,
    pub(crate) slot: Option<PromptSlot>,
    /// The tools the run may call; none allows every tool.
    pub(crate) allowed: Option<Vec<String>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allowed,
    /// Runs, with a warning in the record.
    Warned,
    Denied,
}

/// The policy decision on one call.
#[derive(Clone, Debug)]
#[must_use]
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    pub(crate) reason: &'static str,
    tool: String,
    effect: Effect,
    enforcement: Enforcement,
    slot: Option<PromptSlot>,
}

impl Authority {
    /// Whether `tool` is one the run may call.
    pub(crate) fn allows(&self, tool: Tool) -> bool {
        let names = |ids: &Vec<String>| ids.iter().any(|id| id == tool.id());
        self.allowed.as_ref().is_none_or(names)
    }

    /// Judges a call of `tool`.
    pub(crate) fn judge(&self, tool: Tool) -> Decision {
        let (verdict, reason) = if self.allows(tool) {
            self.table(tool)
        } else {
            (Verdict::Denied, "tool_not_allowed")
        };
        self.decision(tool.id(), tool.effect(), verdict, reason)
    }

    /// The decision on a tool nobody knows: nothing is known of it, so the stricter class stands.
    pub(crate) fn judge_unknown(&self, id: &str) -> Decision {
        self.decision(id, Effect::Write, Verdict::Denied, "tool_not_allowed")
    }

    fn table(&self, tool: Tool) -> (Verdict, &'static str) {
        use Enforcement::{Disabled, EnforceExplicit, EnforceStrict, Observe};
        use Verdict::{Allowed, Denied, Warned};
        let write = tool.effect() == Effect::Write;
        let direct = self.slot == Some(PromptSlot::DirectCommand);
        let host_read = matches!(tool, Tool::ListCommands | Tool::RunReadCommand);
        let context = self.slot == Some(PromptSlot::Context);
        match self.enforcement {
            Disabled => (Allowed, "cfc_disabled"),
            Observe if !write => (Allowed, "cfc_observe_read"),
            Observe if direct => (Allowed, "cfc_observe_direct_command"),
            Observe => (Warned, "cfc_observe_requires_direct_command"),
            EnforceExplicit if !write => (Allowed, "cfc_enforce_explicit_read"),
            EnforceExplicit if direct => (Allowed, "cfc_enforce_explicit_direct_command"),
            EnforceExplicit => (Denied, "cfc_enforce_explicit_requires_direct_command"),
            EnforceStrict if direct => (Allowed, "cfc_enforce_strict_direct_command"),
            EnforceStrict if context && host_read => {
                (Allowed, "cfc_enforce_strict_host_command_read")
            }
            EnforceStrict => (Denied, "cfc_enforce_strict_requires_direct_command"),
        }
    }

    fn decision(
        &self,
        tool: &str,
        effect: Effect,
        verdict: Verdict,
        reason: &'static str,
    ) -> Decision {
        let (tool, enforcement, slot) = (tool.to_owned(), self.enforcement, self.slot);
        Decision {
            verdict,
            reason,
            tool,
            effect,
            enforcement,
            slot,
        }
    }
}

impl Decision {
    /// The decision record.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("toolId", &self.tool)
            .string(
                "effectClass",
                match self.effect {
                    Effect::Read => "read",
                    Effect::Write => "write",
                },
            )
            .string(
                "mode",
                match self.enforcement {
                    Enforcement::Disabled => "disabled",
                    Enforcement::Observe => "observe",
                    Enforcement::EnforceExplicit => "enforce-explicit",
                    Enforcement::EnforceStrict => "enforce-strict",
                },
            )
            .string(
                "slot",
                match self.slot {
                    Some(PromptSlot::DirectCommand) => "direct-command",
                    Some(PromptSlot::Context) => "context",
                    Some(PromptSlot::Quote) => "quote",
                    None => "none",
                },
            )
            .string(
                "decision",
                match self.verdict {
                    Verdict::Allowed => "allowed",
                    Verdict::Warned => "warned",
                    Verdict::Denied => "denied",
                },
            )
            .strings("reasonCodes", [self.reason]);
        fields.close();
        out
    }
}
