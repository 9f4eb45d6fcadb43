//! `loom-tools mcp`, driven with raw JSON-RPC lines, as a client would.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

mod calls; // results, turns, numbers
mod cancel; // what a cancellation ends, and what it never sends
mod client; // the client that drives it
mod endings; // end of input, signals, a vanished parent
mod fake; // the operator's CLI, as a shell script
mod progress; // who gets it
mod session; // both revisions, and what is no message
mod state; // a run that is continued
mod tools; // what a strict client accepts of the listing
