//! Guest code that does not end: its own time is counted, and the turn's; time in processes is the
//! turn's alone.

use std::time::Duration;

use loom_tools_host::limits::Limit;
use loom_tools_host::{Component, Run, RunError, ambient_authority};

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::{ASK_NOTHING, Core, SPIN};
use crate::fixture::{
    Stage, asked, assert_limit, assert_over, brief, call, limited, outcomes, told,
};

#[test]
fn a_start_that_spins_ends_on_guest_time() {
    let stage = Stage::new();
    let core = Core {
        start: SPIN.to_owned(),
        ..Core::new()
    };
    assert_limit(stage.open(&core.component(), brief()), Limit::GuestTime);
}

#[test]
fn a_module_that_spins_before_start_ends_on_guest_time() {
    let stage = Stage::new();
    let core = Core {
        items: format!("(func $first {SPIN}) (start $first)"),
        ..Core::new()
    };
    assert_limit(stage.open(&core.component(), brief()), Limit::GuestTime);
}

#[test]
fn a_resume_that_spins_ends_on_guest_time() {
    let stage = Stage::new();
    let core = Core {
        resume: SPIN.to_owned(),
        ..Core::new()
    };
    let component = Component::load(&stage.engine, &core.component(), None).unwrap();
    let journal = Box::new(loom_tools_host::journal::NoJournal);
    let (loom, authority) = (stage.loom(), ambient_authority());
    let resumed = Run::open(&component, loom, brief(), journal, Some("{}"), authority);
    assert_limit(resumed, Limit::GuestTime);
}

/// A run of `core`, then one call into it, which ends on the time of guest code and ends the run.
#[track_caller]
fn assert_spins<T>(core: &Core, call: impl FnOnce(&mut Run) -> Result<T, RunError>) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), brief()).unwrap();
    assert_limit(call(&mut run), Limit::GuestTime);
    assert_over(&mut run);
}

#[test]
fn a_turn_that_spins_ends_on_guest_time() {
    assert_spins(&Core::invoking(SPIN), |run| run.invoke(Vec::new()));
}

#[test]
fn tools_that_spin_end_on_guest_time() {
    let core = Core {
        tools: SPIN.to_owned(),
        ..Core::new()
    };
    assert_spins(&core, Run::tools);
}

#[test]
fn a_label_that_spins_ends_on_guest_time() {
    let core = Core {
        label: SPIN.to_owned(),
        ..Core::new()
    };
    assert_spins(&core, Run::label);
}

#[test]
fn a_save_that_spins_ends_on_guest_time() {
    let core = Core {
        save: SPIN.to_owned(),
        ..Core::new()
    };
    assert_spins(&core, Run::save);
}

#[test]
fn a_resolution_that_spins_ends_on_guest_time() {
    let core = Core {
        resolve: SPIN.to_owned(),
        ..Core::new()
    };
    assert_spins(&core, |run| run.resolve_result("{}"));
}

#[test]
fn what_spins_after_the_replies_were_read_ends_on_guest_time() {
    let core = Core {
        post_invoke: SPIN.to_owned(),
        ..Core::new()
    };
    assert_spins(&core, |run| run.invoke(Vec::new()));
}

#[test]
fn an_allocation_for_the_turn_that_spins_ends_on_guest_time() {
    // The run's settings need none when they hold but short, empty or absent parts; a call does.
    let core = Core {
        items: "(global $runs (mut i32) (i32.const 0))".to_owned(),
        label: format!("(global.set $runs (i32.const 1)) {}", Core::new().label),
        realloc: format!(
            "(if (global.get $runs) (then (loop (br 0)))) {}",
            Core::new().realloc
        ),
        ..Core::new()
    };
    assert_spins(&core, |run| {
        run.label().unwrap();
        run.invoke(vec![call("loom_profile", "{}")])
    });
}

