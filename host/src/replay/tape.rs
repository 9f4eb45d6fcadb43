//! A recording, read line by line: what it says comes next, and whether the component did that.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use cap_std::AmbientAuthority;
use cap_std::fs::File;

use super::{Difference, Halt, Verdict};
use crate::bindings::loom::tools::process::{Answer, Failure, Request};
use crate::plain::plain;
use crate::private_file;
use crate::record::{Crossing, Ending, Start, VERSION};

/// The longest line that is read, in bytes. Threat: a recording of somebody else's that fills the
/// host's memory. Trade: what one call returns, or one process printed, is one line, escaped.
const MAX_LINE: u64 = 512 << 20;

/// A recording being replayed.
#[derive(Debug)]
pub(crate) struct Tape {
    path: PathBuf,
    file: BufReader<File>,
    pub(super) line: u64,
    /// How many requests it has answered.
    pub(super) requests: usize,
    /// What was found while the component asked for processes.
    stopped: Option<Halt>,
}

/// Why a recording cannot be replayed; for the operator.
#[derive(Debug)]
pub struct ReplayError {
    path: PathBuf,
    line: u64,
    damage: Damage,
}

/// What is wrong with a recording.
#[derive(Debug)]
pub enum Damage {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It does not open as a recording does.
    NoRecording(String),
    /// It is of another version of the format.
    Version(u32),
    /// It holds digests only.
    Redacted,
    /// A line is longer than 512 MiB.
    TooLong,
    /// It ends within a line or a call.
    CutOff,
    /// A line is not what a recording holds.
    Malformed(String),
    /// A line is one that cannot stand in its place.
    OutOfPlace,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        write!(f, "{}: ", self.path.display())?;
        match &self.damage {
            Damage::Unreadable(error) => write!(f, "the recording cannot be read: {error}"),
            Damage::NoRecording(why) => write!(f, "this file is no recording: {}", plain(why)),
            Damage::Version(version) => write!(
                f,
                "the recording is of format {version} and this loom-tools reads format {VERSION}; \
                 replay it with the loom-tools that wrote it"
            ),
            Damage::Redacted => f.write_str(
                "the recording holds digests only and cannot be replayed; check a whole recording \
                 of the same run against it with `loom-tools replay WHOLE --redacted THIS`",
            ),
            Damage::TooLong => write!(f, "line {line} is longer than 512 MiB"),
            Damage::CutOff => write!(
                f,
                "the recording is cut off in line {line}; up to there the component did what it says"
            ),
            // It may quote a key of the recording, which may be anybody's.
            Damage::Malformed(why) => write!(f, "line {line} is damaged: {}", plain(why)),
            Damage::OutOfPlace => write!(f, "line {line} is damaged: it is out of place"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// The replay is over; what was found waits in the tape.
#[derive(Debug)]
struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the replay is over")
    }
}

impl std::error::Error for Stopped {}

impl Tape {
    pub(super) fn open(path: &Path, authority: AmbientAuthority) -> Result<Self, ReplayError> {
        let file = private_file::read(path, authority).map_err(|error| ReplayError {
            path: path.to_owned(),
            line: 0,
            damage: Damage::Unreadable(error),
        })?;
        Ok(Self {
            path: path.to_owned(),
            file: BufReader::new(file),
            line: 0,
            requests: 0,
            stopped: None,
        })
    }

    /// The first line.
    pub(super) fn start(&mut self) -> Result<Box<Start<'static>>, ReplayError> {
        let no_recording = |tape: &Self, why: &str| tape.damaged(Damage::NoRecording(why.into()));
        let line = self.text()?;
        let line = line.ok_or_else(|| no_recording(self, "it is empty"))?;
        let json: serde_json::Value = serde_json::from_slice(&line)
            .map_err(|error| no_recording(self, &error.to_string()))?;
        let head = json.get("start");
        let version = head.and_then(|head| head.get("recording")?.as_u64());
        let version = version.ok_or_else(|| no_recording(self, "its first line states none"))?;
        if version != u64::from(VERSION) {
            let version = u32::try_from(version).unwrap_or(u32::MAX);
            return Err(self.damaged(Damage::Version(version)));
        }
        if head.and_then(|head| head.get("redacted")?.as_bool()) != Some(false) {
            return Err(self.damaged(Damage::Redacted));
        }
        match serde_json::from_value(json) {
            Ok(Crossing::Start(start)) => Ok(start),
            Ok(_) => Err(self.damaged(Damage::OutOfPlace)),
            Err(error) => Err(self.damaged(Damage::Malformed(error.to_string()))),
        }
    }

