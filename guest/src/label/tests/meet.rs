//! The meet of ceilings and the join of labels, as they are spelled.

use super::*;

/// The meet of two ceilings, its clauses as they are spelled.
fn meet(a: &str, b: &str) -> String {
    let met = ceiling(a).meet(&ceiling(b)).expect("a small meet");
    to_string(&clauses_value(met.clauses()))
}

#[test]
fn a_meet_unites_the_alternatives_of_every_pair_of_clauses() {
    assert_eq!(
        meet(r#"["a","b"]"#, r#"["c",{"anyOf":["d","e"]}]"#),
        r#"[{"anyOf":["a","c"]},{"anyOf":["a","d","e"]},{"anyOf":["b","c"]},{"anyOf":["b","d","e"]}]"#
    );
    assert_eq!(meet("[]", r#"["a"]"#), "[]");
    assert_eq!(meet(r#"["a"]"#, "[]"), "[]");
}

#[test]
fn a_meet_removes_duplicates_and_unwraps_what_has_one_alternative() {
    assert_eq!(meet(r#"["a"]"#, r#"["a"]"#), r#"["a"]"#);
    assert_eq!(
        meet(r#"[{"anyOf":["a","a"]}]"#, r#"[{"anyOf":["a"]}]"#),
        r#"["a"]"#
    );
    assert_eq!(
        meet(r#"[{"anyOf":["a","b"]}]"#, r#"["b"]"#),
        r#"[{"anyOf":["a","b"]}]"#
    );
    assert_eq!(
        meet(r#"[{"type":"t","n":1}]"#, r#"[{"n":1.0,"type":"t"}]"#),
        r#"[{"type":"t","n":1}]"#
    );
    // An atom that holds a member `anyOf` is no clause, and is unwrapped too.
    let atom = r#"[{"type":"t","anyOf":["a"]}]"#;
    assert_eq!(meet(atom, atom), atom);
}

#[test]
fn a_meet_keeps_equal_clauses_once() {
    assert_eq!(meet(r#"["a","a"]"#, r#"["b"]"#), r#"[{"anyOf":["a","b"]}]"#);
    assert_eq!(meet(r#"["a",{"anyOf":["a"]}]"#, r#"["a"]"#), r#"["a"]"#);
}

#[test]
fn a_meet_past_what_is_held_is_refused() {
    // 256 by 256 pairs of 48 bytes, 48 bytes and 32: eight MiB.
    let many = |longer: &str| {
        let atoms: Vec<String> = (0..256).map(|at| format!(r#""{at:046}""#)).collect();
        let mut list = atoms.join(",");
        list.insert_str(1, longer);
        ceiling(&format!("[{list}]"))
    };
    assert!(many("").meet(&many("")).is_ok());
    assert!(many("0").meet(&many("")).is_err());
    assert!(many("").meet(&many("0")).is_err());
}

#[test]
fn a_join_has_each_clause_once_first_seen_first_in_the_spelling_first_seen() {
    let mut join = Join::default();
    for label in [
        r#"[{"anyOf":["b"]},"a"]"#,
        r#"["b",{"anyOf":["a","a"]},{"type":"t","n":1}]"#,
        r#"[{"n":1.0,"type":"t"},{"anyOf":["a","b"]}]"#,
    ] {
        join.add(&clauses(label).unwrap());
    }
    assert_eq!(
        confidentiality_json(join.clauses()),
        r#"{"confidentiality":[{"anyOf":["b"]},"a",{"type":"t","n":1},{"anyOf":["a","b"]}]}"#
    );
}
