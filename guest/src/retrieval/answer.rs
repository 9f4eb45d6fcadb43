//! Reads the answer of a retrieval: a payload with its rows, or one of the failures of contract
//! section 3, in the order given there. No host text passes, but for a code that is an identifier.

use super::{Rows, Shape, resolves_a_person};
use crate::bindings::loom::tools::process::{Failure, Operation};
use crate::json::scan::{Outline, Raw, outline};
use crate::json::{Value, parse_within, unmarked};
use crate::rules::identifier;
use crate::shown;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Cancelled,
    CommandFailed,
    /// With the host's code, when it is an identifier.
    HostRefused(Option<String>),
    NotFound,
    Contested,
    SchemaVersionMismatch,
    MalformedPayload,
}

impl Code {
    /// The error the model is shown: a fixed sentence, and the host's code when it gave one.
    pub(crate) fn shown(&self, output_id: &str) -> String {
        let (name, message) = match self {
            Self::Cancelled => (
                "cancelled",
                "The turn was cancelled before the host command.",
            ),
            Self::HostRefused(_) => ("host_refused", "The host refused the request."),
            Self::NotFound => ("not_found", "No live person matches."),
            Self::Contested => (
                "contested",
                "More than one live person matches. Name one by an email address or `person:…`.",
            ),
            Self::SchemaVersionMismatch => (
                "schema_version_mismatch",
                "The host's search answer states a schema version other than 1.",
            ),
            Self::MalformedPayload => (
                "malformed_payload",
                "The host's answer does not have the shape that the command returns.",
            ),
            Self::CommandFailed => (
                "command_failed",
                "Loom could not be asked, or gave no usable answer.",
            ),
        };
        let host_code = match self {
            Self::HostRefused(code) => code.as_deref(),
            _ => None,
        };
        shown::error(output_id, name, message, host_code)
    }
}

/// The members of a payload that decide how it is read.
const DECIDING: [&str; 4] = ["ok", "code", "schemaVersion", "hasProfile"];

/// A payload whose rows can be read one at a time.
#[derive(Debug)]
pub(crate) struct Payload<'a> {
    rows: Raw<'a>,
    single: bool,
    /// How many rows it has.
    pub(crate) count: usize,
    /// The envelope fields present, in the order shown.
    pub(crate) envelope: Vec<(&'static str, Raw<'a>)>,
}

impl<'a> Payload<'a> {
    pub(crate) fn rows(&self) -> impl Iterator<Item = Raw<'a>> {
        let itself = self.single.then_some(self.rows);
        let listed = (!self.single).then(|| self.rows.elements());
        itself.into_iter().chain(listed.into_iter().flatten())
    }
}

/// The members to look for in an answer of this shape.
pub(crate) fn wanted(shape: &Shape) -> Vec<&'static str> {
    let rows = match shape.rows {
        Rows::Member(name) => Some(name),
        Rows::List | Rows::Itself => None,
    };
    DECIDING
        .into_iter()
        .chain(rows)
        .chain(shape.envelope.iter().copied())
        .collect()
}

/// Reads the payload out of an answer's standard output.
pub(crate) fn read<'a>(
    shape: &Shape,
    operation: &Operation,
    exit_code: i32,
    stdout: &'a [u8],
    wanted: &'a [&'a str],
) -> Result<Payload<'a>, Code> {
    let Ok(outline) = outline(unmarked(stdout), wanted) else {
        return Err(match exit_code {
            1 if resolves_a_person(operation) => Code::NotFound,
            3 if resolves_a_person(operation) => Code::Contested,
            _ => Code::CommandFailed,
        });
    };
    if is(&outline, "ok", "false") {
        return Err(Code::HostRefused(host_code(&outline)));
    }
    let fallback_profile = matches!(operation, Operation::Profile(_))
        && exit_code == 1
        && is(&outline, "hasProfile", "false");
    if exit_code != 0 && !fallback_profile {
        return Err(Code::CommandFailed);
    }
    if matches!(operation, Operation::Search(_)) && !states_version_1(&outline) {
        return Err(Code::SchemaVersionMismatch);
    }
    let found = match shape.rows {
        Rows::Member(name) => outline
            .member(name)
            .map(|member| (member.raw, member.count))
            .filter(|(r, _)| r.is_list()),
        Rows::List => outline
            .raw
            .is_list()
            .then_some((outline.raw, outline.count)),
        Rows::Itself => outline.raw.is_object().then_some((outline.raw, 1)),
    };
    let (rows, count) = found.ok_or(Code::MalformedPayload)?;
    let field = |&name: &&'static str| Some((name, outline.member(name)?.raw));
    let envelope = shape.envelope.iter().filter_map(field).collect();
    Ok(Payload {
        rows,
        single: shape.rows == Rows::Itself,
        count,
        envelope,
    })
}

/// What failed before there was an answer to read.
pub(crate) fn failure(failure: Failure) -> Code {
    match failure {
        Failure::Cancelled => Code::Cancelled,
        Failure::NotGranted | Failure::NotStarted | Failure::Lost => Code::CommandFailed,
    }
}

fn is(outline: &Outline<'_>, name: &str, literal: &str) -> bool {
    outline
        .member(name)
        .is_some_and(|member| member.raw.is(literal))
}

fn host_code(outline: &Outline<'_>) -> Option<String> {
    match parse_within(outline.member("code")?.raw, 1)? {
        Value::String(code) => identifier(&code).map(str::to_owned),
        _ => None,
    }
}

/// A search object states the number 1 or no version at all; what is no object states none.
fn states_version_1(outline: &Outline<'_>) -> bool {
    outline.member("schemaVersion").is_none_or(|member| {
        parse_within(member.raw, 1).and_then(|version| version.as_integer_to(1)) == Some(1)
    })
}
