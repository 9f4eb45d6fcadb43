//! Tokens, links and digests, derived a second time (contract, section 6).

use sha2::{Digest, Sha256};

use crate::json::Json;

const LETTERS: &[u8; 30] = b"23456789abcdefghjkmnpqrstvwxyz";

/// The token of a row, when no other row took it.
pub fn token(run: &str, tool: &str, value: &Json, label: &Json, source: &str) -> String {
    let identity = format!(
        r#"["document","{tool}",{},{},"{source}"]"#,
        value.canonical(),
        label.canonical()
    );
    let hash = Sha256::digest(format!("{run}\0{identity}"));
    let letter = |byte: &u8| char::from(LETTERS[usize::from(byte % 30)]);
    format!(
        "cfh:v:{}",
        hash.iter().take(5).map(letter).collect::<String>()
    )
}

/// The link of a document.
pub fn link(value: &Json, label: &Json) -> String {
    let document = Json::Object(vec![
        ("label".to_owned(), label.clone()),
        ("value".to_owned(), value.clone()),
    ]);
    format!("loom-doc:{}", digest(&document.canonical()))
}

/// Hex SHA-256.
pub fn digest(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Whether the byte is a letter of tokens.
pub fn is_letter(byte: u8) -> bool {
    LETTERS.contains(&byte)
}
