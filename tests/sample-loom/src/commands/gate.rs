//! What the broker decides alone: its scope, its job, and switches turned while it runs.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::manifest::DEFAULT_READ_GRANTS;

/// What a broker was told of commands when it was started.
#[derive(Clone, Debug, Default)]
pub(crate) struct CommandOptions {
    /// Ids, or prefixes ending in `.`; empty admits all.
    pub(crate) scope: Vec<String>,
    /// None is the sample's own choice.
    pub(crate) read_grants: Option<Vec<String>>,
    pub(crate) job_id: Option<String>,
}

/// The decisions, with what `control` has changed since.
pub(super) struct Gate {
    options: CommandOptions,
    switches: Mutex<BTreeMap<String, Switch>>,
}

#[derive(Clone, Copy, Default)]
struct Switch {
    withdrawn: bool,
    grant: Option<bool>,
}

impl Gate {
    pub(super) fn new(options: CommandOptions) -> Self {
        Self {
            options,
            switches: Mutex::default(),
        }
    }

    /// Whether every row is in scope, the odd ones too.
    pub(super) fn is_open(&self) -> bool {
        self.options.scope.is_empty()
    }

    pub(super) fn admits(&self, id: &str) -> bool {
        let named = |entry: &String| entry == id || entry.ends_with('.') && id.starts_with(entry);
        (self.is_open() || self.options.scope.iter().any(named)) && !self.switch(id).withdrawn
    }

    pub(super) fn grants_read(&self, id: &str) -> bool {
        self.switch(id)
            .grant
            .unwrap_or_else(|| match &self.options.read_grants {
                Some(granted) => granted.iter().any(|granted| granted == id),
                None => DEFAULT_READ_GRANTS.contains(&id),
            })
    }

    pub(super) fn admits_job(&self, job: Option<&str>) -> bool {
        self.options.job_id.is_none() || self.options.job_id.as_deref() == job
    }

    pub(super) fn turn(&self, verb: &str, id: &str) {
        let mut switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        let switch = switches.entry(id.to_owned()).or_default();
        match verb {
            "withdraw" => switch.withdrawn = true,
            "restore" => switch.withdrawn = false,
            "revoke" => switch.grant = Some(false),
            _ => switch.grant = Some(true),
        }
    }

    fn switch(&self, id: &str) -> Switch {
        let switches = self.switches.lock().unwrap_or_else(PoisonError::into_inner);
        switches.get(id).copied().unwrap_or_default()
    }
}
