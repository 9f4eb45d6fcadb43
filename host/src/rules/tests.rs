//! Every rule at its bound and one past it; contract, sections 2 and 7.

use super::{
    arguments, command_id, date, limit, lookup, loom_id, nesting, nests_deeper, text, version,
};

#[track_caller]
fn keeps<'a>(rule: fn(&'a str) -> Result<&'a str, &'static str>, texts: &[&'a str]) {
    for text in texts {
        assert_eq!(rule(text), Ok(*text), "{text:?}");
    }
}

#[track_caller]
fn breaks<'a>(rule: fn(&'a str) -> Result<&'a str, &'static str>, texts: &[&'a str]) {
    for text in texts {
        assert!(rule(text).is_err(), "{text:?}");
    }
}

#[test]
fn a_text_has_1_to_500_utf_16_units() {
    let long = |unit: &str, count| unit.repeat(count);
    keeps(
        text,
        &["a", " ", &long("a", 500), &long("é", 500), &long("😀", 250)],
    );
    breaks(
        text,
        &[
            "",
            &long("a", 501),
            &long("é", 501),
            &(long("😀", 250) + "a"),
        ],
    );
}

#[test]
fn a_text_holds_no_c0_no_del_and_no_c1() {
    for code in (0..0x20).chain(0x7f..0xa0) {
        let control = char::from_u32(code).unwrap();
        breaks(text, &[&format!("a{control}b"), &control.to_string()]);
    }
    keeps(
        text,
        &[
            "a\u{a0}b",
            "a\u{2028}b",
            "a\u{200d}b",
            "a\u{fffd}b",
            "a%00b",
        ],
    );
}

#[test]
fn a_text_does_not_open_with_a_dash() {
    breaks(text, &["-", "--", "-a", "--json"]);
    keeps(text, &["a-", " -a", "–a", "−a"]);
}

#[test]
fn a_lookup_is_an_email_with_both_sides_and_no_white_space() {
    keeps(lookup, &["a@b", "a.b+c@d-e.f", "'@\"", "é@ü"]);
    breaks(
        lookup,
        &[
            "a@",
            "@b",
            "@",
            "a@b@c",
            "a @b",
            "a@b c",
            "a@b\u{2003}c",
            "-a@b",
        ],
    );
}

#[test]
fn a_lookup_is_a_phone_number_of_five_or_more() {
    keeps(
        lookup,
        &[
            "12345",
            "+12345",
            "1 (2)",
            "555.010-0100",
            "1----",
            "1\u{a0}234",
        ],
    );
    breaks(
        lookup,
        &[
            "1234",
            "+1234",
            "++12345",
            "(555) 0100",
            "12345a",
            "+",
            "+ 12345",
            "１２３４５",
        ],
    );
}

#[test]
fn a_lookup_is_a_prefix_with_a_rest() {
    keeps(lookup, &["handle:a", "person:a b", "group:-"]);
    breaks(
        lookup,
        &[
            "handle:",
            "person:",
            "group:",
            "Handle:a",
            " handle:a",
            "room:a",
        ],
    );
}

#[test]
fn a_lookup_is_a_page_of_one_segment() {
    keeps(
        lookup,
        &[
            "People/a/about.md",
            "People/A B/about.md",
            "People/.../about.md",
        ],
    );
    breaks(
        lookup,
        &[
            "People//about.md",
            "People/./about.md",
            "People/../about.md",
            "People/a/b/about.md",
            "People/a/about.md/",
            "People/a/about",
            "people/a/about.md",
            "/People/a/about.md",
        ],
    );
}

#[test]
fn a_lookup_is_never_a_verb() {
    breaks(
        lookup,
        &[
            "add",
            "merge",
            "split",
            "group",
            "group add",
            "set-self",
            "list",
            "help",
        ],
    );
}

#[test]
fn a_date_is_a_real_day_of_four_two_and_two_digits() {
    keeps(
        date,
        &[
            "0001-01-01",
            "9999-12-31",
            "2024-02-29",
            "2000-02-29",
            "2026-04-30",
        ],
    );
    breaks(
        date,
        &[
            "",
            "0000-01-01",
            "10000-01-01",
            "2023-02-29",
            "1900-02-29",
            "2026-04-31",
            "2026-00-01",
            "2026-13-01",
            "2026-01-00",
            "2026-01-32",
            "2026-1-1",
            "2026-01-01T00",
            "2026-01-01-",
            "+026-01-01",
            "2026_01_01",
            "２０２６-01-01",
            "2026-01-01\n",
            " 2026-01-01",
        ],
    );
}

