//! Recordings: what was recorded replays identically, against the component that was recorded or
//! a rebuilt one, and what was changed is shown. Replaying starts no process.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use loom_tools_host::component::EMBEDDED;
use loom_tools_sample::{Broker, BrokerOptions};
use serde_json::json;

use crate::bed::{BINARY, Bed, Done, search, turn, write_note};

fn record(bed: &Bed, more: &[&str], input: &str) -> Done {
    let flags = ["--record", "run.jsonl"];
    bed.with_run("session", &[&flags, more].concat(), input)
        .exits(0)
}

fn replay(bed: &Bed, more: &[&str]) -> Done {
    bed.run(&[&["replay", "run.jsonl"], more].concat(), "")
}

/// A session with a bit of everything.
fn session() -> String {
    let resolve = json!({ "resolveResult": { "text": "nothing held" } });
    [
        search("c1"),
        write_note("c2", "buy tea"),
        turn("c3", "loom_people", json!({ "query": "delete everyone" })),
        turn("c4", "describe_handle", json!({ "token": "cfh:v:22222" })),
        turn("c5", "no_such_tool", json!({})),
        format!("{resolve}\n"),
        "no line at all\n".to_owned(),
    ]
    .concat()
}

#[test]
fn a_session_replays_identically_and_starts_nothing() {
    let bed = Bed::new();
    record(&bed, &[], &session()).says("keep it to yourself");
    assert_eq!(bed.mode_of("run.jsonl"), 0o600);
    let started = bed.started();
    assert_eq!(started, 3);
    replay(&bed, &[])
        .exits(0)
        .says("identical: 5 turns and 3 answered requests");
    assert_eq!(bed.started(), started);
    // Nor does it need anything of the configuration.
    fs::remove_file(bed.path("loom")).unwrap();
    fs::remove_file(bed.path("retrieval.json")).unwrap();
    replay(&bed, &[]).exits(0);
}

#[test]
fn a_session_with_the_sample_loom_replays_identically() {
    let bed = Bed::new();
    let script = format!("#!/bin/sh\nexec '{BINARY}' sample-loom \"$@\"\n");
    bed.write("loom", script);
    let mut options = BrokerOptions::new(bed.path("queue"));
    options.read_ceiling = Some(bed.path("ceiling.json"));
    let broker = Broker::start(options).unwrap();
    let config = bed.read("retrieval.json");
    let record_key = format!(
        "{{\"readCeilingFile\":\"{}\",",
        bed.path("ceiling.json").display()
    );
    bed.write("retrieval.json", config.replacen('{', &record_key, 1));
    let input = [
        turn("c1", "loom_search", json!({ "query": "the" })),
        turn("c2", "loom_page_discover", json!({})),
        turn("c3", "loom_profile", json!({})),
        turn("c4", "list_commands", json!({})),
    ]
    .concat();
    let done = record(&bed, &[], &input);
    let shown = done.out().matches("\"status\":\"ok\"").count();
    assert!(shown >= 6, "{}", done.all());
    drop(broker);
    replay(&bed, &[])
        .exits(0)
        .says("identical: 4 turns and 4 answered requests");
}

#[test]
fn a_continued_run_replays_identically() {
    let bed = Bed::new();
    bed.with_run("session", &["--state", "state"], &search("c1"))
        .exits(0);
    record(&bed, &["--state", "state"], &(search("c2") + &session()));
    replay(&bed, &[]).exits(0).says("identical: 6 turns");
}

