//! Sends what a turn's calls need: the listing first and once, when one is needed, then every
//! other request together. The host decides how many run at once.

use std::collections::VecDeque;

use super::plan::{Plan, Planned};
use super::{Run, RunLoom};
use crate::bindings::loom::tools::process::{Answer, CommandRun, Failure, Operation, Request};
use crate::commands::{Call, Catalog, Command, Declared, Unlisted};
use crate::input::Refusal;
use crate::tools::Tool;

/// What becomes of one command call, by the catalog alone.
#[derive(Debug)]
pub(super) enum Step<'a> {
    Malformed(&'a Refusal),
    /// The catalog does not list the command of that name.
    Unknown(&'a str),
    NotGranted,
    /// Its answer is among those of the exchange.
    Sent(&'a Call, &'a Command),
}

/// The answers to a turn's requests, in their order.
#[derive(Debug)]
pub(super) struct Exchange(VecDeque<Result<Answer, Failure>>);

impl Exchange {
    /// The next request's answer, let go of once it is read. A host that answered too few requests
    /// lost the rest.
    pub(super) fn next(&mut self) -> Result<Answer, Failure> {
        self.0.pop_front().unwrap_or(Err(Failure::Lost))
    }
}

impl Run {
    /// Reads the listing when a call of the turn needs a fresh one, or needs one and none is held;
    /// refuses the calls that have none to use.
    ///
    /// The reading is attributed to the first call that needs it. When that call is cancelled before
    /// the listing starts, the next one asks for itself. A listing that was running is lost, whatever
    /// ended it, and the calls that share it fail: one that hangs is not waited for once a call.
    pub(super) fn read_listing(&mut self, planned: &mut [Planned], run_loom: &mut RunLoom<'_>) {
        let held = self.catalog.is_some();
        // What a run can read with is what the host grants now.
        let fresh = |tool| tool == Tool::ListCommands || tool == Tool::RunReadCommand;
        let users: Vec<(usize, Tool)> = planned
            .iter()
            .enumerate()
            .filter_map(|(at, planned)| Some((at, planned.plan.uses_listing()?)))
            .collect();
        let (first, then): (Vec<_>, Vec<_>) = users
            .into_iter()
            .partition(|(_, tool)| !held || fresh(*tool));
        if first.is_empty() {
            return;
        }
        // What a failed reading leaves behind is nothing: the next call asks the host again.
        self.catalog = None;
        let mut failed = None;
        for (at, tool) in first.into_iter().chain(then) {
            let unlisted = match failed {
                Some(unlisted) => unlisted,
                None => match listing(at, run_loom) {
                    Ok(catalog) => {
                        self.catalog = Some(catalog);
                        return;
                    }
                    Err(Unlisted::Cancelled) => Unlisted::Cancelled,
                    Err(other) => *failed.insert(other),
                },
            };
            if let Some(planned) = planned.get_mut(at) {
                let (code, message) = unlisted.words();
                let message = message.to_owned();
                planned.plan = Plan::Refused {
                    tool,
                    code,
                    message,
                };
            }
        }
    }

    /// Sends every request of the turn at once.
    pub(super) fn send(&self, planned: &[Planned], run_loom: &mut RunLoom<'_>) -> Exchange {
        let mut requests = Vec::new();
        for (at, planned) in planned.iter().enumerate() {
            let call = position(at);
            let mut ask = |operation| requests.push(Request { call, operation });
            match &planned.plan {
                Plan::Retrieve { operation, .. } => ask(operation.clone()),
                Plan::Run { tool, calls, .. } => {
                    for one in calls.each() {
                        if let Step::Sent(one, _) = step(self.catalog.as_ref(), *tool, one) {
                            ask(command_run(one, *tool == Tool::RunReadCommand));
                        }
                    }
                }
                Plan::Denied(_)
                | Plan::UnknownTool
                | Plan::Refused { .. }
                | Plan::Describe { .. }
                | Plan::List { .. } => {}
            }
        }
        let answers = if requests.is_empty() {
            Vec::new()
        } else {
            run_loom(&requests)
        };
        Exchange(answers.into())
    }
}

/// Checks a call against the catalog: what a run can call is what it can see, and what it can read
/// with is what the host grants it now. Decides what is sent and how it is answered alike: the
/// catalog is the same for both.
pub(super) fn step<'a>(
    catalog: Option<&'a Catalog>,
    tool: Tool,
    call: Result<&'a Call, &'a Refusal>,
) -> Step<'a> {
    let call = match call {
        Ok(call) => call,
        Err(refusal) => return Step::Malformed(refusal),
    };
    let Some(command) = catalog.and_then(|catalog| catalog.get(&call.command)) else {
        return Step::Unknown(&call.command);
    };
    let granted_read = command.effect == Some(Declared::Read) && command.read_only_granted;
    if tool == Tool::RunReadCommand && !granted_read {
        return Step::NotGranted;
    }
    Step::Sent(call, command)
}

/// Asks for the listing on behalf of the call at that position.
fn listing(at: usize, run_loom: &mut RunLoom<'_>) -> Result<Catalog, Unlisted> {
    let answers = run_loom(&[Request {
        call: position(at),
        operation: Operation::CommandList,
    }]);
    match answers.into_iter().next().unwrap_or(Err(Failure::Lost)) {
        Ok(answer) => Catalog::read(answer.exit_code, &answer.stdout),
        Err(Failure::Cancelled) => Err(Unlisted::Cancelled),
        Err(Failure::NotGranted | Failure::NotStarted | Failure::Lost) => Err(Unlisted::Failed),
    }
}

/// A call's position in its turn, as a request names it.
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

fn command_run(call: &Call, read_only: bool) -> Operation {
    Operation::CommandRun(CommandRun {
        id: call.command.clone(),
        args_json: call.args.clone(),
        loom_id: call.loom_id.clone(),
        expected_version: call.expected_version,
        read_only,
    })
}
