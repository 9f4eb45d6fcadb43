//! What a client is told of each tool: the component's own words, an output schema, and annotations
//! that are true.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};

use super::ServeError;
use crate::run::{Descriptor, Effect};
use crate::tools::{Family, LIST_COMMANDS, tool_family};

/// The run's tools, in its order.
pub(super) fn tools(descriptors: Vec<Descriptor>) -> Result<Vec<Tool>, ServeError> {
    descriptors.into_iter().map(tool).collect()
}

fn tool(descriptor: Descriptor) -> Result<Tool, ServeError> {
    let schema = |json: &str| -> Result<Arc<JsonObject>, ServeError> {
        let object = serde_json::from_str(json);
        object
            .map(Arc::new)
            .map_err(|_| ServeError::Schema(descriptor.id.clone()))
    };
    let input = schema(&descriptor.input_schema)?;
    let output = schema(output_schema(&descriptor.id))?;
    let annotations = annotations(&descriptor);
    Ok(Tool::new(descriptor.id, descriptor.description, input)
        .with_title(descriptor.title)
        .with_raw_output_schema(output)
        .with_annotations(annotations))
}

/// The schema of what a tool shows. Its root is one object for results, errors and denials alike,
/// since clients check an error against it too, and some take no alternatives at the root: required
/// is what each of them has.
fn output_schema(tool: &str) -> &'static str {
    match (tool, tool_family(tool)) {
        (LIST_COMMANDS, _) => include_str!("output/listing.json"),
        (_, Some(Family::Retrieval)) => include_str!("output/retrieval.json"),
        (_, Some(Family::Commands)) => include_str!("output/command.json"),
        (_, Some(Family::Run)) => include_str!("output/handle.json"),
        // A tool of another component than ours.
        (_, None) => r#"{"type":"object"}"#,
    }
}

/// The hints of a tool.
///
/// `openWorldHint` is false where a tool reaches the person's own Loom alone, as a memory does;
/// that what it finds there was written by others is said by the notice of every result. It is true
/// where a host command runs: what that reaches only the host knows.
fn annotations(descriptor: &Descriptor) -> ToolAnnotations {
    let runs_commands = match tool_family(&descriptor.id) {
        Some(Family::Commands) => descriptor.id != LIST_COMMANDS,
        Some(Family::Retrieval | Family::Run) => false,
        None => true,
    };
    let reads = descriptor.effect == Effect::Read;
    // Older clients look for the title here.
    ToolAnnotations::with_title(&descriptor.title)
        .read_only(reads)
        .destructive(!reads)
        .idempotent(reads)
        .open_world(runs_commands)
}
