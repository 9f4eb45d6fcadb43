//! `loom-tools audit`: a sound configuration passes, and each way to be unsound is told with its
//! remedy.

use std::fs;
use std::os::unix::fs::{chown, symlink};

use loom_tools_host::component::EMBEDDED;
use serde_json::Value;

use crate::bed::{Bed, Done};

fn audit(bed: &Bed) -> Done {
    bed.with_run("audit", &[], "")
}

fn json(bed: &Bed, more: &[&str]) -> Value {
    let done = bed.with_run("audit", &[&["--json"], more].concat(), "");
    serde_json::from_str(&done.out()).unwrap()
}

/// A component that imports interfaces, each with functions, and exports nothing.
fn component(imports: &[(&str, &[&str])]) -> Vec<u8> {
    let name = |name: &str| [&[0, u8::try_from(name.len()).unwrap()], name.as_bytes()].concat();
    let section = |id: u8, items: Vec<Vec<u8>>| {
        let count = [u8::try_from(items.len()).unwrap()];
        let body = [&count[..], &items.concat()].concat();
        // Two bytes of LEB128 hold every size here.
        let size = u8::try_from(body.len() >> 7).unwrap();
        let low = u8::try_from(body.len() & 0x7f).unwrap() | 0x80;
        [&[id, low, size], &body[..]].concat()
    };
    let instance = |(_, functions): &(&str, &[&str])| {
        let function = |function: &&str| {
            let (ty, export) = ([0x01, 0x40, 0x00, 0x01, 0x00], name(function));
            [&ty[..], &[0x04], &export[..], &[0x01]].concat()
        };
        let mut bytes = vec![0x42, u8::try_from(functions.len() * 2).unwrap()];
        for (at, one) in functions.iter().enumerate() {
            bytes.extend(function(one));
            bytes.push(u8::try_from(at).unwrap());
        }
        bytes
    };
    let types = imports.iter().map(instance).collect();
    let imports = imports.iter().enumerate().map(|(at, (interface, _))| {
        [&name(interface)[..], &[0x05, u8::try_from(at).unwrap()]].concat()
    });
    let head = b"\0asm\x0d\0\x01\0";
    [
        &head[..],
        &section(7, types),
        &section(10, imports.collect()),
    ]
    .concat()
}

#[test]
fn a_sound_configuration_passes_and_starts_nothing() {
    let bed = Bed::new();
    audit(&bed)
        .exits(0)
        .says("imports  loom:tools/process@0.1.0 { run-loom }")
        .says("The imports are exactly the one function that is granted.")
        .says("OK: nothing is wrong.")
        .says("search [QUERY] --json [--sources SOURCES]");
    assert_eq!(bed.started(), 0);
}

#[test]
fn the_page_says_what_the_run_may_do() {
    let bed = Bed::new();
    let report = json(
        &bed,
        &["--allow-tool", "run_command", "--command-job-id", "j"],
    );
    assert_eq!(report["ok"], true);
    let notes = report["notes"].as_array().unwrap();
    let dropped = |note: &&Value| note.as_str().unwrap().contains("reaches no process");
    assert_eq!(notes.iter().filter(dropped).count(), 1, "{notes:?}");
    let grant = &report["grant"];
    assert_eq!(
        grant["kinds"],
        serde_json::json!(["command-list", "command-run"])
    );
    assert_eq!(grant["writes"], true);
    let cli = report["places"].as_array().unwrap();
    let cli = cli
        .iter()
        .find(|place| place["role"] == "command CLI")
        .unwrap();
    assert_eq!(cli["mode"], "0755");
    assert_eq!(cli["sha256"].as_str().unwrap().len(), 64);
    let names = &report["environment"]["retrieval"];
    let queues = ["LOOM_PAGE_RPC_QUEUE", "LOOM_SEARCH_BROKER_QUEUE"];
    assert_eq!(names.as_array().unwrap()[1..], queues);
}

#[test]
fn a_cli_that_anyone_can_write_is_wrong() {
    let bed = Bed::new();
    bed.mode("loom", 0o757);
    let cli = bed.path("loom");
    audit(&bed)
        .exits(1)
        .says("can be written by anyone, who could so replace or change the retrieval CLI")
        .says(&format!("type `chmod go-w {}`", cli.display()));
    bed.mode("loom", 0o775);
    audit(&bed).exits(1).says("can be written by group");
}

#[test]
fn a_cli_below_a_directory_that_anyone_can_write_is_wrong() {
    let bed = Bed::new();
    fs::create_dir_all(bed.path("shared/bin")).unwrap();
    fs::rename(bed.path("loom"), bed.path("shared/bin/loom")).unwrap();
    bed.configure(&bed.path("shared/bin/loom"), &bed.path("queue"));
    bed.mode("shared", 0o777);
    let shared = format!("{} can be written by anyone", bed.path("shared").display());
    audit(&bed).exits(1).says(&shared);
    // Where the sticky bit is set, only its owner and root can replace what is in it.
    bed.mode("shared", 0o1777);
    audit(&bed).exits(0);
}

