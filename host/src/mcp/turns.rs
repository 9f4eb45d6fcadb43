//! Which calls share a turn, and what a cancellation ends. Agents send the calls of one model turn
//! at once: a turn takes what arrives within a few milliseconds, and what arrives while it runs
//! forms the next. A call cancelled before its turn begins is dropped; one cancelled in it loses its
//! processes and no other call's.
//!
//! The run blocks, so it has a thread of its own, which [`Turns::run`] is.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};

use super::listener::{Finished, Listener};
use crate::process::Cancel;
use crate::run::{Call, Reply, Run};
use crate::state::StateFile;

/// How long the first call of a turn waits for those sent with it. Threat: calls that could run
/// side by side run one after the other. Trade: every lone call starts this much later.
const GATHER: Duration = Duration::from_millis(5);

/// Calls of one turn. Threat: the limits of a turn (its requests, its time, its answers) end a run
/// or lose answers. Trade: eight retrievals and four commands run at once in any case.
const MAX_TURN: usize = 16;

/// Finished processes that a call may be behind in reporting.
const UNREPORTED: usize = 32;

/// The run has failed, or could not be saved; why is in the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

/// The calls of one run, waiting and running; clones are one.
#[derive(Clone)]
pub(super) struct Turns {
    state: Arc<Mutex<State>>,
    changed: Arc<Condvar>,
    cancel: Cancel,
    listener: Listener,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Job>,
    /// The calls of the current turn, by position.
    current: Vec<Current>,
    /// What the next call is known by.
    next: u64,
    closed: bool,
}

struct Job {
    key: u64,
    call: Call,
    arrived: Instant,
    finished: mpsc::Sender<Finished>,
    reply: oneshot::Sender<Result<Reply, Failed>>,
}

struct Current {
    key: u64,
    cancelled: bool,
}

/// A call that was submitted. Dropping it cancels the call, unless it has been answered.
pub(super) struct Ticket {
    turns: Turns,
    key: u64,
    /// Its reply; closed without one when the server ends.
    pub(super) reply: oneshot::Receiver<Result<Reply, Failed>>,
    /// Each of its processes, as it ends.
    pub(super) finished: mpsc::Receiver<Finished>,
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.turns.cancel(self.key);
    }
}

impl Turns {
    /// The calls of the run that `cancel` cancels and `listener` hears of.
    pub(super) fn new(cancel: Cancel, listener: Listener) -> Self {
        Self {
            state: Arc::default(),
            changed: Arc::default(),
            cancel,
            listener,
        }
    }

    /// Puts a call into the next turn.
    pub(super) fn submit(&self, call: Call) -> Ticket {
        let (reply, replied) = oneshot::channel();
        let (finished, processes) = mpsc::channel(UNREPORTED);
        let mut state = self.lock();
        let key = state.next;
        state.next += 1;
        if !state.closed {
            state.waiting.push_back(Job {
                key,
                call,
                arrived: Instant::now(),
                finished,
                reply,
            });
            self.changed.notify_one();
        }
        drop(state);
        Ticket {
            turns: self.clone(),
            key,
            reply: replied,
            finished: processes,
        }
    }

    /// Kills what runs; nothing starts any more.
    pub(super) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        self.cancel.stop();
        self.changed.notify_one();
    }

    fn cancel(&self, key: u64) {
        let mut state = self.lock();
        state.waiting.retain(|job| job.key != key);
        if let Some(at) = state.current.iter().position(|call| call.key == key) {
            if let Some(call) = state.current.get_mut(at) {
                call.cancelled = true;
            }
            // Under the lock: the turn is still the one that the position is of.
            self.cancel.call(position(at));
        }
    }

    /// Runs turn after turn, until closed.
    pub(super) fn run(&self, mut run: Run, state: Option<&StateFile>) {
        // Also when it panics: whoever submits then is not left waiting.
        let _close = CloseOnDrop(self);
        while let Some(jobs) = self.gather() {
            let calls = jobs.iter().map(|job| job.call.clone()).collect();
            let listeners = jobs.iter().map(|job| Some(job.finished.clone()));
            self.listener.turn(listeners.collect());
            let answered = run.invoke_noting(calls, || self.begun());
            self.lock().current.clear();
            self.listener.turn(Vec::new());
            // Taken now: to save the run forgets them.
            let started = run.started().join(", ");
            let replies = answered
                .map_err(|error| tracing::error!(%error, %started, "the turn failed"))
                .and_then(|replies| save(&mut run, state, &started).map(|()| replies));
            let mut replies = replies.unwrap_or_default().into_iter();
            for job in jobs {
                let _ = job.reply.send(replies.next().ok_or(Failed));
            }
        }
    }

    /// Waits for the calls of the next turn; none when closed.
    fn gather(&self) -> Option<Vec<Job>> {
        let mut state = self.lock();
        loop {
            if state.closed {
                return None;
            }
            let Some(first) = state.waiting.front() else {
                state = self
                    .changed
                    .wait(state)
                    .unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = GATHER.saturating_sub(first.arrived.elapsed());
            if left.is_zero() || state.waiting.len() >= MAX_TURN {
                break;
            }
            let waited = self.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let count = state.waiting.len().min(MAX_TURN);
        let jobs: Vec<Job> = state.waiting.drain(..count).collect();
        let current = jobs.iter().map(|job| Current {
            key: job.key,
            cancelled: false,
        });
        state.current = current.collect();
        Some(jobs)
    }

    /// The turn has begun: what was cancelled since it was gathered is cancelled now.
    fn begun(&self) {
        for (at, call) in self.lock().current.iter().enumerate() {
            if call.cancelled {
                self.cancel.call(position(at));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct CloseOnDrop<'a>(&'a Turns);

impl Drop for CloseOnDrop<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn position(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Saves the run. What could not be saved is not shown: continued, the run would not know what the
/// model has seen. What the turn had `started` goes to the log.
fn save(run: &mut Run, state: Option<&StateFile>, started: &str) -> Result<(), ()> {
    let Some(state) = state else {
        return Ok(());
    };
    let saved = run.save().map_err(|error| error.to_string());
    let written = saved.and_then(|saved| state.write(&saved).map_err(|error| error.to_string()));
    written.map_err(|error| tracing::error!(error, started, "the run cannot be saved"))
}
