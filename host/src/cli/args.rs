//! The flags: one definition, which the help, the completions and the man page come from.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use tracing::level_filters::LevelFilter;

use super::examples;
use crate::component::Sha256Hex;
use crate::grant::{Enforcement, PromptSlot};

/// Twelve tools over a person's `loom` command line, for an AI agent that holds no credential.
///
/// The tools are a WebAssembly component whose only authority is one function; this host binds that
/// function to the CLI and the queue that the operator's configuration files name. What a run may
/// read, and whether it may write, is said here and never by the model.
#[derive(Debug, Parser)]
#[command(name = "loom-tools", version, disable_help_subcommand = true)]
#[command(after_long_help = examples::PROGRAM, after_help = "Examples: loom-tools --help")]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,

    /// Say more on standard error; `-vv` tells of every process.
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
}

impl Cli {
    pub(super) fn log_level(&self) -> LevelFilter {
        match self.verbose {
            // The demo says itself what goes wrong on purpose.
            #[cfg(feature = "sample")]
            0 if matches!(self.command, Command::Demo(_)) => LevelFilter::ERROR,
            0 => LevelFilter::WARN,
            1 => LevelFilter::INFO,
            _ => LevelFilter::DEBUG,
        }
    }
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// List the tools that a run would have: a table on a terminal, JSON when piped.
    Tools(ToolsCommand),
    /// Call one tool and print what the model would be shown.
    Call(CallCommand),
    /// Serve turns, one JSON line each, over standard input and output.
    Session(SessionCommand),
    /// Serve the tools to an MCP client, over standard input and output.
    #[cfg(feature = "mcp")]
    Mcp(McpCommand),
    /// Write a structured result, with the rows it cites, into a document store.
    WriteResult(WriteResultCommand),
    /// Print a document of a store: its label, and its content if asked.
    Show(ShowCommand),
    /// Say on one page what a component and a configuration may do, and what of it is wrong. Starts
    /// no process and runs no component but the one built in.
    Audit(AuditCommand),
    /// Replay a recording: same component, same answers, no process.
    Replay(ReplayCommand),
    /// Write out the component, or its WIT, for another runtime.
    Component(ComponentCommand),
    /// Print the JSON Schema of a configuration file.
    ConfigSchema(ConfigSchemaCommand),
    /// Print the script that completes `loom-tools` in a shell.
    Completions(CompletionsCommand),
    /// Print the manual page.
    Man(ManCommand),
    /// Run a whole session against a sample Loom with made-up data.
    #[cfg(feature = "sample")]
    Demo(DemoCommand),
    /// Be a sample `loom`, or its broker.
    #[cfg(feature = "sample")]
    #[command(disable_help_flag = true)]
    SampleLoom {
        /// What the sample `loom` is called with.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<std::ffi::OsString>,
    },
}

#[derive(Debug, Args)]
pub(super) struct ToolsCommand {
    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::CALL)]
pub(super) struct CallCommand {
    /// The tool's name, e.g. `loom_search`; `loom-tools tools` lists them.
    pub(super) tool: String,

    /// The tool's input as JSON, from a file, or from standard input; `{}` when left out.
    #[arg(long, value_name = "JSON|@FILE|-")]
    pub(super) input: Option<String>,

    /// Print the whole reply: what is shown, the artifact, the observation and the decision.
    #[arg(long)]
    pub(super) artifact: bool,

    #[command(flatten)]
    pub(super) state: StateArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
#[command(after_help = examples::SESSION)]
pub(super) struct SessionCommand {
    #[command(flatten)]
    pub(super) state: StateArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[cfg(feature = "mcp")]
#[derive(Debug, Args)]
#[command(after_help = examples::MCP)]
pub(super) struct McpCommand {
    #[command(flatten)]
    pub(super) state: StateArgs,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
pub(super) struct WriteResultCommand {
    /// The result as JSON, from a file, or from standard input. A string that is exactly a handle
    /// of the run becomes a link to that row's document.
    #[arg(value_name = "RESULT|@FILE|-", default_value = "-")]
    pub(super) result: String,

