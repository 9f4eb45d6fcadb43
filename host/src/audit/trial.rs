//! What only a component judges: the run's id, its ceilings, and what the read-ceiling record says.
//! The built-in one is asked, by opening runs with them, under a journal that lets nothing start.

use std::io::{self, Error, ErrorKind};

use cap_std::AmbientAuthority;

use super::report::Finding;
use super::{Subject, finding};
use crate::component::Component;
use crate::engine::Engine;
use crate::grant::Enforcement;
use crate::journal::{Event, Journal};
use crate::loom::Loom;
use crate::run::{Call, Run, RunError, Settings};

/// Finds what the built-in component would refuse.
pub(super) fn examine(subject: &Subject, findings: &mut Vec<Finding>, authority: AmbientAuthority) {
    if let Err(why) = ask(subject, findings, authority) {
        let sentence = format!("the built-in component cannot be asked of the settings: {why}.");
        findings.push(finding("settings", sentence));
    }
}

fn ask(
    subject: &Subject,
    findings: &mut Vec<Finding>,
    authority: AmbientAuthority,
) -> Result<(), String> {
    let engine = Engine::new(&subject.limits).map_err(|error| format!("{error:#}"))?;
    let component = Component::embedded_cached(&engine, subject.cache.as_ref())
        .map_err(|error| error.to_string())?;
    let mut judge = |about: &str, loom: Loom, settings: Settings| {
        let nothing = Box::new(NothingStarts);
        match Run::open(&component, loom, settings, nothing, None, authority) {
            Ok(run) => Ok(Some(run)),
            Err(RunError::Refused(sentence)) => {
                findings.push(finding(about, sentence));
                Ok(None)
            }
            Err(error) => Err(error.to_string()),
        }
    };
    if let Some(id) = &subject.run_id {
        judge("--run-id", Loom::default(), Settings::new(id))?;
    }
    let settings = Settings {
        ceilings: subject.ceilings.clone(),
        // Whatever the run may do, the record is judged.
        enforcement: Enforcement::Disabled,
        limits: subject.limits.clone(),
        ..Settings::new("audit")
    };
    let loom = Loom {
        retrieval: subject.loom.retrieval.clone(),
        ..Loom::default()
    };
    let named = loom.retrieval.as_ref();
    let named = named.is_some_and(|retrieval| retrieval.read_ceiling_file.is_some());
    let Some(mut run) = judge("ceilings", loom, settings)? else {
        return Ok(());
    };
    if named && refuses_its_record(&mut run).map_err(|error| error.to_string())? {
        findings.push(finding(
            "read-ceiling record",
            "every call would be refused with `ceiling_unavailable`: the record must be an object \
             with a nonempty `loomReadCeiling` list of clauses, a nonempty `facets` list of facet \
             ids, which are the configured ones when the configuration names any, and a nonempty \
             `facetSource`; have it written again, or correct the retrieval configuration."
                .to_owned(),
        ));
    }
    Ok(())
}

/// Whether a turn is refused for its record. An input that is none is refused right after the
/// record, so that there is nothing to start.
fn refuses_its_record(run: &mut Run) -> Result<bool, RunError> {
    let call = Call {
        id: "1".to_owned(),
        tool: "loom_profile".to_owned(),
        input: "[]".to_owned(),
        input_label: None,
    };
    let replies = run.invoke(vec![call])?;
    Ok(replies
        .iter()
        .any(|reply| reply.shown.contains(r#""code":"ceiling_unavailable""#)))
}

/// Refuses every request.
struct NothingStarts;

impl Journal for NothingStarts {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Err(Error::new(ErrorKind::PermissionDenied, "nothing starts"))
    }

    fn ended(&mut self, _event: &Event<'_>) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }
}
