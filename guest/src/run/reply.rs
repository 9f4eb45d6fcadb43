//! Answers one call: gives out its output id, reads its answer, and writes what is shown.

use std::rc::Rc;

use super::describe::describe;
use super::plan::{Plan, Planned};
use super::send::{Exchange, Step, step};
use crate::authority::Decision;
use crate::bindings::exports::loom::tools::tools::Reply;
use crate::bindings::loom::tools::process::Answer;
use crate::commands::{self, Batched, Calls, Catalog, Executed, Unlisted};
use crate::handles::Handles;
use crate::input::Refusal;
use crate::intake::Intake;
use crate::json::Fields;
use crate::label::{Ceiling, Join, Label, confidentiality_json};
use crate::retrieval;
use crate::shown::{self, Landed, Outgoing};
use crate::tools::Tool;

/// What answering a call reads and changes.
pub(super) struct State<'a> {
    pub(super) run_id: &'a str,
    pub(super) counter: &'a mut u64,
    pub(super) handles: &'a mut Handles,
    /// The run's label, with what earlier calls of the turn added.
    pub(super) label: &'a mut Join,
    pub(super) catalog: Option<&'a Catalog>,
}

impl State<'_> {
    /// `<runId>:<toolId>:<n>`, n counting from 1 over the run.
    fn output_id(&mut self, tool_id: &str) -> String {
        *self.counter = self.counter.saturating_add(1);
        format!("{}:{tool_id}:{}", self.run_id, self.counter)
    }

    fn intake(&mut self) -> Intake<'_> {
        Intake::new(self.handles, self.label)
    }
}

/// Answers one call of the turn.
pub(super) fn answer(state: &mut State<'_>, planned: Planned, exchange: &mut Exchange) -> Reply {
    let Planned {
        call_id,
        tool_id,
        decision,
        plan,
    } = planned;
    let output_id = state.output_id(&tool_id);
    let outgoing = outgoing(state, &output_id, &tool_id, plan, exchange);
    reply(call_id, tool_id, output_id, &decision, outgoing)
}

/// The reply, with its artifact and its observation.
fn reply(
    call_id: String,
    tool_id: String,
    output_id: String,
    decision: &Decision,
    outgoing: Outgoing,
) -> Reply {
    let clauses = outgoing.observed.clauses();
    let label = (!clauses.is_empty()).then(|| confidentiality_json(clauses));
    let observation = label.as_ref().map(|label| {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("toolCallId", &call_id)
            .string("toolId", &tool_id)
            .string("outputId", &output_id)
            .strings("channels", ["output"])
            .raw("label", label);
        if outgoing.truncated {
            fields.bool("truncated", true);
        }
        fields.close();
        out
    });
    Reply {
        artifact: artifact(&outgoing.shown, label.as_deref()),
        call_id,
        output_id,
        shown: outgoing.shown,
        observation,
        decision: decision.to_json(),
    }
}

fn outgoing(
    state: &mut State<'_>,
    output_id: &str,
    tool_id: &str,
    plan: Plan,
    exchange: &mut Exchange,
) -> Outgoing {
    match plan {
        Plan::Denied(reason) => shown::denied(output_id, reason).into(),
        Plan::UnknownTool => {
            let message = format!("There is no tool `{tool_id}`.");
            shown::error(output_id, "unknown_tool", &message, None).into()
        }
        Plan::Refused {
            tool,
            code,
            message,
        } => refused(tool, output_id, code, &message).into(),
        Plan::Describe { token } => describe(output_id, &token, state.handles).into(),
        Plan::List { detail } => match state.catalog {
            Some(catalog) => commands::listing(output_id, catalog, &detail).into(),
            None => {
                let (code, message) = Unlisted::Failed.words();
                shown::error(output_id, code, message, None).into()
            }
        },
        Plan::Retrieve {
            shape,
            operation,
            query,
            ceiling,
        } => {
            let answer = exchange.next();
            let wanted = retrieval::wanted(shape);
            let payload = match &answer {
                Err(failed) => Err(retrieval::failure(*failed)),
                Ok(Answer { exit_code, stdout }) => {
                    retrieval::read(shape, &operation, *exit_code, stdout, &wanted)
                }
            };
            match payload {
                Err(code) => code.shown(output_id).into(),
                Ok(payload) => {
                    let (ceiling, intake) = (ceiling.as_deref(), state.intake());
                    retrieval::result(output_id, tool_id, shape, &payload, &query, ceiling, intake)
                }
            }
        }
        Plan::Run {
            tool,
            calls,
            query,
            ceiling,
        } => {
            let catalog = state.catalog;
            let mut one = |id, call| {
                let step = step(catalog, tool, call);
                one(id, step, catalog, &query, ceiling.as_deref(), exchange)
            };
            match calls {
                Calls::One(call) => match one(output_id.to_owned(), Ok(&call)) {
                    Batched::Settled(shown) => shown.into(),
                    Batched::Executed(executed) => {
                        commands::answer(*executed, tool_id, state.intake())
                    }
                },
                Calls::Batch(calls) => {
                    let mut results = Vec::new();
                    for call in &calls {
                        results.push(one(state.output_id(tool_id), call.as_ref()));
                    }
                    commands::batch(output_id, results, tool_id, state.intake())
                }
            }
        }
    }
}

/// What became of one command call.
fn one(
    id: String,
    step: Step<'_>,
    catalog: Option<&Catalog>,
    query: &Rc<Label>,
    ceiling: Option<&Ceiling>,
    exchange: &mut Exchange,
) -> Batched {
    Batched::Settled(match step {
        Step::Malformed(Refusal(message)) => {
            shown::undelivered(&id, Landed::No, "invalid_input", message, None)
        }
        Step::Unknown(asked) => commands::unknown_command(&id, asked, catalog),
        Step::NotGranted => commands::not_granted(&id),
        Step::Sent(call, command) => match commands::outcome(&exchange.next()) {
            Ok(outcome) => {
                let executed = Executed::new(id, call, command, outcome, query, ceiling);
                return Batched::Executed(Box::new(executed));
            }
            Err(lost) => shown::undelivered(&id, lost.landed, lost.code, lost.message, None),
        },
    })
}

/// A refusal in the shape of the tool's family; nothing was started.
fn refused(tool: Tool, output_id: &str, code: &str, message: &str) -> String {
    match tool {
        Tool::RunCommand | Tool::RunReadCommand => {
            shown::undelivered(output_id, Landed::No, code, message, None)
        }
        Tool::Search
        | Tool::PageDiscover
        | Tool::PageInspect
        | Tool::PageRead
        | Tool::People
        | Tool::CalendarList
        | Tool::Context
        | Tool::Profile
        | Tool::DescribeHandle
        | Tool::ListCommands => shown::error(output_id, code, message, None),
    }
}

/// The artifact of a reply: the object shown plus `cfc` (contract, section 5). `observed` is the
/// observed label as JSON, if there is one.
fn artifact(shown: &str, observed: Option<&str>) -> String {
    let mut cfc = String::new();
    let mut fields = Fields::open(&mut cfc);
    fields.number("version", 1);
    if let Some(label) = observed {
        fields.raw("observedLabel", label);
    }
    fields.close();
    let mut out = shown.to_owned();
    let mut fields = Fields::reopen(&mut out);
    fields.raw("cfc", &cfc);
    fields.close();
    out
}
