//! The documented argument vectors, read into one value each.
//!
//! Both halves read the same arguments with this parser: the command line to refuse what
//! is misspelt before it asks anybody, the broker because a queue file may come from
//! anyone. Flags stand in any order, each at most once; a value never opens with `-`.

mod flags;

use flags::Flags;

use crate::clock::{Edge, parse_day, parse_moment, parse_zone};

/// A path of the host that every usage error quotes, as real command lines do. Whoever
/// tests what reaches a model looks for it there.
pub const HOST_TEXT: &str = "/opt/loom/src/loom/cli.py";

/// One thing the command line is asked to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operation {
    Search(Search),
    PageDiscover {
        kind: Option<String>,
        limit: Option<usize>,
    },
    PageInspect {
        target: String,
        concise: bool,
    },
    PageRead {
        target: String,
    },
    People {
        query: String,
        card: bool,
    },
    Calendar {
        from: Option<i64>,
        to: Option<i64>,
        all: bool,
    },
    Where {
        at: Option<String>,
    },
    Activity {
        since: Option<String>,
        until: Option<String>,
        at: Option<String>,
    },
    Profile {
        fresh: bool,
    },
    CommandList,
    CommandRun(CommandRun),
    /// `control VERB COMMAND`, which only `sample-loom control` sends.
    Control {
        verb: String,
        command: String,
    },
}

/// The arguments of `search`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Search {
    pub(crate) query: Option<String>,
    pub(crate) sources: Option<String>,
    pub(crate) since: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) zone: Option<String>,
    pub(crate) person: Option<String>,
    pub(crate) limit: Option<usize>,
    pub(crate) by_recency: bool,
}

/// The arguments of `command run`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CommandRun {
    pub(crate) id: String,
    pub(crate) loom: Option<String>,
    pub(crate) expect: Option<u64>,
    pub(crate) read_only: bool,
}

/// Why the arguments are refused, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Usage(pub(crate) String);

impl Usage {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }

    /// What standard error says.
    pub(crate) fn message(&self) -> String {
        format!(
            "loom: {}\n  raised in {HOST_TEXT}; see loom --help\n",
            self.0
        )
    }
}

impl Operation {
    pub(crate) fn parse(argv: &[String]) -> Result<Self, Usage> {
        let words: Vec<&str> = argv.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["search", rest @ ..] => search(rest),
            ["page", "discover", rest @ ..] => page_discover(rest),
            ["page", "inspect", rest @ ..] => {
                let mut flags = Flags::read(rest, &[], &["--json", "--concise"])?;
                let concise = flags.switch("--concise");
                Ok(Self::PageInspect {
                    target: flags.one("a target")?,
                    concise,
                })
            }
            ["page", "read", rest @ ..] => {
                let mut flags = Flags::read(rest, &[], &["--json"])?;
                Ok(Self::PageRead {
                    target: flags.one("a target")?,
                })
            }
            ["people", rest @ ..] => {
                let mut flags = Flags::read(rest, &["--shape"], &["--json"])?;
                let shape = flags.choice("--shape", &["summary", "card"])?;
                let card = shape.as_deref() == Some("card");
                Ok(Self::People {
                    query: flags.one("a lookup")?,
                    card,
                })
            }
            ["calendar", "list", rest @ ..] => calendar(rest),
            ["context", state, rest @ ..] => context(state, rest),
            ["profile", rest @ ..] => {
                let mut flags = Flags::read(rest, &[], &["--json", "--fresh"])?;
                flags.none()?;
                Ok(Self::Profile {
                    fresh: flags.switch("--fresh"),
                })
            }
            ["command", "list", rest @ ..] => {
                Flags::read(rest, &[], &["--json"])?.none()?;
                Ok(Self::CommandList)
            }
            ["command", "run", rest @ ..] => command_run(rest),
            [
                "control",
                verb @ ("withdraw" | "restore" | "revoke" | "regrant"),
                command,
            ] => Ok(Self::Control {
                verb: (*verb).to_owned(),
                command: (*command).to_owned(),
            }),
            _ => Err(Usage::new(
                "expected search, page discover|inspect|read, people, calendar list, \
                 context where|activity, profile, or command list|run",
            )),
        }
    }

    /// Whether the arguments are read from standard input (`--args-json -`).
    pub(crate) fn reads_stdin(&self) -> bool {
        matches!(self, Self::CommandRun(_))
    }
}

