//! What a signal does: the turn's processes are killed and the program exits, with 128 and the
//! signal's number, as soon as the turn has been answered. Processes lead groups of their own, so a
//! terminal's interrupt does not reach them: nothing would end them but this.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::process::Cancel;

/// How long a turn whose processes were killed may take to end.
const GRACE: Duration = Duration::from_secs(5);

/// The program's end by a signal; by default one that never comes.
#[derive(Clone, Default)]
pub(super) struct Stop(Arc<State>);

#[derive(Default)]
struct State {
    /// Whether a signal came: the thread that took it ends the program.
    ending: AtomicBool,
    cancel: Mutex<Option<Cancel>>,
    /// What else is told to end.
    ends: Mutex<Option<Box<dyn Fn() + Send>>>,
    /// Held while there is something to finish before the program may exit.
    busy: Mutex<()>,
    /// What is undone at the end; run once.
    cleanup: Mutex<Option<Box<dyn FnOnce() + Send>>>,
}

impl Stop {
    /// Listens for signals from now on.
    pub(super) fn listen() -> std::io::Result<Self> {
        let stop = Self::default();
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
        let state = Arc::clone(&stop.0);
        thread::Builder::new()
            .name("loom-tools-signals".into())
            .spawn(move || {
                if let Some(signal) = signals.forever().next() {
                    let _busy = state.end();
                    std::process::exit(128 + signal);
                }
            })?;
        Ok(stop)
    }

    /// Names what a signal cancels.
    pub(super) fn cancels(&self, cancel: Cancel) {
        *self.0.cancel.lock().unwrap_or_else(PoisonError::into_inner) = Some(cancel);
    }

    /// Names what else a signal ends; the program exits once it has, as [`Stop::finishing`] tells.
    #[cfg(feature = "mcp")]
    pub(super) fn ends(&self, end: impl Fn() + Send + 'static) {
        *self.0.ends.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(end));
    }

    /// Names what is undone when the program ends, by a signal or by [`Stop::clean`].
    #[cfg_attr(
        not(feature = "sample"),
        allow(dead_code, reason = "only the demo leaves anything")
    )]
    pub(super) fn cleans(&self, cleanup: impl FnOnce() + Send + 'static) {
        *self
            .0
            .cleanup
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = Some(Box::new(cleanup));
    }

    /// Undoes it now.
    #[cfg_attr(
        not(feature = "sample"),
        allow(dead_code, reason = "only the demo leaves anything")
    )]
    pub(super) fn clean(&self) {
        self.0.clean();
    }

    /// Waits for the end, once a signal has come: what was cancelled is not worth printing.
    fn wait_if_ending(&self) {
        while self.0.ending.load(Ordering::SeqCst) {
            thread::park();
        }
    }

    /// Does something that is finished before the program exits. Does not return once a signal has
    /// come: a program that went on to its own end would hide that its turn was killed.
    pub(super) fn finishing<T>(&self, work: impl FnOnce() -> T) -> T {
        let busy = self.0.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let done = work();
        drop(busy);
        self.wait_if_ending();
        done
    }
}

impl State {
    /// Ends what runs and undoes what is to be undone. Nothing new begins while the guard lives.
    fn end(&self) -> Option<MutexGuard<'_, ()>> {
        self.ending.store(true, Ordering::SeqCst);
        if let Some(cancel) = &*self.cancel.lock().unwrap_or_else(PoisonError::into_inner) {
            cancel.stop();
        }
        if let Some(end) = &*self.ends.lock().unwrap_or_else(PoisonError::into_inner) {
            end();
        }
        let until = Instant::now() + GRACE;
        let busy = loop {
            match self.busy.try_lock() {
                Ok(busy) => break Some(busy),
                Err(TryLockError::Poisoned(busy)) => break Some(busy.into_inner()),
                Err(TryLockError::WouldBlock) if Instant::now() > until => break None,
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(5)),
            }
        };
        self.clean();
        busy
    }

    /// Whoever comes second waits until it is undone.
    fn clean(&self) {
        let mut cleanup = self.cleanup.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cleanup) = cleanup.take() {
            cleanup();
        }
    }
}
