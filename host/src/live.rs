//! The live answer to `run-loom`: ask the grant, hold the rules, render the argument vector, run
//! the process, write the journal, hand back bytes. What is refused starts nothing. Standard
//! error, and why something failed, stay on this side.

#[cfg(test)]
mod tests;

use std::io;
use std::time::Duration;

use crate::bindings::loom::tools::process::{Answer, Failure, Request};
use crate::command_line::render;
use crate::grant::Grant;
use crate::journal::{Caller, End, Event, Journal};
use crate::limits::Meter;
use crate::loom::Loom;
use crate::process::{self, Cancel, Launch, Loss, Outcome};
use crate::text::cut;
use crate::tools::kind;

/// How much of a call's id is repeated to the operator, in bytes.
const NAME: usize = 128;

/// Everything that starting processes needs, as values.
pub(crate) struct Live {
    pub(crate) loom: Loom,
    pub(crate) grant: Grant,
    pub(crate) cancel: Cancel,
    pub(crate) journal: Box<dyn Journal>,
    /// What the last turn, or the one that is under way, has started, in words.
    pub(crate) started: Vec<String>,
}

impl Live {
    /// Answers every request, in order. An error is the journal's, and ends the run.
    pub(crate) fn answer(
        &mut self,
        requests: &[Request],
        callers: &[Caller],
        meter: &mut Meter,
    ) -> io::Result<Vec<Result<Answer, Failure>>> {
        self.journal.starting(requests.len())?;
        let judge = |request| self.judge(request, callers);
        let judged: Vec<Result<Launch, String>> = requests.iter().map(judge).collect();
        let nothing = Sent::default();
        for (request, refused) in requests.iter().zip(&judged) {
            if let Err(reason) = refused {
                let end = End::Refused(reason);
                let event = event(request, callers, &nothing, end, Duration::ZERO);
                tracing::debug!(call = event.call, end = ?event.end, "request");
                self.journal.ended(&event)?;
            }
        }
        let (slots, launches): (Vec<usize>, Vec<Launch>) = judged
            .into_iter()
            .enumerate()
            .filter_map(|(slot, judged)| Some((slot, judged.ok()?)))
            .unzip();
        let served: Vec<&Request> = slots
            .iter()
            .filter_map(|&slot| requests.get(slot))
            .collect();
        let outcomes = self.run(&served, callers, launches, meter)?;
        let mut answers: Vec<_> = requests.iter().map(|_| Err(Failure::NotGranted)).collect();
        for (slot, outcome) in slots.into_iter().zip(outcomes) {
            if let Some(place) = answers.get_mut(slot) {
                *place = hand_over(outcome);
            }
        }
        Ok(answers)
    }

    /// The process a request becomes, or why it is refused.
    fn judge(&self, request: &Request, callers: &[Caller]) -> Result<Launch, String> {
        let Some(caller) = caller(request, callers) else {
            return Err("the request names no call of its turn".to_owned());
        };
        self.grant
            .covers(&caller.tool, &request.operation)
            .map_err(|refused| refused.to_string())?;
        let line = render(&request.operation)?;
        let launch = self.loom.launch(&request.operation, line, request.call);
        launch.ok_or_else(|| "its family is not configured".to_owned())
    }

    /// Runs what was granted, writing each process down as it ends. An answer that the turn has no
    /// room for is let go of there and then: what is kept never adds up to more than the turn's
    /// bound, and the journal says what the component is told.
    fn run(
        &mut self,
        requests: &[&Request],
        callers: &[Caller],
        launches: Vec<Launch>,
        meter: &mut Meter,
    ) -> io::Result<Vec<Outcome>> {
        let sent: Vec<Sent> = launches.iter().map(Sent::of).collect();
        let Self {
            journal,
            cancel,
            loom,
            started,
            ..
        } = self;
        let mut unrecorded = None;
        let until = meter.until();
        let mut report = |index: usize, outcome: &mut Outcome, took: Duration| {
            if let Outcome::Finished { stdout, .. } = outcome
                && !meter.takes(stdout.len())
            {
                *outcome = Outcome::Lost(Loss::TurnOutput);
            }
            let (Some(request), Some(sent)) = (requests.get(index), sent.get(index)) else {
                return;
            };
            let reason = reason(outcome);
            let event = event(request, callers, sent, end(outcome, &reason), took);
            tracing::debug!(call = event.call, argv = ?event.argv, end = ?event.end, took = ?took, "process");
            started.extend(in_words(&event));
            if let Err(error) = journal.ended(&event) {
                // No further process may run unrecorded.
                cancel.turn();
                unrecorded.get_or_insert(error);
            }
        };
        let outcomes = process::run(launches, &loom.bounds, until, cancel, &mut report);
        match unrecorded {
            Some(error) => Err(error),
            None => Ok(outcomes),
        }
    }
}

