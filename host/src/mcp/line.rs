//! From the bytes of one line to a message, or to the error it is answered with. The message's
//! types are the SDK's; what is added is that one bad emoji does not lose a whole call: a surrogate
//! escape without its other half, which JavaScript and Python print for text cut inside an emoji,
//! reads as U+FFFD (contract, section 1).

use std::borrow::Cow;

use rmcp::model::{ClientJsonRpcMessage, ErrorData};

/// The longest line, in bytes without its end. Threat: a line without an end fills the memory.
/// Trade: a call's largest input, a batch of commands, is a sixteenth of it.
pub(super) const MAX_LINE: usize = 4 << 20;

/// The message of a line.
pub(super) fn message(line: &[u8]) -> Result<ClientJsonRpcMessage, ErrorData> {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    serde_json::from_slice(&mend(line)).map_err(|error| {
        if error.is_data() {
            ErrorData::invalid_request("The line is no JSON-RPC 2.0 message.", None)
        } else {
            ErrorData::parse_error("The line is not JSON.", None)
        }
    })
}

/// The answer to a line longer than [`MAX_LINE`].
pub(super) fn too_long() -> ErrorData {
    ErrorData::invalid_request("The line is longer than 4 MiB.", None)
}

/// The line with each lone surrogate escape replaced by that of U+FFFD, which is as long.
pub(super) fn mend(line: &[u8]) -> Cow<'_, [u8]> {
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
