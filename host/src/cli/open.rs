//! From flags to a run: reads the operator's files, once, into values. What contradicts itself is a
//! usage error that names the flag and the remedy.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use serde::Deserialize;
use serde_json::value::RawValue;

use super::Environment;
use super::args::RunArgs;
use super::error::Failure;
use crate::audit_log::AuditLog;
use crate::cache::Cache;
use crate::component::{Component, EMBEDDED, MAX_COMPONENT, Sha256Hex};
use crate::config::{Commands, ConfigError, Retrieval};
use crate::journal::{Journal, NoJournal};
use crate::limits::Limits;
use crate::loom::{DROPPED_JOB_ID, Loom};
use crate::object::{Object, present};
use crate::process::Bounds;
use crate::record::Recorder;
use crate::regular::{read_bounded, text};
use crate::run::{Settings, Watch};
use crate::tools::{Family, tool_family};
use crate::{AmbientAuthority, Engine, ambient_authority};

/// The largest file of a ceiling that is read, in bytes: as large as a configuration may be.
const MAX_CEILING: u64 = 1 << 20;

/// What a run is opened from.
pub(super) struct Opening {
    pub(super) component: Component,
    pub(super) loom: Loom,
    pub(super) settings: Settings,
    /// Whether the run's id was given rather than made up.
    pub(super) run_id_given: bool,
}

/// Reads everything the flags and the environment name.
pub(super) fn opening(
    args: &RunArgs,
    environment: Environment,
    authority: AmbientAuthority,
) -> Result<Opening, Failure> {
    let cache = cache(args, environment.cache_dir.as_deref(), authority)?;
    let loom = loom(args, environment, authority)?;
    check_allowed(&args.allow_tool, &loom)?;
    let limits = Limits::default();
    let component = component(
        args.component.as_deref(),
        args.component_sha256.as_ref(),
        &limits,
        cache.as_ref(),
    )?;
    let settings = Settings {
        run_id: match &args.run_id {
            Some(id) => id.clone(),
            None => random_run_id()?,
        },
        ceilings: ceilings(args)?,
        enforcement: args.enforcement_mode.into(),
        slot: args.prompt_slot.prompt_slot(),
        allowed_tools: (!args.allow_tool.is_empty()).then(|| args.allow_tool.clone()),
        limits,
    };
    Ok(Opening {
        component,
        loom,
        settings,
        run_id_given: args.run_id.is_some(),
    })
}

/// Who watches a run of this id: the audit log and the recorder that the flags name.
pub(super) fn watch(
    args: &RunArgs,
    run_id: &str,
    authority: AmbientAuthority,
) -> Result<Watch, Failure> {
    let refuse = |flag: &str, path: &Path, error: &std::io::Error| {
        Failure::usage(format!(
            "{flag}: {} cannot be written: {error}; the run is refused",
            path.display()
        ))
    };
    let journal: Box<dyn Journal> = match &args.audit_log {
        None => Box::new(NoJournal),
        Some(path) => {
            let log = AuditLog::open(&absolute(path)?, run_id, authority);
            Box::new(log.map_err(|error| refuse("--audit-log", path, &error))?)
        }
    };
    let recorder = match &args.record {
        None => None,
        Some(path) => {
            let recorder = Recorder::create(&absolute(path)?, args.redact, authority);
            let recorder = recorder.map_err(|error| refuse("--record", path, &error))?;
            if !args.redact {
                tracing::warn!(
                    "{} will hold what Loom answers and what the model writes, as it is; keep it \
                     to yourself, or give `--redact`",
                    path.display()
                );
            }
            Some(recorder)
        }
    };
    Ok(Watch { journal, recorder })
}