fn search(rest: &[&str]) -> Result<Operation, Usage> {
    let valued = [
        "--sources",
        "--since",
        "--until",
        "--tz",
        "--person",
        "--limit",
        "--rank",
    ];
    let mut flags = Flags::read(rest, &valued, &["--json"])?;
    let search = Search {
        sources: flags.value("--sources"),
        since: flags.value("--since"),
        until: flags.value("--until"),
        zone: flags.value("--tz"),
        person: flags.value("--person"),
        limit: flags.count("--limit", 1000)?,
        by_recency: flags.choice("--rank", &["recency", "score"])?.as_deref() == Some("recency"),
        query: flags.optional("a query")?,
    };
    if search.query.is_none() && search.person.is_none() {
        return Err(Usage::new("search needs a query or --person"));
    }
    let zone = search.zone.as_deref().and_then(parse_zone).unwrap_or(0);
    moments(zone, &search.since, &search.until)?;
    Ok(Operation::Search(search))
}

fn page_discover(rest: &[&str]) -> Result<Operation, Usage> {
    let mut flags = Flags::read(rest, &["--kind", "--limit"], &["--json", "--concise"])?;
    let kinds = ["all", "project", "projects", "entity", "entities"];
    let kind = flags.choice("--kind", &kinds)?;
    let limit = flags.count("--limit", 10_000)?;
    flags.none()?;
    Ok(Operation::PageDiscover { kind, limit })
}

fn calendar(rest: &[&str]) -> Result<Operation, Usage> {
    let mut flags = Flags::read(rest, &["--from", "--to"], &["--json", "--all"])?;
    let mut day = |flag: &str| match flags.value(flag) {
        None => Ok(None),
        Some(text) => parse_day(&text)
            .map(Some)
            .ok_or_else(|| Usage::new(format!("{flag} takes a day as YYYY-MM-DD"))),
    };
    let (from, to) = (day("--from")?, day("--to")?);
    let all = flags.switch("--all");
    flags.none()?;
    if all && (from.is_some() || to.is_some()) {
        return Err(Usage::new("--all excludes --from and --to"));
    }
    if from.zip(to).is_some_and(|(from, to)| from > to) {
        return Err(Usage::new("--from is later than --to"));
    }
    Ok(Operation::Calendar { from, to, all })
}

fn context(state: &str, rest: &[&str]) -> Result<Operation, Usage> {
    match state {
        "where" => {
            let mut flags = Flags::read(rest, &["--at"], &["--json"])?;
            flags.none()?;
            let at = flags.value("--at");
            moments(0, &at, &None)?;
            Ok(Operation::Where { at })
        }
        "activity" => {
            let mut flags = Flags::read(rest, &["--at", "--since", "--until"], &["--json"])?;
            flags.none()?;
            let (at, since, until) = (
                flags.value("--at"),
                flags.value("--since"),
                flags.value("--until"),
            );
            moments(0, &at, &None)?;
            moments(0, &since, &until)?;
            Ok(Operation::Activity { since, until, at })
        }
        _ => Err(Usage::new("context takes where or activity")),
    }
}

fn command_run(rest: &[&str]) -> Result<Operation, Usage> {
    let valued = ["--args-json", "--loom", "--expect"];
    let mut flags = Flags::read(rest, &valued, &["--json", "--read-only"])?;
    if flags.value("--args-json").as_deref() != Some("-") {
        return Err(Usage::new(
            "command run reads its arguments with --args-json -",
        ));
    }
    let expect = match flags.value("--expect") {
        None => None,
        Some(text) => Some(
            text.parse()
                .map_err(|_| Usage::new("--expect takes a version number"))?,
        ),
    };
    let loom = flags.value("--loom");
    let read_only = flags.switch("--read-only");
    Ok(Operation::CommandRun(CommandRun {
        id: flags.one("a command id")?,
        loom,
        expect,
        read_only,
    }))
}

fn moments(zone: i32, since: &Option<String>, until: &Option<String>) -> Result<(), Usage> {
    for text in [since, until].into_iter().flatten() {
        if parse_moment(text, zone, Edge::Start).is_none() {
            return Err(Usage::new(format!("cannot read the moment {text:?}")));
        }
    }
    Ok(())
}
