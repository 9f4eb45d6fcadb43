//! What a run's end leaves behind: nothing. That the engine serves the next run, and that no
//! process is left, every test shows when its stage ends.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use loom_tools_host::limits::{Limit, Limits};
use loom_tools_host::{Component, Engine, Run, ambient_authority};

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::{Core, SPIN};
use crate::fixture::{Stage, asked, assert_limit, brief, limited, told, trusting, wait_until};

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
