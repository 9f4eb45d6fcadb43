//! The drive through the library: runs in this process, whose turns another thread cancels.

use std::thread;
use std::time::{Duration, Instant};

use loom_tools_host::config::{Commands, Retrieval};
use loom_tools_host::limits::Limits;
use loom_tools_host::{
    Bounds, Call, Cancel, Component, Engine, Loom, Reply, Run, Settings, ambient_authority,
};
use loom_tools_tests::bench::{RUN, SEARCH_PATH};
use serde_json::{Value, json};

use crate::deck::{Deck, Dice};
use crate::gauge::Watch;
use crate::ground::{Cli, Ground};
use crate::script::{DEADLINE_MS, HELD, HOLDING, OUTPUT, SOUND, read};
use crate::verdict::{Expect, Tally, Verdict, came, results};

/// When a turn is cancelled, and what of it.
#[derive(Clone, Copy)]
enum Kind {
    /// Not at all.
    Never,
    /// The turn, once a process that would not end by itself is up.
    Turn,
    /// That process's call alone.
    OneCall,
    /// The turn, at some point: before a process, among processes, or after the last.
    AnyTime,
    /// The turn, at some point in a batch of commands.
    Batch,
}

const KINDS: [(Kind, usize); 5] = [
    (Kind::Never, 4),
    (Kind::Turn, 6),
    (Kind::OneCall, 5),
    (Kind::AnyTime, 6),
    (Kind::Batch, 4),
];

const SOUND_CALL: Expect = Expect {
    usual: "ok",
    also: &[],
};
/// Cancelled before it started, or after.
const CANCELLED: &[&str] = &["cancelled", "command_failed", "failed_to_deliver"];

pub(crate) fn drive(turns: usize, seed: u64, verdict: &mut Verdict) {
    println!("\nruns through the library, cancelled from another thread");
    let mut ground = Ground::new();
    ground.lead_to(Cli::Fake);
    let engine = Engine::new(&Limits::default()).expect("the engine starts");
    let component = Component::embedded(&engine).expect("the component compiles");
    let mut deck = Deck::new(&KINDS);
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    let mut left = Vec::new();
    let mut run = start(&component, &ground);
    let mut watch = Watch::new(std::process::id(), turns, 2 * deck.size());
    for turn in 1..=turns {
        // What a run holds ends with it: several of them leave no more than one.
        if turn.is_multiple_of(deck.size()) {
            run = start(&component, &ground);
            tally.begin_run();
        }
        let kind = deck.deal(&mut dice);
        self::turn(&mut run, kind, &ground, &mut dice, &mut tally);
        // Nothing runs once a turn is answered, whatever cancelled it.
        left.extend(ground.alive());
        ground.tidy();
        watch.after(turn);
    }
    watch.close("this process", verdict);
    drop(run);
    tally.close(turns, verdict);
    verdict.check(
        "no process outlived its turn",
        left.is_empty(),
        &format!("{left:#?}"),
    );
}

fn start(component: &Component, ground: &Ground) -> Run {
    let authority = ambient_authority();
    let bench = &ground.bench;
    let retrieval = Retrieval::read(&bench.path("retrieval.json"), authority);
    let commands = Commands::read(&bench.path("commands.json"), authority);
    let loom = Loom {
        retrieval: Some(retrieval.expect("the configuration is one")),
        commands: Some(commands.expect("the configuration is one")),
        search_path: Some(SEARCH_PATH.into()),
        job_id: None,
        bounds: Bounds {
            deadline: Duration::from_millis(DEADLINE_MS),
            output: OUTPUT,
            ..Bounds::default()
        },
    };
    Run::start(component, loom, Settings::new(RUN), authority).expect("a run starts")
}

fn turn(run: &mut Run, kind: Kind, ground: &Ground, dice: &mut Dice, tally: &mut Tally) {
    let sound = || SOUND[0];
    let (held, slow) = (HOLDING, SOUND[1]);
    let any = Expect {
        usual: "ok",
        also: CANCELLED,
    };
    let cancelled = |usual| Expect {
        usual,
        also: CANCELLED,
    };
    let calls: Vec<(&str, (&str, Value), Expect)> = match kind {
        Kind::Never => vec![("a call of a turn that goes on", read(sound().0), SOUND_CALL)],
        Kind::Turn => vec![
            (
                "a call that is cancelled",
                read(held.0),
                cancelled("command_failed"),
            ),
            ("a call beside it", read(sound().0), any),
            ("a call beside it", read(slow.0), any),
        ],
        Kind::OneCall => vec![
            (
                "a call that is cancelled",
                read(held.0),
                cancelled("command_failed"),
            ),
            (
                "a call beside one that is cancelled",
                read(sound().0),
                SOUND_CALL,
            ),
        ],
        // More than run at once, so that some have not started.
        Kind::AnyTime => vec![("a call that may be cancelled", read(slow.0), any); 12],
        Kind::Batch => {
            let call = json!({ "command": "soak.echo", "args": { "how": "well" } });
            let input = json!({ "calls": vec![call; 16] });
            vec![(
                "a batch that may be cancelled",
                ("run_read_command", input),
                cancelled("batch"),
            )]
        }
    };
    let asked: Vec<Call> = calls
        .iter()
        .enumerate()
        .map(|(at, (_, (tool, input), _))| Call {
            id: at.to_string(),
            tool: (*tool).to_owned(),
            input: input.to_string(),
            input_label: None,
        })
        .collect();
    let cancel = run.canceller();
    let pause = Duration::from_millis(dice.below(120) as u64);
    let replies = thread::scope(|scope| {
        scope.spawn(|| end(&cancel, kind, ground, pause));
        run.invoke(asked)
    });
    let replies = match replies {
        Ok(replies) if replies.len() == calls.len() => replies,
        Ok(replies) => return tally.surprise(format!("{} replies", replies.len())),
        Err(error) => return tally.surprise(format!("a turn failed: {error}")),
    };
    tally.answered();
    for (at, ((name, (tool, _), expect), reply)) in calls.iter().zip(replies).enumerate() {
        note(tally, at, (name, tool, *expect), &reply);
    }
}

fn note(tally: &mut Tally, at: usize, asked: (&str, &str, Expect), reply: &Reply) {
    let (name, tool, expect) = asked;
    tally.place(
        RUN,
        &at.to_string(),
        tool,
        (&reply.call_id, &reply.output_id),
    );
    let shown: Value = serde_json::from_str(&reply.shown).expect("what is shown is JSON");
    tally.note(name, expect, came(&shown));
    for result in results(&shown) {
        let expect = Expect {
            usual: "executed",
            also: CANCELLED,
        };
        tally.note("a call of such a batch", expect, came(result));
    }
}

/// The other thread.
fn end(cancel: &Cancel, kind: Kind, ground: &Ground, pause: Duration) {
    match kind {
        Kind::Never => {}
        Kind::Turn | Kind::OneCall => {
            // A cancellation before the turn begins would be of no turn.
            let started = Instant::now();
            let deadline = Duration::from_millis(DEADLINE_MS);
            while !ground.bench.fake.file(HELD).exists() && started.elapsed() < deadline {
                thread::sleep(Duration::from_millis(2));
            }
            match kind {
                Kind::OneCall => cancel.call(0),
                _ => cancel.turn(),
            }
        }
        Kind::AnyTime | Kind::Batch => {
            thread::sleep(pause);
            cancel.turn();
        }
    }
}
