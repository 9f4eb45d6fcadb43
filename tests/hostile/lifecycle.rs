//! What a run's end leaves behind: nothing. That the engine serves the next run, and that no
//! process is left, every test shows when its stage ends.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use loom_tools_host::audit_log::AuditLog;
use loom_tools_host::limits::{Limit, Limits};
use loom_tools_host::{Component, Engine, Run, RunError, ambient_authority};
use serde_json::Value;

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::{Core, NOTHING, SPIN};
use crate::fixture::{
    Stage, asked, assert_limit, brief, call, limited, told, trusting, wait_until,
};

#[test]
fn other_runs_go_on_while_one_spins() {
    let stage = Stage::new();
    let settings = limited(|limits| limits.guest_time = Duration::from_secs(3));
    let mut spinning = stage
        .open(&Core::invoking(SPIN).component(), settings)
        .unwrap();
    let mut good = stage.guest(trusting());
    let spun = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            assert_limit(spinning.invoke(Vec::new()), Limit::GuestTime);
            spun.store(true, Ordering::Relaxed);
        });
        let mut turns = 0;
        while !spun.load(Ordering::Relaxed) {
            assert_eq!(asked(&mut good, "profile"), ["exit 0, 14 bytes"]);
            turns += 1;
        }
        assert!(turns > 0);
    });
    assert_eq!(asked(&mut good, "profile"), ["exit 0, 14 bytes"]);
}

#[test]
fn a_run_that_ends_between_processes_leaves_none() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.requests = 3));
    let requests = "page-read target=a\nprofile\npage-read target=b\nprofile";
    assert_limit(
        told(&mut run, Behaviour::AskOneByOne, requests),
        Limit::Requests,
    );
    assert_eq!(stage.started().len(), 3);
}

#[test]
fn a_run_dropped_after_its_end_gives_its_memory_back() {
    // Each takes most of what it may: together they would not fit an address space of 4 TiB, nor
    // this machine's memory if what they touch stayed.
    let stage = Stage::new();
    let core = Core::invoking(
        "(drop (memory.grow (i32.const 8000)))
         (memory.fill (i32.const 65536) (i32.const 1) (i32.const 16777216))
         (unreachable)",
    );
    let component = Component::load(&stage.engine, &core.component(), None).unwrap();
    for _ in 0..64 {
        let authority = ambient_authority();
        let mut run = Run::start(&component, stage.loom(), trusting(), authority).unwrap();
        assert!(run.invoke(Vec::new()).is_err());
    }
}

/// How many threads of this process tick for an engine.
fn ticking() -> usize {
    let tasks = fs::read_dir("/proc/self/task").unwrap().flatten();
    let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
    names
        .filter(|name| name.trim_end() == "loom-tools-tick")
        .count()
}

#[test]
fn an_engine_has_one_thread_however_many_runs_end_on_it() {
    let stage = Stage::new();
    let engine = Engine::new(&Limits::default()).unwrap();
    let spin = Component::load(&engine, &Core::invoking(SPIN).component(), None).unwrap();
    for _ in 0..10 {
        let mut settings = brief();
        settings.limits.guest_time = Duration::from_millis(1);
        let authority = ambient_authority();
        let mut run = Run::start(&spin, stage.loom(), settings, authority).unwrap();
        assert_limit(run.invoke(Vec::new()), Limit::GuestTime);
    }
    // The tests' shared engine, this one, and the one of a test that tries another stack.
    assert!(ticking() <= 3, "{}", ticking());
    drop((engine, spin));
    wait_until("the end of the engine's thread", || ticking() <= 2);
}

/// What the audit log says of a run of `core`, whose turn asks to read a page.
fn logged(core: &Core) -> (Vec<Value>, RunError) {
    let stage = Stage::new();
    let (path, authority) = (stage.dir().join("log.jsonl"), ambient_authority());
    let log = Box::new(AuditLog::open(&path, "run-1", authority).unwrap());
    let component = Component::load(&stage.engine, &core.component(), None).unwrap();
    let run = Run::open(&component, stage.loom(), brief(), log, None, authority);
    let ended = run.and_then(|mut run| {
        let ended = run.invoke(vec![call("loom_page_read", "{}")]).map(drop);
        // What is over is not over again.
        assert!(matches!(run.label(), Err(RunError::Ended)));
        ended
    });
    let log = fs::read_to_string(path).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    (lines.collect(), ended.unwrap_err())
}

#[test]
fn a_run_that_its_component_broke_says_so_on_the_last_line_of_the_log() {
    let asks = Core::asking("").invoke;
    let traps = Core::invoking(&asks.replace(NOTHING, "(unreachable)"));
    let spins = Core::invoking(&asks.replace(NOTHING, SPIN));
    // No reply to a call.
    let lies = Core::invoking(&asks);
    for (core, why) in [
        (traps, "the component trapped: "),
        (spins, "the component broke a limit: time in guest code; "),
        (
            lies,
            "the component's answer is malformed: 0 replies to 1 calls; ",
        ),
    ] {
        let (lines, error) = logged(&core);
        let [request, over] = &lines[..] else {
            panic!("{lines:?}");
        };
        assert_eq!(request["end"], "exited");
        assert_eq!(over["over"], error.to_string());
        assert!(error.to_string().starts_with(why), "{error}");
        assert_eq!(over["run"], "run-1");
    }
}

#[test]
fn a_run_that_traps_before_its_first_turn_is_a_line_of_the_log_and_a_refused_one_is_none() {
    let starting = |start: &str| Core {
        start: start.to_owned(),
        ..Core::new()
    };
    let (lines, error) = logged(&starting("(unreachable)"));
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["over"], error.to_string());
    let refuses =
        "(i32.store8 (i32.const 64) (i32.const 1)) (i32.store (i32.const 68) (i32.const 16))
         (i32.store (i32.const 72) (i32.const 4)) (i32.const 64)";
    let (lines, error) = logged(&starting(refuses));
    assert!(lines.is_empty(), "{lines:?}");
    assert!(matches!(error, RunError::Refused(_)));
}
