//! How one process ends, and what it leaves.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rustix::process::{Pid, Signal, kill_process};

use super::super::group::Group;
use super::*;

#[test]
fn exit_code_and_output_are_reported() {
    let outcome = run_one(sh("printf out; printf err >&2; exit 7", &mark()));
    let Outcome::Finished { exit_code, stdout } = outcome else {
        panic!("{outcome:?}");
    };
    assert_eq!((exit_code, stdout.as_slice()), (7, b"out".as_slice()));
}

#[test]
fn an_answer_of_thirty_megabytes_arrives_whole() {
    let outcome = run_one(launch("/usr/bin/head", &["-c", "31457280", "/dev/zero"]));
    assert_eq!(text(outcome).len(), 31_457_280);
}

#[test]
fn output_at_the_bound_arrives_and_one_byte_more_is_lost() {
    for bound in [0usize, 1, 65_536, 100_000] {
        let bounds = Bounds {
            output: bound,
            ..Bounds::default()
        };
        let print =
            |count: usize| launch("/usr/bin/head", &["-c", &count.to_string(), "/dev/zero"]);
        assert_eq!(text(run_with(print(bound), &bounds)).len(), bound);
        let outcome = run_with(print(bound + 1), &bounds);
        assert!(
            matches!(outcome, Outcome::Lost(Loss::Output)),
            "{outcome:?}"
        );
    }
}

#[test]
fn endless_output_is_lost_and_the_process_is_gone() {
    let mark = mark();
    let outcome = run_one(sh("while :; do echo 0123456789; done; : $0", &mark));
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Output)),
        "{outcome:?}"
    );
    assert!(marked(&mark).is_empty());
}

#[test]
fn a_chatty_standard_error_blocks_nothing_and_is_not_in_the_answer() {
    let script = "head -c 3000000 /dev/zero >&2; echo out; head -c 3000000 /dev/zero >&2";
    assert_eq!(text(run_one(sh(script, &mark()))), "out\n");
}

#[test]
fn death_by_a_signal_is_lost_with_its_number() {
    let outcome = run_one(sh("echo partial; kill -SEGV $$", &mark()));
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Signal(11))),
        "{outcome:?}"
    );
}

#[test]
fn a_silent_process_is_killed_at_the_deadline() {
    let mark = mark();
    let outcome = run_with(launch("/bin/sleep", &[&mark]), &soon());
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Deadline)),
        "{outcome:?}"
    );
    assert!(marked(&mark).is_empty());
}

#[test]
fn a_process_that_ignores_every_signal_is_killed_at_the_deadline() {
    let mark = mark();
    let script = "trap '' TERM INT HUP QUIT; while :; do sleep $0; done";
    let outcome = run_with(sh(script, &mark), &soon());
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Deadline)),
        "{outcome:?}"
    );
    assert_gone(&mark);
}

#[test]
fn a_grandchild_that_keeps_the_pipe_is_killed_at_the_deadline() {
    let mark = mark();
    let outcome = run_with(sh("sleep $0 & echo done", &mark), &soon());
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Deadline)),
        "{outcome:?}"
    );
    assert_gone(&mark);
}

#[test]
fn a_grandchild_that_keeps_no_pipe_is_killed_when_the_answer_is_complete() {
    let mark = mark();
    let script = "sleep $0 >/dev/null 2>&1 & echo done";
    assert_eq!(text(run_one(sh(script, &mark))), "done\n");
    assert_gone(&mark);
}

#[test]
fn a_grandchild_that_keeps_only_standard_error_does_not_delay_the_answer() {
    let mark = mark();
    assert_eq!(
        text(run_one(sh("sleep $0 >/dev/null & echo done", &mark))),
        "done\n"
    );
    assert_gone(&mark);
}

#[test]
fn a_process_that_closes_its_output_and_stays_is_killed_at_the_deadline() {
    let mark = mark();
    let outcome = run_with(sh("exec >&- 2>&-; sleep $0; :", &mark), &soon());
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Deadline)),
        "{outcome:?}"
    );
    assert_gone(&mark);
}

#[test]
fn a_descendant_that_leaves_the_group_and_holds_the_pipe_does_not_outlast_the_deadline() {
    let mark = mark();
    // One that is slow to leave dies with the group; the verdict is the same.
    let script = "setsid sh -c 'echo left; exec sleep $0' $0 & sleep $0";
    let outcome = run_with(sh(script, &mark), &soon());
    assert!(
        matches!(outcome, Outcome::Lost(Loss::Deadline)),
        "{outcome:?}"
    );
    // It is out of reach, so the test ends it.
    for pid in marked(&mark) {
        let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
    }
    assert_gone(&mark);
}

#[test]
fn a_panic_leaves_nothing_running() {
    let mark = mark();
    let launches = vec![sh("sleep $0 & sleep $0", &mark), launch("/bin/true", &[])];
    let cancel = Cancel::new().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        run(
            launches,
            &Bounds::default(),
            None,
            &cancel,
            &mut |_, _, _| panic!("a report that fails"),
        )
    }));
    assert!(panicked.is_err());
    assert_gone(&mark);
}

#[test]
fn every_process_is_reaped() {
    let mut report = |_: usize, _: &mut Outcome, _: Duration| {};
    let cancel = Cancel::new().unwrap();
    let launches = (0..20).map(|_| sh("echo $$", &mark())).collect();
    let outcomes = run(launches, &Bounds::default(), None, &cancel, &mut report);
    for pid in outcomes.into_iter().map(text) {
        // A zombie of ours would still be there, under our own process id.
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        let parent = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split(' ').nth(2));
        assert_ne!(
            parent,
            Some(std::process::id().to_string().as_str()),
            "{stat}"
        );
    }
}

/// A group, its exit watched or not.
fn group(launch: Launch, watched: bool) -> Group {
    let (_, stdout) = std::io::pipe().unwrap();
    let (_, stderr) = std::io::pipe().unwrap();
    let mut group = Group::start(launch, stdout, stderr).unwrap();
    if watched {
        group.watch().unwrap();
    }
    group
}

#[test]
fn a_leader_that_does_not_exit_is_waited_for_only_so_long() {
    for watched in [true, false] {
        let mark = mark();
        let mut group = group(sh("exec sleep $0", &mark), watched);
        for within in [Duration::ZERO, Duration::from_millis(30)] {
            let error = group.reap(within).unwrap_err();
            assert_eq!(error.kind(), std::io::ErrorKind::TimedOut);
        }
        drop(group);
        assert_gone(&mark);
    }
}

#[test]
fn a_leader_that_exits_in_time_is_reaped_with_its_status() {
    for watched in [true, false] {
        let mut group = group(sh("sleep 0.05; exit 3", &mark()), watched);
        assert_eq!(group.reap(PATIENCE).unwrap().code(), Some(3));
        // Its id may be another's by now, which its end would kill.
        std::mem::forget(group);
    }
}
