//! One run: its authority, its ceiling, and what it accumulates over its turns. A turn flows
//! through once, in one direction: plan every call, read the listing if one is needed, send every
//! request at once, then answer the calls in their order.

mod ceiling;
mod describe;
mod plan;
mod reply;
pub(crate) mod resolve;
mod saved;
mod send;
mod start;

#[cfg(test)]
mod tests;

use std::rc::Rc;

use crate::authority::Authority;
use crate::bindings::exports::loom::tools::tools::{Descriptor, Reply, Turn};
use crate::bindings::loom::tools::process::{Answer, Failure, Request};
use crate::commands::Catalog;
use crate::handles::Handles;
use crate::label::{Ceiling, Join, confidentiality_json};
use crate::tools::{Family, Tool, descriptor};

/// The import, as the run calls it: one result for each request, in order.
pub type RunLoom<'a> = dyn FnMut(&[Request]) -> Vec<Result<Answer, Failure>> + 'a;

/// A run.
#[derive(Debug)]
pub struct Run {
    run_id: String,
    authority: Authority,
    retrieval: Option<Retrieval>,
    commands: bool,
    /// The operator's ceilings, met; none admits every label.
    ceiling: Option<Rc<Ceiling>>,
    /// How many output ids were given out.
    counter: u64,
    /// The accumulated model-context label.
    label: Join,
    /// The catalog held for the run.
    catalog: Option<Catalog>,
    handles: Handles,
}

#[derive(Debug)]
struct Retrieval {
    facets: Option<Vec<String>>,
    ceiling_record: bool,
}

impl Run {
    /// The configured and allowed tools, in a fixed order.
    pub fn tools(&self) -> Vec<Descriptor> {
        Tool::ALL
            .into_iter()
            .filter(|tool| self.is_configured(*tool) && self.authority.allows(*tool))
            .map(descriptor)
            .collect()
    }

    fn is_configured(&self, tool: Tool) -> bool {
        match tool.family() {
            Family::Retrieval => self.retrieval.is_some(),
            Family::Commands => self.commands,
            Family::Run => true,
        }
    }

    /// Answers the calls of one model turn, in order.
    pub fn invoke(&mut self, turn: Turn, run_loom: &mut RunLoom<'_>) -> Vec<Reply> {
        let ceiling = self.turn_ceiling(turn.ceiling_record.as_ref());
        let mut planned = self.plan(&turn.calls, &ceiling);
        self.read_listing(&mut planned, run_loom);
        let mut exchange = self.send(&planned, run_loom);
        let mut state = reply::State {
            run_id: &self.run_id,
            counter: &mut self.counter,
            handles: &mut self.handles,
            // Every call of the turn was planned with the label the run had when it began.
            label: &mut self.label,
            catalog: self.catalog.as_ref(),
        };
        let reply = |planned| reply::answer(&mut state, planned, &mut exchange);
        planned.into_iter().map(reply).collect()
    }

    /// The accumulated label, `{ "confidentiality": [clauses] }`.
    pub fn label(&self) -> String {
        confidentiality_json(self.label.clauses())
    }
}
