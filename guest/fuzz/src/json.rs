//! JSON read and written a second time, straight from the contract (section 1): the guest's own
//! reader would vouch for itself, and no other keeps what the contract says is kept.

/// One JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`, `true` or `false`.
    Word(&'static str),
    /// The number's exact text.
    Number(String),
    /// A string; a lone surrogate reads as U+FFFD.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object: a duplicate key has its first place and its last value.
    Object(Vec<(String, Json)>),
}

/// The deepest nesting that is JSON.
pub const DEEPEST: usize = 128;

impl Json {
    /// Reads any JSON of at most that depth.
    pub fn read(text: &str, deepest: usize) -> Option<Self> {
        Reader::read(text, deepest, false)
    }

    /// Reads JSON as the guest writes it: compact, escaped as JSON.stringify does, no key twice.
    pub fn written(text: &str) -> Option<Self> {
        Reader::read(text, 2 * DEEPEST, true)
    }

    /// The member of that name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members()?
            .iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// The members of an object.
    pub fn members(&self) -> Option<&[(String, Json)]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The elements of a list.
    pub fn list(&self) -> Option<&[Json]> {
        match self {
            Self::List(items) => Some(items),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the value is that word.
    pub fn is(&self, word: &str) -> bool {
        matches!(self, Self::Word(own) if *own == word)
    }

    /// A number by value.
    pub fn decimal(&self) -> Option<Decimal> {
        match self {
            Self::Number(text) => Decimal::of(text),
            _ => None,
        }
    }

    /// The integer from 0 to `most` that the value is by value.
    pub fn integer(&self, most: u64) -> Option<u64> {
        self.decimal()?.integer().filter(|n| *n <= most)
    }

    /// How deep containers nest.
    pub fn depth(&self) -> usize {
        match self {
            Self::List(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(members) => 1 + members.iter().map(|(_, v)| v.depth()).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Compact JSON, keys in their order.
    pub fn compact(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, false);
        out
    }

    /// Compact JSON, keys sorted by their bytes.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, true);
        out
    }

    fn write(&self, out: &mut String, sorted: bool) {
        match self {
            Self::Word(word) => out.push_str(word),
            Self::Number(text) => out.push_str(text),
            Self::Text(text) => quote(out, text),
            Self::List(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    item.write(out, sorted);
                }
                out.push(']');
            }
            Self::Object(members) => {
                let mut members: Vec<_> = members.iter().collect();
                if sorted {
                    members.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
                }
                out.push('{');
                for (at, (key, member)) in members.into_iter().enumerate() {
                    out.push_str(if at > 0 { "," } else { "" });
                    quote(out, key);
                    out.push(':');
                    member.write(out, sorted);
                }
                out.push('}');
            }
        }
    }
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::new();
    quote(&mut out, text);
    out
}

fn quote(out: &mut String, text: &str) {
    out.push('"');
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", u32::from(ch))),
            _ => out.push(ch),
        }
    }
    out.push('"');
}

/// A length in UTF-16 units.
pub fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The opening of `text` of at most so many units.
pub fn opening(text: &str, most: usize) -> &str {
    let mut units = 0;
    for (at, ch) in text.char_indices() {
        units += ch.len_utf16();
        if units > most {
            return &text[..at];
        }
    }
    text
}

