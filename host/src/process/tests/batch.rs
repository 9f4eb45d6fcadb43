//! Several at once: order, how many run together, and the time a whole turn has.

use rustix::process::{Resource, getrlimit, setrlimit};

use super::*;

fn run_all(launches: Vec<Launch>, bounds: &Bounds) -> Vec<Outcome> {
    let cancel = Cancel::new().unwrap();
    run(launches, bounds, None, &cancel, &mut |_, _, _| {})
}

fn of(class: Class, mut launch: Launch) -> Launch {
    launch.class = class;
    launch
}

#[test]
fn outcomes_keep_the_order_of_the_launches_and_each_is_reported_once() {
    let cancel = Cancel::new().unwrap();
    let launches = (0..20)
        .map(|n| match n {
            7 => launch("/nonexistent/loom", &[]),
            n => sh(&format!("exit {n}"), &mark()),
        })
        .collect();
    let mut reported = Vec::new();
    let mut report = |index: usize, outcome: &mut Outcome, _: Duration| {
        reported.push((index, format!("{outcome:?}")));
    };
    let outcomes = run(launches, &Bounds::default(), None, &cancel, &mut report);
    reported.sort_unstable();
    let expected: Vec<_> = outcomes
        .iter()
        .map(|outcome| format!("{outcome:?}"))
        .enumerate()
        .collect();
    assert_eq!(reported, expected);
    for (n, outcome) in outcomes.iter().enumerate() {
        match outcome {
            Outcome::Finished { exit_code, .. } => {
                assert_eq!(*exit_code, i32::try_from(n).unwrap())
            }
            other => assert!(
                n == 7 && matches!(other, Outcome::NotStarted(_)),
                "{other:?}"
            ),
        }
    }
}

#[test]
fn no_launches_are_no_outcomes() {
    assert!(run_all(Vec::new(), &Bounds::default()).is_empty());
}

#[test]
fn eight_retrievals_and_four_command_runs_run_together() {
    let scratch = Scratch::new();
    // Each waits for all twelve, so they finish only when twelve run at the same time.
    let script = ": >\"$1/$$\"; until [ \"$(ls \"$1\" | wc -l)\" -ge 12 ]; do sleep 0.01; done";
    let mark = mark();
    let path = scratch.0.to_str().unwrap();
    let one = |class| of(class, launch("/bin/sh", &["-c", script, &mark, path]));
    let mut launches: Vec<Launch> = (0..8).map(|_| one(Class::Retrieval)).collect();
    launches.extend((0..4).map(|_| one(Class::CommandRun)));
    for outcome in run_all(launches, &Bounds::default()) {
        assert_eq!(text(outcome), "");
    }
}

#[test]
fn never_more_of_a_class_run_together_than_its_bound() {
    for (class, bound) in [(Class::Retrieval, 8), (Class::CommandRun, 4)] {
        let scratch = Scratch::new();
        let script = ": >\"$1/$$\"; ls \"$1\" | wc -l; sleep 0.05; ls \"$1\" | wc -l; rm \"$1/$$\"";
        let mark = mark();
        let path = scratch.0.to_str().unwrap();
        let launches = (0..24).map(|_| of(class, launch("/bin/sh", &["-c", script, &mark, path])));
        for outcome in run_all(launches.collect(), &Bounds::default()) {
            for seen in text(outcome).lines() {
                let seen: usize = seen.trim().parse().unwrap();
                assert!((1..=bound).contains(&seen), "{seen} of {class:?} at once");
            }
        }
    }
}

#[test]
fn a_bound_of_zero_at_once_counts_as_one() {
    let bounds = Bounds {
        retrievals: 0,
        command_runs: 0,
        ..Bounds::default()
    };
    let launches = [Class::Retrieval, Class::CommandRun, Class::Retrieval];
    let launches = launches.map(|class| of(class, launch("/bin/true", &[])));
    for outcome in run_all(launches.into(), &bounds) {
        assert_eq!(text(outcome), "");
    }
}

#[test]
fn a_deadline_past_all_reckoning_is_none() {
    let bounds = Bounds {
        deadline: Duration::MAX,
        output: usize::MAX,
        ..Bounds::default()
    };
    assert_eq!(text(run_with(launch("/bin/echo", &["x"]), &bounds)), "x\n");
}

