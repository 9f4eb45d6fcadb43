//! Retrievals: what breaks a rule is not granted and starts nothing; what just does not starts
//! exactly one process, with exactly these arguments.

use crate::fixture::requests::{grant, refuse, value};

#[test]
fn a_search_for_nothing_is_refused() {
    refuse([
        "search".to_owned(),
        "search sources=mail limit=5".to_owned(),
    ]);
}

#[test]
fn a_search_with_everything_is_granted() {
    grant(
        "search query=q sources=s since=a until=b tz=t person=p limit=200 rank=score",
        &[
            "search",
            "q",
            "--json",
            "--sources",
            "s",
            "--since",
            "a",
            "--until",
            "b",
            "--tz",
            "t",
            "--person",
            "p",
            "--limit",
            "200",
            "--rank",
            "score",
        ],
    );
    grant(
        "search person=p limit=1 rank=recency",
        &[
            "search", "--json", "--person", "p", "--limit", "1", "--rank", "recency",
        ],
    );
}

#[test]
fn a_search_limit_out_of_range_is_refused() {
    refuse([0, 201, u32::MAX].map(|limit| format!("search query=a limit={limit}")));
}

#[test]
fn a_page_limit_out_of_range_is_refused() {
    refuse([0, 501, u32::MAX].map(|limit| format!("page-discover limit={limit}")));
}

#[test]
fn a_page_limit_at_its_bounds_is_granted() {
    let all = ["page", "discover", "--json", "--concise"];
    grant(
        "page-discover limit=500",
        &[&all[..], &["--limit", "500"]].concat(),
    );
    grant(
        "page-discover kind=entities limit=1",
        &[&all[..], &["--kind", "entities", "--limit", "1"]].concat(),
    );
}

#[test]
fn a_people_query_that_is_a_verb_is_refused() {
    let verbs = [
        "add",
        "merge",
        "split",
        "delete",
        "set",
        "link",
        "unlink",
        "rebuild",
        "refresh",
        "group",
        "group add",
        "groups",
        "list",
        "help",
        "note",
        "me",
        "handle",
        "person",
        "group:",
        "person:",
        "handle:",
        "Person:ada",
        " handle:ada",
    ];
    refuse(verbs.map(|verb| format!("people query={}", value(verb))));
}

#[test]
fn a_people_query_that_is_nearly_a_lookup_is_refused() {
    let nearly = [
        "ada",
        "@b",
        "a@",
        "a@b@c",
        "a b@c",
        "a@b c",
        "a@b\u{a0}c",
        "123",
        "1234",
        "+1234",
        "++12345",
        "12345x",
        "+",
        "(555) 0100",
        "People/about.md",
        "People//about.md",
        "People/../about.md",
        "People/./about.md",
        "People/a/b/about.md",
        "People/a/about.md/x",
        "people/a/about.md",
        "/People/a/about.md",
        "People/a/secrets.md",
        "٠٠٠٠٠",
    ];
    refuse(nearly.map(|query| format!("people query={}", value(query))));
}

#[test]
fn a_people_query_that_is_a_lookup_is_granted() {
    let lookups = [
        "a@b",
        "12345",
        "+1 (555) 010-0100",
        "handle:a",
        "person:-",
        "group:a b",
        "People/Ada Lovelace/about.md",
        "People/.../about.md",
    ];
    for lookup in lookups {
        let line = format!("people shape=card query={}", value(lookup));
        grant(&line, &["people", lookup, "--json", "--shape", "card"]);
    }
}

#[test]
fn a_date_that_is_no_day_is_refused() {
    let dates = [
        "",
        "2026",
        "2026-02-29",
        "1900-02-29",
        "2026-04-31",
        "2026-00-10",
        "2026-13-10",
        "2026-01-00",
        "2026-01-32",
        "0000-01-01",
        "10000-01-01",
        "2026-1-01",
        "2026-01-1",
        "26-01-01",
        "-026-01-01",
        "+026-01-01",
        " 2026-01-01",
        "2026-01-01 ",
        "2026-01-01\n",
        "2026-01-01T00:00",
        "2026/01/01",
        "tomorrow",
        "２０２６-01-01",
        "2026-01-01-01",
        "--all",
    ];
    refuse(dates.into_iter().flat_map(|date| {
        ["from", "to"].map(|end| format!("calendar-bounded {end}={}", value(date)))
    }));
}

#[test]
fn a_date_that_is_a_day_is_granted() {
    let list = ["calendar", "list", "--json"];
    grant(
        "calendar-bounded from=0001-01-01 to=9999-12-31",
        &[&list[..], &["--from", "0001-01-01", "--to", "9999-12-31"]].concat(),
    );
    grant(
        "calendar-bounded to=2000-02-29",
        &[&list[..], &["--to", "2000-02-29"]].concat(),
    );
    grant("calendar-bounded", &list);
    grant("calendar", &list);
    grant("calendar-all", &["calendar", "list", "--json", "--all"]);
}

#[test]
fn a_location_with_a_span_is_refused() {
    refuse(
        [
            "location since=a",
            "location until=a",
            "location at=a since=b",
        ]
        .map(str::to_owned),
    );
}

#[test]
fn a_location_and_an_activity_are_granted() {
    grant(
        "location at=a",
        &["context", "where", "--json", "--at", "a"],
    );
    grant(
        "activity at=a since=b until=c",
        &[
            "context", "activity", "--json", "--at", "a", "--since", "b", "--until", "c",
        ],
    );
}

#[test]
fn a_profile_and_a_listing_take_no_text() {
    grant("profile", &["profile", "--json"]);
    grant("profile-fresh", &["profile", "--json", "--fresh"]);
    grant("command-list", &["command", "list", "--json"]);
}
