//! Text of the component's choosing, as an operator's terminal may have it.

/// Where a sentence is cut, in characters. Longer than any of ours.
const LONGEST: usize = 2_000;

/// One line without control or direction characters, which could rewrite what stands around it.
pub(crate) fn plain(text: &str) -> String {
    let mut cut = text.chars();
    let mut line: String = cut
        .by_ref()
        .take(LONGEST)
        .map(|c| if is_plain(c) { c } else { '\u{fffd}' })
        .collect();
    if cut.next().is_some() {
        line.push('…');
    }
    line
}

/// Whether a character stands for itself on a terminal.
pub(crate) fn is_plain(c: char) -> bool {
    let direction = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !c.is_control() && !matches!(c, '\u{2028}' | '\u{2029}') && !direction
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn control_and_direction_characters_are_replaced() {
        assert_eq!(
            plain("a\u{1b}[2J\n\u{9b}\u{202e}é"),
            "a\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}é"
        );
    }

    #[test]
    fn a_long_sentence_is_cut() {
        let cut = plain(&"é".repeat(2_001));
        assert_eq!(cut.chars().count(), 2_001);
        assert!(cut.ends_with("é…"));
        assert_eq!(plain(&"é".repeat(2_000)), "é".repeat(2_000));
    }
}
