//! Numbers by value, exactly: `1.0` and `1e0` are the integer 1, 9007199254740993 is not
//! 9007199254740992. Nothing is ever turned into a float.

use std::cmp::Ordering;

/// Exponents of more digits than this are not computed with: such a number may differ from other
/// spellings of its value, and counts as no integer, so it never fits what it should not. No
/// clock, counter or version comes near.
const MAX_EXPONENT_DIGITS: usize = 15;

/// A number as sign, significant digits and a power of ten; zero has no digits.
#[derive(Debug)]
pub(crate) struct Decimal {
    negative: bool,
    /// Without leading and trailing zeros.
    digits: String,
    exponent: i64,
    /// The spelling of a number whose exponent is beyond reason.
    opaque: Option<Box<str>>,
}

impl Decimal {
    /// Reads the text of a JSON number.
    pub(crate) fn of(text: &str) -> Self {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all: String = [whole, fraction].concat();
        let significant = all.trim_start_matches('0');
        let digits = significant.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Self {
                negative: false,
                digits,
                exponent: 0,
                opaque: None,
            };
        }
        let (down, power) = match exponent.strip_prefix('-') {
            Some(power) => (true, power),
            None => (false, exponent.strip_prefix('+').unwrap_or(exponent)),
        };
        let power = power.trim_start_matches('0');
        if power.len() > MAX_EXPONENT_DIGITS {
            return Self {
                negative,
                digits,
                exponent: 0,
                opaque: Some(text.into()),
            };
        }
        let power = power.parse::<i64>().unwrap_or(0);
        let shift = significant.len().saturating_sub(digits.len()) as i64 - fraction.len() as i64;
        let exponent = if down { shift - power } else { shift + power };
        Self {
            negative,
            digits,
            exponent,
            opaque: None,
        }
    }

    /// Whether the number is an integer by value; `-0` is.
    pub(crate) fn is_integer(&self) -> bool {
        self.opaque.is_none() && self.exponent >= 0
    }

    /// The number as an unsigned integer, if it is one that fits.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        if self.digits.is_empty() {
            return Some(0);
        }
        if self.negative || !self.is_integer() {
            return None;
        }
        let scale = 10u64.checked_pow(u32::try_from(self.exponent).ok()?)?;
        self.digits.parse::<u64>().ok()?.checked_mul(scale)
    }

    /// One spelling for each value: equal numbers have equal keys.
    pub(crate) fn key(&self) -> String {
        match &self.opaque {
            Some(text) => text.to_string(),
            None if self.digits.is_empty() => "0".to_owned(),
            None => {
                let sign = if self.negative { "-" } else { "" };
                format!("{sign}{}e{}", self.digits, self.exponent)
            }
        }
    }

    /// Orders two integers by value.
    pub(crate) fn cmp_integer(&self, other: &Self) -> Ordering {
        let sign = |n: &Self| match (n.digits.is_empty(), n.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        sign(self).cmp(&sign(other)).then_with(|| {
            // The same sign: compare magnitudes by their length, then digit by digit.
            let length = |n: &Self| n.digits.len() as i64 + n.exponent;
            let magnitude = length(self)
                .cmp(&length(other))
                .then_with(|| self.digits.cmp(&other.digits));
            if self.negative {
                magnitude.reverse()
            } else {
                magnitude
            }
        })
    }
}
