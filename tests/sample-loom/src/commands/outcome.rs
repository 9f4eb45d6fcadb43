//! How a command ends, and the answer the command line prints for it.

use serde_json::{Map, Value, json};

use crate::answer::Answer;

/// The end of one command.
pub(super) enum Outcome {
    /// `{"ok":…,"id":…, …}` with these further fields; the exit code follows `ok`.
    Told {
        ok: bool,
        fields: Map<String, Value>,
    },
    /// These bytes, whatever they are.
    Raw(Vec<u8>),
    /// No answer: the process dies.
    Died,
}

impl Outcome {
    pub(super) fn done(outputs: Value) -> Self {
        Self::Told {
            ok: true,
            fields: Map::new(),
        }
        .with("outputs", outputs)
    }

    pub(super) fn failed(code: &str, message: &str) -> Self {
        Self::Told {
            ok: false,
            fields: Map::new(),
        }
        .with("code", json!(code))
        .with("message", json!(message))
    }

    /// The operations that took effect.
    pub(super) fn completed(self, operations: &[String]) -> Self {
        self.with("completed", json!(operations))
    }

    pub(super) fn with(mut self, key: &str, value: Value) -> Self {
        if let Self::Told { fields, .. } = &mut self {
            fields.insert(key.to_owned(), value);
        }
        self
    }

    pub(super) fn answer(self, id: &str) -> Answer {
        match self {
            Self::Told { ok, fields } => {
                let mut told = Map::new();
                told.insert("ok".to_owned(), json!(ok));
                told.insert("id".to_owned(), json!(id));
                told.extend(fields);
                Answer::json(&Value::Object(told)).exiting(u8::from(!ok))
            }
            Self::Raw(stdout) => Answer {
                stdout,
                ..Answer::default()
            },
            Self::Died => Answer {
                dies: true,
                ..Answer::default()
            },
        }
    }
}