#[test]
fn a_link_on_the_way_counts() {
    let bed = Bed::new();
    fs::create_dir(bed.path("links")).unwrap();
    symlink("../loom", bed.path("links/loom")).unwrap();
    symlink(bed.path("links"), bed.path("way")).unwrap();
    bed.configure(&bed.path("way/loom"), &bed.path("queue"));
    let resolved = format!("leads to {}", bed.path("loom").display());
    audit(&bed).exits(0).says(&resolved);
    bed.mode("links", 0o777);
    let links = format!("{} can be written by anyone", bed.path("links").display());
    audit(&bed).exits(1).says(&links);
    fs::remove_file(bed.path("links/loom")).unwrap();
    symlink("loom", bed.path("links/loom")).unwrap();
    audit(&bed)
        .exits(1)
        .says("cannot be looked at")
        .says("correct `cliPath`");
}

#[test]
fn somebody_elses_directory_on_the_way_is_wrong() {
    let bed = Bed::new();
    fs::create_dir(bed.path("theirs")).unwrap();
    fs::rename(bed.path("loom"), bed.path("theirs/loom")).unwrap();
    bed.configure(&bed.path("theirs/loom"), &bed.path("queue"));
    if chown(bed.path("theirs"), Some(12_345), None).is_err() {
        // Only root can give a directory away.
        return;
    }
    let theirs = format!("{} belongs to user 12345", bed.path("theirs").display());
    audit(&bed).exits(1).says(&theirs);
    // Its owner may, when what it leads to is theirs too.
    chown(bed.path("theirs/loom"), Some(12_345), None).unwrap();
    audit(&bed).exits(0);
}

#[test]
fn a_queue_in_a_shared_directory_is_wrong() {
    let bed = Bed::new();
    fs::create_dir_all(bed.path("shared/queue")).unwrap();
    bed.configure(&bed.path("loom"), &bed.path("shared/queue"));
    bed.mode("shared", 0o777);
    audit(&bed)
        .exits(1)
        .says("could so replace or change the retrieval queue, the command queue")
        .says("move what is in it to a directory of its owner's alone");
    // The queue itself is shared: the sticky bit does not keep anyone from writing requests.
    bed.configure(&bed.path("loom"), &bed.path("queue"));
    bed.mode("queue", 0o1777);
    let queue = format!("type `chmod go-w {}`", bed.path("queue").display());
    audit(&bed).exits(1).says(&queue);
}

#[test]
fn a_ceiling_record_that_others_can_write_is_wrong() {
    let bed = Bed::new();
    bed.write("ceiling.json", RECORD);
    bed.mode("ceiling.json", 0o666);
    name_a_record(&bed, "");
    audit(&bed)
        .exits(1)
        .says("replace or change the read-ceiling record");
    bed.mode("ceiling.json", 0o644);
    audit(&bed).exits(0);
    fs::remove_file(bed.path("ceiling.json")).unwrap();
    audit(&bed)
        .exits(1)
        .says("correct `readCeilingFile` of the retrieval configuration");
}

/// A sound read-ceiling record.
const RECORD: &str = r#"{"loomReadCeiling":["work"],"facets":["work"],"facetSource":"run"}"#;

/// Has the retrieval configuration name `ceiling.json`, with more keys before it.
fn name_a_record(bed: &Bed, more: &str) {
    bed.configure(&bed.path("loom"), &bed.path("queue"));
    let config = bed.read("retrieval.json");
    let record = bed.path("ceiling.json");
    let record = format!("{{{more}\"readCeilingFile\":\"{}\",", record.display());
    bed.write("retrieval.json", config.replacen('{', &record, 1));
}

#[test]
fn a_ceiling_record_that_refuses_every_call_is_wrong() {
    let bed = Bed::new();
    name_a_record(&bed, "");
    for bad in [
        "",
        "[]",
        "{}",
        r#"{"loomReadCeiling":[],"facets":["work"],"facetSource":"run"}"#,
        r#"{"loomReadCeiling":[1],"facets":["work"],"facetSource":"run"}"#,
        r#"{"loomReadCeiling":["work"],"facets":[],"facetSource":"run"}"#,
        r#"{"loomReadCeiling":["work"],"facets":["work"],"facetSource":""}"#,
    ] {
        bed.write("ceiling.json", bad);
        for more in [&[][..], &["--enforcement-mode=enforce-strict"]] {
            bed.with_run("audit", more, "")
                .exits(1)
                .says("every call would be refused with `ceiling_unavailable`")
                .says("1 thing is wrong");
        }
    }
    bed.write("ceiling.json", RECORD);
    audit(&bed).exits(0);
    name_a_record(&bed, "\"facets\":[\"home\"],");
    audit(&bed).exits(1).says("read-ceiling record: every call");
    assert_eq!(bed.started(), 0);
}

