//! The reply of a call as an MCP result: the shown JSON as text, exactly, and the same as structured
//! content.
//!
//! A result is an error (`isError`) when its status is `error`, `denied`, `failed_to_deliver` or
//! `unknown_command`; a batch is one when each of its results is, since a batch with one answer in
//! it is to be read, not retried. A command that ran and said no is a result.
//!
//! Numbers keep their text in both, `1.50` and thirty digits too: serde_json's
//! `arbitrary_precision` is on with this feature. In structured content, as in what a client sends,
//! `1e9` reads `1e+9`, which is the same number. What a client's own parser makes of numbers is its
//! business.

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Deserialize;
use serde_json::Value;

use crate::reply::DEPTH;
use crate::rules::nests_deeper;
use crate::run::Reply;

/// What a model reads when the run, rather than the call, failed.
const FAILED: &str = "The tools of this server have failed, and what became of the call is not \
     known: a command may have taken effect. The server's log says why.";

/// The result of a call that has a reply.
pub(super) fn result(reply: Reply) -> CallToolResult {
    let shown = match value(&reply.shown) {
        Ok(shown) => shown,
        Err(problem) => {
            tracing::error!(problem, "the component's reply cannot be shown");
            return failed();
        }
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(reply.shown)]);
    result.is_error = Some(is_error(&shown));
    result.structured_content = Some(shown);
    result
}

/// The result of a call whose run failed. Why stays in the log.
pub(super) fn failed() -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(FAILED)])
}

fn value(shown: &str) -> Result<Value, &'static str> {
    // The run has looked already; what follows recurses without a limit of its own.
    if nests_deeper(shown.as_bytes(), DEPTH) {
        return Err("it nests too deep");
    }
    let mut json = serde_json::Deserializer::from_str(shown);
    json.disable_recursion_limit();
    let value = Value::deserialize(&mut json).map_err(|_| "it is not JSON")?;
    json.end().map_err(|_| "it is not JSON")?;
    value.is_object().then_some(value).ok_or("it is no object")
}

fn is_error(shown: &Value) -> bool {
    match shown.get("status").and_then(Value::as_str) {
        Some("error" | "denied" | "failed_to_deliver" | "unknown_command") => true,
        Some("batch") => {
            let results = shown.get("results").and_then(Value::as_array);
            results.is_some_and(|results| !results.is_empty() && results.iter().all(is_error))
        }
        _ => false,
    }
}
