//! The one function a component is granted, `run-loom`, from request to answer: count it, ask the
//! grant, hold the rules, render the argument vector, run the process, record it, hand back bytes.
//! What is refused starts nothing. Standard error, and why something failed, stay on this side.

use std::time::Duration;

use wasmtime::component::HasData;

use crate::bindings::loom::tools::process::{Answer, Failure, Host, Request};
use crate::command_line::render;
use crate::grant::{Grant, kind};
use crate::journal::{End, Event, Journal};
use crate::limits::Meter;
use crate::loom::Loom;
use crate::process::{self, Cancel, Launch, Loss, Outcome};

/// What a store holds: everything the import needs, as values.
pub(crate) struct Bound {
    pub(crate) loom: Loom,
    pub(crate) grant: Grant,
    pub(crate) cancel: Cancel,
    pub(crate) journal: Box<dyn Journal>,
    pub(crate) meter: Meter,
    /// How many calls the current turn has: a request serves one of them.
    pub(crate) calls: u32,
    /// Why the journal could not be written, which ended the run.
    pub(crate) unrecorded: Option<std::io::Error>,
}

impl HasData for Bound {
    type Data<'a> = &'a mut Self;
}

/// The journal could not be written; the run must not go on unrecorded.
#[derive(Debug)]
struct Unrecorded;

impl std::fmt::Display for Unrecorded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the journal could not be written")
    }
}

impl std::error::Error for Unrecorded {}

impl Host for Bound {
    fn run_loom(
        &mut self,
        requests: Vec<Request>,
    ) -> wasmtime::Result<Vec<Result<Answer, Failure>>> {
        self.meter.leave_guest();
        let answers = self.answer(requests);
        self.meter.enter_guest();
        answers
    }
}

impl Bound {
    fn answer(&mut self, requests: Vec<Request>) -> wasmtime::Result<Vec<Result<Answer, Failure>>> {
        self.meter.requests(requests.len())?;
        let judged: Vec<Result<Launch, String>> =
            requests.iter().map(|request| self.judge(request)).collect();
        for (request, refused) in requests.iter().zip(&judged) {
            if let Err(reason) = refused {
                let end = End::Refused(reason);
                self.record(&request_event(request, &[], None, end, Duration::ZERO))?;
            }
        }
        let (slots, launches): (Vec<usize>, Vec<Launch>) = judged
            .into_iter()
            .enumerate()
            .filter_map(|(slot, judged)| Some((slot, judged.ok()?)))
            .unzip();
        let outcomes = self.run(&requests, &slots, launches)?;
        let mut answers: Vec<_> = requests.iter().map(|_| Err(Failure::NotGranted)).collect();
        for (slot, outcome) in slots.into_iter().zip(outcomes) {
            let answer = self.hand_over(outcome);
            if let Some(place) = answers.get_mut(slot) {
                *place = answer;
            }
        }
        Ok(answers)
    }

    /// The process a request becomes, or why it is refused.
    fn judge(&self, request: &Request) -> Result<Launch, String> {
        if request.call >= self.calls {
            return Err("the request names no call of its turn".to_owned());
        }
        self.grant
            .covers(&request.operation)
            .map_err(|refused| refused.to_string())?;
        let line = render(&request.operation)?;
        let launch = self.loom.launch(&request.operation, line, request.call);
        launch.ok_or_else(|| "its family is not configured".to_owned())
    }

    /// Runs what was granted, recording each process as it ends.
    fn run(
        &mut self,
        requests: &[Request],
        slots: &[usize],
        launches: Vec<Launch>,
    ) -> wasmtime::Result<Vec<Outcome>> {
        let sent: Vec<(Vec<String>, Option<Vec<u8>>)> = launches
            .iter()
            .map(|launch| {
                let program = launch.program.to_string_lossy().into_owned();
                let argv = std::iter::once(program)
                    .chain(launch.args.iter().cloned())
                    .collect();
                (argv, launch.stdin.clone())
            })
            .collect();
        let Self {
            journal,
            cancel,
            loom,
            meter,
            ..
        } = self;
        let mut unrecorded = None;
        let mut report = |index: usize, outcome: &Outcome, took: Duration| {
            let request = slots.get(index).and_then(|&slot| requests.get(slot));
            if let (Some(request), Some((argv, stdin))) = (request, sent.get(index)) {
                let reason = reason(outcome);
                let end = end(outcome, &reason);
                let event = request_event(request, argv, stdin.as_deref(), end, took);
                tracing::debug!(call = event.call, argv = ?event.argv, end = ?event.end, took = ?took, "process");
                if let Err(error) = journal.ended(&event) {
                    // No further process may run unrecorded.
                    cancel.turn();
                    unrecorded.get_or_insert(error);
                }
            }
        };
        let outcomes = process::run(launches, &loom.bounds, meter.until(), cancel, &mut report);
        match unrecorded {
            Some(error) => {
                self.unrecorded = Some(error);
                Err(Unrecorded.into())
            }
            None => Ok(outcomes),
        }
    }

    fn record(&mut self, event: &Event<'_>) -> wasmtime::Result<()> {
        tracing::debug!(call = event.call, end = ?event.end, "request");
        self.journal.ended(event).map_err(|error| {
            self.unrecorded = Some(error);
            Unrecorded.into()
        })
    }

    /// What the component learns of an outcome.
    fn hand_over(&mut self, outcome: Outcome) -> Result<Answer, Failure> {
        match outcome {
            Outcome::Finished { exit_code, stdout } if self.meter.takes(stdout.len()) => {
                Ok(Answer { exit_code, stdout })
            }
            Outcome::Finished { .. } => {
                tracing::warn!("an answer is lost: the turn's answers are too large together");
                Err(Failure::Lost)
            }
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
}

fn request_event<'a>(
    request: &Request,
    argv: &'a [String],
    stdin: Option<&'a [u8]>,
    end: End<'a>,
    took: Duration,
) -> Event<'a> {
    Event {
        call: request.call,
        kind: kind(&request.operation),
        argv,
        stdin,
        end,
        took,
    }
}

/// Why an outcome is no answer, in words.
fn reason(outcome: &Outcome) -> String {
    match outcome {
        Outcome::NotStarted(error) | Outcome::Lost(Loss::Io(error)) => error.to_string(),
        Outcome::Lost(Loss::Signal(signal)) => format!("signal {signal}"),
        Outcome::Lost(Loss::Deadline) => "deadline".to_owned(),
        Outcome::Lost(Loss::Cancelled) => "cancelled".to_owned(),
        Outcome::Lost(Loss::Output) => "too much output".to_owned(),
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
