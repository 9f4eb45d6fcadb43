//! What a component's file says it imports and exports, down to the functions. The file is parsed
//! and validated; nothing of it is compiled.

use wasmparser::Validator;
use wasmparser::component_types::{ComponentEntityType, ComponentItem};
use wasmparser::types::Types;

use super::places::finding;
use super::report::{ComponentFacts, Finding, Interface};
use crate::component::Sha256Hex;
use crate::decode::{self, FUNCTION, IMPORT};
use crate::plain::plain;

const ABOUT: &str = "component";

/// Facts about a component's bytes, and what is wrong with them.
pub(super) fn examine(
    source: &str,
    bytes: &[u8],
    pinned: Option<&Sha256Hex>,
    findings: &mut Vec<Finding>,
) -> ComponentFacts {
    let sha256 = Sha256Hex::of(bytes);
    if let Some(pinned) = pinned.filter(|pinned| **pinned != sha256) {
        findings.push(finding(
            ABOUT,
            format!(
                "{source} has the SHA-256 {sha256}, not the pinned {pinned}; put the component back \
                 that was pinned, or review this one and give its digest as `--component-sha256`."
            ),
        ));
    }
    let mut refuse = |why: String| {
        let remedy = "use a component built from this project";
        findings.push(finding(
            ABOUT,
            format!("{source} is refused: {why}; {remedy}."),
        ));
    };
    let (imports, exports) = decoded(bytes, &mut refuse);
    let exactly = matches!(imports.as_slice(), [only]
        if only.name == IMPORT && only.functions == [FUNCTION]);
    ComponentFacts {
        source: source.to_owned(),
        bytes: bytes.len(),
        sha256: sha256.to_string(),
        pinned: pinned.map(ToString::to_string),
        imports,
        exports,
        imports_exactly_one_function: exactly,
    }
}

/// The imports and exports; what is wrong with them goes to `refuse`.
fn decoded(bytes: &[u8], refuse: &mut dyn FnMut(String)) -> (Vec<Interface>, Vec<Interface>) {
    let boundary = match decode::boundary(bytes) {
        Ok(boundary) => boundary,
        Err(error) => {
            refuse(error.to_string());
            return (Vec::new(), Vec::new());
        }
    };
    if let Err(error) = boundary.check() {
        refuse(error.to_string());
    }
    let types = Validator::new().validate_all(bytes);
    let types = types
        .inspect_err(|error| refuse(format!("it is not valid ({})", plain(error.message()))))
        .ok();
    // Of the one interface a function too many is named in the refusal, and listed with the others.
    let interfaces = |names: Vec<String>, item: fn(&Types, &str) -> Option<ComponentItem>| {
        let interface = |name: String| Interface {
            functions: functions(types.as_ref(), |types| item(types, &name)),
            // Of the component's choice, and on its way to a terminal.
            name: plain(&name),
        };
        let part = |name: &str| {
            name.strip_prefix(IMPORT)
                .is_some_and(|rest| rest.starts_with('#'))
        };
        let whole = names.into_iter().filter(|name| !part(name));
        whole.map(interface).collect()
    };
    (
        interfaces(boundary.imports, |types, name| {
            types.component_item_for_import(name).cloned()
        }),
        interfaces(boundary.exports, |types, name| {
            types.component_item_for_export(name).cloned()
        }),
    )
}

/// The functions of an interface, in its order.
fn functions(types: Option<&Types>, item: impl Fn(&Types) -> Option<ComponentItem>) -> Vec<String> {
    let Some((types, item)) = types.and_then(|types| Some((types, item(types)?))) else {
        return Vec::new();
    };
    let ComponentEntityType::Instance(instance) = item.ty else {
        return Vec::new();
    };
    let exports = types
        .as_ref()
        .get(instance)
        .map(|instance| &instance.exports);
    let functions = exports.into_iter().flatten();
    functions
        .filter(|(_, item)| matches!(item.ty, ComponentEntityType::Func(_)))
        .map(|(name, _)| plain(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::examine;

    /// A component that imports an instance of nothing, by this name.
    fn importing(name: &str) -> Vec<u8> {
        let length = u8::try_from(name.len()).unwrap();
        let mut bytes = b"\0asm\x0d\0\x01\0\x07\x03\x01\x42\x00".to_vec();
        bytes.extend([0x0a, length + 5, 1, 0, length]);
        bytes.extend(name.as_bytes());
        bytes.extend([5, 0]);
        bytes
    }

    #[test]
    fn an_import_is_listed_whatever_its_name_holds() {
        for (name, listed) in [
            ("url=<a#b>", "url=<a#b>"),
            (
                "url=<loom:tools/process@0.1.0#b>",
                "url=<loom:tools/process@0.1.0#b>",
            ),
            ("url=<\u{1b}[2J>", "url=<\u{fffd}[2J>"),
        ] {
            let mut findings = Vec::new();
            let facts = examine("it", &importing(name), None, &mut findings);
            let names: Vec<_> = facts.imports.iter().map(|import| &import.name).collect();
            assert_eq!(names, [listed]);
            assert!(!facts.imports_exactly_one_function);
            assert_eq!(findings.len(), 1);
        }
    }
}
