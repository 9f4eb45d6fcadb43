//! What a component file imports and exports, decoded from its bytes before anything is compiled.
//! Refuses every import beyond `loom:tools/process`, each extra one named.

use std::fmt;

use wasmparser::component_types::ComponentEntityType;
use wasmparser::{Encoding, Parser, Payload, Validator};

use crate::plain::plain;
use crate::text::cut;

/// How much of a name of the component's choice is told, in bytes; and of how many names.
const NAME: usize = 128;
const NAMES: usize = 8;

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
                write!(f, "it imports more than `{IMPORT}`: ")?;
                for (at, name) in names.iter().take(NAMES).enumerate() {
                    let comma = if at == 0 { "" } else { ", " };
                    write!(f, "{comma}`{}`", told(name))?;
                }
                match names.len().saturating_sub(NAMES) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::Missing(name) => write!(f, "it has no `{name}`"),
        }
    }
}

impl std::error::Error for Undecodable {}

/// A name as an operator's terminal may have it: `url=<…>` takes any character there is.
fn told(name: &str) -> String {
    let kept = cut(name, NAME);
    let more = if kept.len() < name.len() { "…" } else { "" };
    plain(kept) + more
}

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
        if !extra.is_empty() {
            return Err(Undecodable::ExtraImports(extra));
        }
        if self.imports.is_empty() {
            return Err(Undecodable::Missing(IMPORT));
        }
        if !self.exports.iter().any(|name| name == EXPORT) {
            return Err(Undecodable::Missing(EXPORT));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extra(names: &[String]) -> String {
        Undecodable::ExtraImports(names.to_vec()).to_string()
    }

    #[test]
    fn a_name_is_told_without_what_would_write_on_a_terminal() {
        let name = "url=<\u{1b}[2J\n\u{202e}é>".to_owned();
        assert_eq!(
            extra(&[name]),
            format!("it imports more than `{IMPORT}`: `url=<\u{fffd}[2J\u{fffd}\u{fffd}é>`")
        );
    }

    #[test]
    fn a_name_is_told_up_to_its_bound() {
        let at = "a".repeat(NAME);
        assert!(extra(std::slice::from_ref(&at)).ends_with(&format!("`{at}`")));
        assert!(extra(&[format!("{at}b")]).ends_with(&format!("`{at}…`")));
    }

    #[test]
    fn as_many_names_are_told_as_their_bound_says() {
        let names = |count| vec!["a".to_owned(); count];
        assert!(extra(&names(NAMES)).ends_with("`a`, `a`"));
        assert_eq!(extra(&names(NAMES)).matches("`a`").count(), NAMES);
        assert!(extra(&names(NAMES + 1)).ends_with("`a`, `a` and 1 more"));
    }
}