#[test]
fn a_limit_is_from_1_to_the_most() {
    assert_eq!(limit(1, 200), Ok(1));
    assert_eq!(limit(200, 200), Ok(200));
    for past in [0, 201, u32::MAX] {
        assert!(limit(past, 200).is_err());
    }
}

#[test]
fn a_command_id_is_dotted_lower_case_names() {
    let (most, long) = ("a".repeat(128), "a".repeat(129));
    keeps(
        command_id,
        &["a", "a-", "a--b", "a1.2-b.c", "notes.add", &most],
    );
    breaks(
        command_id,
        &[
            "", &long, "1a", "-a", ".a", "a.", "a..b", "a.-b", "A", "a.B", "a b", "a_b", "é", "a\n",
        ],
    );
}

#[test]
fn a_loom_id_is_loom_and_sixteen_digits() {
    keeps(loom_id, &["loom-0123456789abcdef", "loom-0000000000000000"]);
    breaks(
        loom_id,
        &[
            "",
            "loom-",
            "loom-0123456789abcde",
            "loom-0123456789abcdef0",
            "loom-0123456789ABCDEF",
            "loom-0123456789abcdeg",
            "LOOM-0123456789abcdef",
            "loom-0123456789abcdef\n",
        ],
    );
}

#[test]
fn a_version_is_below_2_to_the_53() {
    assert_eq!(version(0), Ok(0));
    assert_eq!(version((1 << 53) - 1), Ok((1 << 53) - 1));
    for past in [1 << 53, u64::MAX] {
        assert!(version(past).is_err());
    }
}

#[test]
fn arguments_are_an_object_of_at_most_16_384_bytes() {
    let sized = |bytes: usize| format!("{{\"a\":\"{}\"}}", "x".repeat(bytes - 8));
    let wide = |bytes: usize| format!("{{\"a\":\"{}\"}}", "é".repeat((bytes - 8) / 2));
    keeps(
        arguments,
        &[
            "{}",
            "{\"a\":1e400,\"a\":\"\\ud83d\"}",
            "{ }\n",
            &sized(16_384),
            &wide(16_384),
        ],
    );
    breaks(arguments, &[&sized(16_385), &wide(16_386)]);
}

#[test]
fn arguments_nest_at_most_64_deep() {
    let nested = |depth: usize| {
        format!(
            "{{\"a\":{}{}}}",
            "[".repeat(depth - 1),
            "]".repeat(depth - 1)
        )
    };
    keeps(
        arguments,
        &[&nested(64), "{\"a\":\"[[[[[[[[{{{{{\\\"[[[\"}"],
    );
    breaks(arguments, &[&nested(65), &nested(8_000)]);
}

#[test]
fn arguments_are_one_json_object_and_nothing_more() {
    breaks(
        arguments,
        &[
            "",
            " ",
            " {}",
            "[]",
            "null",
            "1",
            "\"{}\"",
            "{",
            "{}}",
            "{}{}",
            "{} x",
            "{a:1}",
            "{\"a\":}",
            "{\"a\":NaN}",
            "{\"a\":1,}",
            "{\"a\":\"\n\"}",
            "{\"a\":01}",
            "\u{feff}{}",
            "{\"a\":\"\\x\"}",
        ],
    );
}

#[test]
fn nesting_counts_no_bracket_of_a_string() {
    for (json, depth) in [
        ("1", 0),
        ("{}", 1),
        ("[[],[]]", 2),
        ("\"[[\"", 0),
        (r#"["\"["]"#, 1),
        ("]][", 1),
    ] {
        assert_eq!(nesting(json.as_bytes()), depth, "{json}");
        assert!(!nests_deeper(json.as_bytes(), depth), "{json}");
        assert!(
            depth == 0 || nests_deeper(json.as_bytes(), depth - 1),
            "{json}"
        );
    }
}
