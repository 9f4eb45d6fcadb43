//! A client of the server: writes lines, reads lines.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::fake::{Fake, PATIENCE, eventually};

const BINARY: &str = env!("CARGO_BIN_EXE_loom-tools-under-test");

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Messages that came while another was waited for.
    passed: VecDeque<Value>,
}

/// A server over the fake CLI, before any message.
pub(crate) fn start(fake: &Fake, more: &[&str]) -> Client {
    Client::of(command(fake, more), true)
}

/// The command line of such a server.
pub(crate) fn command(fake: &Fake, more: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    // Compiling is most of what a start costs.
    command.env(
        "XDG_CACHE_HOME",
        concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"),
    );
    command.arg("mcp").args(fake.flags()).args(more);
    command
}

/// A server with an open session of the revision that deployed clients speak.
pub(crate) fn open(fake: &Fake, more: &[&str]) -> Client {
    let mut client = start(fake, more);
    client.initialize();
    client
}

pub(crate) fn request(id: &str, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

/// What opens a session of the revision that deployed clients speak; its id is `init`.
pub(crate) fn initialize() -> Value {
    let client = json!({ "name": "test", "version": "1" });
    let params =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client });
    request("init", "initialize", params)
}

pub(crate) fn call(id: &str, tool: &str, arguments: Value) -> Value {
    let params = json!({ "name": tool, "arguments": arguments });
    request(id, "tools/call", params)
}

pub(crate) fn search(id: &str, query: &str) -> Value {
    call(id, "loom_search", json!({ "query": query }))
}

fn lines_of(output: ChildStdout) -> Receiver<String> {
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

impl Client {
    /// Starts a server. A client that does not read does so from [`Client::read`] on.
    pub(crate) fn of(mut command: Command, reads: bool) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let lines = if reads {
            lines_of(child.stdout.take().unwrap())
        } else {
            channel().1
        };
        let input = child.stdin.take();
        Self {
            child,
            input,
            lines,
            passed: VecDeque::new(),
        }
    }

    /// Begins to read, for a client that did not.
    pub(crate) fn read(&mut self) {
        self.lines = lines_of(self.child.stdout.take().unwrap());
    }

    /// Closes the server's output, for a client that has not read.
    pub(crate) fn hang_up(&mut self) {
        drop(self.child.stdout.take());
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn initialize(&mut self) -> Value {
        self.send(&initialize());
        let reply = self.reply("init");
        self.notify("notifications/initialized", json!({}));
        reply
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends messages in one write, so that they arrive together: a turn takes what does.
    pub(crate) fn together(&mut self, messages: &[Value]) {
        let lines: String = messages
            .iter()
            .map(|message| format!("{message}\n"))
            .collect();
        self.raw(lines.as_bytes());
    }

    pub(crate) fn request(&mut self, id: &str, method: &str, params: Value) {
        self.send(&request(id, method, params));
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub(crate) fn call(&mut self, id: &str, tool: &str, arguments: Value) {
        self.send(&call(id, tool, arguments));
    }

    pub(crate) fn search(&mut self, id: &str, query: &str) {
        self.send(&search(id, query));
    }

    pub(crate) fn cancel(&mut self, id: &str) {
        self.notify("notifications/cancelled", json!({ "requestId": id }));
    }

    /// The next message that `wanted` takes; others are kept for later.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.passed.iter().position(&wanted) {
            return self.passed.remove(at).unwrap();
        }
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            let message = match self.lines.recv_timeout(left) {
                Ok(line) => serde_json::from_str::<Value>(&line).unwrap(),
                Err(RecvTimeoutError::Timeout) => panic!("in vain: {what}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before: {what}"),
            };
            if wanted(&message) {
                return message;
            }
            self.passed.push_back(message);
        }
    }

    /// The reply to a request, whole.
    pub(crate) fn reply(&mut self, id: &str) -> Value {
        self.wait(&format!("the reply to {id}"), |message| message["id"] == id)
    }

    /// The result of a request.
    pub(crate) fn result(&mut self, id: &str) -> Value {
        let reply = self.reply(id);
        assert!(reply["error"].is_null(), "{reply}");
        reply["result"].clone()
    }

    /// The error that a request, or a line without one, is answered with.
    pub(crate) fn error(&mut self, id: Option<&str>) -> (i64, String) {
        let id = id.map_or(Value::Null, Value::from);
        let reply = self.wait("an error", |message| {
            message["id"] == id && !message["error"].is_null()
        });
        let text = reply["error"]["message"].as_str().unwrap().to_owned();
        (reply["error"]["code"].as_i64().unwrap(), text)
    }

    /// Everything that has come, and comes within `time`.
    pub(crate) fn all_within(&mut self, time: Duration) -> Vec<Value> {
        let start = Instant::now();
        while let Ok(line) = self
            .lines
            .recv_timeout(time.saturating_sub(start.elapsed()))
        {
            self.passed.push_back(serde_json::from_str(&line).unwrap());
        }
        self.passed.drain(..).collect()
    }

    /// Closes the server's input.
    pub(crate) fn close(&mut self) {
        drop(self.input.take());
    }

    /// Waits for the server to exit.
    pub(crate) fn exit(&mut self) -> ExitStatus {
        let child = &mut self.child;
        eventually("the server exits", || child.try_wait().unwrap())
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.close();
        // It ends by itself and what it started with it; killed, it would leave that running.
        let start = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) && start.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
