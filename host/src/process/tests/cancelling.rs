//! What a cancellation ends, and how long it holds.

use super::*;

/// Runs `launches` while another thread waits for the mark to be running and then acts.
fn run_and(
    launches: Vec<Launch>,
    bounds: &Bounds,
    mark: &str,
    cancel: &Cancel,
    act: impl FnOnce(&Cancel) + Send,
) -> Vec<Outcome> {
    thread::scope(|scope| {
        scope.spawn(|| {
            wait_until("the start of the process", || !marked(mark).is_empty());
            act(cancel);
        });
        run(launches, bounds, None, cancel, &mut |_, _, _| {})
    })
}

fn for_call(call: u32, mut launch: Launch) -> Launch {
    launch.call = call;
    launch
}

#[test]
fn a_cancelled_turn_loses_what_runs_and_starts_nothing_more() {
    let (mark, never) = (mark(), mark());
    let bounds = Bounds {
        retrievals: 1,
        ..Bounds::default()
    };
    let launches = vec![
        sh("sleep $0 & sleep $0", &mark),
        launch("/bin/sleep", &[&never]),
    ];
    let cancel = Cancel::new().unwrap();
    let outcomes = run_and(launches, &bounds, &mark, &cancel, Cancel::turn);
    assert!(
        matches!(
            outcomes[..],
            [Outcome::Lost(Loss::Cancelled), Outcome::Cancelled]
        ),
        "{outcomes:?}"
    );
    assert_gone(&mark);
    assert!(marked(&never).is_empty());
}

#[test]
fn a_cancelled_call_ends_alone() {
    let mark = mark();
    let scratch = Scratch::new();
    let go = scratch.0.join("go");
    // The other call finishes only after the cancellation.
    let script = "until [ -e \"$1\" ]; do sleep 0.01; done; echo on";
    let other = launch("/bin/sh", &["-c", script, "other", go.to_str().unwrap()]);
    let bounds = Bounds {
        retrievals: 2,
        ..Bounds::default()
    };
    let launches = vec![
        for_call(3, launch("/bin/sleep", &[&mark])),
        for_call(4, other),
        for_call(3, launch("/bin/true", &[])),
    ];
    let cancel = Cancel::new().unwrap();
    let outcomes = run_and(launches, &bounds, &mark, &cancel, |cancel| {
        cancel.call(3);
        wait_until("the end of the cancelled call", || marked(&mark).is_empty());
        fs::write(&go, "").unwrap();
    });
    assert!(
        matches!(outcomes[0], Outcome::Lost(Loss::Cancelled)),
        "{outcomes:?}"
    );
    assert!(matches!(outcomes[2], Outcome::Cancelled), "{outcomes:?}");
    assert_eq!(text(outcomes.into_iter().nth(1).unwrap()), "on\n");
}

#[test]
fn a_cancelled_turn_stays_cancelled_until_the_next_begins() {
    let cancel = Cancel::new().unwrap();
    let once = || {
        let launches = vec![launch("/bin/echo", &["x"])];
        run(
            launches,
            &Bounds::default(),
            None,
            &cancel,
            &mut |_, _, _| {},
        )
        .remove(0)
    };
    cancel.clone().turn();
    for _ in 0..2 {
        assert!(matches!(once(), Outcome::Cancelled));
    }
    cancel.reset();
    assert_eq!(text(once()), "x\n");
    cancel.call(0);
    assert!(matches!(once(), Outcome::Cancelled));
    cancel.reset();
    assert_eq!(text(once()), "x\n");
}

#[test]
fn a_stopped_host_starts_nothing_in_any_later_turn() {
    let cancel = Cancel::new().unwrap();
    cancel.stop();
    cancel.reset();
    let launches = vec![launch("/bin/true", &[])];
    let outcomes = run(
        launches,
        &Bounds::default(),
        None,
        &cancel,
        &mut |_, _, _| {},
    );
    assert!(matches!(outcomes[..], [Outcome::Cancelled]), "{outcomes:?}");
}

#[test]
fn a_cancellation_of_another_call_disturbs_nothing() {
    let cancel = Cancel::new().unwrap();
    for call in 1..100 {
        cancel.call(call);
    }
    let launches = vec![launch("/bin/echo", &["x"])];
    let mut outcomes = run(
        launches,
        &Bounds::default(),
        None,
        &cancel,
        &mut |_, _, _| {},
    );
    assert_eq!(text(outcomes.remove(0)), "x\n");
}

#[test]
fn the_handle_can_be_sent_and_shared() {
    fn check<T: Send + Sync + Clone>() {}
    check::<Cancel>();
}
