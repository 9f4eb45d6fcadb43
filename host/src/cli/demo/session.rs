//! The session itself: what the agent does, in order, and what to look at in each step.

use anyhow::Context;

use super::super::Environment;
use super::super::error::Failure;
use super::super::open::absolute;
use super::super::stop::Stop;
use super::agent::{Agent, ask};
use super::facts;
use super::json::Json;
use super::page::Page;
use super::result;
use super::stage::Stage;
use super::text::{count, thousands};
use crate::Engine;
use crate::component::{Component, EMBEDDED};
use crate::grant::PromptSlot;
use crate::limits::Limits;
use crate::loom::Loom;
use crate::run::Settings;

const PICTURE: [&str; 6] = [
    "  the model          the component         this host           the operator's Loom",
    "                     (no authority)        (its one import)",
    "  asks for a tool ─▶ checks the input   ─▶ checks it again, ─▶ loom … --json",
    "                                           starts a process    and its broker",
    "  sees JSON       ◀─ labels, withholds, ◀─ hands over the   ◀─ answers",
    "                     cuts, gives handles   bytes",
];

/// The write that is asked for twice.
const NOTE: &str = r#"{"command":"notes.create","args":{"title":"Quay permit","text":"Missing: sheets 12 and 13 (flood gate), fire note. Due 19 June."}}"#;

/// Everything a session needs.
pub(super) struct Session<'s> {
    stage: Stage,
    component: Component,
    loom: Loom,
    stop: &'s Stop,
}

impl<'s> Session<'s> {
    /// Says what is about to be seen, and sets it up.
    pub(super) fn open(
        page: &mut Page,
        environment: Environment,
        stop: &'s Stop,
    ) -> Result<Self, Failure> {
        let program = environment.surroundings.program;
        let program = program.context("this program does not know where it lies")?;
        let under = absolute(&environment.surroundings.temporary)?;
        page.title("loom-tools demo");
        page.line("");
        page.prose(
            "An agent works for Mira Solberg, who has a building permit to get. Mira and her data are \
             made up; the rest is real: the component, this host, a process for each request, and \
             a broker that serves the data from a queue.",
        );
        page.line("");
        PICTURE.into_iter().for_each(|line| page.line(line));
        page.flush()?;
        let engine = Engine::new(&Limits::default())
            .map_err(|error| anyhow::anyhow!("the WebAssembly engine does not start: {error:#}"))?;
        let component = Component::load(&engine, EMBEDDED, None)
            .map_err(|error| anyhow::anyhow!("the built-in component: {error}"))?;
        let stage = Stage::set(&under, program, stop)?;
        let loom = stage.loom(environment.search_path);
        Ok(Self {
            stage,
            component,
            loom,
            stop,
        })
    }

    /// Runs the session.
    pub(super) fn play(&self, page: &mut Page) -> Result<(), Failure> {
        self.legend(page)?;
        let mut reader = self.agent("demo", PromptSlot::Context)?;
        retrieve(page, &mut reader)?;
        command(page, &mut reader)?;
        let mut writer = self.agent("demo-2", PromptSlot::DirectCommand)?;
        page.step(
            "The same write, on the person's word",
            "A second run, whose task is a direct command of Mira's (--prompt-slot direct-command). \
             The same call is allowed now, and goes out without --read-only. The arguments travel \
             on standard input, never on the command line.",
        );
        writer.turn(page, &[ask("run_command", NOTE)])?;
        result::show(page, &mut reader, &self.stage.documents()?)?;
        self.close(page, &[&reader, &writer])
    }

