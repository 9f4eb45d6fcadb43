//! Non-interference: what the run may not be shown has no influence on what it is shown. Two hosts
//! that differ in nothing else give the same bytes, but for the counts that the contract names.

use proptest::prelude::*;

use crate::bindings::exports::loom::tools::tools::{Call, Turn};
use crate::bindings::loom::tools::process::{Answer, Failure, Operation};
use crate::run::Run;
use crate::testing::{Host, call, printed, run_below, text_at};

/// Content that reaches every bound.
const LARGE: usize = 60_000;
/// Content that leaves a batch far below its bound, where the digits of a count take room.
const SMALL: usize = 600;

/// A text, and another in its place.
type Pair = (String, String);

/// What a host prints, row by row: the same for both, or kept from the run and each its own.
#[derive(Clone, Debug)]
enum Row {
    Same(String),
    Withheld(Pair),
}

impl Row {
    fn of(&self, second: bool) -> &str {
        match self {
            Self::Same(row) => row,
            Self::Withheld((one, other)) => {
                if second {
                    other
                } else {
                    one
                }
            }
        }
    }
}

fn list(rows: &[Row], second: bool) -> String {
    let rows: Vec<&str> = rows.iter().map(|row| row.of(second)).collect();
    format!("[{}]", rows.join(","))
}

