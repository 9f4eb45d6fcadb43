//! What the targets share: how bytes become inputs, a run whose every turn is checked, and the
//! contract's rules in words that are not the guest's.

pub mod authority;
pub mod input;
pub mod json;
pub mod labels;
pub mod request;
pub mod token;
pub mod watched;

/// The host's own rules, from the host's own source: what the guest asks for, the host must grant.
#[allow(dead_code, reason = "the host has more uses for them")]
#[path = "../../../host/src/rules.rs"]
mod rules;