    fn agent(&self, run_id: &str, slot: PromptSlot) -> Result<Agent<'s>, Failure> {
        let settings = Settings {
            slot: Some(slot),
            ..Settings::new(run_id)
        };
        Agent::start(&self.component, self.loom.clone(), settings, self.stop)
    }

    /// What the operator configured, and how to read the page.
    fn legend(&self, page: &mut Page) -> Result<(), Failure> {
        let Stage {
            program, retrieval, ..
        } = &self.stage;
        page.operator("WHAT THE OPERATOR CONFIGURED");
        page.says("cliPath", &retrieval.cli.display().to_string());
        page.says(
            "",
            &format!("called `loom` below; here it is {}", program.display()),
        );
        for (name, value) in retrieval.transport.routing().into_iter().take(1) {
            page.says("queuePath", &value.display().to_string());
            page.says("", &format!("reaches a process as {name}"));
        }
        let names = |commands| {
            let list = self.loom.environment(commands).unwrap_or_default();
            let names: Vec<String> = list.into_iter().map(|(name, _)| name).collect();
            names.join(", ")
        };
        page.says(
            "env",
            &format!("of a retrieval: {}; nothing else", names(false)),
        );
        page.says("", &format!("of a command: {}; nothing else", names(true)));
        if let Some(path) = &retrieval.read_ceiling_file {
            let record = std::fs::read_to_string(path).context("the read-ceiling record")?;
            let record = Json::parse(&record).context("the read-ceiling record")?;
            for (place, clause) in record.items("loomReadCeiling").iter().enumerate() {
                let name = if place == 0 { "ceiling" } else { "" };
                page.says(name, &facts::clause(clause));
            }
        }
        page.says(
            "authority",
            "enforce-explicit, slot context: reads, and no writes",
        );
        page.line("");
        page.prose(
            "Behind ┃ stands the model's side. What stands behind ┆ only the operator can watch.",
        );
        page.flush()?;
        Ok(())
    }

    fn close(&self, page: &mut Page, agents: &[&Agent<'_>]) -> Result<(), Failure> {
        let sum = |of: fn(&Agent<'_>) -> usize| agents.iter().map(|agent| of(agent)).sum::<usize>();
        let shown = agents.iter().flat_map(|agent| &agent.tally.shown);
        let length: usize = shown.clone().map(|text| text.encode_utf16().count()).sum();
        let dir = self.stage.dir.to_string_lossy();
        let program = self.stage.program.to_string_lossy();
        if shown
            .clone()
            .any(|text| text.contains(&*dir) || text.contains(&*program))
        {
            return Err(anyhow::anyhow!("the model was shown a path of this machine").into());
        }
        page.line("");
        page.prose(&format!(
            "{}, {} processes, {} admitted, {} withheld; {} characters shown to the model, with no path of \
             this machine in them. The broker and its directory are gone when this ends. For a \
             Loom of your own: loom-tools call --help.",
            count(sum(|a| a.tally.calls), "call"),
            thousands(sum(|a| a.tally.processes)),
            count(sum(|a| a.tally.admitted), "row"),
            sum(|a| a.tally.withheld),
            thousands(length),
        ));
        page.flush()?;
        Ok(())
    }
}

/// The eight retrieval tools.
fn retrieve(page: &mut Page, agent: &mut Agent<'_>) -> Result<(), Failure> {
    page.step(
        "A search, and a text that gives orders",
        "The third hit tries to instruct the model. It arrives as what it is: a string in a value, \
         below a notice. A row that brought no label of its own (labelSource query) gets the \
         run's; each row gets a handle.",
    );
    agent.turn_showing(page, 3, &[ask("loom_search", r#"{"query":"quay permit"}"#)])?;

    page.step(
        "Three calls in one turn",
        "Their processes run at once. One event lies above the ceiling: the model learns that there \
         is one, and nothing of it.",
    );
    let calls = [
        ask("loom_context", r#"{"read":"where"}"#),
        ask("loom_profile", "{}"),
        ask("loom_calendar_list", "{}"),
    ];
    agent.turn_showing(page, 1, &calls)?;

    page.step(
        "Rows the run may not see",
        "One label lies above the ceiling. One cannot be read, and a row that cannot be judged is \
         not shown.",
    );
    agent.turn(
        page,
        &[ask("loom_search", r#"{"query":"budget","limit":6}"#)],
    )?;

    page.step(
        "Pages: what there is, and one looked at",
        "The second call reads an outline, not the page.",
    );
    let calls = [
        ask("loom_page_discover", r#"{"kind":"projects","limit":6}"#),
        ask(
            "loom_page_inspect",
            r#"{"target":"Projects/Roof Garden/about.md"}"#,
        ),
    ];
    agent.turn(page, &calls)?;

    page.step(
        "A long page is cut",
        "Of any one text the model gets 4,000 characters at most, and `truncated` says so.",
    );
    agent.turn(
        page,
        &[ask(
            "loom_page_read",
            r#"{"target":"Projects/Roof Garden/about.md"}"#,
        )],
    )?;

    page.step(
        "People: a refusal, a doubt, a person",
        "`merge` would be a verb of the CLI. The component refuses it, so nothing runs. Two people \
         answer to `sam`; the model is told that, and not who.",
    );
    let calls = [
        ask("loom_people", r#"{"query":"merge"}"#),
        ask("loom_people", r#"{"query":"handle:sam"}"#),
        ask("loom_people", r#"{"query":"handle:ilse"}"#),
    ];
    agent.turn(page, &calls)
}

/// The three command tools and `describe_handle`.
fn command(page: &mut Page, agent: &mut Agent<'_>) -> Result<(), Failure> {
    page.step(
        "What commands there are",
        "Each schema becomes one line. `readOnlyGranted` marks what this run may read with.",
    );
    agent.turn_showing(page, 3, &[ask("list_commands", "{}")])?;

    page.step(
        "A granted read, one above the ceiling, one not granted",
        "A batch. Before it, the listing is read anew, and only what it still grants is sent, \
         with --read-only for the broker to check again.",
    );
    let batch = r#"{"calls":[{"command":"people-discovery.dossier","args":{"entity_id":"ilse-brandt","limit":2}},{"command":"ledger.balance","args":{}},{"command":"mail.draft","args":{}}]}"#;
    agent.turn_showing(page, 3, &[ask("run_read_command", batch)])?;

    page.step(
        "What a handle stands for",
        "Its label and where it came from, never its content. The second token is one that nobody \
         was given.",
    );
    let known = format!(r#"{{"token":"{}"}}"#, agent.handle("mail-0002")?);
    let calls = [
        ask("describe_handle", known),
        ask("describe_handle", r#"{"token":"cfh:v:22222"}"#),
    ];
    agent.turn(page, &calls)?;

    page.step(
        "A write without the authority for it",
        "The task of this run came as context, not as a command of Mira's. Nothing starts, whatever \
         a mail told the model to do.",
    );
    agent.turn(page, &[ask("run_command", NOTE)])
}
