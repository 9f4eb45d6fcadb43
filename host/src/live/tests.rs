//! What is refused is written down and starts nothing, and what cannot be written down stops the
//! rest.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use super::*;
use crate::audit_log::AuditLog;
use crate::bindings::loom::tools::process::{CommandRun, Operation};
use crate::config::{Commands, Retrieval, Transport};
use crate::grant::{Basis, Enforcement, PromptSlot};
use crate::journal::NoJournal;
use crate::limits::Limits;
use crate::process::Bounds;

/// A directory with a `loom` that notes that it started.
struct Bed(PathBuf);

impl Bed {
    fn new() -> Self {
        Self::printing("")
    }

    /// Its `loom` prints this.
    fn printing(text: &str) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("loom-tools-live-{}-{count}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        fs::create_dir(&dir).unwrap();
        let script = format!(
            "#!/bin/sh\necho x >>'{}/started'\nprintf '{text}'\n",
            dir.display()
        );
        fs::write(dir.join("loom"), script).unwrap();
        fs::set_permissions(dir.join("loom"), fs::Permissions::from_mode(0o755)).unwrap();
        Self(dir)
    }

    fn started(&self) -> usize {
        fs::read_to_string(self.0.join("started")).map_or(0, |text| text.lines().count())
    }

    /// What may read, and not write.
    fn live(&self, journal: Box<dyn Journal>) -> Live {
        let (cli, queue) = (self.0.join("loom"), self.0.clone());
        let transport = Transport::Broker {
            queue: queue.clone(),
        };
        Live {
            loom: Loom {
                retrieval: Some(Retrieval {
                    cli: cli.clone(),
                    transport,
                    read_ceiling_file: None,
                    facets: None,
                }),
                commands: Some(Commands {
                    cli,
                    queue,
                    job_id_variable: None,
                }),
                search_path: None,
                job_id: None,
                bounds: Bounds {
                    retrievals: 1,
                    ..Bounds::default()
                },
            },
            grant: Grant::derive(Basis {
                retrieval: true,
                commands: true,
                enforcement: Enforcement::EnforceExplicit,
                slot: Some(PromptSlot::Context),
                allowed_tools: None,
            }),
            cancel: Cancel::new().unwrap(),
            journal,
            started: Vec::new(),
        }
    }
}

impl Drop for Bed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn caller() -> Caller {
    Caller {
        id: "c1".to_owned(),
        tool: "loom_page_read".to_owned(),
    }
}

fn read(call: u32, target: &str) -> Request {
    let operation = Operation::PageRead(target.to_owned());
    Request { call, operation }
}

fn answer(
    live: &mut Live,
    requests: &[Request],
    callers: &[Caller],
) -> io::Result<Vec<Result<Answer, Failure>>> {
    live.answer(requests, callers, &mut Meter::new(Limits::default()))
}

#[test]
fn what_is_refused_is_a_line_with_the_reason_and_starts_nothing() {
    let bed = Bed::new();
    let path = bed.0.join("log.jsonl");
    let log = AuditLog::open(&path, "run-1", crate::ambient_authority()).unwrap();
    let mut live = bed.live(Box::new(log));
    let write = Operation::CommandRun(CommandRun {
        id: "note.add".to_owned(),
        args_json: "{}".to_owned(),
        loom_id: None,
        expected_version: None,
        read_only: false,
    });
    let requests = [
        read(0, "-x"),
        read(1, "a page"),
        Request {
            call: 0,
            operation: write,
        },
    ];
    let answers = answer(&mut live, &requests, &[caller()]).unwrap();
    assert!(
        answers
            .iter()
            .all(|answer| *answer == Err(Failure::NotGranted))
    );
    assert_eq!(bed.started(), 0);
    assert!(live.started.is_empty());
    let log = fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told = |line: &Value| {
        let field = |name| line[name].as_str().map(str::to_owned);
        assert_eq!(line["decision"], "refused");
        assert!(line.get("argv").is_none() && line.get("end").is_none());
        (
            field("call"),
            field("request").unwrap(),
            field("reason").unwrap(),
        )
    };
    let c1 = || Some("c1".to_owned());
    let expected = [
        (
            c1(),
            "page-read",
            "a text opens with a dash and would read as a flag",
        ),
        (None, "page-read", "the request names no call of its turn"),
        (
            c1(),
            "command-run",
            "the run may not write, and the request is no read",
        ),
    ];
    let expected = expected.map(|(call, kind, why)| (call, kind.to_owned(), why.to_owned()));
    assert_eq!(lines.iter().map(told).collect::<Vec<_>>(), expected);
}

