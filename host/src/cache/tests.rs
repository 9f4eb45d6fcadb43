use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::*;

const SMALL: &[u8] = b"\0asm\x0d\0\x01\0";

fn engine() -> wasmtime::Engine {
    wasmtime::Engine::default()
}

fn cache(temporary: &TempDir) -> Cache {
    Cache::open(
        &temporary.path().join("cache"),
        cap_std::ambient_authority(),
    )
    .unwrap()
}

/// A cache that holds a small component, and the path of its entry.
fn filled(temporary: &TempDir) -> (Cache, PathBuf, Sha256Hex) {
    let (cache, digest) = (cache(temporary), Sha256Hex::of(SMALL));
    let component = wasmtime::component::Component::from_binary(&engine(), SMALL).unwrap();
    cache.store(&engine(), &digest, &component);
    let entry = temporary
        .path()
        .join("cache/compiled")
        .join(name(&engine(), &digest));
    (cache, entry, digest)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn what_is_stored_loads_and_is_private() {
    let temporary = TempDir::new().unwrap();
    let (cache, entry, digest) = filled(&temporary);
    assert!(cache.load(&engine(), &digest).is_some());
    assert_eq!(mode(&entry), 0o600);
    assert_eq!(mode(entry.parent().unwrap()), 0o700);
    assert_eq!(fs::read_dir(entry.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_damaged_entry_does_not_load() {
    let temporary = TempDir::new().unwrap();
    let (cache, entry, digest) = filled(&temporary);
    let sound = fs::read(&entry).unwrap();
    for damaged in [
        Vec::new(),
        sound[..31].to_vec(),
        sound[..sound.len() - 1].to_vec(),
        [&sound[..], b"x"].concat(),
        sound
            .iter()
            .enumerate()
            .map(|(at, b)| if at == 40 { b ^ 1 } else { *b })
            .collect(),
    ] {
        fs::write(&entry, damaged).unwrap();
        assert!(cache.load(&engine(), &digest).is_none());
    }
    fs::write(&entry, sound).unwrap();
    assert!(cache.load(&engine(), &digest).is_some());
}

#[test]
fn an_entry_that_others_can_write_or_that_is_a_link_does_not_load() {
    let temporary = TempDir::new().unwrap();
    let (cache, entry, digest) = filled(&temporary);
    fs::set_permissions(&entry, fs::Permissions::from_mode(0o622)).unwrap();
    assert!(cache.load(&engine(), &digest).is_none());
    fs::set_permissions(&entry, fs::Permissions::from_mode(0o600)).unwrap();
    let elsewhere = entry.with_file_name("elsewhere");
    fs::rename(&entry, &elsewhere).unwrap();
    symlink("elsewhere", &entry).unwrap();
    assert!(cache.load(&engine(), &digest).is_none());
}

#[test]
fn a_directory_that_others_can_look_into_is_refused() {
    let temporary = TempDir::new().unwrap();
    drop(cache(&temporary));
    let path = temporary.path().join("cache");
    fs::set_permissions(path.join("compiled"), fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Cache::open(&path, cap_std::ambient_authority()).is_err());
}

#[test]
fn another_engine_or_component_has_another_entry() {
    let digest = Sha256Hex::of(SMALL);
    let mut config = wasmtime::Config::new();
    config.epoch_interruption(true);
    let other = wasmtime::Engine::new(&config).unwrap();
    assert_ne!(name(&engine(), &digest), name(&other, &digest));
    assert_ne!(
        name(&engine(), &digest),
        name(&engine(), &Sha256Hex::of(b"x"))
    );
}

/// A file of the cache, so many seconds old.
fn aged(directory: &Path, name: &str, seconds: u64) {
    let file = fs::File::create(directory.join(name)).unwrap();
    let modified = SystemTime::now() - Duration::from_secs(seconds);
    file.set_modified(modified).unwrap();
}

#[test]
fn all_but_the_newest_entries_are_removed_when_one_is_stored() {
    let temporary = TempDir::new().unwrap();
    drop(cache(&temporary));
    let directory = temporary.path().join("cache/compiled");
    let old = |n: u64| format!("{:064x}-{n:016x}", n);
    for n in 1..=20 {
        aged(&directory, &old(n), n * 10);
    }
    for other in ["notes", "abc-def", &(old(1) + "0")] {
        aged(&directory, other, 1_000_000);
    }
    let (_, entry, _) = filled(&temporary);
    let names = fs::read_dir(&directory).unwrap();
    let names = names.map(|name| name.unwrap().file_name().into_string().unwrap());
    let (kept, others): (Vec<_>, Vec<_>) = names.partition(|name| is_entry(name));
    assert_eq!(kept.len(), KEPT);
    assert!(entry.exists());
    assert!((1..KEPT as u64).all(|n| kept.contains(&old(n))), "{kept:?}");
    assert_eq!(others.len(), 3);
}

#[test]
fn what_was_left_half_written_is_removed_when_it_is_old() {
    let temporary = TempDir::new().unwrap();
    drop(cache(&temporary));
    let directory = temporary.path().join("cache/compiled");
    aged(&directory, ".0000000000000001.tmp", 2 * 60 * 60);
    aged(&directory, ".0000000000000002.tmp", 60);
    filled(&temporary);
    assert!(!directory.join(".0000000000000001.tmp").exists());
    assert!(directory.join(".0000000000000002.tmp").exists());
}

#[test]
fn what_cannot_be_removed_keeps_nothing_from_being_stored() {
    let temporary = TempDir::new().unwrap();
    drop(cache(&temporary));
    let directory = temporary.path().join("cache/compiled");
    for n in 0..20 {
        fs::create_dir(directory.join(format!("{n:064x}-{n:016x}"))).unwrap();
    }
    let (cache, _, digest) = filled(&temporary);
    assert!(cache.load(&engine(), &digest).is_some());
}
