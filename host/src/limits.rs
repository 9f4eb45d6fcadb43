//! What one run's component may take from the host, and the errors that say it took more. A guest
//! that breaks a limit ends its own run; the host and its other runs go on.

use std::fmt;
use std::time::{Duration, Instant};

use wasmtime::ResourceLimiter;

/// Linear memory, all memories of a run together. Threat: a guest that grows without end takes the
/// host down with it. Trade: eight 30 MB answers of one turn, and what is made of one at a time,
/// have to fit.
const MEMORY: usize = 512 << 20;

/// Elements of one table. Threat: tables are host memory that a guest can grow. Trade: the
/// component's function tables have a few hundred.
const TABLE_ELEMENTS: usize = 20_000;

/// Core instances, tables and memories of one run. Threat: each costs address space. Trade: a
/// component from wit-component has a handful.
const INSTANCES: usize = 32;

/// Resource handles of one run. Threat: a guest makes handles without asking the host, which keeps
/// the table. Trade: the component makes one, its run.
const HANDLES: usize = 1_000;

/// Bytes of wasm stack. Threat: runaway recursion. Trade: JSON nests 128 deep, and the stack is that
/// of the thread that calls into the run, which has to have this much to spare.
const STACK: usize = 1 << 20;

/// Bytes that one call into the host may copy out of the guest. Threat: a guest that passes a
/// 200 MB string makes the host allocate it. Trade: sixteen 16 KiB arguments and room to spare;
/// replies of a turn come back the same way.
const COPIED: usize = 64 << 20;

/// Bytes of a saved state, in place of [`COPIED`]. Threat: as there. Trade: what a state file may
/// hold, so that no run with many rows comes to where it can go on and not be saved. What is given
/// back to a run is not copied out of it and counts as its memory alone.
const SAVED: usize = 512 << 20;

/// Time in guest code per call into the component, process time not counted. Threat: a guest that
/// spins holds its thread for ever. Trade: reading a 30 MB answer takes tenths of a second.
const GUEST_TIME: Duration = Duration::from_secs(20);

/// Time of a whole turn, processes included: when it is over they are ended and no request is
/// taken. Threat: a guest that sends request after request. Trade: queued commands of a full batch
/// may each take their own deadline; and a guest that asks no more may still say what became of
/// them, for as long as [`GUEST_TIME`] allows.
const TURN_TIME: Duration = Duration::from_secs(600);

/// Calls of one turn. Threat: a model makes so many that their replies pass [`COPIED`], which loses
/// them all and ends the run. Trade: a model makes a handful at once. A turn of more is refused
/// whole, and the run goes on.
const CALLS: usize = 64;

/// Requests of one turn. Threat: each costs a process. Trade: sixty-four batches of sixteen.
const REQUESTS: usize = 1_024;

/// Bytes of standard output that all processes of one turn may hand to the guest. Threat: many
/// large answers at once fill the host, and do not fit the guest's memory, where a trap would lose
/// them all. Trade: eight answers of the largest size; one that no longer fits is dropped as it
/// comes, is lost, and is said to be. Beside these the host holds what is still arriving: for each
/// process that runs, at most its own bound.
const TURN_OUTPUT: usize = 256 << 20;

/// Bytes that one reply may show the model. Threat: a reply that fills a harness's memory and a
/// model's context. Trade: a listing with sixteen commands in full detail, escaped throughout; the
/// component's own bounds are far smaller.
const SHOWN: usize = 4 << 20;

/// The limits of one run's component; each has a default and can be set by the embedder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of linear memory, all memories together (512 MiB).
    pub memory: usize,
    /// Elements of one table (20,000).
    pub table_elements: usize,
    /// Core instances, and tables, and memories (32 each).
    pub instances: usize,
    /// Resource handles (1,000).
    pub handles: usize,
    /// Bytes of wasm stack (1 MiB). A property of the engine: runs of one engine share it. It is taken
    /// from the stack of the thread that calls into a run: that thread needs this and some room for
    /// the host, or the whole program ends where the guest should.
    pub stack: usize,
    /// Bytes one call may copy out of the guest (64 MiB).
    pub copied: usize,
    /// Bytes of a saved state, which `copied` does not bound (512 MiB).
    pub saved: usize,
    /// Time in guest code per call into the component, process time not counted (20 s).
    pub guest_time: Duration,
    /// Time of a whole turn, processes included, after which no request is taken (600 s).
    pub turn_time: Duration,
    /// Calls of one turn (64).
    pub calls: usize,
    /// Requests of one turn (1,024).
    pub requests: usize,
    /// Bytes of standard output that all processes of one turn may hand over (256 MiB); an answer past them
    /// is lost.
    pub turn_output: usize,
    /// Bytes that one reply may show the model (4 MiB).
    pub shown: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: MEMORY,
            table_elements: TABLE_ELEMENTS,
            instances: INSTANCES,
            handles: HANDLES,
            stack: STACK,
            copied: COPIED,
            saved: SAVED,
            guest_time: GUEST_TIME,
            turn_time: TURN_TIME,
            calls: CALLS,
            requests: REQUESTS,
            turn_output: TURN_OUTPUT,
            shown: SHOWN,
        }
    }
}