    /// The next line; none at the end.
    pub(super) fn read(&mut self) -> Result<Option<Crossing<'static>>, ReplayError> {
        let Some(line) = self.text()? else {
            return Ok(None);
        };
        serde_json::from_slice(&line)
            .map(Some)
            .map_err(|error| self.damaged(Damage::Malformed(error.to_string())))
    }

    /// Within a call the recording does not end.
    fn next(&mut self) -> Result<Crossing<'static>, ReplayError> {
        match self.read()? {
            Some(crossing) => Ok(crossing),
            None => Err(self.damaged(Damage::CutOff)),
        }
    }

    pub(super) fn text(&mut self) -> Result<Option<Vec<u8>>, ReplayError> {
        self.line += 1;
        let mut line = Vec::new();
        let read = (&mut self.file).take(MAX_LINE).read_until(b'\n', &mut line);
        read.map_err(|error| self.damaged(Damage::Unreadable(error)))?;
        match line.pop() {
            None => Ok(None),
            Some(b'\n') => Ok(Some(line)),
            Some(_) if line.len() as u64 + 1 == MAX_LINE => Err(self.damaged(Damage::TooLong)),
            Some(_) => Err(self.damaged(Damage::CutOff)),
        }
    }

    /// Answers what the component asks for, if it is what was recorded. An error ends the run.
    pub(crate) fn answer(
        &mut self,
        requests: &[Request],
    ) -> wasmtime::Result<Vec<Result<Answer, Failure>>> {
        self.recorded_answers(requests).map_err(|stop| {
            self.stopped = Some(stop);
            Stopped.into()
        })
    }

    fn recorded_answers(
        &mut self,
        requests: &[Request],
    ) -> Result<Vec<Result<Answer, Failure>>, Halt> {
        let recorded = self.next()?;
        self.same(recorded, &Crossing::Requests(requests.into()))?;
        let mut answers = Vec::new();
        for _ in requests {
            let answer = match self.next()? {
                Crossing::Answer(outcome) => outcome
                    .into_answer()
                    .ok_or_else(|| self.damaged(Damage::Malformed("it has no bytes".into())))?,
                Crossing::Ended(Ending::Host(told)) => return Err(ended_by_host(&told)),
                _ => return Err(self.damaged(Damage::OutOfPlace).into()),
            };
            self.requests += 1;
            answers.push(answer);
        }
        Ok(answers)
    }

    /// What a call came to, against what was recorded.
    pub(super) fn meets(&mut self, replayed: &Crossing<'_>) -> Result<(), Halt> {
        if let Some(stop) = self.stopped.take() {
            return Err(stop);
        }
        let recorded = self.next()?;
        self.same(recorded, replayed)
    }

    /// That nothing more was recorded.
    pub(super) fn ends(&mut self) -> Result<(), Halt> {
        match self.read()? {
            None => Ok(()),
            Some(_) => Err(self.damaged(Damage::OutOfPlace).into()),
        }
    }

    fn same(&self, recorded: Crossing<'_>, replayed: &Crossing<'_>) -> Result<(), Halt> {
        match recorded {
            recorded if recorded == *replayed => Ok(()),
            Crossing::Ended(Ending::Host(told)) => Err(ended_by_host(&told)),
            recorded => {
                let difference = Difference::of(self.line, &recorded, replayed);
                Err(Halt::Verdict(Verdict::Differs(Box::new(difference))))
            }
        }
    }

    pub(super) fn damaged(&self, damage: Damage) -> ReplayError {
        ReplayError {
            path: self.path.clone(),
            line: self.line,
            damage,
        }
    }
}

fn ended_by_host(told: &str) -> Halt {
    Halt::Verdict(Verdict::EndedByHost(plain(told)))
}
