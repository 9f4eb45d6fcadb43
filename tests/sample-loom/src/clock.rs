//! Time in the sample: a fixed present and just enough calendar arithmetic.
//!
//! Nothing here reads the machine's clock, because an answer that changes with the day it
//! is asked on cannot be compared with the one a test or a benchmark expects. The present
//! is a Monday morning in June 2026, and every relative date is counted from it.

/// The present of the sample: 2026-06-15T08:00:00Z, a Monday.
pub const NOW: i64 = days_from_civil(2026, 6, 15) * DAY + 8 * 3600;

pub(crate) const DAY: i64 = 86_400;

/// Which end of a day a date without a time stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edge {
    Start,
    End,
}

/// Days since 1970-01-01 of a day of the proleptic Gregorian calendar.
pub(crate) const fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let yoe = y.rem_euclid(400);
    let shifted = (month + 9) % 12;
    let doy = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let doe = z.rem_euclid(146_097);
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let shifted = (5 * doy + 2) / 153;
    let day = doy - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = yoe + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

/// Reads a real day written `YYYY-MM-DD` as days since 1970-01-01.
pub(crate) fn parse_day(text: &str) -> Option<i64> {
    let [y, m, d] = fields::<3>(text, '-', &[4, 2, 2])?;
    let days = days_from_civil(y, m, d);
    (y >= 1 && civil_from_days(days) == (y, m, d)).then_some(days)
}

/// Reads `YYYY-MM-DDTHH:MM[:SS]` followed by `Z`, an offset or nothing (the given zone).
pub(crate) fn parse_instant(text: &str, zone: i32) -> Option<i64> {
    let (day, rest) = text.split_once('T')?;
    let days = parse_day(day)?;
    let split = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (time, suffix) = rest.split_at_checked(split)?;
    let offset = if suffix.is_empty() {
        zone
    } else {
        parse_offset(suffix)?
    };
    let [h, m, s] = match time.len() {
        5 => {
            let [h, m] = fields::<2>(time, ':', &[2, 2])?;
            [h, m, 0]
        }
        _ => fields::<3>(time, ':', &[2, 2, 2])?,
    };
    (h < 24 && m < 60 && s < 60)
        .then_some(days * DAY + h * 3600 + m * 60 + s - i64::from(offset) * 60)
}

/// Reads what a person types as a moment: a date, an instant, `now`, `today`,
/// `yesterday`, or a distance back such as `36h`, `10d` or `2w`.
pub(crate) fn parse_moment(text: &str, zone: i32, edge: Edge) -> Option<i64> {
    let shift = i64::from(zone) * 60;
    let today = (NOW + shift).div_euclid(DAY);
    let edge_of = |days: i64| days * DAY - shift + if edge == Edge::End { DAY - 1 } else { 0 };
    match text {
        "now" => return Some(NOW),
        "today" => return Some(edge_of(today)),
        "yesterday" => return Some(edge_of(today - 1)),
        _ => {}
    }
    if let Some(days) = parse_day(text) {
        return Some(edge_of(days));
    }
    let unit = match text.chars().last() {
        Some('h') => 3600,
        Some('d') => DAY,
        Some('w') => 7 * DAY,
        _ => return parse_instant(text, zone),
    };
    let count: u16 = text.get(..text.len() - 1)?.parse().ok()?;
    Some(NOW - i64::from(count) * unit)
}

/// Minutes east of UTC of the zones the sample knows, or of an offset such as `+05:30`.
/// Zones are held at their summer offset: the sample has no daylight saving rules.
pub(crate) fn parse_zone(text: &str) -> Option<i32> {
    Some(match text {
        "UTC" | "Etc/UTC" | "Z" => 0,
        "Europe/Berlin" | "Europe/Amsterdam" | "Europe/Oslo" => 120,
        "Europe/Lisbon" | "Europe/London" => 60,
        "Europe/Athens" | "Asia/Beirut" | "Asia/Jerusalem" => 180,
        "Asia/Kolkata" => 330,
        "Asia/Tokyo" => 540,
        "America/New_York" => -240,
        "America/Los_Angeles" => -420,
        _ => return parse_offset(text),
    })
}

/// The instant as RFC 3339 text in a zone.
pub(crate) fn format_instant(seconds: i64, zone: i32) -> String {
    let local = seconds + i64::from(zone) * 60;
    let of_day = local.rem_euclid(DAY);
    let time = format!(
        "{:02}:{:02}:{:02}",
        of_day / 3600,
        of_day / 60 % 60,
        of_day % 60
    );
    let day = format_day(local.div_euclid(DAY));
    if zone == 0 {
        return format!("{day}T{time}Z");
    }
    let sign = if zone < 0 { '-' } else { '+' };
    format!(
        "{day}T{time}{sign}{:02}:{:02}",
        zone.abs() / 60,
        zone.abs() % 60
    )
}

/// The day as `YYYY-MM-DD`.
pub(crate) fn format_day(days: i64) -> String {
    let (y, m, d) = civil_from_days(days);
    format!("{y:04}-{m:02}-{d:02}")
}

fn parse_offset(text: &str) -> Option<i32> {
    if text == "Z" {
        return Some(0);
    }
    let (sign, rest) = match text.strip_prefix('+') {
        Some(rest) => (1, rest),
        None => (-1, text.strip_prefix('-')?),
    };
    let [h, m] = fields::<2>(rest, ':', &[2, 2])?;
    let minutes = i32::try_from(h * 60 + m).ok()?;
    (h < 15 && m < 60).then_some(sign * minutes)
}

fn fields<const N: usize>(text: &str, by: char, widths: &[usize; N]) -> Option<[i64; N]> {
    let mut out = [0; N];
    let mut parts = text.split(by);
    for (slot, width) in out.iter_mut().zip(widths) {
        let part = parts.next()?;
        if part.len() != *width || !part.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        *slot = part.parse().ok()?;
    }
    parts.next().is_none().then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_present_is_a_monday_morning_in_june() {
        assert_eq!(format_instant(NOW, 0), "2026-06-15T08:00:00Z");
        assert_eq!(format_instant(NOW, 330), "2026-06-15T13:30:00+05:30");
        assert_eq!((NOW / DAY + 3) % 7, 0);
    }

    #[test]
    fn only_real_days_are_read() {
        assert!(parse_day("2024-02-29").is_some());
        for text in [
            "2026-02-29",
            "2026-13-01",
            "0000-01-01",
            "2026-1-01",
            "2026-06-15 ",
            "+026-06-15",
        ] {
            assert_eq!(parse_day(text), None, "{text}");
        }
    }

    #[test]
    fn moments_are_counted_from_the_present_in_the_zone() {
        assert_eq!(parse_moment("7d", 0, Edge::Start), Some(NOW - 7 * DAY));
        let today = parse_moment("today", 120, Edge::Start).map(|at| format_instant(at, 120));
        assert_eq!(today.as_deref(), Some("2026-06-15T00:00:00+02:00"));
        assert_eq!(
            parse_moment("2026-06-01T10:30+02:00", 0, Edge::Start),
            parse_instant("2026-06-01T08:30:00Z", 0)
        );
        for text in ["soon", "é", "d", "-3d", ""] {
            assert_eq!(parse_moment(text, 0, Edge::End), None, "{text}");
        }
    }
}
