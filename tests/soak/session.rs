//! The drive over a session: one process, one line a turn, each turn of a kind.

use std::thread;
use std::time::Duration;

use loom_tools_tests::bench::RUN;
use loom_tools_tests::session::Session;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::calls::{Asked, batch, refused, sample, sample_commands, unreachable};
use crate::deck::{Deck, Dice};
use crate::gauge::Watch;
use crate::ground::{Cli, Ground, TEMPORARY};
use crate::script::{DEADLINE_MS, FAULTY, HELD, HOLDING, OUTPUT, SOUND, WAITING};
use crate::verdict::{Expect, Tally, Verdict, came, results};

#[derive(Clone, Copy)]
enum Kind {
    /// Retrievals of the sample Loom.
    Sample,
    /// Its commands, the odd ones too.
    SampleCommands,
    /// Answers as they should be, a few or more than run at once.
    Sound,
    /// Answers as they should not be.
    Faulty,
    /// A batch of commands, some of which fail.
    Batch,
    /// Processes that only the deadline ends.
    Waiting,
    /// A process that somebody kills.
    Victim,
    /// A CLI that is not there.
    Missing,
    /// A broker that is not there.
    BrokerGone,
    /// A broker that is killed in the middle of the turn.
    BrokerDies,
    /// What is refused before anything starts.
    Refused,
    /// A line that is no turn.
    BadLine,
    /// A line past any bound.
    LongLine,
    /// A structured result.
    Resolve,
}

const KINDS: [(Kind, usize); 14] = [
    (Kind::Sample, 20),
    (Kind::SampleCommands, 14),
    (Kind::Sound, 16),
    (Kind::Faulty, 16),
    (Kind::Batch, 10),
    (Kind::Waiting, 1),
    (Kind::Victim, 4),
    (Kind::Missing, 3),
    (Kind::BrokerGone, 2),
    (Kind::BrokerDies, 2),
    (Kind::Refused, 4),
    (Kind::BadLine, 4),
    (Kind::LongLine, 1),
    (Kind::Resolve, 3),
];

struct Drive {
    ground: Ground,
    session: Session,
    dice: Dice,
    tally: Tally,
}

pub(crate) fn drive(turns: usize, seed: u64, verdict: &mut Verdict) {
    println!("\na session over the sample Loom and a fake one");
    let mut ground = Ground::new();
    ground.start_broker();
    let state = ground.bench.path("run.state").display().to_string();
    let (deadline, output) = (DEADLINE_MS.to_string(), OUTPUT.to_string());
    let flags = [
        ["--prompt-slot", "direct-command"],
        ["--timeout-ms", &deadline],
        ["--max-output-bytes", &output],
        ["--state", &state],
    ];
    let host = ground
        .bench
        .run(&["session", "--run-id", RUN], flags.as_flattened());
    let temporary = ground.bench.path(TEMPORARY);
    let session = host.env("TMPDIR", temporary.as_os_str()).session();
    let mut deck = Deck::new(&KINDS);
    let mut watch = Watch::new(session.id(), turns, deck.size());
    let mut drive = Drive {
        ground,
        session,
        dice: Dice::new(seed),
        tally: Tally::default(),
    };
    let mut files = None;
    for turn in 1..=turns {
        let kind = deck.deal(&mut drive.dice);
        drive.turn(kind);
        drive.ground.tidy();
        if watch.after(turn) {
            files = Some(drive.ground.files());
        }
    }
    watch.close("the session", verdict);
    let Drive {
        mut ground,
        mut session,
        tally,
        ..
    } = drive;
    session.close();
    let more = session.next_line();
    let status = session.ended();
    tally.close(turns, verdict);
    verdict.check(
        "the session ends well with its input, and says no more",
        more.is_none() && status.success(),
        &format!("{status}, {more:?}"),
    );
    let stderr = session.stderr();
    let panicked = stderr.lines().find(|line| line.contains("panicked"));
    verdict.check(
        "nothing panicked",
        panicked.is_none(),
        &format!("{panicked:?}"),
    );
    ground.kill_broker();
    let alive = ground.alive();
    verdict.check(
        "no process is left",
        alive.is_empty(),
        &format!("{alive:#?}"),
    );
    let (before, after) = (files.unwrap_or_default(), ground.files());
    verdict.check(
        "no file is there that was not",
        after == before,
        &format!("{:#?}", after.symmetric_difference(&before)),
    );
}

