//! The JavaScript side: one Node process that does the work on demand and times it itself.

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use super::Failed;

const HARNESS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ratios/harness.mjs");

pub(crate) struct Node {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Holds the answer.
    _file: tempfile::NamedTempFile,
}

impl Node {
    /// Node with that answer in memory; none where there is no `node`.
    pub(crate) fn start(answer: &[u8]) -> Result<Option<Self>, Failed> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(answer)?;
        let spawned = Command::new("node")
            .arg(HARNESS)
            .arg(file.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = match spawned {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            spawned => spawned?,
        };
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Some(Self {
            child,
            input,
            output,
            _file: file,
        }))
    }

    /// Does it once.
    pub(crate) fn run(&mut self) -> Result<Duration, Failed> {
        self.input.write_all(b"\n")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(Duration::from_nanos(line.trim().parse()?))
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
