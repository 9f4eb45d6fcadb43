//! Decides what each call of a turn will do, before anything starts. The order of refusal is the
//! contract's (sections 2 and 9): authority, configuration, the ceiling record, the input label,
//! the input. That authority comes before section 2's "not configured" rests on section 9: "A denied
//! call starts nothing and is shown `{ …, status: "denied", … }`", whatever is configured.

use std::rc::Rc;

use super::Run;
use super::ceiling::{TurnCeiling, Unavailable};
use crate::authority::{Decision, Verdict};
use crate::bindings::exports::loom::tools::tools::Call;
use crate::bindings::loom::tools::process::Operation;
use crate::commands::{self, Calls, Refused};
use crate::input::{Input, Refusal};
use crate::label::{Ceiling, Label, confidentiality_of};
use crate::retrieval::{self, Shape};
use crate::rules::clip;
use crate::tools::{Family, Tool};

/// A call with its decision and its plan.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) call_id: String,
    pub(super) tool_id: String,
    pub(super) decision: Decision,
    pub(super) plan: Plan,
}

/// What shows Loom data carries the ceiling it is measured against; none admits every label.
#[derive(Debug)]
pub(super) enum Plan {
    Denied(&'static str),
    /// Its decision is `denied` as well, and what is shown is the error of contract section 3.
    UnknownTool,
    /// Refused before anything starts, in the shape of the tool's family.
    Refused {
        tool: Tool,
        code: &'static str,
        message: String,
    },
    Retrieve {
        shape: &'static Shape,
        operation: Operation,
        query: Rc<Label>,
        ceiling: Option<Rc<Ceiling>>,
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
        ceiling: Option<Rc<Ceiling>>,
    },
}

impl Plan {
    /// The tool, when the catalog is read to answer the call.
    pub(super) fn uses_listing(&self) -> Option<Tool> {
        match self {
            Self::List { .. } => Some(Tool::ListCommands),
            Self::Run { tool, calls, .. } => calls.any_well_formed().then_some(*tool),
            Self::Denied(_)
            | Self::UnknownTool
            | Self::Refused { .. }
            | Self::Retrieve { .. }
            | Self::Describe { .. } => None,
        }
    }
}

impl Run {
    pub(super) fn plan(&self, calls: &[Call], ceiling: &TurnCeiling) -> Vec<Planned> {
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
        let plan = |(at, call)| self.plan_one(call, ceiling, query(at));
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

    fn plan_one(&self, call: &Call, ceiling: &TurnCeiling, query: Option<Rc<Label>>) -> Planned {
        let Some(tool) = Tool::named(&call.tool) else {
            let tool_id = clip(&call.tool).to_owned();
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
            self.admitted(tool, call, ceiling, query)
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
        ceiling: &TurnCeiling,
        query: Option<Rc<Label>>,
    ) -> Result<Plan, (&'static str, String)> {
        if !self.is_configured(tool) {
            let message = match tool.family() {
                Family::Commands => "Host commands are not configured for this run.",
                Family::Retrieval | Family::Run => "Loom retrieval is not configured for this run.",
            };
            return Err(("not_configured", message.to_owned()));
        }
        let ceiling = || {
            ceiling.clone().map_err(|Unavailable| {
                let message = "The run's read ceiling cannot be read, so nothing can be shown.";
                ("ceiling_unavailable", message.to_owned())
            })
        };
        let query = || {
            query.ok_or_else(|| {
                let message =
                    "The label of an input of this turn cannot be read. Nothing was started.";
                ("invalid_input", message.to_owned())
            })
        };
        let invalid = |Refusal(message)| ("invalid_input", message);
        let shape = match tool {
            Tool::DescribeHandle => {
                query()?;
                let token = token(&call.input).map_err(invalid)?;
                return Ok(Plan::Describe { token });
            }
            Tool::ListCommands => {
                query()?;
                let detail = commands::detail(&call.input).map_err(invalid)?;
                return Ok(Plan::List { detail });
            }
            Tool::RunCommand | Tool::RunReadCommand => {
                let (ceiling, query) = (ceiling()?, query()?);
                let calls = commands::calls(&call.input).map_err(|refused| match refused {
                    Refused::Malformed(refusal) => invalid(refusal),
                    Refused::TooMany => {
                        let message = "A batch carries at most 16 calls. Nothing was sent.";
                        ("batch_too_large", message.to_owned())
                    }
                })?;
                return Ok(Plan::Run {
                    tool,
                    calls,
                    query,
                    ceiling,
                });
            }
            Tool::Search => &retrieval::SEARCH,
            Tool::PageDiscover => &retrieval::PAGE_DISCOVER,
            Tool::PageInspect => &retrieval::PAGE_INSPECT,
            Tool::PageRead => &retrieval::PAGE_READ,
            Tool::People => &retrieval::PEOPLE,
            Tool::CalendarList => &retrieval::CALENDAR_LIST,
            Tool::Context => &retrieval::CONTEXT,
            Tool::Profile => &retrieval::PROFILE,
        };
        let (ceiling, query) = (ceiling()?, query()?);
        let operation = (shape.operation)(&call.input).map_err(invalid)?;
        Ok(Plan::Retrieve {
            shape,
            operation,
            query,
            ceiling,
        })
    }
}

fn token(input: &str) -> Result<String, Refusal> {
    let input = Input::read(input, &["token"])?;
    match input.required("token", input.get("token"))?.as_str() {
        Some(token) => Ok(token.to_owned()),
        None => Err(Refusal("`token` must be a string.".to_owned())),
    }
}
