//! Standard output. A reader that has gone away is an error, never a panic.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use crate::plain::is_plain;

/// Writes one line and flushes it. A terminal gets what could steer it as JSON escapes, which say
/// the same: the CLI's texts are other people's.
pub(super) fn line(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let text = if out.is_terminal() {
        escaped(text)
    } else {
        Cow::Borrowed(text)
    };
    out.write_all(text.as_bytes())?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes bytes as they are.
pub(super) fn bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Whether the error is that nobody reads our output any more.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
    kind == Some(io::ErrorKind::BrokenPipe)
}

/// What could steer a terminal as `\uxxxx`, but for line feeds.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c != '\n' && !is_plain(c);
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| {
        if steers(c) {
            format!("\\u{:04x}", u32::from(c))
        } else {
            c.to_string()
        }
    };
    Cow::Owned(text.chars().map(escape).collect())
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn what_could_steer_a_terminal_is_escaped_and_the_rest_is_as_it_was() {
        assert_eq!(
            escaped("{\"a\":\"é\u{9b}31m\u{202e}\u{7f}\u{2028}\"}\n"),
            "{\"a\":\"é\\u009b31m\\u202e\\u007f\\u2028\"}\n"
        );
        assert_eq!(escaped("😀 plain"), "😀 plain");
    }
}
