//! Decides what each call of a turn will do, before anything starts. The order of refusal is the
//! contract's (sections 2 and 9): authority, configuration, the ceiling record, the input.

use std::rc::Rc;

use super::Run;
use super::send::sends;
use crate::authority::{Decision, Verdict};
use crate::bindings::exports::loom::tools::tools::Call;
use crate::bindings::loom::tools::process::Operation;
use crate::commands::{self, Calls, Refused};
use crate::input::{Input, Refusal};
use crate::label::{Label, confidentiality_of};
use crate::retrieval::{self, Shape};
use crate::rules::quote;
use crate::tools::{Family, Tool};

/// A call with its decision and its plan.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) call_id: String,
    pub(super) tool_id: String,
    pub(super) decision: Decision,
    pub(super) plan: Plan,
}

#[derive(Debug)]
pub(super) enum Plan {
    Denied(&'static str),
    UnknownTool,
    /// Refused before anything starts, in the shape of the tool's family.
    Refused {
        tool: Tool,
        code: &'static str,
        message: String,
    },
    Retrieve {
        shape: Shape,
        operation: Operation,
        query: Rc<Label>,
    },
    Describe {
        token: String,
    },
    List {
        detail: Vec<String>,
    },
    Run {
        tool: Tool,
        calls: Calls,
        query: Rc<Label>,
    },
}

impl Plan {
    /// Whether the catalog is read to answer it.
    pub(super) fn uses_listing(&self) -> bool {
        match self {
            Self::List { .. } => true,
            Self::Run { calls, .. } => sends(calls),
            _ => false,
        }
    }

    /// Whether that has to be one of this turn: what a run can read with is what the host grants now.
    pub(super) fn needs_fresh_listing(&self) -> bool {
        match self {
            Self::List { .. } => true,
            Self::Run { tool, .. } => *tool == Tool::RunReadCommand,
            _ => false,
        }
    }
}

impl Run {
    pub(super) fn plan(&self, calls: &[Call], ceiling_available: bool) -> Vec<Planned> {
        // Calls without a label of their own share the run's.
        let own = Rc::new(Label::confidential(self.label.clauses().to_vec()));
        // One unreadable input label refuses the whole turn.
        let queries: Option<Vec<_>> = calls.iter().map(|call| self.query(call, &own)).collect();
        let query = |at: usize| {
            queries
                .as_ref()
                .and_then(|queries| queries.get(at))
                .cloned()
        };
        let plan = |(at, call)| self.plan_one(call, ceiling_available, query(at));
        calls.iter().enumerate().map(plan).collect()
    }

    /// The label of the query: what the run accumulated, joined with what the call's input carries.
    fn query(&self, call: &Call, own: &Rc<Label>) -> Option<Rc<Label>> {
        let Some(label) = &call.input_label else {
            return Some(Rc::clone(own));
        };
        let carried = confidentiality_of(label)?;
        let new = self.label.new_among(&carried);
        if new.is_empty() {
            return Some(Rc::clone(own));
        }
        let joined = self.label.clauses().iter().chain(new).cloned();
        Some(Rc::new(Label::confidential(joined.collect())))
    }

    fn plan_one(&self, call: &Call, ceiling_available: bool, query: Option<Rc<Label>>) -> Planned {
        let Some(tool) = Tool::named(&call.tool) else {
            let tool_id = quote(&call.tool).to_owned();
            let decision = self.authority.judge_unknown(&tool_id);
            return Planned {
                call_id: call.id.clone(),
                tool_id,
                decision,
                plan: Plan::UnknownTool,
            };
        };
        let decision = self.authority.judge(tool);
        let plan = if decision.verdict == Verdict::Denied {
            Plan::Denied(decision.reason)
        } else {
            self.admitted(tool, call, ceiling_available, query)
                .unwrap_or_else(|(code, message)| Plan::Refused {
                    tool,
                    code,
                    message,
                })
        };
        Planned {
            call_id: call.id.clone(),
            tool_id: tool.id().to_owned(),
            decision,
            plan,
        }
    }

    fn admitted(
        &self,
        tool: Tool,
        call: &Call,
        ceiling_available: bool,
        query: Option<Rc<Label>>,
    ) -> Result<Plan, (&'static str, String)> {
        let invalid = |Refusal(message)| ("invalid_input", message);
        if !self.is_configured(tool) {
            let message = match tool.family() {
                Family::Commands => "Host commands are not configured for this run.",
                _ => "Loom retrieval is not configured for this run.",
            };
            return Err(("not_configured", message.to_owned()));
        }
        if tool.shows_loom_data() && !ceiling_available {
            let message = "The run's read ceiling cannot be read, so nothing can be shown.";
            return Err(("ceiling_unavailable", message.to_owned()));
        }
        let query = query.ok_or_else(|| {
            let message = "The label of an input of this turn cannot be read. Nothing was started.";
            ("invalid_input", message.to_owned())
        })?;
        if let Some(shape) = retrieval::shape(tool)
            && let Some(operation) = retrieval::operation(tool, &call.input)
        {
            let operation = operation.map_err(invalid)?;
            return Ok(Plan::Retrieve {
                shape,
                operation,
                query,
            });
        }
        match tool {
            Tool::ListCommands => commands::detail(&call.input)
                .map(|detail| Plan::List { detail })
                .map_err(invalid),
            Tool::RunCommand | Tool::RunReadCommand => match commands::calls(&call.input) {
                Ok(calls) => Ok(Plan::Run { tool, calls, query }),
                Err(Refused::Malformed(refusal)) => Err(invalid(refusal)),
                Err(Refused::TooMany) => {
                    let message = "A batch carries at most 16 calls. Nothing was sent.";
                    Err(("batch_too_large", message.to_owned()))
                }
            },
            _ => token(&call.input)
                .map(|token| Plan::Describe { token })
                .map_err(invalid),
        }
    }
}

fn token(input: &str) -> Result<String, Refusal> {
    let input = Input::read(input, &["token"])?;
    match input.required("token", input.get("token"))?.as_str() {
        Some(token) => Ok(token.to_owned()),
        None => Err(Refusal("`token` must be a string.".to_owned())),
    }
}
