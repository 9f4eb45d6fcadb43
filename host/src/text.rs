//! Cutting and mending texts that others chose.

use std::borrow::Cow;

/// The longest beginning of at most `bytes` bytes.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// A line of JSON with each surrogate escape that lacks its other half, which JavaScript and Python
/// print for text cut inside an emoji, replaced by that of U+FFFD, which is as long (contract,
/// section 1).
pub(crate) fn mend(line: &[u8]) -> Cow<'_, [u8]> {
    let mut mended = Cow::Borrowed(line);
    let mut at = 0;
    while let Some(found) = line.get(at..).and_then(next_escape) {
        at += found;
        let unit = escaped_unit(line, at);
        let next = escaped_unit(line, at + 6);
        at += match (unit, next) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                if let Some(escape) = mended.to_mut().get_mut(at..at + 6) {
                    escape.copy_from_slice(b"\\ufffd");
                }
                6
            }
            (Some(_), _) => 6,
            // Two bytes: the backslash and what it escapes, which may be a backslash.
            (None, _) => 2,
        };
    }
    mended
}

fn next_escape(rest: &[u8]) -> Option<usize> {
    rest.iter().position(|&byte| byte == b'\\')
}

/// The UTF-16 unit of the `\uXXXX` at `at`, if there is one.
fn escaped_unit(line: &[u8], at: usize) -> Option<u16> {
    let digits = line.get(at..at + 6)?.strip_prefix(b"\\u")?;
    if !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u16::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{cut, mend};

    #[test]
    fn only_a_lone_surrogate_escape_is_mended() {
        for (line, mended) in [
            (r#""plain""#, r#""plain""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uD83Dx""#, r#""\ufffdx""#),
            (r#""\ude00""#, r#""\ufffd""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\ud8"#, r#""\ud8"#),
            (r#""\u00e9\""#, r#""\u00e9\""#),
            ("\\", "\\"),
        ] {
            assert_eq!(mend(line.as_bytes()), mended.as_bytes(), "{line}");
        }
    }

    #[test]
    fn a_text_is_cut_at_its_bound_and_never_inside_a_character() {
        for (text, bytes, kept) in [
            ("", 0, ""),
            ("a", 0, ""),
            ("é", 0, ""),
            ("é", 1, ""),
            ("é", 2, "é"),
            ("aé", 2, "a"),
            ("aé", 3, "aé"),
            ("a😀b", 4, "a"),
            ("a😀b", 5, "a😀"),
            ("a😀b", 6, "a😀b"),
            ("a😀b", usize::MAX, "a😀b"),
        ] {
            assert_eq!(cut(text, bytes), kept, "{text} {bytes}");
        }
    }
}
