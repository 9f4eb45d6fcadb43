//! Answers one call: gives out its output id, reads its answer, and writes what is shown.

use std::rc::Rc;

use super::plan::{Plan, Planned};
use super::send::{Exchange, SentCall, Step, sends};
use crate::bindings::exports::loom::tools::tools::Reply;
use crate::bindings::loom::tools::process::Answer;
use crate::commands::{self, Answered, Batched, Call, Calls, Catalog, Executed};
use crate::handles::Handles;
use crate::intake::Intake;
use crate::json::Fields;
use crate::label::{Ceiling, Join, Label, confidentiality_json};
use crate::retrieval::{self, Code};
use crate::shown::{self, Landed};
use crate::tools::Tool;

/// What answering a call reads and changes.
pub(super) struct State<'a> {
    pub(super) run_id: &'a str,
    pub(super) counter: &'a mut u64,
    pub(super) handles: &'a mut Handles,
    /// The run's label, with what earlier calls of the turn added.
    pub(super) label: &'a mut Join,
    pub(super) catalog: Option<&'a Catalog>,
    pub(super) ceiling: Option<&'a Ceiling>,
}

impl State<'_> {
    /// `<runId>:<toolId>:<n>`, n counting from 1 over the run.
    fn output_id(&mut self, tool_id: &str) -> String {
        *self.counter = self.counter.saturating_add(1);
        format!("{}:{tool_id}:{}", self.run_id, self.counter)
    }
}

/// What goes out for one call.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    output_id: String,
    shown: String,
    /// The labels of what was shown, joined.
    observed: Join,
    truncated: bool,
}

impl Outgoing {
    fn plain(output_id: String, shown: String) -> Self {
        Self {
            output_id,
            shown,
            ..Self::default()
        }
    }

    fn answered(output_id: String, answered: Answered) -> Self {
        let Answered {
            shown,
            observed,
            truncated,
        } = answered;
        Self {
            output_id,
            shown,
            observed,
            truncated,
        }
    }

    /// The reply, with its artifact and its observation.
    pub(super) fn reply(self, sent: SentCall) -> Reply {
        let Planned {
            call_id,
            tool_id,
            decision,
            ..
        } = sent.planned;
        let clauses = self.observed.clauses();
        let label = (!clauses.is_empty()).then(|| confidentiality_json(clauses));
        let observation = label.as_ref().map(|label| {
            let mut out = String::new();
            let mut fields = Fields::open(&mut out);
            fields
                .string("toolCallId", &call_id)
                .string("toolId", &tool_id)
                .string("outputId", &self.output_id)
                .strings("channels", ["output"])
                .raw("label", label);
            if self.truncated {
                fields.bool("truncated", true);
            }
            fields.close();
            out
        });
        Reply {
            artifact: shown::artifact(&self.shown, label.as_deref()),
            call_id,
            output_id: self.output_id,
            shown: self.shown,
            observation,
            decision: decision.to_json(),
        }
    }
}

/// Answers one call of the turn.
pub(super) fn answer(mut state: State<'_>, sent: &SentCall, exchange: &mut Exchange) -> Outgoing {
    let tool_id = &sent.planned.tool_id;
    let output_id = state.output_id(tool_id);
    let shown = match &sent.planned.plan {
        Plan::Denied(reason) => shown::denied(&output_id, reason),
        Plan::UnknownTool => {
            let message = format!("There is no tool `{tool_id}`.");
            shown::error(&output_id, "unknown_tool", &message, None)
        }
        Plan::Refused {
            tool,
            code,
            message,
        } => refused(*tool, &output_id, code, message),
        Plan::Describe { token } => describe(&output_id, token, state.handles),
        Plan::List { detail } => match (&sent.listing, state.catalog) {
            (Ok(()), Some(catalog)) => commands::listing(&output_id, catalog, detail),
            (failed, _) => {
                let code = failed.clone().err().unwrap_or(Code::CommandFailed);
                let (code, message) = unlisted(&code);
                shown::error(&output_id, code, message, None)
            }
        },
        Plan::Retrieve {
            shape,
            operation,
            query,
        } => {
            let answer = exchange.next();
            let wanted = retrieval::wanted(shape);
            let payload = match &answer {
                Err(failed) => Err(retrieval::failure(*failed)),
                Ok(Answer { exit_code, stdout }) => {
                    retrieval::read(shape, operation, *exit_code, stdout, &wanted)
                }
            };
            match payload {
                Err(code) => failed(&output_id, &code),
                Ok(payload) => {
                    let intake = Intake::new(state.handles, state.label);
                    let retrieval::Retrieved {
                        shown,
                        observed,
                        truncated,
                    } = retrieval::result(
                        &output_id,
                        tool_id,
                        shape,
                        &payload,
                        query,
                        state.ceiling,
                        intake,
                    );
                    return Outgoing {
                        output_id,
                        shown,
                        observed,
                        truncated,
                    };
                }
            }
        }
        Plan::Run { tool, calls, query } => {
            if let (Err(code), true) = (&sent.listing, sends(calls)) {
                let (code, message) = unlisted(code);
                refused(*tool, &output_id, code, message)
            } else {
                return run(
                    state,
                    *tool,
                    output_id,
                    sent,
                    matches!(calls, Calls::Batch(_)),
                    query,
                    exchange,
                );
            }
        }
    };
    Outgoing::plain(output_id, shown)
}

