//! The host of loom-tools: it grants a component one imported function, `run-loom`, and binds it to
//! the operator's `loom` command line. This crate is what a security reviewer reads.
//!
//! A request passes through, in this order: [`decode`] (a component with any other import is
//! refused before it is compiled), the limits of [`limits`], the [`grant`] of the run, the text
//! rules, the rendering of an argument vector, and one process with an environment built from
//! nothing. Whatever the component was supposed to have checked is checked again here.
#![doc = include_str!("threats.md")]

pub mod audit;
pub mod audit_log;
mod bindings;
mod cache;
pub mod cli;
mod command_line;
mod command_shapes;
pub mod component;
pub mod config;
pub mod decode;
mod engine;
pub mod grant;
mod import;
pub mod journal;
pub mod limits;
mod live;
mod loom;
#[cfg(feature = "mcp")]
pub mod mcp;
mod object;
mod plain;
mod private_file;
mod process;
mod read_ceiling;
pub mod record;
mod regular;
pub mod replay;
mod reply;
mod rules;
mod run;
pub mod state;
pub mod store;
mod text;
mod timestamp;
mod tools;

pub use cache::Cache;
pub use cap_std::{AmbientAuthority, ambient_authority};
pub use component::Component;
pub use engine::Engine;
pub use grant::{Enforcement, Grant, PromptSlot};
pub use loom::Loom;
pub use process::{Bounds, Cancel};
pub use reply::Flaw;
pub use run::{Call, Descriptor, Effect, Reply, Run, RunError, Settings, Watch};
