//! `loom context where|activity` and `loom profile`: what is around Mira, and who she is.

use serde_json::{Value, json};

use super::{View, labeled};
use crate::answer::Answer;
use crate::clock::{DAY, Edge, NOW, format_instant, parse_moment};
use crate::data::ifc;
use crate::loom::ProfileTier;

/// `context where`: the place, by the hour of the day asked for.
pub(crate) fn place(view: &View<'_>, at: Option<&str>) -> Answer {
    let at = at
        .and_then(|text| parse_moment(text, 0, Edge::Start))
        .unwrap_or(NOW);
    let hour = at.rem_euclid(DAY) / 3600;
    let weekday = (at.div_euclid(DAY) + 3).rem_euclid(7);
    let at_work = weekday < 5 && (7..16).contains(&hour);
    // Whoever may not see the home facet is not told where home is.
    let (place, label) = match (at_work, view.shows("home")) {
        (true, _) => (
            json!({ "name": "Studio Brandt Solberg", "kind": "work" }),
            None,
        ),
        (false, true) => (
            json!({ "name": "Home, Deichstraße", "kind": "home" }),
            ifc("mira"),
        ),
        (false, false) => (Value::Null, None),
    };
    let value = json!({
        "state": "where",
        "at": format_instant(at, 120),
        "place": place,
        "timezone": "Europe/Berlin",
        "device": "phone",
    });
    Answer::json(&labeled(value, label.as_ref()))
}

/// `context activity`: what was done in a window, by default the day that ends at `until`.
pub(crate) fn activity(view: &View<'_>, since: Option<&str>, until: Option<&str>) -> Answer {
    let moment = |text: Option<&str>, edge| text.and_then(|text| parse_moment(text, 0, edge));
    let until = moment(until, Edge::End).unwrap_or(NOW);
    let since = moment(since, Edge::Start).unwrap_or(until - DAY);
    // The state is one row with one label or none: what carries a label of its own stays out.
    let meetings = view.events().filter(|event| event.ifc.is_none());
    let writings = view.rows().filter(|row| row.ifc.is_none());
    let mut happened: Vec<(i64, &str, &str)> = meetings
        .map(|event| (event.start, "meeting", event.title.as_str()))
        .chain(writings.map(|row| (row.at, row.source.as_str(), row.title.as_str())))
        .filter(|(at, ..)| (since..=until).contains(at))
        .collect();
    happened.sort_unstable();
    let activities: Vec<Value> = happened
        .iter()
        .map(|(at, kind, what)| json!({ "at": format_instant(*at, 0), "kind": kind, "what": what }))
        .collect();
    Answer::json(&json!({
        "state": "activity",
        "since": format_instant(since, 0),
        "until": format_instant(until, 0),
        "activities": activities,
    }))
}

/// `profile`: the resolver's answer, or a fallback with `hasProfile: false` and exit code 1.
pub(crate) fn profile(tier: ProfileTier, fresh: bool) -> Answer {
    match tier {
        ProfileTier::Live => Answer::json(&json!({
            "hasProfile": true,
            "tier": if fresh { "live" } else { "cache" },
            "name": "Mira Solberg",
            "email": "mira@brandt-solberg.example",
            "role": "Architect, partner at Brandt Solberg",
            "timezone": "Europe/Berlin",
            "languages": ["de", "en", "no"],
            "did": "did:example:mira",
            "resolvedAt": format_instant(if fresh { NOW } else { NOW - 3600 }, 0),
        })),
        ProfileTier::Fallback => Answer::json(&json!({
            "hasProfile": false,
            "tier": "fallback",
            "name": "Mira",
            "timezone": "UTC",
        }))
        .exiting(1),
    }
}