#[test]
fn outside_a_turn_there_is_no_call_to_ask_for() {
    let bed = Bed::new();
    let mut live = bed.live(Box::new(NoJournal));
    let answers = answer(&mut live, &[read(0, "a page")], &[]).unwrap();
    assert_eq!(answers, [Err(Failure::NotGranted)]);
    assert_eq!(bed.started(), 0);
}

/// A journal that can write this many lines.
struct Full(usize);

impl Journal for Full {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, _event: &Event<'_>) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
        Ok(())
    }

    fn over(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_line_that_cannot_be_written_stops_what_has_not_started() {
    let bed = Bed::new();
    let mut live = bed.live(Box::new(Full(2)));
    // One runs at a time.
    let requests: Vec<Request> = (0..9).map(|_| read(0, "a page")).collect();
    let error = answer(&mut live, &requests, &[caller()]).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    assert_eq!(bed.started(), 3);
    // The third may have taken effect though no line says so: whoever is told of the end is told.
    assert_eq!(
        live.started,
        vec!["`page-read` for call \"c1\" (exited with 0)"; 3]
    );
}

/// A journal that knows beforehand that it is full.
struct Refuses;

impl Journal for Refuses {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn ended(&mut self, _event: &Event<'_>) -> io::Result<()> {
        Ok(())
    }

    fn over(&mut self, _why: &str) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn without_room_for_its_lines_a_batch_starts_nothing() {
    let bed = Bed::new();
    let mut live = bed.live(Box::new(Refuses));
    answer(&mut live, &[read(0, "a page")], &[caller()]).unwrap_err();
    assert_eq!(bed.started(), 0);
}

/// The third answer of five bytes in a turn that may take so many: what the component is told, what
/// the log says and what whoever is told of the end is told.
fn third_of_five_bytes(turn_output: usize) -> (Result<Answer, Failure>, Value, String) {
    let bed = Bed::printing("12345");
    let path = bed.0.join("log.jsonl");
    let log = AuditLog::open(&path, "run-1", crate::ambient_authority()).unwrap();
    let mut live = bed.live(Box::new(log));
    let mut meter = Meter::new(Limits {
        turn_output,
        ..Limits::default()
    });
    let requests = [read(0, "a"), read(0, "b"), read(0, "c")];
    let mut answers = live.answer(&requests, &[caller()], &mut meter).unwrap();
    let whole = |answer: &Result<Answer, Failure>| answer.as_ref().unwrap().stdout == b"12345";
    assert!(answers.iter().take(2).all(whole));
    let log = fs::read_to_string(path).unwrap();
    let line = serde_json::from_str(log.lines().nth(2).unwrap()).unwrap();
    (answers.remove(2), line, live.started.remove(2))
}

#[test]
fn an_answer_at_the_turns_bound_is_handed_over() {
    let (answer, line, started) = third_of_five_bytes(15);
    assert_eq!(answer.unwrap().stdout, b"12345");
    assert_eq!(
        (&line["end"], &line["bytes"]),
        (&"exited".into(), &5.into())
    );
    assert!(started.ends_with("(exited with 0)"), "{started}");
}

#[test]
fn an_answer_a_byte_past_the_turns_bound_is_lost_to_the_component_the_log_and_whoever_is_told() {
    let (answer, line, started) = third_of_five_bytes(14);
    assert_eq!(answer, Err(Failure::Lost));
    let why = "too much output of the turn";
    assert_eq!(
        (&line["end"], &line["reason"]),
        (&"lost".into(), &why.into())
    );
    assert!(line.get("bytes").is_none() && line.get("exit").is_none());
    assert!(started.ends_with(&format!("(lost: {why})")), "{started}");
}
