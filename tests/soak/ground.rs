//! Where the drives stand: a link for each family of tools that leads to the sample `loom`, to the
//! fake one or nowhere, a broker that can be killed, and the files that are there.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use loom_tools_tests::bench::Bench;
use loom_tools_tests::fake::RELEASE;
use loom_tools_tests::processes::{alive_under, wait_until};

use crate::PROGRAMS;
use crate::script::{self, HELD};

/// What a family's `cliPath` leads to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cli {
    Sample,
    Fake,
    Nothing,
}

pub(crate) struct Ground {
    pub(crate) bench: Bench,
    leads_to: Option<Cli>,
    broker: Option<Child>,
}

/// Where the product's own temporary files would go, if it made any.
pub(crate) const TEMPORARY: &str = "tmp";

impl Ground {
    pub(crate) fn new() -> Self {
        let bench = Bench::new(PROGRAMS);
        fs::create_dir(bench.path(TEMPORARY)).expect("a directory can be made");
        bench.fake.script(&script::rules());
        Self {
            bench,
            leads_to: None,
            broker: None,
        }
    }

    /// Has the `cliPath` of both configurations lead there.
    pub(crate) fn lead_to(&mut self, cli: Cli) {
        if self.leads_to == Some(cli) {
            return;
        }
        self.leads_to = Some(cli);
        let link = self.bench.fake.path();
        let program = match cli {
            Cli::Sample => PROGRAMS.sample,
            Cli::Fake => PROGRAMS.fake,
            Cli::Nothing => return fs::remove_file(link).expect("a link can be removed"),
        };
        let new = self.bench.fake.file("loom.new");
        symlink(program, &new).expect("a link can be made");
        fs::rename(new, link).expect("a link can be replaced");
    }

    /// Starts the broker, unless it runs.
    pub(crate) fn start_broker(&mut self) {
        if self.broker.is_some() {
            return;
        }
        let queue = self.bench.queue();
        let ready = queue.join("ready.json");
        // What a killed broker left behind.
        let _ = fs::remove_file(&ready);
        let mut command = Command::new(PROGRAMS.sample);
        command.arg("broker").arg("--queue").arg(&queue);
        command.args(["--patience-ms", "30000"]);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let child = command.spawn().expect("a broker can be started");
        self.broker = Some(child);
        wait_until("a broker", || ready.exists());
    }

    /// Kills the broker, as a crash would.
    pub(crate) fn kill_broker(&mut self) {
        if let Some(mut broker) = self.broker.take() {
            broker.kill().expect("a child can be killed");
            broker.wait().expect("a child can be waited for");
        }
    }

    /// After a turn: what the fake wrote down, and what it left behind out of the host's reach.
    pub(crate) fn tidy(&self) {
        let fake = &self.bench.fake;
        fake.take_records();
        let _ = fs::remove_file(fake.file(HELD));
        if self.left("grandchild-").next().is_some() {
            self.end_grandchildren();
        }
    }

    /// Has grandchildren that left their group end, and forgets them all.
    fn end_grandchildren(&self) {
        let fake = &self.bench.fake;
        fake.touch(RELEASE);
        wait_until("the end of the grandchildren", || {
            let alive = alive_under(self.bench.dir());
            !alive.iter().any(|(_, line)| line.contains("--grandchild"))
        });
        for path in self.left("grandchild-") {
            fs::remove_file(path).expect("a file can be removed");
        }
        fs::remove_file(fake.file(RELEASE)).expect("a file can be removed");
    }

    /// The files beside the fake that have such a name.
    fn left(&self, prefix: &str) -> impl Iterator<Item = PathBuf> {
        let entries = fs::read_dir(self.bench.fake.file("")).expect("the fake has a directory");
        let paths = entries.flatten().map(|entry| entry.path());
        paths.filter(move |path| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(prefix))
        })
    }

    /// Every file but those of the fake, of the queue, and of the test itself.
    pub(crate) fn files(&self) -> BTreeSet<PathBuf> {
        let mut found = BTreeSet::new();
        let apart = [self.bench.queue(), self.bench.fake.file("")];
        let mut places = vec![self.bench.dir().to_owned()];
        while let Some(place) = places.pop() {
            for entry in fs::read_dir(place).expect("a directory can be read") {
                let path = entry.expect("a directory can be read").path();
                if !path.is_dir() {
                    found.insert(path);
                } else if !apart.iter().any(|other| same(other, &path)) {
                    places.push(path);
                }
            }
        }
        found
    }

    /// What runs, the broker apart.
    pub(crate) fn alive(&self) -> Vec<String> {
        let broker = self.broker.as_ref().map(Child::id);
        let alive = alive_under(self.bench.dir()).into_iter();
        alive
            .filter(|(pid, _)| Some(pid.cast_unsigned()) != broker)
            .map(|(pid, line)| format!("{pid} {line}"))
            .collect()
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        self.kill_broker();
    }
}

/// With or without a separator at the end.
fn same(one: &Path, other: &Path) -> bool {
    one.components().eq(other.components())
}
