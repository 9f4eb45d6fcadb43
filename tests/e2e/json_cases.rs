//! The cases that JSON parsers are judged by, through the built component as what the CLI prints:
//! accepted or refused as `command_failed`, never a trap.

use loom_tools_tests::fake::{Step, rule};
use loom_tools_tests::session::Session;
use serde_json::json;

use crate::bench;

const CASES: &str = include_str!("json_cases.txt");

/// The bytes of a case: `\\` is a backslash and `\xHH` a byte.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((plain, escape)) = rest.split_once('\\') {
        bytes.extend_from_slice(plain.as_bytes());
        rest = match escape.strip_prefix('x') {
            Some(hex) => {
                let (digits, after) = hex.split_at(2);
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                after
            }
            None => {
                bytes.push(b'\\');
                escape.strip_prefix('\\').unwrap()
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Every case as kind, name and bytes; the last two are too long to be written down.
fn cases() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let line = |line: &'static str| {
        let [kind, name, text] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else {
            panic!("a line is kind, name and bytes: {line}");
        };
        (kind, name, bytes(text))
    };
    let mut cases: Vec<_> = CASES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(line)
        .collect();
    cases.push(("reject", "nested_100000_open", b"[".repeat(100_000)));
    cases.push(("reject", "nested_open_objects", b"[{\"\":".repeat(50_000)));
    cases
}

#[test]
fn each_json_text_is_accepted_or_refused_as_parsers_are_judged_by() {
    let bench = bench();
    let cases = cases();
    assert_eq!(cases.len(), 280);
    let mut session = bench.session(&[]);
    let mut wrong = Vec::new();
    for (kind, name, bytes) in cases {
        bench
            .fake
            .script(&[rule(&["profile"], [Step::Bytes(bytes)])]);
        // Read as text: the deepest case nests deeper, once shown, than the tests' own parser goes.
        let line = session.line(&Session::turn_line(&[("loom_profile", json!({}))]));
        let shown = |part: &str| line.contains(part);
        // JSON that is no object is read, and is not what `profile` returns.
        let accepted = shown(r#""shown":{"outputId":"run-1:loom_profile"#)
            && (shown(r#","status":"ok","kind":"profile""#)
                || shown(r#""code":"malformed_payload""#));
        assert!(
            accepted || shown(r#""code":"command_failed""#),
            "{name}: {line}"
        );
        // Where the field is of two minds, ours reads it (contract, section 1).
        if accepted != (kind != "reject") {
            wrong.push(name);
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}
