//! What is built of a value that may be larger than any result shows.

use super::super::scan::outline;
use super::super::*;

/// `json` built for a place of `most` units whose strings are cut at `string`, without `ifc`.
fn shown(json: &[u8], most: usize, string: usize) -> Option<(String, bool)> {
    let raw = outline(json, &[]).unwrap().raw;
    let built = build(raw, Bounds::shown(most, string), Some("ifc"))?;
    Some((to_string(&built.value), built.cut))
}

#[test]
fn names_and_numbers_that_cannot_be_shown_are_not_built() {
    let name = |units: usize| format!(r#"{{"{}":1}}"#, r"\u00e9".repeat(units));
    assert!(shown(name(100).as_bytes(), 100, 10).is_some());
    assert!(shown(name(101).as_bytes(), 100, 10).is_none());
    let number = |digits: usize| "1".repeat(digits);
    assert!(shown(number(605).as_bytes(), 100, 10).is_some());
    assert!(shown(number(606).as_bytes(), 100, 10).is_none());
    // All of them together.
    let two = |units: usize| format!(r#"{{"{0}a":1,"{0}b":2}}"#, r"\u00e9".repeat(units));
    assert!(shown(two(50).as_bytes(), 100, 10).is_some());
    assert!(shown(two(51).as_bytes(), 100, 10).is_none());
}

#[test]
fn only_the_outermost_object_is_without_the_member_left_out() {
    for (json, kept) in [
        (r#"{"ifc":1,"a":{"ifc":2}}"#, r#"{"a":{"ifc":2}}"#),
        (r#"{"\u0069fc":1,"a":2}"#, r#"{"a":2}"#),
        (r#"{"ifc":1,"a":2,"ifc":3}"#, r#"{"a":2}"#),
        (r#"{"a":[{"ifc":1}]}"#, r#"{"a":[{"ifc":1}]}"#),
    ] {
        assert_eq!(
            shown(json.as_bytes(), 100, 10),
            Some((kept.to_owned(), false)),
            "{json}"
        );
    }
}

#[test]
fn a_string_of_escapes_is_cut_at_the_bound_and_not_before() {
    let string = |units: usize| format!("\"{}\"", r"\u00e9".repeat(units));
    let cut = |units, cut| Some((format!("\"{}\"", "é".repeat(units)), cut));
    assert_eq!(shown(string(10).as_bytes(), 100, 10), cut(10, false));
    assert_eq!(shown(string(11).as_bytes(), 100, 10), cut(10, true));
    assert_eq!(shown(string(20).as_bytes(), 100, 10), cut(10, true));
    // Where the last pair of surrogates would be split.
    let pairs = format!("\"{}\"", r"\ud83d\ude00".repeat(6));
    let kept = format!("\"{}\"", "😀".repeat(4));
    assert_eq!(shown(pairs.as_bytes(), 100, 9), Some((kept, true)));
}
