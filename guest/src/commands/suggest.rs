//! The listed names nearest a name that is not listed.

/// The most names suggested.
const MAX_SUGGESTIONS: usize = 3;

/// Names that contain the asked name or that it contains first, then by edit distance, then by
/// name (contract, section 7).
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut ranked: Vec<_> = names
        .map(|name| {
            let apart = !name.contains(asked) && !asked.contains(name);
            (apart, distance(asked.as_bytes(), name.as_bytes()), name)
        })
        .collect();
    ranked.sort_unstable();
    ranked
        .into_iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, _, name)| name)
        .collect()
}

/// Levenshtein's distance, one row of the table at a time. Ids are ASCII and at most 128 long.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        if let Some(first) = row.first_mut() {
            *first = left;
        }
        for (cell, y) in row.iter_mut().skip(1).zip(b) {
            let substituted = diagonal + usize::from(x != y);
            diagonal = *cell;
            left = substituted.min(left + 1).min(*cell + 1);
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}
