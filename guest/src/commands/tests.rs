mod answer;
mod batch;
mod call;
mod catalog;
mod freshness;
mod generated;
mod hidden;
mod listing;
mod outcome;
mod schema;
mod suggest;

use super::{Catalog, Unlisted};

/// Reads a manifest of these rows, as `command list` prints it.
fn catalog_of(rows: &[&str]) -> Catalog {
    read(0, &format!(r#"{{"commands":[{}]}}"#, rows.join(","))).expect("a listing")
}

fn read(exit_code: i32, stdout: &str) -> Result<Catalog, Unlisted> {
    Catalog::read(exit_code, stdout.as_bytes())
}
