//! The names suggested for one that is not listed.

use proptest::prelude::*;

use crate::commands::suggest::{Asked, nearest};

/// Levenshtein's distance by its definition, one row of the table at a time.
fn plain(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[test]
fn the_distance_of_the_longest_names_is_exact() {
    let (a, b) = ("a".repeat(128), "b".repeat(128));
    let asked = Asked::new(&a);
    assert_eq!(asked.distance(a.as_bytes()), 0);
    assert_eq!(asked.distance(b.as_bytes()), 128);
    assert_eq!(asked.distance(b""), 128);
    assert_eq!(asked.distance(&a.as_bytes()[..127]), 1);
    assert_eq!(Asked::new(&"a".repeat(127)).distance(a.as_bytes()), 1);
    // A listed name may be longer: the catalog of a saved run is taken as it is.
    assert_eq!(asked.distance("a".repeat(1_000).as_bytes()), 872);
    assert_eq!(Asked::new("").distance(b"abc"), 3);
}

#[test]
fn a_catalog_of_fewer_names_than_are_suggested_suggests_them_all() {
    for listed in [&[][..], &["b"], &["a", "b"]] {
        let mut found = nearest("zz", listed.iter().copied());
        found.sort_unstable();
        assert_eq!(found, listed);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn a_distance_is_that_of_the_plain_table(a in "[ab.-]{0,128}", b in "[ab.-]{0,140}") {
        prop_assert_eq!(Asked::new(&a).distance(b.as_bytes()), plain(a.as_bytes(), b.as_bytes()));
    }

    #[test]
    fn names_that_are_alike_have_the_distance_of_the_plain_table(
        opening in "[a-c]{0,60}",
        cut in "[a-c]{0,6}",
        put in "[a-c]{0,6}",
        rest in "[a-c]{0,62}",
    ) {
        let (a, b) = (format!("{opening}{cut}{rest}"), format!("{opening}{put}{rest}"));
        prop_assert_eq!(Asked::new(&a).distance(b.as_bytes()), plain(a.as_bytes(), b.as_bytes()));
    }
}
