//! What goes out, and how much may be open at once. The SDK's loop never waits for a reader: a
//! message is handed over here at once and written by a task of its own, so a client that does not
//! read still has its cancellations seen.
//!
//! Nothing grows without bound: a request counts as open until its reply begins to be written, and
//! with too many open the next is refused; what needs no reply to be kept (a refusal, a progress
//! notification) is dropped once too much waits.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{ErrorData, JsonRpcMessage, RequestId, ServerJsonRpcMessage};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::sync::Notify;

use super::line::MAX_LINE;

/// Requests that may be open at once, unanswered or with their reply unread. Threat: a client that
/// sends without reading. Trade: an agent's turn has a dozen calls, a busy harness a few turns.
const MAX_OPEN: usize = 128;

/// Bytes of lines that may be open at once. Threat: a hundred lines of the greatest length, each
/// many times as large once it is parsed. Trade: a usual call is a few hundred bytes.
const MAX_OPEN_BYTES: usize = 2 * MAX_LINE;

/// Messages that wait, past which refusals and notifications are dropped.
const MAX_WAITING: usize = 2 * MAX_OPEN;

/// Everything on its way to the client.
#[derive(Default)]
pub(super) struct Outbox {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<ServerJsonRpcMessage>,
    /// The open requests, with the length of the line that each came in.
    open: HashMap<RequestId, usize>,
    open_bytes: usize,
    closed: bool,
}

impl Outbox {
    /// Opens a request, or refuses it with what it is answered.
    pub(super) fn open(
        &self,
        id: &RequestId,
        length: usize,
    ) -> Result<(), Box<ServerJsonRpcMessage>> {
        let mut state = self.state();
        if state.open.contains_key(id) {
            // Without the id, which would read as the reply to the request that has it.
            let error = ErrorData::invalid_request("A request with this id is open.", None);
            return Err(Box::new(ServerJsonRpcMessage::error(error, None)));
        }
        if state.open.len() >= MAX_OPEN || state.open_bytes + length > MAX_OPEN_BYTES {
            let sentence = "Too many requests are open. Read their replies before you send more.";
            let error = ErrorData::internal_error(sentence, None);
            let refusal = ServerJsonRpcMessage::error(error, Some(id.clone()));
            return Err(Box::new(refusal));
        }
        state.open.insert(id.clone(), length);
        state.open_bytes += length;
        Ok(())
    }

    /// The request was cancelled: no reply of it goes out any more.
    pub(super) fn cancelled(&self, id: &RequestId) {
        let mut state = self.state();
        state.settle(id);
        state.waiting.retain(|message| replied(message) != Some(id));
    }

    /// Puts a message at the end of the queue.
    pub(super) fn push(&self, message: ServerJsonRpcMessage) {
        let mut state = self.state();
        let answers = replied(&message).is_some_and(|id| state.open.contains_key(id));
        if !answers && state.waiting.len() >= MAX_WAITING {
            tracing::warn!("the client does not read: a message is dropped");
            return;
        }
        state.waiting.push_back(message);
        drop(state);
        self.changed.notify_one();
    }

    /// Nothing more is pushed: [`Outbox::write_to`] returns once the queue is empty.
    pub(super) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_one();
    }

    /// Writes messages as they come, one a line. An error: nobody reads them.
    pub(super) async fn write_to(&self, mut out: impl AsyncWrite + Unpin) -> io::Result<()> {
        loop {
            let (message, closed) = self.next();
            match message {
                Some(message) => {
                    let mut line = serde_json::to_vec(&message)?;
                    line.push(b'\n');
                    out.write_all(&line).await?;
                    out.flush().await?;
                }
                None if closed => return Ok(()),
                None => self.changed.notified().await,
            }
        }
    }

    fn next(&self) -> (Option<ServerJsonRpcMessage>, bool) {
        let mut state = self.state();
        let message = state.waiting.pop_front();
        if let Some(id) = message.as_ref().and_then(replied).cloned() {
            state.settle(&id);
        }
        (message, state.closed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn settle(&mut self, id: &RequestId) {
        if let Some(length) = self.open.remove(id) {
            self.open_bytes -= length;
        }
    }
}

/// The request that a message answers.
fn replied(message: &ServerJsonRpcMessage) -> Option<&RequestId> {
    match message {
        JsonRpcMessage::Response(response) => Some(&response.id),
        JsonRpcMessage::Error(error) => error.id.as_ref(),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => None,
    }
}