fn loom(
    args: &RunArgs,
    environment: Environment,
    authority: AmbientAuthority,
) -> Result<Loom, Failure> {
    // A refusal of a file says what named it.
    let named = |flag: &Option<PathBuf>, name: &'static str, variable: &'static str| {
        let by = if flag.is_some() { name } else { variable };
        move |error: ConfigError| Failure::usage(format!("{error} (The file that `{by}` names.)"))
    };
    let retrieval_refused = named(
        &args.loom_retrieval_config,
        "--loom-retrieval-config",
        "CF_HARNESS_LOOM_RETRIEVAL_CONFIG",
    );
    let commands_refused = named(
        &args.loom_commands_config,
        "--loom-commands-config",
        "CF_HARNESS_LOOM_COMMANDS_CONFIG",
    );
    let (retrieval, commands) = configurations(args, &environment);
    let retrieval = retrieval
        .map(|path| Retrieval::read(&path, authority))
        .transpose();
    let commands = commands
        .map(|path| Commands::read(&path, authority))
        .transpose();
    let loom = Loom {
        retrieval: retrieval.map_err(retrieval_refused)?,
        commands: commands.map_err(commands_refused)?,
        ..without_configuration(args, environment)
    };
    if loom.drops_job_id() {
        tracing::warn!("{DROPPED_JOB_ID}");
    }
    Ok(loom)
}

/// The files of the two configurations. The flag wins.
pub(super) fn configurations(
    args: &RunArgs,
    environment: &Environment,
) -> (Option<PathBuf>, Option<PathBuf>) {
    let either = |flag: &Option<PathBuf>, variable: &Option<PathBuf>| {
        flag.clone().or_else(|| variable.clone())
    };
    (
        either(&args.loom_retrieval_config, &environment.retrieval_config),
        either(&args.loom_commands_config, &environment.commands_config),
    )
}

/// A Loom of which only what the flags and the environment say is known.
pub(super) fn without_configuration(args: &RunArgs, environment: Environment) -> Loom {
    let bounds = Bounds::default();
    let output = args
        .max_output_bytes
        .and_then(|bytes| usize::try_from(bytes).ok());
    Loom {
        retrieval: None,
        commands: None,
        search_path: environment.search_path,
        job_id: args.command_job_id.clone(),
        bounds: Bounds {
            deadline: args.timeout().unwrap_or(bounds.deadline),
            output: output.unwrap_or(bounds.output),
            ..bounds
        },
    }
}

/// A tool that is named and cannot be there is a contradiction.
pub(super) fn check_allowed(allowed: &[String], loom: &Loom) -> Result<(), Failure> {
    for tool in allowed {
        let (configured, flag) = match tool_family(tool) {
            None => return Err(unknown_tool("--allow-tool", tool)),
            Some(Family::Run) => continue,
            Some(Family::Commands) => (loom.commands.is_some(), "--loom-commands-config"),
            Some(Family::Retrieval) => (loom.retrieval.is_some(), "--loom-retrieval-config"),
        };
        if !configured {
            return Err(Failure::usage(format!(
                "`--allow-tool {tool}` names a tool that is not configured; give `{flag} FILE` or \
                 leave the tool out"
            )));
        }
    }
    Ok(())
}

/// The usage error for a tool nobody knows, with the nearest names.
pub(super) fn unknown_tool(flag: &str, tool: &str) -> Failure {
    let mut names: Vec<&str> = crate::tools::tool_names().collect();
    names.sort_by_key(|name| {
        let apart = !name.contains(tool) && !tool.contains(*name);
        (apart, strsim::levenshtein(name, tool))
    });
    names.truncate(3);
    Failure::usage(format!(
        "{flag}: there is no tool `{}`; the nearest are {}",
        tool.escape_debug(),
        names.join(", ")
    ))
}

