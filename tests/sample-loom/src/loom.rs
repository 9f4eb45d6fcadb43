//! The served side: one value that answers every operation, for the broker and, without a
//! broker, for a direct transport.

use std::sync::atomic::AtomicBool;

use serde_json::Value;

use crate::answer::Answer;
use crate::commands::{CommandOptions, Commands};
use crate::data::{FACETS, Store};
use crate::operation::Operation;
use crate::retrieval::{self, View};

/// Which tier supplies the profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProfileTier {
    /// The resolver answers: exit code 0.
    #[default]
    Live,
    /// A fallback answers: `hasProfile` is false and the exit code 1.
    Fallback,
}

/// What is served, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoomOptions {
    /// The facets whose records are served.
    pub(crate) facets: Vec<String>,
    pub(crate) profile: ProfileTier,
    /// A `schemaVersion` to state in search payloads.
    pub(crate) search_schema: Option<Value>,
    pub(crate) commands: CommandOptions,
}

/// One request, as it comes out of the queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) argv: Vec<String>,
    pub(crate) stdin: String,
    pub(crate) job: Option<String>,
}

/// The data and the command layer of one sample Loom.
pub(crate) struct Loom {
    store: Store,
    options: LoomOptions,
    commands: Commands,
}

impl Loom {
    pub(crate) fn new(options: LoomOptions) -> Self {
        let commands = Commands::new(options.commands.clone());
        Self {
            store: Store::build(),
            options,
            commands,
        }
    }

    /// A Loom of the default facets, which a direct transport serves in its own process.
    pub(crate) fn direct() -> Self {
        let facets = FACETS.iter().filter(|facet| **facet != "health");
        Self::new(LoomOptions {
            facets: facets.map(|facet| (*facet).to_owned()).collect(),
            ..LoomOptions::default()
        })
    }

    pub(crate) fn commands(&self) -> &Commands {
        &self.commands
    }

    /// Answers one call. `halt` ends a command that is waiting.
    pub(crate) fn answer(&self, call: &Call, halt: &AtomicBool) -> Answer {
        let operation = match Operation::parse(&call.argv) {
            Ok(operation) => operation,
            Err(usage) => return Answer::failure(2, usage.message()),
        };
        let view = View {
            store: &self.store,
            facets: &self.options.facets,
            state: self.commands.state(),
        };
        match operation {
            Operation::Search(search) => {
                retrieval::search(&view, &search, self.options.search_schema.as_ref())
            }
            Operation::PageDiscover { kind, limit } => {
                retrieval::discover(&view, kind.as_deref(), limit)
            }
            Operation::PageInspect { target, concise } => {
                retrieval::inspect(&view, &target, concise)
            }
            Operation::PageRead { target } => retrieval::read(&view, &target),
            Operation::People { query, card } => retrieval::people(&view, &query, card),
            Operation::Calendar { from, to, all } => retrieval::calendar(&view, from, to, all),
            Operation::Where { at } => retrieval::place(&view, at.as_deref()),
            Operation::Activity { since, until, at } => {
                retrieval::activity(&view, since.as_deref(), until.or(at).as_deref())
            }
            Operation::Profile { fresh } => retrieval::profile(self.options.profile, fresh),
            Operation::CommandList => self.commands.list(call.job.as_deref()),
            Operation::CommandRun(run) => {
                self.commands
                    .run(&view, &run, &call.stdin, call.job.as_deref(), halt)
            }
            Operation::Control { verb, command } => self.commands.control(&verb, &command),
        }
    }
}