/// Answers a command tool's calls.
fn run(
    mut state: State<'_>,
    tool: Tool,
    output_id: String,
    sent: &SentCall,
    batched: bool,
    query: &Rc<Label>,
    exchange: &mut Exchange,
) -> Outgoing {
    let mut results = Vec::new();
    for (call, step) in &sent.steps {
        let id = if batched {
            state.output_id(tool.id())
        } else {
            output_id.clone()
        };
        results.push(one(&state, id, call.as_ref(), step, query, exchange));
    }
    let intake = Intake::new(state.handles, state.label);
    if batched {
        let answered = commands::batch(&output_id, results, tool.id(), intake);
        return Outgoing::answered(output_id, answered);
    }
    match results.pop() {
        Some(Batched::Executed(executed)) => {
            Outgoing::answered(output_id, commands::answer(*executed, tool.id(), intake))
        }
        Some(Batched::Settled(shown)) => Outgoing::plain(output_id, shown),
        None => Outgoing::default(),
    }
}

fn one(
    state: &State<'_>,
    id: String,
    call: Option<&Call>,
    step: &Step,
    query: &Rc<Label>,
    exchange: &mut Exchange,
) -> Batched {
    let asked = call.map_or("", |call| call.command.as_str());
    Batched::Settled(match step {
        Step::Malformed(refusal) => {
            shown::undelivered(&id, Landed::No, "invalid_input", &refusal.0, None)
        }
        Step::Unknown => commands::unknown_command(&id, asked, state.catalog),
        Step::NotGranted => commands::not_granted(&id),
        Step::Sent => {
            let answer = exchange.next();
            let listed = state.catalog.and_then(|catalog| catalog.get(asked));
            match (commands::outcome(&answer), call, listed) {
                (Ok(outcome), Some(call), Some(command)) => {
                    return Batched::Executed(Box::new(Executed::new(
                        id,
                        call,
                        command,
                        outcome,
                        query,
                        state.ceiling,
                    )));
                }
                (Err(lost), ..) => {
                    shown::undelivered(&id, lost.landed, lost.code, lost.message, None)
                }
                // A call that was sent has its command listed.
                (Ok(_), ..) => commands::unknown_command(&id, asked, state.catalog),
            }
        }
    })
}

/// A refusal in the shape of the tool's family; nothing was started.
fn refused(tool: Tool, output_id: &str, code: &str, message: &str) -> String {
    match tool {
        Tool::RunCommand | Tool::RunReadCommand => {
            shown::undelivered(output_id, Landed::No, code, message, None)
        }
        _ => shown::error(output_id, code, message, None),
    }
}

/// Why there is no listing to work from.
fn unlisted(code: &Code) -> (&'static str, &'static str) {
    match code {
        Code::Cancelled => (
            "cancelled",
            "The turn was cancelled before the listing was read. Nothing was sent.",
        ),
        Code::MalformedPayload => (
            "malformed_payload",
            "The host's listing does not have the shape of one. Nothing was sent.",
        ),
        _ => (
            "command_failed",
            "The host's listing could not be read. Nothing was sent.",
        ),
    }
}

/// A retrieval's failure.
fn failed(output_id: &str, code: &Code) -> String {
    let (name, message) = match code {
        Code::Cancelled => (
            "cancelled",
            "The turn was cancelled before the host command.",
        ),
        Code::HostRefused(_) => ("host_refused", "The host refused the request."),
        Code::NotFound => ("not_found", "No live person matches."),
        Code::Contested => (
            "contested",
            "More than one live person matches. Name one by an email address or `person:…`.",
        ),
        Code::SchemaVersionMismatch => (
            "schema_version_mismatch",
            "The host's search answer states a schema version other than 1.",
        ),
        Code::MalformedPayload => (
            "malformed_payload",
            "The host's answer does not have the shape that the command returns.",
        ),
        Code::CommandFailed => (
            "command_failed",
            "Loom could not be asked, or gave no usable answer.",
        ),
    };
    let host_code = match code {
        Code::HostRefused(code) => code.as_deref(),
        _ => None,
    };
    shown::error(output_id, name, message, host_code)
}

/// What a token refers to; `known: false` alone for any text the run does not hold.
fn describe(output_id: &str, token: &str, handles: &Handles) -> String {
    let held = handles.get(token);
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("token", crate::rules::quote(token))
        .bool("known", held.is_some());
    if let Some(referent) = held {
        let mut described = String::new();
        let mut referent_fields = Fields::open(&mut described);
        referent_fields
            .string("kind", "document")
            .string("source", &referent.source)
            .string("labelSource", referent.label_source.name());
        referent_fields.close();
        fields
            .bool("hasSchema", false)
            .raw("labels", &format!("[{}]", referent.label.disclosed()))
            .raw("referent", &described);
    }
    fields.close();
    out
}
