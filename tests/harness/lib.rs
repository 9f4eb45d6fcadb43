//! What the end-to-end tests stand on: a private directory for each test, a `loom` that does what a
//! script says and writes down how it was started, the product's binary with a deadline and an
//! environment full of decoys, and a look at the process table.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "a test whose ground gives way has nothing to recover to"
)]

pub mod bench;
pub mod fake;
pub mod host;
pub mod processes;
pub mod sample;
pub mod session;
mod temp;
pub mod tools;