/// What the component learns of an outcome.
fn hand_over(outcome: Outcome) -> Result<Answer, Failure> {
    match outcome {
        Outcome::Finished { exit_code, stdout } => Ok(Answer { exit_code, stdout }),
        Outcome::Cancelled => Err(Failure::Cancelled),
        Outcome::NotStarted(error) => {
            tracing::warn!(%error, "the CLI could not be started");
            Err(Failure::NotStarted)
        }
        Outcome::Lost(Loss::Cancelled) => {
            tracing::info!("the CLI was killed: its call was cancelled");
            Err(Failure::Lost)
        }
        Outcome::Lost(loss) => {
            tracing::warn!(?loss, "the CLI's answer is lost");
            Err(Failure::Lost)
        }
    }
}

/// What a process was started with.
#[derive(Default)]
struct Sent {
    argv: Vec<String>,
    stdin: Option<Vec<u8>>,
}

impl Sent {
    fn of(launch: &Launch) -> Self {
        let program = launch.program.to_string_lossy().into_owned();
        let args = launch.args.iter().cloned();
        Self {
            argv: std::iter::once(program).chain(args).collect(),
            stdin: launch.stdin.clone(),
        }
    }
}

fn caller<'a>(request: &Request, callers: &'a [Caller]) -> Option<&'a Caller> {
    callers.get(usize::try_from(request.call).ok()?)
}

fn event<'a>(
    request: &Request,
    callers: &'a [Caller],
    sent: &'a Sent,
    end: End<'a>,
    took: Duration,
) -> Event<'a> {
    Event {
        call: request.call,
        caller: caller(request, callers),
        kind: kind(&request.operation),
        argv: &sent.argv,
        stdin: sent.stdin.as_deref(),
        end,
        took,
    }
}

/// A process that started, in words for whoever is told that its run is over.
fn in_words(event: &Event<'_>) -> Option<String> {
    let how = match event.end {
        End::Exited(code, _) => format!("exited with {code}"),
        End::Lost(reason) => format!("lost: {reason}"),
        End::Refused(_) | End::Cancelled | End::NotStarted(_) => return None,
    };
    let id = event.caller.map_or("", |caller| cut(&caller.id, NAME));
    Some(format!("`{}` for call {id:?} ({how})", event.kind.name()))
}

/// Why an outcome is no answer, in words.
fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::NotStarted(error) | Outcome::Lost(Loss::Io(error)) => error.to_string(),
        Outcome::Lost(Loss::Signal(signal)) => format!("signal {signal}"),
        Outcome::Lost(Loss::Deadline) => "deadline".to_owned(),
        Outcome::Lost(Loss::Cancelled) => "cancelled".to_owned(),
        Outcome::Lost(Loss::Output) => "too much output".to_owned(),
        Outcome::Lost(Loss::TurnOutput) => "too much output of the turn".to_owned(),
        Outcome::Finished { .. } | Outcome::Cancelled => String::new(),
    }
}

fn end<'a>(outcome: &Outcome, reason: &'a str) -> End<'a> {
    match outcome {
        Outcome::Finished { exit_code, stdout } => End::Exited(*exit_code, stdout.len()),
        Outcome::Cancelled => End::Cancelled,
        Outcome::NotStarted(_) => End::NotStarted(reason),
        Outcome::Lost(_) => End::Lost(reason),
    }
}
