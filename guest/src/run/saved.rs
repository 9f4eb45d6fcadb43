//! A run as saved text, and back (contract, section 10). What is read back is checked whole: its
//! format, its digest, its run, every token derived again. Refused whole, never half read.

use std::collections::BTreeMap;
use std::rc::Rc;

use sha2::{Digest, Sha256};

use super::Run;
use crate::bindings::exports::loom::tools::tools::Settings;
use crate::commands::{Catalog, Command, Declared};
use crate::entry::MAX_LABELS;
use crate::entry::{Admitted, LabelSource};
use crate::handles::{Handles, Provenance, Referent};
use crate::json::{Fields, MAX_DEPTH, Object, Value, parse_nested, to_string};
use crate::label::{Join, Label, confidentiality_json, label};
use crate::tools::Tool;

const FORMAT: &str = "loom-tools-run";
const VERSION: usize = 1;
/// The largest index, count or version that is saved (contract, section 6).
const MAX_COUNT: u64 = (1 << 53) - 1;
/// How deep a saved run nests: what it holds may itself nest as deep as any JSON.
const MAX_SAVED_DEPTH: usize = MAX_DEPTH + 8;

impl Run {
    /// The run's catalog, handles, counter and label, as JSON.
    pub fn save(&self) -> String {
        let body = self.body();
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("format", FORMAT)
            .number("version", VERSION)
            .string("runId", &self.run_id)
            .string("sha256", &digest(&body))
            .raw("body", &body);
        fields.close();
        out
    }

    /// Continues a run from what `save` returned.
    pub fn resume(settings: Settings, saved: &str) -> Result<Self, String> {
        let mut run = Self::start(settings)?;
        let saved = parse_nested(saved, MAX_SAVED_DEPTH)
            .map_err(|_| "The saved run is not JSON: it is damaged.")?;
        let text = |name| saved.as_object()?.get(name)?.as_str();
        if text("format") != Some(FORMAT) {
            return Err("The saved state is no saved run of loom-tools.".into());
        }
        let member = |name| saved.as_object().and_then(|saved| saved.get(name));
        if member("version").and_then(|version| version.as_integer_to(MAX_COUNT))
            != Some(VERSION as u64)
        {
            return Err("The saved run is of another version of loom-tools.".into());
        }
        if text("runId") != Some(&run.run_id) {
            return Err("The saved run is another run: its run id differs.".into());
        }
        let damaged = "The saved run is damaged: its content does not match its digest.";
        let body = member("body").ok_or(damaged)?;
        if text("sha256") != Some(&digest(&to_string(body))) {
            return Err(damaged.into());
        }
        run.take_up(body)
            .ok_or("The saved run is damaged: it does not hold what a run holds.")?;
        Ok(run)
    }

    fn body(&self) -> String {
        let mut labels = Labels::default();
        let handles: Vec<String> = self
            .handles
            .iter()
            .map(|(token, referent)| handle(token, referent, labels.index(&referent.label)))
            .collect();
        let catalog = self
            .catalog
            .as_ref()
            .map_or_else(|| "null".to_owned(), self::catalog);
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .raw("counter", &self.counter.to_string())
            .raw("label", &confidentiality_json(self.label.clauses()))
            .raw("catalog", &catalog)
            .raw("labels", &format!("[{}]", labels.json.join(",")))
            .raw("handles", &format!("[{}]", handles.join(",")));
        fields.close();
        out
    }

    fn take_up(&mut self, body: &Value) -> Option<()> {
        let body = body.as_object()?;
        self.counter = body.get("counter")?.as_integer_to(u64::MAX)?;
        self.label = Join::of(label(body.get("label")?)?.confidentiality());
        if self.label.size() > MAX_LABELS {
            return None;
        }
        self.catalog = match body.get("catalog")? {
            Value::Null => None,
            Value::Object(catalog) => Some(read_catalog(catalog)?),
            _ => return None,
        };
        let labels = body.get("labels")?.as_array()?.iter();
        let labels = labels
            .map(|value| label(value).map(Rc::new))
            .collect::<Option<Vec<_>>>()?;
        for handle in body.get("handles")?.as_array()? {
            take_up_handle(&mut self.handles, handle.as_object()?, &labels)?;
        }
        Some(())
    }
}

/// Labels by their identity, each written once: most rows share one.
#[derive(Default)]
struct Labels {
    json: Vec<String>,
    places: BTreeMap<*const Label, usize>,
}