#[test]
fn an_answer_that_is_no_text_replays_identically() {
    let bed = Bed::with_loom(r#"printf '{"hits":[{"title":"\377\376"}]}'"#);
    record(&bed, &[], &search("c1"));
    assert!(bed.read("run.jsonl").contains(r#""stdout":{"hex":"7b"#));
    replay(&bed, &[]).exits(0);
}

#[test]
fn a_run_that_was_refused_replays_identically() {
    let bed = Bed::new();
    let flags = ["--record", "run.jsonl", "--max-confidentiality", "{}"];
    bed.with_run("session", &flags, "").exits(2);
    replay(&bed, &[]).exits(0).says("identical: 0 turns");
}

#[test]
fn a_rebuilt_component_is_said_to_be_another_one() {
    let bed = Bed::new();
    record(&bed, &[], &session());
    // The same component with an empty custom section.
    bed.write("rebuilt.wasm", [EMBEDDED, b"\0\x02\x01x"].concat());
    replay(&bed, &["--component", "rebuilt.wasm"])
        .exits(0)
        .says("the component is another one")
        .says("identical: 5 turns");
    let pinned = "0".repeat(64);
    replay(&bed, &["--component-sha256", &pinned]).exits(2);
}

#[test]
fn the_first_difference_is_shown() {
    let bed = Bed::new();
    record(&bed, &[], &session());
    let whole = bed.read("run.jsonl");
    let changed = |from: &str, to: &str| {
        assert!(whole.contains(from));
        bed.write("run.jsonl", whole.replacen(from, to, 1));
        replay(&bed, &[]).exits(1).says("different: line ")
    };
    // A reply that the component did not give.
    changed(r#"\"admitted\":1"#, r#"\"admitted\":2"#)
        .says("line 6, /return/replies/0/shown")
        .says(r#""admitted":2"#)
        .says(r#""admitted":1"#);
    // A request that it did not make.
    changed(r#""query":"tea""#, r#""query":"gin""#)
        .says("line 4, /requests/0/operation/Search/query\n  recorded: gin\n  replayed: tea");
    // An answer that it did not get: the same reply does not follow.
    changed(r"private tea\", r"private gin\").says("/return/replies/0/shown");
    // A call that was not made, and settings that were not so.
    changed("delete everyone", "person:ann").says("recorded: {\"return\"");
    changed("DirectCommand", "Quote").says("/return/replies/0/decision");
    assert_eq!(bed.started(), 3);
}

#[test]
fn a_redacted_recording_holds_digests_and_is_checked_against_a_whole_one() {
    let bed = Bed::new();
    record(&bed, &[], &session());
    let flags = ["--record", "redacted.jsonl", "--redact"];
    let done = bed.with_run("session", &flags, &session()).exits(0);
    assert!(!done.err().contains("keep it to yourself"));
    let redacted = bed.read("redacted.jsonl");
    for text in [
        "tea",
        "everyone",
        "untrusted",
        "no_such_tool",
        "nothing held",
    ] {
        assert!(bed.read("run.jsonl").contains(text));
        assert!(!redacted.contains(text), "{text}");
    }
    assert!(redacted.contains("loom_search") && redacted.contains("note.add"));
    let done = bed.run(&["replay", "redacted.jsonl"], "");
    done.exits(1)
        .says("holds digests only and cannot be replayed");
    replay(&bed, &["--redacted", "redacted.jsonl"])
        .exits(0)
        .says("the redacted recording is one of this run");
    bed.write("redacted.jsonl", redacted.replacen("\"c1\"", "\"c9\"", 1));
    replay(&bed, &["--redacted", "redacted.jsonl"])
        .exits(1)
        .says("line 3 of the redacted recording is not that of this run");
}

#[test]
fn a_recording_is_never_written_over() {
    let bed = Bed::new();
    bed.write("run.jsonl", "mine");
    let done = bed.with_run("session", &["--record", "run.jsonl"], &search("c1"));
    done.exits(2).says("--record").says("File exists");
    assert_eq!(bed.read("run.jsonl"), "mine");
    bed.with_run("session", &["--redact"], "").exits(2);
}

#[test]
fn a_recording_that_cannot_go_on_ends_the_run_and_says_what_may_have_landed() {
    let answer = "printf '{\"ok\":true,\"id\":\"%0200000d\"}' 0";
    let bed = Bed::with_loom(&format!(
        "case \"$1 $2\" in 'command list') echo '{{\"commands\":[{{\"id\":\"note.add\"}}]}}' ;; \
         *) cat >/dev/null; {answer} ;; esac"
    ));
    let input = write_note("c1", "buy tea") + &write_note("c2", "buy tea");
    let done = bed.run_with_small_files(256, &["--record", "run.jsonl"], &input);
    assert_eq!(done.out(), "");
    done.exits(1)
        .says("what it had started may have taken effect")
        .says("`command-run` for call \"c1\" (exited with 0)");
    assert_eq!(bed.started(), 2);
    // What was written is short of a line.
    replay(&bed, &[]).exits(1).says("cut off");
}

#[test]
fn a_recording_that_cannot_begin_refuses_the_run() {
    let bed = Bed::new();
    fs::create_dir(bed.path("dir")).unwrap();
    fs::set_permissions(bed.path("dir"), fs::Permissions::from_mode(0o700)).unwrap();
    for file in ["missing/run.jsonl", "dir", "/"] {
        let done = bed.with_run("session", &["--record", file], &search("c1"));
        done.exits(2).says("the run is refused");
    }
    assert_eq!(bed.started(), 0);
}
