//! Host commands through the built binary and a real broker.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "helpers of tests fail by panicking too"
)]

mod common;

use std::os::unix::process::ExitStatusExt;

use common::{Bench, bare, spawn, text};
use serde_json::{Value, json};

fn rows(listing: &Value) -> &Vec<Value> {
    listing["commands"].as_array().unwrap()
}

fn row<'a>(listing: &'a Value, id: &str) -> Option<&'a Value> {
    rows(listing).iter().find(|row| row["id"] == id)
}

#[test]
fn the_whole_manifest_is_listed_with_its_odd_rows() {
    let listing = Bench::new().json(&["command", "list", "--json"]);
    assert_eq!(rows(&listing).len(), 42);
    assert_eq!(
        rows(&listing)
            .iter()
            .filter(|row| row["id"] == "notes.list")
            .count(),
        2
    );
    assert_eq!(
        rows(&listing).iter().filter(|row| !row.is_object()).count(),
        2
    );
    assert!(
        row(&listing, "reports.export").unwrap()["inputs"]
            .to_string()
            .len()
            > 16 << 10
    );
    assert_eq!(
        row(&listing, "notes.list").unwrap()["readOnlyGranted"],
        true
    );
    assert_eq!(
        row(&listing, "calendar.free-busy")
            .unwrap()
            .get("readOnlyGranted"),
        None
    );
}