impl Labels {
    fn index(&mut self, label: &Rc<Label>) -> usize {
        let next = self.json.len();
        let place = *self.places.entry(Rc::as_ptr(label)).or_insert(next);
        if place == next {
            self.json.push(to_string(&label.measured()));
        }
        place
    }
}

fn handle(token: &str, referent: &Referent, label: usize) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("token", token)
        .string("source", &referent.source)
        .raw("value", &referent.value)
        .number("label", label)
        .string("labelSource", referent.label_source.name());
    if let Some(provenance) = &referent.provenance {
        let mut json = String::new();
        let mut provenance_fields = Fields::open(&mut json);
        provenance_fields
            .string("command", &provenance.command)
            .string("actor", "agent");
        if let Some(loom_id) = &provenance.loom_id {
            provenance_fields.string("loomId", loom_id);
        }
        if let Some(version) = provenance.version {
            provenance_fields.raw("version", &version.to_string());
        }
        provenance_fields.close();
        fields.raw("provenance", &json);
    }
    fields.close();
    out
}

fn take_up_handle(handles: &mut Handles, saved: &Object, labels: &[Rc<Label>]) -> Option<()> {
    let text = |name| saved.get(name).and_then(Value::as_str);
    let label_source = match text("labelSource")? {
        "row" => LabelSource::Row,
        "query" => LabelSource::Query,
        "command" => LabelSource::Command,
        _ => return None,
    };
    let source = Tool::named(text("source")?)?.id();
    let label = usize::try_from(saved.get("label")?.as_integer_to(MAX_COUNT)?).ok()?;
    let (value, label) = (saved.get("value")?.clone(), Rc::clone(labels.get(label)?));
    let row = Admitted::new(value, label, label_source, false);
    let provenance = match saved.get("provenance") {
        None => None,
        Some(provenance) => {
            let provenance = provenance.as_object()?;
            let text = |name| {
                provenance
                    .get(name)
                    .and_then(Value::as_str)
                    .map(str::to_owned)
            };
            let version = match provenance.get("version") {
                None => None,
                Some(version) => Some(version.as_integer_to(MAX_COUNT)?),
            };
            Some(Provenance {
                command: text("command")?,
                loom_id: text("loomId"),
                version,
            })
        }
    };
    let candidate = handles.candidate(source, &row, label_source, provenance)?;
    // Held in the same order, a row derives the same token again.
    if Some(candidate.token.as_str()) != text("token") || handles.get(&candidate.token).is_some() {
        return None;
    }
    handles.hold(candidate);
    Some(())
}

fn catalog(catalog: &Catalog) -> String {
    let command = |command: &Command| {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .string("id", &command.id)
            .string("signature", &command.signature);
        if let Some(title) = &command.title {
            fields.string("title", title);
        }
        if let Some(description) = &command.description {
            fields.string("description", description);
        }
        if let Some(effect) = command.effect {
            fields.string("effect", effect.name());
        }
        fields
            .bool("readOnlyGranted", command.read_only_granted)
            .raw("inputSchema", &command.input_schema);
        fields.close();
        out
    };
    let commands: Vec<String> = catalog.commands().iter().map(command).collect();
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .number("hidden", catalog.hidden)
        .number("omitted", catalog.omitted)
        .raw("commands", &format!("[{}]", commands.join(",")));
    fields.close();
    out
}

fn read_catalog(saved: &Object) -> Option<Catalog> {
    let count = |name| usize::try_from(saved.get(name)?.as_integer_to(MAX_COUNT)?).ok();
    let command = |command: &Value| {
        let command = command.as_object()?;
        let text = |name| command.get(name).and_then(Value::as_str).map(str::to_owned);
        Some(Command {
            id: text("id")?,
            signature: text("signature")?,
            title: text("title"),
            description: text("description"),
            effect: match text("effect") {
                None => None,
                Some(name) => Some(Declared::named(&name)?),
            },
            read_only_granted: command.get("readOnlyGranted")?.as_bool()?,
            input_schema: to_string(command.get("inputSchema")?),
        })
    };
    let commands = saved
        .get("commands")?
        .as_array()?
        .iter()
        .map(command)
        .collect::<Option<_>>()?;
    Some(Catalog::of(commands, count("hidden")?, count("omitted")?))
}

fn digest(body: &str) -> String {
    Sha256::digest(body.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
