//! What the targets share: runs of the component that ships, over a Loom that is not there, and what
//! any text of the host's has to be.

use std::io;
use std::path::PathBuf;
use std::sync::LazyLock;

use input::Input;
use loom_tools_host::grant::Kind;
use loom_tools_host::journal::{End, Event, Journal};
use loom_tools_host::{Component, Enforcement, Engine, Loom, PromptSlot, Settings, config};

// How bytes become inputs, and JSON read a second time. By their sources: the guest's crate would
// bring other features of what is shared with a release build.
#[path = "../../../guest/fuzz/src/input.rs"]
pub mod input;
#[path = "../../../guest/fuzz/src/json.rs"]
pub mod json;

#[allow(dead_code, reason = "the server has more uses for it")]
#[path = "../../../host/src/mcp/line.rs"]
mod line;
/// The host's own mending of texts, and the MCP server's reading of a line, from their sources.
#[allow(dead_code, reason = "the host has more uses for it")]
#[path = "../../../host/src/text.rs"]
mod text;

/// A line with its lone surrogate escapes mended.
pub fn mend(text: &[u8]) -> Vec<u8> {
    text::mend(text).into_owned()
}

/// Whether a line is a message, and if not, with what code it is answered.
pub fn message(text: &[u8]) -> Result<(), i32> {
    line::message(text).map(drop).map_err(|error| error.code.0)
}

/// Compiled once for each process.
pub static COMPONENT: LazyLock<Component> = LazyLock::new(|| {
    let engine = Engine::new(&Default::default()).expect("an engine");
    Component::embedded(&engine).expect("the embedded component loads")
});

/// The path of a file of this process's own, which is not there.
pub fn fresh(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{error}"),
        _ => path,
    }
}

/// A Loom whose CLI is missing: every request that is granted becomes a failure to start.
pub fn loom(input: &mut Input) -> Loom {
    let missing = || PathBuf::from("/nonexistent/loom");
    let retrieval = config::Retrieval {
        cli: missing(),
        transport: config::Transport::Broker { queue: missing() },
        read_ceiling_file: input.knob(&[None, Some(missing())]),
        facets: None,
    };
    let commands = config::Commands {
        cli: missing(),
        queue: missing(),
        job_id_variable: None,
    };
    Loom {
        retrieval: input.knob(&[Some(retrieval), None]),
        commands: input.knob(&[Some(commands), None]),
        ..Loom::default()
    }
}

/// What an operator may say of a run.
pub fn settings(input: &mut Input) -> Settings {
    let mut settings = Settings::new("r1");
    settings.slot = input.knob(&[
        Some(PromptSlot::DirectCommand),
        Some(PromptSlot::Context),
        None,
    ]);
    settings.enforcement = input.knob(&[
        Enforcement::EnforceExplicit,
        Enforcement::EnforceStrict,
        Enforcement::Observe,
        Enforcement::Disabled,
    ]);
    settings.ceilings = input.knob(&[vec![], vec![r#"["a"]"#.to_owned()]]);
    settings
}

/// Hears that the component asks for nothing the host would refuse, and that nothing starts.
pub struct Ear;

impl Journal for Ear {
    fn starting(&mut self, _requests: usize) -> io::Result<()> {
        Ok(())
    }

    fn ended(&mut self, event: &Event<'_>) -> io::Result<()> {
        let (kind, end): (Kind, _) = (event.kind, event.end);
        assert!(
            matches!(end, End::NotStarted(_) | End::Cancelled),
            "{kind:?}: {end:?}"
        );
        Ok(())
    }

    fn over(&mut self, why: &str) -> io::Result<()> {
        panic!("the component that ships ended its run: {why}");
    }
}

/// That this process has no child, running or dead.
pub fn assert_childless() {
    let child = rustix::process::wait(rustix::process::WaitOptions::NOHANG);
    assert_eq!(
        child.err(),
        Some(rustix::io::Errno::CHILD),
        "something was started"
    );
}

/// That a text is one line which rewrites nothing around it on a terminal.
pub fn assert_plain(text: &str) {
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    assert!(!text.contains(steers), "not plain: {text:?}");
}

/// The lines of an input, as the host counts them: blank ones are none.
pub fn lines(input: &[u8]) -> impl Iterator<Item = &[u8]> {
    let lines = input.split(|byte| *byte == b'\n');
    lines.filter(|line| !line.trim_ascii().is_empty())
}
