//! CLI output to a retrieval's result: its status, its entries and its counts are those that the
//! contract's sections 3 to 6 give, and nothing of a row that is withheld or left out reaches any
//! output.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::{Input, text};
use loom_tools_fuzz::json::{DEEPEST, Json, opening, units};
use loom_tools_fuzz::labels::{self, Verdict};
use loom_tools_fuzz::token::token;
use loom_tools_fuzz::watched::{Answered, Watched, printed, settings};

const TOOLS: [(&str, &str); 6] = [
    ("loom_search", r#"{"query":"q"}"#),
    ("loom_search", r#"{"person":"person:p"}"#),
    ("loom_page_discover", "{}"),
    ("loom_people", r#"{"query":"a@b"}"#),
    ("loom_calendar_list", "{}"),
    ("loom_profile", "{}"),
];

const CEILINGS: [&[&str]; 5] = [
    &[],
    &["[]"],
    &[r#"["a"]"#],
    &[r#"["a",{"anyOf":["a","b"]}]"#],
    &[r#"["a","b"]"#, r#"["a"]"#],
];

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let (tool, question) = input.knob(&TOOLS);
    let exit = input.knob(&[0, 1, 3, 2]);
    let ceilings: Vec<String> = input
        .knob(&CEILINGS)
        .iter()
        .map(|c| (*c).to_owned())
        .collect();
    let stdout = input.part();
    let mut run = Watched::start(settings(&ceilings));
    let answered = run.call(tool, question, &mut |_| printed(exit, &stdout));
    let payload = Json::read(&text(&stdout), DEEPEST);
    let resolves = tool == "loom_people" || question.contains("person");
    let rows = match rows(tool, resolves, exit, payload.as_ref()) {
        Ok(rows) => rows,
        Err(code) => {
            let told = answered.shown.get("code").and_then(Json::text);
            return assert_eq!(told, Some(code), "{}", answered.reply.shown);
        }
    };
    let payload = payload.as_ref().expect("there are rows");
    let ceilings: Vec<Json> = ceilings
        .iter()
        .filter_map(|c| Json::read(c, DEEPEST))
        .collect();
    check_entries(tool, &rows, &ceilings, &answered);
    check_envelope(tool, payload, &answered);

    // The same answer with other rows wherever none is shown.
    let shown = answered
        .shown
        .get("entries")
        .and_then(Json::list)
        .unwrap_or_default();
    let mut others: Vec<Json> = rows.iter().map(|row| (*row).clone()).collect();
    for (at, other) in others.iter_mut().enumerate() {
        let reason = shown
            .get(at)
            .map(|entry| entry.get("reasonCode").and_then(Json::text));
        *other = match reason {
            Some(None) => continue,
            Some(Some("cfc_ceiling_exceeded")) => above(),
            // The first that did not fit has to go on not fitting.
            None if at == shown.len() => continue,
            _ => Json::Number("0".to_owned()),
        };
    }
    let other = replaced(tool, payload, others);
    let mut again = Watched::start(settings(
        &ceilings.iter().map(Json::compact).collect::<Vec<_>>(),
    ));
    let reply = again
        .call(tool, question, &mut |_| printed(exit, other.compact()))
        .reply;
    assert_eq!(reply, answered.reply);
    assert_eq!(again.run.save(), run.run.save());
});

/// The rows of an answer, or the code of its failure.
fn rows<'a>(
    tool: &str,
    resolves: bool,
    exit: i32,
    payload: Option<&'a Json>,
) -> Result<Vec<&'a Json>, &'static str> {
    let Some(payload) = payload else {
        return Err(match exit {
            1 if resolves => "not_found",
            3 if resolves => "contested",
            _ => "command_failed",
        });
    };
    let says = |name, word| payload.get(name).is_some_and(|value| value.is(word));
    if says("ok", "false") {
        return Err("host_refused");
    }
    let absent = tool == "loom_profile" && exit == 1 && says("hasProfile", "false");
    if exit != 0 && !absent {
        return Err("command_failed");
    }
    let version = payload
        .get("schemaVersion")
        .map(|version| version.integer(1));
    if tool == "loom_search" && version.is_some_and(|version| version != Some(1)) {
        return Err("schema_version_mismatch");
    }
    let list = |json: Option<&'a Json>| json.and_then(Json::list).map(|list| list.iter().collect());
    let rows = match tool {
        "loom_search" => list(payload.get("hits")),
        "loom_page_discover" => list(payload.get("pages")),
        "loom_calendar_list" => list(Some(payload)),
        _ => payload.members().map(|_| vec![payload]),
    };
    rows.ok_or("malformed_payload")
}

/// The answer with other rows.
fn replaced(tool: &str, payload: &Json, rows: Vec<Json>) -> Json {
    let name = match tool {
        "loom_search" => "hits",
        "loom_page_discover" => "pages",
        "loom_calendar_list" => return Json::List(rows),
        _ => return itself(payload, rows),
    };
    let mut members = payload.members().unwrap_or_default().to_vec();
    for (_, value) in members.iter_mut().filter(|(key, _)| key == name) {
        *value = Json::List(rows.clone());
    }
    Json::Object(members)
}

/// A payload that is its own row: what decides how it is read is no part of the row's content.
fn itself(payload: &Json, rows: Vec<Json>) -> Json {
    let row = rows.into_iter().next().expect("there is one row");
    if row == *payload {
        return row;
    }
    let row = if row.members().is_some() {
        row
    } else {
        unreadable()
    };
    let decides = |(name, _): &&(String, Json)| name == "hasProfile" || name == "ok";
    let kept = payload.members().unwrap_or_default().iter().filter(decides);
    Json::Object(
        kept.chain(row.members().unwrap_or_default())
            .cloned()
            .collect(),
    )
}

fn above() -> Json {
    Json::read(
        r#"{"zq":"zq","ifc":{"confidentiality":["cfc:label-read-failed"]}}"#,
        9,
    )
    .expect("JSON")
}

fn unreadable() -> Json {
    Json::read(r#"{"zq":"zq","ifc":0}"#, 9).expect("JSON")
}

fn check_entries(tool: &str, rows: &[&Json], ceilings: &[Json], answered: &Answered) {
    let shown = answered
        .shown
        .get("entries")
        .and_then(Json::list)
        .expect("a list of entries");
    let count = |name| {
        answered
            .shown
            .get(name)
            .and_then(|n| n.integer(1 << 40))
            .expect("a count")
    };
    let admitted = shown
        .iter()
        .filter(|entry| entry.get("value").is_some())
        .count();
    assert_eq!(count("admitted") as usize, admitted);
    assert_eq!(count("withheld") as usize, shown.len() - admitted);
    assert_eq!(count("omitted") as usize, rows.len() - shown.len());
    for (row, entry) in rows.iter().zip(shown) {
        assert_eq!(*entry, expected(tool, row, ceilings));
    }
    if let Some(next) = rows.get(shown.len()) {
        let len = units(&answered.reply.shown) + units(&expected(tool, next, ceilings).compact());
        assert!(len + 4 > 48_000, "a row that fits was left out");
        assert!(
            answered
                .shown
                .get("truncated")
                .is_some_and(|flag| flag.is("true"))
        );
    }
}

/// The entry of one row.
fn expected(tool: &str, row: &Json, ceilings: &[Json]) -> Json {
    let text = |text: &str| Json::Text(text.to_owned());
    let object = |members: Vec<(&str, Json)>| {
        Json::Object(
            members
                .into_iter()
                .map(|(name, json)| (name.to_owned(), json))
                .collect(),
        )
    };
    let withheld = |code| {
        object(vec![
            ("status", text("withheld")),
            ("reasonCode", text(code)),
        ])
    };
    let (label, source) = match labels::measure(row, &[], ceilings) {
        Verdict::Unreadable => return withheld("cfc_label_read_failed"),
        Verdict::Exceeded => return withheld("cfc_ceiling_exceeded"),
        Verdict::Fits { label, source } => (label, source),
    };
    let members = row
        .members()
        .unwrap_or_default()
        .iter()
        .filter(|(name, _)| name != "ifc");
    let mut value = Json::Object(members.cloned().collect());
    let cut = cut(&mut value);
    let handle = token("r1", tool, &value, &label, source);
    let mut entry = vec![
        ("status", text("admitted")),
        ("label", labels::disclosed(&label)),
        ("labelSource", text(source)),
        ("value", value),
        ("handle", text(&handle)),
    ];
    entry.extend(cut.then_some(("truncated", Json::Word("true"))));
    object(entry)
}

/// Cuts every string; says whether one was.
fn cut(value: &mut Json) -> bool {
    match value {
        Json::Text(text) => {
            let opening = opening(text, 4_000).to_owned();
            let longer = opening.len() < text.len();
            *text = opening;
            longer
        }
        Json::List(items) => items
            .iter_mut()
            .fold(false, |cut, item| self::cut(item) | cut),
        Json::Object(members) => members
            .iter_mut()
            .fold(false, |cut, (_, v)| self::cut(v) | cut),
        _ => false,
    }
}

/// Every envelope field that the answer has is shown, cut, or named as left out; in order.
fn check_envelope(tool: &str, payload: &Json, answered: &Answered) {
    let names: &[&str] = match tool {
        "loom_search" => &["query", "source_status", "warnings", "truncated"],
        "loom_page_discover" => &["totalPages", "omittedViews"],
        _ => &[],
    };
    let omitted = answered
        .shown
        .get("envelopeOmitted")
        .and_then(Json::list)
        .unwrap_or_default();
    let mut expected = Vec::new();
    for name in names {
        let Some(value) = payload.get(name) else {
            continue;
        };
        if !omitted.iter().any(|other| other.text() == Some(name)) {
            let mut value = value.clone();
            cut(&mut value);
            expected.push(((*name).to_owned(), value));
        }
    }
    let envelope = answered
        .shown
        .get("envelope")
        .and_then(Json::members)
        .unwrap_or_default();
    assert_eq!(envelope, expected);
}
