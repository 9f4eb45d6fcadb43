//! How a session ends, in the middle of a turn or not: nothing is left running.

use loom_tools_tests::fake::{Step, print, rule};
use loom_tools_tests::session::Session;
use rustix::process::Signal;
use serde_json::json;

use crate::bench;

fn profile() -> String {
    Session::turn_line(&[("loom_profile", json!({}))])
}

#[test]
fn the_end_of_input_in_the_middle_of_a_turn_lets_the_turn_end() {
    let bench = bench();
    let steps = [
        Step::Touch("begun".into()),
        Step::Await("go on".into()),
        print("{}"),
    ];
    bench.fake.script(&[rule(&[], steps)]);
    let mut session = bench.session(&[]);
    session.send(profile().as_bytes());
    session.send(b"\n");
    bench.fake.await_file("begun");
    session.close();
    bench.fake.touch("go on");
    let answer = session.next_line().unwrap();
    assert!(answer.contains(r#""status":"ok""#), "{answer}");
    assert_eq!(session.next_line(), None);
    assert!(session.end().success());
    bench.assert_nothing_runs();
}

#[test]
fn the_end_of_input_in_the_middle_of_a_line_ends_the_line() {
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let mut session = bench.session(&[]);
    session.send(profile().as_bytes());
    session.close();
    assert!(session.next_line().unwrap().contains(r#""status":"ok""#));
    assert!(session.end().success());
    let mut session = bench.session(&[]);
    session.send(&profile().as_bytes()[..20]);
    session.close();
    assert!(
        session
            .next_line()
            .unwrap()
            .contains(r#""code":"invalid_line""#)
    );
    assert!(session.end().success());
    bench.assert_nothing_runs();
}

#[test]
fn a_last_line_of_8_mib_without_its_end_is_read_and_one_past_it_is_not() {
    const LINE: usize = 8 << 20;
    let bench = bench();
    bench.fake.script(&[rule(&[], [print("{}")])]);
    let last = |length: usize| {
        let line = profile();
        let line = format!("{line}{}", " ".repeat(length - line.len()));
        let ran = bench.run(&["session"], &[]).stdin(line).ran();
        ran.expect_code(0).json()
    };
    assert_eq!(last(LINE)["replies"][0]["shown"]["status"], "ok");
    let too_long = "The line is longer than 8 MiB.";
    assert_eq!(last(LINE + 1)["error"]["message"], too_long);
}

#[test]
fn a_signal_in_the_middle_of_a_turn_kills_its_processes_and_is_the_exit_code() {
    for (signal, code) in [
        (Signal::TERM, 143),
        (Signal::INT, 130),
        (Signal::HUP, 129),
        (Signal::QUIT, 131),
    ] {
        let bench = bench();
        let left = Step::Grandchild {
            setsid: false,
            keeps_stdout: true,
        };
        bench.fake.script(&[
            rule(
                &["first"],
                [left, Step::Touch("first".into()), Step::Sleep(300_000)],
            ),
            rule(
                &["second"],
                [Step::Touch("second".into()), Step::Sleep(300_000)],
            ),
        ]);
        let mut session = bench.session(&[]);
        let read = |target: &str| ("loom_page_read", json!({ "target": target }));
        let line = Session::turn_line(&[read("first"), read("second")]);
        session.send(line.as_bytes());
        session.send(b"\n");
        bench.fake.await_file("first");
        bench.fake.await_file("second");
        session.signal(signal);
        assert_eq!(session.ended().code(), Some(code));
        bench.assert_nothing_runs();
        assert!(
            !session.stderr().contains("panicked"),
            "{}",
            session.stderr()
        );
    }
}

#[test]
fn a_signal_in_the_middle_of_a_lone_call_is_its_exit_code_too() {
    let bench = bench();
    let steps = [Step::Touch("begun".into()), Step::Sleep(300_000)];
    bench.fake.script(&[rule(&[], steps)]);
    let state = bench.path("run.state");
    let host = bench.call("loom_profile", &json!({}), &[]);
    let mut call = host.with("--state").with(&state).session();
    bench.fake.await_file("begun");
    call.signal(Signal::INT);
    assert_eq!(call.ended().code(), Some(130));
    // The turn was answered, and the run that it was part of is kept.
    assert!(state.exists());
    bench.assert_nothing_runs();
}

#[test]
fn a_signal_starts_nothing_that_still_waited() {
    let bench = bench();
    let steps = [Step::Touch("begun".into()), Step::Sleep(300_000)];
    bench.fake.script(&[rule(&[], steps)]);
    let mut session = bench.session(&[]);
    session.send(Session::turn_line(&vec![("loom_profile", json!({})); 20]).as_bytes());
    session.send(b"\n");
    bench.fake.await_file("begun");
    session.signal(Signal::TERM);
    assert_eq!(session.ended().code(), Some(143));
    bench.assert_nothing_runs();
    assert!(
        bench.fake.records().len() <= 8,
        "{}",
        bench.fake.records().len()
    );
}

#[test]
fn a_signal_between_turns_ends_an_idle_session() {
    let bench = bench();
    let mut session = bench.session(&[]);
    session.ask(r#"{"calls":[]}"#);
    session.signal(Signal::INT);
    assert_eq!(session.ended().code(), Some(130));
}

#[test]
fn a_reader_that_goes_away_ends_the_session_without_a_panic() {
    let bench = bench();
    let line = format!("{}\n", r#"{"calls":[]}"#);
    let ran = bench
        .run(&["session"], &[])
        .stdin(line.repeat(3))
        .without_a_reader()
        .ran()
        .expect_code(1);
    assert!(!ran.stderr.contains("panicked"), "{}", ran.report());
}
