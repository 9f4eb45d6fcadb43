//! A structured result to its links, its documents and its label, as the contract's section 6 has
//! them, for a run that holds a few rows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_fuzz::input::{Input, spelled};
use loom_tools_fuzz::json::{DEEPEST, Json};
use loom_tools_fuzz::labels;
use loom_tools_fuzz::token::{is_letter, link, token};
use loom_tools_fuzz::watched::{Watched, printed, settings};

/// Rows, each with its value and its label.
const ROWS: [(&str, &str); 4] = [
    (
        r#"{"b":1.50,"a":"x"}"#,
        r#"{"confidentiality":["a",{"anyOf":["b","b"]}],"integrity":["i","j"]}"#,
    ),
    (
        "{}",
        r#"{"confidentiality":["b"],"integrity":["j",{"type":"k","n":1.0}]}"#,
    ),
    (
        r#"{"cfh:v:":"é😀"}"#,
        r#"{"confidentiality":["a"],"integrity":["j"]}"#,
    ),
    (
        r#"{"x":[]}"#,
        r#"{"confidentiality":[],"integrity":["k","j"]}"#,
    ),
];

struct Row {
    token: String,
    value: Json,
    label: Json,
}

fuzz_target!(|data: &[u8]| {
    let mut input = Input::of(data);
    let count = input.knob(&[4, 0, 1, 2]);
    let mut run = Watched::start(settings(&[]));
    let json = |text| Json::read(text, DEEPEST).expect("JSON");
    let mut rows = Vec::new();
    for (value, label) in &ROWS[..count] {
        let row = value
            .replacen('{', &format!(r#"{{"ifc":{label},"#), 1)
            .replace(",}", "}");
        run.call("loom_page_read", r#"{"target":"t"}"#, &mut |_| {
            printed(0, &row)
        });
        let (value, label) = (json(value), json(label));
        let token = token("r1", "loom_page_read", &value, &label, "row");
        rows.push(Row {
            token,
            value,
            label,
        });
    }
    let mut table: Vec<String> = rows.iter().map(|row| row.token.clone()).collect();
    for piece in [
        "cfh:v:",
        "cfh:v:22222",
        "cfh:v:2222",
        r#"{"@link":"#,
        r#"":""#,
        r#"",""#,
        "@link",
    ] {
        table.push(piece.to_owned());
    }
    let text = spelled(&input.part(), &table);
    let before = run.run.save();
    match (run.run.resolve_result(&text), expected(&text, &rows)) {
        (Ok(resolved), Ok(expected)) => assert_eq!(resolved, expected.compact()),
        (Err(error), Err(code)) => {
            let error = Json::written(&error).expect("an error is JSON");
            assert_eq!(error.get("code").and_then(Json::text), Some(code));
        }
        (resolved, expected) => panic!("{resolved:?} in place of {expected:?}"),
    }
    assert_eq!(run.run.save(), before);
});

fn expected(text: &str, rows: &[Row]) -> Result<Json, &'static str> {
    let mut result = Json::read(text, DEEPEST).ok_or("invalid_result")?;
    let mut found = Found::default();
    resolve(&mut result, rows, &mut found);
    if found.unheld {
        return Err("unheld_handle");
    }
    if found.handwritten {
        return Err("invalid_result");
    }
    let object = |members: Vec<(&str, Json)>| {
        Json::Object(
            members
                .into_iter()
                .map(|(name, json)| (name.to_owned(), json))
                .collect(),
        )
    };
    let text = |text: &str| Json::Text(text.to_owned());
    let document = |at: &usize| {
        let row = &rows[*at];
        object(vec![
            ("token", text(&row.token)),
            ("link", text(&link(&row.value, &row.label))),
            ("value", row.value.clone()),
            ("label", row.label.clone()),
        ])
    };
    let uncited = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| !found.cited.contains(at));
    let uncited = uncited.map(|(_, row)| {
        object(vec![
            ("token", text(&row.token)),
            ("label", row.label.clone()),
        ])
    });
    let list = |row: &Row, name: &str| {
        row.label
            .get(name)
            .and_then(Json::list)
            .unwrap_or_default()
            .to_vec()
    };
    let clauses: Vec<Json> = rows
        .iter()
        .flat_map(|row| list(row, "confidentiality"))
        .collect();
    let mut integrity = rows
        .first()
        .map_or(Vec::new(), |row| list(row, "integrity"));
    for row in rows {
        integrity.retain(|atom| {
            list(row, "integrity")
                .iter()
                .any(|own| labels::equal(own, atom))
        });
    }
    Ok(object(vec![
        ("result", result),
        (
            "documents",
            Json::List(found.cited.iter().map(document).collect()),
        ),
        ("uncited", Json::List(uncited.collect())),
        (
            "label",
            object(vec![
                ("confidentiality", Json::List(labels::join(&clauses))),
                ("integrity", Json::List(integrity)),
            ]),
        ),
    ]))
}

#[derive(Default)]
struct Found {
    cited: Vec<usize>,
    unheld: bool,
    handwritten: bool,
}

fn resolve(value: &mut Json, rows: &[Row], found: &mut Found) {
    match value {
        Json::Text(text) => match rows.iter().position(|row| row.token == *text) {
            Some(at) => {
                if !found.cited.contains(&at) {
                    found.cited.push(at);
                }
                let link = link(&rows[at].value, &rows[at].label);
                *value = Json::Object(vec![("@link".to_owned(), Json::Text(link))]);
            }
            None => found.unheld |= names_unheld(text, rows),
        },
        Json::List(items) => items.iter_mut().for_each(|item| resolve(item, rows, found)),
        Json::Object(members) => {
            found.handwritten |= members.len() == 1 && members[0].0 == "@link";
            for (name, member) in members {
                found.unheld |= names_unheld(name, rows);
                resolve(member, rows, found);
            }
        }
        _ => {}
    }
}

/// Whether a text holds a token that no row has.
fn names_unheld(text: &str, rows: &[Row]) -> bool {
    // A token goes on as far as its letters do, into what would open the next.
    text.match_indices("cfh:v:").any(|(at, prefix)| {
        let after = text[at + prefix.len()..].bytes();
        let letters = after.take_while(|byte| is_letter(*byte)).count();
        let token = &text[at..at + prefix.len() + letters];
        letters >= 5 && !rows.iter().any(|row| row.token == token)
    })
}
