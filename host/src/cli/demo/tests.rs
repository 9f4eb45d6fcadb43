//! The printer, natively.

use super::json::Json;
use super::shorten::Shortener;
use super::text::{WIDTH, columns, thousands, wrap};

#[test]
fn a_whole_layout_is_the_same_json() {
    let text = r#"{"z":1.50,"a":[12345678901234567890,{"long":"LONG","n":null}],"e":{},"u":"\u202e⟨x⟩\u009b"}"#;
    let text = text.replace("LONG", &"words and more ".repeat(40));
    let lines = Json::parse(&text).unwrap().lines("", WIDTH, true);
    let printed = lines.join("\n");
    assert!(!printed.contains(['⟨', '\u{202e}', '\u{9b}']), "{printed}");
    assert_eq!(Json::parse(&printed).unwrap(), Json::parse(&text).unwrap());
    assert!(printed.contains("1.50") && printed.contains("12345678901234567890"));
}

#[test]
fn a_wrapped_layout_keeps_to_its_width() {
    let text = format!(
        r#"{{"a":{{"b":["{}","{}"]}}}}"#,
        "神戸".repeat(200),
        "x".repeat(300)
    );
    for line in Json::parse(&text).unwrap().lines("", 40, false) {
        assert!(columns(&line) <= 40, "{line}");
    }
}

#[test]
fn wrapping_loses_no_word() {
    let text = "one two three-and-a-half four";
    assert_eq!(
        wrap(text, 9, 7),
        ["one two", "three-a", "nd-a-ha", "lf four"]
    );
    assert_eq!(wrap("", 9, 7), [""]);
}

#[test]
fn what_is_left_out_is_said_in_its_place() {
    let withheld = r#"{"status":"withheld","reasonCode":"cfc_ceiling_exceeded"}"#;
    let row = r#"{"status":"admitted","value":1}"#;
    let json = format!(
        r#"{{"text":"{}","entries":[{row},{row},{row},{withheld},{row}]}}"#,
        "é".repeat(500)
    );
    let shown = Json::parse(&json).unwrap();
    let short = Shortener::default().shorten(&shown, 1).line();
    assert!(short.contains("⟨300 characters more⟩"), "{short}");
    assert!(
        short.contains(&format!(
            "⟨2 more⟩, {}",
            Json::parse(withheld).unwrap().line()
        )),
        "{short}"
    );
    assert!(short.contains("⟨1 more⟩]"), "{short}");
}

#[test]
fn thousands_are_grouped() {
    assert_eq!(
        [0, 999, 1000, 1234567].map(thousands),
        ["0", "999", "1,000", "1,234,567"]
    );
}
