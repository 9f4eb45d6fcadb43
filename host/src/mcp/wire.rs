//! The transport: lines in, messages out, between the SDK's loop and two byte streams. It refuses
//! a line that is too long or no message, and goes on; it never waits for a reader.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage,
    ProtocolVersion, ServerJsonRpcMessage,
};
use rmcp::transport::Transport;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio_util::bytes::{Bytes, BytesMut};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, Decoder};
use tokio_util::sync::CancellationToken;

use super::line::{self, MAX_LINE};
use super::outbox::Outbox;

/// One end of a connection.
pub(super) struct Wire<R> {
    input: R,
    buffer: BytesMut,
    lines: AnyDelimiterCodec,
    ended: bool,
    /// Whether a session has begun. Before that the SDK ends the connection at anything but a
    /// request; a stray notification is passed over instead.
    begun: bool,
    outbox: Arc<Outbox>,
    /// Cancelled from outside to end the session, and here once the input has ended.
    over: CancellationToken,
}

/// One line of the input.
enum Line {
    Whole(Bytes),
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin + Send> Wire<R> {
    pub(super) fn new(input: R, outbox: Arc<Outbox>, over: CancellationToken) -> Self {
        Self {
            input,
            buffer: BytesMut::new(),
            lines: AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), MAX_LINE),
            ended: false,
            begun: false,
            outbox,
            over,
        }
    }

    /// The next line. Nothing is lost when it is given up half way: what was read is in the buffer.
    async fn line(&mut self) -> Line {
        loop {
            let line = if self.ended {
                self.lines.decode_eof(&mut self.buffer)
            } else {
                self.lines.decode(&mut self.buffer)
            };
            match line {
                Ok(Some(line)) => return Line::Whole(line),
                Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => return Line::TooLong,
                Err(AnyDelimiterCodecError::Io(_)) => return Line::End,
                Ok(None) if self.ended => return Line::End,
                Ok(None) => {}
            }
            match self.input.read_buf(&mut self.buffer).await {
                Ok(0) => self.ended = true,
                Ok(_) => {}
                Err(error) => {
                    tracing::warn!(%error, "the input cannot be read");
                    self.ended = true;
                }
            }
        }
    }

    /// What of a message the SDK's loop gets to see.
    fn admit(
        &mut self,
        message: ClientJsonRpcMessage,
        length: usize,
    ) -> Option<ClientJsonRpcMessage> {
        match &message {
            JsonRpcMessage::Request(request) => {
                if let Err(refusal) = self.outbox.open(&request.id, length) {
                    tracing::warn!(id = %request.id, "a request is refused");
                    self.outbox.push(*refusal);
                    return None;
                }
                self.begun |= begins(&request.request);
            }
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.outbox.cancelled(id);
                }
            }
            JsonRpcMessage::Response(_) | JsonRpcMessage::Error(_) => {}
        }
        let passed = self.begun || matches!(message, JsonRpcMessage::Request(_));
        passed.then_some(message)
    }
}

/// Whether the SDK begins a session with this request, rather than answer it and wait.
fn begins(request: &ClientRequest) -> bool {
    let newest = ProtocolVersion::V_2026_07_28;
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => false,
        other => {
            let meta = other.get_meta();
            let known = |version| ProtocolVersion::KNOWN_VERSIONS.contains(&version);
            meta.missing_required_keys(&newest).is_empty()
                && meta.protocol_version().is_some_and(known)
        }
    }
}

impl<R: AsyncRead + Unpin + Send> Transport<RoleServer> for Wire<R> {
    type Error = Infallible;

    fn send(
        &mut self,
        item: ServerJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Infallible>> + Send + 'static {
        // Now, not when the future is polled: a cancellation that is read next finds it there.
        self.outbox.push(item);
        let sent: Ready<Result<(), Infallible>> = ready(Ok(()));
        sent
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            let over = self.over.clone();
            let line = tokio::select! {
                biased;
                () = over.cancelled() => Line::End,
                line = self.line() => line,
            };
            let message = match line {
                Line::End => {
                    self.over.cancel();
                    return None;
                }
                Line::TooLong => Err(line::too_long()),
                Line::Whole(line) if line.trim_ascii().is_empty() => continue,
                Line::Whole(line) => line::message(&line).map(|message| (message, line.len())),
            };
            match message {
                Ok((message, length)) => {
                    if let Some(message) = self.admit(message, length) {
                        return Some(message);
                    }
                }
                Err(error) => {
                    tracing::warn!(error = %error.message, "a line is passed over");
                    self.outbox.push(ServerJsonRpcMessage::error(error, None));
                }
            }
        }
    }

    async fn close(&mut self) -> Result<(), Infallible> {
        self.outbox.close();
        Ok(())
    }
}
