//! The host-command configuration; loom-commands.md, "Host configuration".

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cap_std::AmbientAuthority;

use super::keys::Keys;
use super::transport::{ROUTING, command_routing, take_broker};
use super::{ConfigError, file};

pub(super) const KEYS: [&str; 4] = ["cliPath", "transport", "jobIdEnvVar", "jobId"];

/// What the operator configured for the three command tools. The transport is always a broker:
/// it is what keeps the grant and says who a command is attributed to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Commands {
    /// The CLI, an absolute path.
    pub cli: PathBuf,
    /// The broker's queue, an absolute path.
    pub queue: PathBuf,
    /// The variable that carries the host job id, `^[A-Z_][A-Z0-9_]*$`; neither `PATH` nor a
    /// routing variable. The id itself comes from the embedder.
    pub job_id_variable: Option<String>,
}

impl Commands {
    /// Reads the file at `path`, which must be absolute.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the file, and nothing else.
    pub fn read(path: &Path, authority: AmbientAuthority) -> Result<Self, ConfigError> {
        Self::parse(path, &file::read(path, authority)?)
    }

    /// What `text` says. `file` is how messages name it.
    pub fn parse(file: &Path, text: &[u8]) -> Result<Self, ConfigError> {
        let mut keys = Keys::of_file(file, text)?;
        keys.only(&KEYS)?;
        if keys.take("jobId").is_some() {
            tracing::warn!(
                "{}: `jobId` is ignored; remove it and give the id with each run.",
                file.display()
            );
        }
        Ok(Self {
            cli: keys.required_path("cliPath")?,
            queue: take_broker(&mut keys)?,
            job_id_variable: job_id_variable(&mut keys)?,
        })
    }

    /// The routing variables of a command process.
    pub fn routing(&self) -> Vec<(&'static str, OsString)> {
        command_routing(&self.queue)
    }
}

fn job_id_variable(keys: &mut Keys<'_>) -> Result<Option<String>, ConfigError> {
    let Some(name) = keys.text("jobIdEnvVar")? else {
        return Ok(None);
    };
    let allowed = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let opens = |c: char| c.is_ascii_uppercase() || c == '_';
    if !name.starts_with(opens) || !name.chars().all(allowed) {
        let problem =
            "must be of `A-Z 0-9 _` and not open with a digit; `LOOM_COMMAND_JOB_ID` will do.";
        return Err(keys.refuse("jobIdEnvVar", problem));
    }
    if name == "PATH" || ROUTING.contains(&name.as_str()) {
        let problem = "must not replace a variable the host sets; `LOOM_COMMAND_JOB_ID` will do.";
        return Err(keys.refuse("jobIdEnvVar", problem));
    }
    Ok(Some(name))
}
