//! JSON Schemas of the two files, for editors and for the operator's own checks. The host does
//! not read them: its parser decides, and a test keeps the two together.

/// JSON Schema (2020-12) of the retrieval configuration.
pub const RETRIEVAL_SCHEMA: &str = include_str!("retrieval.schema.json");

/// JSON Schema (2020-12) of the host-command configuration.
pub const COMMANDS_SCHEMA: &str = include_str!("commands.schema.json");
