//! The long tail of a real store: what arrives every week and is rarely read.
//!
//! Sentences are chosen by the number of the week, never at random.

use super::ifc;
use super::records::{Event, Person, Row, names};
use crate::clock::{DAY, NOW};

/// One thing that comes again and again.
struct Series {
    key: &'static str,
    source: &'static str,
    who: &'static str,
    facet: &'static str,
    title: &'static str,
    label: Option<&'static str>,
    every: i64,
    count: i64,
    sentences: &'static [&'static str],
}

const SERIES: [Series; 7] = [
    Series {
        key: "site",
        source: "mail",
        who: "samuel-osei",
        facet: "work",
        title: "Site report, week",
        label: None,
        every: 7,
        count: 40,
        sentences: &[
            "Formwork for the next slab is up.",
            "Concrete cylinders passed at 28 days.",
            "Two days lost to wind.",
            "Scaffold on the quay side inspected and tagged.",
            "Electricians start in the basement.",
        ],
    },
    Series {
        key: "tasks",
        source: "mail",
        who: "sam-okafor",
        facet: "work",
        title: "Drawing list, week",
        label: Some("studio"),
        every: 7,
        count: 30,
        sentences: &[
            "Sheets 20 to 24 are new.",
            "Sheet 31 is superseded.",
            "Door schedule still open.",
            "Stair sections at one to ten are in.",
            "Library shelves moved by one bay.",
        ],
    },
    Series {
        key: "books",
        source: "mail",
        who: "hanna-koch",
        facet: "work",
        title: "Open items, week",
        label: None,
        every: 14,
        count: 20,
        sentences: &[
            "Three invoices are due.",
            "One invoice is disputed.",
            "The plotter lease renews.",
            "Travel claims for Lisbon are missing.",
            "The reserve is untouched.",
        ],
    },
    Series {
        key: "choir",
        source: "mail",
        who: "agnieszka-nowak",
        facet: "home",
        title: "Choir letter, week",
        label: None,
        every: 7,
        count: 36,
        sentences: &[
            "Rehearsal on Wednesday at 19:30.",
            "Tenors are few, bring a friend.",
            "Please return the green scores.",
            "Next concert is in the customs hall.",
            "Cake list is on the piano.",
        ],
    },
    Series {
        key: "school",
        source: "mail",
        who: "clara-weiss",
        facet: "home",
        title: "Class letter, week",
        label: Some("family"),
        every: 7,
        count: 30,
        sentences: &[
            "Please bring gym shoes.",
            "We read aloud on Thursday.",
            "The class has a snail, then two.",
            "Parents' evening is at seven.",
            "Lost property is overflowing.",
        ],
    },
    Series {
        key: "jonas",
        source: "messages",
        who: "jonas-solberg",
        facet: "home",
        title: "Jonas",
        label: Some("household"),
        every: 3,
        count: 70,
        sentences: &[
            "can you bring milk",
            "mother asks about sunday",
            "ella has practised, I heard it",
            "the bicycle is fixed, more or less",
            "late today, lab day",
            "who has the blue folder",
            "petersen left beans at the door",
            "the cat question again",
            "soup is on the stove",
            "bus 6 is not running, take the ferry",
            "can we talk about july tonight",
            "forgot the umbrella, of course",
            "mats called about the boat",
        ],
    },
    Series {
        key: "quay",
        source: "messages",
        who: "ilse-brandt",
        facet: "work",
        title: "Ilse",
        label: None,
        every: 4,
        count: 50,
        sentences: &[
            "Did the library people call back?",
            "I moved the crit to three.",
            "Permit desk is closed today.",
            "Please look at the budget line for glass.",
            "Lunch?",
            "Greta is in on Tuesday.",
            "The model does not fit in the lift.",
            "Osei wants the door list.",
            "I am at the notary until four.",
            "Plotter is out of magenta again.",
            "Nice section, the one with the gulls.",
            "Call Lisbon before noon, their noon.",
            "Train is late, start without me.",
        ],
    },
];

/// The generated rows, about 280.
pub(super) fn rows(people: &[Person]) -> Vec<Row> {
    let mut rows = Vec::new();
    for series in &SERIES {
        for number in 0..series.count {
            // Counted back from the day before the present, at an hour of the series' own.
            let at = NOW - DAY - number * series.every * DAY + (number % 7) * 1_800;
            let week = (at / DAY - 20_454).div_euclid(7);
            let pick = |step: i64| {
                let many = series.sentences.len().max(1);
                let index = usize::try_from(number * step + step).unwrap_or(0) % many;
                series.sentences.get(index).copied().unwrap_or_default()
            };
            let row = Row {
                id: format!("{}-{number:04}", series.key),
                source: series.source.to_owned(),
                at,
                who: vec![series.who.to_owned()],
                names: Vec::new(),
                facet: series.facet.to_owned(),
                title: match series.source {
                    "messages" => series.title.to_owned(),
                    _ => format!("{} {week}", series.title),
                },
                text: match series.source {
                    "messages" => pick(1).to_owned(),
                    _ => format!("{} {} {}", pick(1), pick(2), pick(3)),
                },
                ifc: series.label.and_then(ifc),
                haystack: String::new(),
            };
            rows.push(row.finish(people));
        }
    }
    rows
}

/// What stands in the calendar every week, half a year back and half a year on.
pub(super) fn events(people: &[Person]) -> Vec<Event> {
    // Key, day of the week from Monday, start in minutes UTC, length, facet, title, place, people.
    type Weekly = (
        &'static str,
        i64,
        i64,
        i64,
        &'static str,
        &'static str,
        &'static str,
        &'static [&'static str],
    );
    const WEEKLY: [Weekly; 4] = [
        (
            "monday",
            0,
            7 * 60 + 30,
            45,
            "work",
            "Studio, start of the week",
            "Studio",
            &["ilse-brandt", "sam-okafor", "hanna-koch"],
        ),
        (
            "site",
            3,
            6 * 60,
            90,
            "work",
            "Site meeting, Harbour Library",
            "Site office",
            &["samuel-osei"],
        ),
        (
            "choir",
            2,
            17 * 60 + 30,
            120,
            "home",
            "Choir",
            "Customs hall",
            &["agnieszka-nowak"],
        ),
        (
            "cello",
            4,
            14 * 60,
            40,
            "home",
            "Ella, cello lesson",
            "Music school",
            &["ella-solberg"],
        ),
    ];
    let monday = NOW.div_euclid(DAY) * DAY;
    let mut events = Vec::new();
    for week in -26..26 {
        for (key, day, minute, length, facet, title, place, with) in WEEKLY {
            let start = monday + (week * 7 + day) * DAY + minute * 60;
            let with: Vec<String> = with.iter().map(|slug| (*slug).to_owned()).collect();
            events.push(Event {
                id: format!("event-{key}-{:03}", week + 26),
                start,
                end: start + length * 60,
                all_day: false,
                title: title.to_owned(),
                place: Some(place.to_owned()),
                names: names(&with, people),
                notes: None,
                facet: facet.to_owned(),
                ifc: if key == "cello" { ifc("family") } else { None },
            });
        }
    }
    events
}
