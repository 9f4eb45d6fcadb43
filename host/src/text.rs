//! Cutting texts that others chose.

/// The longest beginning of at most `bytes` bytes.
pub(crate) fn cut(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::cut;

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
