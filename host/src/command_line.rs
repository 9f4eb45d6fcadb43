//! From a granted operation to the argument vector of the operator's CLI (contract, sections 2 and
//! 7). The only place that spells a flag: a text of the component's reaches the vector as a whole
//! argument, after the rule that [`rules`](crate::rules) has for it, or not at all.

#[cfg(test)]
mod tests;

use crate::bindings::loom::tools::process::{
    CalendarWindow, CardShape, CommandRun, Context, ContextState, Operation, PageDiscover,
    PageKind, People, Search, SearchRank,
};
use crate::process::Class;
use crate::rules::{self, Broken};

/// Rows of a search.
pub(crate) const MAX_HITS: u32 = 200;
/// Pages of a discovery.
pub(crate) const MAX_PAGES: u32 = 500;

/// What one operation becomes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CommandLine {
    /// What follows the program's own name.
    pub(crate) args: Vec<String>,
    /// Standard input; none is a null one.
    pub(crate) stdin: Option<Vec<u8>>,
    pub(crate) class: Class,
}

/// Renders an operation, or says which rule it broke.
pub(crate) fn render(operation: &Operation) -> Result<CommandLine, Broken> {
    let args = match operation {
        Operation::Search(search) => self::search(search)?,
        Operation::PageDiscover(discover) => page_discover(discover)?,
        Operation::PageInspect(target) => Args::of(["page", "inspect"])
            .word(rules::text(target)?)
            .word("--json")
            .word("--concise"),
        Operation::PageRead(target) => Args::of(["page", "read"])
            .word(rules::text(target)?)
            .word("--json"),
        Operation::People(people) => self::people(people)?,
        Operation::CalendarList(window) => calendar_list(window)?,
        Operation::Context(context) => self::context(context)?,
        Operation::Profile(fresh) => {
            let args = Args::of(["profile", "--json"]);
            if *fresh { args.word("--fresh") } else { args }
        }
        Operation::CommandList => Args::of(["command", "list", "--json"]),
        Operation::CommandRun(run) => {
            return Ok(CommandLine {
                args: command_run(run)?.0,
                stdin: Some(rules::arguments(&run.args_json)?.as_bytes().to_vec()),
                class: Class::CommandRun,
            });
        }
    };
    Ok(CommandLine {
        args: args.0,
        stdin: None,
        class: Class::Retrieval,
    })
}

/// An argument vector in the making.
struct Args(Vec<String>);

impl Args {
    fn of<const N: usize>(words: [&str; N]) -> Self {
        Self(words.map(str::to_owned).to_vec())
    }

    fn word(mut self, word: &str) -> Self {
        self.0.push(word.to_owned());
        self
    }

    /// A flag and its value, when there is one.
    fn flag(self, flag: &str, value: Option<&str>) -> Self {
        match value {
            Some(value) => self.word(flag).word(value),
            None => self,
        }
    }

    /// A flag and its free text, when there is one.
    fn text(self, flag: &str, text: Option<&String>) -> Result<Self, Broken> {
        let text = text.map(|text| rules::text(text)).transpose()?;
        Ok(self.flag(flag, text))
    }

    fn limit(self, limit: Option<u32>, most: u32) -> Result<Self, Broken> {
        let limit = limit.map(|limit| rules::limit(limit, most)).transpose()?;
        Ok(self.flag("--limit", limit.map(|limit| limit.to_string()).as_deref()))
    }
}

fn search(search: &Search) -> Result<Args, Broken> {
    let mut args = Args::of(["search"]);
    if search.query.is_none() && search.person.is_none() {
        return Err("a search has neither a query nor a person");
    }
    if let Some(query) = &search.query {
        args = args.word(rules::text(query)?);
    }
    let rank = search.rank.map(|rank| match rank {
        SearchRank::Recency => "recency",
        SearchRank::Score => "score",
    });
    Ok(args
        .word("--json")
        .text("--sources", search.sources.as_ref())?
        .text("--since", search.since.as_ref())?
        .text("--until", search.until.as_ref())?
        .text("--tz", search.tz.as_ref())?
        .text("--person", search.person.as_ref())?
        .limit(search.limit, MAX_HITS)?
        .flag("--rank", rank))
}

fn page_discover(discover: &PageDiscover) -> Result<Args, Broken> {
    let kind = discover.kind.map(|kind| match kind {
        PageKind::All => "all",
        PageKind::Project => "project",
        PageKind::Projects => "projects",
        PageKind::Entity => "entity",
        PageKind::Entities => "entities",
    });
    Args::of(["page", "discover", "--json", "--concise"])
        .flag("--kind", kind)
        .limit(discover.limit, MAX_PAGES)
}

fn people(people: &People) -> Result<Args, Broken> {
    let shape = people.shape.map(|shape| match shape {
        CardShape::Summary => "summary",
        CardShape::Card => "card",
    });
    let args = Args::of(["people"])
        .word(rules::lookup(&people.query)?)
        .word("--json");
    Ok(args.flag("--shape", shape))
}

fn calendar_list(window: &CalendarWindow) -> Result<Args, Broken> {
    let args = Args::of(["calendar", "list", "--json"]);
    Ok(match window {
        CalendarWindow::DefaultWindow => args,
        CalendarWindow::EveryEvent => args.word("--all"),
        CalendarWindow::Bounded(bounds) => {
            let date = |date: &Option<String>| {
                date.as_deref()
                    .map(rules::date)
                    .transpose()
                    .map(|date| date.map(str::to_owned))
            };
            args.flag("--from", date(&bounds.from_date)?.as_deref())
                .flag("--to", date(&bounds.to_date)?.as_deref())
        }
    })
}

fn context(context: &Context) -> Result<Args, Broken> {
    let state = match context.state {
        ContextState::Location if context.since.is_some() || context.until.is_some() => {
            return Err("a location has no span of time");
        }
        ContextState::Location => "where",
        ContextState::Activity => "activity",
    };
    Args::of(["context", state, "--json"])
        .text("--at", context.at.as_ref())?
        .text("--since", context.since.as_ref())?
        .text("--until", context.until.as_ref())
}

fn command_run(run: &CommandRun) -> Result<Args, Broken> {
    let loom_id = run.loom_id.as_deref().map(rules::loom_id).transpose()?;
    let expected = run.expected_version.map(rules::version).transpose()?;
    let args = Args::of(["command", "run"])
        .word(rules::command_id(&run.id)?)
        .word("--args-json")
        .word("-")
        .word("--json")
        .flag("--loom", loom_id)
        .flag(
            "--expect",
            expected.map(|version| version.to_string()).as_deref(),
        );
    Ok(if run.read_only {
        args.word("--read-only")
    } else {
        args
    })
}
