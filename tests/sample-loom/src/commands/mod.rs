//! The command layer: a manifest, who may run what of it, and what running it does.
//!
//! A run passes three gates in order, each with a code of its own. The **broker** knows
//! its scope, what was withdrawn, the job and the read-only grants: `forbidden`. The
//! **command layer** refuses what only people may do: `refused`. The **schema** of the
//! command judges the arguments: `bad-args`. Only then does a handler see the call.

mod gate;
mod handlers;
mod manifest;
mod outcome;
mod schema;
mod state;

pub(crate) use gate::CommandOptions;
pub(crate) use state::State;

use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use crate::answer::Answer;
use crate::operation::CommandRun;
use crate::retrieval::View;
use gate::Gate;
use handlers::Run;
use outcome::Outcome;

/// The commands of one broker and what they have written so far.
pub(crate) struct Commands {
    rows: Vec<Value>,
    gate: Gate,
    state: State,
}

impl Commands {
    pub(crate) fn new(options: CommandOptions) -> Self {
        Self {
            rows: manifest::rows(),
            gate: Gate::new(options),
            state: State::new(),
        }
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// `command list`.
    pub(crate) fn list(&self, job: Option<&str>) -> Answer {
        if !self.gate.admits_job(job) {
            return Answer::refusal("forbidden", "This job may not list commands.");
        }
        let shown = self.rows.iter().filter(|row| match manifest::id(row) {
            Some(id) => self.gate.admits(id),
            // Rows without an id are the host's own mistake and in nobody's scope.
            None => self.gate.is_open(),
        });
        let rows: Vec<Value> = shown.map(|row| self.stamped(row)).collect();
        Answer::json(&json!({ "commands": rows }))
    }

    /// `command run`.
    pub(crate) fn run(
        &self,
        view: &View<'_>,
        run: &CommandRun,
        stdin: &str,
        job: Option<&str>,
        halt: &AtomicBool,
    ) -> Answer {
        let row = match self.admitted(run, job) {
            Ok(row) => row,
            Err(sentence) => return Outcome::failed("forbidden", sentence).answer(&run.id),
        };
        if manifest::for_people_only(row) {
            let sentence = "This command is not for agents.";
            return Outcome::failed("refused", sentence).answer(&run.id);
        }
        let args = match arguments(row, stdin) {
            Ok(args) => args,
            Err(errors) => {
                let outcome = Outcome::failed("bad-args", "The args do not match the schema.");
                return outcome.with("errors", json!(errors)).answer(&run.id);
            }
        };
        let on_loom = row.get("scope").and_then(Value::as_str) == Some("loom");
        if on_loom && run.loom.is_none() {
            return Outcome::failed("loom-required", "Name a loom.").answer(&run.id);
        }
        let call = Run {
            view,
            state: &self.state,
            args: &args,
            sent: stdin,
            loom: run.loom.as_deref(),
            expect: run.expect,
            halt,
        };
        handlers::handle(&run.id, &call).answer(&run.id)
    }

    /// `control`: changes the gate of the running broker.
    pub(crate) fn control(&self, verb: &str, command: &str) -> Answer {
        if !self
            .rows
            .iter()
            .any(|row| manifest::id(row) == Some(command))
        {
            return Answer::refusal("unknown-command", "There is no such command.");
        }
        self.gate.turn(verb, command);
        Answer::json(&json!({ "ok": true, "verb": verb, "command": command }))
    }

    fn admitted(&self, run: &CommandRun, job: Option<&str>) -> Result<&Value, &'static str> {
        if !self.gate.admits_job(job) {
            return Err("This job may not run commands.");
        }
        let mut known = self
            .rows
            .iter()
            .filter(|row| manifest::id(row) == Some(&run.id));
        let row = known.next().filter(|_| self.gate.admits(&run.id));
        let row = row.ok_or("The broker does not offer this command.")?;
        if run.read_only && !(manifest::reads(row) && self.gate.grants_read(&run.id)) {
            return Err("The broker grants no read-only run of this command.");
        }
        Ok(row)
    }

    fn stamped(&self, row: &Value) -> Value {
        let mut row = row.clone();
        let granted = manifest::id(&row).is_some_and(|id| self.gate.grants_read(id));
        if granted
            && manifest::reads(&row)
            && let Some(fields) = row.as_object_mut()
        {
            fields.insert("readOnlyGranted".to_owned(), Value::Bool(true));
        }
        row
    }
}

/// The arguments as the command will see them: what the call leaves out and the host
/// knows (`x-source`) is filled in before the schema is asked.
fn arguments(row: &Value, stdin: &str) -> Result<Map<String, Value>, Vec<String>> {
    let mut args: Map<String, Value> =
        serde_json::from_str(stdin).map_err(|_| vec!["args is no JSON object".to_owned()])?;
    let Some(inputs) = row.get("inputs") else {
        return Ok(args);
    };
    let properties = inputs.get("properties").and_then(Value::as_object);
    for (name, property) in properties.into_iter().flatten() {
        let known = property
            .get("x-source")
            .and_then(Value::as_str)
            .and_then(from_context);
        if let (Some(value), false) = (known, args.contains_key(name)) {
            args.insert(name.clone(), value);
        }
    }
    let args = Value::Object(args);
    let errors = schema::errors(inputs, &args);
    match args {
        Value::Object(args) if errors.is_empty() => Ok(args),
        _ => Err(errors),
    }
}

fn from_context(source: &str) -> Option<Value> {
    (source == "context.project").then(|| json!("Projects/Harbour Library"))
}
