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

    /// Loads a component from the bytes of its file. Bytes other than the pinned ones, and a
    /// component with any import beyond `process`, are refused before anything is compiled.
    pub fn load(
        engine: &Engine,
        bytes: &[u8],
        pinned: Option<&Sha256Hex>,
    ) -> Result<Self, LoadError> {
        Self::load_cached(engine, bytes, pinned, None)
    }

    /// Loads a component, by its compiled form when the cache holds it. See [`Component::load`].
    pub fn load_cached(
        engine: &Engine,
        bytes: &[u8],
        pinned: Option<&Sha256Hex>,
        cache: Option<&Cache>,
    ) -> Result<Self, LoadError> {
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
