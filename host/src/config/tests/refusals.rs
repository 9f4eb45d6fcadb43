//! Each refusal, word for word. `{}` stands for the one part of a good file.

use super::*;

/// `(what the file says, what the operator is told)`, both without what is always the same.
type Cases<'a> = &'a [(&'a str, &'a str)];

fn refused<T: std::fmt::Debug>(
    parse: fn(&str) -> Result<T, String>,
    frame: &str,
    cases: Cases<'_>,
) {
    for (text, sentence) in cases {
        let refusal = parse(&frame.replace("{}", text)).unwrap_err();
        assert_eq!(refusal, format!("{FILE}: {sentence}"), "{text}");
    }
}

#[test]
fn a_file_that_is_no_json_object() {
    refused(
        retrieval,
        "{}",
        &[
            (
                "",
                "this file is not JSON (EOF while parsing a value at line 1 column 0); correct it there.",
            ),
            (
                "{ \"cliPath\": }",
                "this file is not JSON (expected value at line 1 column 14); correct it there.",
            ),
            (
                "{} x",
                "this file is not JSON (trailing characters at line 1 column 4); correct it there.",
            ),
            (
                "[]",
                "this file must hold one JSON object; write `{ \"cliPath\": …, \"transport\": … }`.",
            ),
            (
                "null",
                "this file must hold one JSON object; write `{ \"cliPath\": …, \"transport\": … }`.",
            ),
        ],
    );
    let nested = "[".repeat(100_000);
    assert!(
        retrieval(&nested)
            .unwrap_err()
            .contains("recursion limit exceeded")
    );
    let latin = Retrieval::parse(Path::new(FILE), b"{ \"cliPath\": \"/\xff\" }").unwrap_err();
    assert!(
        latin
            .to_string()
            .contains("this file is not JSON (invalid unicode code point")
    );
}

#[test]
fn a_key_that_is_unknown_given_twice_missing_or_of_another_type() {
    let frame = r#"{ {} "transport": { "kind": "broker", "queuePath": "/q" } }"#;
    let shared: Cases<'_> = &[
        (r#""#, "`cliPath` is missing; add it."),
        (
            r#""cliPath": 5,"#,
            "`cliPath` must be a string; write it in quotes.",
        ),
        (
            r#""cliPath": null,"#,
            "`cliPath` must be a string; write it in quotes.",
        ),
        (
            r#""cliPath": "loom","#,
            "`cliPath` must be an absolute path; write it from `/` on.",
        ),
        (
            r#""cliPath": "","#,
            "`cliPath` must be an absolute path; write it from `/` on.",
        ),
        (
            r#""cliPath": "~/loom","#,
            "`cliPath` must be an absolute path; write it from `/` on.",
        ),
        (
            r#""cliPath": "/a\u0000","#,
            "`cliPath` holds a control character; write the path without it.",
        ),
        (
            r#""cliPath": "/a", "cliPath": "/a","#,
            "`cliPath` is given twice; keep one of the two.",
        ),
        (
            r#""transport": {}, "cliPath": "/a","#,
            "`transport` is given twice; keep one of the two.",
        ),
        (
            r#""clipath": "/a","#,
            "`clipath` is not a known key; write `cliPath` or remove it.",
        ),
        (
            r#""cli_Path": "/a","#,
            "`cli_Path` is not a known key; write `cliPath` or remove it.",
        ),
        (
            r#""cliPath": "/a", "transprot": {},"#,
            "`transprot` is not a known key; write `transport` or remove it.",
        ),
    ];
    refused(retrieval, frame, shared);
    refused(commands, frame, shared);
    refused(
        retrieval,
        frame,
        &[
            (
                r#""readCeilngFile": "/c","#,
                "`readCeilngFile` is not a known key; write `readCeilingFile` or remove it.",
            ),
            (
                r#""facet": ["work"],"#,
                "`facet` is not a known key; write `facets` or remove it.",
            ),
            (
                r#""jobId": "j","#,
                "`jobId` is not a known key; remove it (known here: `cliPath`, `transport`, `readCeilingFile`, `facets`).",
            ),
            (
                "\"a\\nb\": 1,",
                "`ab` is not a known key; remove it (known here: `cliPath`, `transport`, `readCeilingFile`, `facets`).",
            ),
            (
                r#""readCeilingFile": "/c", "readCeilingFile": "/d","#,
                "`readCeilingFile` is given twice; keep one of the two.",
            ),
            (
                r#""cliPath": "/a", "readCeilingFile": "c","#,
                "`readCeilingFile` must be an absolute path; write it from `/` on.",
            ),
            (
                r#""cliPath": "/a", "readCeilingFile": null,"#,
                "`readCeilingFile` must be a string; write it in quotes.",
            ),
        ],
    );
    refused(
        commands,
        frame,
        &[
            (
                r#""readCeilingFile": "/c","#,
                "`readCeilingFile` is not a known key; remove it (known here: `cliPath`, `transport`, `jobIdEnvVar`, `jobId`).",
            ),
            (
                r#""jobIdEnvVars": "J","#,
                "`jobIdEnvVars` is not a known key; write `jobIdEnvVar` or remove it.",
            ),
            (
                r#""jobId": 1, "jobId": 1,"#,
                "`jobId` is given twice; keep one of the two.",
            ),
            (
                r#""cliPath": "/a", "jobIdEnvVar": 1,"#,
                "`jobIdEnvVar` must be a string; write it in quotes.",
            ),
        ],
    );
}

