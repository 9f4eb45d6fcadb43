//! What texts may be (contract, sections 2, 3 and 7): one predicate a rule, no messages. The host
//! holds the same rules again in words of its own.

#[cfg(test)]
mod tests;

use crate::json::{cut, utf16_len};

/// The longest free text, in UTF-16 units.
pub(crate) const MAX_TEXT: usize = 500;
/// The longest identifier, in UTF-16 units.
pub(crate) const MAX_IDENTIFIER: usize = 128;
/// The most of the model's own words that a message quotes, in UTF-16 units.
const MAX_QUOTE: usize = 64;

/// Why a text is not free text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextFault {
    Length,
    Control,
    Dash,
}

/// Free text: 1 to 500 characters, no control character, not opening with `-`.
pub(crate) fn text(text: &str) -> Result<(), TextFault> {
    match () {
        () if text.is_empty() || utf16_len(text) > MAX_TEXT => Err(TextFault::Length),
        () if text.chars().any(char::is_control) => Err(TextFault::Control),
        () if text.starts_with('-') => Err(TextFault::Dash),
        () => Ok(()),
    }
}

/// A lookup of `loom people`: never one of its verbs.
pub(crate) fn is_lookup(text: &str) -> bool {
    let prefixed = |prefix| {
        text.strip_prefix(prefix)
            .is_some_and(|rest: &str| !rest.is_empty())
    };
    is_email(text)
        || is_phone(text)
        || ["handle:", "person:", "group:"].into_iter().any(prefixed)
        || is_people_path(text)
}

fn is_email(text: &str) -> bool {
    let spaced = text.chars().any(char::is_whitespace);
    text.split_once('@').is_some_and(|(local, domain)| {
        !spaced && !local.is_empty() && !domain.is_empty() && !domain.contains('@')
    })
}

/// `^\+?[0-9][0-9\s().-]{4,}$`
fn is_phone(text: &str) -> bool {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let punctuation = |c: char| c.is_whitespace() || "().-".contains(c);
    digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().count() >= 5
        && digits.chars().all(|c| c.is_ascii_digit() || punctuation(c))
}

/// `People/<Name>/about.md`, Name one segment.
fn is_people_path(text: &str) -> bool {
    text.strip_prefix("People/")
        .and_then(|rest| rest.strip_suffix("/about.md"))
        .is_some_and(|name| !name.is_empty() && !name.contains('/') && name != "." && name != "..")
}

/// A day of the years 0001 to 9999, `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = text.as_bytes() else {
        return false;
    };
    let number = |digits: &[&u8]| {
        digits.iter().try_fold(0u32, |n, digit| {
            digit
                .is_ascii_digit()
                .then(|| n * 10 + u32::from(**digit - b'0'))
        })
    };
    let (Some(year), Some(month), Some(day)) = (
        number(&[y1, y2, y3, y4]),
        number(&[m1, m2]),
        number(&[d1, d2]),
    ) else {
        return false;
    };
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    year >= 1 && (1..=days).contains(&day)
}

/// `^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*$`, at most 128 characters.
pub(crate) fn is_command_id(text: &str) -> bool {
    let lower = |b: u8| b.is_ascii_lowercase();
    let word = |b: u8| lower(b) || b.is_ascii_digit();
    let segment = |segment: &str| {
        segment.bytes().next().is_some_and(word) && segment.bytes().all(|b| word(b) || b == b'-')
    };
    text.len() <= MAX_IDENTIFIER
        && text.bytes().next().is_some_and(lower)
        && text.split('.').all(segment)
}

/// `^loom-[a-f0-9]{16}$`
pub(crate) fn is_loom_id(text: &str) -> bool {
    text.strip_prefix("loom-").is_some_and(|digits| {
        digits.len() == 16
            && digits
                .bytes()
                .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

/// A run id: 1 to 128 characters of `A-Z a-z 0-9 . _ : -` (contract, section 10).
pub(crate) fn is_run_id(text: &str) -> bool {
    (1..=MAX_IDENTIFIER).contains(&text.len())
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"._:-".contains(&b))
}

/// `^[a-z0-9][a-z0-9-]{0,63}$`
pub(crate) fn is_facet(text: &str) -> bool {
    let word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
    (1..=64).contains(&text.len())
        && text.bytes().next().is_some_and(word)
        && text.bytes().all(|b| word(b) || b == b'-')
}

/// A host's code, when it is an identifier: a sentence might be host text (contract, section 3).
pub(crate) fn identifier(text: &str) -> Option<&str> {
    let code = cut(text, MAX_IDENTIFIER).unwrap_or(text);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._:/-".contains(&b);
    (!code.is_empty() && code.bytes().all(plain)).then_some(code)
}

/// The model's own words, cut to what a message repeats of them.
pub(crate) fn clip(words: &str) -> &str {
    cut(words, MAX_QUOTE).unwrap_or(words)
}
