//! What holds of the result of any payload.

use proptest::prelude::*;

use super::result::retrieved;
use crate::json::utf16_len;
use crate::testing::{at, list_at};
use crate::tools::Tool;

/// Text that only rows to be withheld hold.
const SECRET: &str = "zq-secret-qz";

/// A row as JSON; those above the ceiling `["a"]` say the secret.
fn row() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        4 => "[a-z \\\\\"\u{1}é😀]{0,12}",
        1 => (0usize..9_000).prop_map(|n| "x".repeat(n)),
        1 => (0usize..5_000).prop_map(|n| "😀".repeat(n)),
    ];
    let text = text.prop_map(|text| {
        let mut json = String::new();
        crate::json::string(&mut json, &text);
        json
    });
    let values = prop::collection::vec(text, 0..6).prop_map(|texts| texts.join(","));
    (values, 0u8..6).prop_map(|(values, kind)| match kind {
        0 => format!(r#"{{"v":[{values}],"ifc":{{"confidentiality":["a"]}}}}"#),
        1 => format!(
            r#"{{"{SECRET}":"{SECRET}","v":[{values}],"ifc":{{"confidentiality":["{SECRET}"]}}}}"#
        ),
        2 => format!(r#"{{"v":["{SECRET}",{values}],"ifc":"{SECRET}"}}"#).replace(",]", "]"),
        3 => format!(r#"["{SECRET}"]"#),
        _ => format!(r#"{{"v":[{values}]}}"#),
    })
}

fn envelope() -> impl Strategy<Value = String> {
    prop_oneof![
        2 => Just(String::new()),
        1 => (0usize..30_000).prop_map(|n| format!(r#""query":"{}","#, "q".repeat(n))),
        1 => (0usize..20_000).prop_map(|n| format!(r#""source_status":[{}0],"#, "0,".repeat(n))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn a_result_is_json_within_its_bound_that_counts_every_row_and_shows_nothing_withheld(
        rows in prop::collection::vec(row(), 0..40),
        envelope in envelope(),
        ceiling in any::<bool>(),
    ) {
        let payload = format!(r#"{{{envelope}"hits":[{}]}}"#, rows.join(","));
        // Without a ceiling only unreadable rows are withheld, and those say the secret too.
        let payload = if ceiling { payload } else { payload.replace(&format!(r#"["{SECRET}"]}}"#), r#"[7]}"#) };
        let retrieved = retrieved(Tool::Search, &payload, "[]", ceiling.then_some(r#"["a"]"#));
        let shown = &retrieved.shown;
        prop_assert!(utf16_len(shown) <= 48_000);
        prop_assert!(!shown.contains(SECRET));
        let count = |path| at(shown, path).parse::<usize>().unwrap();
        prop_assert_eq!(count("/admitted") + count("/withheld") + count("/omitted"), rows.len());
        prop_assert_eq!(count("/admitted") + count("/withheld"), list_at(shown, "/entries").len());
        prop_assert_eq!(at(shown, "/truncated") == "true", retrieved.truncated);
        if count("/omitted") > 0 {
            prop_assert!(retrieved.truncated);
        }
    }
}
