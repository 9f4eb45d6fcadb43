//! How another thread ends what a turn started. It decides which calls are cancelled; the loop in
//! [`run`](super::run) does the killing.
//!
//! What holds: a cancellation is of the turn that is current when it arrives, and a turn begins
//! when the host calls [`Cancel::reset`]. Arriving after that, it covers everything the turn starts
//! from then on and ends everything the turn has running; it stays in force until the next turn
//! begins, so it cannot fall between two processes of one turn. Arriving before that, or after the
//! turn's last process ended, it changes nothing. So whoever lets a person cancel a turn offers that only
//! once the turn has begun, or gives each turn a `Cancel` of its own. [`Cancel::stop`] is for the host that
//! is going away: no turn begins after it, so there is nothing to race with.

use std::collections::BTreeSet;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{EventfdFlags, eventfd};

/// A handle that ends processes from any thread; clones are one handle. It serves one turn at a
/// time.
#[derive(Clone, Debug)]
pub struct Cancel(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    /// Wakes the loop that waits in poll(2): readable once something was cancelled.
    wake: OwnedFd,
}

#[derive(Debug, Default)]
struct State {
    stopped: bool,
    turn: bool,
    calls: BTreeSet<u32>,
}

impl Cancel {
    /// A handle under which nothing is cancelled. It holds one file descriptor, and fails where
    /// there is none to have.
    pub fn new() -> io::Result<Self> {
        let wake = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        let state = Mutex::default();
        Ok(Self(Arc::new(Shared { state, wake })))
    }

    /// Cancels the current turn: what runs is killed, what has not started never does.
    pub fn turn(&self) {
        self.state().turn = true;
        self.wake();
    }

    /// Cancels the processes of one call, by its position in the current turn.
    pub fn call(&self, call: u32) {
        self.state().calls.insert(call);
        self.wake();
    }

    /// Cancels this turn and every later one.
    pub fn stop(&self) {
        self.state().stopped = true;
        self.wake();
    }

    /// Begins a turn: forgets what was cancelled before, except [`stop`](Self::stop).
    pub(crate) fn reset(&self) {
        let mut state = self.state();
        state.turn = false;
        state.calls.clear();
    }

    /// Whether the processes of `call` are cancelled.
    pub(super) fn covers(&self, call: u32) -> bool {
        let state = self.state();
        state.stopped || state.turn || state.calls.contains(&call)
    }

    /// What becomes readable when something is cancelled.
    pub(super) fn woken(&self) -> BorrowedFd<'_> {
        self.0.wake.as_fd()
    }

    /// Makes `woken` quiet again. Called before the state is read: what is cancelled in between
    /// wakes the loop once more, and nothing is missed.
    pub(super) fn quiet(&self) {
        // The only error is that it is quiet already.
        let _ = rustix::io::read(&self.0.wake, &mut [0; 8]);
    }

    fn wake(&self) {
        // The only error is a counter that is full, which is as readable as can be.
        let _ = rustix::io::write(&self.0.wake, &1u64.to_ne_bytes());
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change is one assignment, so a panic elsewhere cannot leave it half made.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
