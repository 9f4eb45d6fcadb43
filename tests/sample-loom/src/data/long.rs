//! Bodies that are longer than a reader's bound of 4,000 UTF-16 units.

const BEDS: [&str; 6] = [
    "thyme and lavender along the parapet, where the stone keeps the heat",
    "tall grasses against the wind, cut once in February",
    "sedum over the lightest slab, twelve centimetres of substrate and no more",
    "a fig in the corner by the lift shaft, roped for the first three winters",
    "white clover as a path, because gravel ends up in the gutters",
    "two benches, and nothing under them that minds the shade",
];

/// Planting notes of about nine thousand characters, bed by bed.
pub(super) fn planting_notes() -> String {
    let mut text = String::from("Dear Mira, as promised, bed by bed. ");
    for (number, bed) in (1..).zip(BEDS.iter().cycle().take(90)) {
        text.push_str(&format!(
            "Bed {number}: {bed}. Water every {} days. ",
            2 + number % 5
        ));
    }
    text.push_str("That is all of it. Leila");
    text
}

/// Pads a body so that an emoji stands across unit 4,000: its high surrogate is the last
/// unit that fits, its low surrogate the first that does not.
pub(super) fn straddle(body: &mut String) {
    let mut beds = BEDS.iter().cycle();
    while body.encode_utf16().count() < 3_880 {
        body.push_str(beds.next().unwrap_or(&""));
        body.push_str(". ");
    }
    while body.encode_utf16().count() < 3_999 {
        body.push('-');
    }
    body.push('\u{1F33F}');
    for bed in BEDS.iter().cycle().take(12) {
        body.push(' ');
        body.push_str(bed);
        body.push('.');
    }
}

/// A diary of sixty paragraphs, about twelve thousand characters.
pub(super) fn diary(body: &mut String) {
    let weather = [
        "rain",
        "wind from the west",
        "fog until ten",
        "sun",
        "sleet",
        "first swifts",
    ];
    let work = [
        "shuttering of axis C stripped and stacked, two panels bent",
        "steel delivered short by nine bars, Osei called the mill",
        "pour of slab two from six in the morning, ninety cubic metres",
        "surveyor on site, tower out of plumb by four millimetres",
        "no work above the ground floor, crane stood still",
        "masons and electricians in the same stair, words were said",
        "door frames measured again because the drawing and the wall disagree",
    ];
    for ((day, weather), work) in (1..=60)
        .zip(weather.iter().cycle())
        .zip(work.iter().cycle())
    {
        body.push_str(&format!(
            "## Day {day}\n{weather}. On site: {work}. {} people. Nobody hurt. \
             Next: the same again, only better.\n\n",
            14 + day % 9
        ));
    }
}
