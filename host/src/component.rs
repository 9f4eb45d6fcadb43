//! A component that may be run: its bytes pinned and decoded before they are compiled.

use std::fmt;

use sha2::{Digest, Sha256};
use wasmtime::component::Linker;

use crate::bindings::{LoomTools, LoomToolsPre};
use crate::cache::Cache;
use crate::decode::{Undecodable, boundary};
use crate::engine::Engine;
use crate::import::Bound;
use crate::plain::plain;

/// The component this host was built with.
pub const EMBEDDED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/loom_tools.component.wasm"));

/// The largest component that is looked at, in bytes (64 MiB). Threat: a file without end, or one
/// that takes for ever to hash and to compile. Trade: real ones have a few hundred kilobytes.
pub const MAX_COMPONENT: u64 = 64 << 20;

/// A compiled component.
#[derive(Clone)]
pub struct Component {
    pub(crate) inner: LoomToolsPre<Bound>,
    pub(crate) engine: Engine,
    digest: Sha256Hex,
}

/// A SHA-256 digest as 64 lower-case hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sha256Hex(String);

impl Sha256Hex {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self::finished(Sha256::new_with_prefix(bytes))
    }

    /// The digest of what was put in.
    pub(crate) fn finished(digest: Sha256) -> Self {
        let bytes = digest.finalize();
        Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// A digest as someone wrote it down, in either case; none when it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let hex = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| Self(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for Sha256Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Why a component is not loaded.
#[derive(Debug)]
pub enum LoadError {
    /// There are more bytes than [`MAX_COMPONENT`].
    TooLarge,
    /// The bytes are not those that were pinned.
    Digest {
        /// The digest asked for.
        pinned: Sha256Hex,
        /// The digest of the bytes.
        actual: Sha256Hex,
    },
    /// The component imports or exports something else than it may.
    Boundary(Undecodable),
    /// The engine does not compile it.
    Compile(wasmtime::Error),
    /// What it imports or exports under the right names is of another shape.
    World(wasmtime::Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => f.write_str("the component is larger than 64 MiB"),
            Self::Digest { pinned, actual } => {
                write!(
                    f,
                    "the component's SHA-256 is {actual}, not the pinned {pinned}"
                )
            }
            Self::Boundary(error) => write!(f, "the component is refused: {error}"),
            Self::Compile(error) => {
                let why = plain(&format!("{error:#}"));
                write!(f, "the component does not compile: {why}")
            }
            Self::World(error) => {
                let why = plain(&format!("{error:#}"));
                write!(
                    f,
                    "the component does not fit the world `loom-tools`: {why}"
                )
            }
        }
    }
}

impl std::error::Error for LoadError {}

impl Component {
    /// The component this host was built with.
    ///
    /// # Errors
    ///
    /// When the engine, with the limits it was given, does not compile it.
    pub fn embedded(engine: &Engine) -> Result<Self, LoadError> {
        Self::embedded_cached(engine, None)
    }

    /// The same, by its compiled form when the cache holds it.
    pub(crate) fn embedded_cached(
        engine: &Engine,
        cache: Option<&Cache>,
    ) -> Result<Self, LoadError> {
        Self::load_cached(engine, EMBEDDED, None, cache)
    }

    /// Loads a component from the bytes of its file. More than [`MAX_COMPONENT`], bytes other than the
    /// pinned ones, and a component with any import beyond `process` are refused before anything is
    /// compiled.
    ///
    /// # Errors
    ///
    /// These, and a component that does not compile or does not fit the world.
    pub fn load(
        engine: &Engine,
        bytes: &[u8],
        pinned: Option<&Sha256Hex>,
    ) -> Result<Self, LoadError> {
        Self::load_cached(engine, bytes, pinned, None)
    }

    /// Loads a component, by its compiled form when the cache holds it. See [`Component::load`].
    ///
    /// # Errors
    ///
    /// As [`Component::load`]; a cache that cannot be used is none.
    pub fn load_cached(
        engine: &Engine,
        bytes: &[u8],
        pinned: Option<&Sha256Hex>,
        cache: Option<&Cache>,
    ) -> Result<Self, LoadError> {
        if bytes.len() as u64 > MAX_COMPONENT {
            return Err(LoadError::TooLarge);
        }
        let digest = Sha256Hex::of(bytes);
        if let Some(pinned) = pinned.filter(|pinned| **pinned != digest) {
            return Err(LoadError::Digest {
                pinned: pinned.clone(),
                actual: digest,
            });
        }
        boundary(bytes)
            .and_then(|boundary| boundary.check())
            .map_err(LoadError::Boundary)?;
        let kept = cache.and_then(|cache| cache.load(&engine.inner, &digest));
        let compiled = match kept {
            Some(kept) => kept,
            None => {
                let compiled = wasmtime::component::Component::from_binary(&engine.inner, bytes)
                    .map_err(LoadError::Compile)?;
                if let Some(cache) = cache {
                    cache.store(&engine.inner, &digest, &compiled);
                }
                compiled
            }
        };
        let inner = link(&compiled).map_err(LoadError::World)?;
        Ok(Self {
            inner,
            engine: engine.clone(),
            digest,
        })
    }

    /// The digest of the component's file.
    pub fn digest(&self) -> &Sha256Hex {
        &self.digest
    }
}

/// A compiled component with its one import bound; an error when it does not fit the world.
fn link(component: &wasmtime::component::Component) -> wasmtime::Result<LoomToolsPre<Bound>> {
    let mut linker = Linker::new(component.engine());
    LoomTools::add_to_linker::<_, Bound>(&mut linker, |bound| bound)?;
    LoomToolsPre::new(linker.instantiate_pre(component)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    #[test]
    fn a_component_past_64_mib_is_refused_before_it_is_hashed() {
        let engine = Engine::new(&Limits::default()).unwrap();
        let other = Sha256Hex::of(b"");
        let load = |bytes: &[u8]| Component::load(&engine, bytes, Some(&other)).err().unwrap();
        let mut bytes = vec![0; 64 << 20];
        assert!(matches!(load(&bytes), LoadError::Digest { .. }));
        bytes.push(0);
        assert!(matches!(load(&bytes), LoadError::TooLarge));
    }
}