#[test]
fn a_transport_that_is_missing_or_wrong() {
    let frame = r#"{ "cliPath": "/l"{} }"#;
    let shared: Cases<'_> = &[
        ("", "`transport` is missing; add it."),
        (
            r#", "transport": "broker""#,
            "`transport` must be an object; write it as `{ \"kind\": … }`.",
        ),
        (
            r#", "transport": {}"#,
            "`transport.kind` is missing; add it.",
        ),
        (
            r#", "transport": { "kind": 1 }"#,
            "`transport.kind` must be a string; write it in quotes.",
        ),
        (
            r#", "transport": { "knd": "broker" }"#,
            "`transport.knd` is not a known key; write `transport.kind` or remove it.",
        ),
        (
            r#", "transport": { "kind": "broker" }"#,
            "`transport.queuePath` is missing; add it.",
        ),
        (
            r#", "transport": { "kind": "broker", "queuePath": "q" }"#,
            "`transport.queuePath` must be an absolute path; write it from `/` on.",
        ),
        (
            r#", "transport": { "kind": "broker", "queuepath": "/q" }"#,
            "`transport.queuepath` is not a known key; write `transport.queuePath` or remove it.",
        ),
        (
            r#", "transport": { "kind": "broker", "queuePath": "/q", "queuePath": "/q" }"#,
            "`transport.queuePath` is given twice; keep one of the two.",
        ),
        (
            r#", "transport": { "kind": "broker", "queuePath": "/q", "actor": "a" }"#,
            "`transport.actor` is not a known key; remove it (known here: `kind`, `queuePath`).",
        ),
    ];
    refused(retrieval, frame, shared);
    refused(commands, frame, shared);
    refused(
        retrieval,
        frame,
        &[
            (
                r#", "transport": { "kind": "Broker" }"#,
                "`transport.kind` must be `broker` or `direct`; write one of them.",
            ),
            (
                r#", "transport": { "kind": "direct", "runId": "r" }"#,
                "`transport.instanceDir` is missing; add it.",
            ),
            (
                r#", "transport": { "kind": "direct", "instanceDir": "/i" }"#,
                "`transport.runId` is missing; add it.",
            ),
            (
                r#", "transport": { "kind": "direct", "instanceDir": "i", "runId": "r" }"#,
                "`transport.instanceDir` must be an absolute path; write it from `/` on.",
            ),
            (
                r#", "transport": { "kind": "direct", "instanceDir": "/i", "runId": 1 }"#,
                "`transport.runId` must be a string; write it in quotes.",
            ),
            (
                r#", "transport": { "kind": "direct", "instanceDir": "/i", "runId": "r", "actor": 1 }"#,
                "`transport.actor` must be a string; write it in quotes.",
            ),
            (
                r#", "transport": { "kind": "direct", "instanceDir": "/i", "runId": "r", "queuePath": "/q" }"#,
                "`transport.queuePath` is not a known key; remove it (known here: `kind`, `instanceDir`, `runId`, `actor`).",
            ),
        ],
    );
    refused(
        commands,
        frame,
        &[(
            r#", "transport": { "kind": "direct", "instanceDir": "/i", "runId": "r" }"#,
            "`transport.kind` must be `broker`, which keeps the grant; start a broker and name its queue.",
        )],
    );
}
