//! Recordings that are damaged, foreign or too large: an error that says so, never a panic.

use std::path::Path;

use loom_tools_host::limits::Limits;
use loom_tools_host::replay::{ReplayError, Replayed, Verdict, replay};
use loom_tools_host::{Component, Engine, ambient_authority};

use crate::bed::{Bed, search, write_note};

fn component() -> Component {
    let engine = Engine::new(&Limits::default()).unwrap();
    Component::embedded(&engine).unwrap()
}

fn play(component: &Component, path: &Path) -> Result<Replayed, ReplayError> {
    replay(component, path, &Limits::default(), ambient_authority())
}

fn recorded() -> Bed {
    let bed = Bed::new();
    let input = search("c1") + &write_note("c2", "buy tea");
    let done = bed.with_run("session", &["--record", "run.jsonl"], &input);
    done.exits(0);
    bed
}

#[test]
fn files_that_are_no_recording_are_refused() {
    let bed = Bed::new();
    let component = component();
    for (text, told) in [
        ("", "this file is no recording: it is empty"),
        ("hello\n", "this file is no recording: expected value"),
        (
            "{}\n",
            "this file is no recording: its first line states none",
        ),
        (
            "[1]\n",
            "this file is no recording: its first line states none",
        ),
        ("{\"start\":{\"recording\":2}}\n", "is of format 2"),
        ("{\"start\":{\"recording\":1}}\n", "holds digests only"),
        (
            "{\"start\":{\"recording\":1,\"redacted\":false}}\n",
            "line 1 is damaged",
        ),
        ("{\"start\":{\"recording\":1,", "cut off in line 1"),
    ] {
        bed.write("other", text);
        let error = play(&component, &bed.path("other"))
            .unwrap_err()
            .to_string();
        assert!(error.contains(told), "{text:?}: {error}");
    }
    for path in [
        bed.path("missing"),
        bed.path("queue"),
        "/dev/zero".into(),
        "/".into(),
    ] {
        let error = play(&component, &path).unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }
}

