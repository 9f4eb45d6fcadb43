//! From bytes to inputs that stay readable: parts end at 0x1e, which JSON cannot hold; the first
//! part is knobs, a digit each; and in every other part 0x0e, a count and a text up to 0x0f stand
//! for that text repeated, so that a short input reaches the bounds.

/// The most bytes that a part grows to.
const MOST: usize = 100_000;

/// One input.
pub struct Input {
    knobs: std::vec::IntoIter<u8>,
    parts: std::vec::IntoIter<Vec<u8>>,
}

impl Input {
    /// Splits an input.
    pub fn of(data: &[u8]) -> Self {
        let mut parts = data.split(|byte| *byte == 0x1e);
        let knobs = parts.next().unwrap_or_default().to_vec();
        let parts: Vec<Vec<u8>> = parts.map(inflated).collect();
        Self {
            knobs: knobs.into_iter(),
            parts: parts.into_iter(),
        }
    }

    /// The next knob, one of `choices`.
    pub fn knob<T: Clone>(&mut self, choices: &[T]) -> T {
        let byte = self.knobs.next().unwrap_or(b'0').wrapping_sub(b'0');
        choices[usize::from(byte) % choices.len()].clone()
    }

    /// The next part; empty past the last.
    pub fn part(&mut self) -> Vec<u8> {
        self.parts.next().unwrap_or_default()
    }

    /// The next part as text.
    pub fn text(&mut self) -> String {
        text(&self.part())
    }

    /// Whether a part is left.
    pub fn more(&self) -> bool {
        !self.parts.as_slice().is_empty()
    }
}

/// Bytes as the contract reads CLI output.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)).into_owned()
}

/// Replaces each byte from 0x80 up by a text of the table, so that what is worth saying is said
/// in one byte.
pub fn spelled(bytes: &[u8], table: &[String]) -> String {
    let mut out = Vec::new();
    for &byte in bytes {
        match byte {
            0x80.. => {
                out.extend_from_slice(table[usize::from(byte - 0x80) % table.len()].as_bytes())
            }
            _ => out.push(byte),
        }
    }
    text(&out)
}

fn inflated(part: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = part;
    while let Some(at) = rest.iter().position(|byte| *byte == 0x0e) {
        out.extend_from_slice(&rest[..at]);
        let count = rest.get(at + 1).map_or(0, |n| usize::from(*n).pow(2));
        let tail = rest.get(at + 2..).unwrap_or_default();
        let end = tail
            .iter()
            .position(|byte| *byte == 0x0f)
            .unwrap_or(tail.len());
        let room = MOST.saturating_sub(out.len()) / end.max(1);
        out.extend_from_slice(&tail[..end].repeat(count.min(room)));
        rest = tail.get(end + 1..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out.truncate(MOST);
    out
}
