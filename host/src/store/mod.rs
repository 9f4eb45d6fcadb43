//! Where a run's structured result is written (loom-retrieval, "Rows as held referents"; contract,
//! section 6): each cited row once as a document under its own digest, the result last, so that a
//! crash leaves no result that links to a missing document. Rows it does not cite leave no file;
//! a receipt names their count and the digest of their labels.

mod canonical;
mod dir;
mod write;

#[cfg(test)]
mod tests;

use std::fmt;
use std::io;

pub use dir::DirStore;
pub use write::{Receipt, WriteError, Written, write_result};

use crate::component::Sha256Hex;

/// The name of a document: the SHA-256 of its bytes, written `loom-doc:<64 hexadecimal digits>`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link(Sha256Hex);

impl Link {
    const PREFIX: &str = "loom-doc:";

    /// The link to a document of these bytes.
    pub fn to(bytes: &[u8]) -> Self {
        Self(Sha256Hex::of(bytes))
    }

    /// Reads a link; none when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(Self::PREFIX)?;
        Sha256Hex::parse(digits)
            .filter(|digest| digest.to_string() == digits)
            .map(Self)
    }

    /// The digest alone.
    pub fn digest(&self) -> &Sha256Hex {
        &self.0
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Self::PREFIX, self.0)
    }
}

/// The two operations that writing a result needs.
pub trait DocumentStore {
    /// The bytes of a document, or none when the store does not have it. Bytes that do not match
    /// their link count as not there.
    fn get(&self, link: &Link) -> io::Result<Option<Vec<u8>>>;

    /// Keeps a document under its link, durably: once this returns it survives a crash.
    fn put(&self, bytes: &[u8]) -> io::Result<Link>;
}
