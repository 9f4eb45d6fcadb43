//! Commands that exist to be difficult: slow, large, and exact echoes.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Outcome, Run};

/// `diag.echo`: the arguments to the byte, so that numbers keep the text they had.
pub(super) fn echo(id: &str, run: &Run<'_>) -> Outcome {
    let sent = run.sent.trim();
    let (loom, expect) = (json!(run.loom), json!(run.expect));
    let told = format!(
        "{{\"ok\":true,\"id\":\"{id}\",\"outputs\":{{\"args\":{sent},\"loom\":{loom},\"expect\":{expect}}}}}\n"
    );
    Outcome::Raw(told.into_bytes())
}

/// `diag.sleep`: an answer after `ms`, or none when the broker ends first.
pub(super) fn sleep(run: &Run<'_>) -> Outcome {
    let asked = Duration::from_millis(run.number("ms", 0));
    let started = Instant::now();
    while let Some(left) = asked
        .checked_sub(started.elapsed())
        .filter(|left| !left.is_zero())
    {
        if run.halt.load(Ordering::Relaxed) {
            return Outcome::failed("halted", "The broker ended.");
        }
        thread::sleep(left.min(Duration::from_millis(20)));
    }
    let slept = u64::try_from(asked.as_millis()).unwrap_or(u64::MAX);
    Outcome::done(json!({ "slept": slept, "tag": run.args.get("tag") }))
}

/// `diag.flood`: about `bytes` of text in `pieces` strings.
pub(super) fn flood(run: &Run<'_>) -> Outcome {
    let bytes = usize::try_from(run.number("bytes", 1 << 20)).unwrap_or(0);
    let pieces = usize::try_from(run.number("pieces", 1024))
        .unwrap_or(1)
        .max(1);
    let block = "drip ".repeat(bytes / pieces / 5 + 1);
    Outcome::done(json!({ "blocks": vec![Value::String(block); pieces] }))
}