#[test]
fn an_extra_import_is_wrong() {
    let bed = Bed::new();
    let process = "loom:tools/process@0.1.0";
    let extra = "wasi:cli/environment@0.2.0";
    bed.write(
        "extra.wasm",
        component(&[(process, &["run-loom"]), (extra, &[])]),
    );
    bed.with_run("audit", &["--component", "extra.wasm"], "")
        .exits(1)
        .says("it imports more than `loom:tools/process@0.1.0`: `wasi:cli/environment@0.2.0`")
        .says("use a component built from this project")
        .says("The imports are NOT exactly the one function that is granted.");
    bed.write(
        "extra.wasm",
        component(&[(process, &["run-loom", "read-file"])]),
    );
    bed.with_run("audit", &["--component", "extra.wasm"], "")
        .exits(1)
        .says(
            "it imports more than `loom:tools/process@0.1.0`: `loom:tools/process@0.1.0#read-file`",
        );
}

#[test]
fn bytes_that_are_no_component_are_wrong() {
    let bed = Bed::new();
    for bytes in [
        &b""[..],
        b"\0asm\x01\0\0\0",
        b"hello",
        &EMBEDDED[..EMBEDDED.len() / 2],
    ] {
        bed.write("other.wasm", bytes);
        let done = bed.with_run("audit", &["--component", "other.wasm"], "");
        done.exits(1).says("is refused: it is not");
    }
    let done = bed.with_run("audit", &["--component", "missing.wasm"], "");
    done.exits(1).says("correct `--component`");
}

#[test]
fn a_digest_that_is_not_the_pinned_one_is_wrong() {
    let bed = Bed::new();
    let pinned = "0".repeat(64);
    bed.with_run("audit", &["--component-sha256", &pinned], "")
        .exits(1)
        .says("not the pinned 0000")
        .says("give its digest as `--component-sha256`");
    let report = json(&bed, &[]);
    let digest = report["component"]["sha256"].as_str().unwrap();
    bed.with_run("audit", &["--component-sha256", digest], "")
        .exits(0);
}

#[test]
fn a_misspelt_key_is_wrong() {
    let bed = Bed::new();
    let config = bed.read("retrieval.json");
    let misspelt = config.replacen('{', "{\"readCeilingFle\":\"/x\",", 1);
    bed.write("retrieval.json", misspelt);
    audit(&bed)
        .exits(1)
        .says("`readCeilingFle` is not a known key; write `readCeilingFile` or remove it");
}

#[test]
fn what_a_run_would_refuse_is_wrong() {
    let bed = Bed::new();
    let done = bed.with_run("audit", &["--allow-tool", "loom_serch"], "");
    done.exits(1).says("the nearest are loom_search");
    let done = bed.with_run("audit", &["--run-manifest", "missing.json"], "");
    done.exits(1).says("missing.json cannot be read");
    let done = bed.run(&["audit", "--run-id", "a b"], "");
    done.exits(1)
        .says("--run-id: The run id must be 1 to 128 characters");
    for ceiling in ["nonsense", "null", "{}", "[1]"] {
        let done = bed.with_run("audit", &["--max-confidentiality", ceiling], "");
        done.exits(1)
            .says("ceilings: A confidentiality ceiling must be a JSON list of clauses");
    }
    bed.with_run("audit", &["--max-confidentiality", "[]"], "")
        .exits(0);
    let done = bed.with_run("audit", &["--cache-dir", "/dev/null"], "");
    done.exits(1).says("--cache-dir: /dev/null: ");
    fs::remove_file(bed.path("loom")).unwrap();
    audit(&bed)
        .exits(1)
        .says("correct `cliPath` of the retrieval configuration");
    fs::create_dir(bed.path("loom")).unwrap();
    audit(&bed).exits(1).says("is no regular file");
}

#[test]
fn what_an_audit_cannot_do_is_refused_and_not_ignored() {
    let bed = Bed::new();
    for flag in ["--audit-log", "--record"] {
        let done = bed.with_run("audit", &[flag, "file"], "");
        done.exits(2)
            .says(&format!("{flag}: an audit runs nothing"));
        assert!(!bed.path("file").exists());
    }
}

#[test]
fn without_a_configuration_nothing_is_granted_and_nothing_is_wrong() {
    let bed = Bed::new();
    let done = bed.run(&["audit"], "");
    done.exits(0)
        .says("requests: none")
        .says("a run could start nothing");
}
