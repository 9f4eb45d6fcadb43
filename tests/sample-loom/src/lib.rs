//! A sample Loom: the documented `loom` command line and the broker behind it.
//!
//! The real command line is private, so whoever wants to see loom-tools work needs another
//! one that speaks exactly the documented arguments, exit codes and payloads. This crate is
//! that one. It has two halves, as the real one has:
//!
//! - the **command line** ([`run`]) reads its arguments, puts one request into a queue
//!   directory, waits for the answer and prints its bytes. It holds no data and builds
//!   none, so it starts in about a millisecond;
//! - the **broker** ([`Broker`]) owns the data of an [invented life](FACETS), serves
//!   only the facets it was started for, and decides alone which commands may run.
//!
//! It is a sample, not a model of security: anybody who may write into the queue directory
//! is answered, which is also true of the real one.
//!
//! ```no_run
//! use loom_tools_sample::{Broker, BrokerOptions};
//!
//! let mut options = BrokerOptions::new("/tmp/sample-queue");
//! options.facets = vec!["work".to_owned()];
//! let broker = Broker::start(options)?;
//! // Point LOOM_SEARCH_BROKER_QUEUE and LOOM_PAGE_RPC_QUEUE at the queue, run `sample-loom`.
//! drop(broker);
//! # Ok::<(), std::io::Error>(())
//! ```

#![forbid(unsafe_code)]

mod answer;
mod broker;
mod cli;
mod clock;
mod commands;
mod data;
mod environment;
mod loom;
mod operation;
mod queue;
mod retrieval;

pub use broker::{Broker, BrokerOptions};
pub use cli::run;
pub use clock::NOW;
pub use data::{FACETS, read_ceiling};
pub use environment::Environment;
pub use loom::ProfileTier;
pub use operation::HOST_TEXT;
