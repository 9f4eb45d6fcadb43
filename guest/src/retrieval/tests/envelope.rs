//! The envelope: its bounds, and what is left out of it.

use super::result::{counts, retrieved};
use crate::json::utf16_len;
use crate::testing::{at, names, text_at};
use crate::tools::Tool;

#[test]
fn envelope_strings_are_cut_at_4000_and_set_truncated() {
    let shown = |n: usize| {
        let payload = format!(r#"{{"query":"{}","hits":[{{"a":1}}]}}"#, "x".repeat(n));
        retrieved(Tool::Search, &payload, "[]", None).shown
    };
    assert_eq!(text_at(&shown(4_000), "/envelope/query").len(), 4_000);
    assert_eq!(at(&shown(4_000), "/truncated"), "false");
    assert_eq!(text_at(&shown(4_001), "/envelope/query").len(), 4_000);
    assert_eq!(at(&shown(4_001), "/truncated"), "true");
    // The mark is the result's, not an entry's.
    assert_eq!(at(&shown(4_001), "/entries/0/truncated"), "");
}

/// A list that makes the result of it as `query`, and no rows, `units` characters long.
fn envelope_of(units: usize) -> String {
    let payload = |list: &str| format!(r#"{{"query":[{list}],"hits":[]}}"#);
    let bare = utf16_len(&retrieved(Tool::Search, &payload(""), "[]", None).shown);
    format!("1{}", ",10".repeat((units - bare - 1) / 3)) + &"0".repeat((units - bare - 1) % 3)
}

#[test]
fn an_envelope_field_goes_in_while_the_result_without_entries_fits_in_24000() {
    let shown = |units: usize| {
        let payload = format!(r#"{{"query":[{}],"hits":[]}}"#, envelope_of(units));
        retrieved(Tool::Search, &payload, "[]", None).shown
    };
    assert_eq!(utf16_len(&shown(24_000)), 24_000);
    assert_eq!(at(&shown(24_000), "/truncated"), "false");
    let past = shown(24_001);
    assert_eq!(at(&past, "/envelope"), "");
    assert_eq!(at(&past, "/envelopeOmitted"), r#"["query"]"#);
    assert_eq!(at(&past, "/truncated"), "true");
}

#[test]
fn the_24000_are_measured_with_every_row_counted_as_omitted() {
    let shown = |query: &str, rows: &[&str]| {
        let payload = format!(r#"{{"query":{query},"hits":[{}]}}"#, rows.join(","));
        retrieved(Tool::Search, &payload, "[]", None).shown
    };
    // No result has room for the first row, so what is shown is the result without entries.
    let large = format!("{{\"a\":[{}1]}}", "1,".repeat(48_000));
    let rows = [&large, r#"{"b":1}"#, "7"];
    let digits = 24_000 - utf16_len(&shown("0", &rows)) + 1;
    let within = "1".repeat(digits);
    let past = "1".repeat(digits + 1);
    assert_eq!(utf16_len(&shown(&within, &rows)), 24_000);
    assert_eq!(at(&shown(&within, &rows), "/envelope/query"), within);
    assert_eq!(at(&shown(&past, &rows), "/envelopeOmitted"), r#"["query"]"#);
    // And with rows that have room, the same field is in, or is not.
    let rows = [r#"{"a":1}"#, r#"{"b":1}"#, "7"];
    assert_eq!(at(&shown(&within, &rows), "/envelope/query"), within);
    assert_eq!(at(&shown(&within, &rows), "/admitted"), "2");
    assert_eq!(at(&shown(&past, &rows), "/envelopeOmitted"), r#"["query"]"#);
}

#[test]
fn a_field_that_is_left_out_does_not_keep_a_later_one_out() {
    let large = "1,".repeat(12_000);
    let payload = format!(
        r#"{{"query":[{large}1],"source_status":{{"{}":1}},"warnings":[],"truncated":true,"hits":[{{}}]}}"#,
        "n".repeat(30_000)
    );
    let shown = retrieved(Tool::Search, &payload, "[]", None).shown;
    assert_eq!(
        at(&shown, "/envelope"),
        r#"{"warnings":[],"truncated":true}"#
    );
    assert_eq!(
        at(&shown, "/envelopeOmitted"),
        r#"["query","source_status"]"#
    );
    assert_eq!(counts(&shown), ["1", "0", "0", "true"]);
    assert_eq!(
        names(&shown),
        [
            "outputId",
            "status",
            "kind",
            "notice",
            "entries",
            "admitted",
            "withheld",
            "omitted",
            "truncated",
            "envelope",
            "envelopeOmitted"
        ]
    );
}

#[test]
fn an_envelope_larger_than_everything_leaves_the_rows_their_room() {
    let payload = format!(
        r#"{{"query":[{}1],"hits":[{{"a":1}}]}}"#,
        "\"x\",".repeat(400_000)
    );
    let shown = retrieved(Tool::Search, &payload, "[]", None).shown;
    assert_eq!(at(&shown, "/envelopeOmitted"), r#"["query"]"#);
    assert_eq!(counts(&shown), ["1", "0", "0", "true"]);
}

#[test]
fn a_null_envelope_field_is_present_and_an_absent_one_is_not() {
    let shown = retrieved(
        Tool::PageDiscover,
        r#"{"totalPages":null,"pages":[]}"#,
        "[]",
        None,
    )
    .shown;
    assert_eq!(at(&shown, "/envelope"), r#"{"totalPages":null}"#);
}
