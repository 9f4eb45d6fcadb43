//! The environment as a value: what the command line may read of it, and nothing more.
//!
//! Only the entry of a program takes the process's own environment. Everything below
//! works on a value, so a test says what a process would see without being one.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The queue of `search`.
pub(crate) const SEARCH_QUEUE: &str = "LOOM_SEARCH_BROKER_QUEUE";
/// The queue of every other command.
pub(crate) const PAGE_QUEUE: &str = "LOOM_PAGE_RPC_QUEUE";
/// The instance of a direct transport.
pub(crate) const INSTANCE_DIR: &str = "LOOM_INSTANCE_DIR";
/// The dispatch of a direct transport.
pub(crate) const DISPATCH_ID: &str = "LOOM_DISPATCH_ID";
/// The job a command is run for.
pub(crate) const JOB_ID: &str = "LOOM_COMMAND_JOB_ID";

/// The variables the command line reads, as they are set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// The text of a variable; an empty one counts as unset.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        self.set(name)
            .map(|value| value.to_string_lossy().into_owned())
    }

    /// The path a variable holds; an empty one counts as unset.
    pub(crate) fn path(&self, name: &str) -> Option<PathBuf> {
        self.set(name).map(PathBuf::from)
    }

    fn set(&self, name: &str) -> Option<&OsString> {
        self.variables
            .get(OsStr::new(name))
            .filter(|value| !value.is_empty())
    }
}

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let variables = pairs
            .into_iter()
            .map(|(name, value)| (name.into(), value.into()));
        Self {
            variables: variables.collect(),
        }
    }
}
