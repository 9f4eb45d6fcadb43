//! What a broker is started with, in code and on its command line.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::commands::CommandOptions;
use crate::data::FACETS;
use crate::loom::{LoomOptions, ProfileTier};
use crate::queue::PATIENCE;

/// The options of a broker. Start from [`BrokerOptions::new`] and change what differs.
#[derive(Clone, Debug)]
pub struct BrokerOptions {
    /// The directory to serve; made, private to its owner, when it is not there.
    pub queue: PathBuf,
    /// The facets whose records are served. `work` and `home` unless changed.
    pub facets: Vec<String>,
    /// Where to write the read-ceiling record.
    pub read_ceiling: Option<PathBuf>,
    /// Commands to allow, as ids or as prefixes ending in `.`; empty allows all.
    pub scope: Vec<String>,
    /// Commands to stamp `readOnlyGranted`; none stamps the sample's own choice of reads.
    pub read_grants: Option<Vec<String>>,
    /// The job id without which commands are `forbidden`.
    pub job_id: Option<String>,
    /// Which tier supplies the profile.
    pub profile: ProfileTier,
    /// A `schemaVersion` to state in search payloads, which state none by default.
    pub search_schema: Option<Value>,
    /// How long a client waits for its request to be taken.
    pub patience: Duration,
}

impl BrokerOptions {
    /// A broker of the facets `work` and `home` with every command.
    pub fn new(queue: impl Into<PathBuf>) -> Self {
        Self {
            queue: queue.into(),
            facets: vec!["work".to_owned(), "home".to_owned()],
            read_ceiling: None,
            scope: Vec::new(),
            read_grants: None,
            job_id: None,
            profile: ProfileTier::Live,
            search_schema: None,
            patience: PATIENCE,
        }
    }

    pub(super) fn check(&self) -> io::Result<()> {
        let unknown = self
            .facets
            .iter()
            .find(|facet| !FACETS.contains(&facet.as_str()));
        match unknown {
            None if self.facets.is_empty() => Err(invalid("a broker needs a facet".to_owned())),
            None => Ok(()),
            Some(facet) => Err(invalid(format!(
                "no facet {facet:?}; there are {}",
                FACETS.join(", ")
            ))),
        }
    }

    pub(super) fn loom(&self) -> LoomOptions {
        LoomOptions {
            facets: self.facets.clone(),
            profile: self.profile,
            search_schema: self.search_schema.clone(),
            commands: CommandOptions {
                scope: self.scope.clone(),
                read_grants: self.read_grants.clone(),
                job_id: self.job_id.clone(),
            },
        }
    }

    /// Reads the flags of `sample-loom broker`. The second value tells whether the broker
    /// ends when its standard input does.
    pub(crate) fn parse(args: &[OsString]) -> Result<(Self, bool), String> {
        let mut options = Self::new(PathBuf::new());
        let mut until_stdin_closes = false;
        let mut args = args.iter();
        while let Some(flag) = args.next() {
            let flag = flag.to_string_lossy();
            if flag == "--until-stdin-closes" {
                until_stdin_closes = true;
                continue;
            }
            let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
            let text = value.to_string_lossy().into_owned();
            match flag.as_ref() {
                "--queue" => options.queue = PathBuf::from(value),
                "--read-ceiling" => options.read_ceiling = Some(PathBuf::from(value)),
                "--facets" => options.facets = list(&text),
                "--scope" => options.scope = list(&text),
                "--read-grants" => {
                    options.read_grants = Some(list(text.strip_prefix("none").unwrap_or(&text)));
                }
                "--require-job-id" => options.job_id = Some(text),
                "--profile" => {
                    options.profile = match text.as_str() {
                        "live" => ProfileTier::Live,
                        "fallback" => ProfileTier::Fallback,
                        _ => return Err("--profile takes live or fallback".to_owned()),
                    }
                }
                "--search-schema-version" => {
                    options.search_schema = Some(
                        serde_json::from_str(&text)
                            .map_err(|_| "--search-schema-version takes JSON".to_owned())?,
                    );
                }
                "--patience-ms" => {
                    let ms = text
                        .parse()
                        .map_err(|_| "--patience-ms takes a number".to_owned())?;
                    options.patience = Duration::from_millis(ms);
                }
                _ => return Err(format!("unknown flag {flag}")),
            }
        }
        if options.queue.as_os_str().is_empty() {
            return Err("a broker needs --queue DIR".to_owned());
        }
        Ok((options, until_stdin_closes))
    }
}

fn list(text: &str) -> Vec<String> {
    let items = text
        .split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

fn invalid(sentence: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, sentence)
}
