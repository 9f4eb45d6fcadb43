//! What a component file imports and exports, decoded from its bytes before anything is compiled.
//! Refuses every import beyond `loom:tools/process`, each extra one named.

use std::fmt;

use wasmparser::component_types::ComponentEntityType;
use wasmparser::{Encoding, Parser, Payload, Validator};

use crate::plain::plain;

/// The one interface a component may import.
pub const IMPORT: &str = "loom:tools/process@0.1.0";
/// The one function of that interface.
pub const FUNCTION: &str = "run-loom";
/// The interface a component has to export.
pub const EXPORT: &str = "loom:tools/tools@0.1.0";

/// The names a component file imports and exports, in its own order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    /// Imported interfaces and functions; of the one interface also what it holds beyond its one
    /// function, as `interface#name`.
    pub imports: Vec<String>,
    /// Exported interfaces and functions.
    pub exports: Vec<String>,
}

/// Why a component file is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undecodable {
    /// The bytes are no component.
    NotAComponent(String),
    /// The component imports more than it may.
    ExtraImports(Vec<String>),
    /// The component does not import or export what makes it one of ours.
    Missing(&'static str),
}

impl fmt::Display for Undecodable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAComponent(why) => write!(f, "it is not a WebAssembly component ({why})"),
            Self::ExtraImports(names) => {
                write!(
                    f,
                    "it imports more than `{IMPORT}`: `{}`",
                    names.join("`, `")
                )
            }
            Self::Missing(name) => write!(f, "it has no `{name}`"),
        }
    }
}

impl std::error::Error for Undecodable {}

/// Decodes the outermost imports and exports of a component.
pub fn boundary(bytes: &[u8]) -> Result<Boundary, Undecodable> {
    let malformed =
        |error: wasmparser::BinaryReaderError| Undecodable::NotAComponent(plain(error.message()));
    let mut boundary = Boundary {
        imports: Vec::new(),
        exports: Vec::new(),
    };
    let mut depth = 0usize;
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(malformed)? {
            Payload::Version {
                encoding: Encoding::Module,
                ..
            } if depth == 0 => {
                return Err(Undecodable::NotAComponent("it is a core module".to_owned()));
            }
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => depth += 1,
            Payload::End(_) => depth = depth.saturating_sub(1),
            Payload::ComponentImportSection(imports) if depth == 0 => {
                for import in imports {
                    boundary
                        .imports
                        .push(import.map_err(malformed)?.name.name.to_owned());
                }
            }
            Payload::ComponentExportSection(exports) if depth == 0 => {
                for export in exports {
                    boundary
                        .exports
                        .push(export.map_err(malformed)?.name.name.to_owned());
                }
            }
            _ => {}
        }
    }
    let types = Validator::new().validate_all(bytes).map_err(malformed)?;
    let types = types.as_ref();
    let granted = types.component_item_for_import(IMPORT).map(|item| item.ty);
    if let Some(ComponentEntityType::Instance(id)) = granted
        && let Some(interface) = types.get(id)
    {
        let beyond = interface.exports.iter().filter(|(name, item)| {
            *name != FUNCTION && !matches!(item.ty, ComponentEntityType::Type { .. })
        });
        let beyond = beyond.map(|(name, _)| format!("{IMPORT}#{name}"));
        boundary.imports.extend(beyond);
    }
    Ok(boundary)
}

impl Boundary {
    /// Whether the component imports exactly the one interface and exports the tools.
    pub fn check(&self) -> Result<(), Undecodable> {
        let extra: Vec<String> = self
            .imports
            .iter()
            .filter(|name| *name != IMPORT)
            .cloned()
            .collect();
        match () {
            () if !extra.is_empty() => Err(Undecodable::ExtraImports(extra)),
            () if self.imports.is_empty() => Err(Undecodable::Missing(IMPORT)),
            () if !self.exports.iter().any(|name| name == EXPORT) => {
                Err(Undecodable::Missing(EXPORT))
            }
            () => Ok(()),
        }
    }
}