#[test]
fn a_scope_narrows_what_is_listed_and_what_runs() {
    let bench = Bench::with(|options| options.scope = vec!["notes.".into(), "diag.echo".into()]);
    let listing = bench.json(&["command", "list", "--json"]);
    let ids: Vec<&str> = rows(&listing)
        .iter()
        .map(|row| row["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        ["notes.list", "notes.create", "notes.list", "diag.echo"]
    );
    assert_eq!(bench.told("looms.list", "{}", &[])["code"], "forbidden");
    assert_eq!(
        bench.told("no.such.command", "{}", &[])["code"],
        "forbidden"
    );
    assert_eq!(bench.told("notes.list", "{}", &[])["ok"], true);
}

#[test]
fn what_is_for_people_only_is_refused() {
    let bench = Bench::new();
    for id in [
        "mail.send",
        "board.vote",
        "payroll.approve",
        "health.export",
        "onboarding.start",
    ] {
        assert_eq!(bench.told(id, "{}", &[])["code"], "refused", "{id}");
    }
}

#[test]
fn args_that_do_not_match_are_bad_args() {
    let bench = Bench::new();
    for (id, args) in [
        ("notes.create", "{\"title\":\"x\"}"),
        (
            "notes.create",
            "{\"title\":\"x\",\"text\":\"y\",\"more\":1}",
        ),
        (
            "people-discovery.dossier",
            "{\"entity_id\":\"x\",\"limit\":0}",
        ),
        ("photos.caption", "{\"photo\":\"p\",\"style\":\"loud\"}"),
        (
            "mail.draft",
            "{\"to\":[{\"mail\":\"a@b\"}],\"subject\":\"s\"}",
        ),
        ("projects.status", "{}"),
        ("diag.echo", "[]"),
        ("diag.echo", ""),
    ] {
        assert_eq!(bench.told(id, args, &[])["code"], "bad-args", "{id} {args}");
    }
}

#[test]
fn notes_are_kept_and_found() {
    let bench = Bench::new();
    let made = bench.told(
        "notes.create",
        "{\"title\":\"Zirbel\",\"text\":\"a word nobody else uses\"}",
        &[],
    );
    assert_eq!(
        made["outputs"],
        json!({ "note_id": "note-new-0001", "version": 1 })
    );
    assert_eq!(made["completed"], json!(["notes.create:note-new-0001"]));
    assert_eq!(
        bench.told("notes.list", "{}", &["--read-only"])["outputs"]["notes"][0]["title"],
        "Zirbel"
    );
    assert_eq!(
        bench.json(&["search", "zirbel", "--json"])["hits"][0]["id"],
        "note-new-0001"
    );
}

#[test]
fn a_page_is_written_over_the_version_that_was_read() {
    let bench = Bench::new();
    let write = "{\"target\":\"Projects/Studio Move/about.md\",\"body\":\"# Moved\"}";
    let conflict = bench.told("page.write", write, &["--expect", "1"]);
    assert_eq!(
        (&conflict["code"], &conflict["current"]),
        (&json!("version-conflict"), &json!(2))
    );
    let written = bench.told("page.write", write, &["--expect", "2"]);
    assert_eq!(written["outputs"]["version"], 3);
    let page = bench.json(&["page", "read", "Studio Move", "--json"]);
    assert_eq!(
        (&page["body"], &page["version"]),
        (&json!("# Moved"), &json!(3))
    );
    assert_eq!(
        bench.told("page.write", write, &["--expect", "2"])["ok"],
        false
    );
}

#[test]
fn a_loom_is_made_renamed_and_named_by_the_call() {
    let bench = Bench::new();
    let made = bench.told(
        "looms.create",
        "{\"title\":\"A\",\"panels\":[{\"kind\":\"notes\"}]}",
        &[],
    );
    let id = made["outputs"]["loom_id"].as_str().unwrap();
    assert_eq!(id.len(), 21);
    assert_eq!(
        bench.told("looms.outline", "{}", &[])["code"],
        "loom-required"
    );
    assert_eq!(
        bench.told("looms.outline", "{}", &["--loom", "loom-ffffffffffffffff"])["code"],
        "unknown-loom"
    );
    let renamed = bench.told(
        "looms.rename",
        "{\"title\":\"B\"}",
        &["--loom", id, "--expect", "1"],
    );
    assert_eq!(renamed["outputs"], json!({ "title": "B", "version": 2 }));
    let known = bench.told(
        "looms.outline",
        "{}",
        &["--loom", "loom-0123456789abcdef", "--read-only"],
    );
    assert_eq!(known["outputs"]["version"], 3);
}

#[test]
fn a_write_that_lands_in_part_tells_what_it_completed() {
    let told = Bench::new().told(
        "mail.label-all",
        "{\"ids\":[\"mail-0001\",\"mail-0003\",\"gone\"],\"label\":\"x\"}",
        &[],
    );
    assert_eq!(
        (&told["ok"], &told["may_have_landed"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(
        told["completed"],
        json!(["mail.label:mail-0001", "mail.label:mail-0003"])
    );
}

#[test]
fn read_only_needs_a_read_that_is_granted_now() {
    let bench = Bench::new();
    for id in ["notes.create", "calendar.free-busy", "search.saved"] {
        assert_eq!(
            bench.told(id, "{}", &["--read-only"])["code"],
            "forbidden",
            "{id}"
        );
    }
    assert!(bench.broker.revoke("notes.list") && !bench.broker.revoke("no.such"));
    assert_eq!(
        bench.told("notes.list", "{}", &["--read-only"])["code"],
        "forbidden"
    );
    let listing = bench.json(&["command", "list", "--json"]);
    assert_eq!(
        row(&listing, "notes.list").unwrap().get("readOnlyGranted"),
        None
    );
    assert!(bench.broker.regrant("calendar.free-busy"));
    let busy = bench.told(
        "calendar.free-busy",
        "{\"day\":\"2026-06-26\"}",
        &["--read-only"],
    );
    assert_eq!(busy["outputs"]["busy"].as_array().unwrap().len(), 2);
    assert!(bench.broker.regrant("notes.create"));
    assert_eq!(
        bench.told("notes.create", "{}", &["--read-only"])["code"],
        "forbidden"
    );
}

#[test]
fn a_command_is_withdrawn_and_restored_while_the_broker_runs() {
    let bench = Bench::new();
    let control = |verb: &str, command: &str| {
        let queue = bench.dir.queue();
        let args = ["control", "--queue", queue.to_str().unwrap(), verb, command];
        bare(&args).output().unwrap().status.code()
    };
    assert_eq!(control("withdraw", "looms.list"), Some(0));
    assert!(row(&bench.json(&["command", "list", "--json"]), "looms.list").is_none());
    assert_eq!(bench.told("looms.list", "{}", &[])["code"], "forbidden");
    assert_eq!(control("restore", "looms.list"), Some(0));
    assert_eq!(bench.told("looms.list", "{}", &[])["ok"], true);
    assert_eq!(control("withdraw", "no.such"), Some(1));
    assert_eq!(control("destroy", "looms.list"), Some(2));
}

#[test]
fn a_broker_that_requires_a_job_forbids_every_other() {
    let bench = Bench::with(|options| options.job_id = Some("job-7".into()));
    assert_eq!(
        bench.loom(&["command", "list", "--json"]).status.code(),
        Some(1)
    );
    assert_eq!(bench.told("notes.list", "{}", &[])["code"], "forbidden");
    let with = |job: &str| {
        let mut command = bare(&["command", "list", "--json"]);
        command
            .env("LOOM_PAGE_RPC_QUEUE", bench.dir.queue())
            .env("LOOM_COMMAND_JOB_ID", job);
        command.output().unwrap().status.code()
    };
    assert_eq!((with("job-8"), with("job-7")), (Some(1), Some(0)));
}

#[test]
fn an_echo_keeps_numbers_as_they_were_written() {
    let output = Bench::new().command(
        "diag.echo",
        "{\"n\":12345678901234567890123,\"m\":1.50}",
        &["--expect", "4"],
    );
    let expected = "{\"ok\":true,\"id\":\"diag.echo\",\"outputs\":{\"args\":{\"n\":12345678901234567890123,\"m\":1.50},\"loom\":null,\"expect\":4}}\n";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn the_difficult_commands_are_difficult() {
    let bench = Bench::new();
    let flood = bench.command("diag.flood", "{}", &[]);
    assert!(
        (1 << 20..2 << 20).contains(&flood.stdout.len()),
        "{}",
        flood.stdout.len()
    );
    let dead = bench.command("diag.die", "{}", &[]);
    assert_eq!((dead.status.code(), dead.status.signal()), (None, Some(6)));
    assert!(dead.stdout.is_empty());
    let garbled = bench.command("diag.garble", "{}", &[]);
    assert!(serde_json::from_slice::<Value>(&garbled.stdout).is_err());
    let shapeless = bench.command("diag.shapeless", "{}", &[]);
    assert_eq!(
        serde_json::from_slice::<Value>(&shapeless.stdout).unwrap()["ok"],
        "yes"
    );
    assert!(
        bench.told("ledger.balance", "{}", &[])["ifc"]
            .to_string()
            .contains("payroll")
    );
    assert!(
        bench.told("ledger.summary", "{}", &[])["ifc"]
            .to_string()
            .contains("loom:facet:work")
    );
}

#[test]
fn a_client_killed_while_it_waits_disturbs_nobody() {
    let bench = Bench::new();
    let args = ["command", "run", "diag.sleep", "--args-json", "-", "--json"];
    let mut client = spawn(&bench.dir.queue(), &args, "{\"ms\":50}");
    std::thread::sleep(std::time::Duration::from_millis(20));
    client.kill().unwrap();
    client.wait().unwrap();
    assert_eq!(bench.told("looms.list", "{}", &[])["ok"], true);
}

#[test]
fn the_rest_of_the_manifest_runs_as_its_schema_says() {
    let bench = Bench::new();
    for (id, args) in [
        (
            "people-discovery.dossier",
            "{\"entity_id\":\"ilse-brandt\",\"limit\":3}",
        ),
        ("page.history", "{\"target\":\"Harbour Library\"}"),
        (
            "mail.draft",
            "{\"to\":[{\"email\":\"a@b.example\",\"name\":null}],\"subject\":\"s\"}",
        ),
        (
            "calendar.propose",
            "{\"with\":[\"ilse\"],\"when\":{\"from\":\"a\",\"to\":\"b\"},\"place\":null}",
        ),
        (
            "projects.status",
            "{\"window\":{\"days\":7,\"x-ray\":true}}",
        ),
        (
            "photos.caption",
            "{\"photo\":\"p\",\"style\":\"either|or\",\"tone\":\"dry\"}",
        ),
        ("reports.export", "{\"column-007\":\"x\"}"),
        ("search.saved", "{\"name\":\"permit\"}"),
        (
            "archive.search",
            "{\"text\":\"permit\",\"kinds\":[\"letter\"]}",
        ),
        ("home.scene", "{\"room\":\"kitchen\",\"level\":0.4}"),
        ("tasks.sync", "{}"),
        ("tasks.toggle", "{\"anything\":1}"),
        (
            "travel.plan",
            "{\"departure_place_or_station_name\":\"a\",\"arrival_place_or_station_name\":\"b\",\"earliest_departure_date_and_time\":\"c\"}",
        ),
    ] {
        assert_eq!(bench.told(id, args, &[])["ok"], true, "{id}");
    }
}
