//! Resolves the handles a structured result names (contract, section 6): a value that is exactly a
//! held token becomes a link; one inside longer text or in a property name must be held and stays
//! text; one the run does not hold fails the whole before anything is written.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use super::Run;
use crate::handles::{ALPHABET, Handles, PREFIX, Referent, TOKEN_LETTERS};
use crate::json::{Fields, Object, Value, parse, to_canonical, to_string};
use crate::label::{Atom, Join, Label};

/// The sole key of a link; a model may not write one by hand.
const LINK: &str = "@link";

impl Run {
    /// The result with its links, the documents they need, and the labels; or an error as JSON.
    pub fn resolve_result(&self, structured_result: &str) -> Result<String, String> {
        let mut result = parse(structured_result)
            .map_err(|_| error("invalid_result", "The structured result is not JSON."))?;
        let mut resolver = Resolver::new(&self.handles);
        resolver.value(&mut result);
        // An unheld handle is the error when both are true.
        if resolver.unheld {
            let message = "The result names a handle that this run does not hold.";
            return Err(error("unheld_handle", message));
        }
        if resolver.handwritten {
            let message = "The result holds an object whose only key is `@link`. Cite a row by its \
                 handle instead.";
            return Err(error("invalid_result", message));
        }
        Ok(self.resolved(&result, &resolver))
    }

    fn resolved(&self, result: &Value, resolver: &Resolver<'_>) -> String {
        let mut documents = Vec::new();
        for token in &resolver.cited {
            let Some(referent) = self.handles.get(token) else {
                continue;
            };
            let mut document = String::new();
            let mut fields = Fields::open(&mut document);
            fields
                .string("token", token)
                .string("link", resolver.links.get(token).map_or("", String::as_str))
                .raw("value", &referent.value)
                .value("label", &referent.label.measured());
            fields.close();
            documents.push(document);
        }
        let mut uncited = Vec::new();
        for (token, referent) in self.handles.iter() {
            if !resolver.links.contains_key(token) {
                let mut row = String::new();
                let mut fields = Fields::open(&mut row);
                fields
                    .string("token", token)
                    .value("label", &referent.label.measured());
                fields.close();
                uncited.push(row);
            }
        }
        let mut out = String::new();
        let mut fields = Fields::open(&mut out);
        fields
            .raw("result", &to_string(result))
            .raw("documents", &format!("[{}]", documents.join(",")))
            .raw("uncited", &format!("[{}]", uncited.join(",")))
            .value("label", &self.inline_label().measured());
        fields.close();
        out
    }

    /// The label of the inline text: of every held row, cited or not, the join of confidentiality
    /// and the intersection of integrity.
    fn inline_label(&self) -> Label {
        let mut confidentiality = Join::default();
        let mut integrity: Option<Vec<Atom>> = None;
        for (_, referent) in self.handles.iter() {
            confidentiality.add(referent.label.confidentiality());
            let own = referent.label.integrity();
            integrity = Some(match integrity {
                None => own.to_vec(),
                Some(common) if common.is_empty() => common,
                Some(common) => {
                    let keys: BTreeSet<&str> = own.iter().map(Atom::key).collect();
                    common
                        .into_iter()
                        .filter(|atom| keys.contains(atom.key()))
                        .collect()
                }
            });
        }
        Label::new(
            confidentiality.clauses().to_vec(),
            integrity.unwrap_or_default(),
        )
    }
}

/// `loom-doc:` and the hex SHA-256 of the canonical JSON of `{ "label": …, "value": … }`.
fn link(referent: &Referent) -> String {
    let value = parse(&referent.value).unwrap_or(Value::Null);
    let document = format!(
        r#"{{"label":{},"value":{}}}"#,
        referent.label.canonical(),
        to_canonical(&value)
    );
    let digest = Sha256::digest(document.as_bytes());
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("loom-doc:{hex}")
}

struct Resolver<'a> {
    handles: &'a Handles,
    /// The tokens cited, in the order first cited.
    cited: Vec<String>,
    /// The link of each token cited, made once: a result may cite a row any number of times.
    links: BTreeMap<String, String>,
    unheld: bool,
    handwritten: bool,
}

impl<'a> Resolver<'a> {
    fn new(handles: &'a Handles) -> Self {
        Self {
            handles,
            cited: Vec::new(),
            links: BTreeMap::new(),
            unheld: false,
            handwritten: false,
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => match self.handles.get(text) {
                Some(referent) => {
                    let link = self.links.entry(text.clone()).or_insert_with(|| {
                        self.cited.push(text.clone());
                        link(referent)
                    });
                    let link = Value::String(link.clone());
                    *value = Value::Object(Object::from_distinct(vec![(LINK.to_owned(), link)]));
                }
                None => self.unheld |= holds_unheld(text, self.handles),
            },
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(object) => {
                self.handwritten |= object.len() == 1 && object.get(LINK).is_some();
                for (name, member) in object.members_mut() {
                    self.unheld |= holds_unheld(name, self.handles);
                    self.value(member);
                }
            }
            _ => {}
        }
    }
}

/// Whether the text holds a token that the run does not. A token is the prefix and five or more
/// letters of the alphabet, as many as follow.
fn holds_unheld(text: &str, handles: &Handles) -> bool {
    let tail = |(at, _): (usize, &str)| text.get(at + PREFIX.len()..).unwrap_or_default();
    text.match_indices(PREFIX).map(tail).any(|tail| {
        let letters = tail
            .bytes()
            .take_while(|byte| ALPHABET.contains(byte))
            .count();
        let token = || [PREFIX, tail.get(..letters).unwrap_or_default()].concat();
        match letters {
            0..TOKEN_LETTERS => false,
            TOKEN_LETTERS => handles.get(&token()).is_none(),
            _ => true,
        }
    })
}

fn error(code: &str, message: &str) -> String {
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields.string("code", code).string("message", message);
    fields.close();
    out
}
