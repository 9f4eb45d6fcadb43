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
