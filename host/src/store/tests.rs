use std::io::{self, Error, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use cap_std::fs::{Dir, PermissionsExt};
use serde_json::Value;
use tempfile::TempDir;

use super::dir::Step;
use super::*;

const PUBLIC: &str = r#"{"confidentiality":[],"integrity":[]}"#;

fn document(value: &str) -> (String, String) {
    let bytes = format!(r#"{{"label":{PUBLIC},"value":{value}}}"#);
    (Link::to(bytes.as_bytes()).to_string(), bytes)
}

/// What the component returns for a result that cites two rows and leaves one uncited.
fn resolved() -> String {
    let (one, _) = document(r#"{"a":1.50}"#);
    let (two, _) = document(r#"{"b":"two"}"#);
    format!(
        r#"{{"result":{{"z":{{"@link":"{one}"}},"a":[{{"@link":"{two}"}}]}},
        "documents":[
          {{"token":"cfh:v:22222","link":"{one}","value":{{"a":1.50}},"label":{PUBLIC}}},
          {{"token":"cfh:v:33333","link":"{two}","value":{{"b":"two"}},"label":{PUBLIC}}}],
        "uncited":[{{"token":"cfh:v:44444","label":{{"integrity":[],"confidentiality":["s"]}}}}],
        "label":{PUBLIC}}}"#
    )
}

fn temporary() -> (TempDir, Dir) {
    let temporary = TempDir::new().unwrap();
    let dir = Dir::open_ambient_dir(temporary.path(), cap_std::ambient_authority()).unwrap();
    (temporary, dir)
}

fn names(dir: &Dir) -> Vec<String> {
    let entries = dir.entries().unwrap();
    let mut names: Vec<_> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn sound(dir: &Dir, link: &str) -> bool {
    let store = DirStore::holding(dir.try_clone().unwrap());
    store.get(&Link::parse(link).unwrap()).unwrap().is_some()
}

#[test]
fn canonical_json_sorts_keys_at_every_depth_and_keeps_numbers() {
    let raw = |text: &str| {
        let raw = serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
        canonical::canonical(&raw).unwrap()
    };
    assert_eq!(
        raw(
            r#"{"é":1, "b": [ {"z": 1.50, "a": 12345678901234567890} ], "a": {"B":1e400,"A":{ }}, "":[ ]}"#
        ),
        r#"{"":[],"a":{"A":{},"B":1e400},"b":[{"a":12345678901234567890,"z":1.50}],"é":1}"#
    );
    assert_eq!(raw(r#""\u0041\u001f\/\n""#), r#""A\u001f/\n""#);
}

#[test]
fn a_result_is_written_with_each_document_it_links_to_and_a_receipt() {
    let (_temporary, dir) = temporary();
    let store = DirStore::holding(dir.try_clone().unwrap());
    let written = write_result(&store, &resolved()).unwrap();
    assert_eq!(written.documents.len(), 2);
    assert_eq!(written.receipt.uncited, 1);
    assert_eq!(
        written.receipt.labels_sha256,
        Sha256Hex::of(br#"[{"confidentiality":["s"],"integrity":[]}]"#).to_string()
    );
    assert_eq!(names(&dir).len(), 3, "an uncited row leaves no file");
    for link in written.documents.iter().chain([&written.link]) {
        assert!(sound(&dir, link));
        let name = format!("{}.json", Link::parse(link).unwrap().digest());
        assert_eq!(
            dir.metadata(name).unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let result = store
        .get(&Link::parse(&written.link).unwrap())
        .unwrap()
        .unwrap();
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!(result["value"]["z"]["@link"], written.documents[0]);
    assert_eq!(result["receipt"]["uncited"], 1);
}

#[test]
fn a_document_cited_twice_is_written_once() {
    let (_temporary, dir) = temporary();
    let (one, _) = document("1");
    let doc = format!(r#"{{"token":"t","link":"{one}","value":1,"label":{PUBLIC}}}"#);
    let resolved =
        format!(r#"{{"result":1,"documents":[{doc},{doc}],"uncited":[],"label":{PUBLIC}}}"#);
    let written = write_result(&DirStore::holding(dir), &resolved).unwrap();
    assert_eq!(written.documents, [one]);
}

#[test]
fn a_component_that_lies_about_a_link_gets_nothing_written() {
    let (_temporary, dir) = temporary();
    let store = DirStore::holding(dir.try_clone().unwrap());
    let lie = resolved().replace(r#""value":{"b":"two"}"#, r#""value":{"b":"three"}"#);
    assert!(matches!(
        write_result(&store, &lie),
        Err(WriteError::WrongLink(_))
    ));
    assert!(matches!(
        write_result(&store, "{}"),
        Err(WriteError::Malformed(_))
    ));
    assert!(names(&dir).is_empty());
}

#[test]
fn a_writer_killed_at_any_step_leaves_no_result_without_its_documents() {
    // Count the steps of a whole write, then die before each one of them.
    let count = |limit: usize| {
        let (temporary, dir) = temporary();
        let seen = Arc::new(AtomicUsize::new(0));
        let steps = Arc::clone(&seen);
        let store = DirStore::failing(dir.try_clone().unwrap(), move |_| {
            // Dead from the limit on: no clean-up happens either.
            match steps.fetch_add(1, Ordering::SeqCst) {
                step if step < limit => Ok(()),
                _ => Err(Error::other("killed")),
            }
        });
        let written = write_result(&store, &resolved());
        (temporary, dir, written, seen.load(Ordering::SeqCst))
    };
    let (_temporary, _, written, total) = count(usize::MAX);
    let written = written.unwrap();
    assert!(total >= 18, "three documents of six steps, got {total}");
    for limit in 0..total {
        let (_temporary, dir, result, _) = count(limit);
        assert!(matches!(result, Err(WriteError::Store(_))), "step {limit}");
        if sound(&dir, &written.link) {
            assert!(
                written.documents.iter().all(|link| sound(&dir, link)),
                "step {limit}"
            );
        }
        // Whatever was left behind, the next writer completes it.
        let again = write_result(&DirStore::holding(dir.try_clone().unwrap()), &resolved());
        assert_eq!(again.unwrap().link, written.link);
        assert!(written.documents.iter().all(|link| sound(&dir, link)));
    }
}

#[test]
fn a_write_that_fails_says_so_and_leaves_no_temporary_file() {
    for step in [Step::Create, Step::Write, Step::Sync, Step::Rename] {
        let (_temporary, dir) = temporary();
        let full = move |at| {
            if at == step {
                Err(Error::from(ErrorKind::StorageFull))
            } else {
                Ok(())
            }
        };
        let store = DirStore::failing(dir.try_clone().unwrap(), full);
        let error = write_result(&store, &resolved()).unwrap_err().to_string();
        assert!(
            error.starts_with("no result was written: the store failed"),
            "{error}"
        );
        assert!(names(&dir).is_empty(), "{step:?}");
    }
}

#[test]
fn the_result_is_put_in_place_last_and_the_directory_synced_after_each_rename() {
    let (_temporary, dir) = temporary();
    let steps = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&steps);
    let store = DirStore::failing(dir, move |step| {
        log.lock().unwrap().push(step);
        Ok(())
    });
    write_result(&store, &resolved()).unwrap();
    use Step::{Create, Look, Rename, Sync, SyncDirectory, Write};
    let one = [Look, Create, Write, Sync, Rename, SyncDirectory];
    assert_eq!(*steps.lock().unwrap(), one.repeat(3));
}

#[test]
fn a_document_that_is_there_already_is_made_durable_before_it_is_said_to_be_kept() {
    let (_temporary, dir) = temporary();
    let unsynced = DirStore::failing(dir.try_clone().unwrap(), |step| match step {
        Step::SyncDirectory => Err(Error::from(ErrorKind::StorageFull)),
        _ => Ok(()),
    });
    // The document is in its place both times, and neither time known to stay there.
    for _ in 0..2 {
        let error = unsynced.put(b"{}").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        assert!(sound(&dir, &Link::to(b"{}").to_string()));
    }
    let steps = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&steps);
    let store = DirStore::failing(dir, move |step| {
        log.lock().unwrap().push(step);
        Ok(())
    });
    store.put(b"{}").unwrap();
    assert_eq!(*steps.lock().unwrap(), [Step::Look, Step::SyncDirectory]);
}

#[test]
fn a_document_of_64_mib_is_kept_and_one_byte_more_is_not() {
    const MOST: usize = 64 << 20;
    let (temporary, dir) = temporary();
    let store = DirStore::holding(dir.try_clone().unwrap());
    let mut bytes = vec![b' '; MOST];
    let link = store.put(&bytes).unwrap();
    assert!(store.get(&link).unwrap().is_some_and(|kept| kept == bytes));
    bytes.push(b' ');
    let error = store.put(&bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    assert_eq!(names(&dir).len(), 1);
    // Nor is one read back that was put there by somebody else.
    let link = Link::to(&bytes);
    let name = format!("{}.json", link.digest());
    std::fs::write(temporary.path().join(name), bytes).unwrap();
    assert!(store.get(&link).unwrap().is_none());
}

#[test]
fn a_directory_that_others_may_use_is_no_store() {
    let temporary = TempDir::new().unwrap();
    let path = temporary.path().join("store");
    std::fs::create_dir(&path).unwrap();
    let open = |mode| {
        let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(mode);
        std::fs::set_permissions(&path, mode).unwrap();
        DirStore::open(&path, cap_std::ambient_authority()).map(drop)
    };
    for mode in [0o777, 0o770, 0o755, 0o701, 0o1777] {
        let error = open(mode).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{mode:o}");
        assert!(error.to_string().contains("type `chmod 700`"), "{error}");
    }
    open(0o700).unwrap();
}

#[test]
fn a_planted_link_is_replaced_and_never_followed() {
    let (_temporary, dir) = temporary();
    let outside = TempDir::new().unwrap();
    let target = outside.path().join("target");
    std::fs::write(&target, "untouched").unwrap();
    let (link, bytes) = document("1");
    let name = format!("{}.json", Link::parse(&link).unwrap().digest());
    std::os::unix::fs::symlink(&target, _temporary.path().join(&name)).unwrap();
    let store = DirStore::holding(dir.try_clone().unwrap());
    assert_eq!(store.get(&Link::parse(&link).unwrap()).unwrap(), None);
    assert_eq!(store.put(bytes.as_bytes()).unwrap().to_string(), link);
    assert_eq!(std::fs::read_to_string(target).unwrap(), "untouched");
    assert!(dir.symlink_metadata(&name).unwrap().is_file());
}

#[test]
fn a_damaged_document_is_not_there_and_is_written_again() {
    let (_temporary, dir) = temporary();
    let store = DirStore::holding(dir.try_clone().unwrap());
    let link = store.put(b"{}").unwrap();
    dir.write(format!("{}.json", link.digest()), b"{ }")
        .unwrap();
    assert_eq!(store.get(&link).unwrap(), None);
    store.put(b"{}").unwrap();
    assert_eq!(store.get(&link).unwrap().as_deref(), Some(&b"{}"[..]));
}

#[test]
fn two_writers_at_once_leave_one_correct_store() {
    let (temporary, dir) = temporary();
    let write = || {
        let dir = Dir::open_ambient_dir(temporary.path(), cap_std::ambient_authority()).unwrap();
        write_result(&DirStore::holding(dir), &resolved())
            .unwrap()
            .link
    };
    let links: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8).map(|_| scope.spawn(write)).collect();
        writers
            .into_iter()
            .map(|writer| writer.join().unwrap())
            .collect()
    });
    assert!(links.iter().all(|link| *link == links[0]));
    assert_eq!(names(&dir).len(), 3);
}

#[test]
fn a_store_is_made_private_where_there_is_none() {
    let temporary = TempDir::new().unwrap();
    let path = temporary.path().join("store");
    DirStore::open(&path, cap_std::ambient_authority()).unwrap();
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(&path).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o700);
    let error = DirStore::open(&path.join("a/b"), cap_std::ambient_authority());
    assert_eq!(
        error.err().map(|error: io::Error| error.kind()),
        Some(ErrorKind::NotFound)
    );
}

#[test]
fn a_link_is_read_in_its_one_spelling() {
    let link = Link::to(b"x").to_string();
    assert!(Link::parse(&link).is_some());
    for odd in [
        link.to_uppercase(),
        link.replace("loom-doc:", ""),
        format!("{link}0"),
        link.replacen("loom-doc:", "loom-doc:A", 1),
    ] {
        assert!(Link::parse(&odd).is_none(), "{odd}");
    }
}
