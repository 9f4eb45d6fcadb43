//! Parts of a run by themselves, compiled natively.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;
use loom_tools_guest::bench::{Minting, parsed, signature};

use super::Failed;
use super::inputs::{schemas, small_row};
use super::sides::{Side, measure, whole};
use super::table::Table;

const COMMANDS: usize = 256;
const SCHEMA: usize = 16 << 10;
/// How many handles are minted around the one asked for.
const AROUND: usize = 100;

pub(crate) fn bench(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    signatures(criterion, table)?;
    handles(criterion, table)
}

fn signatures(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let texts = schemas(COMMANDS, SCHEMA);
    let schemas: Vec<_> = texts.iter().map(|text| parsed(text)).collect();
    let [rendering, parsing] = measure(
        criterion,
        "signatures",
        [
            whole(|| {
                black_box(schemas.iter().map(signature).collect::<Vec<_>>());
                Ok(())
            }),
            whole(|| {
                black_box(texts.iter().map(|text| parsed(text)).collect::<Vec<_>>());
                Ok(())
            }),
        ],
    )?;
    let what = "rendering 256 signatures of 16 KiB schemas / parsing the same JSON";
    table.ratio(what, rendering, parsing, 1.5);
    Ok(())
}

fn handles(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let [late, early] = measure(criterion, "handles", [minting(10_000), minting(100)])?;
    let what = "minting the 10,000th handle / the 100th";
    table.ratio(what, late, early, 1.2);
    Ok(())
}

/// Mints the handles around the `nth` of a run, a hundred of them.
fn minting<'a>(nth: usize) -> Side<'a> {
    let (from, to) = (nth - AROUND / 2, nth + AROUND / 2);
    Box::new(move || {
        let mut minting = Minting::of(to, small_row);
        minting.mint(0..from);
        let started = Instant::now();
        minting.mint(from..to);
        let took = started.elapsed();
        if minting.held() == to {
            Ok(took)
        } else {
            Err("not every row got a handle of its own".into())
        }
    })
}
