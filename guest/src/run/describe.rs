//! Answers `describe_handle`: what a token refers to, never what it holds (contract, section 6).

use crate::handles::Handles;
use crate::json::Fields;
use crate::rules::clip;

/// What a token refers to; `known: false` alone for any text the run does not hold.
pub(super) fn describe(output_id: &str, token: &str, handles: &Handles) -> String {
    let held = handles.get(token);
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("outputId", output_id)
        .string("token", clip(token))
        .bool("known", held.is_some());
    if let Some(referent) = held {
        let mut described = String::new();
        let mut referent_fields = Fields::open(&mut described);
        referent_fields
            .string("kind", "document")
            .string("source", &referent.source)
            .string("labelSource", referent.label_source.name());
        referent_fields.close();
        fields
            .bool("hasSchema", false)
            .raw("labels", &format!("[{}]", referent.label.disclosed()))
            .raw("referent", &described);
    }
    fields.close();
    out
}
