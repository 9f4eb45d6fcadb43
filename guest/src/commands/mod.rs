//! The three command tools (loom-commands; contract, section 7): the catalog of what the host
//! lets this run run, its listing, and the calls.

mod answer;
mod batch;
mod call;
mod catalog;
mod hidden;
mod listing;
mod outcome;
mod row;
mod schema;
mod suggest;

#[cfg(test)]
mod tests;

pub(crate) use answer::{Executed, answer};
pub(crate) use batch::{Batched, batch};
pub(crate) use call::{Call, Calls, Refused, calls, detail};
pub(crate) use catalog::{Catalog, Command, Declared, Unlisted};
pub(crate) use listing::listing;
pub(crate) use outcome::read as outcome;

use crate::json::Fields;
use crate::shown::{self, Landed};

/// The result of a call that names no listed command: nothing was sent.
pub(crate) fn unknown_command(output_id: &str, asked: &str, catalog: Option<&Catalog>) -> String {
    let names = catalog
        .into_iter()
        .flat_map(Catalog::commands)
        .map(|command| command.id.as_str());
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("status", "unknown_command")
        .strings("suggestions", suggest::nearest(asked, names))
        .string(
            "hint",
            "Nothing was sent. Call list_commands for the commands this run can call.",
        );
    fields.close();
    out
}

/// The result of a read of a command that is not a granted read now: nothing was sent.
pub(crate) fn not_granted(output_id: &str) -> String {
    let message = "The host does not grant this run to read with this command. Nothing was sent.";
    let hint = Some("Offer the command to the person in your result rather than retry it.");
    shown::undelivered(output_id, Landed::No, "not_granted", message, hint)
}
