//! The tools of a reviewer, over the binary: `audit`, `--audit-log`, `--record` and `replay`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

mod bed;
mod log;
mod recording;
mod recording_damage;
mod report;
mod report_schema;
mod threats;
