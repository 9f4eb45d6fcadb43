//! Components written to break the boundary, against the host. Each is refused or ended with the
//! error its test names; and when a test ends, its engine still serves a good run and no process
//! of it is left ([`fixture::Stage`] sees to both).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers fail it by panicking"
)]

/// Pointers, lengths, texts and discriminants that the canonical ABI does not allow.
mod abi;
/// The command line with a hostile component.
mod cli;
/// The rules of a command, its arguments and its target.
mod commands;
/// More data across the boundary than it may carry.
mod copied;
/// The test's host, its CLI and the two ways to write a component.
mod fixture;
/// Requests that the grant does not cover.
mod grants;
/// What a run's end leaves behind: nothing.
mod lifecycle;
/// Memory, tables, instances, handles and stack.
mod memory;
/// The rules of each retrieval, and its argument vector.
mod operations;
/// Replies that are not what a turn asked for.
mod replies;
/// Files that are no component of ours.
mod shapes;
/// Free text at every place that takes some.
mod texts;
/// Guest code that does not end.
mod time;
/// Requests after a cancellation, from outside a turn, for no call of it.
mod turns;
