//! The meet law, and the indexed measure against one written straight from the contract.

use proptest::prelude::*;

use super::*;
use crate::testing::value;

const EXPIRES: &str = "https://commonfabric.org/cfc/atom/Expires";

/// Few values, each in several spellings.
fn number() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "0", "-0", "0.0", "1", "1.0", "10e-1", "2", "20e-1", "10", "1e1", "1.5", "15e-1", "-3",
        "-3.0", "-30",
    ])
}

fn object(members: Vec<String>) -> impl Strategy<Value = String> {
    Just(members)
        .prop_shuffle()
        .prop_map(|members| format!("{{{}}}", members.join(",")))
}

fn atom() -> impl Strategy<Value = String> {
    let strings = prop::sample::select(vec![r#""a""#, r#""b""#, r#""c""#]).prop_map(str::to_owned);
    let nested = (number(), number())
        .prop_flat_map(|(x, y)| object(vec![format!(r#""x":{x}"#), format!(r#""y":{y}"#)]));
    let typed = (
        prop::sample::select(vec!["a", "t"]),
        prop::option::of(number()),
        prop::option::weighted(0.2, nested),
    );
    let objects = typed.prop_flat_map(|(kind, number, nested)| {
        let number = number.map(|number| format!(r#""n":{number}"#));
        let nested = nested.map(|nested| format!(r#""m":{nested}"#));
        object(
            [format!(r#""type":"{kind}""#)]
                .into_iter()
                .chain(number)
                .chain(nested)
                .collect(),
        )
    });
    let expiry = (number(), prop::option::weighted(0.2, number()));
    let expiries = expiry.prop_flat_map(|(timestamp, further)| {
        let further = further.map(|further| format!(r#""further":{further}"#));
        let members = [
            format!(r#""type":"{EXPIRES}""#),
            format!(r#""timestamp":{timestamp}"#),
        ];
        object(members.into_iter().chain(further).collect())
    });
    let failed = Just(r#""cfc:label-read-failed""#.to_owned());
    prop_oneof![6 => strings, 3 => objects, 5 => expiries, 1 => failed]
}

fn clause() -> impl Strategy<Value = String> {
    let group = prop::collection::vec(atom(), 1..4)
        .prop_map(|atoms| format!(r#"{{"anyOf":[{}]}}"#, atoms.join(",")));
    prop_oneof![atom(), group]
}

fn list(most: usize) -> impl Strategy<Value = Value> {
    prop::collection::vec(clause(), 0..=most)
        .prop_map(|clauses| value(&format!("[{}]", clauses.join(","))))
}

/// A list and one that mostly repeats parts of it, so that fitting is not a rarity.
fn related() -> impl Strategy<Value = (Value, Value, Value)> {
    (
        list(3),
        list(5),
        list(5),
        any::<[prop::sample::Index; 2]>(),
        any::<bool>(),
    )
        .prop_map(|(label, a, b, picks, from_ceilings)| {
            if !from_ceilings {
                return (label, a, b);
            }
            let pick = |list: &Value, index: prop::sample::Index| {
                let items = list.as_array().unwrap_or_default();
                (!items.is_empty()).then(|| index.get(items).clone())
            };
            let [first, second] = picks;
            let picked = pick(&a, first).into_iter().chain(pick(&b, second));
            (Value::Array(picked.collect()), a, b)
        })
}

fn admits(ceiling: &Value, label: &Value) -> bool {
    let clauses = label.as_array().unwrap().iter().map(Clause::read);
    let clauses: Vec<Clause> = clauses.collect::<Option<_>>().unwrap();
    Ceiling::read(ceiling).unwrap().admits(&clauses)
}

/// The contract's text, sentence by sentence, over plain values.
mod plain {
    use super::{EXPIRES, Value};

    pub(super) fn fits(label: &Value, ceiling: &Value) -> bool {
        let subsumed = |l: &&Value| ceiling.as_array().unwrap().iter().any(|c| subsumes(c, l));
        let failed = |l: &&Value| {
            alternatives(l)
                .iter()
                .any(|atom| atom.as_str() == Some("cfc:label-read-failed"))
        };
        let mut clauses = label.as_array().unwrap().iter();
        clauses.all(|clause| !failed(&clause) && subsumed(&clause))
    }

    fn subsumes(c: &Value, l: &Value) -> bool {
        let entailed = |c: &&Value| alternatives(l).iter().any(|l| entails(c, l));
        !alternatives(c).is_empty() && alternatives(c).iter().all(entailed)
    }

    fn alternatives(clause: &Value) -> Vec<&Value> {
        match clause.as_object() {
            Some(object) if object.len() == 1 => match object.get("anyOf") {
                Some(atoms) => atoms.as_array().unwrap().iter().collect(),
                None => vec![clause],
            },
            _ => vec![clause],
        }
    }

    fn entails(ceiling: &Value, label: &Value) -> bool {
        let not_later = || Some(timestamp(ceiling)? <= timestamp(label)?);
        equal(ceiling, label) || not_later() == Some(true)
    }

    fn timestamp(atom: &Value) -> Option<f64> {
        let object = atom.as_object()?;
        let sole = object.len() == 2 && object.get("type")?.as_str() == Some(EXPIRES);
        let number = number(object.get("timestamp")?)?;
        (sole && number.fract() == 0.0).then_some(number)
    }

    fn equal(a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Number(_), Value::Number(_)) => number(a) == number(b),
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
            }
            (Value::Object(a), Value::Object(b)) => {
                let same = |(key, a): (&str, &Value)| b.get(key).is_some_and(|b| equal(a, b));
                a.len() == b.len() && a.iter().all(same)
            }
            _ => a == b,
        }
    }

    /// What the generators spell is exact as a float.
    fn number(value: &Value) -> Option<f64> {
        match value {
            Value::Number(text) => text.parse().ok(),
            _ => None,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn a_label_fits_a_meet_exactly_when_it_fits_both((label, a, b) in related()) {
        let met = Ceiling::read(&a).unwrap().meet(&Ceiling::read(&b).unwrap()).unwrap();
        let met = clauses_value(met.clauses());
        prop_assert_eq!(admits(&met, &label), admits(&a, &label) && admits(&b, &label));
    }

    #[test]
    fn a_meet_read_back_from_its_spelling_is_the_meet((label, a, b) in related()) {
        let met = Ceiling::read(&a).unwrap().meet(&Ceiling::read(&b).unwrap()).unwrap();
        let clauses = label.as_array().unwrap().iter().map(Clause::read);
        let clauses: Vec<Clause> = clauses.collect::<Option<_>>().unwrap();
        prop_assert_eq!(met.admits(&clauses), admits(&clauses_value(met.clauses()), &label));
        let keys: Vec<&str> = met.clauses().iter().map(Clause::key).collect();
        let distinct: std::collections::BTreeSet<&str> = keys.iter().copied().collect();
        prop_assert_eq!(keys.len(), distinct.len());
    }

    #[test]
    fn a_label_is_measured_as_the_contract_says((label, ceiling, _) in related()) {
        prop_assert_eq!(admits(&ceiling, &label), plain::fits(&label, &ceiling));
    }

    #[test]
    fn a_join_fits_exactly_when_each_of_its_parts_does((a, ceiling, b) in related()) {
        let read = |list: &Value| -> Vec<Clause> {
            list.as_array().unwrap().iter().map(Clause::read).collect::<Option<_>>().unwrap()
        };
        let mut join = Join::of(&read(&a));
        join.add(&read(&b));
        let joined = clauses_value(join.clauses());
        prop_assert_eq!(admits(&ceiling, &joined), admits(&ceiling, &a) && admits(&ceiling, &b));
    }
}
