//! What the demo leaves out of an answer for the eye, and that it says so in the place: the rest of a
//! long text, rows past the first ones (withheld rows always stay), a label or a notice that was
//! printed already. `--full` leaves nothing out.

use super::json::Json;
use super::text::{count, thousands};

/// A text longer than this, in UTF-16 units as every bound here counts, is opened and not printed.
const LONG: usize = 280;
/// How much of it is printed.
const OPENING: usize = 200;
/// How many plain items of a list are printed.
const ITEMS: usize = 6;

/// Remembers what was printed already.
#[derive(Default)]
pub(super) struct Shortener {
    label: Option<Json>,
    notices: Vec<String>,
}

impl Shortener {
    /// The answer for the eye, with `rows` rows of each list.
    pub(super) fn shorten(&mut self, json: &Json, rows: usize) -> Json {
        match json {
            Json::Object(entries) => {
                let short = entries
                    .iter()
                    .map(|(key, value)| (key.clone(), self.field(key, value, rows)));
                Json::Object(short.collect())
            }
            Json::List(items) => self.list(items, rows),
            Json::Text(text) => text_for_the_eye(text),
            other => other.clone(),
        }
    }

    fn field(&mut self, key: &str, value: &Json, rows: usize) -> Json {
        match (key, value) {
            ("label", label) if label.get("confidentiality").is_some() => {
                if self.label.as_ref() == Some(label) {
                    return Json::Note("the label above".to_owned());
                }
                self.label = Some(label.clone());
                label.clone()
            }
            ("notice", Json::Text(text)) => {
                if self.notices.contains(text) {
                    return Json::Note("the notice printed before".to_owned());
                }
                self.notices.push(text.clone());
                value.clone()
            }
            _ => self.shorten(value, rows),
        }
    }

    fn list(&mut self, items: &[Json], rows: usize) -> Json {
        let objects = items.iter().any(|item| matches!(item, Json::Object(_)));
        let most = if objects { rows } else { ITEMS };
        let mut short = Vec::new();
        let mut left_out = 0;
        for (place, item) in items.iter().enumerate() {
            if place < most || item.text("status") == Some("withheld") {
                note_left_out(&mut short, &mut left_out);
                short.push(self.shorten(item, rows));
            } else {
                left_out += 1;
            }
        }
        note_left_out(&mut short, &mut left_out);
        Json::List(short)
    }
}

fn note_left_out(short: &mut Vec<Json>, left_out: &mut usize) {
    if *left_out > 0 {
        short.push(Json::Note(format!("{} more", thousands(*left_out))));
    }
    *left_out = 0;
}

fn text_for_the_eye(text: &str) -> Json {
    let length = text.encode_utf16().count();
    if length <= LONG {
        return Json::Text(text.to_owned());
    }
    let mut opening = String::new();
    let mut taken = 0;
    for c in text.chars() {
        if taken + c.len_utf16() > OPENING {
            break;
        }
        taken += c.len_utf16();
        opening.push(c);
    }
    Json::Opening(
        opening,
        format!("{} more", count(length - taken, "character")),
    )
}
