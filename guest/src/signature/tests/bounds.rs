//! The 400 characters of a line, and shapes made to cost.

use super::*;

/// A name of so many characters.
fn name(units: usize) -> String {
    "n".repeat(units)
}

/// `f(…)  [global]` with these optional parameters of any type.
fn with(names: &[String]) -> String {
    let properties: Vec<String> = names
        .iter()
        .map(|name| format!(r#""{name}":{{}}"#))
        .collect();
    line(&format!(r#"{{"properties":{{{}}}}}"#, properties.join(",")))
}

/// What stands around the names of `with`'s parameters: `f()  [global]`, and `?: any` for each.
const AROUND: usize = "f()  [global]".len();
const ANY: usize = "?: any".len();

#[test]
fn a_line_of_exactly_400_is_kept_and_one_of_401_loses_its_parameter() {
    let most = LINE - AROUND - ANY;
    let kept = with(&[name(most)]);
    assert_eq!(utf16_len(&kept), 400);
    assert!(kept.contains("n?: any)  [global]"));
    assert_eq!(with(&[name(most + 1)]), "f(…)  [global]");
}

#[test]
fn the_last_of_two_parameters_needs_no_room_for_an_ellipsis() {
    let first = name(100);
    let most = LINE - AROUND - ANY - 100 - ", ".len() - ANY;
    let second = |units| format!("m{}", name(units - 1));
    let kept = with(&[first.clone(), second(most)]);
    assert_eq!(utf16_len(&kept), 400);
    assert!(!kept.contains('…'));
    let cut = with(&[first.clone(), second(most + 1)]);
    assert_eq!(cut, format!("f({first}?: any, …)  [global]"));
}

#[test]
fn room_for_an_ellipsis_is_kept_while_parameters_remain() {
    let most = LINE - AROUND - ANY - utf16_len(", …");
    let long = format!("m{}", name(LINE));
    let kept = with(&[name(most), long.clone()]);
    assert_eq!(utf16_len(&kept), 400);
    assert_eq!(kept, format!("f({}?: any, …)  [global]", name(most)));
    assert_eq!(with(&[name(most + 1), long]), "f(…)  [global]");
}

#[test]
fn the_first_parameter_that_does_not_fit_ends_the_list() {
    let names = ["a".to_owned(), name(10_000), "z".to_owned()];
    assert_eq!(with(&names), "f(a?: any, …)  [global]");
    let required = r#"{"properties":{"z":{}},"required":["NAME","b"]}"#;
    assert_eq!(
        line(&required.replace("NAME", &name(10_000))),
        "f(…)  [global]"
    );
}

#[test]
fn a_character_outside_the_basic_plane_counts_two() {
    let most = LINE - AROUND - ANY;
    let pairs = |units: usize| format!("{}{}", "😀".repeat(units / 2), name(units % 2));
    assert_eq!(utf16_len(&with(&[pairs(most)])), 400);
    assert_eq!(with(&[pairs(most + 1)]), "f(…)  [global]");
}

#[test]
fn a_type_too_long_for_a_line_gives_way_to_an_ellipsis() {
    let members: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let inputs = format!(
        r#"{{"properties":{{"a":{{"enum":[{}]}},"b":{{}}}}}}"#,
        members.join(",")
    );
    assert_eq!(line(&inputs), "f(…)  [global]");
    // Of several branches one too long to compare is like no other.
    let inputs = format!(
        r#"{{"properties":{{"a":{{"type":"integer","allOf":[{{"type":"integer"}},{{"enum":[{}]}}]}}}}}}"#,
        members.join(",")
    );
    assert_eq!(line(&inputs), "f(a?: integer)  [global]");
}

#[test]
fn a_tail_too_long_on_its_own_is_cut_at_400() {
    let outputs = [name(100), name(100), name(100), name(128)];
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let inputs = parse(r#"{"properties":{"a":{}}}"#).unwrap();
    let cut = of(&inputs, &outputs, "global");
    assert_eq!(utf16_len(&cut), 400);
    assert!(cut.starts_with("f(…) -> {nnn"));
    assert!(cut.ends_with("nnn…"), "{cut}");
    assert!(of(&Value::Bool(true), &outputs, "global").starts_with("f(...) -> {nnn"));

    // No pair is split: the cut line is one unit short instead.
    let pairs = "😀".repeat(300);
    let cut = of(&inputs, &["ab", &pairs], "global");
    assert_eq!(utf16_len(&cut), 400);
    let cut = of(&inputs, &["a", &pairs], "global");
    assert_eq!(utf16_len(&cut), 399);
    assert!(cut.ends_with("😀…"));
}

#[test]
fn a_tail_that_leaves_room_for_nothing_but_an_ellipsis_is_whole() {
    let around = "f(…) -> {}  [global]";
    let output = name(LINE - utf16_len(around));
    let inputs = parse(r#"{"properties":{"a":{}}}"#).unwrap();
    let whole = of(&inputs, &[&output], "global");
    assert_eq!(utf16_len(&whole), 400);
    assert!(whole.ends_with("n}  [global]"));
    let cut = of(&inputs, &[&format!("{output}n")], "global");
    assert_eq!(utf16_len(&cut), 400);
    assert!(cut.ends_with("  [globa…"), "{cut}");
}

/// `schema` put `depth` times into `around`, where `@` stands.
fn nested(around: &str, schema: &str, depth: usize) -> String {
    let (open, close) = around.split_once('@').unwrap();
    format!("{}{schema}{}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn a_schema_nested_to_the_depth_json_allows_is_rendered() {
    let shapes = [
        (r#"{"items":@}"#, 125, "f(a?: string[][][][]"),
        (
            r#"{"type":["array","array"],"items":@}"#,
            100,
            "f(a?: string[][][][]",
        ),
        (
            r#"{"type":["array","array","null"],"items":@}"#,
            125,
            "f(…)  [global]",
        ),
        (
            r#"{"anyOf":[{"type":"null"},@]}"#,
            62,
            "f(a?: null|string)  [global]",
        ),
        (r#"{"allOf":[{},@]}"#, 62, "f(a?: string)  [global]"),
        (
            r#"{"allOf":[@,{"pattern":"x"}]}"#,
            62,
            "f(a?: string)  [global]",
        ),
        (
            r#"{"oneOf":[@],"anyOf":[{"required":["x"]}]}"#,
            62,
            "f(a?: string)  [global]",
        ),
        (r#"{"properties":{"a":@}}"#, 62, "f(a?: {...})  [global]"),
        (
            r#"{"default":@}"#,
            125,
            r#"f(a?: any = {"default":{"default":{"default":{"defa…)  [global]"#,
        ),
        (
            r#"{"const":@}"#,
            125,
            r#"f(a?: {"const":{"const":{"const":{"const":{"c…)  [global]"#,
        ),
    ];
    for (around, depth, expected) in shapes {
        let schema = nested(around, r#"{"type":"string"}"#, depth);
        let found = line(&format!(r#"{{"properties":{{"a":{schema}}}}}"#));
        assert!(found.contains(expected), "{around}: {found}");
    }
}

#[test]
fn ten_thousand_properties_are_rendered_as_far_as_they_fit() {
    let names: Vec<String> = (0..10_000).map(|n| format!("p{n}")).collect();
    let found = with(&names);
    assert!(found.starts_with("f(p0?: any, p1?: any, "));
    assert!(found.ends_with("?: any, …)  [global]"));

    let quoted: Vec<String> = names
        .iter()
        .rev()
        .map(|name| format!("\"{name}\""))
        .collect();
    let required = quoted.join(",");
    let found = line(&format!(r#"{{"required":[{required},{required}]}}"#));
    assert!(found.starts_with("f(p9999: any, p9998: any, "));
    let properties: Vec<String> = names
        .iter()
        .map(|name| format!("\"{name}\":{{}}"))
        .collect();
    let properties = properties.join(",");
    let found = line(&format!(
        r#"{{"properties":{{{properties}}},"required":[{required}]}}"#
    ));
    assert!(found.starts_with("f(p0: any, p1: any, "));
}

#[test]
fn a_union_of_ten_thousand_members_is_read_no_further_than_a_line() {
    let union = |member: fn(usize) -> String| {
        let members: Vec<String> = (0..10_000).map(member).collect();
        line(&format!(
            r#"{{"properties":{{"a":{{"anyOf":[{}]}}}}}}"#,
            members.join(",")
        ))
    };
    assert_eq!(union(|n| format!(r#"{{"const":{n}}}"#)), "f(…)  [global]");
    assert_eq!(union(|_| "{}".to_owned()), "f(a?: any)  [global]");
    assert_eq!(
        union(|n| format!(r#"{{"const":"{:0>50}"}}"#, n % 2)),
        format!("f(a?: {}…)  [global]", "0".repeat(39))
    );
    let deep = union(|_| nested(r#"{"items":@}"#, r#"{"type":["string","null"]}"#, 60));
    assert!(deep.ends_with("[])[])[])  [global]"), "{deep}");
}
