//! What goes out for a call, and the small fixed shapes a model is shown in place of a result. Every
//! sentence here is one of ours; of the host's text a code alone passes, which is an identifier.

use crate::json::Fields;
use crate::label::Join;

/// What a model is shown of a call.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// JSON.
    pub(crate) shown: String,
    /// The labels of the rows shown, joined.
    pub(crate) observed: Join,
    /// Whether something was cut or left out.
    pub(crate) truncated: bool,
}

impl From<String> for Outgoing {
    /// What shows no row.
    fn from(shown: String) -> Self {
        Self {
            shown,
            observed: Join::default(),
            truncated: false,
        }
    }
}

/// `{ outputId, status: "error", code, message, hostCode? }` (contract, section 3).
pub(crate) fn error(output_id: &str, code: &str, message: &str, host_code: Option<&str>) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("status", "error")
        .string("code", code)
        .string("message", message);
    if let Some(host_code) = host_code {
        fields.string("hostCode", host_code);
    }
    fields.close();
    out
}

/// `{ outputId, status: "denied", code: "not_authorized", reasonCodes, message }` (section 9).
pub(crate) fn denied(output_id: &str, reason: &str) -> String {
    let message = match reason {
        "tool_not_allowed" => "This run is not allowed to call this tool.",
        _ => {
            "This run's task does not carry the authority for this tool. Nothing was started. Offer \
             the action to the person in your result instead."
        }
    };
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("status", "denied")
        .string("code", "not_authorized")
        .strings("reasonCodes", [reason])
        .string("message", message);
    fields.close();
    out
}

/// Whether a command that was not delivered may have taken effect all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Landed {
    /// Nothing was sent.
    No,
    /// The answer was lost after it was sent.
    Unknown,
}

/// `{ outputId, status: "failed_to_deliver", landed, code, message, hint? }` (loom-commands).
pub(crate) fn undelivered(
    output_id: &str,
    landed: Landed,
    code: &str,
    message: &str,
    hint: Option<&str>,
) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("status", "failed_to_deliver")
        .string(
            "landed",
            match landed {
                Landed::No => "no",
                Landed::Unknown => "unknown",
            },
        )
        .string("code", code)
        .string("message", message);
    if let Some(hint) = hint {
        fields.string("hint", hint);
    }
    fields.close();
    out
}
