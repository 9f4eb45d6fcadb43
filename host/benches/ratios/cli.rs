//! Stand-ins for the operator's CLI, in a directory of their own: shell scripts, which start about
//! as fast as any program does, so that what is added to them shows.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use loom_tools_host::config::{Retrieval, Transport};
use loom_tools_host::{Call, Loom};

use super::Failed;

/// A directory with one CLI, and with the configuration that names it.
pub(crate) struct Cli {
    directory: tempfile::TempDir,
}

impl Cli {
    /// A CLI that does what a shell script says.
    pub(crate) fn script(body: &str) -> io::Result<Self> {
        let directory = tempfile::tempdir()?;
        let cli = Self { directory };
        fs::write(cli.program(), format!("#!/bin/sh\n{body}\n"))?;
        fs::set_permissions(cli.program(), fs::Permissions::from_mode(0o700))?;
        fs::write(
            cli.config(),
            format!(
                r#"{{"cliPath":"{}","transport":{{"kind":"broker","queuePath":"/queue"}}}}"#,
                cli.program().display()
            ),
        )?;
        Ok(cli)
    }

    /// One that prints the bytes, which it finds in a file.
    pub(crate) fn printing(bytes: &[u8]) -> io::Result<Self> {
        let cli = Self::script(r#"exec cat "${0%/*}/answer""#)?;
        fs::write(cli.directory.path().join("answer"), bytes)?;
        Ok(cli)
    }

    fn program(&self) -> PathBuf {
        self.directory.path().join("loom")
    }

    pub(crate) fn config(&self) -> PathBuf {
        self.directory.path().join("retrieval.json")
    }

    /// A new directory for the cache of compiled components.
    pub(crate) fn cache(&self) -> PathBuf {
        self.directory.path().join("cache")
    }

    pub(crate) fn loom(&self) -> Loom {
        Loom {
            retrieval: Some(Retrieval {
                cli: self.program(),
                transport: Transport::Broker {
                    queue: Path::new("/queue").to_owned(),
                },
                read_ceiling_file: None,
                facets: None,
            }),
            search_path: std::env::var_os("PATH"),
            ..Loom::default()
        }
    }

    /// Runs the CLI by itself, as [`call`] would, and reads what it prints.
    pub(crate) fn spawn(&self) -> Result<Vec<u8>, Failed> {
        let output = Command::new(self.program())
            .args(["profile", "--json"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .stdin(Stdio::null())
            .output()?;
        if output.stdout.is_empty() {
            return Err("the CLI printed nothing".into());
        }
        Ok(output.stdout)
    }
}

/// A call of `loom_profile`.
pub(crate) fn call() -> Call {
    Call {
        id: "1".to_owned(),
        tool: "loom_profile".to_owned(),
        input: "{}".to_owned(),
        input_label: None,
    }
}
