//! Runs in the test's own process, through the library an embedder uses: one compiled component
//! for all, real processes, and a canceller at hand.

use std::sync::LazyLock;

use loom_tools_host::config::{Commands, Retrieval};
use loom_tools_host::limits::Limits;
use loom_tools_host::{
    Bounds, Call, Component, Engine, Loom, Reply, Run, RunError, Settings, ambient_authority,
};
use loom_tools_tests::bench::{Bench, RUN, SEARCH_PATH};
use serde_json::Value;

static COMPONENT: LazyLock<Component> = LazyLock::new(|| {
    let engine = Engine::new(&Limits::default()).unwrap();
    Component::embedded(&engine).unwrap()
});

/// A run with both of the bench's configurations.
pub(crate) fn start(
    bench: &Bench,
    bounds: Bounds,
    change: impl FnOnce(&mut Settings),
) -> Result<Run, RunError> {
    let authority = ambient_authority();
    let loom = Loom {
        retrieval: Some(Retrieval::read(&bench.path("retrieval.json"), authority).unwrap()),
        commands: Some(Commands::read(&bench.path("commands.json"), authority).unwrap()),
        search_path: Some(SEARCH_PATH.into()),
        job_id: None,
        bounds,
    };
    let mut settings = Settings::new(RUN);
    change(&mut settings);
    Run::start(&COMPONENT, loom, settings, authority)
}

/// A call as an embedder makes it.
pub(crate) fn call(tool: &str, input: &Value) -> Call {
    Call {
        id: "1".to_owned(),
        tool: tool.to_owned(),
        input: input.to_string(),
        input_label: None,
    }
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn shown(reply: &Reply) -> Value {
    json(&reply.shown)
}
