//! The ceiling of one turn: the run's own met with the loom read-ceiling record, which loom writes
//! for a facet-scoped dispatch. A record that is named and cannot be read never reads as no ceiling.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Run;
use crate::json::{Value, parse};
use crate::label::Ceiling;
use crate::rules::is_facet;

/// The record cannot be read, names other facets, or met with the run's ceiling is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unavailable;

/// The ceiling of one turn; none admits every label. An unavailable one is an error, never none.
pub(super) type TurnCeiling = Result<Option<Rc<Ceiling>>, Unavailable>;

impl Run {
    pub(super) fn turn_ceiling(&self, record: Option<&Result<String, ()>>) -> TurnCeiling {
        let retrieval = self.retrieval.as_ref();
        let record = match record {
            None if retrieval.is_none_or(|retrieval| !retrieval.ceiling_record) => {
                return Ok(self.ceiling.clone());
            }
            None | Some(Err(())) => return Err(Unavailable),
            Some(Ok(record)) => record,
        };
        let facets = retrieval.and_then(|retrieval| retrieval.facets.as_deref());
        let record = read(record, facets).ok_or(Unavailable)?;
        Ok(Some(Rc::new(match &self.ceiling {
            None => record,
            Some(own) => own.meet(&record).map_err(|_| Unavailable)?,
        })))
    }
}

/// A nonempty `loomReadCeiling` list of clauses, a nonempty `facets` list of facet ids, the
/// configured ones when there are any, and a nonempty string `facetSource`.
fn read(record: &str, configured: Option<&[String]>) -> Option<Ceiling> {
    let record = parse(record).ok()?;
    let record = record.as_object()?;
    let clauses = record.get("loomReadCeiling")?;
    let facets = record.get("facets")?.as_array()?.iter();
    let facets = facets
        .map(|facet| facet.as_str().filter(|facet| is_facet(facet)))
        .collect::<Option<BTreeSet<_>>>()?;
    let source = record.get("facetSource").and_then(Value::as_str)?;
    let same = |configured: &[String]| {
        facets
            == configured
                .iter()
                .map(String::as_str)
                .collect::<BTreeSet<_>>()
    };
    let sound = !clauses.as_array()?.is_empty()
        && !facets.is_empty()
        && !source.is_empty()
        && configured.is_none_or(same);
    sound.then(|| Ceiling::read(clauses)).flatten()
}
