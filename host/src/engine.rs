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
/// How often the sleeping thread looks whether its engine is gone.
const IDLE: Duration = Duration::from_secs(5);

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
    /// Whether one has run since the thread last looked.
    used: bool,
    /// How many times in a row the thread looked and there was none.
    unused: u32,
    /// Whether the thread sleeps until it is woken.
    asleep: bool,
}

impl Engine {
    /// An engine, and its thread. Of `limits` only the stack is the engine's own.
    ///
    /// # Errors
    ///
    /// When the machine has no room for it or for the thread, or the stack is none there could be.
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
        state.used = true;
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
        // So that the thread looks. This may not be the last clone, and the engine is not gone yet:
        // at the latest it ends when it looks again.
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

impl State {
    /// The thread looks; how long it waits until it looks again.
    fn look(&mut self) -> Duration {
        let used = std::mem::take(&mut self.used) || self.guests > 0;
        self.unused = if used {
            0
        } else {
            self.unused.saturating_add(1)
        };
        self.asleep = self.unused > LINGER;
        if self.asleep { IDLE } else { TICK }
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
    loop {
        let mut state = clock.lock();
        let wait = state.look();
        drop(clock.wake.wait_timeout(state, wait));
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use wasmtime::{Instance, Module, Store, Trap};

    use super::*;

    #[test]
    fn the_thread_sleeps_until_a_guest_runs() {
        let mut state = State::default();
        for _ in 0..LINGER {
            assert_eq!(state.look(), TICK);
        }
        // An idle engine is not ticked again for having been looked at.
        for _ in 0..3 {
            assert_eq!(state.look(), IDLE);
            assert!(state.asleep);
        }
        // One that came and went meanwhile counts.
        state.used = true;
        for _ in 0..=LINGER {
            assert_eq!(state.look(), TICK);
            assert!(!state.asleep);
        }
        assert_eq!(state.look(), IDLE);
        state.guests = 1;
        for _ in 0..LINGER * 2 {
            assert_eq!(state.look(), TICK);
        }
    }

    /// A function `f` that loops for ever.
    const SPINNING: &[u8] = b"\0asm\x01\0\0\0\x01\x04\x01\x60\0\0\x03\x02\x01\0\
        \x07\x05\x01\x01f\0\0\x0a\x09\x01\x07\0\x03\x40\x0c\0\x0b\x0b";

    #[test]
    fn what_spins_after_the_thread_went_to_sleep_is_interrupted() {
        let engine = Engine::new(&Limits::default()).unwrap();
        let module = Module::new(&engine.inner, SPINNING).unwrap();
        let mut store = Store::new(&engine.inner, ());
        let instance = Instance::new(&mut store, &module, &[]).unwrap();
        let spin = instance.get_typed_func::<(), ()>(&mut store, "f").unwrap();
        let start = Instant::now();
        while !engine.clock.lock().asleep {
            assert!(start.elapsed() < Duration::from_secs(30), "it never slept");
            thread::sleep(TICK);
        }
        store.set_epoch_deadline(3);
        let ticking = engine.ticking();
        assert!(!engine.clock.lock().asleep);
        let error = spin.call(&mut store, ()).unwrap_err();
        assert_eq!(error.downcast_ref(), Some(&Trap::Interrupt));
        drop(ticking);
    }
}
