//! The read-ceiling record that Loom writes for a facet-scoped dispatch.

use std::io;
use std::path::Path;

use serde_json::json;

use crate::data::read_ceiling;
use crate::queue::write_whole;

/// Writes the record of these facets, whole or not at all.
pub(super) fn write(path: &Path, facets: &[String]) -> io::Result<()> {
    let record = json!({
        "loomReadCeiling": read_ceiling(facets),
        "facets": facets,
        "facetSource": "dispatch",
    });
    let (Some(dir), Some(name)) = (
        path.parent(),
        path.file_name().and_then(|name| name.to_str()),
    ) else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "the record needs a file name",
        ));
    };
    let dir = if dir.as_os_str().is_empty() {
        Path::new(".")
    } else {
        dir
    };
    write_whole(dir, name, format!("{record}\n").as_bytes())
}