/// A limit that a component broke, which ended its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::table_elements`].
    TableElements,
    /// [`Limits::instances`].
    Instances,
    /// [`Limits::handles`].
    Handles,
    /// [`Limits::stack`].
    Stack,
    /// [`Limits::copied`], or [`Limits::saved`] for a saved state.
    Copied,
    /// [`Limits::guest_time`].
    GuestTime,
    /// [`Limits::turn_time`].
    TurnTime,
    /// [`Limits::requests`].
    Requests,
    /// [`Limits::shown`].
    Shown,
}

impl Limit {
    /// The limit that the engine keeps by itself and that `error` says was broken. It has no type
    /// for most of these errors; tests/hostile notices when their texts change.
    pub(crate) fn of_engine(error: &wasmtime::Error) -> Option<Self> {
        const TEXTS: [(&str, Limit); 3] = [
            ("resource limit exceeded", Limit::Instances),
            ("store handle limit exceeded", Limit::Handles),
            (
                "fuel allocated for hostcalls has been exhausted",
                Limit::Copied,
            ),
        ];
        if let Some(wasmtime::Trap::StackOverflow) = error.downcast_ref() {
            return Some(Self::Stack);
        }
        let said = error.root_cause().to_string();
        let text = TEXTS.iter().find(|(text, _)| said.contains(text));
        text.map(|(_, limit)| *limit)
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Memory => "linear memory",
            Self::TableElements => "table elements",
            Self::Instances => "instances, memories or tables",
            Self::Handles => "resource handles",
            Self::Stack => "stack",
            Self::Copied => "bytes copied by one call",
            Self::GuestTime => "time in guest code",
            Self::TurnTime => "time of a turn",
            Self::Requests => "requests of a turn",
            Self::Shown => "bytes shown by one reply",
        })
    }
}

impl std::error::Error for Limit {}

/// Keeps count of one run against its limits.
#[derive(Debug)]
pub(crate) struct Meter {
    pub(crate) limits: Limits,
    /// The limit that was broken, for the error that ends the run.
    pub(crate) broken: Option<Limit>,
    /// Bytes of linear memory, all memories together.
    memory: usize,
    /// When guest code last began to run, unless it is in the host.
    entered: Option<Instant>,
    /// Time in guest code in this call into the component, up to `entered`.
    spent: Duration,
    /// When the turn's time is over.
    until: Option<Instant>,
    requests: usize,
    output: usize,
}

impl Meter {
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            broken: None,
            memory: 0,
            entered: None,
            spent: Duration::ZERO,
            until: None,
            requests: 0,
            output: 0,
        }
    }

    /// A call into the component begins.
    pub(crate) fn begin(&mut self) {
        let now = Instant::now();
        self.entered = Some(now);
        self.spent = Duration::ZERO;
        self.until = now.checked_add(self.limits.turn_time);
        (self.requests, self.output) = (0, 0);
    }

    pub(crate) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// Guest code called the host.
    pub(crate) fn leave_guest(&mut self) {
        self.spent += self
            .entered
            .take()
            .map_or(Duration::ZERO, |entered| entered.elapsed());
    }

    /// The host returns to guest code.
    pub(crate) fn enter_guest(&mut self) {
        self.entered = Some(Instant::now());
    }

    /// Whether guest code may go on. Asked at every tick.
    pub(crate) fn tick(&mut self) -> Result<(), Limit> {
        let running = self
            .entered
            .map_or(Duration::ZERO, |entered| entered.elapsed());
        if self.spent + running > self.limits.guest_time {
            return Err(self.broke(Limit::GuestTime));
        }
        Ok(())
    }

    /// Counts requests, which may not be more than the turn's.
    pub(crate) fn requests(&mut self, count: usize) -> Result<(), Limit> {
        self.requests = self.requests.saturating_add(count);
        if self.requests > self.limits.requests {
            return Err(self.broke(Limit::Requests));
        }
        if self.until.is_some_and(|until| Instant::now() > until) {
            return Err(self.broke(Limit::TurnTime));
        }
        Ok(())
    }

    /// Counts an answer's bytes; false when the turn's answers are too many with it.
    pub(crate) fn takes(&mut self, bytes: usize) -> bool {
        let sum = self.output.saturating_add(bytes);
        let fits = sum <= self.limits.turn_output;
        if fits {
            self.output = sum;
        }
        fits
    }

    fn broke(&mut self, limit: Limit) -> Limit {
        self.broken = Some(limit);
        limit
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if maximum.is_some_and(|maximum| desired > maximum) {
            // It fails anyway, and is not counted.
            return Ok(false);
        }
        // What the system then fails to give stays counted: the engine's report of a failed growth
        // also comes for growth that never was.
        let growth = desired.saturating_sub(current);
        self.memory = self.memory.saturating_add(growth);
        if self.memory > self.limits.memory {
            return Err(self.broke(Limit::Memory).into());
        }
        Ok(true)
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        if desired > self.limits.table_elements {
            return Err(self.broke(Limit::TableElements).into());
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        self.limits.instances
    }

    fn tables(&self) -> usize {
        self.limits.instances
    }

    fn memories(&self) -> usize {
        self.limits.instances
    }
}

#[cfg(test)]
mod tests {
    use super::Limits;
    use crate::state::MAX_STATE;

    #[test]
    fn what_may_be_saved_may_be_read_back() {
        assert_eq!(u64::try_from(Limits::default().saved), Ok(MAX_STATE));
    }
}
