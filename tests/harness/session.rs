//! `loom-tools session`, driven line by line.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::host::{HARD_TIMEOUT, assert_no_secret, shortened, within};

/// A session that runs. Dropping it kills it.
#[derive(Debug)]
pub struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Arc<Mutex<Vec<u8>>>,
    described: String,
    secrets: Vec<String>,
}

impl Session {
    pub(crate) fn new(mut child: Child, described: String, secrets: Vec<String>) -> Self {
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("standard output is a pipe");
        let mut errors = child.stderr.take().expect("standard error is a pipe");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                let line = line.expect("standard output is UTF-8");
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&stderr);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = errors.read(&mut buffer) {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend_from_slice(buffer.get(..count).unwrap_or_default());
            }
        });
        Self {
            child,
            stdin,
            lines,
            stderr,
            described,
            secrets,
        }
    }

    /// Sends bytes as they are.
    pub fn send(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("standard input is open");
        let sent = stdin.write_all(bytes).and_then(|()| stdin.flush());
        if let Err(error) = sent {
            panic!("{error}\n{}", self.report());
        }
    }

    /// The next line of output; none at its end.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(HARD_TIMEOUT) {
            Ok(line) => {
                assert_no_secret(&line, &self.secrets, &format!("{}\n{line}", self.report()));
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no line came\n{}", self.report()),
        }
    }

    /// Sends one line and reads the line that answers it.
    pub fn line(&mut self, line: &str) -> String {
        self.send(line.as_bytes());
        self.send(b"\n");
        match self.next_line() {
            Some(answer) => answer,
            None => panic!("it ended after {}\n{}", shortened(line), self.report()),
        }
    }

    /// Sends one line and reads the JSON that answers it.
    pub fn ask(&mut self, line: &str) -> Value {
        let answer = self.line(line);
        serde_json::from_str(&answer).expect("an answer is JSON")
    }

    /// Sends a turn of these calls; the replies.
    pub fn turn(&mut self, calls: &[(&str, Value)]) -> Vec<Value> {
        let line = Self::turn_line(calls);
        let mut answer = self.ask(&line);
        match answer.get_mut("replies").map(Value::take) {
            Some(Value::Array(replies)) => {
                assert_eq!(replies.len(), calls.len(), "{answer}");
                replies
            }
            _ => panic!("no replies: {answer}\n{}", self.report()),
        }
    }

    /// The line of such a turn; each call's id is its position.
    pub fn turn_line(calls: &[(&str, Value)]) -> String {
        let call = |(at, (tool, input)): (usize, &(&str, Value))| json!({ "id": at.to_string(), "tool": tool, "input": input });
        let calls: Vec<Value> = calls.iter().enumerate().map(call).collect();
        json!({ "calls": calls }).to_string()
    }

    /// One call, and what the model would be shown.
    pub fn shown(&mut self, tool: &str, input: Value) -> Value {
        let mut replies = self.turn(&[(tool, input)]);
        let shown = replies.first_mut().and_then(|reply| reply.get_mut("shown"));
        shown.map(Value::take).expect("a reply shows something")
    }

    /// Closes its input.
    pub fn close(&mut self) {
        self.stdin = None;
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        let id = self.child.id().cast_signed();
        let pid = Pid::from_raw(id).expect("a child has an id");
        kill_process(pid, signal).expect("a child can be signalled");
    }

    /// Closes its input and waits for its end; what it still printed is passed over.
    pub fn end(&mut self) -> ExitStatus {
        self.close();
        self.ended()
    }

    /// Waits for its end, its input left open.
    pub fn ended(&mut self) -> ExitStatus {
        while self.next_line().is_some() {}
        within(&mut self.child, &self.described)
    }

    /// Standard error so far.
    pub fn stderr(&self) -> String {
        let stderr = self.stderr.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&stderr).into_owned()
    }

    fn report(&self) -> String {
        format!("{}\nstderr: {}", self.described, shortened(&self.stderr()))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
