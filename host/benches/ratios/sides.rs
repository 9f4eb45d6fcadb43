//! Measures several sides of a comparison in turns.

use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};

use super::Failed;

/// One side: runs once and says how long the part that counts took.
pub(crate) type Side<'a> = Box<dyn FnMut() -> Result<Duration, Failed> + 'a>;

/// A side that counts as a whole.
pub(crate) fn whole<'a>(mut run: impl FnMut() -> Result<(), Failed> + 'a) -> Side<'a> {
    Box::new(move || {
        let started = Instant::now();
        run()?;
        Ok(started.elapsed())
    })
}

/// Measures the sides, of which the first is the product, as one criterion benchmark, and returns
/// the lower quartile of each.
pub(crate) fn measure<const N: usize>(
    criterion: &mut Criterion,
    name: &str,
    mut sides: [Side<'_>; N],
) -> Result<[Duration; N], Failed> {
    let mut samples = [const { Vec::new() }; N];
    let mut failed = None;
    let mut group = criterion.benchmark_group("ratios");
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let mut product = Duration::ZERO;
            for _ in 0..iterations {
                // Each side in turn goes first, so that none always finds the caches of one other.
                let first = samples.first().map_or(0, Vec::len) % N;
                for at in (0..N).map(|at| (first + at) % N) {
                    let took = sides.get_mut(at).map_or(Ok(Duration::ZERO), |side| side());
                    let took = took.unwrap_or_else(|error| {
                        failed.get_or_insert(error);
                        Duration::ZERO
                    });
                    if at == 0 {
                        product += took;
                    }
                    if let Some(samples) = samples.get_mut(at) {
                        samples.push(took);
                    }
                }
            }
            // Criterion divides by it.
            product.max(Duration::from_nanos(1))
        });
    });
    group.finish();
    match failed {
        Some(error) => Err(error),
        None => Ok(samples.map(lower_quartile)),
    }
}

/// What else the machine does only ever adds: the lower quartile depends on it less than the median.
fn lower_quartile(mut samples: Vec<Duration>) -> Duration {
    samples.sort_unstable();
    samples.get(samples.len() / 4).copied().unwrap_or_default()
}
