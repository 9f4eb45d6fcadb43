//! The sample Loom, its broker in the test's own process, where a test can change it mid-run.

use loom_tools_sample::{Broker, BrokerOptions};
use serde_json::Value;

use crate::bench::{Bench, Programs};

/// A bench whose configurations name the sample `loom`, and its broker.
pub struct Sample {
    // Dropped first: nothing writes into the queue once the directory goes.
    /// The broker that serves the queue.
    pub broker: Broker,
    /// The ground.
    pub bench: Bench,
}

impl Sample {
    /// A broker with its usual options.
    pub fn new(programs: Programs) -> Self {
        Self::with(programs, |_| {})
    }

    /// A broker with other options.
    pub fn with(programs: Programs, change: impl FnOnce(&mut BrokerOptions)) -> Self {
        let bench = Bench::new(programs);
        let cli = bench.sample_cli();
        let use_sample = |config: &mut Value| config["cliPath"] = cli.display().to_string().into();
        bench.configure_retrieval(use_sample);
        bench.configure_commands(use_sample);
        let mut options = BrokerOptions::new(bench.queue());
        // A busy machine may leave the broker's thread waiting for a while.
        options.patience = std::time::Duration::from_secs(30);
        change(&mut options);
        let broker = Broker::start(options).expect("a broker can be started");
        Self { broker, bench }
    }
}

impl std::fmt::Debug for Sample {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sample").finish_non_exhaustive()
    }
}
