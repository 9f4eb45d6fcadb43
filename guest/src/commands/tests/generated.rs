//! What holds of a batch of any answers.

use proptest::prelude::*;

use crate::bindings::loom::tools::process::{Answer, Failure, Operation};
use crate::json::utf16_len;
use crate::testing::{Host, at, call, list_at, printed, run_below, text_at};

/// Text that only answers to be withheld hold.
const SECRET: &str = "zq-secret-qz";

const CATALOG: &str = r#"{"commands":[{"id":"a","inputs":{"properties":{"parameter":{"enum":["\"quoted\"","\\"]}}}}]}"#;

fn answer() -> impl Strategy<Value = Result<Answer, Failure>> {
    let body = prop_oneof![
        3 => (0usize..200).prop_map(|n| format!(r#""{}""#, "é".repeat(n))),
        2 => (0usize..60).prop_map(|n| format!("[{}1]", format!(r#""{}","#, "x".repeat(1_000)).repeat(n))),
        1 => (0usize..9_000).prop_map(|n| format!(r#""{}""#, "😀".repeat(n))),
        1 => (0usize..60_000).prop_map(|n| format!("[{}1]", "1,".repeat(n))),
    ];
    let outcome = prop::sample::select(vec![
        r#""ok":true"#.to_owned(),
        r#""ok":false,"code":"bad-args""#.to_owned(),
        format!(r#""ok":false,"code":"refused","id":"{}""#, "i".repeat(128)),
        format!(
            r#""ok":true,"code":"{0}","id":"{0}","completed":["{0}","b"]"#,
            "c".repeat(128)
        ),
    ]);
    let label = prop::sample::select(vec![
        String::new(),
        r#","ifc":{"confidentiality":["a"]}"#.to_owned(),
        format!(r#","{SECRET}":"{SECRET}","ifc":{{"confidentiality":["{SECRET}"]}}"#),
        format!(r#","ifc":"{SECRET}""#),
    ]);
    let executed = (outcome, body, label).prop_map(|(outcome, body, label)| {
        printed(0, &format!(r#"{{{outcome},"t":{body}{label}}}"#))
    });
    let failed = prop::sample::select(vec![
        Err(Failure::Lost),
        Err(Failure::Cancelled),
        printed(0, "no json"),
        printed(0, "[]"),
    ]);
    prop_oneof![6 => executed, 1 => failed]
}

fn command() -> impl Strategy<Value = &'static str> {
    let one = r#"{"command":"a","args":{}}"#;
    prop::sample::select(vec![
        one,
        one,
        one,
        r#"{"command":"b","args":{}}"#,
        r#"{"command":"B"}"#,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn a_batch_stays_within_its_bound_in_its_order_and_shows_nothing_withheld(
        calls in prop::collection::vec((command(), answer()), 1..=16),
    ) {
        let mut run = run_below(r#"["a"]"#);
        let sent: Vec<_> =
            calls.iter().filter(|(call, _)| call.contains(r#""a""#)).map(|(_, a)| a.clone()).collect();
        let mut answers = sent.iter().cloned();
        let mut host = Host::new(|operation| match operation {
            Operation::CommandRun(_) => answers.next().expect("an answer for each call sent"),
            _ => printed(0, CATALOG),
        });
        let input: Vec<&str> = calls.iter().map(|(call, _)| *call).collect();
        let input = format!(r#"{{"calls":[{}]}}"#, input.join(","));
        let reply = host.turn(&mut run, vec![call("run_command", &input)]).remove(0);
        prop_assert!(utf16_len(&reply.shown) <= 48_000);
        prop_assert!(!reply.artifact.contains(SECRET));
        let results = list_at(&reply.shown, "/results");
        prop_assert_eq!(results.len(), calls.len());
        let mut sent = sent.iter();
        for (n, (result, (call, _))) in results.iter().zip(&calls).enumerate() {
            prop_assert_eq!(text_at(result, "/outputId"), format!("r1:run_command:{}", n + 2));
            let delivered = call.contains(r#""a""#)
                && sent.next().is_some_and(|a| a.as_ref().is_ok_and(|a| a.stdout.starts_with(b"{")));
            prop_assert_eq!(text_at(result, "/status") == "executed", delivered);
        }
        let truncated = results.iter().any(|result| at(result, "/truncated") == "true");
        prop_assert_eq!(at(&reply.shown, "/truncated") == "true", truncated);
        let admitted = results.iter().any(|result| at(result, "/entry/label/confidentiality") == r#"[["a"]]"#);
        prop_assert_eq!(reply.observation.is_some(), admitted);
    }
}
