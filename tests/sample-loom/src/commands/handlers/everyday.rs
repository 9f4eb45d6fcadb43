//! Commands of an ordinary day: people, notes, mail, the calendar, the books.

use serde_json::{Value, json};

use super::{Outcome, Run};
use crate::clock::{DAY, format_instant, parse_day};
use crate::data::{Row, ifc};
use crate::retrieval::find_page;

/// `people-discovery.dossier`: rows that name a person. The answer has one label, so rows
/// that carry a label of their own are counted and not shown.
pub(super) fn dossier(run: &Run<'_>) -> Outcome {
    let asked = run.text("entity_id");
    let slug = asked.strip_prefix("person:").unwrap_or(asked).to_owned();
    let Some(person) = run.view.people().find(|person| person.slug == slug) else {
        return Outcome::failed("not-found", "There is no such person.");
    };
    let limit = usize::try_from(run.number("limit", 50)).unwrap_or(usize::MAX);
    let mut rows: Vec<&Row> = run
        .view
        .rows()
        .filter(|row| row.who.contains(&slug))
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.at));
    let all = rows.len();
    rows.retain(|row| row.ifc.is_none());
    let labeled = all - rows.len();
    rows.truncate(limit);
    let (messages, records): (Vec<&Row>, Vec<&Row>) =
        rows.into_iter().partition(|row| row.source == "messages");
    let shown = |rows: Vec<&Row>| -> Vec<Value> {
        let one = |row: &Row| json!({ "id": row.id, "when": format_instant(row.at, 0), "title": row.title, "text": row.text });
        rows.into_iter().map(one).collect()
    };
    Outcome::done(json!({
        "name": person.shown(),
        "messages": shown(messages),
        "records": shown(records),
        "labeled": labeled,
    }))
}

pub(super) fn notes_list(run: &Run<'_>) -> Outcome {
    let limit = usize::try_from(run.number("limit", 100)).unwrap_or(usize::MAX);
    let notes = run.state.rows();
    let shown: Vec<Value> = notes
        .iter()
        .filter(|note| run.view.shows(&note.facet))
        .take(limit)
        .map(|note| json!({ "note_id": note.id, "title": note.title, "text": note.text }))
        .collect();
    Outcome::done(json!({ "notes": shown, "version": notes.len() }))
}

pub(super) fn notes_create(run: &Run<'_>) -> Outcome {
    let facet = match run.text("facet") {
        "" => "work",
        facet => facet,
    };
    let (id, version) = run
        .state
        .add_note(run.text("title"), run.text("text"), facet);
    Outcome::done(json!({ "note_id": id, "version": version }))
        .completed(&[format!("notes.create:{id}")])
}

pub(super) fn mail_draft(run: &Run<'_>) -> Outcome {
    let id = format!("draft-{:04}", run.state.next("draft"));
    let operations = [format!("mail.draft:{id}")];
    Outcome::done(json!({ "draft_id": id })).completed(&operations)
}

/// `mail.label-all`: works through the list and stops at the first id that is no mail, so
/// a list with a stranger in it lands in part.
pub(super) fn mail_label_all(run: &Run<'_>) -> Outcome {
    let ids = run.args.get("ids").and_then(Value::as_array);
    let mut done = Vec::new();
    for id in ids.into_iter().flatten().filter_map(Value::as_str) {
        if !run
            .view
            .rows()
            .any(|row| row.id == id && row.source == "mail")
        {
            return Outcome::failed("partial", "Stopped at a message that is not there.")
                .with("may_have_landed", json!(true))
                .completed(&done);
        }
        done.push(format!("mail.label:{id}"));
    }
    Outcome::done(json!({ "labeled": done.len() })).completed(&done)
}

pub(super) fn free_busy(run: &Run<'_>) -> Outcome {
    let Some(day) = parse_day(run.text("day")) else {
        return Outcome::failed("bad-args", "`day` is a date.");
    };
    let (start, end) = (day * DAY, (day + 1) * DAY);
    let busy: Vec<Value> = run
        .view
        .events()
        .filter(|event| event.start < end && event.end > start && !event.all_day)
        .map(|event| json!([format_instant(event.start, 0), format_instant(event.end, 0)]))
        .collect();
    Outcome::done(json!({ "busy": busy }))
}

/// `projects.status`: the project is filled from the context when a call leaves it out.
pub(super) fn projects_status(run: &Run<'_>) -> Outcome {
    let Some(page) = find_page(run.view, run.text("project")) else {
        return Outcome::failed("not-found", "There is no such project.");
    };
    let (body, version) = run
        .state
        .page(&page.target)
        .unwrap_or_else(|| (page.body.clone(), page.version));
    let open = body
        .lines()
        .filter(|line| line.trim_end().ends_with('?'))
        .count();
    let told = json!({
        "project": page.title, "open": open, "recent": page.summary, "version": version,
    });
    let outcome = Outcome::done(told);
    match &page.ifc {
        Some(label) => outcome.with("ifc", label.clone()),
        None => outcome,
    }
}

pub(super) fn travel_plan(run: &Run<'_>) -> Outcome {
    let from = run.text("departure_place_or_station_name");
    let to = run.text("arrival_place_or_station_name");
    let leg = json!({ "from": from, "to": to, "by": "train" });
    Outcome::done(json!({ "legs": [leg], "minutes": 190, "changes": 0 }))
}

/// `archive.search` and `search.saved`: titles that hold the text, without a label.
pub(super) fn found(run: &Run<'_>) -> Outcome {
    let asked = format!("{}{}", run.text("text"), run.text("name")).to_lowercase();
    let holds = |row: &&Row| row.ifc.is_none() && row.title.to_lowercase().contains(&asked);
    let titles: Vec<&str> = run
        .view
        .rows()
        .filter(holds)
        .take(20)
        .map(|row| row.title.as_str())
        .collect();
    Outcome::done(json!({ "rows": titles }))
}

/// `ledger.summary`: an answer whose label fits the sample ceiling.
pub(super) fn ledger_summary(run: &Run<'_>) -> Outcome {
    let month = match run.text("month") {
        "" => "2026-05",
        month => month,
    };
    let told = json!({ "month": month, "spent": 3.92, "committed": 5.1, "version": 5 });
    labeled(Outcome::done(told), "studio")
}

/// `ledger.balance`: an answer whose label is above it.
pub(super) fn ledger_balance() -> Outcome {
    labeled(
        Outcome::done(json!({ "balance": "284310.00", "currency": "EUR" })),
        "payroll",
    )
}

/// Everything that only needs to be done: the count of such runs is its version.
pub(super) fn counted(id: &str, run: &Run<'_>) -> Outcome {
    let count = run.state.next("counted");
    Outcome::done(json!({ "done": true, "version": count })).completed(&[format!("{id}:{count}")])
}

fn labeled(outcome: Outcome, label: &str) -> Outcome {
    match ifc(label) {
        Some(label) => outcome.with("ifc", label),
        None => outcome,
    }
}
