//! Which turns come. They are dealt from a shuffled deck that holds every kind, so that no stretch of
//! a run is without a fault, and what memory the worst of them takes is taken early.

/// A small generator of its own, so that a seed means the same turns everywhere.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        // An even spread of small seeds; zero would stay zero.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `most`.
    pub(crate) fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % most.max(1)
    }

    pub(crate) fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}

/// Turns of some kinds, so many of each in every deck.
pub(crate) struct Deck<K: Copy> {
    counts: Vec<(K, usize)>,
    left: Vec<K>,
}

impl<K: Copy> Deck<K> {
    pub(crate) fn new(counts: &[(K, usize)]) -> Self {
        Self {
            counts: counts.to_vec(),
            left: Vec::new(),
        }
    }

    /// How many turns a deck has.
    pub(crate) fn size(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    pub(crate) fn deal(&mut self, dice: &mut Dice) -> K {
        if self.left.is_empty() {
            let kinds = self.counts.iter();
            self.left = kinds.flat_map(|&(kind, n)| vec![kind; n]).collect();
            dice.shuffle(&mut self.left);
        }
        self.left.pop().expect("a deck has turns")
    }
}