    /// The directory of documents, which is yours alone; made when it is not there.
    #[arg(long, value_name = "DIR")]
    pub(super) store: PathBuf,

    /// The saved run whose handles the result names.
    #[arg(long, value_name = "FILE")]
    pub(super) state: PathBuf,
}

#[derive(Debug, Args)]
pub(super) struct ShowCommand {
    /// The document's link, as write-result prints it.
    pub(super) link: String,

    /// The directory of documents.
    #[arg(long, value_name = "DIR")]
    pub(super) store: PathBuf,

    /// Print the content too, which is private.
    #[arg(long)]
    pub(super) content: bool,
}

#[derive(Debug, Args)]
pub(super) struct ComponentCommand {
    /// The file to write; standard output when left out.
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Write the WIT of the component's world instead.
    #[arg(long)]
    pub(super) wit: bool,
}

#[derive(Debug, Args)]
pub(super) struct AuditCommand {
    /// Print JSON instead of a page for people.
    #[arg(long)]
    pub(super) json: bool,

    /// Print the JSON Schema of `--json` and audit nothing.
    #[arg(long, exclusive = true)]
    pub(super) json_schema: bool,

    #[command(flatten)]
    pub(super) run: RunArgs,
}

#[derive(Debug, Args)]
pub(super) struct ReplayCommand {
    /// What `--record` wrote.
    #[arg(value_name = "FILE")]
    pub(super) recording: PathBuf,

    /// A redacted recording of the same run to check this one against as well.
    #[arg(long, value_name = "FILE")]
    pub(super) redacted: Option<PathBuf>,

    /// Replay against this component instead of the one built in.
    #[arg(long, value_name = "FILE", help_heading = "Component")]
    pub(super) component: Option<PathBuf>,

    /// Refuse a component whose file has another SHA-256.
    #[arg(long, value_name = "HEX", value_parser = sha256, help_heading = "Component")]
    pub(super) component_sha256: Option<Sha256Hex>,
}

#[derive(Debug, Args)]
pub(super) struct ConfigSchemaCommand {
    /// Which file's.
    #[arg(value_enum)]
    pub(super) configuration: Configuration,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Configuration {
    /// That of `--loom-retrieval-config`.
    Retrieval,
    /// That of `--loom-commands-config`.
    Commands,
}

#[derive(Debug, Args)]
#[command(after_help = examples::COMPLETIONS)]
pub(super) struct CompletionsCommand {
    /// The shell to complete in.
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_help = examples::MAN)]
pub(super) struct ManCommand {
    /// One of the commands; the program itself when left out.
    pub(super) command: Option<String>,
}

#[cfg(feature = "sample")]
#[derive(Debug, Args)]
pub(super) struct DemoCommand {
    /// Print what the model would see in full, where it is otherwise shortened for the eye.
    #[arg(long)]
    pub(super) full: bool,
}

#[derive(Debug, Args)]
pub(super) struct StateArgs {
    /// Continue the run saved in this file, and save it there after each turn. Need not exist yet.
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
}

/// What every command that opens a run takes.
#[derive(Debug, Default, Args)]
pub(super) struct RunArgs {
    /// The retrieval configuration, an absolute path. Without it there are no retrieval tools
    /// [env: CF_HARNESS_LOOM_RETRIEVAL_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub(super) loom_retrieval_config: Option<PathBuf>,

    /// The command configuration, an absolute path. Without it there are no command tools
    /// [env: CF_HARNESS_LOOM_COMMANDS_CONFIG]
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    pub(super) loom_commands_config: Option<PathBuf>,

    /// The host job id that the command configuration's variable carries.
    #[arg(long, value_name = "ID", help_heading = "Configuration")]
    pub(super) command_job_id: Option<String>,

    /// Allow these tools only: names with commas between, or the flag again for each. Every
    /// configured tool when left out.
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',', help_heading = "Authority")]
    pub(super) allow_tool: Vec<String>,

    /// How strictly writes, and reads, need the person's word.
    #[arg(long, value_enum, default_value_t, help_heading = "Authority")]
    pub(super) enforcement_mode: EnforcementMode,

