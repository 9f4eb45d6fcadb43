//! What the operator's side of the page says of an answer: the decision, the rows and their ceiling,
//! the labels. Read from the reply itself.

use super::json::Json;

/// How the rows of one answer fared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rows {
    pub(super) admitted: usize,
    pub(super) above: usize,
    pub(super) unreadable: usize,
    pub(super) cut: usize,
}

impl Rows {
    pub(super) fn of(shown: &Json) -> Self {
        let mut rows = Self::default();
        shown.items("entries").iter().for_each(|row| rows.add(row));
        shown.get("entry").into_iter().for_each(|row| rows.add(row));
        for result in shown.items("results") {
            result
                .get("entry")
                .into_iter()
                .for_each(|row| rows.add(row));
        }
        rows
    }

    fn add(&mut self, entry: &Json) {
        match (entry.text("status"), entry.text("reasonCode")) {
            (Some("admitted"), _) => self.admitted += 1,
            (Some("withheld"), Some("cfc_label_read_failed")) => self.unreadable += 1,
            (Some("withheld"), _) => self.above += 1,
            _ => {}
        }
        self.cut += usize::from(entry.get("truncated") == Some(&Json::Word("true".to_owned())));
    }

    pub(super) fn withheld(self) -> usize {
        self.above + self.unreadable
    }

    /// None when the answer has no rows.
    pub(super) fn sentence(self) -> Option<String> {
        if self.admitted + self.withheld() == 0 {
            return None;
        }
        let mut parts = vec![format!("{} admitted", self.admitted)];
        if self.above > 0 {
            parts.push(format!("{} withheld, above the ceiling", self.above));
        }
        if self.unreadable > 0 {
            parts.push(format!("{} withheld, label unreadable", self.unreadable));
        }
        if self.cut > 0 {
            parts.push(format!("{} cut to 4,000 characters", self.cut));
        }
        Some(parts.join("; "))
    }
}

/// The policy decision: its word, and what it rests on.
pub(super) fn decision(decision: &Json) -> (String, String) {
    let text = |key| decision.text(key).unwrap_or("?");
    let codes: Vec<&str> = decision
        .items("reasonCodes")
        .iter()
        .filter_map(|code| match code {
            Json::Text(code) => Some(code.as_str()),
            _ => None,
        })
        .collect();
    let (effect, slot) = (text("effectClass"), text("slot"));
    let why = format!("a {effect}, slot {slot}: {}", codes.join(", "));
    (text("decision").to_owned(), why)
}

/// Why an answer that came without rows is what it is.
pub(super) fn verdict(shown: &Json) -> Option<String> {
    let status = shown.text("status")?;
    let code = shown.text("code");
    match status {
        "error" => Some(code.unwrap_or("error").to_owned()),
        "denied" => Some(format!("denied: {}", code.unwrap_or("?"))),
        _ => None,
    }
}

/// The clauses of a label, each a line.
pub(super) fn clauses(label: &Json) -> Vec<String> {
    label.items("confidentiality").iter().map(clause).collect()
}

/// A clause as an operator writes it: an atom, or its alternatives.
pub(super) fn clause(clause: &Json) -> String {
    let alternatives = clause.items("anyOf");
    if alternatives.is_empty() {
        return atom(clause);
    }
    let alternatives: Vec<String> = alternatives.iter().map(atom).collect();
    alternatives.join(" or ")
}

fn atom(atom: &Json) -> String {
    match atom {
        Json::Text(text) => text.clone(),
        other => other.line(),
    }
}
