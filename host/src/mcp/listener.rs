//! Hears of each process of a run as it ends, and tells the call it served: what progress is made of.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::Sender;

use crate::grant::Kind;
use crate::journal::{Event, Journal};

/// A process of the call has ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished;

/// The ear of a server, there before its run is opened; clones are one.
#[derive(Clone, Debug, Default)]
pub struct Listener(Arc<Mutex<Vec<Option<Sender<Finished>>>>>);

impl Listener {
    /// A journal to open the run with, which also does what `journal` does.
    pub fn journal(&self, journal: Box<dyn Journal>) -> Box<dyn Journal> {
        let listener = self.clone();
        Box::new(Overheard { listener, journal })
    }

    /// Whom the calls of the turn that begins report to, by their position.
    pub(super) fn turn(&self, listeners: Vec<Option<Sender<Finished>>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = listeners;
    }

    fn tell(&self, call: u32) {
        let listeners = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let listener = usize::try_from(call).ok().and_then(|at| listeners.get(at));
        if let Some(Some(listener)) = listener {
            // One that does not keep up misses a notification; the turn does not wait for it.
            let _ = listener.try_send(Finished);
        }
    }
}

/// Passes on everything that a journal is told: it must not stand between a run and its record.
struct Overheard {
    listener: Listener,
    journal: Box<dyn Journal>,
}

impl Journal for Overheard {
    fn starting(&mut self, requests: usize) -> io::Result<()> {
        self.journal.starting(requests)
    }

    fn ended(&mut self, event: &Event<'_>) -> io::Result<()> {
        // The listing is read for the whole turn; it is nobody's step.
        if event.kind != Kind::CommandList {
            self.listener.tell(event.call);
        }
        self.journal.ended(event)
    }

    fn over(&mut self, why: &str) -> io::Result<()> {
        self.journal.over(why)
    }
}
