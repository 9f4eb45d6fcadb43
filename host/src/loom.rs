//! What the operator binds `run-loom` to: the CLI, the queue or instance, and the environment its
//! processes get, which is built from nothing out of this one value.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::bindings::loom::tools::process::Operation;
use crate::command_line::CommandLine;
use crate::config;
use crate::process::{Bounds, Launch};
use crate::tools::{Family, kind};

/// What is said of a job id that no process gets.
pub(crate) const DROPPED_JOB_ID: &str = "`--command-job-id` reaches no process: give a command \
     configuration that names its variable as `jobIdEnvVar`.";

/// The operator's Loom, as values; nothing below reads the environment or opens a path of its own.
#[derive(Clone, Debug, Default)]
pub struct Loom {
    /// The retrieval configuration, when there is one.
    pub retrieval: Option<config::Retrieval>,
    /// The command configuration, when there is one.
    pub commands: Option<config::Commands>,
    /// The host's executable search path, passed on as `PATH`; left out when there is none.
    pub search_path: Option<OsString>,
    /// The value of the job id variable that the command configuration names, for this invocation.
    pub job_id: Option<String>,
    /// What its processes may take.
    pub bounds: Bounds,
}

impl Loom {
    /// The process that a rendered operation becomes; none when its family is not configured.
    pub(crate) fn launch(
        &self,
        operation: &Operation,
        line: CommandLine,
        call: u32,
    ) -> Option<Launch> {
        let commands = kind(operation).family() == Family::Commands;
        let program = self.program(commands)?;
        let CommandLine { args, stdin, class } = line;
        Some(Launch {
            program,
            args,
            env: self.environment(commands)?,
            stdin,
            class,
            call,
        })
    }

    /// Whether a job id is given that no process gets.
    pub(crate) fn drops_job_id(&self) -> bool {
        let commands = self.commands.as_ref();
        self.job_id.is_some() && commands.is_none_or(|c| c.job_id_variable.is_none())
    }

    fn program(&self, commands: bool) -> Option<PathBuf> {
        if commands {
            self.commands.as_ref().map(|commands| commands.cli.clone())
        } else {
            self.retrieval
                .as_ref()
                .map(|retrieval| retrieval.cli.clone())
        }
    }

    /// The whole environment of a process of that family, from this one list.
    pub(crate) fn environment(&self, commands: bool) -> Option<Vec<(String, OsString)>> {
        let routing = if commands {
            self.commands.as_ref()?.routing()
        } else {
            self.retrieval.as_ref()?.transport.routing()
        };
        let path = self
            .search_path
            .iter()
            .map(|path| ("PATH".to_owned(), path.clone()));
        let routing = routing
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value));
        let variable = self
            .commands
            .as_ref()
            .and_then(|c| c.job_id_variable.clone());
        let job = variable.filter(|_| commands).zip(self.job_id.clone());
        let job = job.map(|(name, id)| (name, OsString::from(id)));
        Some(path.chain(routing).chain(job).collect())
    }
}
