//! Where a string may not hold a byte as it is: what both reading and writing look for.

/// How many bytes go before the first quote, backslash or control character.
#[inline(always)] // Most of the time that a large answer takes is spent here, in strings of a few bytes.
pub(super) fn plain_len(bytes: &[u8]) -> usize {
    let mut at = 0;
    // Two words a round: in each, guest code is asked whether it may go on.
    let (pairs, tail) = bytes.as_chunks::<16>();
    for pair in pairs {
        for word in pair.as_chunks::<8>().0 {
            let special = specials(u64::from_le_bytes(*word));
            if special != 0 {
                // The lowest flag is that of the first special byte.
                return at + special.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
    }
    let special = |&byte: &u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    at + tail.iter().position(special).unwrap_or(tail.len())
}

/// Flags, in the high bit of each of eight bytes, the special ones. Flags above the lowest may be
/// false.
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES << 7;
    let below = |bytes: u64, bound: u64| bytes.wrapping_sub(ONES * bound) & !bytes;
    let equal = |byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    (equal(b'"') | equal(b'\\') | below(word, 0x20)) & HIGH
}
