//! The retrieval configuration; loom-retrieval.md, "Host configuration".

use std::path::{Path, PathBuf};

use cap_std::AmbientAuthority;

use super::json::Json;
use super::keys::Keys;
use super::{ConfigError, Transport, file};

pub(super) const KEYS: [&str; 4] = ["cliPath", "transport", "readCeilingFile", "facets"];

/// What the operator configured for the eight retrieval tools.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Retrieval {
    /// The CLI, an absolute path.
    pub cli: PathBuf,
    /// How the CLI reaches Loom.
    pub transport: Transport,
    /// The read-ceiling record, an absolute path. The record is read anew for each turn.
    pub read_ceiling_file: Option<PathBuf>,
    /// The facets the record must name, compared as a set; at least one.
    pub facets: Option<Vec<String>>,
}

impl Retrieval {
    /// Reads the file at `path`, which must be absolute.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory that holds the file, and nothing else.
    pub fn read(path: &Path, authority: AmbientAuthority) -> Result<Self, ConfigError> {
        Self::parse(path, &file::read(path, authority)?)
    }

    /// What `text` says. `file` is how messages name it.
    pub fn parse(file: &Path, text: &[u8]) -> Result<Self, ConfigError> {
        let mut keys = Keys::of_file(file, text)?;
        keys.only(&KEYS)?;
        Ok(Self {
            cli: keys.required_path("cliPath")?,
            transport: Transport::take(&mut keys)?,
            read_ceiling_file: keys.path("readCeilingFile")?,
            facets: facets(&mut keys)?,
        })
    }
}

fn facets(keys: &mut Keys<'_>) -> Result<Option<Vec<String>>, ConfigError> {
    let ids = match keys.take("facets") {
        None => return Ok(None),
        Some(Json::List(items)) => items.into_iter().map(facet).collect::<Option<Vec<_>>>(),
        Some(_) => None,
    };
    match ids {
        Some(ids) if !ids.is_empty() => Ok(Some(ids)),
        _ => Err(keys.refuse(
            "facets",
            "must be a nonempty list of facet ids, each of at most 64 of `a-z 0-9 -` and not opening \
             with `-`; correct it, or remove it to accept any facets.",
        )),
    }
}

/// A facet id: `^[a-z0-9][a-z0-9-]{0,63}$`.
fn facet(item: Json) -> Option<String> {
    let Json::Text(id) = item else {
        return None;
    };
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let fits = (1..=64).contains(&id.len()) && !id.starts_with('-') && id.chars().all(allowed);
    fits.then_some(id)
}
