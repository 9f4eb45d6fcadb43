//! Text for the eye: how wide it is, where it breaks, and which characters a terminal must not be
//! handed as they are.

use crate::plain::is_plain;

/// How many columns the demo writes. Fixed, so that it reads the same on a terminal and in a file.
pub(super) const WIDTH: usize = 80;

/// Breaks at spaces, and inside what is longer than a line. The first line has `first` columns.
pub(super) fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut used, mut room) = (String::new(), 0, first);
    for word in text.split_inclusive(' ') {
        // The space after a word may hang over.
        if used > 0 && used + columns(word.trim_end()) > room {
            lines.push(std::mem::take(&mut line));
            (used, room) = (0, rest);
        }
        for c in word.chars() {
            if used + cells(c) > room && c != ' ' {
                lines.push(std::mem::take(&mut line));
                (used, room) = (0, rest);
            }
            line.push(c);
            used += cells(c);
        }
    }
    lines.push(line);
    lines
        .into_iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// How many columns a text takes, near enough for lining up.
pub(super) fn columns(text: &str) -> usize {
    text.chars().map(cells).sum()
}

fn cells(c: char) -> usize {
    match u32::from(c) {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff => 2,
        0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff => 2,
        0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Writes controls and what reorders a line as `\uxxxx`. In JSON that is the same text.
pub(super) fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Ours: they mark where the demo shortened.
            '⟨' | '⟩' => escape(&mut out, c),
            c if is_plain(c) => out.push(c),
            c => escape(&mut out, c),
        }
    }
    out
}

fn escape(out: &mut String, c: char) {
    out.push_str(&format!("\\u{:04x}", u32::from(c)));
}

/// 1234567 as 1,234,567.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// "1 row", "2 rows".
pub(super) fn count(number: usize, noun: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {noun}{s}", thousands(number))
}

/// A word as a shell would take it.
pub(super) fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@,+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", harmless(word).replace('\'', "'\\''"))
    }
}
