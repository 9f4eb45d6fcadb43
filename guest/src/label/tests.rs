mod meet;

use super::*;
use crate::testing::{raw, value};

fn clauses(json: &str) -> Option<Vec<Clause>> {
    value(json).as_array()?.iter().map(Clause::read).collect()
}

fn ceiling(json: &str) -> Ceiling {
    Ceiling::read(&value(json)).unwrap_or_else(|| panic!("no ceiling: {json}"))
}

fn fits(label: &str, below: &str) -> bool {
    ceiling(below).admits(&clauses(label).unwrap_or_else(|| panic!("no label: {label}")))
}

fn read(row: &str) -> &'static str {
    match row_label(raw(row)) {
        RowLabel::Absent => "absent",
        RowLabel::Unreadable => "unreadable",
        RowLabel::Stated(_) => "stated",
    }
}

fn expires(timestamp: &str) -> String {
    format!(r#"{{"type":"https://commonfabric.org/cfc/atom/Expires","timestamp":{timestamp}}}"#)
}

#[test]
fn an_atom_is_a_string_or_an_object_whose_type_is_a_string() {
    for atom in [
        r#""a""#,
        r#""""#,
        r#"{"type":"t"}"#,
        r#"{"type":"t","anyOf":[]}"#,
    ] {
        assert!(Atom::read(&value(atom)).is_some(), "{atom}");
    }
    for other in [
        "1",
        "null",
        "true",
        "[]",
        "{}",
        r#"{"type":1}"#,
        r#"{"kind":"t"}"#,
    ] {
        assert!(Atom::read(&value(other)).is_none(), "{other}");
    }
}

#[test]
fn a_clause_is_an_atom_or_any_of_over_a_nonempty_list_of_atoms() {
    for clause in [
        r#""a""#,
        r#"{"anyOf":["a"]}"#,
        r#"{"anyOf":["a",{"type":"t"}]}"#,
        // An atom by its type: `anyOf` is not its sole key.
        r#"{"type":"t","anyOf":[]}"#,
    ] {
        assert!(Clause::read(&value(clause)).is_some(), "{clause}");
    }
    for other in [
        r#"{"anyOf":[]}"#,
        r#"{"anyOf":"a"}"#,
        r#"{"anyOf":{}}"#,
        r#"{"anyOf":[1]}"#,
        r#"{"anyOf":[["a"]]}"#,
        r#"{"anyOf":[{"anyOf":["a"]}]}"#,
        r#"{"anyOf":["a"],"other":1}"#,
        r#"["a"]"#,
        "null",
        "7",
    ] {
        assert!(Clause::read(&value(other)).is_none(), "{other}");
    }
}

#[test]
fn a_row_states_a_label_when_its_own_ifc_is_readable() {
    for row in [
        r#"{"ifc":{"confidentiality":[]}}"#,
        r#"{"ifc":{"confidentiality":["a",{"anyOf":["b"]}]}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":[]}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":["i",{"type":"t"}]}}"#,
        r#"{"ifc":{"confidentiality":[],"further":7}}"#,
        // A duplicate key has its last value, whatever its spelling.
        r#"{"ifc":null,"\u0069fc":{"confidentiality":[]}}"#,
    ] {
        assert_eq!(read(row), "stated", "{row}");
    }
}

#[test]
fn an_ifc_that_states_no_label_is_unreadable_and_never_absent() {
    for row in [
        r#"{"ifc":null}"#,
        r#"{"ifc":[]}"#,
        r#"{"ifc":"a"}"#,
        r#"{"ifc":{}}"#,
        r#"{"ifc":{"confidentiality":null}}"#,
        r#"{"ifc":{"confidentiality":{}}}"#,
        r#"{"ifc":{"confidentiality":"a"}}"#,
        r#"{"ifc":{"confidentiality":[1]}}"#,
        r#"{"ifc":{"confidentiality":[["a"]]}}"#,
        r#"{"ifc":{"confidentiality":[{"anyOf":[]}]}}"#,
        r#"{"ifc":{"confidentiality":[{"anyOf":["a",null]}]}}"#,
        r#"{"ifc":{"confidentiality":[{}]}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":null}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":{}}}"#,
        r#"{"ifc":{"confidentiality":[],"integrity":[{"anyOf":["a"]}]}}"#,
        r#"{"ifc":{"confidentiality":[]},"ifc":null}"#,
    ] {
        assert_eq!(read(row), "unreadable", "{row}");
    }
}

#[test]
fn an_ifc_that_is_not_the_rows_own_is_absent() {
    for row in [
        "{}",
        r#"{"a":{"ifc":null}}"#,
        r#"{"IFC":null}"#,
        r#"{"a":[{"ifc":{}}]}"#,
    ] {
        assert_eq!(read(row), "absent", "{row}");
    }
}

#[test]
fn a_label_fits_when_each_of_its_clauses_is_subsumed() {
    assert!(fits("[]", r#"["a"]"#));
    assert!(fits(r#"["a"]"#, r#"["a"]"#));
    assert!(fits(r#"["a","b"]"#, r#"["b","a","c"]"#));
    assert!(!fits(r#"["a","b"]"#, r#"["a"]"#));
    assert!(!fits(r#"["a"]"#, r#"["b"]"#));
}

#[test]
fn every_alternative_of_the_ceilings_clause_entails_one_of_the_labels() {
    assert!(fits(r#"[{"anyOf":["a","b"]}]"#, r#"["a"]"#));
    assert!(fits(r#"[{"anyOf":["a","b"]}]"#, r#"[{"anyOf":["b","a"]}]"#));
    assert!(!fits(r#"["a"]"#, r#"[{"anyOf":["a","b"]}]"#));
    assert!(!fits(
        r#"[{"anyOf":["a","b"]}]"#,
        r#"[{"anyOf":["a","c"]}]"#
    ));
    assert!(fits(r#"["a"]"#, r#"[{"anyOf":["a","a"]}]"#));
}

#[test]
fn an_empty_ceiling_admits_only_public_rows() {
    assert!(fits("[]", "[]"));
    assert!(!fits(r#"["a"]"#, "[]"));
}

#[test]
fn atoms_are_equal_by_structure_without_regard_to_key_order() {
    assert!(fits(
        r#"[{"type":"t","a":1,"b":{"c":2,"d":[3]}}]"#,
        r#"[{"b":{"d":[3],"c":2},"a":1,"type":"t"}]"#
    ));
    assert!(!fits(
        r#"[{"type":"t","a":[1,2]}]"#,
        r#"[{"type":"t","a":[2,1]}]"#
    ));
    assert!(!fits(r#"[{"type":"t"}]"#, r#"["t"]"#));
    assert!(!fits(
        r#"[{"type":"t","a":1}]"#,
        r#"[{"type":"t","a":"1"}]"#
    ));
    assert!(!fits(r#"[{"type":"t","a":null}]"#, r#"[{"type":"t"}]"#));
    assert!(!fits(
        r#"[{"type":"t","a":[]}]"#,
        r#"[{"type":"t","a":{}}]"#
    ));
}

#[test]
fn atoms_compare_numbers_by_their_exact_value() {
    let of = |number: &str| format!(r#"[{{"type":"t","n":{number}}}]"#);
    for (a, b) in [
        ("1", "1.0"),
        ("1", "1e0"),
        ("0", "-0"),
        ("100", "1E+2"),
        ("0.1", "10e-2"),
        ("1e400", "10e399"),
    ] {
        assert!(fits(&of(a), &of(b)), "{a} {b}");
    }
    for (a, b) in [
        ("9007199254740993", "9007199254740992"),
        ("1", "-1"),
        ("0.1", "0.10000000000000001"),
        ("1e400", "1e401"),
    ] {
        assert!(!fits(&of(a), &of(b)), "{a} {b}");
    }
}

#[test]
fn no_key_of_an_atom_imitates_another_atom() {
    // Strings that hold what separates keys, members or alternatives.
    assert!(!fits(r#"["a\nb"]"#, r#"[{"anyOf":["a","b"]}]"#));
    assert!(!fits(r#"[{"anyOf":["a","b"]}]"#, r#"["a\nb"]"#));
    assert!(!fits(
        r#"[{"type":"t","a":"1,\"b\":2"}]"#,
        r#"[{"type":"t","a":"1","b":2}]"#
    ));
}

#[test]
fn an_expires_atom_of_the_ceiling_entails_one_that_is_not_earlier() {
    let label = |t: &str| format!("[{}]", expires(t));
    for (of_label, of_ceiling, fit) in [
        ("10", "10", true),
        ("10", "9", true),
        ("10", "11", false),
        ("1e1", "10.0", true),
        ("9007199254740993", "9007199254740992", true),
        ("9007199254740992", "9007199254740993", false),
        ("-5", "-6", true),
        ("-6", "-5", false),
        ("0", "-1", true),
        ("-0", "0", true),
        ("100", "15", true),
        ("15", "100", false),
        ("1e400", "9e399", true),
    ] {
        assert_eq!(
            fits(&label(of_label), &label(of_ceiling)),
            fit,
            "{of_label} {of_ceiling}"
        );
    }
}

#[test]
fn an_expires_atom_with_a_further_key_or_no_integer_has_no_order() {
    let with = |timestamp: &str, further: &str| {
        format!(
            r#"[{{"type":"https://commonfabric.org/cfc/atom/Expires","timestamp":{timestamp}{further}}}]"#
        )
    };
    assert!(!fits(&with("10", r#","a":1"#), &with("9", r#","a":1"#)));
    assert!(fits(&with("10", r#","a":1"#), &with("10", r#","a":1"#)));
    assert!(!fits(&with("10", ""), &with("9", r#","a":1"#)));
    assert!(!fits(&with("10", r#","a":1"#), &with("9", "")));
    assert!(!fits(&with("10.5", ""), &with("9.5", "")));
    assert!(fits(&with("10.5", ""), &with("105e-1", "")));
    assert!(!fits(&with("10", ""), &with(r#""9""#, "")));
    // Nor has an atom of another type, or a field commitment.
    assert!(!fits(
        r#"[{"type":"Expires","timestamp":10}]"#,
        r#"[{"type":"Expires","timestamp":9}]"#
    ));
    assert!(!fits(
        r#"[{"type":"t","digestOf":"a"}]"#,
        r#"[{"type":"t"}]"#
    ));
    assert!(fits(
        r#"[{"type":"t","digestOf":"a"}]"#,
        r#"[{"digestOf":"a","type":"t"}]"#
    ));
}

#[test]
fn an_expires_atom_is_ordered_among_other_alternatives() {
    let label = format!(r#"[{{"anyOf":["a",{}]}}]"#, expires("10"));
    assert!(fits(
        &label,
        &format!(r#"[{{"anyOf":[{},"a"]}}]"#, expires("9"))
    ));
    assert!(!fits(
        &label,
        &format!(r#"[{{"anyOf":[{},"a"]}}]"#, expires("11"))
    ));
    assert!(!fits(
        &label,
        &format!(r#"[{{"anyOf":[{},"b"]}}]"#, expires("9"))
    ));
    assert!(fits(
        &label,
        &format!(r#"[{{"anyOf":[{},{}]}}]"#, expires("8"), expires("9"))
    ));
}

#[test]
fn a_label_clause_that_holds_read_failed_never_fits_a_declared_ceiling() {
    for label in [
        r#"["cfc:label-read-failed"]"#,
        r#"[{"anyOf":["a","cfc:label-read-failed"]}]"#,
    ] {
        assert!(!fits(label, r#"["a","cfc:label-read-failed"]"#), "{label}");
    }
    // An object of that type is another atom.
    let object = r#"[{"type":"cfc:label-read-failed"}]"#;
    assert!(fits(object, object));
}

#[test]
fn a_disclosed_label_is_atom_types_alone() {
    let label = label(&value(
        r#"{"confidentiality":["a",{"anyOf":["b",{"type":"t","secret":"s"}]}],"integrity":[{"type":"i","by":"x"},"j"]}"#,
    ))
    .unwrap();
    assert_eq!(
        label.disclosed(),
        r#"{"confidentiality":[["a"],["b","t"]],"integrity":["i","j"]}"#
    );
    assert_eq!(
        Label::default().disclosed(),
        r#"{"confidentiality":[],"integrity":[]}"#
    );
}

#[test]
fn an_input_label_is_read_whole_or_not_at_all() {
    assert_eq!(
        confidentiality_of(r#"{"confidentiality":["a"]}"#)
            .unwrap()
            .len(),
        1
    );
    assert_eq!(
        confidentiality_of(r#"{"confidentiality":[]}"#)
            .unwrap()
            .len(),
        0
    );
    for unreadable in [
        "",
        "null",
        "{}",
        "[]",
        r#"["a"]"#,
        r#"{"confidentiality":["a",1]}"#,
        "{",
    ] {
        assert!(confidentiality_of(unreadable).is_none(), "{unreadable}");
    }
}

#[test]
fn a_label_of_many_alternatives_is_measured_without_trying_every_pair() {
    // Ten thousand clauses of the ceiling each share an alternative with the label's one clause of
    // a hundred thousand. Pair by pair this is some 10^9 comparisons.
    let alternatives: Vec<String> = (0..100_000).map(|n| format!(r#""a{n}""#)).collect();
    let label = clauses(&format!(r#"[{{"anyOf":[{}]}}]"#, alternatives.join(","))).unwrap();
    let clauses: Vec<String> = (0..10_000)
        .map(|n| format!(r#"{{"anyOf":["a{n}","other"]}}"#))
        .collect();
    assert!(!ceiling(&format!("[{}]", clauses.join(","))).admits(&label));
}
