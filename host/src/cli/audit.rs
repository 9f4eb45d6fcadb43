//! `loom-tools audit`. What would keep a run from opening is a finding here and not a usage error.

use anyhow::anyhow;

use super::Environment;
use super::args::AuditCommand;
use super::error::Failure;
use super::open::{
    absolute, cache, ceilings, check_allowed, configurations, without_configuration,
};
use super::output;
use crate::audit::{Finding, REPORT_SCHEMA, Subject};
use crate::component::{EMBEDDED, MAX_COMPONENT};
use crate::config::{Commands, Retrieval};
use crate::limits::Limits;
use crate::regular::read_bounded;
use crate::{AmbientAuthority, ambient_authority};

pub(super) fn run(command: &AuditCommand, environment: Environment) -> Result<(), Failure> {
    if command.json_schema {
        return Ok(output::line(REPORT_SCHEMA.trim_end())?);
    }
    for (flag, given) in [
        ("--audit-log", &command.run.audit_log),
        ("--record", &command.run.record),
    ] {
        if given.is_some() {
            return Err(Failure::usage(format!(
                "{flag}: an audit runs nothing that could be written there; leave it out"
            )));
        }
    }
    let authority = ambient_authority();
    let report = subject(command, environment, authority)?.audit(authority);
    output::line(&if command.json {
        serde_json::to_string(&report)?
    } else {
        report.to_string()
    })?;
    match report.findings.len() {
        0 => Ok(()),
        1 => Err(anyhow!("1 thing is wrong").into()),
        wrong => Err(anyhow!("{wrong} things are wrong").into()),
    }
}

fn subject(
    command: &AuditCommand,
    environment: Environment,
    authority: AmbientAuthority,
) -> Result<Subject, Failure> {
    let args = &command.run;
    let mut findings = Vec::new();
    let mut note = |about: &str, sentence: String| {
        let about = about.to_owned();
        findings.push(Finding { about, sentence });
    };
    let (retrieval_file, commands_file) = configurations(args, &environment);
    let cache = match cache(args, environment.cache_dir.as_deref(), authority) {
        Ok(cache) => cache,
        Err(Failure::Usage(sentence)) => {
            note("--cache-dir", sentence);
            None
        }
        Err(failure) => return Err(failure),
    };
    let mut loom = without_configuration(args, environment);
    match retrieval_file
        .as_deref()
        .map(|path| Retrieval::read(path, authority))
    {
        Some(Err(error)) => note("retrieval configuration", error.to_string()),
        read => loom.retrieval = read.and_then(Result::ok),
    }
    match commands_file
        .as_deref()
        .map(|path| Commands::read(path, authority))
    {
        Some(Err(error)) => note("command configuration", error.to_string()),
        read => loom.commands = read.and_then(Result::ok),
    }
    // What a broken configuration leaves out is no fault of the flag.
    if findings.is_empty()
        && let Err(Failure::Usage(sentence)) = check_allowed(&args.allow_tool, &loom)
    {
        findings.push(Finding {
            about: "--allow-tool".into(),
            sentence,
        });
    }
    let ceilings = match ceilings(args) {
        Ok(ceilings) => ceilings,
        Err(Failure::Usage(sentence)) => {
            let about = "ceilings".into();
            findings.push(Finding { about, sentence });
            Vec::new()
        }
        Err(failure) => return Err(failure),
    };
    let component_file = args.component.as_deref().map(absolute).transpose()?;
    let component = match &component_file {
        None => ("the built-in component".to_owned(), Ok(EMBEDDED.to_vec())),
        Some(path) => (
            path.display().to_string(),
            read_bounded(path, MAX_COMPONENT, authority),
        ),
    };
    Ok(Subject {
        component,
        component_file,
        pinned: args.component_sha256.clone(),
        // What cannot be read has been found already.
        retrieval_file: retrieval_file.filter(|_| loom.retrieval.is_some()),
        commands_file: commands_file.filter(|_| loom.commands.is_some()),
        loom,
        run_id: args.run_id.clone(),
        ceilings,
        enforcement: args.enforcement_mode.into(),
        slot: args.prompt_slot.prompt_slot(),
        allowed_tools: (!args.allow_tool.is_empty()).then(|| args.allow_tool.clone()),
        cache,
        limits: Limits::default(),
        findings,
    })
}
