//! Turns of one run, whatever its authority, its configuration and its host: every turn keeps the
//! contract, and a run that was saved and resumed before it answers it alike.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::authority::TOOLS;
use loom_tools_fuzz::input::Input;
use loom_tools_fuzz::json::Json;
use loom_tools_fuzz::watched::{Watched, entries, printed, settings};
use loom_tools_guest::Run;
use loom_tools_guest::exported::{Call, Enforcement, PromptSlot, Retrieval, Settings, Turn};
use loom_tools_guest::process::{Answer, Failure, Operation};

/// The most turns of one input.
const MOST_TURNS: usize = 12;

/// Inputs that several tools take, and that none does; `$` is a token that was shown.
const INPUTS: [&str; 12] = [
    "",
    "{}",
    r#"{"query":"person:p"}"#,
    r#"{"target":"t"}"#,
    r#"{"read":"where"}"#,
    r#"{"token":"$"}"#,
    r#"{"detail":["a"]}"#,
    r#"{"command":"a","args":{}}"#,
    r#"{"calls":[{"command":"a","args":{"x":1}},{"command":"b","args":{}},{"command":"A"}]}"#,
    r#"{"command":"b","args":{},"loomId":"loom-0123456789abcdef","expectedVersion":3}"#,
    r#"{"query":"\u0000"}"#,
    "[",
];

const LABELS: [Option<&str>; 5] = [
    None,
    None,
    Some(r#"{"confidentiality":["a"]}"#),
    Some(r#"{"confidentiality":[{"anyOf":["a","b"]}]}"#),
    Some("0"),
];

const RECORDS: [Option<Result<&str, ()>>; 4] = [
    None,
    Some(Ok(
        r#"{"loomReadCeiling":["a"],"facets":["f"],"facetSource":"s"}"#,
    )),
    Some(Ok(
        r#"{"loomReadCeiling":[],"facets":["f"],"facetSource":"s"}"#,
    )),
    Some(Err(())),
];

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let settings = configured(&mut input);
    let script = input.part();
    let mut pool = vec![input.part()];
    while input.more() {
        pool.push(input.part());
    }
    let mut run = Watched::start(settings.clone());
    let mut answers = (0..).map(|at: usize| answer(&pool, at));
    let mut token = String::new();
    for line in script.split(|byte| *byte == b'\n').take(MOST_TURNS) {
        let turn = turn(line, &pool, &token);
        let mut resumed =
            Run::resume(settings.clone(), &run.run.save()).expect("what is saved resumes");
        let mut told = Vec::new();
        let answered = run.turn(turn.clone(), &mut |operation: &Operation| {
            let answer = answers.next().expect("answers do not end");
            told.push((operation.clone(), answer.clone()));
            answer
        });
        let mut retold = told.into_iter();
        let again = resumed.invoke(turn, &mut |requests| {
            let each = requests.iter().map(|request| {
                let (operation, answer) = retold.next().expect("it asks for no more");
                assert_eq!(operation, request.operation);
                answer
            });
            each.collect()
        });
        assert!(retold.next().is_none(), "it asks for no less");
        let replies: Vec<_> = answered.iter().map(|one| one.reply.clone()).collect();
        assert_eq!(again, replies);
        assert_eq!(resumed.save(), run.run.save());
        let shown = answered.iter().flat_map(|one| entries(&one.shown));
        let handles = shown.filter_map(|entry| entry.get("handle").and_then(Json::text));
        token = handles.last().map_or(token, str::to_owned);
    }
});

fn configured(input: &mut Input) -> Settings {
    let ceilings: &[&str] = input.knob(&[
        &[][..],
        &["[]"],
        &[r#"["a"]"#],
        &[r#"["a","b"]"#, r#"["a"]"#],
    ]);
    let ceilings: Vec<String> = ceilings.iter().map(|c| (*c).to_owned()).collect();
    let ceiling_record = input.knob(&[false, true]);
    let facets = input.knob(&[None, Some(vec!["f".to_owned()]), Some(vec!["g".to_owned()])]);
    let retrieval = Some(Retrieval {
        facets,
        ceiling_record,
    });
    Settings {
        enforcement: input.knob(&[
            Enforcement::EnforceExplicit,
            Enforcement::EnforceStrict,
            Enforcement::Observe,
            Enforcement::Disabled,
        ]),
        slot: input.knob(&[
            Some(PromptSlot::DirectCommand),
            Some(PromptSlot::Context),
            Some(PromptSlot::Quote),
            None,
        ]),
        retrieval: retrieval.filter(|_| input.knob(&[true, false])),
        commands: input.knob(&[true, false]),
        allowed_tools: input.knob(&[
            None,
            Some(Vec::new()),
            Some(vec![
                "loom_search".to_owned(),
                "run_read_command".to_owned(),
            ]),
            Some(vec!["run_command".to_owned(), "loom_page_read".to_owned()]),
        ]),
        ..settings(&ceilings)
    }
}

/// A line is a byte for the record, then three for each call: the tool, the input, its label.
fn turn(line: &[u8], pool: &[Vec<u8>], token: &str) -> Turn {
    let pick = |byte: u8| usize::from(byte.wrapping_sub(b'0'));
    let (record, calls) = line.split_first().unwrap_or((&b'0', &[]));
    let one = |(at, bytes): (usize, &[u8])| {
        let tool = pick(bytes[0]) % (TOOLS.len() + 1);
        let input = pick(bytes[1]) % (INPUTS.len() + pool.len());
        let label = LABELS[pick(bytes[2]) % LABELS.len()];
        Call {
            id: format!("call \"{at}\""),
            tool: TOOLS
                .get(tool)
                .map_or("no_such\u{7}tool", |tool| tool)
                .to_owned(),
            input: match INPUTS.get(input) {
                Some(input) => input.replace('$', token),
                None => String::from_utf8_lossy(&pool[input - INPUTS.len()]).into_owned(),
            },
            input_label: label.map(str::to_owned),
        }
    };
    let record = RECORDS[pick(*record) % RECORDS.len()];
    Turn {
        calls: calls
            .chunks_exact(3)
            .take(16)
            .enumerate()
            .map(one)
            .collect(),
        ceiling_record: record.map(|record| record.map(str::to_owned)),
    }
}

/// The pool in a circle; a part that says nothing is a failure.
fn answer(pool: &[Vec<u8>], at: usize) -> Result<Answer, Failure> {
    let part = &pool[at % pool.len()];
    match part.as_slice() {
        b"" => Err(Failure::Lost),
        b"-" => Err(Failure::NotStarted),
        b"!" => Err(Failure::Cancelled),
        b"?" => Err(Failure::NotGranted),
        [b'1', rest @ ..] => printed(1, rest),
        [b'3', rest @ ..] => printed(3, rest),
        all => printed(0, all),
    }
}