#[test]
fn each_deadline_counts_from_its_own_start() {
    let bounds = Bounds {
        deadline: Duration::from_secs(5),
        retrievals: 1,
        ..Bounds::default()
    };
    let launches = vec![launch("/bin/true", &[]), launch("/bin/echo", &["x"])];
    let cancel = Cancel::new().unwrap();
    // A whole deadline passes between the start of the batch and that of the second process.
    let mut report = |index: usize, _: &mut Outcome, _: Duration| {
        if index == 0 {
            thread::sleep(bounds.deadline);
        }
    };
    let mut outcomes = run(launches, &bounds, None, &cancel, &mut report);
    assert_eq!(text(outcomes.remove(1)), "x\n");
}

#[test]
fn past_the_time_of_the_turn_nothing_starts() {
    let cancel = Cancel::new().unwrap();
    let launches = vec![launch("/bin/true", &[]), launch("/bin/true", &[])];
    let until = Some(Instant::now());
    let mut reported = 0;
    let mut report = |_: usize, _: &mut Outcome, took: Duration| {
        assert_eq!(took, Duration::ZERO);
        reported += 1;
    };
    let outcomes = run(launches, &Bounds::default(), until, &cancel, &mut report);
    assert!(
        matches!(outcomes[..], [Outcome::Cancelled, Outcome::Cancelled]),
        "{outcomes:?}"
    );
    assert_eq!(reported, 2);
}

#[test]
fn when_the_time_of_the_turn_ends_what_runs_is_lost_and_what_waits_is_cancelled() {
    let cancel = Cancel::new().unwrap();
    let mark = mark();
    let bounds = Bounds {
        retrievals: 1,
        ..Bounds::default()
    };
    let launches = vec![sh("sleep $0 & sleep $0", &mark), launch("/bin/true", &[])];
    // Far enough off that the first one starts, and then only waiting is left.
    let until = Some(Instant::now() + Duration::from_secs(2));
    let outcomes = run(launches, &bounds, until, &cancel, &mut |_, _, _| {});
    assert!(
        matches!(
            outcomes[..],
            [Outcome::Lost(Loss::Deadline), Outcome::Cancelled]
        ),
        "{outcomes:?}"
    );
    assert_gone(&mark);
}

#[test]
fn when_nothing_can_be_watched_what_runs_is_lost_and_what_waits_is_not_started() {
    // poll(2) fails when it is given more than may be open, which is a limit of the whole process:
    // the test has one for itself.
    const ALONE: &str = "LOOM_TOOLS_TEST_ALONE";
    const NAME: &str = "process::tests::batch::\
        when_nothing_can_be_watched_what_runs_is_lost_and_what_waits_is_not_started";
    if std::env::var_os(ALONE).is_none() {
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        let output = alone
            .args(["--exact", NAME])
            .env(ALONE, "")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("1 passed"), "{printed}");
        return;
    }
    let usual = getrlimit(Resource::Nofile);
    let mut few = usual;
    few.current = Some(3);
    let (cancel, mark) = (Cancel::new().unwrap(), mark());
    let bounds = Bounds {
        retrievals: 1,
        ..Bounds::default()
    };
    let launches = vec![
        sh("exec sleep $0", &mark),
        of(Class::CommandRun, launch("/nonexistent/loom", &[])),
        launch("/bin/true", &[]),
    ];
    let mut reported = Vec::new();
    // The one that is not there is reported when the first one runs, and before it is waited for.
    let mut report = |index: usize, _: &mut Outcome, _: Duration| {
        reported.push(index);
        let limit = if index == 1 { few } else { usual };
        setrlimit(Resource::Nofile, limit).unwrap();
    };
    let outcomes = run(launches, &bounds, None, &cancel, &mut report);
    assert!(
        matches!(
            outcomes[..],
            [
                Outcome::Lost(Loss::Io(_)),
                Outcome::NotStarted(_),
                Outcome::NotStarted(_)
            ]
        ),
        "{outcomes:?}"
    );
    assert_eq!(reported, [1, 0, 2]);
    assert_gone(&mark);
}
