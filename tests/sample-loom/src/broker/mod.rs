//! The broker: one process, or one thread of a test, that serves a queue.
//!
//! Every request runs in a thread of its own, so a command that sleeps keeps nobody
//! waiting; past a bound requests stay in the queue. An idle broker looks at its directory
//! every few milliseconds, which costs about a hundredth of a processor.

mod options;
mod record;

pub use options::BrokerOptions;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::answer::Answer;
use crate::loom::Loom;
use crate::queue::{Queue, Server, Taken};

/// Requests worked on at once.
const WORKERS: usize = 256;
/// How long a broker that ends waits for its workers, who notice within milliseconds.
const FAREWELL: Duration = Duration::from_secs(2);

/// A running broker. Dropping it ends the service and every command that waits.
pub struct Broker {
    service: Arc<Service>,
    queue: PathBuf,
    thread: Option<JoinHandle<()>>,
}

struct Service {
    loom: Loom,
    halt: AtomicBool,
    busy: AtomicUsize,
}

impl Broker {
    /// Starts a broker in a thread. When this returns, requests are served.
    ///
    /// # Errors
    ///
    /// When the options do not fit together, another broker serves the queue, or the
    /// queue or the record cannot be written.
    pub fn start(options: BrokerOptions) -> io::Result<Self> {
        options.check()?;
        let server = Server::open(Queue::at(&options.queue), options.patience)?;
        if let Some(path) = &options.read_ceiling {
            record::write(path, &options.facets)?;
        }
        server.announce(&options.facets)?;
        let service = Arc::new(Service {
            loom: Loom::new(options.loom()),
            halt: AtomicBool::new(false),
            busy: AtomicUsize::new(0),
        });
        let served = Arc::clone(&service);
        let thread = thread::Builder::new()
            .name("sample-broker".to_owned())
            .spawn(move || serve(&served, server))?;
        Ok(Self {
            service,
            queue: options.queue,
            thread: Some(thread),
        })
    }

    /// The directory that is served.
    pub fn queue(&self) -> &Path {
        &self.queue
    }

    /// Takes a command away: it is no longer listed, and a run of it is `forbidden`.
    /// False when there is no such command.
    pub fn withdraw(&self, command: &str) -> bool {
        self.service
            .loom
            .commands()
            .control("withdraw", command)
            .exit
            == 0
    }

    /// Gives a withdrawn command back.
    pub fn restore(&self, command: &str) -> bool {
        self.service
            .loom
            .commands()
            .control("restore", command)
            .exit
            == 0
    }

    /// Takes the read-only grant of a command away.
    pub fn revoke(&self, command: &str) -> bool {
        self.service.loom.commands().control("revoke", command).exit == 0
    }

    /// Gives a command the read-only grant.
    pub fn regrant(&self, command: &str) -> bool {
        self.service
            .loom
            .commands()
            .control("regrant", command)
            .exit
            == 0
    }

    /// Waits for ever, or until the service has ended.
    pub(crate) fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.service.halt.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic of the service has been reported by its own thread.
            let _ = thread.join();
        }
        // Once this returns nothing writes into the queue any more, so it can be removed.
        let started = Instant::now();
        while self.service.busy.load(Ordering::Acquire) > 0 && started.elapsed() < FAREWELL {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

fn serve(service: &Arc<Service>, mut server: Server) {
    let mut worked = Instant::now();
    while !service.halt.load(Ordering::Relaxed) {
        let room = WORKERS.saturating_sub(service.busy.load(Ordering::Relaxed));
        let taken = if room == 0 {
            Vec::new()
        } else {
            server.take(room)
        };
        if taken.is_empty() {
            thread::sleep(pause(worked.elapsed()));
            continue;
        }
        worked = Instant::now();
        for request in taken {
            dispatch(service, server.queue(), request);
        }
    }
}

/// Looks closely while there is work, calmly when there has been none for a while.
fn pause(idle: Duration) -> Duration {
    Duration::from_micros(match idle.as_secs() {
        0 => 500,
        1..10 => 2_000,
        _ => 5_000,
    })
}

fn dispatch(service: &Arc<Service>, queue: Queue, taken: Taken) {
    service.busy.fetch_add(1, Ordering::Relaxed);
    let worker = Arc::clone(service);
    let work = move || {
        let answer = match &taken.call {
            Some(call) => worker.loom.answer(call, &worker.halt),
            None => Answer::failure(1, "loom: the request could not be read\n"),
        };
        // A broker that ends answers nothing more, and without a queue to write to there
        // is nobody left to tell.
        if !worker.halt.load(Ordering::Relaxed) {
            let _ = queue.put(&taken.id, &answer);
        }
        worker.busy.fetch_sub(1, Ordering::Release);
    };
    if thread::Builder::new()
        .name("sample-worker".to_owned())
        .spawn(work)
        .is_err()
    {
        service.busy.fetch_sub(1, Ordering::Relaxed);
    }
}
