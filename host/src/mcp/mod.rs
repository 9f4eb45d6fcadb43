//! An MCP server over one run, on the official SDK: both the revision that deployed clients speak
//! (2025-11-25, `initialize`) and the newest the SDK serves (2026-07-28, `server/discover`).
//!
//! The SDK's loop and its types decide the protocol. What is decided here: that a line too long or
//! not JSON is answered and passed over (`wire`); that nothing grows without bound while a client
//! does not read, and that its cancellations are seen all the same (`outbox`); which calls share a
//! turn, and what a cancellation ends (`turns`); what is said of each tool (`describe`) and of each
//! result (`result`). A model gets the JSON that the component shows and nothing else: why a run
//! failed goes to the log.

mod describe;
mod handler;
mod line;
mod listener;
mod outbox;
mod result;
#[cfg(test)]
mod tests;
mod turns;
mod wire;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rmcp::ServiceExt;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::run::{Run, RunError};
use crate::state::StateFile;
use handler::Handler;
use outbox::Outbox;
use turns::Turns;
use wire::Wire;

pub use listener::Listener;

/// How long calls in flight may go on once the input has ended: an answer on its way still
/// arrives. Trade: clients wait two seconds for a server to leave before they send a signal.
const DRAIN: Duration = Duration::from_millis(1_200);

/// How long what is killed may take to end, its run to be saved and its replies to be handed over.
const ENDING: Duration = Duration::from_secs(3);

/// How long the last replies may take to be written to a client that may not be reading.
const FAREWELL: Duration = Duration::from_millis(500);

/// Ends a server from another thread, as a signal does; clones are one handle.
#[derive(Clone, Debug, Default)]
pub struct Shutdown(CancellationToken);

impl Shutdown {
    /// Ends the server: what runs is killed, what has been answered is still written.
    pub fn begin(&self) {
        self.0.cancel();
    }
}

/// Why a server did not start.
#[derive(Debug)]
pub enum ServeError {
    /// The run could not be asked for its tools.
    Run(RunError),
    /// A tool's schema is not a JSON object.
    Schema(String),
    /// The host could not give the server what it needs.
    Host(io::Error),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(error) => error.fmt(f),
            Self::Schema(tool) => write!(f, "the schema of `{tool}` is not a JSON object"),
            Self::Host(error) => write!(f, "the server could not be set up: {error}"),
        }
    }
}

impl std::error::Error for ServeError {}

/// Serves a run until `input` ends, `output` breaks or `shutdown` says so, and blocks until then. When
/// it returns nothing that the run started is running, but for what holds out past the bounds above.
///
/// `listener` is the one whose journal the run was opened with. The run is saved to `state` after each
/// turn, before its replies go out.
pub fn serve<R, W>(
    mut run: Run,
    listener: Listener,
    state: Option<StateFile>,
    shutdown: &Shutdown,
    input: R,
    output: W,
) -> Result<(), ServeError>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let tools = describe::tools(run.tools().map_err(ServeError::Run)?)?;
    let turns = Turns::new(run.canceller(), listener);
    let (finished, runner) = oneshot::channel();
    let running = turns.clone();
    thread::Builder::new()
        .name("loom-tools-run".into())
        .spawn(move || {
            running.run(run, state.as_ref());
            let _ = finished.send(());
        })
        .map_err(ServeError::Host)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(ServeError::Host)?;
    let handler = Handler::new(tools, turns.clone());
    runtime.block_on(serving(handler, &turns, shutdown, input, output));
    // Whatever is left of the last turn: the run is saved and dropped on its own thread.
    runtime.block_on(async {
        if timeout(ENDING, runner).await.is_err() {
            tracing::error!("the run did not end in time and is left to the end of the process");
        }
    });
    // A read that waits for standard input must not hold up the end.
    runtime.shutdown_background();
    Ok(())
}

/// One connection, from its first line to its last.
async fn serving<R, W>(handler: Handler, turns: &Turns, shutdown: &Shutdown, input: R, output: W)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    // Cancelled when there is nothing more to read, or nobody to write to.
    let over = shutdown.0.child_token();
    let outbox = Arc::new(Outbox::default());
    let writing = {
        let (outbox, over) = (Arc::clone(&outbox), over.clone());
        tokio::spawn(async move {
            if let Err(error) = outbox.write_to(output).await {
                tracing::info!(%error, "nobody reads the replies any more");
                over.cancel();
            }
        })
    };
    let wire = Wire::new(input, Arc::clone(&outbox), over.clone());
    let served = async {
        match handler.serve(wire).await {
            Ok(running) => drop(running.waiting().await),
            Err(error) => tracing::info!(%error, "no session began"),
        }
        // A session that never began has closed nothing.
        outbox.close();
    };
    let ending = async {
        over.cancelled().await;
        tokio::select! {
            () = sleep(DRAIN) => {}
            () = shutdown.0.cancelled() => {}
        }
        turns.close();
        sleep(ENDING).await;
        tracing::warn!("the session did not end in time");
    };
    tokio::select! {
        () = served => {}
        () = ending => {}
    }
    turns.close();
    outbox.close();
    if timeout(FAREWELL, writing).await.is_err() {
        tracing::info!("the last replies were not read");
    }
}
