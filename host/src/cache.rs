//! Compiled components kept on disk, so that a start does not compile. A private directory, held as
//! a capability; an entry is trusted only when it lies there as ours alone and its bytes match the
//! digest written with them. Anything else is compiled again, silently.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Error, ErrorKind, Write};
use std::path::Path;

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

/// A directory of compiled components.
#[derive(Debug)]
pub struct Cache(Dir);

impl Cache {
    /// Holds the directory at `path`, made, with its parents, when it is not there. Refuses one that
    /// others than its owner can look into, or that is not ours.
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
            .and_then(|compiled| self.write(&name(engine, component), &compiled));
        if let Err(error) = kept {
            tracing::debug!(%error, "the compiled component could not be kept");
        }
    }

    fn write(&self, name: &str, compiled: &[u8]) -> io::Result<()> {
        let mut random = [0; 8];
        rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?;
        let temporary = format!(".{:016x}.tmp", u64::from_ne_bytes(random));
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
