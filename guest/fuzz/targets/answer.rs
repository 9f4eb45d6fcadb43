//! The answers of commands, alone or in a batch, to their result: the outcome that the contract's
//! section 7 reads from each, and of a withheld answer nothing besides.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::{Input, text};
use loom_tools_fuzz::json::{DEEPEST, Json, opening};
use loom_tools_fuzz::labels::{self, Verdict};
use loom_tools_fuzz::watched::{Answered, Watched, printed, results, settings};
use loom_tools_guest::process::{Failure, Operation};

const CATALOG: &str =
    r#"{"commands":[{"id":"a","inputs":{"properties":{"name":{"enum":["\"","x y"]}}}}]}"#;
const ONE: &str = r#"{"command":"a","args":{}}"#;

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let ceilings = input.knob(&[None, Some("[]"), Some(r#"["a"]"#)]);
    let failure = input.knob(&[None, Some(Failure::Lost), Some(Failure::NotStarted)]);
    let mut printed_texts = vec![input.part()];
    while input.more() && printed_texts.len() < 16 {
        printed_texts.push(input.part());
    }
    let bodies: Vec<Option<Json>> = printed_texts
        .iter()
        .map(|bytes| Json::read(&text(bytes), DEEPEST))
        .collect();
    let ceilings: Vec<String> = ceilings.into_iter().map(str::to_owned).collect();
    let (answered, run) = ask(&ceilings, &printed_texts, failure);
    let told = match results(&answered.shown) {
        [] => std::slice::from_ref(&answered.shown),
        results => results,
    };
    assert_eq!(told.len(), bodies.len());
    let read: Vec<Json> = ceilings
        .iter()
        .filter_map(|c| Json::read(c, DEEPEST))
        .collect();
    let mut others = printed_texts.clone();
    for (at, (result, body)) in told.iter().zip(&bodies).enumerate() {
        let says = |name: &str| result.get(name).and_then(Json::text);
        let ok = body.as_ref().and_then(|body| body.get("ok"));
        let lost = match (failure.filter(|_| at == 0), body) {
            (Some(Failure::Lost), _) => Some(("unknown", "command_failed")),
            (Some(_), _) => Some(("no", "command_failed")),
            (None, None) => Some(("unknown", "command_failed")),
            (None, Some(_)) if !ok.is_some_and(|ok| ok.is("true") || ok.is("false")) => {
                Some(("unknown", "malformed_payload"))
            }
            (None, Some(_)) => None,
        };
        if let Some((landed, code)) = lost {
            assert_eq!((says("landed"), says("code")), (Some(landed), Some(code)));
            continue;
        }
        let body = body.as_ref().expect("there is a body");
        assert_eq!(says("status"), Some("executed"));
        check_outcome(
            result.get("outcome").expect("an outcome"),
            body,
            told.len() > 1,
        );
        let reason = result
            .get("entry")
            .and_then(|entry| entry.get("reasonCode")?.text());
        match (labels::measure(body, &[], &read), reason) {
            (_, None) => continue,
            (Verdict::Exceeded, Some(reason)) => assert_eq!(reason, "cfc_ceiling_exceeded"),
            (Verdict::Unreadable, Some(reason)) => assert_eq!(reason, "cfc_label_read_failed"),
            (Verdict::Fits { .. }, Some(_)) => panic!("an answer that fits is withheld"),
        }
        let unfit = reason == Some("cfc_ceiling_exceeded");
        others[at] = other_content(body, unfit).unwrap_or_else(|| others[at].clone());
    }
    let (other, again) = ask(&ceilings, &others, failure);
    assert_eq!(other.reply, answered.reply);
    assert_eq!(again.run.save(), run.run.save());
});

fn ask(ceilings: &[String], answers: &[Vec<u8>], failure: Option<Failure>) -> (Answered, Watched) {
    let mut run = Watched::start(settings(ceilings));
    let input = match answers.len() {
        1 => ONE.to_owned(),
        count => format!(r#"{{"calls":[{}]}}"#, vec![ONE; count].join(",")),
    };
    let (mut next, mut failure) = (answers.iter(), failure);
    let answered = run.call("run_command", &input, &mut |operation| match operation {
        Operation::CommandList => printed(0, CATALOG),
        _ => {
            let answer = next.next().expect("one answer for each call");
            failure.take().map_or_else(|| printed(0, answer), Err)
        }
    });
    (answered, run)
}

/// What passes of a text that the host wrote.
fn identifier(value: Option<&Json>) -> Option<&str> {
    let text = opening(value?.text()?, 128);
    let plain = |ch: char| ch.is_ascii_alphanumeric() || "._:/-".contains(ch);
    (!text.is_empty() && text.chars().all(plain)).then_some(text)
}

fn completed(body: &Json) -> Option<Vec<&str>> {
    let list = body.get("completed")?.list()?;
    Some(list.iter().filter_map(|id| identifier(Some(id))).collect())
}

fn check_outcome(outcome: &Json, body: &Json, batched: bool) {
    let says = |name: &str| outcome.get(name).and_then(Json::text);
    assert_eq!(outcome.get("ok"), body.get("ok"));
    let bytes = body.compact().len() as u64;
    assert_eq!(
        outcome.get("bodyBytes").and_then(|n| n.integer(1 << 40)),
        Some(bytes)
    );
    let code = identifier(body.get("code"));
    let failed = body.get("ok").is_some_and(|ok| ok.is("false"));
    let refused = failed && matches!(code, Some("forbidden" | "refused"));
    assert_eq!(
        says("code"),
        if refused { Some("not_granted") } else { code }
    );
    if outcome.get("summaryOmitted").is_some() {
        assert!(batched && outcome.members().is_some_and(|members| members.len() <= 4));
        return;
    }
    assert_eq!(says("hostCode"), code.filter(|_| refused));
    assert_eq!(says("id"), identifier(body.get("id")));
    let landed = body
        .get("may_have_landed")
        .filter(|flag| flag.is("true") || flag.is("false"));
    assert_eq!(outcome.get("mayHaveLanded"), landed);
    let ids = completed(body);
    let count = outcome
        .get("completedOmitted")
        .and_then(|n| n.integer(1 << 40));
    if batched {
        assert_eq!(count, ids.map(|ids| ids.len() as u64));
    } else {
        let told = outcome.get("completed").and_then(Json::list);
        let told: Option<Vec<&str>> = told.map(|ids| ids.iter().filter_map(Json::text).collect());
        assert_eq!(told, ids.map(|ids| ids.into_iter().take(32).collect()));
    }
}

/// An answer of the same outcome and size whose content is another, when there is room for one.
fn other_content(body: &Json, unfit: bool) -> Option<Vec<u8>> {
    let mut kept = Vec::new();
    let mut keep = |name: &str, value: Json| kept.push((name.to_owned(), value));
    keep("ok", body.get("ok")?.clone());
    for name in ["id", "code"] {
        if let Some(text) = identifier(body.get(name)) {
            keep(name, Json::Text(text.to_owned()));
        }
    }
    if let Some(flag) = body
        .get("may_have_landed")
        .filter(|flag| matches!(flag, Json::Word(_)))
    {
        keep("may_have_landed", flag.clone());
    }
    if let Some(ids) = completed(body) {
        keep(
            "completed",
            Json::List(
                ids.into_iter()
                    .map(|id| Json::Text(id.to_owned()))
                    .collect(),
            ),
        );
    }
    let ifc = if unfit {
        r#"{"confidentiality":["cfc:label-read-failed"]}"#
    } else {
        "0"
    };
    keep("ifc", Json::read(ifc, 9)?);
    keep("z", Json::Text(String::new()));
    let bare = Json::Object(kept.clone()).compact().len();
    let room = body.compact().len().checked_sub(bare)?;
    kept.last_mut()?.1 = Json::Text("z".repeat(room));
    Some(Json::Object(kept).compact().into_bytes())
}
