//! One run, driven turn by turn, each turn printed: what the model asks, what the operator could
//! watch, what the model sees.

use anyhow::Context;

use super::super::error::Failure;
use super::super::stop::Stop;
use super::facts::{self, Rows};
use super::json::Json;
use super::page::Page;
use super::recorder::{Heard, Recorder};
use crate::ambient_authority;
use crate::component::Component;
use crate::loom::Loom;
use crate::run::{Call, Reply, Run, Settings};

/// How many rows of an answer are printed, unless a step says otherwise.
const ROWS: usize = 2;

/// One call the model makes.
pub(super) struct Ask {
    tool: &'static str,
    input: String,
}

/// A call of `tool` with this input.
pub(super) fn ask(tool: &'static str, input: impl Into<String>) -> Ask {
    let input = input.into();
    Ask { tool, input }
}

/// What a run came to.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) calls: usize,
    pub(super) processes: usize,
    pub(super) admitted: usize,
    pub(super) withheld: usize,
    /// Everything the model was shown.
    pub(super) shown: Vec<String>,
}

/// A run and what is known of it from outside.
pub(super) struct Agent<'s> {
    run: Run,
    recorder: Recorder,
    stop: &'s Stop,
    /// The run's label, clause by clause.
    label: Vec<String>,
    /// Which handle stands for which of the sample's records.
    handles: Vec<(String, String)>,
    pub(super) tally: Tally,
}

impl<'s> Agent<'s> {
    pub(super) fn start(
        component: &Component,
        loom: Loom,
        settings: Settings,
        stop: &'s Stop,
    ) -> Result<Self, Failure> {
        let recorder = Recorder::default();
        let journal = Box::new(recorder.clone());
        let authority = ambient_authority();
        let run = Run::open(component, loom, settings, journal, None, authority)?;
        stop.cancels(run.canceller());
        Ok(Self {
            run,
            recorder,
            stop,
            label: Vec::new(),
            handles: Vec::new(),
            tally: Tally::default(),
        })
    }

    /// A turn whose lists are printed with their first rows.
    pub(super) fn turn(&mut self, page: &mut Page, asks: &[Ask]) -> Result<(), Failure> {
        self.turn_showing(page, ROWS, asks)
    }

    /// A turn whose lists are printed with their first `rows` rows.
    pub(super) fn turn_showing(
        &mut self,
        page: &mut Page,
        rows: usize,
        asks: &[Ask],
    ) -> Result<(), Failure> {
        let several = asks.len() > 1;
        page.model("THE MODEL ASKS", if several { "in one turn" } else { "" });
        for ask in asks {
            let input = Json::parse(&ask.input).context("the model writes JSON")?;
            page.asked(&format!("{} ", ask.tool), &input);
        }
        let answers = self.invoke(asks)?;
        let heard = self.recorder.take();
        page.operator("WHAT THE OPERATOR CAN WATCH");
        for (call, answer) in answers.iter().enumerate() {
            if several {
                page.says(&format!("call {}", call + 1), answer.tool);
            }
            let mine = heard.iter().filter(|h| usize::try_from(h.call) == Ok(call));
            self.tally.processes += tell(page, answer, mine)?;
        }
        self.tell_label(page)?;
        for (call, answer) in answers.iter().enumerate() {
            let head = if several {
                format!("THE MODEL SEES, call {}", call + 1)
            } else {
                "THE MODEL SEES".to_owned()
            };
            page.sees(&head, &answer.shown, answer.length, rows);
        }
        page.flush()?;
        Ok(())
    }

    fn invoke(&mut self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        let calls = asks.iter().enumerate().map(|(place, ask)| Call {
            id: (place + 1).to_string(),
            tool: ask.tool.to_owned(),
            input: ask.input.clone(),
            input_label: None,
        });
        let calls = calls.collect();
        let Self { run, stop, .. } = self;
        let replies = stop.finishing(|| run.invoke(calls))?;
        let mut answers = Vec::new();
        for (ask, reply) in asks.iter().zip(replies) {
            answers.push(Answer::of(ask.tool, &reply)?);
            self.tally.shown.push(reply.shown);
        }
        for answer in &answers {
            let rows = Rows::of(&answer.shown);
            self.tally.calls += 1;
            self.tally.admitted += rows.admitted;
            self.tally.withheld += rows.withheld();
            self.note_handles(&answer.shown);
        }
        Ok(answers)
    }

