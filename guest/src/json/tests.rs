mod bounds;

use proptest::prelude::*;

use super::plain::plain_len;
use super::scan::{Outline, Raw, outline};
use super::text::decode;
use super::*;

fn round(text: &str) -> String {
    to_string(&parse(text).unwrap())
}

#[test]
fn numbers_keep_the_exact_text_they_had() {
    for number in [
        "12345678901234567890",
        "1.50",
        "1e400",
        "-0",
        "0.0E-7",
        "1E+2",
    ] {
        assert_eq!(round(number), number);
    }
}

#[test]
fn a_number_that_json_does_not_spell_is_not_json() {
    for text in [
        "01", "+1", ".5", "1.", "1e", "-", "NaN", "Infinity", "0x1", "1_0", "- 1",
    ] {
        assert_eq!(parse(text), Err(NotJson), "{text}");
        assert!(outline(text, &[]).is_err(), "{text}");
    }
}

#[test]
fn empty_and_trailing_text_are_not_json() {
    for text in [
        "",
        " ",
        "\n",
        "{} {}",
        "[]]",
        "1 2",
        "{}x",
        "\u{feff}{}",
        "[1,]",
        "{\"a\":1,}",
    ] {
        assert_eq!(parse(text), Err(NotJson), "{text}");
        assert!(outline(text, &[]).is_err(), "{text}");
    }
}

#[test]
fn nesting_is_json_to_128_and_not_past_it() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = |depth: usize| {
            let inner = if open == "[" { "" } else { "0" };
            format!("{}{inner}{}", open.repeat(depth), close.repeat(depth))
        };
        assert_eq!(parse(&nested(128)).unwrap().depth(), 128);
        assert!(outline(&nested(128), &["a"]).is_ok());
        assert_eq!(parse(&nested(129)), Err(NotJson));
        assert!(outline(&nested(129), &["a"]).is_err());
        assert!(outline(&nested(200_000), &["a"]).is_err());
    }
}

