//! What a reviewer wants on one page, for a component and a configuration, and what of it is
//! wrong. Starts no process: the component is parsed and not compiled, files are read, and the
//! built-in component is asked what it would refuse.
//!
//! What a run would refuse is a finding here, and so is what a run cannot see: that somebody else
//! could replace the CLI, the queue or the ceiling record, or a directory above one of them.

mod boundary;
mod page;
mod places;
mod report;
mod trial;
mod walk;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use cap_std::AmbientAuthority;

use crate::cache::Cache;
use crate::command_shapes::SHAPES;
use crate::component::Sha256Hex;
use crate::config::Transport;
use crate::decode::IMPORT;
use crate::grant::{Basis, Enforcement, Grant, Kind, PromptSlot};
use crate::limits::Limits;
use crate::loom::{DROPPED_JOB_ID, Loom};

use places::{Named, Wanted, finding};
use report::{EnvironmentFacts, GrantFacts, LimitFact, RequestFacts, ValueRule, Versions};
pub use report::{Finding, REPORT_SCHEMA, Report};

/// What is audited.
#[derive(Debug)]
pub struct Subject {
    /// What the component is called, and its bytes or why there are none.
    pub component: (String, io::Result<Vec<u8>>),
    /// The component's file, unless it is the built-in one.
    pub component_file: Option<PathBuf>,
    /// The digest the operator asks for.
    pub pinned: Option<Sha256Hex>,
    /// The files of the two configurations.
    pub retrieval_file: Option<PathBuf>,
    /// See [`Subject::retrieval_file`].
    pub commands_file: Option<PathBuf>,
    /// What they say, as far as they are valid.
    pub loom: Loom,
    /// The run's id, if it is given one.
    pub run_id: Option<String>,
    /// The run's own ceilings, each a JSON text.
    pub ceilings: Vec<String>,
    /// How strictly the run's authority would be enforced.
    pub enforcement: Enforcement,
    /// How the run's task would reach it.
    pub slot: Option<PromptSlot>,
    /// The tools the run could call; none allows every configured one.
    pub allowed_tools: Option<Vec<String>>,
    /// Where compiled components are kept.
    pub cache: Option<Cache>,
    /// What the component could take.
    pub limits: Limits,
    /// What was found wrong on the way here.
    pub findings: Vec<Finding>,
}

impl Subject {
    /// Audits it.
    ///
    /// # Ambient Authority
    ///
    /// Opens `/`, to look at the paths that the configuration names and everything above them.
    pub fn audit(self, authority: AmbientAuthority) -> Report {
        let named = self.named();
        let mut refused = Vec::new();
        trial::examine(&self, &mut refused, authority);
        let Self {
            component: (source, bytes),
            pinned,
            loom,
            limits,
            mut findings,
            ..
        } = self;
        findings.append(&mut refused);
        let component = match bytes {
            Ok(bytes) => Some(boundary::examine(
                &source,
                &bytes,
                pinned.as_ref(),
                &mut findings,
            )),
            Err(error) => {
                let sentence = format!("{source} cannot be read ({error}); correct `--component`.");
                findings.push(finding("component", sentence));
                None
            }
        };
        let grant = Grant::derive(Basis {
            retrieval: loom.retrieval.is_some(),
            commands: loom.commands.is_some(),
            enforcement: self.enforcement,
            slot: self.slot,
            allowed_tools: self.allowed_tools.as_deref(),
        });
        let places = places::look(named, &mut findings, authority);
        Report {
            ok: findings.is_empty(),
            notes: notes(
                &loom,
                self.enforcement,
                component.is_some() && pinned.is_none(),
                self.cache.is_some(),
            ),
            findings,
            versions: Versions {
                loom_tools: env!("CARGO_PKG_VERSION"),
                wasmtime: env!("WASMTIME_VERSION"),
                interface: IMPORT,
            },
            component,
            requests: SHAPES.iter().map(|shape| request(shape, &grant)).collect(),
            environment: environment(&loom),
            limits: limit_facts(&limits, &loom),
            grant: GrantFacts {
                enforcement_mode: self.enforcement.name(),
                prompt_slot: PromptSlot::name(self.slot),
                allowed_tools: self.allowed_tools,
                kinds: grant.kinds().map(Kind::name).collect(),
                writes: grant.writes(),
            },
            places,
        }
    }

