//! What a process holds, as the kernel tells it.

use std::fs;

use crate::verdict::Verdict;

/// One reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gauge {
    pub(crate) rss_kib: usize,
    pub(crate) descriptors: usize,
    pub(crate) threads: usize,
}

impl Gauge {
    pub(crate) fn of(pid: u32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
        let number = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let word = line.and_then(|line| line.split_whitespace().next());
            word.and_then(|word| word.parse().ok())
                .expect("the kernel tells it")
        };
        let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).expect("it runs");
        Self {
            rss_kib: number("VmRSS:"),
            descriptors: descriptors.count(),
            threads: number("Threads:"),
        }
    }
}

/// A growth that is none: an allocator keeps what it once had.
const SLACK_KIB: usize = 16 << 10;

/// Readings at intervals, as a table, and what they say at the end.
pub(crate) struct Watch {
    pid: u32,
    every: usize,
    /// Past this turn everything has been seen once, and nothing may grow.
    mark: usize,
    marked: Option<Gauge>,
}

impl Watch {
    /// `warm` turns see every kind of turn.
    pub(crate) fn new(pid: u32, turns: usize, warm: usize) -> Self {
        println!("  turn    memory  descriptors  threads");
        Self {
            pid,
            every: turns.div_ceil(10),
            mark: turns.div_ceil(10).max(warm).min(turns.div_ceil(2)),
            marked: None,
        }
    }

    /// After that many turns; whether they are those from which on nothing may grow.
    pub(crate) fn after(&mut self, turn: usize) -> bool {
        let marks = turn == self.mark;
        if marks || turn.is_multiple_of(self.every) {
            let now = self.read(turn);
            self.marked = self.marked.or(marks.then_some(now));
        }
        marks
    }

    fn read(&self, turn: usize) -> Gauge {
        let now = Gauge::of(self.pid);
        let Gauge {
            rss_kib,
            descriptors,
            threads,
        } = now;
        println!("{turn:>6} {rss_kib:>5} KiB {descriptors:>12} {threads:>8}");
        now
    }

    /// After the last turn.
    pub(crate) fn close(self, whose: &str, verdict: &mut Verdict) {
        let (first, last) = (
            self.marked.expect("half of the turns were driven"),
            Gauge::of(self.pid),
        );
        let most = first.rss_kib + first.rss_kib / 10 + SLACK_KIB;
        let since = format!("since turn {}", self.mark);
        verdict.check(
            &format!("{whose} has as many descriptors as then, {since}"),
            first.descriptors == last.descriptors,
            &format!("{} and {}", first.descriptors, last.descriptors),
        );
        verdict.check(
            &format!("{whose} has as many threads as then, {since}"),
            first.threads == last.threads,
            &format!("{} and {}", first.threads, last.threads),
        );
        verdict.check(
            &format!("{whose} has no more memory than then, {since}"),
            last.rss_kib <= most,
            &format!("{} KiB and {} KiB", first.rss_kib, last.rss_kib),
        );
    }
}