    /// How the run's task reached it. Only `direct-command`, the person's own word, lets it write.
    #[arg(long, value_enum, default_value_t, help_heading = "Authority")]
    pub(super) prompt_slot: Slot,

    /// The confidentiality the run may observe: a JSON list of clauses, `[]` for public rows only.
    /// No bound of its own when left out.
    #[arg(long, value_name = "JSON|@FILE", help_heading = "Authority")]
    pub(super) max_confidentiality: Option<String>,

    /// A run manifest, whose `cfc.maxConfidentiality` is met with the other ceilings.
    #[arg(long, value_name = "FILE", help_heading = "Authority")]
    pub(super) run_manifest: Option<PathBuf>,

    /// The run's id: 1 to 128 of `A-Z a-z 0-9 . _ : -`. Random when left out.
    #[arg(long, value_name = "ID", help_heading = "Run")]
    pub(super) run_id: Option<String>,

    /// How long one process may run, in milliseconds [default: 60000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Run")]
    pub(super) timeout_ms: Option<u64>,

    /// How many bytes one process may print [default: 33554432]
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Run")]
    pub(super) max_output_bytes: Option<u64>,

    /// Append a line for each request, started or refused, to this private file. A log that cannot
    /// be written refuses the run.
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(super) audit_log: Option<PathBuf>,

    /// Record everything that crosses the component's boundary in this new private file, for
    /// `loom-tools replay`.
    #[arg(long, value_name = "FILE", help_heading = "Evidence")]
    pub(super) record: Option<PathBuf>,

    /// Record digests of the texts only: such a recording cannot be replayed.
    #[arg(long, requires = "record", help_heading = "Evidence")]
    pub(super) redact: bool,

    /// Run this component instead of the one built in.
    #[arg(long, value_name = "FILE", help_heading = "Component")]
    pub(super) component: Option<PathBuf>,

    /// Refuse a component whose file has another SHA-256.
    #[arg(long, value_name = "HEX", value_parser = sha256, help_heading = "Component")]
    pub(super) component_sha256: Option<Sha256Hex>,

    /// Where compiled components are kept; a private directory
    /// [default: loom-tools below XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR", help_heading = "Component")]
    pub(super) cache_dir: Option<PathBuf>,

    /// Compile the component at every start, and keep nothing.
    #[arg(long, conflicts_with = "cache_dir", help_heading = "Component")]
    pub(super) no_cache: bool,
}

impl RunArgs {
    pub(super) fn timeout(&self) -> Option<Duration> {
        self.timeout_ms.map(Duration::from_millis)
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum EnforcementMode {
    /// Everything is allowed.
    Disabled,
    /// Everything is allowed, and a write without a direct command is warned of.
    Observe,
    /// Reads are allowed; a write needs a direct command.
    #[default]
    EnforceExplicit,
    /// Everything needs a direct command, but reads of host commands in a context.
    EnforceStrict,
}

impl From<EnforcementMode> for Enforcement {
    fn from(mode: EnforcementMode) -> Self {
        match mode {
            EnforcementMode::Disabled => Self::Disabled,
            EnforcementMode::Observe => Self::Observe,
            EnforcementMode::EnforceExplicit => Self::EnforceExplicit,
            EnforcementMode::EnforceStrict => Self::EnforceStrict,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(super) enum Slot {
    /// The person said so.
    DirectCommand,
    /// It arrived as context.
    #[default]
    Context,
    /// It is quoted text.
    Quote,
    /// It carries no authority.
    None,
}

impl Slot {
    pub(super) fn prompt_slot(self) -> Option<PromptSlot> {
        match self {
            Self::DirectCommand => Some(PromptSlot::DirectCommand),
            Self::Context => Some(PromptSlot::Context),
            Self::Quote => Some(PromptSlot::Quote),
            Self::None => None,
        }
    }
}

fn sha256(text: &str) -> Result<Sha256Hex, String> {
    Sha256Hex::parse(text).ok_or_else(|| "a SHA-256 is 64 hexadecimal digits".to_owned())
}
