//! `loom-tools audit`. What would keep a run from opening is a finding here and not a usage error.

use std::io::{self, Read};
use std::path::Path;

use anyhow::anyhow;

use super::Environment;
use super::args::AuditCommand;
use super::error::Failure;
use super::open::{absolute, ceilings, check_allowed, configurations, without_configuration};
use super::output;
use crate::audit::{Finding, REPORT_SCHEMA, Subject};
use crate::component::{EMBEDDED, MAX_COMPONENT};
use crate::config::{Commands, Retrieval};
use crate::limits::Limits;
use crate::{AmbientAuthority, ambient_authority};

pub(super) fn run(command: &AuditCommand, environment: Environment) -> Result<(), Failure> {
    if command.json_schema {
        return Ok(output::line(REPORT_SCHEMA.trim_end())?);
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
    let cache = args.cache_dir.clone().or(environment.cache_dir.clone());
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
    if let Err(Failure::Usage(sentence)) = ceilings(args) {
        findings.push(Finding {
            about: "ceilings".into(),
            sentence,
        });
    }
    let component_file = args.component.as_deref().map(absolute).transpose()?;
    let component = match &component_file {
        None => ("the built-in component".to_owned(), Ok(EMBEDDED.to_vec())),
        Some(path) => (path.display().to_string(), component(path)),
    };
    Ok(Subject {
        component,
        component_file,
        pinned: args.component_sha256.clone(),
        // What cannot be read has been found already.
        retrieval_file: retrieval_file.filter(|_| loom.retrieval.is_some()),
        commands_file: commands_file.filter(|_| loom.commands.is_some()),
        loom,
        enforcement: args.enforcement_mode.into(),
        slot: args.prompt_slot.prompt_slot(),
        allowed_tools: (!args.allow_tool.is_empty()).then(|| args.allow_tool.clone()),
        cache: cache.filter(|_| !args.no_cache),
        limits: Limits::default(),
        findings,
    })
}

fn component(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // Looked at first: to open a named pipe could take for ever.
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        ));
    }
    let file = std::fs::File::open(path)?;
    file.take(MAX_COMPONENT as u64 + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() > MAX_COMPONENT {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            "it is larger than 64 MiB",
        ));
    }
    Ok(bytes)
}
