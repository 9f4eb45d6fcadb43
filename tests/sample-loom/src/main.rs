//! `sample-loom`: the sample Loom as a program of its own, thin over the library.

use std::process::ExitCode;

use loom_tools_sample::{Environment, run};

fn main() -> ExitCode {
    run(
        std::env::args_os().skip(1).collect(),
        &Environment::of_process(),
    )
}
