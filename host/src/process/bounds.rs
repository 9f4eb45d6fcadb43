//! What one process, and one batch of them, may take from the host.

use std::time::Duration;

use super::Class;

/// How long one process may run. Threat: a CLI, or a broker behind it, that never answers holds
/// the turn for ever. Trade: a live read over a slow network must still fit.
const DEADLINE: Duration = Duration::from_secs(60);

/// How many bytes of standard output one process may print. Threat: an endless or runaway answer
/// fills the host's memory. Trade: a full page payload runs to megabytes and must arrive whole.
const OUTPUT: usize = 32 << 20;

/// How many retrievals (and listings of commands) run at once. Threat: a turn of many calls starts
/// a process for each at the same instant. Trade: a usual turn of a few reads should not queue.
const RETRIEVALS: usize = 8;

/// How many `command run` processes run at once: four in flight to the operator's broker, as
/// loom-commands.md ("run_command") says. Threat: a batch of writes floods the broker.
const COMMAND_RUNS: usize = 4;

/// The limits that processes are kept to; contract section 8, "The process".
#[derive(Clone, Debug)]
pub struct Bounds {
    /// How long one process may run, counted from its own start (60 s unless set).
    pub deadline: Duration,
    /// Bytes of standard output one process may print; one more loses it (32 MiB unless set).
    pub output: usize,
    /// Retrievals, and listings of commands, at once (8 unless set); zero counts as one.
    pub retrievals: usize,
    /// Command runs at once (4 unless set); zero counts as one.
    pub command_runs: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            deadline: DEADLINE,
            output: OUTPUT,
            retrievals: RETRIEVALS,
            command_runs: COMMAND_RUNS,
        }
    }
}

impl Bounds {
    /// How many processes of `class` may run at once. At least one, or a batch would never end.
    pub(super) fn at_once(&self, class: Class) -> usize {
        match class {
            Class::Retrieval => self.retrievals.max(1),
            Class::CommandRun => self.command_runs.max(1),
        }
    }
}
