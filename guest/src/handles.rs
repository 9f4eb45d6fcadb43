//! The run's handle table: each admitted row as a held referent with a token to cite it by
//! (contract, section 6). The same row has one token; a withheld row is registered nowhere.

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use sha2::{Digest, Sha256};

use crate::entry::{Admitted, LabelSource};
use crate::json::to_canonical;
use crate::label::Label;

/// What every token opens with.
pub(crate) const PREFIX: &str = "cfh:v:";
/// The thirty letters of a token: no two look alike.
pub(crate) const ALPHABET: &[u8; 30] = b"23456789abcdefghjkmnpqrstvwxyz";
/// The letters of a token that a run holds.
pub(crate) const TOKEN_LETTERS: usize = 5;
/// How often a taken token is derived again. With half of all 24 million tokens taken, all these
/// are taken once in 2^128 rows.
const MAX_ATTEMPTS: u32 = 128;

/// A row the run holds, as the model saw it.
#[derive(Clone, Debug)]
pub(crate) struct Referent {
    /// The id of the tool that observed it.
    pub(crate) source: String,
    /// The row as compact JSON.
    pub(crate) value: String,
    pub(crate) label: Rc<Label>,
    pub(crate) label_source: LabelSource,
    pub(crate) provenance: Option<Provenance>,
    /// Of its identity within its run: two rows with one digest are one row.
    digest: [u8; 32],
}

/// The command whose answer a referent is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Provenance {
    pub(crate) command: String,
    pub(crate) loom_id: Option<String>,
    /// `outputs.version` of the answer, when it is an integer from 0 to 2^53-1.
    pub(crate) version: Option<u64>,
}

/// A row that has its token and is not held yet: whether its entry fits decides that.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) token: String,
    referent: Referent,
}

/// The referents of one run, in the order held.
#[derive(Debug, Default)]
pub(crate) struct Handles {
    run_id: String,
    held: Vec<(String, Referent)>,
    /// Places in `held` by the token's number.
    by_token: BTreeMap<u32, usize>,
}

impl Handles {
    pub(crate) fn new(run_id: &str) -> Self {
        Self {
            run_id: run_id.to_owned(),
            ..Self::default()
        }
    }

    /// The row with the token it has, or would get; none when no token is to be had.
    pub(crate) fn candidate(
        &self,
        source: &str,
        row: &Admitted,
        label_source: LabelSource,
        provenance: Option<Provenance>,
    ) -> Option<Candidate> {
        let identity = format!(
            r#"["document","{source}",{},{},"{}"]"#,
            to_canonical(&row.value),
            row.label.canonical(),
            label_source.name(),
        );
        let referent = Referent {
            source: source.to_owned(),
            value: row.json.clone(),
            label: Rc::clone(&row.label),
            label_source,
            provenance,
            digest: digest(&self.run_id, &identity, 0),
        };
        let free = |token: &String| {
            self.get(token)
                .is_none_or(|held| held.digest == referent.digest)
        };
        let later = (1..MAX_ATTEMPTS).map(|attempt| digest(&self.run_id, &identity, attempt));
        let token = std::iter::once(referent.digest)
            .chain(later)
            .map(|digest| token(&digest))
            .find(free)?;
        Some(Candidate { token, referent })
    }

    /// Holds the row; one that is held already stays as it is.
    pub(crate) fn hold(&mut self, candidate: Candidate) {
        let Candidate { token, referent } = candidate;
        if let Some(number) = number(&token)
            && !self.by_token.contains_key(&number)
        {
            self.by_token.insert(number, self.held.len());
            self.held.push((token, referent));
        }
    }

    pub(crate) fn get(&self, token: &str) -> Option<&Referent> {
        let place = *self.by_token.get(&number(token)?)?;
        self.held.get(place).map(|(_, referent)| referent)
    }

    /// Every referent with its token, in the order held.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Referent)> {
        self.held
            .iter()
            .map(|(token, referent)| (token.as_str(), referent))
    }
}

/// A token as a number, which compares faster than its text; none for any other text.
fn number(token: &str) -> Option<u32> {
    let letters = token.strip_prefix(PREFIX)?.as_bytes();
    if letters.len() != TOKEN_LETTERS {
        return None;
    }
    letters.iter().try_fold(0u32, |number, letter| {
        let place = ALPHABET.iter().position(|known| known == letter)?;
        Some(number * 30 + u32::try_from(place).ok()?)
    })
}

/// SHA-256(runId, 0, identity), or SHA-256(runId, 0, identity, 0, attempt) when the token that the
/// first makes was taken.
fn digest(run_id: &str, identity: &str, attempt: u32) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(run_id);
    hash.update([0]);
    hash.update(identity);
    if attempt > 0 {
        hash.update([0]);
        hash.update(attempt.to_string());
    }
    hash.finalize().into()
}

/// Characters one to five are bytes one to five of a digest, modulo 30.
fn token(digest: &[u8; 32]) -> String {
    let letter = |byte: &u8| {
        ALPHABET
            .get(usize::from(byte % 30))
            .copied()
            .unwrap_or_default()
    };
    let letters = digest.iter().take(TOKEN_LETTERS).map(letter);
    PREFIX.chars().chain(letters.map(char::from)).collect()
}
