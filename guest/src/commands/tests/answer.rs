//! One call's result, through a whole turn.

use crate::bindings::exports::loom::tools::tools::Reply;
use crate::bindings::loom::tools::process::{Answer, CommandRun, Failure, Operation};
use crate::json::utf16_len;
use crate::run::Run;
use crate::testing::{Host, at, call, names, printed, run, run_below, text_at};

const CATALOG: &str = r#"{"commands":[
    {"id":"a","effect":"read","readOnlyGranted":true,"inputs":{"properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}},
    {"id":"people.find"},{"id":"people.find-all"},{"id":"pages.list"},{"id":"page"}]}"#;

const ONE: &str = r#"{"command":"a","args":{}}"#;
const HINT: &str =
    "This run may not run the command. Offer it to the person in your result rather than retry it.";

/// The reply to one command that answers so.
fn reply_of(run: &mut Run, input: &str, answer: &Result<Answer, Failure>) -> Reply {
    let mut host = Host::new(|operation| match operation {
        Operation::CommandList => printed(0, CATALOG),
        _ => answer.clone(),
    });
    host.turn(run, vec![call("run_command", input)]).remove(0)
}

fn shown(run: &mut Run, text: &str) -> String {
    reply_of(run, ONE, &printed(0, text)).shown
}

#[test]
fn an_executed_call_shows_its_outcome_and_its_answer_as_one_entry() {
    let answer = r#"{"ok":true,"id":"op","outputs":{"n":1}}"#;
    let shown = shown(&mut run(), answer);
    let token = text_at(&shown, "/entry/handle");
    assert_eq!(
        shown,
        format!(
            r#"{{"outputId":"r1:run_command:1","status":"executed","outcome":{{"ok":true,"id":"op","bodyBytes":39}},"entry":{{"status":"admitted","label":{{"confidentiality":[],"integrity":[]}},"labelSource":"query","value":{answer},"handle":"{token}"}},"truncated":false}}"#
        )
    );
}