/// A number by value: `digits` without zeros at either end, times ten to the `exponent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    /// None when its exponent is beyond what the contract's exact reading is held to.
    fn of(text: &str) -> Option<Self> {
        let negative = text.starts_with('-');
        let lower = text.trim_start_matches('-').to_lowercase();
        let (mantissa, power) = lower.split_once('e').unwrap_or((&lower, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits = format!("{whole}{fraction}");
        let digits = digits.trim_start_matches('0');
        if digits.is_empty() {
            return Some(Self {
                negative: false,
                digits: String::new(),
                exponent: 0,
            });
        }
        let sign = if power.starts_with('-') { -1 } else { 1 };
        let power = power.trim_start_matches(['+', '-']).trim_start_matches('0');
        let power: i64 = match power {
            "" => 0,
            _ if power.len() > 15 => return None,
            _ => power.parse().ok()?,
        };
        let kept = digits.trim_end_matches('0');
        Some(Self {
            negative,
            digits: kept.to_owned(),
            exponent: sign * power + (digits.len() - kept.len()) as i64 - fraction.len() as i64,
        })
    }

    /// Whether it is an integer.
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    fn integer(&self) -> Option<u64> {
        if self.digits.is_empty() {
            return Some(0);
        }
        let small = !self.negative && (0..20).contains(&self.exponent) && self.digits.len() <= 20;
        let zeros = "0".repeat(usize::try_from(self.exponent).ok().filter(|_| small)?);
        format!("{}{zeros}", self.digits).parse().ok()
    }

    /// Whether this integer is at most that one.
    pub fn at_most(&self, other: &Self) -> bool {
        let sign = |n: &Self| match n.digits.as_str() {
            "" => 0,
            _ if n.negative => -1,
            _ => 1,
        };
        if sign(self) != sign(other) {
            return sign(self) < sign(other);
        }
        let size = |n: &Self| (n.digits.len() as i64 + n.exponent, n.digits.clone());
        if self.negative {
            size(self) >= size(other)
        } else {
            size(self) <= size(other)
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    strict: bool,
}

impl<'a> Reader<'a> {
    fn read(text: &'a str, deepest: usize, strict: bool) -> Option<Json> {
        let mut reader = Self { rest: text, strict };
        reader.space();
        let value = reader.value(deepest)?;
        reader.space();
        reader.rest.is_empty().then_some(value)
    }

    fn space(&mut self) {
        if !self.strict {
            self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        }
    }

    fn take(&mut self, piece: &str) -> bool {
        let after = self.rest.strip_prefix(piece);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn value(&mut self, room: usize) -> Option<Json> {
        if let Some(word) = ["null", "true", "false"]
            .into_iter()
            .find(|word| self.take(word))
        {
            return Some(Json::Word(word));
        }
        match self.rest.chars().next()? {
            '"' => self.string().map(Json::Text),
            '[' => self.list(room.checked_sub(1)?),
            '{' => self.object(room.checked_sub(1)?),
            _ => self.number(),
        }
    }

    fn list(&mut self, room: usize) -> Option<Json> {
        let mut items = Vec::new();
        self.take("[");
        self.space();
        if self.take("]") {
            return Some(Json::List(items));
        }
        loop {
            self.space();
            items.push(self.value(room)?);
            self.space();
            if !self.take(",") {
                return self.take("]").then_some(Json::List(items));
            }
        }
    }

    fn object(&mut self, room: usize) -> Option<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut places = std::collections::HashMap::<String, usize>::new();
        self.take("{");
        self.space();
        if self.take("}") {
            return Some(Json::Object(members));
        }
        loop {
            self.space();
            let key = self.string()?;
            self.space();
            if !self.take(":") {
                return None;
            }
            self.space();
            let value = self.value(room)?;
            match places.get(&key) {
                Some(_) if self.strict => return None,
                Some(&place) => members[place].1 = value,
                None => {
                    places.insert(key.clone(), members.len());
                    members.push((key, value));
                }
            }
            self.space();
            if !self.take(",") {
                return self.take("}").then_some(Json::Object(members));
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        // UTF-16, as the escapes are; what is lone becomes U+FFFD at the end.
        let mut text = Vec::new();
        if !self.take("\"") {
            return None;
        }
        loop {
            let mut chars = self.rest.chars();
            let ch = chars.next()?;
            self.rest = chars.as_str();
            match ch {
                '"' => return Some(String::from_utf16_lossy(&text)),
                '\\' => text.push(self.escape()?),
                '\0'..='\u{1f}' => return None,
                _ => text.extend_from_slice(ch.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Option<u16> {
        let mut chars = self.rest.chars();
        let ch = chars.next()?;
        self.rest = chars.as_str();
        Some(match ch {
            '"' | '\\' => ch as u16,
            '/' if !self.strict => 0x2f,
            'b' => 0x8,
            'f' => 0xc,
            'n' => 0xa,
            'r' => 0xd,
            't' => 0x9,
            'u' => {
                let digits = self.rest.get(..4)?;
                if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                    return None;
                }
                self.rest = &self.rest[4..];
                let unit = u16::from_str_radix(digits, 16).ok()?;
                let needed = unit < 0x20 && !matches!(unit, 8 | 9 | 10 | 12 | 13);
                let lower = !digits.bytes().any(|b| b.is_ascii_uppercase());
                return (!self.strict || needed && lower).then_some(unit);
            }
            _ => return None,
        })
    }

    fn number(&mut self) -> Option<Json> {
        let whole = self.rest;
        self.take("-");
        if !self.take("0") {
            self.digits()?;
        }
        if self.take(".") {
            self.digits()?;
        }
        if self.take("e") || self.take("E") {
            let _ = self.take("+") || self.take("-");
            self.digits()?;
        }
        let len = whole.len() - self.rest.len();
        Some(Json::Number(whole[..len].to_owned()))
    }

    fn digits(&mut self) -> Option<()> {
        let after = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let some = after.len() < self.rest.len();
        self.rest = after;
        some.then_some(())
    }
}
