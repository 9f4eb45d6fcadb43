//! Free text, at every place that takes some: what breaks its rule is not granted and starts nothing;
//! what just does not is one argument of one process.

use crate::fixture::requests::{grant, refuse, value};

/// A request for every place that takes free text.
const TEXTS: [&str; 13] = [
    "search query=",
    "search query=a sources=",
    "search query=a since=",
    "search query=a until=",
    "search query=a tz=",
    "search person=",
    "page-inspect target=",
    "page-read target=",
    "people query=handle:",
    "location at=",
    "activity at=",
    "activity since=",
    "activity until=",
];

/// The rule holds at every place; `people` has its text opened for it.
#[track_caller]
fn refuse_everywhere(text: &str) {
    refuse(TEXTS.map(|line| format!("{line}{}", value(text))));
}

#[test]
fn a_text_with_nul_is_refused() {
    refuse_everywhere("a\0b");
}

#[test]
fn a_text_with_a_line_break_is_refused() {
    for text in ["a\nb", "a\n", "\na", "a\rb"] {
        refuse_everywhere(text);
    }
}

#[test]
fn a_text_with_any_control_character_is_refused() {
    let controls = (0..=0x1f).chain(0x7f..=0x9f).filter_map(char::from_u32);
    refuse(controls.map(|c| format!("page-read target={}", value(&format!("a{c}b")))));
}

#[test]
fn a_text_with_del_is_refused() {
    refuse_everywhere("a\u{7f}");
}

#[test]
fn a_text_with_a_c1_control_is_refused() {
    refuse_everywhere("a\u{85}b");
}

#[test]
fn a_text_that_opens_with_a_dash_is_refused() {
    let people = "people query=handle:";
    let opens = TEXTS.into_iter().filter(|&line| line != people);
    refuse(opens.flat_map(|line| ["-", "--rpc-queue", "-x"].map(|text| format!("{line}{text}"))));
}

#[test]
fn an_empty_text_is_refused() {
    refuse_everywhere("");
}

#[test]
fn a_text_of_501_characters_is_refused() {
    refuse_everywhere(&"a".repeat(501));
}

#[test]
fn a_text_of_501_utf_16_units_is_refused() {
    refuse_everywhere(&format!("{}a", "😀".repeat(250)));
}

#[test]
fn a_text_of_500_characters_is_granted() {
    let text = "a".repeat(500);
    grant(
        &format!("page-read target={text}"),
        &["page", "read", &text, "--json"],
    );
}

#[test]
fn a_text_of_500_utf_16_units_is_granted() {
    for text in ["😀".repeat(250), "é".repeat(500)] {
        let line = format!("page-read target={}", value(&text));
        grant(&line, &["page", "read", &text, "--json"]);
    }
}

#[test]
fn a_text_is_one_argument_whatever_it_holds() {
    let text = "a -b; $(touch x) `y` \"' * \\ | > & ~ = %00 --json";
    let line = format!("page-inspect target={}", value(text));
    grant(&line, &["page", "inspect", text, "--json", "--concise"]);
}
