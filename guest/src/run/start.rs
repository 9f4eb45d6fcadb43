//! Starts a run from the operator's settings. Refuses, with a sentence for the operator, what
//! cannot mean what it says.

use std::rc::Rc;

use super::{Retrieval, Run};
use crate::authority::Authority;
use crate::bindings::exports::loom::tools::tools::Settings;
use crate::handles::Handles;
use crate::json::parse;
use crate::label::{Ceiling, Join};
use crate::rules::{clip, is_facet, is_run_id};
use crate::tools::Tool;

impl Run {
    /// Starts a run. An error is a sentence for the operator.
    pub fn start(settings: Settings) -> Result<Self, String> {
        if !is_run_id(&settings.run_id) {
            return Err("The run id must be 1 to 128 characters of `A-Z a-z 0-9 . _ : -`.".into());
        }
        let unknown = |id: &&String| Tool::named(id).is_none();
        if let Some(id) = settings.allowed_tools.iter().flatten().find(unknown) {
            return Err(format!("There is no tool `{}` to allow.", clip(id)));
        }
        let facets = settings
            .retrieval
            .as_ref()
            .and_then(|retrieval| retrieval.facets.as_ref());
        if let Some(facets) = facets
            && (facets.is_empty() || !facets.iter().all(|facet| is_facet(facet)))
        {
            return Err("The facets must be a nonempty list of facet ids.".into());
        }
        Ok(Self {
            handles: Handles::new(&settings.run_id),
            run_id: settings.run_id,
            authority: Authority {
                enforcement: settings.enforcement,
                slot: settings.slot,
                allowed: settings.allowed_tools,
            },
            retrieval: settings.retrieval.map(|retrieval| Retrieval {
                facets: retrieval.facets,
                ceiling_record: retrieval.ceiling_record,
            }),
            commands: settings.commands,
            ceiling: met(&settings.ceilings)?.map(Rc::new),
            counter: 0,
            label: Join::default(),
            catalog: None,
        })
    }
}

/// The meet of clause lists; none when there are none.
fn met(lists: &[String]) -> Result<Option<Ceiling>, String> {
    let mut met: Option<Ceiling> = None;
    for list in lists {
        let ceiling = parse(list).ok().and_then(|value| Ceiling::read(&value)).ok_or(
            "A confidentiality ceiling must be a JSON list of clauses: atoms, or `anyOf` over a \
             nonempty list of atoms.",
        )?;
        met = Some(match met {
            None => ceiling,
            Some(other) => other
                .meet(&ceiling)
                .map_err(|_| "The ceilings' meet is too large to be held.")?,
        });
    }
    Ok(met)
}
