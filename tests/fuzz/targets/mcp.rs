//! An MCP client's bytes to the server's lines: each is JSON-RPC and one line, answers a request that
//! was made and none twice, and shows a model exactly the JSON that it also gives as structure.
#![no_main]

use std::io::{self, Cursor};
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use libfuzzer_sys::fuzz_target;
use loom_tools_host::mcp::{Listener, Shutdown, serve};
use loom_tools_host::{Run, ambient_authority};
use loom_tools_host_fuzz::input::Input;
use loom_tools_host_fuzz::{COMPONENT, Ear, assert_plain, lines, loom, mend, settings};
use serde_json::Value;
use tokio::io::AsyncWrite;

/// What a server has written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl AsyncWrite for Written {
    fn poll_write(
        self: Pin<&mut Self>,
        _context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.0
            .lock()
            .expect("no writer panics")
            .extend_from_slice(bytes);
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let (loom, settings) = (loom(&mut input), settings(&mut input));
    let said = input.part();
    let listener = Listener::default();
    let journal = listener.journal(Box::new(Ear));
    let run = Run::open(
        &COMPONENT,
        loom,
        settings,
        journal,
        None,
        ambient_authority(),
    );
    let run = run.expect("the settings are sound");
    let written = Written::default();
    let stop = Shutdown::default();
    let served = serve(
        run,
        listener,
        None,
        &stop,
        Cursor::new(said.clone()),
        written.clone(),
    );
    served.expect("a server of our component starts");
    let written = written.0.lock().expect("no writer panics");
    assert!(written.is_empty() || written.ends_with(b"\n"));
    check(&said, &written);
});

fn check(said: &[u8], written: &[u8]) {
    let mut open: Vec<Value> = lines(said).filter_map(id).collect();
    let mut answers = 0;
    for line in written
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        assert!(
            !line.iter().any(|byte| *byte < b' '),
            "not one line: {line:?}"
        );
        let message: Value = serde_json::from_slice(line).expect("a line is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        if message.get("method").is_some() {
            assert_eq!(message["method"], "notifications/progress");
            continue;
        }
        answers += 1;
        let (result, error) = (message.get("result"), message.get("error"));
        assert!(result.is_some() != error.is_some(), "{message}");
        match message.get("id") {
            None | Some(Value::Null) => assert!(error.is_some(), "a result for nobody"),
            Some(id) => {
                let at = open.iter().position(|open| same(open, id));
                open.swap_remove(at.unwrap_or_else(|| panic!("nobody asked: {message}")));
            }
        }
        if let Some(error) = error {
            assert!(error["code"].is_i64());
            assert_plain(error["message"].as_str().expect("an error has a message"));
        }
        if let Some(content) = result.and_then(|result| result.get("content")) {
            shows(content, &message["result"]);
        }
    }
    assert!(answers <= lines(said).count(), "more answers than lines");
}

/// The id of a line that may be a request.
fn id(line: &[u8]) -> Option<Value> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let message: Value = serde_json::from_slice(&mend(line)).ok()?;
    message.get("id").cloned()
}

/// Whether two ids are one; a number may be spelt in several ways.
fn same(asked: &Value, answered: &Value) -> bool {
    asked == answered || (asked.is_number() && asked.as_f64() == answered.as_f64())
}

fn shows(content: &Value, result: &Value) {
    let blocks = content.as_array().expect("content is a list");
    assert_eq!(blocks.len(), 1);
    let text = blocks[0]["text"].as_str().expect("content is text");
    match result.get("structuredContent") {
        Some(structured) => assert_eq!(structured.to_string(), text),
        None => assert_eq!(result["isError"], true),
    }
    assert!(
        !text.bytes().any(|byte| byte < b' '),
        "not one line: {text:?}"
    );
}
