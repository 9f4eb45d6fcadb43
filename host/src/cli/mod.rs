//! The command line (contract, section 10). The environment and the flags are read here, once, and
//! handed down as values. Exit 0 on success, 2 on a usage or configuration error, 1 on anything else.

mod args;
mod audit;
mod call;
mod completions;
mod component;
mod config_schema;
#[cfg(feature = "sample")]
mod demo;
mod documents;
mod driven;
mod error;
mod examples;
mod json;
mod man;
#[cfg(feature = "mcp")]
mod mcp;
mod open;
mod output;
mod replay;
mod session;
mod stop;
#[cfg(test)]
mod tests;
mod tools;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use error::Failure;

#[cfg(feature = "fuzz")]
pub use session::session_lines;

/// What a command is told of the process's environment; it looks at nothing else of it. (The help
/// asks how wide the terminal is, and `sample-loom` is another program, with an environment of its
/// own.)
#[derive(Clone, Debug, Default)]
struct Environment {
    search_path: Option<OsString>,
    retrieval_config: Option<PathBuf>,
    commands_config: Option<PathBuf>,
    /// Where compiled components are kept unless a flag says otherwise.
    cache_dir: Option<PathBuf>,
    #[cfg(feature = "sample")]
    surroundings: Surroundings,
}

/// What the demo needs to know of where it runs.
#[cfg(feature = "sample")]
#[derive(Clone, Debug, Default)]
struct Surroundings {
    /// This program's own file.
    program: Option<PathBuf>,
    /// The directory for temporary files.
    temporary: PathBuf,
    /// Whether colour is unwanted, as <https://no-color.org> has it.
    no_color: bool,
}

impl Environment {
    fn of_process() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let caches = || Some(PathBuf::from(set("HOME")?).join(".cache"));
        let caches = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(caches);
        let caches = caches.filter(|path| path.is_absolute());
        Self {
            search_path: set("PATH"),
            retrieval_config: set("CF_HARNESS_LOOM_RETRIEVAL_CONFIG").map(PathBuf::from),
            commands_config: set("CF_HARNESS_LOOM_COMMANDS_CONFIG").map(PathBuf::from),
            cache_dir: caches.map(|caches| caches.join("loom-tools")),
            #[cfg(feature = "sample")]
            surroundings: Surroundings {
                program: std::env::current_exe().ok(),
                temporary: std::env::temp_dir(),
                no_color: set("NO_COLOR").is_some()
                    || set("TERM").is_some_and(|term| term == "dumb"),
            },
        }
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(cli.log_level())
        .with_target(false)
        .init();
    let environment = Environment::of_process();
    let done = match cli.command {
        Command::Tools(command) => tools::run(&command, environment),
        Command::Call(command) => call::run(&command, environment),
        Command::Session(command) => session::run(&command, environment),
        #[cfg(feature = "mcp")]
        Command::Mcp(command) => mcp::run(&command, environment),
        Command::WriteResult(command) => documents::write(&command, environment),
        Command::Show(command) => documents::show(&command),
        Command::Audit(command) => audit::run(&command, environment),
        Command::Replay(command) => replay::run(&command),
        Command::Component(command) => component::run(&command),
        Command::ConfigSchema(command) => config_schema::run(&command),
        Command::Completions(command) => completions::run(&command),
        Command::Man(command) => man::run(&command),
        #[cfg(feature = "sample")]
        Command::Demo(command) => demo::run(&command, environment),
        #[cfg(feature = "sample")]
        Command::SampleLoom { args } => {
            return loom_tools_sample::run(args, &loom_tools_sample::Environment::of_process());
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Usage(message)) => {
            eprintln!("error: {}", output::escaped(&message));
            ExitCode::from(2)
        }
        // Whoever reads our output has gone: there is nobody left to tell.
        Err(Failure::Other(error)) if output::is_broken_pipe(&error) => ExitCode::from(1),
        Err(Failure::Other(error)) => {
            eprintln!("error: {}", output::escaped(&format!("{error:#}")));
            ExitCode::from(1)
        }
    }
}
