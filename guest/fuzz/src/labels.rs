//! Labels and ceilings over plain JSON, sentence by sentence from the contract (section 4), with
//! no index and no normal form.

use crate::json::Json;

const EXPIRES: &str = "https://commonfabric.org/cfc/atom/Expires";

/// What a row's label comes to below ceilings.
pub enum Verdict {
    /// The label cannot be read.
    Unreadable,
    /// It fits not all of them.
    Exceeded,
    /// It fits.
    Fits {
        /// `{ confidentiality, integrity }`, as measured.
        label: Json,
        /// `row` or `query`.
        source: &'static str,
    },
}

/// Measures a row whose query has those clauses.
pub fn measure(row: &Json, query: &[Json], ceilings: &[Json]) -> Verdict {
    let Some(members) = row.members() else {
        return Verdict::Unreadable;
    };
    let (clauses, integrity, source) = match members.iter().find(|(name, _)| name == "ifc") {
        None => (query, &[][..], "query"),
        Some((_, ifc)) => match readable(ifc) {
            None => return Verdict::Unreadable,
            Some((clauses, integrity)) => (clauses, integrity, "row"),
        },
    };
    if !ceilings
        .iter()
        .all(|ceiling| fits(clauses, ceiling.list().unwrap_or_default()))
    {
        return Verdict::Exceeded;
    }
    let label = Json::Object(vec![
        ("confidentiality".to_owned(), Json::List(clauses.to_vec())),
        ("integrity".to_owned(), Json::List(integrity.to_vec())),
    ]);
    Verdict::Fits { label, source }
}

/// The clauses and the integrity of a label that is readable.
pub fn readable(ifc: &Json) -> Option<(&[Json], &[Json])> {
    let clauses = ifc.get("confidentiality")?.list()?;
    let integrity = match ifc.get("integrity") {
        None => &[],
        Some(integrity) => integrity.list()?,
    };
    let sound = clauses.iter().all(is_clause) && integrity.iter().all(is_atom);
    sound.then_some((clauses, integrity))
}

/// Whether the value is a list of clauses.
pub fn is_ceiling(value: &Json) -> bool {
    value
        .list()
        .is_some_and(|clauses| clauses.iter().all(is_clause))
}

fn is_atom(value: &Json) -> bool {
    value.text().is_some() || value.get("type").is_some_and(|kind| kind.text().is_some())
}

fn is_clause(value: &Json) -> bool {
    match any_of(value) {
        Some(atoms) => atoms
            .list()
            .is_some_and(|list| !list.is_empty() && list.iter().all(is_atom)),
        None => is_atom(value),
    }
}

fn any_of(value: &Json) -> Option<&Json> {
    value
        .get("anyOf")
        .filter(|_| value.members().is_some_and(|members| members.len() == 1))
}

fn alternatives(clause: &Json) -> &[Json] {
    match any_of(clause) {
        Some(atoms) => atoms.list().unwrap_or_default(),
        None => std::slice::from_ref(clause),
    }
}

/// Whether a label of these clauses fits the ceiling.
pub fn fits(label: &[Json], ceiling: &[Json]) -> bool {
    let failed = |clause: &Json| {
        alternatives(clause)
            .iter()
            .any(|atom| atom.text() == Some("cfc:label-read-failed"))
    };
    label
        .iter()
        .all(|l| !failed(l) && ceiling.iter().any(|c| subsumes(c, l)))
}

fn subsumes(c: &Json, l: &Json) -> bool {
    let entailed = |c: &Json| alternatives(l).iter().any(|l| entails(c, l));
    !alternatives(c).is_empty() && alternatives(c).iter().all(entailed)
}

fn entails(ceiling: &Json, label: &Json) -> bool {
    let timestamp = |atom: &Json| {
        let members = atom.members()?;
        let sole = members.len() == 2 && atom.get("type")?.text() == Some(EXPIRES);
        atom.get("timestamp")?
            .decimal()
            .filter(|n| sole && n.is_integer())
    };
    let not_later = || Some(timestamp(ceiling)?.at_most(&timestamp(label)?));
    equal(ceiling, label) || not_later() == Some(true)
}

/// Structural equality: without regard to key order, numbers by value.
pub fn equal(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(x), Json::Number(y)) => {
            x == y || a.decimal().is_some() && a.decimal() == b.decimal()
        }
        (Json::List(a), Json::List(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Json::Object(members), Json::Object(others)) => {
            let same = |(name, a): &(String, Json)| b.get(name).is_some_and(|b| equal(a, b));
            members.len() == others.len() && members.iter().all(same)
        }
        _ => a == b,
    }
}

/// The clauses with each once: clauses whose alternatives are the same, in the same order.
pub fn join<'a>(clauses: impl IntoIterator<Item = &'a Json>) -> Vec<Json> {
    let mut joined: Vec<Json> = Vec::new();
    for clause in clauses {
        let same = |other: &Json| {
            let (a, b) = (distinct(clause), distinct(other));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| equal(a, b))
        };
        if !joined.iter().any(same) {
            joined.push(clause.clone());
        }
    }
    joined
}

/// What is disclosed of a label: the types of its atoms, each alternative of a clause once.
pub fn disclosed(label: &Json) -> Json {
    let list = |name: &str| label.get(name).and_then(Json::list).unwrap_or_default();
    let clause = |clause| Json::List(distinct(clause).into_iter().map(kind).collect());
    Json::Object(vec![
        (
            "confidentiality".to_owned(),
            Json::List(list("confidentiality").iter().map(clause).collect()),
        ),
        (
            "integrity".to_owned(),
            Json::List(list("integrity").iter().map(kind).collect()),
        ),
    ])
}

fn distinct(clause: &Json) -> Vec<&Json> {
    let mut kept: Vec<&Json> = Vec::new();
    for atom in alternatives(clause) {
        if !kept.iter().any(|other| equal(other, atom)) {
            kept.push(atom);
        }
    }
    kept
}

fn kind(atom: &Json) -> Json {
    atom.get("type").unwrap_or(atom).clone()
}
