//! The soak: thousands of turns with faults, and what is left of them at the end.
//!
//! Two drives. The first is one `loom-tools session` over the sample Loom and a fake one, with every
//! fault a CLI, a broker or a line can have. The second is runs in this process through the library,
//! whose turns are cancelled from another thread. Neither judges how long anything takes.
//!
//! `soak [TURNS [SEED]]`; the second drive has a quarter as many turns as the first.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a drive that loses its footing ends by panicking"
)]

/// What turns are made of.
mod calls;
/// Which turns come, in which order.
mod deck;
/// What a process holds: memory, descriptors, threads.
mod gauge;
/// Where the drives stand: both CLIs, the broker, the files.
mod ground;
/// The drive through the library.
mod library;
/// What the fake `loom` does for each target.
mod script;
/// The drive over a session.
mod session;
/// What came of each call, and what came of it all.
mod verdict;

use std::process::ExitCode;

use loom_tools_tests::bench::Programs;
use verdict::Verdict;

const PROGRAMS: Programs = Programs {
    host: env!("CARGO_BIN_EXE_loom-tools-under-test"),
    fake: env!("CARGO_BIN_EXE_fake-loom"),
    sample: env!("CARGO_BIN_EXE_sample-loom-under-test"),
};

const TURNS: usize = 10_000;
const SEED: u64 = 8;

fn main() -> ExitCode {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|n| n.parse().ok()).collect();
    let (turns, seed) = match numbers.as_deref() {
        Some([]) => (TURNS, SEED),
        Some([turns]) => (usize::try_from(*turns).unwrap_or(TURNS), SEED),
        Some([turns, seed]) => (usize::try_from(*turns).unwrap_or(TURNS), *seed),
        _ => {
            eprintln!("usage: soak [TURNS [SEED]]");
            return ExitCode::from(2);
        }
    };
    println!("{turns} turns, seed {seed}");
    let mut verdict = Verdict::default();
    session::drive(turns, seed, &mut verdict);
    library::drive(turns.div_ceil(4), seed, &mut verdict);
    verdict.close()
}