    fn note_handles(&mut self, shown: &Json) {
        for entry in shown.items("entries") {
            let value = entry.get("value");
            let name = value.and_then(|value| value.text("id").or_else(|| value.text("person")));
            if let (Some(name), Some(handle)) = (name, entry.text("handle")) {
                self.handles.push((name.to_owned(), handle.to_owned()));
            }
        }
    }

    /// The handle under which the model was shown a record.
    pub(super) fn handle(&self, record: &str) -> Result<String, Failure> {
        let found = self.handles.iter().find(|(name, _)| name == record);
        let (_, handle) = found.with_context(|| format!("the model was not shown {record}"))?;
        Ok(handle.clone())
    }

    /// Says what the turn added to the run's label.
    fn tell_label(&mut self, page: &mut Page) -> Result<(), Failure> {
        let label = self.run_label()?;
        let new: Vec<&str> = label
            .iter()
            .filter(|clause| !self.label.contains(clause))
            .map(String::as_str)
            .collect();
        for (place, clause) in new.iter().enumerate() {
            let name = if place == 0 { "run label" } else { "" };
            page.says(name, &format!("+ {clause}"));
        }
        self.label = label;
        Ok(())
    }

    /// The clauses of the run's label.
    pub(super) fn run_label(&mut self) -> Result<Vec<String>, Failure> {
        let label = Json::parse(&self.run.label()?).context("the run's label is not JSON")?;
        Ok(facts::clauses(&label))
    }

    /// Resolves the model's result: JSON as the component gave it, or why it refused.
    pub(super) fn resolve(&mut self, result: &str) -> Result<Result<String, Json>, Failure> {
        Ok(match self.run.resolve_result(result)? {
            Ok(resolved) => Ok(resolved),
            Err(refused) => {
                Err(Json::parse(&refused).context("what the component refused with is not JSON")?)
            }
        })
    }
}

/// One reply, read.
struct Answer {
    tool: &'static str,
    shown: Json,
    /// The length of the shown text, in UTF-16 units.
    length: usize,
    decision: Json,
}

impl Answer {
    fn of(tool: &'static str, reply: &Reply) -> anyhow::Result<Self> {
        Ok(Self {
            tool,
            shown: Json::parse(&reply.shown).context("what is shown is not JSON")?,
            length: reply.shown.encode_utf16().count(),
            decision: Json::parse(&reply.decision).context("the decision is not JSON")?,
        })
    }
}

/// Tells of one call what the operator could watch; returns how many processes it started.
fn tell<'h>(
    page: &mut Page,
    answer: &Answer,
    heard: impl Iterator<Item = &'h Heard>,
) -> anyhow::Result<usize> {
    let (word, why) = facts::decision(&answer.decision);
    page.says(&word, &why);
    let mut processes = 0;
    for heard in heard {
        if let Some(reason) = &heard.not_started {
            // Every later step would say the same.
            anyhow::bail!(
                "the sample `loom` cannot be started: {reason}; where the directory for temporary \
                 files holds no programs, name another one in TMPDIR"
            );
        }
        if let Some(line) = &heard.line {
            processes += 1;
            page.ran(&format!("loom {line}"), &heard.end);
        } else {
            page.says("refused", &heard.end);
        }
        if let Some(stdin) = &heard.stdin {
            page.says("stdin", stdin);
        }
    }
    if processes == 0 {
        page.says("ran", "nothing");
    }
    if let Some(verdict) = facts::verdict(&answer.shown) {
        page.says("answer", &verdict);
    }
    if let Some(rows) = Rows::of(&answer.shown).sentence() {
        page.says("rows", &rows);
    }
    Ok(processes)
}
