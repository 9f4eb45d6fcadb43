//! The listed names nearest a name that is not listed.

use crate::rules::MAX_IDENTIFIER;

/// The most names suggested.
const MAX_SUGGESTIONS: usize = 3;

/// Names that contain the asked name or that it contains first, then by edit distance, then by
/// name (contract, section 7).
pub(crate) fn nearest<'a>(asked: &str, names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let distances = Asked::new(asked);
    let mut ranked: Vec<_> = names
        .map(|name| {
            let apart = !name.contains(asked) && !asked.contains(name);
            (apart, distances.distance(name.as_bytes()), name)
        })
        .collect();
    ranked.sort_unstable();
    ranked
        .into_iter()
        .take(MAX_SUGGESTIONS)
        .map(|(_, _, name)| name)
        .collect()
}

/// One bit for each byte of the asked name: an id is at most 128 long.
type Bits = u128;

/// A name, ready to be compared with many: a turn may ask for thousands of unknown names, each of
/// which is compared with the whole catalog.
pub(super) struct Asked<'a> {
    name: &'a [u8],
    /// For each byte value, the places of the name that hold it.
    places: Box<[Bits; 256]>,
}

impl<'a> Asked<'a> {
    pub(super) fn new(name: &'a str) -> Self {
        let name = name.as_bytes();
        let mut places = Box::new([0; 256]);
        for (at, byte) in name.iter().take(MAX_IDENTIFIER).enumerate() {
            if let Some(place) = places.get_mut(usize::from(*byte)) {
                *place |= 1 << at;
            }
        }
        Self { name, places }
    }

    /// Levenshtein's distance to `other`, a column of the table at a time (Myers 1999, as Hyyrö
    /// gives it for whole words): each bit says whether a cell is one more, or one less, than the
    /// cell above it.
    pub(super) fn distance(&self, other: &[u8]) -> usize {
        let Some(last) = self.name.len().checked_sub(1) else {
            return other.len();
        };
        let (mut more, mut less): (Bits, Bits) = (Bits::MAX, 0);
        let mut distance = self.name.len();
        for byte in other {
            let equal = self.places.get(usize::from(*byte)).copied().unwrap_or(0);
            let diagonal = (equal & more).wrapping_add(more) ^ more | equal | less;
            let right_more = less | !(diagonal | more);
            let right_less = more & diagonal;
            distance += usize::from(right_more >> last & 1 == 1);
            distance -= usize::from(right_less >> last & 1 == 1);
            let (right_more, right_less) = (right_more << 1 | 1, right_less << 1);
            let either = equal | less;
            more = right_less | !(either | right_more);
            less = right_more & either;
        }
        distance
    }
}
