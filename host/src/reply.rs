//! What the component answers, held to its shape before anyone reads it: a component that lies
//! gets its run ended, with a word on what was wrong, and no harness has to parse its answer.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::value::RawValue;

use crate::bindings::exports::loom::tools::tools::{Call, Descriptor, Effect, Reply};
use crate::limits::Limit;
use crate::plain::is_plain;
use crate::rules::nests_deeper;
use crate::tools::{tool_family, tool_writes};

/// How deep an answer may nest. Threat: a reader that recurses runs out of stack. Trade: a row
/// nests 128 deep, and a reply puts a little around it.
pub(crate) const DEPTH: usize = 256;

/// The longest id of a reply, in bytes. Threat: a text that nothing else bounds reaches a harness's
/// record. Trade: a run's id, the beginning of a tool's name and a counter. The name may be one that a
/// model made up, so the id is data like the rest: no character in it ends a run.
const OUTPUT_ID: usize = 512;

/// What was wrong with an answer of the component; for the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A turn got another number of replies than it has calls.
    Count {
        /// How many calls the turn has.
        calls: usize,
        /// How many replies came.
        replies: usize,
    },
    /// A reply is not for the call at its place.
    CallId {
        /// The place, from zero.
        place: usize,
    },
    /// The id of a reply is longer than 512 bytes.
    OutputId {
        /// The place, from zero.
        place: usize,
    },
    /// What should be one line of JSON, nested at most 256 deep, is not. That it nests deeper is told
    /// the same way.
    Json {
        /// Which part of the answer.
        part: &'static str,
    },
    /// A descriptor is not that of a tool this host knows.
    Tool {
        /// The place, from zero.
        place: usize,
        /// What of it is wrong.
        part: &'static str,
    },
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { calls, replies } => write!(f, "{replies} replies to {calls} calls"),
            Self::CallId { place } => write!(f, "reply {} is for another call", place + 1),
            Self::OutputId { place } => write!(f, "the id of reply {} is too long", place + 1),
            Self::Json { part } => write!(f, "its `{part}` is not one line of JSON"),
            Self::Tool { place, part } => write!(f, "the `{part}` of tool {}", place + 1),
        }
    }
}

/// Why an answer is not handed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unfit {
    Flaw(Flaw),
    Limit(Limit),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flaw(flaw) => flaw.fmt(f),
            Self::Limit(limit) => limit.fmt(f),
        }
    }
}

impl std::error::Error for Unfit {}

impl From<Flaw> for Unfit {
    fn from(flaw: Flaw) -> Self {
        Self::Flaw(flaw)
    }
}

/// One reply to each call, in order, each showing at most `shown` bytes, every part JSON.
pub(crate) fn replies(replies: &[Reply], calls: &[Call], shown: usize) -> Result<(), Unfit> {
    if replies.len() != calls.len() {
        let (calls, replies) = (calls.len(), replies.len());
        return Err(Flaw::Count { calls, replies }.into());
    }
    for (place, (reply, call)) in replies.iter().zip(calls).enumerate() {
        if reply.call_id != call.id {
            return Err(Flaw::CallId { place }.into());
        }
        if reply.output_id.len() > OUTPUT_ID {
            return Err(Flaw::OutputId { place }.into());
        }
        if reply.shown.len() > shown {
            return Err(Unfit::Limit(Limit::Shown));
        }
        json("shown", &reply.shown)?;
        json("artifact", &reply.artifact)?;
        json("decision", &reply.decision)?;
        if let Some(observation) = &reply.observation {
            json("observation", observation)?;
        }
    }
    Ok(())
}

/// Tools this host knows, none twice, each with the effect it has here: a harness asks a person
/// before a write, and must not be told that one is a read.
pub(crate) fn tools(tools: &[Descriptor]) -> Result<(), Unfit> {
    let mut seen = BTreeSet::new();
    for (place, tool) in tools.iter().enumerate() {
        let known = tool_family(&tool.id).is_some() && seen.insert(&tool.id);
        let writes = tool.effect == Effect::Write;
        let text = |text: &str| text.chars().all(|c| c == '\n' || is_plain(c));
        let schema = &tool.input_schema;
        let parts = [
            ("id", known),
            ("effect", writes == tool_writes(&tool.id)),
            ("title", tool.title.chars().all(is_plain)),
            ("description", text(&tool.description)),
            (
                "tags",
                tool.tags.iter().all(|tag| tag.chars().all(is_plain)),
            ),
            (
                "input-schema",
                schema.starts_with('{') && json("input-schema", schema).is_ok(),
            ),
        ];
        if let Some((part, _)) = parts.into_iter().find(|(_, good)| !good) {
            return Err(Flaw::Tool { place, part }.into());
        }
    }
    Ok(())
}

/// One line of JSON. A line break between two tokens would let an answer pass for two lines of a
/// session.
pub(crate) fn json(part: &'static str, text: &str) -> Result<(), Unfit> {
    let control = text.bytes().fold(false, |seen, byte| seen | (byte < b' '));
    let parsed = || serde_json::from_str::<&RawValue>(text).is_ok();
    if !control && !nests_deeper(text.as_bytes(), DEPTH) && parsed() {
        Ok(())
    } else {
        Err(Flaw::Json { part }.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Flaw, Limit, Reply, Unfit, json, replies};

    fn call() -> Call {
        Call {
            id: "1".to_owned(),
            tool: "loom_profile".to_owned(),
            input: String::new(),
            input_label: None,
        }
    }

    fn reply(output_id: &str, shown: &str) -> Reply {
        Reply {
            call_id: "1".to_owned(),
            output_id: output_id.to_owned(),
            shown: shown.to_owned(),
            artifact: "{}".to_owned(),
            observation: None,
            decision: "{}".to_owned(),
        }
    }

    #[test]
    fn a_replys_id_is_at_most_512_bytes() {
        let of = |output_id: &str| replies(&[reply(output_id, "{}")], &[call()], 9);
        assert_eq!(of(&"é".repeat(256)), Ok(()));
        let flaw = Unfit::Flaw(Flaw::OutputId { place: 0 });
        assert_eq!(of(&format!("{}a", "é".repeat(256))), Err(flaw));
        assert_eq!(flaw.to_string(), "the id of reply 1 is too long");
    }

    #[test]
    fn what_is_shown_is_at_most_its_bound() {
        let of = |shown: &str| replies(&[reply("r:t:1", shown)], &[call()], 4);
        assert_eq!(of("\"ab\""), Ok(()));
        assert_eq!(of("\"abc\""), Err(Unfit::Limit(Limit::Shown)));
    }

    #[test]
    fn only_one_line_of_json_is_json() {
        for good in [
            "{}",
            "[1, 2]",
            "\"\u{7f}é\"",
            "null",
            "1e400",
            r#""\ud83d""#,
        ] {
            assert_eq!(json("shown", good), Ok(()), "{good}");
        }
        let deep = |depth| "[".repeat(depth) + &"]".repeat(depth);
        assert_eq!(json("shown", &deep(256)), Ok(()));
        for bad in [
            "",
            "{",
            "{} {}",
            "NaN",
            "[1,\n2]",
            "{}\r",
            "\"\t\"",
            &deep(257),
        ] {
            let flaw = Unfit::Flaw(Flaw::Json { part: "shown" });
            assert_eq!(json("shown", bad), Err(flaw), "{bad}");
        }
    }
}