#[test]
fn a_call_asks_for_exactly_what_it_names_and_demands_no_read() {
    let mut host = Host::running(CATALOG, r#"{"ok":true}"#);
    let input =
        r#"{"command":"a","args":{"q":"x"},"loomId":"loom-0123456789abcdef","expectedVersion":3}"#;
    let mut run = run();
    host.shown(&mut run, "run_command", input);
    let asked = CommandRun {
        id: "a".to_owned(),
        args_json: r#"{"q":"x"}"#.to_owned(),
        loom_id: Some("loom-0123456789abcdef".to_owned()),
        expected_version: Some(3),
        read_only: false,
    };
    let read = CommandRun {
        read_only: true,
        ..asked.clone()
    };
    assert_eq!(
        host.operations(),
        [Operation::CommandList, Operation::CommandRun(asked)]
    );
    host.asked.clear();
    host.shown(&mut run, "run_read_command", input);
    assert_eq!(
        host.operations(),
        [Operation::CommandList, Operation::CommandRun(read)]
    );
}

#[test]
fn a_refusal_reads_as_not_granted_with_a_hint() {
    let shown = shown(&mut run(), r#"{"ok":false,"code":"forbidden"}"#);
    assert_eq!(
        at(&shown, "/outcome"),
        r#"{"ok":false,"code":"not_granted","hostCode":"forbidden","bodyBytes":31}"#
    );
    assert_eq!(text_at(&shown, "/hint"), HINT);
    assert_eq!(
        names(&shown),
        [
            "outputId",
            "status",
            "outcome",
            "hint",
            "entry",
            "truncated"
        ]
    );
}

#[test]
fn bad_args_carry_the_signature_that_the_listing_shows() {
    let mut run = run();
    let listing = Host::printing(CATALOG).shown(&mut run, "list_commands", "");
    let shown = shown(&mut run, r#"{"ok":false,"code":"bad-args"}"#);
    assert_eq!(
        text_at(&shown, "/signature"),
        "a(q: string)  [read, global]"
    );
    assert_eq!(
        at(&shown, "/signature"),
        at(&listing, "/entries/0/signature")
    );
    let other = self::shown(&mut run, r#"{"ok":true,"code":"bad-args"}"#);
    assert_eq!(at(&other, "/signature"), "");
}

#[test]
fn a_withheld_answer_shows_its_outcome_and_nothing_of_its_content() {
    let secret = r#"{"ok":false,"code":"bad-args","id":"op-1","completed":["x"],"error":"secret words","ifc":{"confidentiality":["secret"]}}"#;
    let mut run = run_below(r#"["a"]"#);
    let reply = reply_of(&mut run, ONE, &printed(0, secret));
    assert_eq!(
        at(&reply.shown, "/entry"),
        r#"{"status":"withheld","reasonCode":"cfc_ceiling_exceeded"}"#
    );
    assert_eq!(text_at(&reply.shown, "/outcome/id"), "op-1");
    assert!(!reply.shown.contains("secret") && !reply.artifact.contains("secret"));
    assert_eq!(reply.observation, None);
    assert_eq!(at(&reply.shown, "/truncated"), "false");
    let unreadable = shown(&mut run, r#"{"ok":true,"ifc":"secret"}"#);
    assert_eq!(
        text_at(&unreadable, "/entry/reasonCode"),
        "cfc_label_read_failed"
    );
    assert!(!unreadable.contains("secret"));
}

#[test]
fn an_answer_with_a_label_of_its_own_says_row_and_joins_the_observation() {
    let answer = r#"{"ok":true,"ifc":{"confidentiality":["a"],"integrity":["i"]}}"#;
    let mut run = run();
    let reply = reply_of(&mut run, ONE, &printed(0, answer));
    assert_eq!(at(&reply.shown, "/entry/labelSource"), r#""row""#);
    assert_eq!(at(&reply.shown, "/entry/value"), r#"{"ok":true}"#);
    assert_eq!(
        reply.observation.as_deref(),
        Some(
            r#"{"toolCallId":"call of run_command","toolId":"run_command","outputId":"r1:run_command:1","channels":["output"],"label":{"confidentiality":["a"]}}"#
        )
    );
    assert_eq!(run.label(), r#"{"confidentiality":["a"]}"#);
}

#[test]
fn a_string_of_the_answer_is_cut_at_4000_and_the_result_marked() {
    let shown = shown(
        &mut run(),
        &format!(r#"{{"ok":true,"t":"{}"}}"#, "x".repeat(4_001)),
    );
    assert_eq!(text_at(&shown, "/entry/value/t").len(), 4_000);
    assert_eq!(at(&shown, "/entry/truncated"), "true");
    assert_eq!(at(&shown, "/truncated"), "true");
}

#[test]
fn an_answer_that_passes_the_bound_is_left_out_held_nowhere_and_the_result_marked() {
    let answer = |n: usize| {
        let whole = n / 1_003;
        let list = format!(r#""{}","#, "x".repeat(1_000)).repeat(whole);
        format!(r#"{{"ok":true,"t":[{list}"{}"]}}"#, "y".repeat(n % 1_003))
    };
    let fixed = utf16_len(&shown(&mut run(), &answer(0)));
    // The count of bytes grows from two digits to five.
    let fits = 48_000 - fixed - 3;
    let shown_whole = shown(&mut run(), &answer(fits));
    assert_eq!(utf16_len(&shown_whole), 48_000);
    assert_eq!(at(&shown_whole, "/truncated"), "false");
    let mut run = run();
    let reply = reply_of(&mut run, ONE, &printed(0, &answer(fits + 1)));
    assert_eq!(
        names(&reply.shown),
        ["outputId", "status", "outcome", "truncated"]
    );
    assert_eq!(at(&reply.shown, "/truncated"), "true");
    assert_eq!(reply.observation, None);
    assert_eq!(at(&run.resolve_result("1").unwrap(), "/uncited"), "[]");
}

#[test]
fn what_was_not_delivered_says_whether_it_may_have_landed() {
    let of = |answer: Result<Answer, Failure>| {
        let shown = reply_of(&mut run(), ONE, &answer).shown;
        assert_eq!(
            names(&shown),
            ["outputId", "status", "landed", "code", "message"]
        );
        assert_eq!(text_at(&shown, "/status"), "failed_to_deliver");
        ["/landed", "/code", "/message"].map(|path| text_at(&shown, path))
    };
    let not_started = [
        "no",
        "command_failed",
        "The command could not be sent. Nothing was started.",
    ];
    assert_eq!(of(Err(Failure::NotStarted)), not_started);
    assert_eq!(of(Err(Failure::NotGranted)), not_started);
    assert_eq!(
        of(Err(Failure::Cancelled)),
        [
            "no",
            "cancelled",
            "The turn was cancelled before the command was sent."
        ]
    );
    assert_eq!(
        of(Err(Failure::Lost)),
        [
            "unknown",
            "command_failed",
            "The command was sent and its answer was lost. It may have taken effect: find out before running it again."
        ]
    );
    const UNREADABLE: &str = "The command was sent and its answer could not be read. It may have taken effect: find out before running it again.";
    assert_eq!(
        of(printed(1, "/private: panic")),
        ["unknown", "command_failed", UNREADABLE]
    );
    assert_eq!(
        of(printed(0, "[]")),
        ["unknown", "malformed_payload", UNREADABLE]
    );
}

#[test]
fn a_malformed_call_is_refused_and_asks_for_nothing_not_even_the_listing() {
    let mut host = Host::running(CATALOG, "{}");
    for tool in ["run_command", "run_read_command"] {
        let mut run = run();
        let shown = host.shown(&mut run, tool, r#"{"command":"a"}"#);
        assert_eq!(
            shown,
            format!(
                r#"{{"outputId":"r1:{tool}:1","status":"failed_to_deliver","landed":"no","code":"invalid_input","message":"`args` is required."}}"#
            )
        );
        let calls = vec![ONE; 17].join(",");
        let shown = host.shown(&mut run, tool, &format!(r#"{{"calls":[{calls}]}}"#));
        assert_eq!(
            shown,
            format!(
                r#"{{"outputId":"r1:{tool}:2","status":"failed_to_deliver","landed":"no","code":"batch_too_large","message":"A batch carries at most 16 calls. Nothing was sent."}}"#
            )
        );
        let shown = host.shown(&mut run, tool, r#"{"calls":[{"command":"a"},7]}"#);
        assert_eq!(text_at(&shown, "/status"), "batch");
        assert_eq!(text_at(&shown, "/results/0/code"), "invalid_input");
    }
    assert!(host.asked.is_empty());
}

#[test]
fn a_command_the_catalog_does_not_show_is_refused_with_the_nearest_names() {
    let suggestions = |asked: &str| {
        let input = format!(r#"{{"command":"{asked}","args":{{}}}}"#);
        let mut host = Host::running(CATALOG, "{}");
        let shown = host.shown(&mut run(), "run_command", &input);
        assert_eq!(names(&shown), ["outputId", "status", "suggestions", "hint"]);
        assert_eq!(text_at(&shown, "/status"), "unknown_command");
        assert_eq!(
            text_at(&shown, "/hint"),
            "Nothing was sent. Call list_commands for the commands this run can call."
        );
        assert_eq!(host.operations(), [Operation::CommandList]);
        at(&shown, "/suggestions")
    };
    // Those that contain it, or that it contains, come first; then by distance, then by name.
    assert_eq!(
        suggestions("people"),
        r#"["people.find","people.find-all","page"]"#
    );
    assert_eq!(
        suggestions("people.find-alll"),
        r#"["people.find-all","people.find","a"]"#
    );
    assert_eq!(suggestions("pagse"), r#"["a","page","pages.list"]"#);
    assert_eq!(suggestions("b"), r#"["a","page","pages.list"]"#);
}
