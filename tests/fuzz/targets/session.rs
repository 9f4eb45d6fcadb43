//! The lines of a session: one line of JSON for each, which answers its calls in order or says that
//! it is no turn; a line that is a turn is answered as one. What is recorded on the way replays to
//! the same, and its redacted form agrees with it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_host::limits::Limits;
use loom_tools_host::record::Recorder;
use loom_tools_host::replay::{Verdict, replay};
use loom_tools_host::{Run, Watch, ambient_authority, cli::session_lines};
use loom_tools_host_fuzz::input::Input;
use loom_tools_host_fuzz::json::Json;
use loom_tools_host_fuzz::{COMPONENT, Ear, fresh, lines, loom, settings};
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let (loom, settings) = (loom(&mut input), settings(&mut input));
    let said = said(&input.part());
    let recording = fresh("recording");
    let recorder = Recorder::create(&recording, false, ambient_authority());
    let watch = Watch {
        journal: Box::new(Ear),
        recorder: Some(recorder.expect("a new file")),
    };
    let run = Run::open(&COMPONENT, loom, settings, watch, None, ambient_authority());
    let run = run.expect("the settings are sound");
    let answers = session_lines(run, &said.join(&b'\n')).expect("no line ends a session");
    assert_eq!(answers.len(), said.len());
    let mut turns = 0;
    for (line, answer) in said.iter().zip(&answers) {
        turns += usize::from(check(line, answer));
    }
    let replayed = replay(
        &COMPONENT,
        &recording,
        &Default::default(),
        ambient_authority(),
    );
    let replayed = replayed.expect("a whole recording");
    assert!(
        matches!(replayed.verdict, Verdict::Identical),
        "{:?}",
        replayed.verdict
    );
    assert_eq!(replayed.turns, turns);
});

/// As deep as a line may nest.
const DEEPEST: usize = 192;

fn read(line: &[u8]) -> Option<Json> {
    Json::read(str::from_utf8(line).ok()?, DEEPEST)
}

/// The input's lines, and after each that is a turn in some spelling the same turn spelt plainly.
fn said(text: &[u8]) -> Vec<Vec<u8>> {
    let mut said = Vec::new();
    for line in lines(text) {
        said.push(line.to_vec());
        if let Some(turn) = read(line).filter(|json| ids(json).is_some()) {
            said.push(turn.compact().into_bytes());
        }
    }
    said
}

/// The ids of a turn's calls; none when it is no turn.
fn ids(json: &Json) -> Option<Vec<&str>> {
    let [(key, calls)] = json.members()? else {
        return None;
    };
    let id = |call| {
        let known = ["id", "tool", "input", "inputLabel"];
        let call: &Json = call;
        let sound = call
            .members()?
            .iter()
            .all(|(key, _)| known.contains(&key.as_str()));
        call.get("tool")?.text()?;
        call.get("id")?.text().filter(|_| sound)
    };
    let calls = calls.list().filter(|_| key == "calls")?;
    if calls.len() > Limits::default().calls {
        return None;
    }
    calls.iter().map(id).collect()
}

/// Whether the line was a turn.
fn check(line: &[u8], answer: &str) -> bool {
    assert!(
        !answer.bytes().any(|byte| byte < b' '),
        "not one line: {answer:?}"
    );
    let answer: Value = serde_json::from_str(answer).expect("an answer is JSON");
    let json = read(line);
    let ids = json.as_ref().and_then(ids);
    let Some(replies) = answer.get("replies") else {
        // Only a key that is there twice makes no turn of what looks like one.
        let plain = json
            .as_ref()
            .is_some_and(|json| json.compact().as_bytes() == line);
        assert!(ids.is_none() || !plain, "a turn was not answered: {answer}");
        let error = answer.get("error");
        let text = |name| error.and_then(|error| error.get(name)?.as_str());
        assert!(
            answer.get("resolved").is_some() || text("code").is_some(),
            "{answer}"
        );
        assert!(text("message").is_none_or(|message| !message.is_empty()));
        return false;
    };
    let called: Vec<&str> = replies
        .as_array()
        .expect("replies are a list")
        .iter()
        .map(|reply| reply["callId"].as_str().expect("a reply names its call"))
        .collect();
    assert_eq!(Some(called), ids, "replies to other calls");
    assert!(answer["label"]["confidentiality"].is_array());
    for reply in replies.as_array().into_iter().flatten() {
        let shown = reply["shown"]
            .as_object()
            .expect("what is shown is an object");
        assert_eq!(shown.get("outputId"), reply.get("outputId"));
        let mut artifact = reply["artifact"]
            .as_object()
            .expect("and so is an artifact")
            .clone();
        assert!(artifact.remove("cfc").is_some());
        assert_eq!(artifact, *shown);
        assert!(reply["decision"]["decision"].is_string());
    }
    true
}
