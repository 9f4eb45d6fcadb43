//! What one invocation of the command line prints and how it ends.
//!
//! In the queue an answer is one line of JSON (`exit`, `stderr`, `dies`) followed by the
//! bytes of standard output as they are, so that the command line copies a megabyte
//! without reading it.

use serde_json::{Value, json};

/// Standard output, standard error and the end of one invocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) exit: u8,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
    /// The process ends by a signal and prints nothing.
    pub(crate) dies: bool,
}

impl Answer {
    /// A JSON payload and a good end.
    pub(crate) fn json(value: &Value) -> Self {
        let mut stdout = value.to_string().into_bytes();
        stdout.push(b'\n');
        Self {
            stdout,
            ..Self::default()
        }
    }

    /// The same answer with another exit code.
    pub(crate) fn exiting(self, exit: u8) -> Self {
        Self { exit, ..self }
    }

    /// Nothing on standard output, a sentence on standard error.
    pub(crate) fn failure(exit: u8, sentence: impl Into<String>) -> Self {
        Self {
            exit,
            stderr: sentence.into(),
            ..Self::default()
        }
    }

    /// A refusal as a payload: `{"ok":false,"code":…,"message":…}` and exit code 1.
    pub(crate) fn refusal(code: &str, message: &str) -> Self {
        Self::json(&json!({ "ok": false, "code": code, "message": message })).exiting(1)
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let head = json!({ "exit": self.exit, "stderr": self.stderr, "dies": self.dies });
        let mut bytes = head.to_string().into_bytes();
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.stdout);
        bytes
    }

    pub(crate) fn from_bytes(mut bytes: Vec<u8>) -> Option<Self> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head: Value = serde_json::from_slice(bytes.get(..end)?).ok()?;
        bytes.drain(..=end);
        Some(Self {
            exit: u8::try_from(head.get("exit")?.as_u64()?).ok()?,
            stderr: head.get("stderr")?.as_str()?.to_owned(),
            dies: head.get("dies")?.as_bool()?,
            stdout: bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_survives_the_queue_with_newlines_in_its_output() {
        let answer = Answer {
            exit: 3,
            stdout: b"a\nb\n".to_vec(),
            stderr: "x\ny".into(),
            dies: true,
        };
        assert_eq!(Answer::from_bytes(answer.to_bytes()), Some(answer));
    }

    #[test]
    fn what_is_no_answer_is_not_read_as_one() {
        for bytes in [
            &b""[..],
            b"{}",
            b"{}\nrest",
            b"\xff\n",
            b"{\"exit\":300,\"stderr\":\"\",\"dies\":false}\n",
        ] {
            assert_eq!(Answer::from_bytes(bytes.to_vec()), None);
        }
    }
}
