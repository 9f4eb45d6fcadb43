//! What the bytes of a string say, and how long text is: as the contract counts it, a character is
//! one UTF-16 code unit (section 1).

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

/// What the inside of a checked string literal says; a lone surrogate escape says U+FFFD.
pub(super) fn unescape(inside: &str) -> Cow<'_, str> {
    if !inside.as_bytes().contains(&b'\\') {
        return Cow::Borrowed(inside);
    }
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    while let Some((plain, tail)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut chars = tail.chars();
        match chars.next() {
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let (character, after) = code_point(chars.as_str());
                out.push(character);
                rest = after;
                continue;
            }
            Some(itself) => out.push(itself),
            None => {}
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Reads the digits of a `\u` escape, and the low surrogate that completes a high one.
fn code_point(tail: &str) -> (char, &str) {
    let Some((unit, after)) = unit(tail) else {
        return (char::REPLACEMENT_CHARACTER, tail);
    };
    if let Some(character) = char::from_u32(unit) {
        return (character, after);
    }
    let low = after.strip_prefix("\\u").and_then(self::unit);
    let pair = low.and_then(|(low, rest)| {
        let both = matches!(unit, 0xd800..0xdc00) && matches!(low, 0xdc00..0xe000);
        let point = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
        both.then(|| char::from_u32(point))
            .flatten()
            .map(|c| (c, rest))
    });
    pair.unwrap_or((char::REPLACEMENT_CHARACTER, after))
}

fn unit(text: &str) -> Option<(u32, &str)> {
    let (digits, rest) = text.split_at_checked(4)?;
    Some((u32::from_str_radix(digits, 16).ok()?, rest))
}
