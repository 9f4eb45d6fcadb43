//! What crosses the boundary, one value each: the lines of a recording. The types of
//! `wit/world.wit` appear as serde writes them, with the names they have in Rust.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::bytes::Bytes;
use crate::bindings::exports::loom::tools::tools::{Descriptor, Reply, Settings, Turn};
use crate::bindings::loom::tools::process::{Answer, Failure, Request};

/// The format's version.
pub(crate) const VERSION: u32 = 1;

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Crossing<'a> {
    /// The first line: what was recorded, and what the run was started or continued with.
    Start(Box<Start<'a>>),
    /// The host calls the component.
    Call(Op<'a>),
    /// Within a call, the component asks for processes …
    Requests(Cow<'a, [Request]>),
    /// … and the host answers, a line for each request.
    Answer(Outcome<'a>),
    /// What the call, or the start, returned.
    Return(Ret<'a>),
    /// The call, or the start, ended the run instead.
    Ended(Ending<'a>),
}

/// What ended a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Ending<'a> {
    /// The component broke a limit of this name.
    Limit(Cow<'a, str>),
    /// The component trapped. Where depends on how it was compiled.
    Trapped,
    /// The component answered what its interface does not allow: this of it.
    Malformed(Cow<'a, str>),
    /// The host ended it, or its clock did: what the operator was told. No property of the component.
    Host(Cow<'a, str>),
}

/// The head of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Start<'a> {
    /// [`VERSION`].
    pub(crate) recording: u32,
    /// Whether the texts of this recording are digests.
    pub(crate) redacted: bool,
    /// The version of the host that recorded.
    pub(crate) loom_tools: Cow<'a, str>,
    /// The SHA-256 of the component's file.
    pub(crate) component: Cow<'a, str>,
    pub(crate) settings: Cow<'a, Settings>,
    /// The saved run that was continued.
    pub(crate) saved: Option<Cow<'a, str>>,
}

/// A function of the component's `run`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Op<'a> {
    Tools,
    Invoke(Cow<'a, Turn>),
    Label,
    Save,
    ResolveResult(Cow<'a, str>),
}

/// What one of them returned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Ret<'a> {
    /// Of `start` and `resume`.
    Started(Result<(), Cow<'a, str>>),
    Tools(Cow<'a, [Descriptor]>),
    Replies(Cow<'a, [Reply]>),
    Label(Cow<'a, str>),
    Saved(Cow<'a, str>),
    Resolved(Result<Cow<'a, str>, Cow<'a, str>>),
}

/// What one request got.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) enum Outcome<'a> {
    Failed(Failure),
    #[serde(rename_all = "camelCase")]
    Exited {
        exit_code: i32,
        stdout: Bytes<'a>,
    },
}

impl<'a> Crossing<'a> {
    pub(crate) fn of_answer(answer: &'a Result<Answer, Failure>) -> Self {
        Self::Answer(match answer {
            Err(failure) => Outcome::Failed(*failure),
            Ok(answer) => Outcome::Exited {
                exit_code: answer.exit_code,
                stdout: Bytes::of(&answer.stdout),
            },
        })
    }
}

impl Outcome<'_> {
    /// What the component was told; none when the bytes are written as none.
    pub(crate) fn into_answer(self) -> Option<Result<Answer, Failure>> {
        match self {
            Self::Failed(failure) => Some(Err(failure)),
            Self::Exited { exit_code, stdout } => Some(Ok(Answer {
                exit_code,
                stdout: stdout.decode()?,
            })),
        }
    }
}
