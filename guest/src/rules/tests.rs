use super::*;

#[test]
fn a_lookup_is_an_email_with_one_at_sign_both_sides_and_no_white_space() {
    for text in ["a@b", "ada@example.org", "ä@b", "+1@x"] {
        assert!(is_lookup(text), "{text}");
    }
    for text in [
        "@",
        "a@",
        "@b",
        "a@b@c",
        "a b@c",
        "a@b c",
        "a\u{a0}@b",
        "ab",
    ] {
        assert!(!is_lookup(text), "{text}");
    }
}

#[test]
fn a_lookup_is_a_phone_number_of_five_digits_or_punctuation() {
    for text in ["12345", "+12345", "+49 (30) 12.34-5", "1    ", "1().-"] {
        assert!(is_lookup(text), "{text}");
    }
    for text in [
        "1234",
        "+1234",
        "+",
        "++12345",
        "(123)45",
        " 12345",
        "1234a",
        "12345+",
        "١٢٣٤٥",
        "1234/",
    ] {
        assert!(!is_lookup(text), "{text}");
    }
}

#[test]
fn a_lookup_is_a_prefix_with_a_nonempty_rest() {
    for prefix in ["handle:", "person:", "group:"] {
        assert!(is_lookup(&format!("{prefix}x y")));
        assert!(!is_lookup(prefix));
    }
    for text in ["Handle:x", "handle", "merge:x", "groups:x", " group:x"] {
        assert!(!is_lookup(text), "{text}");
    }
}

#[test]
fn a_lookup_is_the_path_of_one_persons_page() {
    for text in [
        "People/Ada/about.md",
        "People/Ada L./about.md",
        "People/.../about.md",
        "People/-/about.md",
    ] {
        assert!(is_lookup(text), "{text}");
    }
    for text in [
        "People//about.md",
        "People/about.md",
        "People/./about.md",
        "People/../about.md",
        "People/a/b/about.md",
        "People/a/about.md/",
        "People/a/about.mdx",
        "people/a/about.md",
        "/People/a/about.md",
        "People/a/b",
    ] {
        assert!(!is_lookup(text), "{text}");
    }
}

#[test]
fn a_date_is_a_real_day_of_the_years_0001_to_9999() {
    for text in [
        "0001-01-01",
        "9999-12-31",
        "2024-02-29",
        "2000-02-29",
        "2026-04-30",
        "2026-01-31",
    ] {
        assert!(is_date(text), "{text}");
    }
    for text in [
        "0000-12-31",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-00-01",
        "2026-13-01",
        "2026-01-00",
        "2026-01-32",
        "2026-1-1",
        "20260101",
        "2026/01/01",
        "+026-01-01",
        "2026-01-01T",
        " 2026-01-01",
        "２０２６-01-01",
        "",
        "2026-01-0a",
    ] {
        assert!(!is_date(text), "{text}");
    }
}

#[test]
fn a_command_id_is_dotted_lower_case_names_of_at_most_128_characters() {
    let longest = format!("a{}", "0".repeat(127));
    for text in [
        "a",
        "a-",
        "a-b.c",
        "a.0",
        "a.0-",
        "people-discovery.dossier",
        &longest,
    ] {
        assert!(is_command_id(text), "{text}");
    }
    let past = format!("{longest}0");
    for text in [
        "", ".", "a.", ".a", "a..b", "0a", "-a", "a.-b", "A", "a_b", "a b", "a/b", "é", "a\n",
        &past,
    ] {
        assert!(!is_command_id(text), "{text}");
    }
}

#[test]
fn a_loom_id_is_loom_and_sixteen_hexadecimal_digits() {
    assert!(is_loom_id("loom-0123456789abcdef"));
    for text in [
        "loom-0123456789abcde",
        "loom-0123456789abcdef0",
        "loom-0123456789ABCDEF",
        "Loom-0123456789abcdef",
        "loom-0123456789abcdeg",
        "0123456789abcdef",
        "loom-",
        "",
    ] {
        assert!(!is_loom_id(text), "{text}");
    }
}

#[test]
fn a_run_id_is_1_to_128_plain_characters() {
    for text in ["r", "A-Z_a.z:0", &"x".repeat(128)] {
        assert!(is_run_id(text), "{text}");
    }
    for text in ["", "a b", "a/b", "é", "a\n", &"x".repeat(129)] {
        assert!(!is_run_id(text), "{text}");
    }
}

#[test]
fn a_facet_is_a_lower_case_name_of_1_to_64_characters() {
    for text in ["work", "0", "a-", &"a".repeat(64)] {
        assert!(is_facet(text), "{text}");
    }
    for text in ["", "-a", "Work", "a b", "a.b", "é", &"a".repeat(65)] {
        assert!(!is_facet(text), "{text}");
    }
}

#[test]
fn free_text_has_its_first_fault_named() {
    assert_eq!(text("a"), Ok(()));
    assert_eq!(text(&"😀".repeat(250)), Ok(()));
    assert_eq!(text(""), Err(TextFault::Length));
    assert_eq!(
        text(&format!("-{}", "\n".repeat(500))),
        Err(TextFault::Length)
    );
    assert_eq!(text("-\n"), Err(TextFault::Control));
    assert_eq!(text("-"), Err(TextFault::Dash));
}

#[test]
fn an_identifier_is_judged_once_cut_to_128_characters() {
    assert_eq!(identifier("aZ0._:/-"), Some("aZ0._:/-"));
    let long = "a".repeat(128);
    assert_eq!(identifier(&format!("{long} b")), Some(&*long));
    // A pair is not split: what is left is 127 characters.
    assert_eq!(
        identifier(&format!("{}😀", "a".repeat(127))),
        Some(&*"a".repeat(127))
    );
    for text in ["", " ", "a b", "é", "a\n", "a,b", "a@b"] {
        assert_eq!(identifier(text), None, "{text}");
    }
}

#[test]
fn a_quote_is_at_most_64_characters() {
    assert_eq!(clip(&"a".repeat(64)), "a".repeat(64));
    assert_eq!(clip(&"a".repeat(65)), "a".repeat(64));
    assert_eq!(clip(&"😀".repeat(33)), "😀".repeat(32));
}
