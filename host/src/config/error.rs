//! Why a configuration file is refused.

use std::fmt;
use std::path::{Path, PathBuf};

/// One sentence for the operator: the file, the key and the remedy. It may quote host paths, so it
/// is never shown to a model.
#[derive(Debug)]
pub struct ConfigError {
    file: PathBuf,
    problem: String,
}

impl ConfigError {
    pub(super) fn new(file: &Path, problem: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            problem: problem.into(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.file.display(), self.problem)
    }
}

impl std::error::Error for ConfigError {}