/// Fields of an object: of any shape, and as large now and then.
fn content(most: usize) -> impl Strategy<Value = String> {
    let value = prop_oneof![
        4 => "[a-z é😀]{0,12}".prop_map(|text| format!(r#""{text}""#)),
        2 => any::<i64>().prop_map(|n| n.to_string()),
        1 => (0..most / 6).prop_map(|n| format!(r#""{}""#, "x".repeat(n))),
        1 => (1usize..100).prop_map(|n| format!("{}{}", "[".repeat(n), "]".repeat(n))),
        1 => (0..most).prop_map(|n| format!("[{}0]", "1,".repeat(n))),
        1 => Just(r#"{"ifc":{"confidentiality":["a"]}}"#.to_owned()),
    ];
    prop::collection::vec(("[a-z]{1,6}", value), 0..5).prop_map(|fields| {
        let fields = fields
            .into_iter()
            .enumerate()
            // No name twice: an answer is counted as it reads.
            .map(|(at, (name, value))| format!(r#""{at}{name}":{value},"#));
        fields.collect()
    })
}

/// A label that does not fit the ceiling `["a"]`.
fn unfit() -> impl Strategy<Value = String> {
    prop_oneof![
        "[b-z]{1,8}".prop_map(|atom| format!(r#"{{"confidentiality":["{atom}"]}}"#)),
        "[b-z]{1,8}".prop_map(|atom| format!(
            r#"{{"integrity":["{atom}"],"confidentiality":["a",{{"type":"{atom}","n":1}}]}}"#
        )),
        Just(r#"{"confidentiality":[{"anyOf":["a","cfc:label-read-failed"]}]}"#.to_owned()),
    ]
}

/// An `ifc` that states no label.
fn unreadable() -> impl Strategy<Value = String> {
    const TEXTS: [&str; 6] = [
        "0",
        "null",
        "[]",
        "{}",
        r#"{"confidentiality":[7]}"#,
        r#"{"confidentiality":["a"],"integrity":0}"#,
    ];
    prop_oneof![
        prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        "[a-z]{0,40}".prop_map(|text| format!(r#""{text}""#)),
    ]
}

/// Two objects that the ceiling `["a"]` keeps back for the same reason, opening with these fields.
fn kept_back(head: &'static str, most: usize) -> impl Strategy<Value = Pair> {
    let label = any::<bool>().prop_flat_map(|readable| {
        let one = || {
            if readable {
                unfit().boxed()
            } else {
                unreadable().boxed()
            }
        };
        (one(), one())
    });
    (label, content(most), content(most)).prop_map(move |((a, b), one, other)| {
        let row = |content: &str, label: &str| format!(r#"{{{head}{content}"ifc":{label}}}"#);
        (row(&one, &a), row(&other, &b))
    })
}

fn row() -> impl Strategy<Value = Row> {
    let no_object = ("[a-z]{0,30}", any::<i32>())
        .prop_map(|(text, number)| (format!(r#"["{text}"]"#), number.to_string()));
    let shown = (content(LARGE), any::<bool>()).prop_map(|(content, stated)| {
        let label = if stated {
            r#""ifc":{"confidentiality":["a"]}"#
        } else {
            r#""end":0"#
        };
        format!("{{{content}{label}}}")
    });
    prop_oneof![
        2 => shown.prop_map(Row::Same),
        2 => kept_back("", LARGE).prop_map(Row::Withheld),
        1 => no_object.prop_map(Row::Withheld),
    ]
}

/// A command's answer; what it says of itself is the same for both.
fn answer(most: usize) -> impl Strategy<Value = Row> {
    const HEAD: &str = r#""ok":false,"id":"op-1","code":"bad-args","completed":["a","b"],"#;
    let shown = content(most)
        .prop_map(|content| format!(r#"{{{HEAD}{content}"ifc":{{"confidentiality":["a"]}}}}"#));
    prop_oneof![
        1 => shown.prop_map(Row::Same),
        3 => kept_back(HEAD, most).prop_map(Row::Withheld),
    ]
}

/// What a host says of commands that the run may not see.
fn hidden() -> impl Strategy<Value = Pair> {
    let row =
        |id: &str, title: &str| format!(r#"{{"id":"{id}","title":"{title}","developer":true}}"#);
    ("[a-z]{1,9}", "[a-z]{0,30}").prop_map(move |(id, title)| (row(&id, &title), row("h", "")))
}

/// Text that is no answer.
fn noise() -> impl Strategy<Value = Pair> {
    prop_oneof![
        ("[a-z ]{0,40}", "[a-z/ ]{0,40}").prop_map(|(a, b)| (format!("~{a}"), format!("~{b}"))),
        ("[a-z ]{0,40}", "[a-z ]{0,40}").prop_map(|(a, b)| {
            let refusal = |text| format!(r#"{{"ok":false,"code":"E1","message":"{text}"}}"#);
            (refusal(a), refusal(b))
        }),
    ]
}

/// Everything one host prints.
#[derive(Clone, Debug)]
struct Script {
    hits: Vec<Row>,
    events: Vec<Row>,
    page: Row,
    answers: Vec<Row>,
    hidden: Pair,
    noise: Pair,
}

fn script(most: usize) -> impl Strategy<Value = Script> {
    let rows = || prop::collection::vec(row(), 0..8);
    let page = kept_back("", LARGE).prop_map(Row::Withheld);
    let answers = prop::collection::vec(answer(most), 5);
    (rows(), rows(), page, answers, hidden(), noise()).prop_map(
        |(hits, events, page, answers, hidden, noise)| Script {
            hits,
            events,
            page,
            answers,
            hidden,
            noise,
        },
    )
}

impl Script {
    fn print(
        &self,
        operation: &Operation,
        commands: &mut usize,
        second: bool,
    ) -> Result<Answer, Failure> {
        let pick = |(one, other): &Pair| if second { other.clone() } else { one.clone() };
        let text = match operation {
            Operation::Search(_) => format!(r#"{{"hits":{}}}"#, list(&self.hits, second)),
            Operation::CalendarList(_) => list(&self.events, second),
            Operation::PageRead(_) => self.page.of(second).to_owned(),
            Operation::CommandList => {
                let shown = r#"{"id":"a","inputs":{"properties":{"x":{"type":"string"}}}}"#;
                format!(r#"{{"commands":[{},{shown}]}}"#, pick(&self.hidden))
            }
            Operation::CommandRun(_) => {
                let at = *commands;
                *commands += 1;
                self.answers
                    .get(at)
                    .map_or("{}", |row| row.of(second))
                    .to_owned()
            }
            _ => pick(&self.noise),
        };
        printed(0, &text)
    }
}

/// Every byte that leaves a run over a few turns.
fn told(script: &Script, second: bool) -> Vec<String> {
    let mut run = run_below(r#"["a"]"#);
    let mut commands = 0;
    let mut host = Host::new(|operation| script.print(operation, &mut commands, second));
    let one = r#"{"command":"a","args":{}}"#;
    let batch = format!(r#"{{"calls":[{one},{one},{one},{one}]}}"#);
    let first = vec![
        call("loom_search", r#"{"query":"q"}"#),
        call("loom_calendar_list", "{}"),
        call("loom_page_read", r#"{"target":"t"}"#),
        call("loom_people", r#"{"query":"a@b"}"#),
        call("list_commands", "{}"),
    ];
    let mut told = Vec::new();
    let mut turn = |run: &mut Run, calls: Vec<Call>| {
        let calls = Turn {
            calls,
            ceiling_record: None,
        };
        let mut token = String::new();
        for reply in host.invoke(run, calls) {
            token = text_at(&reply.shown, "/entries/0/handle");
            told.extend([reply.output_id, reply.shown, reply.artifact, reply.decision]);
            told.extend(reply.observation);
        }
        told.extend([run.label(), run.save()]);
        token
    };
    turn(&mut run, first);
    let token = turn(&mut run, vec![call("loom_search", r#"{"query":"q"}"#)]);
    turn(
        &mut run,
        vec![call("run_command", one), call("run_command", &batch)],
    );
    turn(
        &mut run,
        vec![call(
            "describe_handle",
            &format!(r#"{{"token":"{token}"}}"#),
        )],
    );
    told.push(format!(
        "{:?}",
        run.resolve_result(&format!(r#"["{token}"]"#))
    ));
    told
}

/// Without the one count that measures a withheld answer.
fn without_body_bytes(text: &str) -> String {
    let mut pieces = text.split(r#""bodyBytes":"#);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |text, piece| {
        text + r#""bodyBytes":"# + piece.trim_start_matches(|c: char| c.is_ascii_digit())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_is_withheld_changes_no_byte_but_the_size_of_a_commands_answer(script in script(SMALL)) {
        let (one, other) = (told(&script, false), told(&script, true));
        prop_assert_eq!(one.len(), other.len());
        for (one, other) in one.iter().zip(&other) {
            prop_assert_eq!(without_body_bytes(one), without_body_bytes(other));
        }
    }

    #[test]
    fn withheld_answers_of_one_size_change_no_byte(script in script(LARGE)) {
        let mut script = script;
        for row in &mut script.answers {
            if let Row::Withheld((one, other)) = row {
                let size = one.len().max(other.len()) + 9;
                for text in [one, other] {
                    let room = size - text.len() - r#""":"","#.len();
                    *text = text.replacen('{', &format!(r#"{{"":"{}","#, "p".repeat(room)), 1);
                }
            }
        }
        prop_assert_eq!(told(&script, false), told(&script, true));
    }
}