#[test]
fn cheap_host_calls_for_ever_end_on_the_turns_time() {
    let stage = Stage::new();
    let settings = limited(|limits| limits.turn_time = Duration::from_millis(200));
    let core = Core::invoking(ASK_NOTHING);
    let mut run = stage.open(&core.component(), settings).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::TurnTime);
    assert_over(&mut run);
}

#[test]
fn cheap_host_calls_for_ever_do_not_escape_the_guests_time() {
    let stage = Stage::new();
    let settings = limited(|limits| {
        limits.guest_time = Duration::from_millis(100);
        limits.turn_time = Duration::from_secs(20);
    });
    let core = Core::invoking(ASK_NOTHING);
    let mut run = stage.open(&core.component(), settings).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::GuestTime);
}

#[test]
fn a_process_does_not_spend_the_guests_time() {
    let stage = Stage::new();
    // The process takes three seconds.
    let mut run = stage.guest(limited(|limits| limits.guest_time = Duration::from_secs(2)));
    assert_eq!(
        asked(&mut run, "page-read target=nap"),
        ["exit 0, 14 bytes"]
    );
    assert_eq!(run.label().unwrap(), "[]");
}

#[test]
fn a_process_past_the_turns_time_is_lost_and_the_turn_is_answered() {
    let stage = Stage::new();
    let settings = || limited(|limits| limits.turn_time = Duration::from_millis(500));
    let mut run = stage.guest(settings());
    assert_eq!(asked(&mut run, "page-read target=sleep"), ["lost"]);
    // The next turn has its own time.
    assert_eq!(asked(&mut run, "page-read target=sleep"), ["lost"]);
    assert_eq!(stage.started().len(), 2);
}

#[test]
fn a_request_past_the_turns_time_ends_the_run() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| {
        limits.turn_time = Duration::from_millis(500)
    }));
    let input = "page-read target=sleep\npage-read target=after";
    assert_limit(
        told(&mut run, Behaviour::AskOneByOne, input),
        Limit::TurnTime,
    );
    assert_eq!(stage.started().len(), 1);
    assert_over(&mut run);
}

#[test]
fn requests_for_ever_end_on_their_number() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.requests = 20));
    let ended = told(
        &mut run,
        Behaviour::AskForEver,
        "page-read target=a\nprofile",
    );
    assert_limit(ended, Limit::Requests);
    assert_eq!(stage.started().len(), 20);
    assert_over(&mut run);
}

#[test]
fn refused_requests_for_ever_end_on_their_number() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|_| ()));
    let ended = told(
        &mut run,
        Behaviour::AskForEver,
        "page-read target=--rpc-queue",
    );
    assert_limit(ended, Limit::Requests);
    assert!(stage.started().is_empty());
}

#[test]
fn a_hundred_thousand_requests_at_once_start_nothing() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|_| ()));
    let ended = told(&mut run, Behaviour::AskMany, "100000 profile");
    assert_limit(ended, Limit::Requests);
    assert!(stage.started().is_empty());
    assert_over(&mut run);
}

#[test]
fn as_many_requests_as_are_allowed_are_answered_in_every_turn() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.requests = 16));
    for _ in 0..2 {
        let answers = outcomes(&mut run, Behaviour::AskMany, "16 profile");
        assert_eq!(answers, ["exit 0, 14 bytes"; 16]);
    }
    assert_eq!(stage.started().len(), 32);
}

#[test]
fn a_request_more_than_are_allowed_starts_none_of_its_list() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.requests = 16));
    let ended = told(&mut run, Behaviour::AskMany, "17 profile");
    assert_limit(ended, Limit::Requests);
    assert!(stage.started().is_empty());
    assert_over(&mut run);
}

#[test]
fn as_many_requests_as_are_allowed_by_default_are_answered() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|_| ()));
    // Refused ones, which cost no process.
    let many = |count| format!("{count} page-read target=-x");
    let answers = outcomes(&mut run, Behaviour::AskMany, &many(1_024));
    assert_eq!(answers, ["not granted"; 1_024]);
    let ended = told(&mut run, Behaviour::AskMany, &many(1_025));
    assert_limit(ended, Limit::Requests);
}
