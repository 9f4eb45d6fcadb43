//! The page for people.

use std::fmt;

use super::report::{Interface, Report};

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "loom-tools {}, wasmtime {}, interface {}",
            self.versions.loom_tools, self.versions.wasmtime, self.versions.interface
        )?;
        self.component(f)?;
        self.authority(f)?;
        self.requests(f)?;
        self.processes(f)?;
        self.places(f)?;
        if !self.notes.is_empty() {
            heading(f, "Notes")?;
            self.notes
                .iter()
                .try_for_each(|note| writeln!(f, "  {note}"))?;
        }
        if self.ok {
            return write!(f, "\nOK: nothing is wrong.");
        }
        heading(f, "WRONG")?;
        for (at, finding) in self.findings.iter().enumerate() {
            let end = if at + 1 < self.findings.len() {
                "\n"
            } else {
                ""
            };
            write!(f, "  {}: {}{end}", finding.about, finding.sentence)?;
        }
        Ok(())
    }
}

impl Report {
    fn component(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "Component")?;
        let Some(component) = &self.component else {
            return writeln!(f, "  could not be read");
        };
        writeln!(f, "  {}, {} bytes", component.source, component.bytes)?;
        let pinned = if component.pinned.is_some() {
            "pinned"
        } else {
            "not pinned"
        };
        writeln!(f, "  sha256   {} ({pinned})", component.sha256)?;
        interfaces(f, "imports", &component.imports)?;
        interfaces(f, "exports", &component.exports)?;
        let exactly = match component.imports_exactly_one_function {
            true => "The imports are exactly the one function that is granted.",
            false => "The imports are NOT exactly the one function that is granted.",
        };
        writeln!(f, "  {exactly}")
    }

    fn authority(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grant = &self.grant;
        heading(f, "Grant")?;
        writeln!(
            f,
            "  enforcement mode {}, prompt slot {}",
            grant.enforcement_mode, grant.prompt_slot
        )?;
        if let Some(tools) = &grant.allowed_tools {
            writeln!(f, "  tools allowed: {}", tools.join(", "))?;
        }
        let kinds = match grant.kinds.is_empty() {
            true => "none".to_owned(),
            false => grant.kinds.join(", "),
        };
        writeln!(f, "  requests: {kinds}")?;
        writeln!(f, "  writes: {}", if grant.writes { "yes" } else { "no" })
    }

    fn requests(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "What each kind of request becomes")?;
        for request in &self.requests {
            let granted = if request.granted {
                "granted"
            } else {
                "not granted"
            };
            writeln!(f, "  {} ({granted})", request.kind)?;
            writeln!(f, "    CLI {}", request.argv)?;
            let mut rules: Vec<(&str, Vec<&str>)> = Vec::new();
            for value in &request.values {
                match rules.iter_mut().find(|(rule, _)| *rule == value.rule) {
                    Some((_, names)) => names.push(value.name),
                    None => rules.push((&value.rule, vec![value.name])),
                }
            }
            for (rule, names) in rules {
                writeln!(f, "    {}: {rule}", names.join(", "))?;
            }
            if let Some(stdin) = &request.stdin {
                writeln!(f, "    standard input: {stdin}")?;
            }
            if let Some(note) = request.note {
                writeln!(f, "    {note}")?;
            }
        }
        Ok(())
    }

    fn processes(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "The whole environment of a process")?;
        let families = [
            ("retrieval", &self.environment.retrieval),
            ("commands", &self.environment.commands),
        ];
        for (family, names) in families {
            let names = match names {
                None => "not configured".to_owned(),
                Some(names) => names.join(" "),
            };
            writeln!(f, "  {family:10} {names}")?;
        }
        heading(f, "Limits")?;
        for limit in &self.limits {
            writeln!(f, "  {:40} {:>10} {}", limit.name, limit.value, limit.unit)?;
        }
        Ok(())
    }

    fn places(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        heading(f, "Files and directories")?;
        if self.places.is_empty() {
            writeln!(f, "  none")?;
        }
        for place in &self.places {
            writeln!(f, "  {}: {}", place.role, place.path)?;
            if place.resolved != place.path {
                writeln!(f, "    leads to {}", place.resolved)?;
            }
            let others = match place.replaceable_by_others {
                true => "OTHERS CAN REPLACE OR CHANGE IT",
                false => "nobody else but root can replace it",
            };
            writeln!(
                f,
                "    owner {}, group {}, mode {}; {others}",
                place.owner, place.group, place.mode
            )?;
            if let Some(sha256) = &place.sha256 {
                writeln!(f, "    sha256 {sha256}")?;
            }
        }
        Ok(())
    }
}

fn heading(f: &mut fmt::Formatter<'_>, heading: &str) -> fmt::Result {
    writeln!(f, "\n{heading}")
}

fn interfaces(f: &mut fmt::Formatter<'_>, label: &str, list: &[Interface]) -> fmt::Result {
    if list.is_empty() {
        return writeln!(f, "  {label}  none");
    }
    for interface in list {
        write!(f, "  {label}  {}", interface.name)?;
        if !interface.functions.is_empty() {
            write!(f, " {{ {} }}", interface.functions.join(", "))?;
        }
        writeln!(f)?;
    }
    Ok(())
}
