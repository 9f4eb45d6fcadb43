//! The rules every text of a request must keep, held again on this side of the boundary (contract,
//! sections 2, 7 and 8): what the component was supposed to have checked is not taken on trust.
//! Each refusal is for the operator; the component only learns that the request was not granted.

#[cfg(test)]
mod tests;

/// The longest free text, in UTF-16 units.
pub(crate) const MAX_TEXT: usize = 500;
/// The longest command id, in characters.
pub(crate) const MAX_COMMAND_ID: usize = 128;
/// The largest version: what every JSON reader holds exactly.
pub(crate) const MAX_VERSION: u64 = (1 << 53) - 1;
/// The largest arguments of a command, in bytes.
pub(crate) const MAX_ARGUMENTS: usize = 16 * 1024;
/// How deep they may nest.
pub(crate) const MAX_DEPTH: usize = 64;

/// A rule that a request broke.
pub(crate) type Broken = &'static str;

/// Free text: 1 to [`MAX_TEXT`] UTF-16 units, no control character, not opening with `-`.
pub(crate) fn text(text: &str) -> Result<&str, Broken> {
    let length = text.encode_utf16().count();
    if length == 0 || length > MAX_TEXT {
        return Err("a text is empty or too long");
    }
    if text.chars().any(char::is_control) {
        return Err("a text holds a control character");
    }
    if text.starts_with('-') {
        return Err("a text opens with a dash and would read as a flag");
    }
    Ok(text)
}

/// Free text that is an email, a phone number, `handle:`, `person:`, `group:` or a person's page:
/// the same positional carries verbs that write.
pub(crate) fn lookup(lookup: &str) -> Result<&str, Broken> {
    text(lookup)?;
    let named = ["handle:", "person:", "group:"].iter().any(|prefix| {
        lookup
            .strip_prefix(prefix)
            .is_some_and(|rest| !rest.is_empty())
    });
    if named || is_email(lookup) || is_phone(lookup) || is_page_of_a_person(lookup) {
        Ok(lookup)
    } else {
        Err("a people query is no lookup and could read as a verb")
    }
}

fn is_email(text: &str) -> bool {
    let sides: Vec<&str> = text.split('@').collect();
    matches!(sides.as_slice(), [local, domain] if !local.is_empty() && !domain.is_empty())
        && !text.contains(char::is_whitespace)
}

fn is_phone(text: &str) -> bool {
    let mut rest = text.strip_prefix('+').unwrap_or(text).chars();
    rest.next().is_some_and(|first| first.is_ascii_digit())
        && rest.clone().count() >= 4
        && rest
            .all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '(' | ')' | '.' | '-'))
}

fn is_page_of_a_person(text: &str) -> bool {
    let segments: Vec<&str> = text.split('/').collect();
    matches!(segments.as_slice(), ["People", name, "about.md"] if !matches!(*name, "" | "." | ".."))
}

/// A day of the years 0001 to 9999 as `YYYY-MM-DD`.
pub(crate) fn date(date: &str) -> Result<&str, Broken> {
    let broken = "a date is not a day written YYYY-MM-DD";
    let digits = |part: &str, len: usize| {
        let plain = part.len() == len && part.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| part.parse::<u32>().ok()).flatten()
    };
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return Err(broken);
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return Err(broken);
    };
    let leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        1..=12 => 31,
        _ => return Err(broken),
    };
    if year == 0 || day == 0 || day > last {
        Err(broken)
    } else {
        Ok(date)
    }
}

/// A number of rows from 1 to `most`.
pub(crate) fn limit(limit: u32, most: u32) -> Result<u32, Broken> {
    if (1..=most).contains(&limit) {
        Ok(limit)
    } else {
        Err("a limit is out of its range")
    }
}

/// `^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)*$`, at most [`MAX_COMMAND_ID`] characters.
pub(crate) fn command_id(id: &str) -> Result<&str, Broken> {
    let segment = |segment: &str| {
        !segment.is_empty()
            && !segment.starts_with('-')
            && segment
                .bytes()
                .all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'))
    };
    if id.len() <= MAX_COMMAND_ID
        && id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.split('.').all(segment)
    {
        Ok(id)
    } else {
        Err("a command id is not one")
    }
}

/// `^loom-[a-f0-9]{16}$`
pub(crate) fn loom_id(id: &str) -> Result<&str, Broken> {
    let hex = |rest: &str| {
        rest.len() == 16 && rest.bytes().all(|b| matches!(b, b'a'..=b'f' | b'0'..=b'9'))
    };
    if id.strip_prefix("loom-").is_some_and(hex) {
        Ok(id)
    } else {
        Err("a loom id is not one")
    }
}

/// 0 to [`MAX_VERSION`].
pub(crate) fn version(version: u64) -> Result<u64, Broken> {
    if version <= MAX_VERSION {
        Ok(version)
    } else {
        Err("an expected version is out of its range")
    }
}

/// A JSON object of at most [`MAX_ARGUMENTS`] bytes, nested at most [`MAX_DEPTH`] deep.
pub(crate) fn arguments(json: &str) -> Result<&str, Broken> {
    if json.len() > MAX_ARGUMENTS {
        return Err("the arguments are too large");
    }
    if nests_deeper(json.as_bytes(), MAX_DEPTH) {
        return Err("the arguments nest too deep");
    }
    let parsed: Result<&serde_json::value::RawValue, _> = serde_json::from_str(json);
    if json.starts_with('{') && parsed.is_ok() {
        Ok(json)
    } else {
        Err("the arguments are no JSON object")
    }
}

/// Whether brackets nest deeper than `most` outside strings.
pub(crate) fn nests_deeper(json: &[u8], most: usize) -> bool {
    // Few texts have so many brackets at all, and to count those takes no time.
    let opening = json.iter().filter(|byte| matches!(byte, b'{' | b'['));
    opening.count() > most && nesting(json) > most
}

/// How deep brackets nest outside strings.
fn nesting(json: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' | b'[' if !quoted => depth += 1,
            b'}' | b']' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
