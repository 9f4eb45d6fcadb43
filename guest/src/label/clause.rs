//! One clause, and the join of many.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Atom;
use crate::json::{Object, Value, to_string};

/// An atom, or an object whose sole key is `anyOf` with a nonempty list of atoms.
///
/// Clones share what they hold: a long label is joined into that of many calls.
#[derive(Clone, Debug)]
pub(crate) struct Clause(Rc<Inner>);

#[derive(Debug)]
struct Inner {
    spelling: Value,
    /// Never empty; each once.
    alternatives: Vec<Atom>,
    key: String,
}

impl Clause {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let alternatives = match group(value) {
            Some(Value::Array(atoms)) if !atoms.is_empty() => {
                atoms.iter().map(Atom::read).collect::<Option<Vec<_>>>()?
            }
            Some(_) => return None,
            None => vec![Atom::read(value)?],
        };
        Some(Self::of(value.clone(), distinct(alternatives)))
    }

    fn of(spelling: Value, alternatives: Vec<Atom>) -> Self {
        Self(Rc::new(Inner {
            key: key(&alternatives),
            spelling,
            alternatives,
        }))
    }

    /// The clause both `a` and `b` must subsume: every alternative of either, each once. A clause
    /// of one alternative is that atom (no atom is shaped like a clause: it would need a `type`
    /// beside its sole key).
    pub(crate) fn union(a: &Self, b: &Self) -> Self {
        let both = a.alternatives().iter().chain(b.alternatives()).cloned();
        let both = both.collect();
        let alternatives = distinct(both);
        let spelling = match alternatives.as_slice() {
            [only] => only.value().clone(),
            several => {
                let atoms = several.iter().map(|atom| atom.value().clone()).collect();
                Value::Object(Object::from_distinct(vec![(
                    "anyOf".to_owned(),
                    Value::Array(atoms),
                )]))
            }
        };
        Self::of(spelling, alternatives)
    }

    /// The clause as it was first written.
    pub(crate) fn spelling(&self) -> &Value {
        &self.0.spelling
    }

    /// Bytes of the clause as JSON.
    fn size(&self) -> usize {
        to_string(&self.0.spelling).len()
    }

    pub(crate) fn alternatives(&self) -> &[Atom] {
        &self.0.alternatives
    }

    /// Equal for clauses that are one once normalized as in the meet.
    pub(crate) fn key(&self) -> &str {
        &self.0.key
    }

    pub(crate) fn holds_read_failure(&self) -> bool {
        self.alternatives().iter().any(Atom::is_read_failure)
    }

    /// Whether this clause, of a ceiling, subsumes the label clause of those alternatives.
    pub(crate) fn subsumes(&self, label: &Alternatives<'_>) -> bool {
        self.alternatives().iter().all(|c| label.are_entailed_by(c))
    }
}

/// The alternatives of a label clause, to be looked up: a label of many would otherwise cost a
/// comparison with every alternative of a ceiling.
pub(crate) struct Alternatives<'a> {
    keys: BTreeSet<&'a str>,
    /// The one that expires last, which whatever entails one with an order entails.
    latest: Option<&'a Atom>,
}

impl<'a> Alternatives<'a> {
    pub(crate) fn of(clause: &'a Clause) -> Self {
        let later = |a: &'a Atom, b: &'a Atom| if a.entails(b) { b } else { a };
        let ordered = clause
            .alternatives()
            .iter()
            .filter(|atom| atom.is_ordered());
        Self {
            keys: clause.alternatives().iter().map(Atom::key).collect(),
            latest: ordered.reduce(later),
        }
    }

    /// Whether one of them has an order.
    pub(crate) fn any_ordered(&self) -> bool {
        self.latest.is_some()
    }

    fn are_entailed_by(&self, c: &Atom) -> bool {
        match self.latest {
            Some(latest) if c.is_ordered() => c.entails(latest),
            _ => self.keys.contains(c.key()),
        }
    }
}

/// The member `anyOf` of an object that has no other.
fn group(value: &Value) -> Option<&Value> {
    let object = value.as_object()?;
    (object.len() == 1).then(|| object.get("anyOf")).flatten()
}

fn distinct(atoms: Vec<Atom>) -> Vec<Atom> {
    let mut seen = BTreeSet::new();
    let is_new: Vec<bool> = atoms.iter().map(|atom| seen.insert(atom.key())).collect();
    let mut is_new = is_new.into_iter();
    atoms
        .iter()
        .filter(|_| is_new.next() == Some(true))
        .cloned()
        .collect()
}

fn key(alternatives: &[Atom]) -> String {
    // No atom's key holds a line feed: its strings are escaped.
    let keys: Vec<&str> = alternatives.iter().map(Atom::key).collect();
    keys.join("\n")
}

/// Clauses joined: each once, first seen first, in the spelling first seen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Join {
    clauses: Vec<Clause>,
    seen: BTreeSet<String>,
    /// Bytes of the clauses as JSON.
    size: usize,
}

impl Join {
    pub(crate) fn of(clauses: &[Clause]) -> Self {
        let mut join = Self::default();
        join.add(clauses);
        join
    }

    pub(crate) fn add(&mut self, clauses: &[Clause]) {
        for clause in self.new_among(clauses) {
            self.seen.insert(clause.key().to_owned());
            self.size = self.size.saturating_add(clause.size());
            self.clauses.push(clause.clone());
        }
    }

    /// The clauses that adding these would add, in their order.
    pub(crate) fn new_among<'a>(&self, clauses: &'a [Clause]) -> Vec<&'a Clause> {
        let mut new = BTreeSet::new();
        clauses
            .iter()
            .filter(|clause| !self.seen.contains(clause.key()) && new.insert(clause.key()))
            .collect()
    }

    /// Bytes of its clauses as JSON once these are added.
    pub(crate) fn size_with(&self, clauses: &[Clause]) -> usize {
        let new = self.new_among(clauses).into_iter();
        new.fold(self.size, |size, clause| size.saturating_add(clause.size()))
    }

    /// Bytes of its clauses as JSON.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }
}
