//! What a call costs beside what it cannot avoid: `cargo bench` prints one table of ratios, product
//! and baseline measured in the same run.
//!
//! A ratio of two criterion benchmarks would compare what the machine did at two different times.
//! So the sides of a row are measured in turns, within each iteration of one criterion benchmark
//! ([`sides`]): whatever else the machine does then falls on all of them alike. Criterion decides
//! how often, and prints its own estimate of the product; the table has the lower quartile of each side.
//!
//! Inputs are generated from one seed ([`inputs`]). What each row measures is said where it is
//! measured: [`processes`], [`reading`], [`memory`], [`parts`].

mod cli;
mod component;
mod inputs;
mod memory;
mod node;
mod parts;
mod processes;
mod reading;
mod sides;
mod table;

use std::error::Error;
use std::time::Duration;

use criterion::Criterion;

use table::Table;

type Failed = Box<dyn Error>;

fn main() -> Result<(), Failed> {
    let mut criterion = Criterion::default()
        .without_plots()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(5))
        .configure_from_args();
    let mut table = Table::default();
    processes::bench(&mut criterion, &mut table)?;
    reading::bench(&mut criterion, &mut table)?;
    memory::bench(&mut table)?;
    parts::bench(&mut criterion, &mut table)?;
    criterion.final_summary();
    print!("{table}");
    Ok(())
}
