//! Two tables of schemas with the exact line expected, then what a row cannot say: the parts
//! beside the parameters, exact bounds, generated schemas, and shapes made to cost.

mod bounds;
mod generated;

use super::*;
use crate::json::parse;

/// The line of command `f`, which declares nothing but `inputs`.
fn line(inputs: &str) -> String {
    let inputs = parse(inputs).unwrap_or_else(|_| panic!("not JSON: {inputs}"));
    of(&inputs, &[], "global")
}

fn of(inputs: &Value, outputs: &[&str], target: &str) -> String {
    let outputs: Vec<String> = outputs.iter().map(|&name| name.to_owned()).collect();
    render(&Declaration {
        id: "f",
        inputs,
        outputs: &outputs,
        effect: None,
        target,
    })
}

/// Renders each row of a table as `inputs` makes it; the number of rows.
fn check(table: &str, inputs: impl Fn(&str) -> String) -> usize {
    let rows: Vec<&str> = table
        .lines()
        .filter(|row| !row.is_empty() && !row.starts_with('#'))
        .collect();
    let wrong: Vec<String> = rows
        .chunks(2)
        .filter_map(|row| {
            let [schema, expected] = row else {
                panic!("half a row: {row:?}")
            };
            let found = line(&inputs(schema));
            (found != *expected)
                .then(|| format!("{schema}\n  expected {expected}\n  found    {found}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    rows.len() / 2
}

#[test]
fn a_position_reads_as_the_table_says() {
    let rows = check(include_str!("tests/positions.txt"), |schema| {
        format!(r#"{{"properties":{{"a":{schema}}},"required":["a"]}}"#)
    });
    assert!(rows >= 90, "{rows}");
}

#[test]
fn a_parameter_list_reads_as_the_table_says() {
    let rows = check(include_str!("tests/inputs.txt"), str::to_owned);
    assert!(rows >= 35, "{rows}");
}

#[test]
fn the_line_of_the_reference_is_rendered_to_the_letter() {
    let inputs = r#"{
        "type": "object",
        "properties": {
            "limit": { "type": "integer", "default": 50 },
            "entity_id": { "type": "string" }
        },
        "required": ["entity_id"]
    }"#;
    let line = render(&Declaration {
        id: "people-discovery.dossier",
        inputs: &parse(inputs).unwrap(),
        outputs: &["messages".to_owned(), "records".to_owned()],
        effect: Some("read"),
        target: "global",
    });
    assert_eq!(
        line,
        "people-discovery.dossier(entity_id: string, limit?: integer = 50) \
         -> {messages, records}  [read, global]"
    );
}

#[test]
fn outputs_are_left_out_when_none_are_declared_and_quoted_when_odd() {
    let open = Value::Bool(true);
    assert_eq!(of(&open, &[], "loom"), "f(...)  [loom]");
    assert_eq!(of(&open, &["a"], "loom"), "f(...) -> {a}  [loom]");
    assert_eq!(
        of(&open, &["a", "", "b}", "c\u{202e}\n", "d e"], "loom"),
        r#"f(...) -> {a, "", "b}", "c\u202e\n", "d e"}  [loom]"#
    );
}

#[test]
fn the_target_stands_as_the_host_writes_it_and_quoted_when_odd() {
    let open = Value::Bool(true);
    assert_eq!(of(&open, &[], "loom/page.x"), "f(...)  [loom/page.x]");
    assert_eq!(of(&open, &[], "a, b]"), r#"f(...)  ["a, b]"]"#);
    assert_eq!(of(&open, &[], ""), r#"f(...)  [""]"#);
    assert_eq!(
        of(&open, &[], "x\u{7f}\u{2028}"),
        r#"f(...)  ["x\u007f\u2028"]"#
    );
}

#[test]
fn the_effect_stands_only_where_it_is_declared() {
    for (effect, bracket) in [
        (None, "[loom]"),
        (Some("read"), "[read, loom]"),
        (Some("change"), "[change, loom]"),
    ] {
        let line = render(&Declaration {
            id: "page.write",
            inputs: &Value::Bool(true),
            outputs: &[],
            effect,
            target: "loom",
        });
        assert_eq!(line, format!("page.write(...)  {bracket}"));
    }
}

#[test]
fn every_character_that_breaks_or_reorders_a_line_is_escaped_in_whatever_is_quoted() {
    let unsafe_ones = (0..=0x2100)
        .filter_map(char::from_u32)
        .filter(|&ch| quote::is_unsafe(ch));
    let mut seen = 0;
    for ch in unsafe_ones {
        let mut json = String::new();
        crate::json::string(&mut json, &format!("x{ch}"));
        let escaped = match ch {
            '\u{8}' => r"\b".to_owned(),
            '\t' => r"\t".to_owned(),
            '\n' => r"\n".to_owned(),
            '\u{c}' => r"\f".to_owned(),
            '\r' => r"\r".to_owned(),
            _ => format!(r"\u{:04x}", u32::from(ch)),
        };
        let inputs = format!(r#"{{"properties":{{{json}:{{"enum":[{json}],"default":{json}}}}}}}"#);
        let quoted = format!(r#""x{escaped}""#);
        assert_eq!(
            line(&inputs),
            format!("f({quoted}?: {quoted} = {quoted})  [global]")
        );
        seen += 1;
    }
    assert_eq!(seen, 32 + 1 + 32 + 2 + 12);
}

#[test]
fn white_space_and_format_characters_quote_a_name_and_stay_in_it() {
    for ch in [
        '\u{a0}',
        '\u{3000}',
        '\u{ad}',
        '\u{200b}',
        '\u{200d}',
        '\u{feff}',
        '\u{e0041}',
    ] {
        let inputs = format!(r##"{{"properties":{{"a{ch}":{{"$ref":"#/$defs/b{ch}"}}}}}}"##);
        let expected = format!(r#"f("a{ch}"?: "b{ch}")  [global]"#);
        assert_eq!(line(&inputs), expected);
    }
}

#[test]
fn white_space_quotes_an_enum_member_and_a_format_character_does_not() {
    let inputs =
        r#"{"required":["a"],"properties":{"a":{"enum":["\u00a0","\u3000x","y\u200dz"]}}}"#;
    let expected = "f(a: \"\u{a0}\"|\"\u{3000}x\"|y\u{200d}z)  [global]";
    assert_eq!(line(inputs), expected);
}
