//! The tools of a reviewer, over the binary: `audit`, `--audit-log`, `--record` and `replay`.

mod bed;
mod log;
mod recording;
mod recording_damage;
mod report;
mod report_schema;
