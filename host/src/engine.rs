//! The engine that runs components: what of WebAssembly it takes, and the ordinary thread that
//! lets guest code be interrupted.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use wasmtime::{Config, EngineWeak};

use crate::limits::Limits;

/// How often running guest code is asked whether it may go on.
const TICK: Duration = Duration::from_millis(10);

/// Compiles and runs components. Cheap to clone; clones are one engine.
#[derive(Clone)]
pub struct Engine {
    pub(crate) inner: wasmtime::Engine,
    running: Arc<Running>,
}

/// How many guests run now: the ticking thread sleeps while none does.
#[derive(Default)]
struct Running {
    guests: Mutex<usize>,
    changed: Condvar,
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
        let running = Arc::new(Running::default());
        let (weak, watched) = (inner.weak(), Arc::clone(&running));
        thread::Builder::new()
            .name("loom-tools-tick".into())
            .spawn(move || tick(&weak, &watched))?;
        Ok(Self { inner, running })
    }

    /// Ticks until what it returns is dropped.
    pub(crate) fn ticking(&self) -> Ticking {
        self.running.add(1);
        Ticking(Arc::clone(&self.running))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Wakes the thread, which then notices that the engine is gone.
        self.running.changed.notify_all();
    }
}

/// Guest code runs.
pub(crate) struct Ticking(Arc<Running>);

impl Drop for Ticking {
    fn drop(&mut self) {
        self.0.add(-1);
    }
}

impl Running {
    fn add(&self, difference: isize) {
        let mut guests = self.guests.lock().unwrap_or_else(PoisonError::into_inner);
        let idle = *guests == 0;
        *guests = guests.saturating_add_signed(difference);
        if idle {
            self.changed.notify_all();
        }
    }
}

/// Advances the epoch while guests run, from a thread that no guest can starve. An idle engine is
/// looked at now and then, so that its thread ends soon after it.
fn tick(engine: &EngineWeak, running: &Running) {
    const IDLE: Duration = Duration::from_secs(5);
    loop {
        let guests = running
            .guests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let wait = if *guests == 0 { IDLE } else { TICK };
        let waited = running.changed.wait_timeout(guests, wait);
        drop(waited);
        match engine.upgrade() {
            Some(engine) => engine.increment_epoch(),
            None => return,
        }
    }
}
