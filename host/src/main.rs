//! `loom-tools`: the host at a terminal. Thin over the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    loom_tools_host::cli::main()
}
