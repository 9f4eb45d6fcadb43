//! Text as the contract counts it: a character is one UTF-16 code unit (section 1).

use std::borrow::Cow;

/// The text's length in UTF-16 code units.
pub(crate) fn utf16_len(text: &str) -> usize {
    if text.is_ascii() {
        return text.len();
    }
    // Every byte that opens a character is one unit; the opening byte of a four-byte one is two.
    text.as_bytes()
        .iter()
        .map(|&byte| usize::from((byte as i8) >= -0x40) + usize::from(byte >= 0xf0))
        .sum()
}

/// The longest opening of `text` that is at most `most` units and splits no surrogate pair, when
/// the whole is longer.
pub(crate) fn cut(text: &str, most: usize) -> Option<&str> {
    // No text has more units than bytes.
    if text.len() <= most {
        return None;
    }
    let mut units = 0;
    for (at, ch) in text.char_indices() {
        units += ch.len_utf16();
        if units > most {
            return text.get(..at);
        }
    }
    None
}

/// CLI output without the one leading byte-order mark that is skipped.
pub(crate) fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Bytes as text: what is not UTF-8 becomes U+FFFD.
pub(super) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    // Tried first: the lossy reading checks several times slower.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}
