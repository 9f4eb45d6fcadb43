//! The inputs, made from a seed: the same in every run and on every machine.

use std::fmt::Write;

/// Where everything generated starts from.
const SEED: u64 = 0x6c6f_6f6d;

/// Words of a made-up mailbox; one in eight is not ASCII.
const WORDS: [&str; 24] = [
    "budget", "the", "meeting", "of", "Tuesday", "garden", "über", "invoice", "a", "plan", "with",
    "delivery", "crane", "and", "Zoë", "roof", "drawing", "to", "answer", "by", "noon", "屋上",
    "contract", "in",
];

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(SEED)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// Running text of that many words, as the inside of a JSON string: a line break every dozen
    /// words, quoted words now and then.
    fn text(&mut self, words: usize) -> String {
        let mut text = String::new();
        for at in 0..words {
            let word = WORDS.get(self.below(WORDS.len())).unwrap_or(&"");
            let separator = if at % 12 == 11 { "\\n" } else { " " };
            let _ = match self.below(40) {
                0 => write!(text, "\\\"{word}\\\"{separator}"),
                _ => write!(text, "{word}{separator}"),
            };
        }
        text
    }
}

/// An answer of `loom search` of at least `bytes` bytes: mails, messages and notes of a few words
/// to a few pages, half of them labeled.
pub(crate) fn search_answer(bytes: usize) -> Vec<u8> {
    let mut random = Random::new();
    let mut out = String::from(
        r#"{"schemaVersion":1,"query":"budget","source_status":{"mail":{"state":"ok","rows":9000},"notes":{"state":"ok","rows":800}},"warnings":[],"truncated":true,"hits":["#,
    );
    let mut separator = "";
    while out.len() < bytes {
        let words = match random.below(4) {
            0 => random.below(400),
            1 => random.below(100),
            _ => random.below(30),
        };
        let id = random.next();
        let (title, text) = (random.text(6), random.text(words));
        let (names, day) = ([random.text(2), random.text(2)], random.below(28) + 1);
        let _ = write!(
            out,
            r#"{separator}{{"id":"mail:{id:016x}","source":"mail","when":"2026-03-{day:02}T09:{day:02}:00Z","who":["{} <a@example.com>","{} <b@example.com>"],"title":"{title}","text":"{text}","facet":"work","score":{}.25"#,
            names[0],
            names[1],
            random.below(9),
        );
        out.push_str(match random.below(4) {
            0 => {
                r#","ifc":{"confidentiality":["loom:facet:work"],"integrity":["loom:connector:mail"]}}"#
            }
            1 => {
                r#","ifc":{"confidentiality":[{"anyOf":["loom:group:studio","loom:group:client"]}]}}"#
            }
            _ => "}",
        });
        separator = ",";
    }
    out.push_str("]}\n");
    out.into_bytes()
}

/// A clause that takes one of `several` groups, which makes it one of that many.
fn clause(at: usize) -> String {
    format!(r#"{{"anyOf":["loom:group:{at}","loom:group:{at}:guests"]}}"#)
}

/// A ceiling of that many clauses.
pub(crate) fn ceiling(clauses: usize) -> String {
    let clauses: Vec<String> = (0..clauses).map(clause).collect();
    format!("[{}]", clauses.join(","))
}

/// An answer of `loom search` with that many rows, none of which fits a ceiling: two clauses of each
/// label do and the last does not, so that every clause is measured. Withheld rows are short
/// enough to be shown all.
pub(crate) fn withheld_rows(rows: usize) -> Vec<u8> {
    let mut random = Random::new();
    let row = |at| {
        let (a, b, text) = (random.below(10), random.below(10), random.text(30));
        format!(
            r#"{{"id":"mail:{at}","text":"{text}","ifc":{{"confidentiality":[{},{},"loom:secret:{at}"]}}}}"#,
            clause(a),
            clause(b),
        )
    };
    let rows: Vec<String> = (0..rows).map(row).collect();
    format!(r#"{{"hits":[{}]}}"#, rows.join(",")).into_bytes()
}

/// Schemas of at least `bytes` bytes, of the shapes that commands have: flat lists of parameters,
/// long enumerations, unions, nested objects.
pub(crate) fn schemas(count: usize, bytes: usize) -> Vec<String> {
    let mut random = Random::new();
    (0..count).map(|_| schema(&mut random, bytes)).collect()
}

fn schema(random: &mut Random, bytes: usize) -> String {
    let mut properties = String::new();
    let mut required = Vec::new();
    let mut at = 0;
    while properties.len() < bytes {
        let description = random.text(8);
        let of = match random.below(5) {
            0 => r#""type":"string","minLength":1"#.to_owned(),
            1 => r#""type":"integer","default":5,"minimum":0"#.to_owned(),
            2 => format!(r#""enum":["{}","{}","{}"]"#, random.text(1), random.text(1), at),
            3 => r#""type":"array","items":{"anyOf":[{"type":"string"},{"type":"null"}]}"#.to_owned(),
            _ => r##""type":"object","properties":{"id":{"type":"string"},"to":{"$ref":"#/$defs/Person"}},"required":["id"]"##.to_owned(),
        };
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(
            properties,
            r#"{comma}"field{at}":{{{of},"description":"{description}"}}"#
        );
        if random.below(2) == 0 {
            required.push(format!(r#""field{at}""#));
        }
        at += 1;
    }
    format!(
        r#"{{"type":"object","properties":{{{properties}}},"required":[{}],"additionalProperties":false}}"#,
        required.join(","),
    )
}

/// A small row that differs from others in its number.
pub(crate) fn small_row(at: usize) -> String {
    format!(
        r#"{{"id":"mail:{at}","source":"mail","when":"2026-03-09T09:30:00Z","who":["Osei <osei@example.com>"],"title":"Delivery of steel","text":"Short by nine bars; the mill will send them by Tuesday noon.","score":2}}"#
    )
}
