//! The built binary against real processes. Each module is one family of rules; each test's name is
//! a rule and its result.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

/// How an answer is read, and what is shown of it.
mod answers;
/// Who may call what.
mod authority;
/// What the component imports and exports, and what writes it out.
mod boundary;
/// One call, and the command line itself.
mod call;
/// What a run may be shown.
mod ceilings;
/// The command tools.
mod commands;
/// Which component is run.
mod component;
/// How many processes run at once.
mod concurrency;
/// The operator's two files.
mod config;
/// What the demo shows, keeps apart, and leaves.
mod demo;
/// A structured result into a document store, and a document out of it.
mod documents;
/// Runs without a command line.
mod embedded;
/// The cases that JSON parsers are judged by, as CLI output.
mod json_cases;
/// What a model must not see.
mod leaks;
/// What has no influence on what is printed.
mod noninterference;
/// How each process is started, seen from inside it.
mod process_shape;
/// What is refused before any process starts, with its sentence.
mod refusals;
/// The eight retrieval tools over the sample Loom.
mod retrieval;
/// Lines, turns, handles, results, and how a session ends.
mod session;
/// Runs that are saved and continued.
mod state;
/// What runs while the component is built.
mod supply_chain;

use loom_tools_tests::bench::{Bench, Programs};

const PROGRAMS: Programs = Programs {
    host: env!("CARGO_BIN_EXE_loom-tools-under-test"),
    fake: env!("CARGO_BIN_EXE_fake-loom"),
    sample: env!("CARGO_BIN_EXE_sample-loom-under-test"),
};

fn bench() -> Bench {
    Bench::new(PROGRAMS)
}