#[test]
fn what_a_foreign_recording_says_cannot_steer_a_terminal() {
    let bed = Bed::new();
    let forged = r#"{"start":{"recording":1,"redacted":false,"\u001b[2J\u202e\nx":1}}"#;
    bed.write("forged", format!("{forged}\n"));
    let error = play(&component(), &bed.path("forged"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`\u{fffd}[2J\u{fffd}\u{fffd}x`"),
        "{error:?}"
    );
    let recorded = recorded().read("run.jsonl");
    let digest = recorded
        .split_once(r#""component":""#)
        .and_then(|(_, rest)| rest.split_once('"'))
        .map(|(digest, _)| digest)
        .unwrap();
    let last = recorded.trim_end().rfind('\n').unwrap();
    let cut = recorded.get(..=last).unwrap();
    let ended = "{\"ended\":{\"host\":\"\\u001b[2J\\nidentical\"}}\n";
    bed.write("ended", format!("{cut}{ended}"));
    bed.write("other", recorded.replace(digest, r"\u001b[2J\nx"));
    for name in ["forged", "ended", "other"] {
        let told = bed.run(&["replay", name], "").all();
        assert!(told.contains("[2J"), "{told:?}");
        assert!(!told.contains('\u{1b}'), "{told:?}");
        assert!(
            !told.contains("\nidentical\n") && !told.contains("\nx"),
            "{told:?}"
        );
    }
}

#[test]
fn a_recording_cut_off_anywhere_is_said_to_be() {
    let bed = recorded();
    let component = component();
    let whole = bed.read("run.jsonl");
    // Between two calls nothing shows that more was to come.
    let ends = |text: &str| {
        let last = text.trim_end().lines().last().unwrap_or_default();
        last.starts_with("{\"return\"") && text.ends_with('\n')
    };
    let cuts = (1..whole.len()).filter(|at| whole.as_bytes()[at - 1] == b'\n' || at % 97 == 0);
    for at in cuts {
        let part = whole.get(..at).unwrap();
        bed.write("part.jsonl", part);
        match play(&component, &bed.path("part.jsonl")) {
            Ok(replayed) => {
                assert!(ends(part), "{part}");
                assert!(matches!(replayed.verdict, Verdict::Identical));
            }
            Err(error) => {
                assert!(!ends(part), "{part}");
                assert!(error.to_string().contains("cut off"), "{error}");
            }
        }
    }
}

#[test]
fn no_change_of_a_recording_makes_the_host_panic() {
    let bed = recorded();
    let component = component();
    let whole = bed.read("run.jsonl").into_bytes();
    let mut differs = 0;
    for at in (0..whole.len()).step_by(61) {
        for byte in [b'0', b'"', b'\n', 0xff] {
            let mut changed = whole.clone();
            changed[at] = byte;
            bed.write("changed.jsonl", &changed);
            let played = play(&component, &bed.path("changed.jsonl"));
            differs += usize::from(!matches!(
                played,
                Ok(Replayed {
                    verdict: Verdict::Identical,
                    ..
                })
            ));
        }
    }
    assert!(differs > whole.len() / 61);
}

#[test]
fn lines_in_another_order_are_out_of_place() {
    let bed = recorded();
    let component = component();
    let whole = bed.read("run.jsonl");
    let mut lines: Vec<&str> = whole.lines().collect();
    let told = |lines: &[&str]| {
        bed.write("changed.jsonl", lines.join("\n") + "\n");
        match play(&component, &bed.path("changed.jsonl")) {
            Err(error) => error.to_string(),
            Ok(replayed) => format!("{:?}", replayed.verdict),
        }
    };
    let answer = lines.remove(4);
    assert!(answer.starts_with("{\"answer\""));
    assert!(told(&lines).contains("line 5 is damaged: it is out of place"));
    lines.insert(2, answer);
    assert!(told(&lines).contains("line 3 is damaged: it is out of place"));
}

#[test]
fn a_run_that_its_host_ended_is_compared_up_to_there() {
    let bed = recorded();
    let component = component();
    let whole = bed.read("run.jsonl");
    let last = whole.trim_end().rfind('\n').unwrap();
    let verdict = |ended: &str| {
        let until = whole.get(..=last).unwrap();
        bed.write("changed.jsonl", format!("{until}{{\"ended\":{ended}}}\n"));
        play(&component, &bed.path("changed.jsonl"))
            .unwrap()
            .verdict
    };
    let by_host = verdict(r#"{"host":"a disk was full"}"#);
    assert!(matches!(by_host, Verdict::EndedByHost(told) if told == "a disk was full"));
    for by_component in [
        r#""trapped""#,
        r#"{"limit":"stack"}"#,
        r#"{"malformed":"x"}"#,
    ] {
        assert!(matches!(verdict(by_component), Verdict::Differs(_)));
    }
}

#[test]
fn a_recording_cannot_steer_the_terminal_of_whoever_replays_it() {
    let bed = recorded();
    let component = component();
    let whole = bed.read("run.jsonl");
    let told = |text: &str| {
        bed.write("changed.jsonl", text);
        let replayed = match play(&component, &bed.path("changed.jsonl")) {
            Err(error) => return vec![error.to_string()],
            Ok(replayed) => replayed,
        };
        let verdict = match replayed.verdict {
            Verdict::Identical => String::new(),
            Verdict::EndedByHost(told) => told,
            Verdict::Differs(difference) => difference.to_string(),
        };
        let lines = verdict.lines().map(str::to_owned);
        lines.chain([replayed.recorded_component]).collect()
    };
    let start = whole.lines().next().unwrap();
    let digest = component.digest().to_string();
    let steering = r"\u001b[2J\u009b\n\u202e";
    for text in [
        format!("{start}\n{{\"{steering}\":1}}\n"),
        format!("{start}\n{{\"call\":\"{steering}\"}}\n"),
        format!("{start}\n{{\"ended\":{{\"host\":\"{steering}\"}}}}\n"),
        format!("{start}\n{{\"return\":{{\"started\":{{\"Err\":\"{steering}\"}}}}}}\n"),
        whole.replace(&digest, steering),
    ] {
        assert!(text.contains(steering));
        let lines = told(&text);
        assert!(lines.len() <= 4, "{lines:?}");
        for line in lines {
            let steers = |c: char| c.is_control() || c == '\u{202e}';
            assert!(!line.contains(steers), "{line:?}");
        }
    }
}
