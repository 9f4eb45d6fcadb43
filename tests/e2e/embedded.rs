//! Runs in the test's own process, through the library an embedder uses: real processes, a canceller
//! at hand, and one compiled component for all, where each start of the binary compiles it anew.

use std::sync::LazyLock;

use loom_tools_host::config::{Commands, Retrieval};
use loom_tools_host::limits::Limits;
use loom_tools_host::{
    Bounds, Call, Component, Engine, Loom, PromptSlot, Reply, Run, RunError, Settings,
    ambient_authority,
};
use loom_tools_tests::bench::{Bench, RUN, SEARCH_PATH, STDERR_MARK};
use serde_json::{Value, json};

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

pub(crate) fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

pub(crate) fn shown(reply: &Reply) -> Value {
    parsed(&reply.shown)
}

/// A run that is driven turn by turn, as a session is.
pub(crate) struct Driven {
    run: Run,
    /// What no reply may hold.
    secrets: [String; 2],
}

/// A run that may read.
pub(crate) fn reads(bench: &Bench) -> Driven {
    driven(bench, |_| {})
}

/// A run that may write.
pub(crate) fn writes(bench: &Bench) -> Driven {
    driven(bench, |settings| {
        settings.slot = Some(PromptSlot::DirectCommand)
    })
}

/// A run that may read what is below a ceiling.
pub(crate) fn below(bench: &Bench, ceiling: &Value) -> Driven {
    driven(bench, |settings| {
        settings.ceilings = vec![ceiling.to_string()]
    })
}

pub(crate) fn driven(bench: &Bench, change: impl FnOnce(&mut Settings)) -> Driven {
    Driven {
        run: start(bench, Bounds::default(), change).unwrap(),
        secrets: [bench.dir().display().to_string(), STDERR_MARK.to_owned()],
    }
}

impl Driven {
    /// One call, and what the model would be shown.
    pub(crate) fn shown(&mut self, tool: &str, input: Value) -> Value {
        self.turn(&[(tool, input)])[0]["shown"].take()
    }

    /// A turn of these calls, or as many as they take, each call with its position as its id; the
    /// replies.
    pub(crate) fn turn(&mut self, calls: &[(&str, Value)]) -> Vec<Value> {
        let calls = calls.iter().enumerate().map(|(at, (tool, input))| Call {
            id: at.to_string(),
            ..call(tool, input)
        });
        let calls: Vec<Call> = calls.collect();
        let turns = calls.chunks(self.run.limits().calls);
        turns
            .flat_map(|calls| self.invoke(calls.to_vec()))
            .collect()
    }

    /// A turn; the replies as a session prints them.
    pub(crate) fn invoke(&mut self, calls: Vec<Call>) -> Vec<Value> {
        let replies = self.run.invoke(calls).unwrap();
        let reply = |reply: Reply| {
            let printed = json!({
                "callId": reply.call_id, "outputId": reply.output_id,
                "shown": parsed(&reply.shown), "artifact": parsed(&reply.artifact),
                "observation": reply.observation.as_deref().map(parsed),
                "decision": parsed(&reply.decision),
            });
            let told = printed.to_string();
            let leaked = self
                .secrets
                .iter()
                .find(|secret| told.contains(secret.as_str()));
            assert_eq!(leaked, None, "{told}");
            printed
        };
        replies.into_iter().map(reply).collect()
    }

    /// The run's accumulated label.
    pub(crate) fn label(&mut self) -> Value {
        parsed(&self.run.label().unwrap())
    }

    /// Resolves a structured result that has to be fine.
    pub(crate) fn resolved(&mut self, result: &Value) -> Value {
        parsed(
            &self
                .run
                .resolve_result(&result.to_string())
                .unwrap()
                .unwrap(),
        )
    }
}
