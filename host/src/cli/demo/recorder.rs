//! A journal that keeps what it hears, for the operator's side of the page.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use super::text::{count, harmless, shell};
use crate::journal::{End, Event, Journal};

/// One request, over.
pub(super) struct Heard {
    pub(super) call: u32,
    /// The argument vector as a shell would take it, without the program; none started nothing.
    pub(super) line: Option<String>,
    pub(super) stdin: Option<String>,
    pub(super) end: String,
    /// Why the program could not be started at all.
    pub(super) not_started: Option<String>,
}

/// Clones hear and keep together.
#[derive(Clone, Default)]
pub(super) struct Recorder(Arc<Mutex<Vec<Heard>>>);

impl Recorder {
    /// What was heard since it was last asked.
    pub(super) fn take(&self) -> Vec<Heard> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Journal for Recorder {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, event: &Event<'_>) -> io::Result<()> {
        let args: Vec<String> = event.argv.iter().skip(1).map(|arg| shell(arg)).collect();
        let took = event.took.as_millis();
        let heard = Heard {
            call: event.call,
            line: (!event.argv.is_empty()).then(|| args.join(" ")),
            stdin: event
                .stdin
                .map(|bytes| harmless(&String::from_utf8_lossy(bytes))),
            end: match event.end {
                End::Refused(reason) => reason.to_owned(),
                End::Cancelled => "cancelled".to_owned(),
                End::NotStarted(reason) => format!("not started: {reason}"),
                End::Lost(reason) => format!("lost: {reason}"),
                End::Exited(code, bytes) => {
                    format!("exit {code}, {}, {took} ms", count(bytes, "byte"))
                }
            },
            not_started: match event.end {
                End::NotStarted(reason) => Some(reason.to_owned()),
                _ => None,
            },
        };
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(heard);
        Ok(())
    }

    fn over(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }
}
