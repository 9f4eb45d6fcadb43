//! The table that is printed at the end: each row of product, baseline, ratio and goal.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

/// The rows so far.
#[derive(Default)]
pub(crate) struct Table(Vec<Row>);

struct Row {
    what: &'static str,
    product: String,
    baseline: String,
    measured: String,
    goal: String,
    met: &'static str,
}

impl Table {
    /// A row whose product takes at most `goal` times what the baseline takes.
    pub(crate) fn ratio(
        &mut self,
        what: &'static str,
        product: Duration,
        baseline: Duration,
        goal: f64,
    ) {
        if baseline.is_zero() {
            return self.skipped(what, "left out by the filter", goal);
        }
        let ratio = product.as_secs_f64() / baseline.as_secs_f64();
        self.0.push(Row {
            what,
            product: time(product),
            baseline: time(baseline),
            measured: format!("{ratio:.3}x"),
            goal: format!("{goal}x"),
            met: met(ratio <= goal),
        });
    }

    /// A row whose product takes at most `goal` longer than the baseline.
    pub(crate) fn difference(
        &mut self,
        what: &'static str,
        product: Duration,
        baseline: Duration,
        goal: Duration,
    ) {
        let more = product.saturating_sub(baseline);
        self.0.push(Row {
            what,
            product: time(product),
            baseline: time(baseline),
            measured: format!("+{}", time(more)),
            goal: format!("+{}", time(goal)),
            met: met(more <= goal),
        });
    }

    /// A row of bytes, at most `goal` times the baseline and `more`.
    pub(crate) fn bytes(
        &mut self,
        what: &'static str,
        product: u64,
        baseline: u64,
        goal: f64,
        more: u64,
    ) {
        let ratio = product.saturating_sub(more) as f64 / baseline as f64;
        self.0.push(Row {
            what,
            product: megabytes(product),
            baseline: megabytes(baseline),
            measured: format!("{ratio:.2}x + {}", megabytes(more)),
            goal: format!("{goal}x + {}", megabytes(more)),
            met: met(ratio <= goal),
        });
    }

    /// A row that could not be measured here.
    pub(crate) fn skipped(&mut self, what: &'static str, reason: &str, goal: f64) {
        self.0.push(Row {
            what,
            product: String::new(),
            baseline: reason.to_owned(),
            measured: "skipped".to_owned(),
            goal: format!("{goal}x"),
            met: "",
        });
    }
}

fn met(met: bool) -> &'static str {
    if met { "met" } else { "NOT MET" }
}

fn time(duration: Duration) -> String {
    let micros = duration.as_secs_f64() * 1e6;
    if micros < 1e3 {
        format!("{micros:.1} µs")
    } else {
        format!("{:.2} ms", micros / 1e3)
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "| measured | goal | | what | product | baseline |")?;
        writeln!(f, "| --- | --- | --- | --- | --- | --- |")?;
        for row in &self.0 {
            let Row {
                what,
                product,
                baseline,
                measured,
                goal,
                met,
            } = row;
            writeln!(
                f,
                "| {measured} | {goal} | {met} | {what} | {product} | {baseline} |"
            )?;
        }
        Ok(())
    }
}
