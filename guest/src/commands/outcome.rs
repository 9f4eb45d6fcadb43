//! Reads what `command run` answered: the outcome, which is shown whether or not the answer is
//! withheld, so that only booleans, counts and identifiers pass; or that the answer is lost. The
//! exit code is not read.

use super::call::MAX_VERSION;
use crate::bindings::loom::tools::process::{Answer, Failure};
use crate::json::scan::{Outline, Raw, outline};
use crate::json::{Fields, Value, parse_within, to_string, unmarked};
use crate::rules::identifier;
use crate::shown::Landed;

/// The most operation ids of `completed` that are shown.
const MAX_COMPLETED: usize = 32;
/// An answer of more values than this is not built to be counted in bytes, a guard of the memory: its
/// duplicate keys, if it has any, count each time they stand.
const MAX_COUNTED_VALUES: usize = 1 << 18;

const WANTED: [&str; 6] = [
    "ok",
    "id",
    "code",
    "may_have_landed",
    "completed",
    "outputs",
];

/// What the command layer answered.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    ok: bool,
    id: Option<String>,
    code: Option<String>,
    may_have_landed: Option<bool>,
    /// The first identifiers of `completed`, and how many it held.
    completed: Option<(Vec<String>, usize)>,
    body_bytes: usize,
    /// `outputs.version`, for the referent's provenance.
    pub(crate) version: Option<u64>,
}

/// Why there is no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Undelivered {
    pub(crate) landed: Landed,
    pub(crate) code: &'static str,
    pub(crate) message: &'static str,
}

/// How much of an outcome is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// With the ids of what was completed.
    Whole,
    /// As in a batch: their count instead.
    Compact,
    /// Only `ok`, `code` and `bodyBytes`, marked as such.
    Smallest,
}

/// Before an answer is read: a request that failed.
pub(crate) fn undelivered(failure: Failure) -> Undelivered {
    let (landed, code, message) = match failure {
        Failure::Cancelled => (Landed::No, "cancelled", CANCELLED),
        Failure::NotGranted | Failure::NotStarted => (Landed::No, "command_failed", NOT_STARTED),
        Failure::Lost => (Landed::Unknown, "command_failed", LOST),
    };
    Undelivered {
        landed,
        code,
        message,
    }
}

const CANCELLED: &str = "The turn was cancelled before the command was sent.";
const NOT_STARTED: &str = "The command could not be sent. Nothing was started.";
const LOST: &str = "The command was sent and its answer was lost. It may have taken effect: find \
     out before running it again.";
const UNREADABLE: &str = "The command was sent and its answer could not be read. It may have taken \
     effect: find out before running it again.";

/// Reads the outcome of an answer, and the answer itself as the row to measure.
pub(crate) fn read(answer: &Result<Answer, Failure>) -> Result<(Outcome, Raw<'_>), Undelivered> {
    let answer = answer.as_ref().map_err(|failure| undelivered(*failure))?;
    let lost = |code| Undelivered {
        landed: Landed::Unknown,
        code,
        message: UNREADABLE,
    };
    let outline = outline(unmarked(&answer.stdout), &WANTED);
    let outline = outline.map_err(|_| lost("command_failed"))?;
    let ok = match member(&outline, "ok") {
        Some(Value::Bool(ok)) => ok,
        _ => return Err(lost("malformed_payload")),
    };
    let text_of = |name| match member(&outline, name) {
        Some(Value::String(text)) => identifier(&text).map(str::to_owned),
        _ => None,
    };
    let outcome = Outcome {
        ok,
        id: text_of("id"),
        code: text_of("code"),
        may_have_landed: member(&outline, "may_have_landed").and_then(|flag| flag.as_bool()),
        completed: completed(&outline),
        body_bytes: parse_within(outline.raw, MAX_COUNTED_VALUES).map_or_else(
            || outline.raw.compact_len(),
            |value| to_string(&value).len(),
        ),
        version: outline
            .member("outputs")
            .and_then(|outputs| version(outputs.raw)),
    };
    Ok((outcome, outline.raw))
}

/// A member of one value: a scalar, or an empty container.
fn member(outline: &Outline<'_>, name: &str) -> Option<Value> {
    parse_within(outline.member(name)?.raw, 1)
}

/// The version an answer's `outputs` report, when it is an integer from 0 to 2^53-1.
fn version(outputs: Raw<'_>) -> Option<u64> {
    parse_within(outputs.member("version")?, 1)?.as_integer_to(MAX_VERSION)
}

fn completed(outline: &Outline<'_>) -> Option<(Vec<String>, usize)> {
    let list = outline
        .member("completed")
        .filter(|list| list.raw.is_list())?;
    let mut first = Vec::new();
    let mut count = 0;
    for element in list.raw.elements() {
        if let Some(Value::String(text)) = parse_within(element, 1)
            && let Some(id) = identifier(&text)
        {
            count += 1;
            if first.len() < MAX_COMPLETED {
                first.push(id.to_owned());
            }
        }
    }
    Some((first, count))
}

impl Outcome {
    /// Whether the broker or the command layer refused the command to this run.
    pub(crate) fn is_refusal(&self) -> bool {
        !self.ok && matches!(self.code.as_deref(), Some("forbidden" | "refused"))
    }

    /// Whether the arguments do not match the command's schema.
    pub(crate) fn is_bad_args(&self) -> bool {
        !self.ok && self.code.as_deref() == Some("bad-args")
    }

    pub(crate) fn to_json(&self, form: Form) -> String {
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        let all = form != Form::Smallest;
        fields.bool("ok", self.ok);
        if let Some(id) = self.id.as_ref().filter(|_| all) {
            fields.string("id", id);
        }
        match &self.code {
            Some(code) if self.is_refusal() => {
                fields.string("code", "not_granted");
                if all {
                    fields.string("hostCode", code);
                }
            }
            Some(code) => {
                fields.string("code", code);
            }
            None => {}
        }
        if let Some(flag) = self.may_have_landed.filter(|_| all) {
            fields.bool("mayHaveLanded", flag);
        }
        match (&self.completed, form) {
            (Some((ids, _)), Form::Whole) => {
                fields.strings("completed", ids);
            }
            (Some((_, count)), Form::Compact) => {
                fields.number("completedOmitted", *count);
            }
            _ => {}
        }
        fields.number("bodyBytes", self.body_bytes);
        if !all {
            fields.bool("summaryOmitted", true);
        }
        fields.close();
        out
    }
}
