//! How the CLI reaches the operator's Loom: the routing variables, and only those.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::ConfigError;
use super::keys::Keys;

/// The variables that route a process. No other part of a configuration may set one.
pub(super) const ROUTING: [&str; 4] = [PAGE_QUEUE, SEARCH_QUEUE, INSTANCE, DISPATCH];

const PAGE_QUEUE: &str = "LOOM_PAGE_RPC_QUEUE";
const SEARCH_QUEUE: &str = "LOOM_SEARCH_BROKER_QUEUE";
const INSTANCE: &str = "LOOM_INSTANCE_DIR";
const DISPATCH: &str = "LOOM_DISPATCH_ID";

pub(super) const BROKER_KEYS: [&str; 2] = ["kind", "queuePath"];
pub(super) const DIRECT_KEYS: [&str; 4] = ["kind", "instanceDir", "runId", "actor"];

/// Every key that some transport takes.
const ANY_KEYS: [&str; 5] = ["kind", "queuePath", "instanceDir", "runId", "actor"];

/// How many characters a direct `runId` may have.
const RUN_ID: usize = 128;

/// Where retrieval runs; loom-retrieval.md, "Host configuration".
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Transport {
    /// Through the route-scoped broker that serves a queue.
    Broker {
        /// The queue's directory, an absolute path.
        queue: PathBuf,
    },
    /// On an instance itself.
    Direct {
        /// The instance's directory, an absolute path.
        instance_dir: PathBuf,
        /// 1 to 128 characters, trimmed, without control characters.
        run_id: String,
    },
}

impl Transport {
    /// The routing variables of a retrieval process.
    pub fn routing(&self) -> Vec<(&'static str, OsString)> {
        match self {
            Self::Broker { queue } => vec![
                (PAGE_QUEUE, queue.clone().into()),
                (SEARCH_QUEUE, queue.clone().into()),
            ],
            Self::Direct {
                instance_dir,
                run_id,
            } => vec![
                (INSTANCE, instance_dir.clone().into()),
                (DISPATCH, run_id.clone().into()),
            ],
        }
    }

    pub(super) fn take(keys: &mut Keys<'_>) -> Result<Self, ConfigError> {
        let mut keys = open(keys)?;
        match keys.required_text("kind")?.as_str() {
            "broker" => Ok(Self::Broker {
                queue: queue(&mut keys)?,
            }),
            "direct" => direct(&mut keys),
            _ => Err(keys.refuse("kind", "must be `broker` or `direct`; write one of them.")),
        }
    }
}

/// The routing variables of a command process: the queue alone, as loom-commands.md says.
pub(super) fn command_routing(queue: &Path) -> Vec<(&'static str, OsString)> {
    vec![(PAGE_QUEUE, queue.into())]
}

/// The queue of a transport that must be a broker's.
pub(super) fn take_broker(keys: &mut Keys<'_>) -> Result<PathBuf, ConfigError> {
    let mut keys = open(keys)?;
    if keys.required_text("kind")? != "broker" {
        // A direct transport would leave it to this file who a command is attributed to.
        let problem = "must be `broker`, which keeps the grant; start a broker and name its queue.";
        return Err(keys.refuse("kind", problem));
    }
    queue(&mut keys)
}

/// The transport's keys. What no transport takes is refused before the kind is looked at, so that
/// a misspelt `kind` is named as such.
fn open<'a>(keys: &mut Keys<'a>) -> Result<Keys<'a>, ConfigError> {
    let keys = keys.object("transport", "transport.")?;
    keys.only(&ANY_KEYS)?;
    Ok(keys)
}

fn queue(keys: &mut Keys<'_>) -> Result<PathBuf, ConfigError> {
    keys.only(&BROKER_KEYS)?;
    keys.required_path("queuePath")
}

fn direct(keys: &mut Keys<'_>) -> Result<Transport, ConfigError> {
    keys.only(&DIRECT_KEYS)?;
    let instance_dir = keys.required_path("instanceDir")?;
    let run_id = keys.required_text("runId")?.trim().to_owned();
    let length = run_id.encode_utf16().count();
    if !(1..=RUN_ID).contains(&length) || run_id.contains(char::is_control) {
        let problem =
            "must be 1 to 128 characters without control characters; shorten or correct it.";
        return Err(keys.refuse("runId", problem));
    }
    // It attributes writes, and no retrieval performs one.
    keys.text("actor")?;
    Ok(Transport::Direct {
        instance_dir,
        run_id,
    })
}
