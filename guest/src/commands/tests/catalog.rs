//! The catalog: what is kept, hidden, bounded and counted.

use super::{catalog_of, read};
use crate::commands::{Catalog, Declared, Unlisted};
use crate::json::utf16_len;

/// The ids kept, and how many rows were hidden and omitted.
fn kept(catalog: &Catalog) -> (Vec<&str>, usize, usize) {
    let ids = catalog
        .commands()
        .iter()
        .map(|command| command.id.as_str())
        .collect();
    (ids, catalog.hidden, catalog.omitted)
}

#[test]
fn a_listing_that_exits_nonzero_or_is_not_json_is_command_failed() {
    for (exit, stdout) in [
        (1, r#"{"commands":[]}"#),
        (-1, "{}"),
        (0, ""),
        (0, "nope"),
        (0, r#"{"commands":[]} x"#),
        (2, ""),
    ] {
        assert_eq!(
            read(exit, stdout).map(drop),
            Err(Unlisted::Failed),
            "{stdout}"
        );
    }
}

#[test]
fn a_listing_of_another_shape_is_malformed() {
    for stdout in [
        "[]",
        "null",
        "{}",
        r#"{"commands":{}}"#,
        r#"{"commands":null}"#,
        r#"{"a":{"commands":[]}}"#,
        r#"{"ok":false}"#,
    ] {
        assert_eq!(
            read(0, stdout).map(drop),
            Err(Unlisted::Malformed),
            "{stdout}"
        );
    }
    assert_eq!(
        kept(&read(0, "\u{feff}{\"commands\":[]}").expect("a listing")),
        (vec![], 0, 0)
    );
}

#[test]
fn a_row_that_is_no_object_or_has_no_valid_id_is_unreadable() {
    let catalog = catalog_of(&[
        "null",
        "[]",
        r#""a""#,
        "7",
        "{}",
        r#"{"id":7}"#,
        r#"{"id":""}"#,
        r#"{"id":"A"}"#,
        r#"{"id":"a b"}"#,
        r#"{"id":"a."}"#,
        r#"{"id":"--json"}"#,
        r#"{"id":"ok.it-is"}"#,
    ]);
    assert_eq!(kept(&catalog), (vec!["ok.it-is"], 0, 11));
}

#[test]
fn an_unreadable_row_counts_as_omitted_before_it_could_count_as_hidden() {
    assert_eq!(
        kept(&catalog_of(&[r#"{"id":"A","developer":true}"#])),
        (vec![], 0, 1)
    );
    // Hidden comes before a duplicate and before the limit.
    let catalog = catalog_of(&[
        r#"{"id":"a"}"#,
        r#"{"id":"a","developer":true}"#,
        r#"{"id":"a"}"#,
    ]);
    assert_eq!(kept(&catalog), (vec!["a"], 1, 1));
    // A hidden row keeps no id.
    let catalog = catalog_of(&[r#"{"id":"a","developer":true}"#, r#"{"id":"a"}"#]);
    assert_eq!(kept(&catalog), (vec!["a"], 1, 0));
}

#[test]
fn the_first_of_two_rows_with_one_id_is_kept() {
    let catalog = catalog_of(&[
        r#"{"id":"a","title":"first"}"#,
        r#"{"id":"a","title":"second"}"#,
    ]);
    assert_eq!(
        catalog.get("a").expect("kept").title.as_deref(),
        Some("first")
    );
    assert_eq!(kept(&catalog), (vec!["a"], 0, 1));
}

#[test]
fn rows_past_256_kept_are_over_the_limit() {
    let rows: Vec<String> = (0..258).map(|n| format!(r#"{{"id":"c{n}"}}"#)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (ids, hidden, omitted) = kept_owned(&catalog_of(&rows[..256]));
    assert_eq!((ids.len(), hidden, omitted), (256, 0, 0));
    let mut more = rows.clone();
    more.insert(0, r#"{"id":"x","developer":true}"#);
    more.push(r#"{"id":"y","developer":true}"#);
    let (ids, hidden, omitted) = kept_owned(&catalog_of(&more));
    assert_eq!((ids.len(), hidden, omitted), (256, 2, 2));
    assert_eq!(ids.last().map(String::as_str), Some("c255"));
}

fn kept_owned(catalog: &Catalog) -> (Vec<String>, usize, usize) {
    let (ids, hidden, omitted) = kept(catalog);
    (
        ids.into_iter().map(str::to_owned).collect(),
        hidden,
        omitted,
    )
}

#[test]
fn a_row_the_host_declares_nothing_about_is_shown() {
    let catalog = catalog_of(&[r#"{"id":"a"}"#]);
    let command = catalog.get("a").expect("kept");
    assert_eq!(command.signature, "a(...)  [global]");
    assert_eq!((&command.title, &command.description), (&None, &None));
    assert_eq!((command.effect, command.read_only_granted), (None, false));
    assert_eq!(command.input_schema, "true");
}

#[test]
fn an_effect_is_read_or_change_and_anything_else_is_none() {
    let effect = |json: &str| {
        let catalog = catalog_of(&[&format!(r#"{{"id":"a","effect":{json}}}"#)]);
        let command = catalog.get("a").expect("kept");
        (command.effect, command.signature.clone())
    };
    assert_eq!(
        effect(r#""read""#),
        (Some(Declared::Read), "a(...)  [read, global]".to_owned())
    );
    assert_eq!(
        effect(r#""change""#),
        (
            Some(Declared::Change),
            "a(...)  [change, global]".to_owned()
        )
    );
    for other in [r#""write""#, r#""Read""#, "null", "true", r#"["read"]"#] {
        assert_eq!(
            effect(other),
            (None, "a(...)  [global]".to_owned()),
            "{other}"
        );
    }
}

#[test]
fn a_read_only_grant_is_kept_when_it_is_literally_true() {
    let granted = |json: &str| {
        let catalog = catalog_of(&[&format!(r#"{{"id":"a","readOnlyGranted":{json}}}"#)]);
        catalog.get("a").expect("kept").read_only_granted
    };
    assert!(granted("true"));
    for other in ["false", "1", r#""true""#, "null", "{}"] {
        assert!(!granted(other), "{other}");
    }
}

#[test]
fn title_and_help_are_cut_and_empty_text_is_left_out() {
    let of = |members: &str| {
        let catalog = catalog_of(&[&format!(r#"{{"id":"a",{members}}}"#)]);
        let command = catalog.get("a").expect("kept");
        (command.title.clone(), command.description.clone())
    };
    let (title, description) = of(&format!(
        r#""title":"{}","help":"{}""#,
        "t".repeat(500),
        "h".repeat(8_000)
    ));
    assert_eq!(
        (title.unwrap().len(), description.unwrap().len()),
        (500, 8_000)
    );
    let (title, description) = of(&format!(
        r#""title":"{}😀","help":"{}""#,
        "t".repeat(499),
        "h".repeat(8_001)
    ));
    assert_eq!(
        (title.unwrap().len(), description.unwrap().len()),
        (499, 8_000)
    );
    for empty in [
        r#""title":"","help":"""#,
        r#""title":null,"help":7"#,
        r#""description":"d""#,
    ] {
        assert_eq!(of(empty), (None, None), "{empty}");
    }
}

#[test]
fn a_target_is_the_scope_as_the_host_writes_it_cut_or_global() {
    let signature = |json: &str| {
        let catalog = catalog_of(&[&format!(r#"{{"id":"a","scope":{json}}}"#)]);
        catalog.get("a").expect("kept").signature.clone()
    };
    assert_eq!(signature(r#""loom""#), "a(...)  [loom]");
    for other in [r#""""#, "null", "7", "[]"] {
        assert_eq!(signature(other), "a(...)  [global]");
    }
    for length in [128, 129] {
        assert_eq!(
            signature(&format!(r#""{}""#, "s".repeat(length))),
            format!("a(...)  [{}]", "s".repeat(128))
        );
    }
    // A pair that would be split goes whole.
    assert_eq!(
        signature(&format!(r#""{}😀""#, "s".repeat(127))),
        format!("a(...)  [{}]", "s".repeat(127))
    );
}

#[test]
fn outputs_are_the_first_32_strings_cut_to_128_characters() {
    let signature = |json: &str| {
        let catalog = catalog_of(&[&format!(r#"{{"id":"a","outputs":{json}}}"#)]);
        catalog.get("a").expect("kept").signature.clone()
    };
    assert_eq!(
        signature(r#"["x",7,null,"y",["z"]]"#),
        "a(...) -> {x, y}  [global]"
    );
    for none in ["[]", "[7]", "{}", "null", r#""x""#] {
        assert_eq!(signature(none), "a(...)  [global]", "{none}");
    }
    let shown: Vec<String> = (0..32).map(|n| format!("o{n}")).collect();
    for declared in [32, 33] {
        let many: Vec<String> = (0..declared).map(|n| format!(r#""o{n}""#)).collect();
        assert_eq!(
            signature(&format!("[7,{}]", many.join(","))),
            format!("a(...) -> {{{}}}  [global]", shown.join(", "))
        );
    }
    for length in [128, 129] {
        let long = signature(&format!(r#"["{}"]"#, "o".repeat(length)));
        assert_eq!(long, format!("a(...) -> {{{}}}  [global]", "o".repeat(128)));
    }
}

#[test]
fn a_signature_is_one_line_of_at_most_400_characters() {
    let names: Vec<String> = (0..200)
        .map(|n| format!(r#""parameter{n}":{{}}"#))
        .collect();
    let inputs = format!(
        r#"{{"id":"a","inputs":{{"properties":{{{}}}}}}}"#,
        names.join(",")
    );
    let catalog = catalog_of(&[&inputs]);
    let signature = &catalog.get("a").expect("kept").signature;
    assert!(
        utf16_len(signature) <= 400 && signature.ends_with(", …)  [global]"),
        "{signature}"
    );
}

#[test]
fn a_listing_of_any_size_and_shape_is_read() {
    // Six values, and the examples.
    let inputs = |values: usize| {
        format!(
            r#"{{"type":"object","properties":{{"q":{{"type":"string"}}}},"examples":[{}1]}}"#,
            "1,".repeat(values - 7)
        )
    };
    for (values, signature) in [
        (1 << 18, "a(q?: string)  [global]"),
        ((1 << 18) + 1, "a(...)  [global]"),
        (1 << 20, "a(...)  [global]"),
    ] {
        let row = format!(r#"{{"id":"a","title":"t","inputs":{}}}"#, inputs(values));
        let catalog = catalog_of(&[&row, r#"{"id":"b"}"#]);
        assert_eq!((catalog.omitted, catalog.commands().len()), (0, 2));
        let a = catalog.get("a").expect("listed");
        assert_eq!(a.signature, signature);
        assert_eq!(a.input_schema, "true");
        assert_eq!(a.title.as_deref(), Some("t"));
    }
    // A large member that is not read, or not what it should be, leaves the row as it is.
    let list = format!("[{}1]", "1,".repeat(300_000));
    for name in ["x", "help", "outputs", "origins_refused"] {
        let row = format!(r#"{{"id":"a","{name}":{list}}}"#);
        let catalog = catalog_of(&[&row]);
        assert_eq!(
            catalog.get("a"),
            catalog_of(&[r#"{"id":"a"}"#]).get("a"),
            "{name}"
        );
    }
    let deep = format!(
        r#"{{"id":"a","inputs":{}{}}}"#,
        r#"{"not":"#.repeat(124),
        "{}".to_owned() + &"}".repeat(124)
    );
    assert!(catalog_of(&[&deep]).get("a").is_some());
    let many = vec!["7"; 200_000];
    assert_eq!(catalog_of(&many).omitted, 200_000);
}
