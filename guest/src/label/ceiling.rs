//! A ceiling: what a run may be shown. A label fits when each of its clauses is subsumed by one
//! of the ceiling's.

use std::collections::{BTreeMap, BTreeSet};

use super::clause::Alternatives;
use super::{Atom, Clause};
use crate::json::Value;

/// The most bytes that the meet of two ceilings may come to. It takes every pair of their clauses;
/// two long lists of an operator's would otherwise be a way to fill the memory. Ceilings in use
/// have tens of short clauses.
const MAX_MEET: usize = 8 << 20;
/// What a clause of the meet counts for beside its text.
const CLAUSE: usize = 32;

/// The meet would be larger than is held.
#[derive(Debug)]
pub(crate) struct TooLarge;

/// A clause list. An empty one admits only public rows.
#[derive(Debug)]
pub(crate) struct Ceiling {
    clauses: Vec<Clause>,
    /// Clauses by the key of their first alternative without an order: one that subsumes a label
    /// clause has that alternative equal to one of the label's, so few need be tried.
    by_alternative: BTreeMap<String, Vec<usize>>,
    /// Clauses all of whose alternatives have an order.
    ordered: Vec<usize>,
}

impl Ceiling {
    /// None when the value is not a list of clauses.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let clauses = value.as_array()?.iter().map(Clause::read);
        Some(Self::of(clauses.collect::<Option<_>>()?))
    }

    pub(crate) fn of(clauses: Vec<Clause>) -> Self {
        let mut by_alternative: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut ordered = Vec::new();
        for (at, clause) in clauses.iter().enumerate() {
            match clause.alternatives().iter().find(|atom| !atom.is_ordered()) {
                Some(atom) => by_alternative
                    .entry(atom.key().to_owned())
                    .or_default()
                    .push(at),
                None => ordered.push(at),
            }
        }
        Self {
            clauses,
            by_alternative,
            ordered,
        }
    }

    /// The ceiling that admits exactly what both admit: of every pair of clauses, the union.
    pub(crate) fn meet(&self, other: &Self) -> Result<Self, TooLarge> {
        let text = |ceiling: &Self| -> usize {
            let keys = ceiling.clauses.iter().map(|clause| clause.key().len());
            keys.sum()
        };
        let (mine, others) = (self.clauses.len(), other.clauses.len());
        let size = text(self)
            .saturating_mul(others)
            .saturating_add(text(other).saturating_mul(mine))
            .saturating_add(mine.saturating_mul(others).saturating_mul(CLAUSE));
        if size > MAX_MEET {
            return Err(TooLarge);
        }
        let mut seen = BTreeSet::new();
        let mut clauses = Vec::new();
        for a in &self.clauses {
            for b in &other.clauses {
                let union = Clause::union(a, b);
                if seen.insert(union.key().to_owned()) {
                    clauses.push(union);
                }
            }
        }
        Ok(Self::of(clauses))
    }

    /// Whether a label of these clauses fits.
    pub(crate) fn admits(&self, label: &[Clause]) -> bool {
        label
            .iter()
            .all(|clause| !clause.holds_read_failure() && self.subsumes(clause))
    }

    fn subsumes(&self, label: &Clause) -> bool {
        let alternatives = Alternatives::of(label);
        let tried = |at: &usize| {
            self.clauses
                .get(*at)
                .is_some_and(|c| c.subsumes(&alternatives))
        };
        let with = |atom: &Atom| self.by_alternative.get(atom.key());
        label
            .alternatives()
            .iter()
            .filter_map(with)
            .flatten()
            .any(tried)
            || (alternatives.any_ordered() && self.ordered.iter().any(tried))
    }

    #[cfg(test)]
    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}
