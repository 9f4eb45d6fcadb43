//! Bytes in a recording: the text they are, when they are UTF-8, else hexadecimal digits.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Bytes<'a> {
    Text(Cow<'a, str>),
    Binary { hex: String },
}

impl<'a> Bytes<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        match str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.into()),
            Err(_) => Self::Binary {
                hex: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            },
        }
    }

    /// The bytes; none when the digits are none.
    pub(crate) fn decode(self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.into_owned().into_bytes()),
            Self::Binary { hex } => unhex(&hex),
        }
    }
}

/// The bytes that pairs of hexadecimal digits spell.
pub(super) fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| u8::try_from(char::from(byte).to_digit(16)?).ok();
    let (pairs, rest) = hex.as_bytes().as_chunks::<2>();
    let byte = |&[high, low]: &[u8; 2]| Some(digit(high)? << 4 | digit(low)?);
    rest.is_empty()
        .then(|| pairs.iter().map(byte).collect())
        .flatten()
}
