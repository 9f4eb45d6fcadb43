//! Sends what a turn's calls need: the listing first and once, when one is needed, then every
//! other request together. The host decides how many run at once.

use std::collections::VecDeque;

use super::plan::{Plan, Planned};
use super::{Run, RunLoom};
use crate::bindings::loom::tools::process::{Answer, CommandRun, Failure, Operation, Request};
use crate::commands::{Call, Calls, Catalog, Effect};
use crate::input::Refusal;
use crate::retrieval::Code;
use crate::tools::Tool;

/// Whether the turn's calls have a listing to use, and why not.
pub(super) type Listing = Result<(), Code>;

/// What became of one command call before its answer.
#[derive(Debug)]
pub(super) enum Step {
    Malformed(Refusal),
    Unknown,
    NotGranted,
    /// Its answer is among those of the exchange.
    Sent,
}

/// One call of the turn, with what was decided of its commands.
#[derive(Debug)]
pub(super) struct SentCall {
    pub(super) planned: Planned,
    /// For each command call of a `Plan::Run`, in order.
    pub(super) steps: Vec<(Option<Call>, Step)>,
    pub(super) listing: Listing,
}

/// The turn's calls, and the answers in the order of their requests.
#[derive(Debug)]
pub(super) struct Exchange {
    calls: Vec<SentCall>,
    answers: VecDeque<Result<Answer, Failure>>,
}

impl Exchange {
    pub(super) fn take_calls(&mut self) -> Vec<SentCall> {
        std::mem::take(&mut self.calls)
    }

    /// The next request's answer, let go of once it is read. A host that answered too few requests
    /// lost the rest.
    pub(super) fn next(&mut self) -> Result<Answer, Failure> {
        self.answers.pop_front().unwrap_or(Err(Failure::Lost))
    }
}

impl Run {
    /// Reads the listing when a call of the turn needs a fresh one, or needs one and none is held;
    /// says for each call whether it has one.
    ///
    /// The reading is attributed to the first call that needs it. When that call is cancelled,
    /// nothing is held and the next one asks for itself: a cancellation is of its call alone.
    pub(super) fn listings_for(
        &mut self,
        planned: &[Planned],
        run_loom: &mut RunLoom<'_>,
    ) -> Vec<Listing> {
        let mut listings = vec![Ok(()); planned.len()];
        let held = self.catalog.is_some();
        let users = || {
            (0..)
                .zip(planned)
                .filter(|(_, planned)| planned.plan.uses_listing())
        };
        let needs = |planned: &Planned| !held || planned.plan.needs_fresh_listing();
        if !users().any(|(_, planned)| needs(planned)) {
            return listings;
        }
        // What a failed reading leaves behind is nothing: the next call asks the host again.
        self.catalog = None;
        let (first, then): (Vec<_>, Vec<_>) = users().partition(|(_, planned)| needs(planned));
        for (at, _) in first.into_iter().chain(then) {
            let reading = match read_listing(at, run_loom) {
                Err(Code::Cancelled) => {
                    if let Some(listing) = listings.get_mut(at) {
                        *listing = Err(Code::Cancelled);
                    }
                    continue;
                }
                Err(code) => Err(code),
                Ok(catalog) => {
                    self.catalog = Some(catalog);
                    Ok(())
                }
            };
            for listing in listings.iter_mut().filter(|listing| listing.is_ok()) {
                *listing = reading.clone();
            }
            break;
        }
        listings
    }

    /// Sends every request of the turn at once.
    pub(super) fn send(
        &self,
        planned: Vec<Planned>,
        listings: Vec<Listing>,
        run_loom: &mut RunLoom<'_>,
    ) -> Exchange {
        let mut requests = Vec::new();
        let mut calls = Vec::new();
        for ((at, planned), listing) in planned.into_iter().enumerate().zip(listings) {
            let call = position(at);
            let mut steps = Vec::new();
            match &planned.plan {
                Plan::Retrieve { operation, .. } => {
                    requests.push(Request {
                        call,
                        operation: operation.clone(),
                    });
                }
                Plan::Run { tool, calls, .. } if listing.is_ok() || !sends(calls) => {
                    for one in each(calls) {
                        let (one, step) = self.step(*tool, one);
                        if let (Some(one), Step::Sent) = (&one, &step) {
                            let read_only = *tool == Tool::RunReadCommand;
                            requests.push(Request {
                                call,
                                operation: command_run(one, read_only),
                            });
                        }
                        steps.push((one, step));
                    }
                }
                _ => {}
            }
            calls.push(SentCall {
                planned,
                steps,
                listing,
            });
        }
        let answers = if requests.is_empty() {
            Vec::new()
        } else {
            run_loom(&requests)
        };
        Exchange {
            calls,
            answers: answers.into(),
        }
    }

    /// Checks a call against the catalog: what a run can call is what it can see, and what it can
    /// read with is what the host grants it now.
    fn step(&self, tool: Tool, call: Result<&Call, &Refusal>) -> (Option<Call>, Step) {
        let call = match call {
            Ok(call) => call,
            Err(Refusal(sentence)) => return (None, Step::Malformed(Refusal(sentence.clone()))),
        };
        let listed = self
            .catalog
            .as_ref()
            .and_then(|catalog| catalog.get(&call.command));
        let step = match listed {
            None => Step::Unknown,
            Some(command) if tool == Tool::RunReadCommand => {
                let granted = command.effect == Some(Effect::Read) && command.read_only_granted;
                if granted {
                    Step::Sent
                } else {
                    Step::NotGranted
                }
            }
            Some(_) => Step::Sent,
        };
        (Some(call.clone()), step)
    }
}

fn read_listing(at: usize, run_loom: &mut RunLoom<'_>) -> Result<Catalog, Code> {
    let answers = run_loom(&[Request {
        call: position(at),
        operation: Operation::CommandList,
    }]);
    match answers.into_iter().next().unwrap_or(Err(Failure::Lost)) {
        Ok(answer) => Catalog::read(answer.exit_code, &answer.stdout),
        Err(Failure::Cancelled) => Err(Code::Cancelled),
        Err(_) => Err(Code::CommandFailed),
    }
}

/// A call's position in its turn, as a request names it.
fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Whether any of the calls is well formed enough to need the catalog.
pub(super) fn sends(calls: &Calls) -> bool {
    each(calls).any(|call| call.is_ok())
}

fn each(calls: &Calls) -> Box<dyn Iterator<Item = Result<&Call, &Refusal>> + '_> {
    match calls {
        Calls::One(call) => Box::new(std::iter::once(Ok(call))),
        Calls::Batch(calls) => Box::new(calls.iter().map(Result::as_ref)),
    }
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