    /// Every path that a run would use, with its role.
    fn named(&self) -> Vec<Named> {
        let mut named = Vec::new();
        let mut name = |role, path: &Option<PathBuf>, wanted, by: &str| {
            if let Some(path) = path {
                let (path, by) = (path.clone(), by.to_owned());
                named.push(Named {
                    role,
                    path,
                    wanted,
                    by,
                });
            }
        };
        let Self { loom, .. } = self;
        name(
            "component",
            &self.component_file,
            Wanted::File,
            "`--component`",
        );
        let by = "`--loom-retrieval-config`";
        name(
            "retrieval configuration",
            &self.retrieval_file,
            Wanted::File,
            by,
        );
        let by = "`--loom-commands-config`";
        name(
            "command configuration",
            &self.commands_file,
            Wanted::File,
            by,
        );
        if let Some(retrieval) = &loom.retrieval {
            let key = |key: &str| format!("`{key}` of the retrieval configuration");
            let cli = Some(retrieval.cli.clone());
            name("retrieval CLI", &cli, Wanted::Executable, &key("cliPath"));
            match &retrieval.transport {
                Transport::Broker { queue } => {
                    let (queue, by) = (Some(queue.clone()), key("transport.queuePath"));
                    name("retrieval queue", &queue, Wanted::Directory, &by);
                }
                Transport::Direct { instance_dir, .. } => {
                    let (dir, by) = (Some(instance_dir.clone()), key("transport.instanceDir"));
                    name("instance", &dir, Wanted::Directory, &by);
                }
            }
            let (record, by) = (&retrieval.read_ceiling_file, key("readCeilingFile"));
            name("read-ceiling record", record, Wanted::File, &by);
        }
        if let Some(commands) = &loom.commands {
            let key = |key: &str| format!("`{key}` of the command configuration");
            let cli = Some(commands.cli.clone());
            name("command CLI", &cli, Wanted::Executable, &key("cliPath"));
            let queue = Some(commands.queue.clone());
            name(
                "command queue",
                &queue,
                Wanted::Directory,
                &key("transport.queuePath"),
            );
        }
        named
    }
}

fn request(shape: &crate::command_shapes::Shape, grant: &Grant) -> RequestFacts {
    let values = shape.values().into_iter();
    RequestFacts {
        kind: shape.kind.name(),
        granted: grant.kinds().any(|kind| kind == shape.kind),
        argv: shape.usage(),
        values: values
            .map(|(name, rule)| ValueRule {
                name,
                rule: rule.phrase(),
            })
            .collect(),
        stdin: shape.stdin.map(|rule| rule.phrase()),
        note: shape.note,
    }
}

fn environment(loom: &Loom) -> EnvironmentFacts {
    let names = |commands| {
        let environment = loom.environment(commands)?.into_iter();
        Some(environment.map(|(name, _)| name).collect())
    };
    EnvironmentFacts {
        retrieval: names(false),
        commands: names(true),
    }
}

fn limit_facts(limits: &Limits, loom: &Loom) -> Vec<LimitFact> {
    let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
    let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let bounds = &loom.bounds;
    let facts = [
        ("linear memory", count(limits.memory), "bytes"),
        ("one table", count(limits.table_elements), "elements"),
        (
            "instances, tables and memories",
            count(limits.instances),
            "of each",
        ),
        ("resource handles", count(limits.handles), "handles"),
        ("wasm stack", count(limits.stack), "bytes"),
        (
            "copied out of the component by one call",
            count(limits.copied),
            "bytes",
        ),
        ("a saved state", count(limits.saved), "bytes"),
        (
            "in the component's code per call",
            ms(limits.guest_time),
            "ms",
        ),
        ("a turn, processes included", ms(limits.turn_time), "ms"),
        ("calls of one turn", count(limits.calls), "calls"),
        ("requests of one turn", count(limits.requests), "requests"),
        (
            "handed to the component in one turn",
            count(limits.turn_output),
            "bytes",
        ),
        (
            "shown to the model by one reply",
            count(limits.shown),
            "bytes",
        ),
        ("one process", ms(bounds.deadline), "ms"),
        ("printed by one process", count(bounds.output), "bytes"),
        ("retrievals at once", count(bounds.retrievals), "processes"),
        (
            "command runs at once",
            count(bounds.command_runs),
            "processes",
        ),
    ];
    let facts = facts.into_iter();
    facts
        .map(|(name, value, unit)| LimitFact { name, value, unit })
        .collect()
}

/// What is no fault and still worth knowing.
fn notes(loom: &Loom, enforcement: Enforcement, unpinned: bool, cached: bool) -> Vec<String> {
    let retrieval = loom.retrieval.as_ref();
    let notes = [
        (
            retrieval.is_none() && loom.commands.is_none(),
            "No valid configuration is given: a run could start nothing.",
        ),
        (
            retrieval.is_some_and(|retrieval| retrieval.read_ceiling_file.is_none()),
            "The retrieval configuration names no read-ceiling record: rows are measured against \
             the run's own ceilings only.",
        ),
        (
            retrieval.is_some_and(|r| matches!(r.transport, Transport::Direct { .. })),
            "Retrieval runs on an instance itself: no broker bounds what the CLI may read.",
        ),
        (loom.drops_job_id(), DROPPED_JOB_ID),
        (
            matches!(enforcement, Enforcement::Disabled | Enforcement::Observe),
            "The enforcement mode lets every call through, writes included.",
        ),
        (
            unpinned,
            "The component is not pinned: give its digest as `--component-sha256`.",
        ),
        (
            cached,
            "A run would load the compiled component from a cache of files that are its user's \
             alone; with `--no-cache` it compiles it.",
        ),
    ];
    let notes = notes.into_iter().filter(|(holds, _)| *holds);
    notes.map(|(_, note)| note.to_owned()).collect()
}
