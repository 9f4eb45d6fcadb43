//! `loom-tools session`: one turn a line on standard input, one line of replies for each. A line
//! that is no turn gets an error, and the session goes on.

use std::io::{self, BufRead};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::Environment;
use super::args::SessionCommand;
use super::driven::Driven;
use super::error::Failure;
use super::json::{ReplyJson, raw};
use super::output;
use crate::object::{Object, present};
use crate::rules::nests_deeper;
use crate::run::Call;
use crate::text::mend;

/// The longest line, in bytes (contract, section 10).
const MAX_LINE: usize = 8 << 20;
/// The deepest that a line nests.
const MAX_DEPTH: usize = 192;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    calls: Option<Vec<Object<LineCall>>>,
    #[serde(default, deserialize_with = "present")]
    resolve_result: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LineCall {
    id: String,
    tool: String,
    #[serde(default, deserialize_with = "present")]
    input: Option<Box<RawValue>>,
    /// A null is a label that cannot be read, and not an absent one.
    #[serde(default, deserialize_with = "present")]
    input_label: Option<Box<RawValue>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Answer {
    Resolved(Box<RawValue>),
    Error(Box<RawValue>),
    #[serde(untagged)]
    Turn {
        replies: Vec<ReplyJson>,
        label: Box<RawValue>,
    },
}

#[derive(Serialize)]
struct LineError<'a> {
    code: &'a str,
    message: &'a str,
}

/// Takes a line of output.
type Say<'a> = dyn FnMut(&str) -> io::Result<()> + 'a;

pub(super) fn run(command: &SessionCommand, environment: Environment) -> Result<(), Failure> {
    let mut driven = Driven::open(&command.run, &command.state, environment)?;
    serve(&mut driven, &mut io::stdin().lock(), &mut output::line)
}

/// What a session over this run says to these bytes, line by line: for fuzzing, without a terminal
/// and without signals. An error is what would end the program.
#[cfg(feature = "fuzz")]
pub fn session_lines(run: crate::run::Run, mut input: &[u8]) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    let served = serve(&mut Driven::from(run), &mut input, &mut |line| {
        lines.push(line.to_owned());
        Ok(())
    });
    match served {
        Ok(()) => Ok(lines),
        Err(Failure::Usage(message)) => Err(anyhow::Error::msg(message)),
        Err(Failure::Other(error)) => Err(error),
    }
}

fn serve(driven: &mut Driven, input: &mut impl BufRead, say: &mut Say<'_>) -> Result<(), Failure> {
    loop {
        match read_line(input).context("standard input cannot be read")? {
            Read::End => return Ok(()),
            Read::TooLong => invalid_line("The line is longer than 8 MiB.", say)?,
            Read::Line(line) if line.trim_ascii().is_empty() => {}
            Read::Line(line) => answer(driven, &line, say)?,
        }
    }
}

fn answer(driven: &mut Driven, line: &[u8], say: &mut Say<'_>) -> Result<(), Failure> {
    let line = &*mend(line);
    let parsed = if nests_deeper(line, MAX_DEPTH) {
        Err("The line nests deeper than 192.".to_owned())
    } else {
        serde_json::from_slice::<Object<Line>>(line)
            .map(|Object(line)| line)
            .map_err(|error| format!("The line is no turn: {error}."))
    };
    match parsed {
        Err(message) => invalid_line(&message, say),
        Ok(Line {
            calls: Some(calls),
            resolve_result: None,
        }) => {
            let most = driven.run.limits().calls;
            if calls.len() > most {
                return invalid_line(&format!("A turn has at most {most} calls."), say);
            }
            let calls = calls.into_iter().map(|Object(call)| call.into()).collect();
            driven.turn(calls, |run, replies| {
                let replies = replies
                    .into_iter()
                    .map(ReplyJson::of)
                    .collect::<Result<_, _>>()?;
                let label = raw(run.label()?)?;
                print(&Answer::Turn { replies, label }, say)
            })
        }
        Ok(Line {
            calls: None,
            resolve_result: Some(result),
        }) => {
            let answer = match driven.resolve(result.get())? {
                Ok(resolved) => Answer::Resolved(raw(resolved)?),
                Err(refused) => Answer::Error(raw(refused)?),
            };
            print(&answer, say)
        }
        Ok(_) => invalid_line("A line holds either `calls` or `resolveResult`.", say),
    }
}

fn invalid_line(message: &str, say: &mut Say<'_>) -> Result<(), Failure> {
    let code = "invalid_line";
    let error = serde_json::to_string(&LineError { code, message })?;
    print(&Answer::Error(raw(error)?), say)
}

fn print(answer: &Answer, say: &mut Say<'_>) -> Result<(), Failure> {
    Ok(say(&serde_json::to_string(answer)?)?)
}

impl From<LineCall> for Call {
    fn from(call: LineCall) -> Self {
        Self {
            id: call.id,
            tool: call.tool,
            input: call
                .input
                .map(|input| input.get().to_owned())
                .unwrap_or_default(),
            input_label: call.input_label.map(|label| label.get().to_owned()),
        }
    }
}

enum Read {
    End,
    TooLong,
    Line(Vec<u8>),
}

/// Reads one line of at most [`MAX_LINE`] bytes; of a longer one the rest is passed over.
fn read_line(input: &mut impl BufRead) -> io::Result<Read> {
    let mut line = Vec::new();
    let mut long = false;
    loop {
        let chunk = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            chunk => chunk?,
        };
        if chunk.is_empty() {
            return Ok(match (long, line.is_empty()) {
                (true, _) => Read::TooLong,
                (false, true) => Read::End,
                (false, false) => Read::Line(line),
            });
        }
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        long |= line.len() + part.len() > MAX_LINE;
        if long {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(if long {
                Read::TooLong
            } else {
                Read::Line(line)
            });
        }
    }
}
