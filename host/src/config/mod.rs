//! The operator's two files: what of them the host takes, and what it refuses.
//!
//! A file becomes values once, when the host starts; nothing here is read again later. Refused are
//! unknown keys, since a misspelt `readCeilingFile` would read as no ceiling; keys given
//! twice, since one of the two would silently win; relative paths; and files that are no regular file
//! of at most 1 MiB, or that a link leads to out of the directory named. Every refusal names the
//! file, the key and the remedy, and is for the operator alone.
//!
//! Contract section 8, "Configuration files"; loom-retrieval.md and loom-commands.md, "Host
//! configuration".

mod commands;
mod error;
pub(crate) mod file;
mod json;
mod keys;
mod retrieval;
mod schema;
#[cfg(test)]
mod tests;
mod transport;

pub use commands::Commands;
pub use error::ConfigError;
pub use retrieval::Retrieval;
pub use schema::{COMMANDS_SCHEMA, RETRIEVAL_SCHEMA};
pub use transport::Transport;
