//! Compiled components kept on disk, so that a start does not compile. A private directory, held as
//! a capability; an entry is trusted only when it lies there as ours alone and its bytes match the
//! digest written with them. Anything else is compiled again, silently. Of what was written before,
//! the newest few are kept.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Error, ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use cap_std::AmbientAuthority;
use cap_std::fs::{Dir, DirBuilder, DirBuilderExt, OpenOptions, OpenOptionsExt};
use sha2::{Digest, Sha256};

use crate::component::Sha256Hex;
use crate::private_file::ours_alone;
use crate::regular;

/// The largest entry that is read, in bytes: the embedded component compiles to a few megabytes.
const MAX_ENTRY: u64 = 256 << 20;
/// A SHA-256 stands before the compiled bytes.
const DIGEST: usize = 32;
/// How many entries are kept: each version of this program makes one of some megabytes.
const KEPT: usize = 8;
/// The ending of a file that is being written.
const TEMPORARY: &str = ".tmp";
/// When such a file is one that nobody writes any more.
const LEFT: Duration = Duration::from_secs(60 * 60);

/// A directory of compiled components.
#[derive(Debug)]
pub struct Cache(Dir);

impl Cache {
    /// Holds the directory `compiled` in the one at `path`. Both are made, with their parents, when
    /// they are not there.
    ///
    /// # Errors
    ///
    /// Refuses a `compiled` that is not ours or that others can look into; the one at `path` may be
    /// either. Fails when one cannot be made or opened.
    ///
    /// # Ambient Authority
    ///
    /// Opens, and makes if need be, that directory and nothing else.
    pub fn open(path: &Path, authority: AmbientAuthority) -> io::Result<Self> {
        let mut private = std::fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(private.recursive(true), 0o700).create(path)?;
        let dir = Dir::open_ambient_dir(path, authority)?;
        // Of its own, below one that may hold other things and be readable to others.
        let mut own = DirBuilder::new();
        own.mode(0o700);
        match dir.create_dir_with("compiled", &own) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let dir = dir.open_dir("compiled")?;
        ours_alone(&dir.dir_metadata()?, "700")?;
        Ok(Self(dir))
    }

    /// The compiled form of a component for this engine, if there is a sound one.
    pub(crate) fn load(
        &self,
        engine: &wasmtime::Engine,
        component: &Sha256Hex,
    ) -> Option<wasmtime::component::Component> {
        let compiled = self.read(&name(engine, component)).ok()??;
        deserialize(engine, &compiled)
    }

    /// The bytes of an entry that is ours and undamaged.
    fn read(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let file = regular::open_no_link(&self.0, name)?;
        if ours_alone(&file.metadata()?, "600").is_err() {
            return Ok(None);
        }
        let mut entry = regular::bounded(file, MAX_ENTRY)?;
        let sound = entry
            .split_first_chunk::<DIGEST>()
            .is_some_and(|(digest, compiled)| Sha256::digest(compiled).as_slice() == digest);
        Ok(sound.then(|| entry.split_off(DIGEST)))
    }

    /// Keeps the compiled form of a component. A failure is the next start's cost, no more.
    pub(crate) fn store(
        &self,
        engine: &wasmtime::Engine,
        component: &Sha256Hex,
        compiled: &wasmtime::component::Component,
    ) {
        let kept = compiled
            .serialize()
            .map_err(Error::other)
            .and_then(|compiled| {
                let name = name(engine, component);
                self.write(&name, &compiled)?;
                self.prune(&name)
            });
        if let Err(error) = kept {
            tracing::debug!(%error, "the compiled component could not be kept");
        }
    }

    /// Removes what is old: all but the newest entries, `written` among those that stay, and what was
    /// left half written. What is neither is not ours to remove.
    fn prune(&self, written: &str) -> io::Result<()> {
        let now = SystemTime::now();
        let mut older = Vec::new();
        for entry in self.0.entries()? {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            // Another program may have removed it meanwhile.
            let Ok(modified) = entry.metadata().and_then(|metadata| metadata.modified()) else {
                continue;
            };
            let modified = modified.into_std();
            if name.starts_with('.') && name.ends_with(TEMPORARY) {
                if now.duration_since(modified).is_ok_and(|age| age > LEFT) {
                    let _ = self.0.remove_file(&name);
                }
            } else if is_entry(&name) && name != written {
                older.push((modified, name));
            }
        }
        older.sort_unstable();
        let beyond = older.len().saturating_sub(KEPT - 1);
        for (_, name) in older.into_iter().take(beyond) {
            let _ = self.0.remove_file(name);
        }
        Ok(())
    }

    fn write(&self, name: &str, compiled: &[u8]) -> io::Result<()> {
        let mut random = [0; 8];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
        let temporary = format!(".{:016x}{TEMPORARY}", u64::from_ne_bytes(random));
        let mut private = OpenOptions::new();
        private.write(true).create_new(true).mode(0o600);
        let mut file = self.0.open_with(&temporary, &private)?;
        let written = file
            .write_all(&Sha256::digest(compiled))
            .and_then(|()| file.write_all(compiled))
            .and_then(|()| self.0.rename(&temporary, &self.0, name));
        written.inspect_err(|_| drop(self.0.remove_file(&temporary)))
    }
}

/// An entry's name: the component, and the engine's version and settings.
fn name(engine: &wasmtime::Engine, component: &Sha256Hex) -> String {
    let mut settings = DefaultHasher::new();
    engine.precompile_compatibility_hash().hash(&mut settings);
    format!("{component}-{:016x}", settings.finish())
}

/// Whether it is the name of an entry, of whatever component and engine.
fn is_entry(name: &str) -> bool {
    let hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.split_once('-').is_some_and(|(component, engine)| {
        Sha256Hex::parse(component).is_some() && engine.len() == 16 && hexadecimal(engine)
    })
}

/// Loads native code.
#[allow(
    unsafe_code,
    reason = "the one place that loads bytes, which we compiled ourselves"
)]
fn deserialize(
    engine: &wasmtime::Engine,
    compiled: &[u8],
) -> Option<wasmtime::component::Component> {
    // SAFETY: the bytes were read from a file that is ours alone, in a directory that is ours alone,
    // and match the SHA-256 that was written with them, so they are what `store` serialized.
    unsafe { wasmtime::component::Component::deserialize(engine, compiled) }.ok()
}

#[cfg(test)]
mod tests;