impl Drive {
    fn turn(&mut self, kind: Kind) {
        match kind {
            Kind::Sample => {
                let count = 1 + self.dice.below(4);
                let calls = (0..count).map(|_| sample(&mut self.dice)).collect();
                self.calls(Cli::Sample, calls);
            }
            Kind::SampleCommands => {
                let calls = sample_commands(&mut self.dice);
                self.calls(Cli::Sample, calls);
            }
            Kind::Sound => {
                let count = *self.dice.of(&[0, 1, 2, 3, 20]);
                let calls = (0..count).map(|_| Asked::target(*self.dice.of(&SOUND)));
                let calls = calls.collect();
                self.calls(Cli::Fake, calls);
            }
            Kind::Faulty => {
                let count = 1 + self.dice.below(4);
                let calls = (0..count).map(|_| Asked::target(*self.dice.of(&FAULTY)));
                let calls = calls.collect();
                self.calls(Cli::Fake, calls);
            }
            Kind::Batch => {
                let calls = vec![batch(&mut self.dice)];
                self.calls(Cli::Fake, calls);
            }
            Kind::Waiting => self.calls(Cli::Fake, WAITING.map(Asked::target).into()),
            Kind::Victim => self.victim(),
            Kind::Missing => self.calls(Cli::Nothing, unreachable("a missing CLI")),
            Kind::BrokerGone => {
                self.ground.kill_broker();
                self.calls(Cli::Sample, unreachable("a missing broker"));
                self.ground.start_broker();
            }
            Kind::BrokerDies => self.broker_dies(),
            Kind::Refused => self.calls(Cli::Fake, refused()),
            Kind::BadLine => {
                let line = *self
                    .dice
                    .of(&["no turn", "{\"calls\":[{}]}", "{}", "[[[", "\"\u{0}"]);
                self.other("a bad line", line, "invalid_line");
            }
            Kind::LongLine => self.other("a long line", &"[".repeat(9 << 20), "invalid_line"),
            Kind::Resolve => {
                self.other("a result", r#"{"resolveResult":{"a":["b",1]}}"#, "resolved");
                let unheld = r#"{"resolveResult":{"a":"cfh:v:22222"}}"#;
                // Two lines for one turn of the count.
                let answer = self.session.ask(unheld);
                self.line("a result with a foreign handle", "unheld_handle", &answer);
            }
        }
    }

    /// A turn of calls.
    fn calls(&mut self, cli: Cli, calls: Vec<Asked>) {
        self.send(cli, &calls);
        self.answer(&calls);
    }

    fn send(&mut self, cli: Cli, calls: &[Asked]) {
        self.ground.lead_to(cli);
        let turn: Vec<(&str, Value)> = calls
            .iter()
            .map(|call| (call.tool, call.input.clone()))
            .collect();
        self.session
            .send(format!("{}\n", Session::turn_line(&turn)).as_bytes());
    }

    fn answer(&mut self, calls: &[Asked]) {
        let Some(line) = self.session.next_line() else {
            panic!("the session ended: {}", self.session.stderr());
        };
        let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
        let replies = answer.get("replies").and_then(Value::as_array);
        let Some(replies) = replies.filter(|replies| replies.len() == calls.len()) else {
            return self
                .tally
                .surprise(format!("{} calls got {answer}", calls.len()));
        };
        self.tally.answered();
        for (at, (call, reply)) in calls.iter().zip(replies).enumerate() {
            let word = |name: &str| reply[name].as_str().unwrap_or_default();
            let placed = (word("callId"), word("outputId"));
            self.tally.place(RUN, &at.to_string(), call.tool, placed);
            self.tally
                .note(call.kind, call.expect, came(&reply["shown"]));
            let results = results(&reply["shown"]);
            if results.len() != call.results.len() && came(&reply["shown"]) == "batch" {
                self.tally.surprise(format!("{} results", results.len()));
            }
            for (expect, result) in call.results.iter().zip(results) {
                let kind = format!("a batch's call that ends {}", expect.usual);
                self.tally.note(&kind, *expect, came(result));
            }
        }
    }

    /// A turn that is no calls.
    fn other(&mut self, kind: &str, line: &str, expect: &'static str) {
        let answer = self.session.ask(line);
        self.line(kind, expect, &answer);
        self.tally.answered();
    }

    fn line(&mut self, kind: &str, expect: &'static str, answer: &Value) {
        let code = answer["error"]["code"].as_str();
        let resolved = answer.get("resolved").map(|_| "resolved");
        let came = code.or(resolved).unwrap_or("something else");
        self.tally.note(kind, expect.into(), came);
    }

    /// A process that is killed from outside, among others that are not.
    fn victim(&mut self) {
        let calls = [HOLDING, SOUND[0], SOUND[1]].map(Asked::target);
        self.send(Cli::Fake, &calls);
        self.ground.bench.fake.await_file(HELD);
        let records = self.ground.bench.fake.records();
        let held = records
            .iter()
            .find(|record| record.args().contains(&HOLDING.0));
        let pid = held.and_then(|record| Pid::from_raw(record.pid));
        // On a very slow machine its deadline has come first.
        let _ = pid.map(|pid| kill_process(pid, Signal::KILL));
        self.answer(&calls);
    }

    fn broker_dies(&mut self) {
        let either = Expect {
            usual: "ok",
            also: &["command_failed"],
        };
        let run = json!({ "command": "diag.sleep", "args": { "ms": 60_000 } });
        let kind = "a read while the broker dies";
        let calls = [
            Asked::new(kind, ("list_commands", json!({})), either),
            Asked::new(kind, ("loom_profile", json!({})), either),
            Asked::new(
                "a command while the broker dies",
                ("run_command", run),
                "failed_to_deliver",
            ),
        ];
        self.send(Cli::Sample, &calls);
        // In the middle of the listing, or later in that of the command.
        thread::sleep(Duration::from_millis(self.dice.below(200) as u64));
        self.ground.kill_broker();
        self.answer(&calls);
        self.ground.start_broker();
    }
}
