//! The shapes of a reply: what is shown, kept and recorded of each outcome.

use super::{CATALOG, hold};
use crate::bindings::exports::loom::tools::tools::{Call, Settings};
use crate::bindings::loom::tools::process::{Answer, Failure, Operation};
use crate::run::Run;
use crate::testing::{Host, at, call, names, printed, run, settings, text_at};

fn shown(tool: &str, input: &str, answer: &Result<Answer, Failure>) -> String {
    Host::new(|_| answer.clone()).shown(&mut run(), tool, input)
}

/// The error a Page that answers so is shown as, without its output id and status.
fn error(answer: Result<Answer, Failure>) -> String {
    let shown = shown("loom_page_read", r#"{"target":"t"}"#, &answer);
    let opening = r#"{"outputId":"r1:loom_page_read:1","status":"error","#;
    shown
        .strip_prefix(opening)
        .unwrap_or_else(|| panic!("{shown}"))
        .to_owned()
}

#[test]
fn each_failure_is_a_fixed_sentence_and_carries_no_host_text() {
    const FAILED: &str = r#""code":"command_failed","message":"Loom could not be asked, or gave no usable answer."}"#;
    assert_eq!(error(Err(Failure::NotStarted)), FAILED);
    assert_eq!(error(Err(Failure::Lost)), FAILED);
    assert_eq!(error(Err(Failure::NotGranted)), FAILED);
    assert_eq!(error(printed(2, r#"{"path":"/private"}"#)), FAILED);
    assert_eq!(error(printed(0, "/private: no such file")), FAILED);
    assert_eq!(
        error(Err(Failure::Cancelled)),
        r#""code":"cancelled","message":"The turn was cancelled before the host command."}"#
    );
    assert_eq!(
        error(printed(
            1,
            r#"{"ok":false,"code":"no.page","error":"/private"}"#
        )),
        r#""code":"host_refused","message":"The host refused the request.","hostCode":"no.page"}"#
    );
    assert_eq!(
        error(printed(1, r#"{"ok":false,"code":"/private is not there"}"#)),
        r#""code":"host_refused","message":"The host refused the request."}"#
    );
    assert_eq!(
        error(printed(0, "[]")),
        r#""code":"malformed_payload","message":"The host's answer does not have the shape that the command returns."}"#
    );
}

#[test]
fn a_person_who_was_not_resolved_and_another_schema_are_errors_of_their_own() {
    let of = |tool, input, exit, text| {
        let shown = shown(tool, input, &printed(exit, text));
        (text_at(&shown, "/code"), text_at(&shown, "/message"))
    };
    let person = r#"{"query":"a@b"}"#;
    assert_eq!(
        of("loom_people", person, 1, ""),
        ("not_found".to_owned(), "No live person matches.".to_owned())
    );
    assert_eq!(
        of("loom_people", person, 3, ""),
        (
            "contested".to_owned(),
            "More than one live person matches. Name one by an email address or `person:…`."
                .to_owned()
        )
    );
    assert_eq!(of("loom_search", r#"{"person":"p"}"#, 1, "").0, "not_found");
    assert_eq!(
        of("loom_search", r#"{"query":"q"}"#, 1, "").0,
        "command_failed"
    );
    assert_eq!(
        of(
            "loom_search",
            r#"{"query":"q"}"#,
            0,
            r#"{"schemaVersion":2,"hits":[]}"#
        ),
        (
            "schema_version_mismatch".to_owned(),
            "The host's search answer states a schema version other than 1.".to_owned()
        )
    );
}

#[test]
fn output_is_read_as_utf_8_past_one_byte_order_mark() {
    let page = |stdout: &[u8]| {
        let answer = Ok(Answer {
            exit_code: 0,
            stdout: stdout.to_vec(),
        });
        shown("loom_page_read", r#"{"target":"t"}"#, &answer)
    };
    let value = |shown: &str| at(shown, "/entries/0/value/a");
    assert_eq!(value(&page(b"\xef\xbb\xbf{\"a\":1}")), "1");
    assert_eq!(
        text_at(&page(b"\xef\xbb\xbf\xef\xbb\xbf{\"a\":1}"), "/code"),
        "command_failed"
    );
    assert_eq!(value(&page(b"{\"a\":\"x\xffy\"}")), "\"x\u{fffd}y\"");
    assert_eq!(value(&page(br#"{"a":"\ud83d"}"#)), "\"\u{fffd}\"");
}

#[test]
fn an_unknown_tool_is_an_error_that_quotes_it_and_starts_nothing() {
    let mut run = run();
    let mut host = Host::printing("{}");
    let long = "t".repeat(65);
    let replies = host.turn(&mut run, vec![call("loom_write", "{}"), call(&long, "{")]);
    assert_eq!(
        replies[0].shown,
        r#"{"outputId":"r1:loom_write:1","status":"error","code":"unknown_tool","message":"There is no tool `loom_write`."}"#
    );
    assert_eq!(
        text_at(&replies[1].shown, "/message"),
        format!("There is no tool `{}`.", "t".repeat(64))
    );
    assert_eq!(text_at(&replies[0].decision, "/decision"), "denied");
    assert!(host.asked.is_empty());
}

#[test]
fn a_family_that_is_not_configured_answers_in_its_own_shape_and_starts_nothing() {
    let settings = Settings {
        retrieval: None,
        commands: false,
        ..settings()
    };
    let mut run = Run::start(settings).expect("sound settings");
    let mut host = Host::printing("{}");
    for tool in ["loom_search", "loom_profile"] {
        let shown = host.shown(&mut run, tool, "");
        assert_eq!(
            at(&shown, "/message"),
            r#""Loom retrieval is not configured for this run.""#
        );
        assert_eq!(names(&shown), ["outputId", "status", "code", "message"]);
        assert_eq!(text_at(&shown, "/code"), "not_configured");
    }
    let shown = host.shown(&mut run, "list_commands", "");
    assert_eq!(
        shown,
        r#"{"outputId":"r1:list_commands:3","status":"error","code":"not_configured","message":"Host commands are not configured for this run."}"#
    );
    for tool in ["run_command", "run_read_command"] {
        let shown = host.shown(&mut run, tool, "");
        assert_eq!(text_at(&shown, "/status"), "failed_to_deliver");
        assert_eq!(text_at(&shown, "/landed"), "no");
        assert_eq!(text_at(&shown, "/code"), "not_configured");
    }
    let shown = host.shown(&mut run, "describe_handle", r#"{"token":"x"}"#);
    assert_eq!(at(&shown, "/known"), "false");
    assert!(host.asked.is_empty());
    let listed: Vec<String> = run.tools().into_iter().map(|tool| tool.id).collect();
    assert_eq!(listed, ["describe_handle"]);
}

#[test]
fn an_artifact_is_what_was_shown_and_the_observed_label() {
    let mut run = run();
    let page = r#"{"ifc":{"confidentiality":[{"type":"t","secret":1}]}}"#;
    let target = || call("loom_page_read", r#"{"target":"t"}"#);
    let reply = Host::printing(page)
        .turn(&mut run, vec![target()])
        .remove(0);
    let opening = reply.shown.strip_suffix('}').unwrap();
    assert_eq!(
        reply.artifact,
        format!(
            r#"{opening},"cfc":{{"version":1,"observedLabel":{{"confidentiality":[{{"type":"t","secret":1}}]}}}}}}"#
        )
    );
    // The label itself is not shown.
    assert!(!reply.shown.contains("secret"));
    let reply = Host::printing("no json")
        .turn(&mut run, vec![target()])
        .remove(0);
    let opening = reply.shown.strip_suffix('}').unwrap();
    assert_eq!(
        reply.artifact,
        format!(r#"{opening},"cfc":{{"version":1}}}}"#)
    );
}

#[test]
fn an_observation_names_its_call_and_is_truncated_whenever_the_result_is() {
    let mut run = run();
    let call = || Call {
        id: "c\"1".to_owned(),
        ..call("loom_page_read", r#"{"target":"t"}"#)
    };
    let observed = |run: &mut Run, text: &str| {
        let page = format!(r#"{{"t":"{text}","ifc":{{"confidentiality":["a"]}}}}"#);
        let reply = Host::printing(&page).turn(run, vec![call()]).remove(0);
        assert_eq!(reply.call_id, "c\"1");
        reply.observation.expect("an observation")
    };
    assert_eq!(
        observed(&mut run, "short"),
        r#"{"toolCallId":"c\"1","toolId":"loom_page_read","outputId":"r1:loom_page_read:1","channels":["output"],"label":{"confidentiality":["a"]}}"#
    );
    assert_eq!(
        observed(&mut run, &"x".repeat(4_001)),
        r#"{"toolCallId":"c\"1","toolId":"loom_page_read","outputId":"r1:loom_page_read:2","channels":["output"],"label":{"confidentiality":["a"]},"truncated":true}"#
    );
}

#[test]
fn an_observation_of_a_command_is_truncated_when_an_answer_was_cut_or_left_out() {
    let one = r#"{"command":"notes.read","args":{}}"#;
    let batch = format!(r#"{{"calls":[{one},{one}]}}"#);
    let labelled = |t: &str| format!(r#"{{"ok":true,"t":{t},"ifc":{{"confidentiality":["a"]}}}}"#);
    let cut = labelled(&format!(r#""{}""#, "x".repeat(4_001)));
    let too_large = labelled(&format!("[{}1]", "1,".repeat(30_000)));
    let short = labelled("1");
    let truncated = |input: &str, answers: &[&str]| {
        let mut answers = answers.iter();
        let mut host = Host::new(|operation| match operation {
            Operation::CommandList => printed(0, CATALOG),
            _ => printed(0, answers.next().expect("an answer")),
        });
        let reply = host
            .turn(&mut run(), vec![call("run_command", input)])
            .remove(0);
        at(&reply.observation.expect("an observation"), "/truncated")
    };
    assert_eq!(truncated(one, &[&short]), "");
    assert_eq!(truncated(one, &[&cut]), "true");
    assert_eq!(truncated(&batch, &[&short, &short]), "");
    assert_eq!(truncated(&batch, &[&short, &cut]), "true");
    assert_eq!(truncated(&batch, &[&too_large, &short]), "true");
}

#[test]
fn describe_handle_says_what_is_held_and_never_its_content() {
    let mut run = run();
    let page = r#"{"secret":"content","ifc":{"confidentiality":[{"type":"t","by":"whom"}],"integrity":["i"]}}"#;
    let token = hold(&mut run, page);
    let mut host = Host::running(CATALOG, r#"{"ok":true}"#);
    let input = format!(r#"{{"token":"{token}"}}"#);
    assert_eq!(
        host.shown(&mut run, "describe_handle", &input),
        format!(
            r#"{{"outputId":"r1:describe_handle:2","token":"{token}","known":true,"hasSchema":false,"labels":[{{"confidentiality":[["t"]],"integrity":["i"]}}],"referent":{{"kind":"document","source":"loom_page_read","labelSource":"row"}}}}"#
        )
    );
    // A command's answer: its entry says where the label was from, its referent says `command`.
    let command = r#"{"command":"notes.read","args":{}}"#;
    let shown = host.shown(&mut run, "run_command", command);
    assert_eq!(text_at(&shown, "/entry/labelSource"), "query");
    let input = format!(r#"{{"token":"{}"}}"#, text_at(&shown, "/entry/handle"));
    let described = host.shown(&mut run, "describe_handle", &input);
    assert_eq!(
        at(&described, "/referent"),
        r#"{"kind":"document","source":"run_command","labelSource":"command"}"#
    );
}

#[test]
fn describe_handle_of_any_other_text_says_that_it_is_not_known() {
    let mut run = run();
    let token = hold(&mut run, "{}");
    let mut host = Host::printing("{}");
    let mut n = 1;
    for text in [
        "",
        "x",
        "cfh:v:",
        "cfh:v:aaaaa",
        &format!("{token}a"),
        &format!(" {token}"),
        token.get(..10).unwrap(),
    ] {
        n += 1;
        assert_eq!(
            host.shown(
                &mut run,
                "describe_handle",
                &format!(r#"{{"token":"{text}"}}"#)
            ),
            format!(r#"{{"outputId":"r1:describe_handle:{n}","token":"{text}","known":false}}"#)
        );
    }
    // A text that is no token is told back cut to 64 characters.
    for length in [64, 65] {
        let input = format!(r#"{{"token":"{}"}}"#, "x".repeat(length));
        let shown = host.shown(&mut run, "describe_handle", &input);
        assert_eq!(text_at(&shown, "/token"), "x".repeat(64));
    }
    for (input, sentence) in [
        ("", "`token` is required."),
        (r#"{"token":7}"#, "`token` must be a string."),
        (r#"{"token":null}"#, "`token` must be a string."),
        (r#"{"handle":"x"}"#, "Unknown field `handle`."),
    ] {
        let shown = host.shown(&mut run, "describe_handle", input);
        assert_eq!(text_at(&shown, "/message"), sentence);
        assert_eq!(text_at(&shown, "/code"), "invalid_input");
    }
    assert!(host.asked.is_empty());
}

#[test]
fn each_retrieval_tool_asks_for_its_own_operation_and_answers_with_its_kind() {
    let payload = r#"{"hits":[],"pages":[]}"#;
    let of = |tool, input, payload| {
        let mut host = Host::printing(payload);
        let kind = text_at(&host.shown(&mut run(), tool, input), "/kind");
        (kind, format!("{:?}", host.operations()))
    };
    for (tool, input, payload, kind, operation) in [
        (
            "loom_search",
            r#"{"query":"q"}"#,
            payload,
            "search",
            "Search",
        ),
        (
            "loom_page_discover",
            "",
            payload,
            "page.discover",
            "PageDiscover",
        ),
        (
            "loom_page_inspect",
            r#"{"target":"t"}"#,
            payload,
            "page.inspect",
            "PageInspect",
        ),
        (
            "loom_page_read",
            r#"{"target":"t"}"#,
            payload,
            "page.read",
            "PageRead",
        ),
        (
            "loom_people",
            r#"{"query":"a@b"}"#,
            payload,
            "people",
            "People",
        ),
        (
            "loom_calendar_list",
            "",
            "[]",
            "calendar.list",
            "CalendarList",
        ),
        (
            "loom_context",
            r#"{"read":"where"}"#,
            payload,
            "context",
            "Context",
        ),
        ("loom_profile", "", payload, "profile", "Profile"),
    ] {
        let (shown, asked) = of(tool, input, payload);
        assert_eq!(shown, kind);
        assert!(
            asked.starts_with(&format!("[Operation::{operation}(")),
            "{asked}"
        );
    }
}
