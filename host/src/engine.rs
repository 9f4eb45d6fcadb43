//! The engine that runs components: what of WebAssembly it takes, and the ordinary thread that
//! lets guest code be interrupted.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::{Config, EngineWeak};

use crate::limits::Limits;

/// How often running guest code is asked whether it may go on.
const TICK: Duration = Duration::from_millis(10);
/// How many ticks without a guest go by before the thread sleeps: waking it costs a call more than
/// the call's own work does, so a session in use finds it awake.
const LINGER: u32 = 50;

/// Compiles and runs components. Cheap to clone; clones are one engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: wasmtime::Engine,
    clock: Arc<Clock>,
}

/// What the ticking thread and those that need it tell each other.
#[derive(Default)]
struct Clock {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    /// How many guests run now.
    guests: usize,
    /// Whether the thread sleeps until it is woken.
    asleep: bool,
}

impl Engine {
    /// An engine. Of `limits` only the stack is the engine's own.
    pub fn new(limits: &Limits) -> wasmtime::Result<Self> {
        let mut config = Config::new();
        // No backtraces: they would put names of the component's choice into messages.
        config
            .epoch_interruption(true)
            .max_wasm_stack(limits.stack)
            .wasm_backtrace_max_frames(None);
        let inner = wasmtime::Engine::new(&config)?;
        let clock = Arc::new(Clock::default());
        let (weak, watched) = (inner.weak(), Arc::clone(&clock));
        thread::Builder::new()
            .name("loom-tools-tick".into())
            .spawn(move || tick(&weak, &watched))?;
        Ok(Self { inner, clock })
    }

    /// Ticks until what it returns is dropped.
    pub(crate) fn ticking(&self) -> Ticking {
        let mut state = self.clock.lock();
        state.guests = state.guests.saturating_add(1);
        if state.asleep {
            state.asleep = false;
            self.clock.wake.notify_all();
        }
        drop(state);
        Ticking(Arc::clone(&self.clock))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Wakes the thread, which then notices that the engine is gone.
        self.clock.wake.notify_all();
    }
}

/// Guest code runs.
pub(crate) struct Ticking(Arc<Clock>);

impl Drop for Ticking {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.guests = state.guests.saturating_sub(1);
    }
}

impl Clock {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Advances the epoch while guests run, from a thread that no guest can starve. An idle engine is
/// looked at now and then, so that its thread ends soon after it.
fn tick(engine: &EngineWeak, clock: &Clock) {
    const IDLE: Duration = Duration::from_secs(5);
    let mut unused = 0;
    loop {
        let mut state = clock.lock();
        unused = if state.guests == 0 { unused + 1 } else { 0 };
        state.asleep = unused > LINGER;
        let wait = if state.asleep {
            unused = 0;
            IDLE
        } else {
            TICK
        };
        drop(clock.wake.wait_timeout(state, wait));
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}