/// The cache of compiled components. One that a flag names has to be usable; the usual one only
/// saves time.
pub(super) fn cache(
    args: &RunArgs,
    usual: Option<&Path>,
    authority: AmbientAuthority,
) -> Result<Option<Cache>, Failure> {
    if args.no_cache {
        return Ok(None);
    }
    if let Some(path) = &args.cache_dir {
        let opened = Cache::open(&absolute(path)?, authority);
        let refuse = |error| Failure::usage(format!("--cache-dir: {}: {error}", path.display()));
        return opened.map(Some).map_err(refuse);
    }
    let opened = usual.map(|path| Cache::open(path, authority)).transpose();
    Ok(opened.unwrap_or_else(|error| {
        tracing::info!(%error, "no cache of compiled components");
        None
    }))
}

/// The component of this file, or the built-in one.
pub(super) fn component(
    file: Option<&Path>,
    pinned: Option<&Sha256Hex>,
    limits: &Limits,
    cache: Option<&Cache>,
) -> Result<Component, Failure> {
    let engine = Engine::new(limits)
        .map_err(|error| anyhow!("the WebAssembly engine does not start: {error:#}"))?;
    let (name, loaded) = match file {
        None => (
            "the built-in component".into(),
            Component::load_cached(&engine, EMBEDDED, pinned, cache),
        ),
        Some(path) => {
            let bytes = read_bounded(path, MAX_COMPONENT, ambient_authority())
                .map_err(|error| unreadable("--component", path, &error))?;
            (
                path.display().to_string(),
                Component::load_cached(&engine, &bytes, pinned, cache),
            )
        }
    };
    loaded.map_err(|error| Failure::usage(format!("--component: {name}: {error}")))
}

/// The operator's ceilings, each a JSON text.
pub(super) fn ceilings(args: &RunArgs) -> Result<Vec<String>, Failure> {
    let mut ceilings = Vec::new();
    if let Some(flag) = &args.max_confidentiality {
        let ceiling = text_or_file("--max-confidentiality", flag, MAX_CEILING)?;
        ceilings.push(ceiling);
    }
    if let Some(path) = &args.run_manifest {
        ceilings.extend(manifest_ceiling(path)?);
    }
    Ok(ceilings)
}

/// The value of a flag that takes JSON or `@FILE`, a file of at most `max` bytes.
pub(super) fn text_or_file(flag: &str, value: &str, max: u64) -> Result<String, Failure> {
    match value.strip_prefix('@') {
        None => Ok(value.to_owned()),
        Some(path) => text_of(flag, Path::new(path), max),
    }
}

/// The text of the file that a flag names.
fn text_of(flag: &str, path: &Path, max: u64) -> Result<String, Failure> {
    let text = read_bounded(path, max, ambient_authority()).and_then(text);
    text.map_err(|error| unreadable(flag, path, &error))
}

/// `cfc.maxConfidentiality` of a run manifest; the rest of it is not ours. A manifest or a `cfc` that
/// is no object is refused: it could hold a ceiling that was meant.
fn manifest_ceiling(path: &Path) -> Result<Option<String>, Failure> {
    #[derive(Deserialize)]
    struct Manifest {
        #[serde(default, deserialize_with = "present")]
        cfc: Option<Object<Cfc>>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cfc {
        #[serde(default, deserialize_with = "present")]
        max_confidentiality: Option<Box<RawValue>>,
    }
    let text = text_of("--run-manifest", path, MAX_CEILING)?;
    let Object(manifest): Object<Manifest> = serde_json::from_str(&text).map_err(|error| {
        Failure::usage(format!(
            "--run-manifest: {} is no run manifest: {error}",
            path.display()
        ))
    })?;
    Ok(manifest
        .cfc
        .and_then(|Object(cfc)| cfc.max_confidentiality)
        .map(|raw| raw.get().to_owned()))
}

fn unreadable(flag: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!(
        "{flag}: {} cannot be read: {error}; name a file that can",
        path.display()
    ))
}

fn random_run_id() -> Result<String, Failure> {
    let mut bytes = [0; 8];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .context("no random run id is to be had; give one with `--run-id`")?;
    Ok(format!("run-{:016x}", u64::from_ne_bytes(bytes)))
}

/// A path as the operator gave it, absolute: what is handed down does not depend on where we stand.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))
}
