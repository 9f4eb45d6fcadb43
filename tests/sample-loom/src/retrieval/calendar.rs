//! `loom calendar list`: a list of events, by default of the two weeks from today.

use serde_json::{Value, json};

use super::{View, labeled};
use crate::answer::Answer;
use crate::clock::{DAY, NOW, format_day, format_instant};
use crate::data::Event;

const DEFAULT_DAYS: i64 = 14;

/// Lists the events that touch the days from `from` to `to`, both inclusive.
pub(crate) fn calendar(view: &View<'_>, from: Option<i64>, to: Option<i64>, all: bool) -> Answer {
    let today = NOW.div_euclid(DAY);
    let bounded = !all && (from.is_some() || to.is_some());
    let (first, last) = match (all, bounded) {
        (true, _) => (i64::MIN, i64::MAX),
        (_, true) => (
            from.map_or(i64::MIN, |day| day * DAY),
            to.map_or(i64::MAX, |day| (day + 1) * DAY),
        ),
        _ => (today * DAY, (today + DEFAULT_DAYS) * DAY),
    };
    let touching = view
        .events()
        .filter(|event| event.start < last && event.end > first);
    Answer::json(&Value::Array(touching.map(shown).collect()))
}

fn shown(event: &Event) -> Value {
    let moment = |at: i64| match event.all_day {
        true => format_day(at.div_euclid(DAY)),
        false => format_instant(at, 0),
    };
    let value = json!({
        "id": event.id,
        "title": event.title,
        "start": moment(event.start),
        "end": moment(event.end),
        "allDay": event.all_day,
        "where": event.place,
        "with": event.names,
        "notes": event.notes,
        "facet": event.facet,
    });
    labeled(value, event.ifc.as_ref())
}
