//! What came of each call, and what came of it all.

use std::collections::BTreeMap;
use std::process::ExitCode;

use serde_json::Value;

/// What any call may come to on a machine so busy that its process met the deadline.
const LATE: [&str; 2] = ["command_failed", "failed_to_deliver"];
/// How many surprises are told in full.
const TOLD: usize = 10;

/// The checks so far.
#[derive(Default)]
pub(crate) struct Verdict {
    passed: usize,
    failed: usize,
}

impl Verdict {
    pub(crate) fn check(&mut self, what: &str, holds: bool, seen: &str) {
        if holds {
            self.passed += 1;
            println!("ok    {what}");
        } else {
            self.failed += 1;
            println!("FAIL  {what}: {seen}");
        }
    }

    pub(crate) fn close(self) -> ExitCode {
        println!("{} passed, {} failed", self.passed, self.failed);
        ExitCode::from(u8::from(self.failed > 0))
    }
}

#[derive(Default)]
struct Count {
    usual: usize,
    other: usize,
    late: usize,
}

/// How the calls of each kind came out.
#[derive(Default)]
pub(crate) struct Tally {
    counts: BTreeMap<String, Count>,
    turns: usize,
    last_output: u64,
    surprises: Vec<String>,
}

/// What a call of some kind comes to.
#[derive(Clone, Copy)]
pub(crate) struct Expect {
    /// As a rule.
    pub(crate) usual: &'static str,
    /// As well.
    pub(crate) also: &'static [&'static str],
}

impl From<&'static str> for Expect {
    fn from(usual: &'static str) -> Self {
        Self { usual, also: &[] }
    }
}

impl Tally {
    /// A turn was answered.
    pub(crate) fn answered(&mut self) {
        self.turns += 1;
    }

    pub(crate) fn note(&mut self, kind: &str, expect: Expect, came: &str) {
        let count = self.counts.entry(kind.to_owned()).or_default();
        if came == expect.usual {
            count.usual += 1;
        } else if expect.also.contains(&came) {
            count.other += 1;
        } else if LATE.contains(&came) {
            count.late += 1;
        } else {
            self.surprise(format!("{kind}: {came}, not {}", expect.usual));
        }
    }

    /// A reply in the place of the call with this id: which call it answers, and that its output has
    /// a number above all before it.
    pub(crate) fn place(&mut self, run: &str, id: &str, tool: &str, reply: (&str, &str)) {
        let (call, output) = reply;
        let number = output
            .strip_prefix(&format!("{run}:{tool}:"))
            .and_then(|number| number.parse::<u64>().ok());
        if call != id || number.is_none_or(|number| number <= self.last_output) {
            self.surprise(format!(
                "{tool}: the reply {call} {output} where {id} was asked"
            ));
        }
        self.last_output = number.unwrap_or(self.last_output);
    }

    /// A run of its own begins: its outputs count from one.
    pub(crate) fn begin_run(&mut self) {
        self.last_output = 0;
    }

    pub(crate) fn surprise(&mut self, what: String) {
        self.surprises.push(what);
    }

    /// Prints the kinds, and checks them.
    pub(crate) fn close(self, turns: usize, verdict: &mut Verdict) {
        println!("  usual   other    late  kind of call");
        for (kind, Count { usual, other, late }) in &self.counts {
            println!("{usual:>7} {other:>7} {late:>7}  {kind}");
        }
        for surprise in self.surprises.iter().take(TOLD) {
            println!("  {surprise}");
        }
        verdict.check(
            &format!("every one of {turns} turns got its answer"),
            self.turns == turns,
            &format!("{} did", self.turns),
        );
        verdict.check(
            "every reply is its call's, in its place, and as that call may end",
            self.surprises.is_empty(),
            &format!("{} are not", self.surprises.len()),
        );
        // A host that had stopped working would answer every call with one of the late ways.
        let odd = |count: &Count| count.usual == 0 || count.late > count.usual / 4 + 1;
        let odd: Vec<&String> = self
            .counts
            .iter()
            .filter(|(_, count)| odd(count))
            .map(|(kind, _)| kind)
            .collect();
        verdict.check(
            "every kind of call ends as a rule in its usual way",
            odd.is_empty(),
            &format!("{odd:?} do not"),
        );
    }
}

/// What a result comes to, in a word: its code when it is an error, else its status.
pub(crate) fn came(shown: &Value) -> &str {
    let word = |name: &str| shown.get(name).and_then(Value::as_str);
    match (word("status"), shown.get("known").and_then(Value::as_bool)) {
        (Some("error"), _) => word("code").unwrap_or("error"),
        (Some(status), _) => status,
        (None, Some(true)) => "known",
        (None, Some(false)) => "unknown",
        (None, None) => "nothing",
    }
}

/// The results of a batch.
pub(crate) fn results(shown: &Value) -> &[Value] {
    let results = shown.get("results").and_then(Value::as_array);
    results.map_or(&[], Vec::as_slice)
}
