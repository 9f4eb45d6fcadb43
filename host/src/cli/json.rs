//! Replies as JSON, the parts that are JSON as JSON.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::run::Reply;

/// `{ callId, outputId, shown, artifact, observation, decision }` (contract, section 10).
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReplyJson {
    call_id: String,
    output_id: String,
    shown: Box<RawValue>,
    artifact: Box<RawValue>,
    observation: Option<Box<RawValue>>,
    decision: Box<RawValue>,
}

impl ReplyJson {
    /// An error when the component's JSON is none.
    pub(super) fn of(reply: Reply) -> serde_json::Result<Self> {
        Ok(Self {
            call_id: reply.call_id,
            output_id: reply.output_id,
            shown: raw(reply.shown)?,
            artifact: raw(reply.artifact)?,
            observation: reply.observation.map(raw).transpose()?,
            decision: raw(reply.decision)?,
        })
    }
}

/// A text that has to be JSON, as it is.
pub(super) fn raw(json: String) -> serde_json::Result<Box<RawValue>> {
    RawValue::from_string(json)
}
