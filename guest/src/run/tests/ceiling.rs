//! Where the ceiling comes from, and what an unreadable one refuses.

use super::CATALOG;
use crate::bindings::exports::loom::tools::tools::{Call, Retrieval, Settings, Turn};
use crate::run::Run;
use crate::testing::{Host, at, call, settings, text_at};

const SOUND: &str =
    r#"{"loomReadCeiling":["a"],"facets":["work","home"],"facetSource":"dispatch"}"#;

fn facets(facets: &[&str]) -> Option<Vec<String>> {
    Some(facets.iter().map(|&facet| facet.to_owned()).collect())
}

/// A run whose configuration names a record, and maybe facets, below its own ceilings.
fn named(facets: Option<Vec<String>>, ceilings: &[&str]) -> Run {
    let settings = Settings {
        retrieval: Some(Retrieval {
            facets,
            ceiling_record: true,
        }),
        ceilings: ceilings.iter().map(|&ceiling| ceiling.to_owned()).collect(),
        ..settings()
    };
    Run::start(settings).expect("sound settings")
}

fn read_page() -> Call {
    call("loom_page_read", r#"{"target":"t"}"#)
}

/// What one turn below the record shows of a Page, and whether the host was asked.
fn below(run: &mut Run, record: Option<Result<&str, ()>>, page: &str) -> (String, bool) {
    let mut host = Host::printing(page);
    let ceiling_record = record.map(|record| record.map(str::to_owned));
    let turn = Turn {
        calls: vec![read_page()],
        ceiling_record,
    };
    let reply = host.invoke(run, turn).remove(0);
    (reply.shown, !host.asked.is_empty())
}

fn labelled(clauses: &str) -> String {
    format!(r#"{{"ifc":{{"confidentiality":{clauses}}}}}"#)
}

#[test]
fn a_record_bounds_the_turn() {
    let mut run = named(None, &[]);
    let status = |run: &mut Run, clauses| {
        let (shown, _) = below(run, Some(Ok(SOUND)), &labelled(clauses));
        text_at(&shown, "/entries/0/status")
    };
    assert_eq!(status(&mut run, r#"["a"]"#), "admitted");
    assert_eq!(status(&mut run, r#"["b"]"#), "withheld");
}

#[test]
fn a_record_is_met_with_the_runs_own_ceilings() {
    let mut run = named(None, &[r#"["a","b"]"#, r#"["b","c","a"]"#]);
    let mut status = |clauses: &str, record: &str| {
        let record = record.to_owned();
        let (shown, _) = below(&mut run, Some(Ok(&record)), &labelled(clauses));
        text_at(&shown, "/entries/0/status")
    };
    assert_eq!(status(r#"["a"]"#, SOUND), "admitted");
    assert_eq!(status(r#"["b"]"#, SOUND), "withheld");
    let wide = SOUND.replace(r#"["a"]"#, r#"["a","b","c"]"#);
    assert_eq!(status(r#"["b"]"#, &wide), "admitted");
    assert_eq!(status(r#"["c"]"#, &wide), "withheld");
}

#[test]
fn a_run_without_ceilings_admits_every_label() {
    let mut run = crate::testing::run();
    let (shown, _) = below(&mut run, None, &labelled(r#"["cfc:label-read-failed"]"#));
    assert_eq!(text_at(&shown, "/entries/0/status"), "admitted");
}

#[test]
fn a_run_below_an_empty_ceiling_shows_public_rows_alone() {
    let mut run = crate::testing::run_below("[]");
    let (shown, _) = below(&mut run, None, "{}");
    assert_eq!(text_at(&shown, "/entries/0/status"), "admitted");
    let (shown, _) = below(&mut run, None, &labelled(r#"["a"]"#));
    assert_eq!(text_at(&shown, "/entries/0/status"), "withheld");
}

#[test]
fn a_record_that_cannot_be_read_refuses_the_call_and_starts_nothing() {
    let unreadable = [
        "",
        "null",
        "[]",
        "{}",
        "{",
        r#""a""#,
        r#"{"facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":[],"facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":null,"facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":"a","facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":[1],"facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":[{"anyOf":[]}],"facets":["work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facets":[],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facets":"work","facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facets":["Work"],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facets":["work",1],"facetSource":"s"}"#,
        r#"{"loomReadCeiling":["a"],"facets":["work"]}"#,
        r#"{"loomReadCeiling":["a"],"facets":["work"],"facetSource":""}"#,
        r#"{"loomReadCeiling":["a"],"facets":["work"],"facetSource":null}"#,
    ];
    let records = unreadable.into_iter().map(|record| Some(Ok(record)));
    for record in records.chain([Some(Err(())), None]) {
        let mut run = named(None, &[]);
        let (shown, asked) = below(&mut run, record, "{}");
        assert_eq!(
            shown,
            r#"{"outputId":"r1:loom_page_read:1","status":"error","code":"ceiling_unavailable","message":"The run's read ceiling cannot be read, so nothing can be shown."}"#,
            "{record:?}"
        );
        assert!(!asked, "{record:?}");
    }
}

#[test]
fn a_records_facets_are_those_configured_compared_as_sets() {
    for (configured, available) in [
        (None, true),
        (facets(&["home", "work"]), true),
        (facets(&["work", "home", "work"]), true),
        (facets(&["work"]), false),
        (facets(&["work", "home", "more"]), false),
        (facets(&["other"]), false),
    ] {
        let mut run = named(configured.clone(), &[]);
        let (shown, asked) = below(&mut run, Some(Ok(SOUND)), "{}");
        assert_eq!(
            text_at(&shown, "/status") == "ok",
            available,
            "{configured:?}"
        );
        assert_eq!(asked, available, "{configured:?}");
    }
}

#[test]
fn an_unreadable_record_refuses_command_answers_with_landed_no_and_not_the_listing() {
    for tool in ["run_command", "run_read_command"] {
        let mut run = named(None, &[]);
        let mut host = Host::running(CATALOG, "{}");
        let calls = vec![
            call(tool, r#"{"command":"notes.read","args":{}}"#),
            call("describe_handle", r#"{"token":"cfh:v:aaaaa"}"#),
        ];
        let turn = Turn {
            calls,
            ceiling_record: Some(Err(())),
        };
        let replies = host.invoke(&mut run, turn);
        assert_eq!(
            replies[0].shown,
            format!(
                r#"{{"outputId":"r1:{tool}:1","status":"failed_to_deliver","landed":"no","code":"ceiling_unavailable","message":"The run's read ceiling cannot be read, so nothing can be shown."}}"#
            )
        );
        assert_eq!(at(&replies[1].shown, "/known"), "false");
        assert!(host.asked.is_empty());
        let turn = Turn {
            calls: vec![call("list_commands", "")],
            ceiling_record: Some(Err(())),
        };
        let shown = host.invoke(&mut run, turn).remove(0).shown;
        assert_eq!(text_at(&shown, "/status"), "ok");
    }
}

#[test]
fn the_order_of_refusal_is_configuration_then_record_then_input() {
    let turn = |input: &str, record| Turn {
        calls: vec![call("loom_page_read", input)],
        ceiling_record: record,
    };
    let code = |run: &mut Run, turn| {
        text_at(
            &Host::printing("{}").invoke(run, turn).remove(0).shown,
            "/code",
        )
    };
    let unconfigured = Settings {
        retrieval: None,
        ..settings()
    };
    let mut run = Run::start(unconfigured).expect("sound settings");
    assert_eq!(code(&mut run, turn("{", Some(Err(())))), "not_configured");
    let mut run = named(None, &[]);
    assert_eq!(
        code(&mut run, turn("{", Some(Err(())))),
        "ceiling_unavailable"
    );
    assert_eq!(
        code(&mut run, turn("{", Some(Ok(SOUND.to_owned())))),
        "invalid_input"
    );
    // Before the label of the input too, which refuses every call of its turn.
    let mut unlabelled = turn("{", Some(Err(())));
    for call in &mut unlabelled.calls {
        call.input_label = Some("null".to_owned());
    }
    assert_eq!(code(&mut run, unlabelled), "ceiling_unavailable");
}

/// Two ceilings whose meet comes to eight MiB and eight times `past` bytes: one of eight clauses,
/// and one of a single clause of many alternatives. Each counts by its text, a pair 32 bytes more.
fn wide(past: usize) -> (String, String) {
    let atoms = |n: usize, longer: usize| {
        let atoms = (0..n).map(|at| format!(r#""{at:046}""#));
        let mut list = atoms.collect::<Vec<_>>().join(",");
        list.insert_str(1, &"x".repeat(longer));
        list
    };
    (
        format!("[{}]", atoms(8, 0)),
        format!(r#"[{{"anyOf":[{}]}}]"#, atoms(21_397, 44 + past)),
    )
}

#[test]
fn ceilings_whose_meet_is_larger_than_eight_mib_refuse_the_run() {
    let start = |past| {
        let (few, many) = wide(past);
        let settings = Settings {
            ceilings: vec![few, many],
            ..settings()
        };
        Run::start(settings).map(drop)
    };
    assert_eq!(start(0), Ok(()));
    assert_eq!(
        start(1),
        Err("The ceilings' meet is too large to be held.".to_owned())
    );
}

#[test]
fn a_record_whose_meet_is_larger_than_eight_mib_cannot_be_read() {
    let (few, _) = wide(0);
    let mut run = named(None, &[&few]);
    let mut of = |past| {
        let (_, many) = wide(past);
        let record = format!(r#"{{"loomReadCeiling":{many},"facets":["work"],"facetSource":"s"}}"#);
        let (shown, _) = below(&mut run, Some(Ok(&record)), "{}");
        (text_at(&shown, "/status"), text_at(&shown, "/code"))
    };
    assert_eq!(of(0), ("ok".to_owned(), String::new()));
    assert_eq!(
        of(1),
        ("error".to_owned(), "ceiling_unavailable".to_owned())
    );
}

#[test]
fn a_ceiling_of_the_operators_that_is_no_list_of_clauses_refuses_the_run() {
    for ceiling in [
        "",
        "null",
        "{}",
        r#""a""#,
        "[1]",
        r#"[{"anyOf":[]}]"#,
        r#"["a"] x"#,
    ] {
        let settings = Settings {
            ceilings: vec!["[]".to_owned(), ceiling.to_owned()],
            ..settings()
        };
        assert_eq!(
            Run::start(settings).map(drop),
            Err("A confidentiality ceiling must be a JSON list of clauses: atoms, or `anyOf` over a nonempty list of atoms.".to_owned()),
            "{ceiling}"
        );
    }
}

#[test]
fn settings_that_cannot_mean_what_they_say_refuse_the_run() {
    let refused = |settings| Run::start(settings).map(drop).expect_err("refused");
    for run_id in ["", "a b", &"r".repeat(129)] {
        assert_eq!(
            refused(Settings {
                run_id: run_id.to_owned(),
                ..settings()
            }),
            "The run id must be 1 to 128 characters of `A-Z a-z 0-9 . _ : -`."
        );
    }
    assert_eq!(
        refused(Settings {
            allowed_tools: facets(&["loom_search", "loom_serch"]),
            ..settings()
        }),
        "There is no tool `loom_serch` to allow."
    );
    for bad in [facets(&[]), facets(&["Work"])] {
        let retrieval = Some(Retrieval {
            facets: bad,
            ceiling_record: true,
        });
        assert_eq!(
            refused(Settings {
                retrieval,
                ..settings()
            }),
            "The facets must be a nonempty list of facet ids."
        );
    }
}
