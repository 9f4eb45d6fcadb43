//! From the bytes of one line to a message, or to the error it is answered with. The message's
//! types are the SDK's; what is added is that one bad emoji does not lose a whole call.

use rmcp::model::{ClientJsonRpcMessage, ErrorData};

use crate::text::mend;

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