#[test]
fn a_duplicate_key_keeps_its_first_place_and_its_last_value() {
    assert_eq!(round(r#"{"a":1,"b":2,"a":3}"#), r#"{"a":3,"b":2}"#);
    assert_eq!(round(r#"{"\u0061":1,"a":2}"#), r#"{"a":2}"#);
    let many: Vec<String> = (0..40).map(|n| format!(r#""k{}":{n}"#, n % 20)).collect();
    let kept: Vec<String> = (0..20).map(|n| format!(r#""k{n}":{}"#, n + 20)).collect();
    let object = |members: &[String]| format!("{{{}}}", members.join(","));
    assert_eq!(round(&object(&many)), object(&kept));
}

#[test]
fn a_lone_surrogate_escape_reads_as_the_replacement_character() {
    for (text, read) in [
        (r#""\ud83d""#, "\u{fffd}"),
        (r#""\ude00""#, "\u{fffd}"),
        (r#""\ud83d\ude00""#, "😀"),
        (r#""\ud83dA""#, "\u{fffd}A"),
        (r#""\ud83d\u0041""#, "\u{fffd}A"),
        (r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀"),
        (r#""\ud83d\n""#, "\u{fffd}\n"),
        (r#""\uD834\uDD1E""#, "𝄞"),
    ] {
        assert_eq!(
            parse(text).unwrap(),
            Value::String(read.to_owned()),
            "{text}"
        );
    }
}

#[test]
fn a_malformed_string_is_not_json() {
    for text in [
        "\"",
        "\"\\\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"a\nb\"",
        "\"\u{1}\"",
        "'a'",
    ] {
        assert_eq!(parse(text), Err(NotJson), "{text:?}");
        assert!(outline(text, &[]).is_err(), "{text:?}");
    }
}

#[test]
fn strings_are_escaped_as_json_stringify_does() {
    let mut out = String::new();
    string(
        &mut out,
        "\"\\\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}/é\u{2028}😀",
    );
    assert_eq!(
        out,
        "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}/é\u{2028}😀\""
    );
}

#[test]
fn canonical_json_sorts_keys_at_every_depth_and_keeps_numbers() {
    let value = parse(r#"{"b":[{"z":1.50,"a":null}],"é":1,"a":{"B":1,"A":2}}"#).unwrap();
    assert_eq!(
        to_canonical(&value),
        r#"{"a":{"A":2,"B":1},"b":[{"a":null,"z":1.50}],"é":1}"#
    );
}

#[test]
fn a_cut_never_splits_a_surrogate_pair() {
    assert_eq!(utf16_len("aé€😀"), 5);
    assert_eq!(cut("aaaa", 4), None);
    assert_eq!(cut("aaaaa", 4), Some("aaaa"));
    assert_eq!(cut("aaa😀", 4), Some("aaa"));
    assert_eq!(cut("aa😀", 4), None);
    assert_eq!(cut("ééééé", 5), None);
}

#[test]
fn output_is_decoded_with_one_mark_skipped_and_bad_bytes_replaced() {
    assert_eq!(unmarked(b"\xef\xbb\xbf{}"), b"{}");
    assert_eq!(unmarked(b"\xef\xbb\xbf\xef\xbb\xbf{}"), b"\xef\xbb\xbf{}");
    assert_eq!(
        decode(b"a\xff\xed\xa0\xbdb"),
        "a\u{fffd}\u{fffd}\u{fffd}\u{fffd}b"
    );
}

#[test]
fn numbers_compare_by_exact_value() {
    let key = |text| Decimal::of(text).key();
    for (a, b) in [
        ("1", "1.0"),
        ("1", "1e0"),
        ("0", "-0"),
        ("0", "0e99999999999999999999"),
        ("100", "1E+2"),
        ("0.5", "5e-1"),
        ("12000", "1.2e4"),
    ] {
        assert_eq!(key(a), key(b), "{a} {b}");
    }
    for (a, b) in [
        ("9007199254740993", "9007199254740992"),
        ("1", "-1"),
        ("0.1", "0.10000000000000001"),
    ] {
        assert_ne!(key(a), key(b), "{a} {b}");
    }
}

#[test]
fn an_integer_is_one_by_value() {
    let integer = |text: &str, most| parse(text).unwrap().as_integer_to(most);
    assert_eq!(integer("5.0", 200), Some(5));
    assert_eq!(integer("50e-1", 200), Some(5));
    assert_eq!(integer("2e2", 200), Some(200));
    assert_eq!(integer("201", 200), None);
    assert_eq!(integer("5.5", 200), None);
    assert_eq!(integer("-5", 200), None);
    assert_eq!(integer("-0", 200), Some(0));
    assert_eq!(integer("1e400", u64::MAX), None);
    assert_eq!(integer("18446744073709551615", u64::MAX), Some(u64::MAX));
    assert_eq!(integer("18446744073709551616", u64::MAX), None);
    assert_eq!(integer("\"5\"", 200), None);
}

#[test]
fn integers_order_by_value_at_any_size() {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = |a, b| Decimal::of(a).cmp_integer(&Decimal::of(b));
    assert_eq!(order("1e400", "99999999999999999999"), Greater);
    assert_eq!(order("-1e400", "-5"), Less);
    assert_eq!(order("-5", "-50"), Greater);
    assert_eq!(order("12", "1.2e1"), Equal);
    assert_eq!(order("9", "10"), Less);
    assert_eq!(order("120", "13"), Greater);
    assert_eq!(order("12", "123"), Less);
    assert_eq!(order("0", "-1"), Greater);
}

#[test]
fn an_outline_finds_the_members_wanted_and_counts_their_elements() {
    let text = r#" {"n":1,"hits":[1,{"a":[2,3]},"x"],"ok":false,"ok":true,"other":[1]} "#;
    let outline = outline(text, &["hits", "ok", "gone"]).unwrap();
    let hits = outline.member("hits").unwrap();
    assert_eq!(hits.count, 3);
    let rows: Vec<_> = hits.raw.elements().map(Raw::text).collect();
    assert_eq!(rows, ["1", r#"{"a":[2,3]}"#, "\"x\""]);
    assert_eq!(outline.member("ok").unwrap().raw.text(), "true");
    assert!(outline.member("gone").is_none());
    assert!(outline.raw.is_object());
}

#[test]
fn a_value_of_more_nodes_than_asked_is_not_built() {
    let outline = outline("[1,[2,3],{\"a\":4}]", &[]).unwrap();
    assert!(parse_within(outline.raw, 7).is_some());
    assert!(parse_within(outline.raw, 6).is_none());
    // A duplicate counts each time it is written.
    let twice = scan::outline(r#"{"a":1,"a":2}"#, &[]).unwrap().raw;
    assert!(parse_within(twice, 3).is_some());
    assert!(parse_within(twice, 2).is_none());
}

#[test]
fn a_compact_length_is_without_white_space_and_with_strings_as_they_are_written() {
    for text in [
        "7",
        r#""""#,
        " [ ] ",
        "\t{ \"a b\" : [ 1.50 ,\r\n\"c , d\", null ] , \"\\u00e9\\/\" : { } } ",
        r#"["\ud83d\ude00","\ud83d","\u0001","\u000a","\u007f"]"#,
    ] {
        let written = to_string(&parse(text).unwrap());
        let raw = outline(text, &[]).unwrap().raw;
        assert_eq!(raw.compact_len(), written.len(), "{text}");
    }
    // A byte that is not UTF-8 is written as U+FFFD, and a duplicate key counts again.
    let raw = |bytes| outline(bytes, &[]).unwrap().raw;
    assert_eq!(raw(&b"\"\xff\""[..]).compact_len(), 5);
    assert_eq!(raw(&br#"{"a": 1, "a": 2}"#[..]).compact_len(), 13);
}

#[test]
fn few_and_many_members_keep_the_last_of_two() {
    // Eight are compared pair by pair, nine are sorted.
    for members in [8, 9] {
        let distinct: Vec<String> = (1..members).map(|n| format!(r#""k{n}":{n}"#)).collect();
        let json = format!(r#"{{{},"k1":"last"}}"#, distinct.join(","));
        let expected = json
            .replace(r#","k1":"last""#, "")
            .replace(r#""k1":1"#, r#""k1":"last""#);
        assert_eq!(round(&json), expected);
    }
}

#[test]
fn a_byte_that_a_string_may_not_hold_is_found_wherever_it_stands() {
    for length in [0, 1, 7, 8, 9, 15, 16, 17] {
        for filler in [b'a', 0x20, 0x7f, 0x80, 0xff] {
            let mut bytes = vec![filler; length];
            assert_eq!(plain_len(&bytes), length);
            for at in 0..length {
                for special in [b'"', b'\\', 0, 0x1f] {
                    let kept = std::mem::replace(&mut bytes[at], special);
                    assert_eq!(plain_len(&bytes), at, "{special:#x} among {filler:#x}");
                    bytes[at] = kept;
                }
            }
        }
    }
}

/// JSON whose strings and names hold bytes that may be no UTF-8, and now and then such a byte or a
/// special one where it must not be.
fn almost_json() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => Just(b"a".to_vec()),
        2 => prop::sample::select(vec![
            &b"\xff"[..], b"\xc3", b"\xc3\xa9", b"\xe5\xb1", b"\xe5\xb1\x8b", b"\xf0\x9f", b"\x80",
            b"\xed\xa0\xbd", b"\\\"", b"\\u0061", b"\\\\", b"\xef\xbf\xbd",
        ])
        .prop_map(<[u8]>::to_vec),
    ];
    let inside = prop::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat());
    let string = inside.prop_map(|inside| [&b"\""[..], &inside, b"\""].concat());
    let value = string.clone().prop_recursive(3, 12, 4, move |inner| {
        let member = (string.clone(), inner.clone()).prop_map(|(k, v)| [&k[..], b":", &v].concat());
        prop_oneof![
            prop::collection::vec(inner, 0..4)
                .prop_map(|v| [b"[", &v.join(&b","[..])[..], b"]"].concat()),
            prop::collection::vec(member, 0..4)
                .prop_map(|v| [b"{", &v.join(&b","[..])[..], b"}"].concat()),
        ]
    });
    let stray = prop::option::weighted(
        0.3,
        (
            any::<prop::sample::Index>(),
            prop::sample::select(b"\xff\x80\"\\\n,".to_vec()),
        ),
    );
    (value, stray).prop_map(|(mut json, stray)| {
        if let Some((at, byte)) = stray {
            json.insert(at.index(json.len()), byte);
        }
        json
    })
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (any::<i64>()).prop_map(|n| Value::Number(n.to_string().into())),
        any::<String>().prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::btree_map(any::<String>(), inner, 0..12)
                .prop_map(|map| Value::Object(Object::from_distinct(map.into_iter().collect()))),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(value in any_value()) {
        let text = to_string(&value);
        prop_assert_eq!(parse(&text).unwrap(), value);
        prop_assert_eq!(outline(&text, &[]).unwrap().raw.text(), text.as_str());
    }

    #[test]
    fn building_and_scanning_agree_on_what_json_is(text in r#"[\[\]{}:,"\\u0-9eE+\-. tfn\x00\na]{0,24}"#) {
        prop_assert_eq!(parse(&text).is_ok(), outline(&text, &["a"]).is_ok());
    }

    #[test]
    fn bytes_are_scanned_as_their_decoded_text_is(bytes in almost_json()) {
        let wanted = ["a", "\u{fffd}"];
        let text = String::from_utf8_lossy(&bytes);
        match (outline(&bytes, &wanted), outline(text.as_ref(), &wanted)) {
            (Err(NotJson), Err(NotJson)) => {}
            (Ok(of_bytes), Ok(of_text)) => {
                prop_assert_eq!(of_bytes.raw.text(), of_text.raw.text());
                prop_assert_eq!(of_bytes.count, of_text.count);
                let elements = |raw: Raw<'_>| raw.elements().map(|r| r.text().into_owned()).collect::<Vec<_>>();
                prop_assert_eq!(elements(of_bytes.raw), elements(of_text.raw));
                for name in wanted {
                    let text = |outline: &Outline<'_>| {
                        let member = outline.member(name)?;
                        Some((member.raw.text().into_owned(), member.count))
                    };
                    prop_assert_eq!(text(&of_bytes), text(&of_text));
                    let member = |raw: Raw<'_>| raw.member(name).map(|raw| raw.text().into_owned());
                    prop_assert_eq!(member(of_bytes.raw), member(of_text.raw));
                }
            }
            (of_bytes, of_text) => prop_assert!(false, "{:?}, {:?}", of_bytes, of_text),
        }
    }

    #[test]
    fn a_compact_length_is_that_of_what_is_built_and_written(value in any_value()) {
        let text = to_string(&value);
        prop_assert_eq!(outline(&text, &[]).unwrap().raw.compact_len(), text.len());
    }

    #[test]
    fn a_length_is_what_utf16_says(text in any::<String>()) {
        prop_assert_eq!(utf16_len(&text), text.encode_utf16().count());
    }
}
