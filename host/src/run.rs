//! One run of the component, as an embedder drives it.

use std::fmt;
use std::io;

use wasmtime::Store;
use wasmtime::component::{Linker, ResourceAny};

use crate::bindings::LoomTools;
use crate::bindings::exports::loom::tools::tools as wit;
use crate::component::Component;
use crate::grant::{Basis, Enforcement, Grant, PromptSlot};
use crate::import::Bound;
use crate::journal::{Journal, NoJournal};
use crate::limits::{Limit, Limits, Meter};
use crate::loom::Loom;
use crate::process::Cancel;
use crate::read_ceiling::ReadCeiling;

pub use wit::{Call, Descriptor, Effect, Reply};

/// What the operator says of one run. The grant is derived from it and from the [`Loom`].
#[derive(Clone, Debug)]
pub struct Settings {
    /// 1 to 128 characters of `A-Z a-z 0-9 . _ : -`.
    pub run_id: String,
    /// Clause lists as JSON, met into the run's ceiling; none admits every label.
    pub ceilings: Vec<String>,
    /// How strictly the run's authority is enforced.
    pub enforcement: Enforcement,
    /// How the run's task reached it.
    pub slot: Option<PromptSlot>,
    /// The tools the run may call; none allows every configured one.
    pub allowed_tools: Option<Vec<String>>,
    /// What the component may take.
    pub limits: Limits,
}

impl Settings {
    /// A run that may read and not write: explicit enforcement, and a task that came as context.
    pub fn new(run_id: impl Into<String>) -> Self {
        Self {
            run_id: run_id.into(),
            ceilings: Vec::new(),
            enforcement: Enforcement::EnforceExplicit,
            slot: Some(PromptSlot::Context),
            allowed_tools: None,
            limits: Limits::default(),
        }
    }
}

/// Why a run did not start or does not go on.
#[derive(Debug)]
pub enum RunError {
    /// The component refused its settings or its saved state, with a sentence for the operator.
    Refused(String),
    /// The component broke a limit, which ended its run.
    Limit(Limit),
    /// The component trapped, which ended its run.
    Trapped(wasmtime::Error),
    /// The journal could not be written, which ended the run.
    Unrecorded(io::Error),
    /// The run had ended before.
    Ended,
    /// The host could not give the run what it needs.
    Host(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(sentence) => f.write_str(sentence),
            Self::Limit(limit) => {
                write!(f, "the component broke a limit: {limit}; its run is over")
            }
            Self::Trapped(error) => write!(f, "the component trapped: {error:#}; its run is over"),
            Self::Unrecorded(error) => {
                write!(
                    f,
                    "the run's journal could not be written: {error}; the run is over"
                )
            }
            Self::Ended => f.write_str("the run is over"),
            Self::Host(error) => write!(f, "the run could not be set up: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

/// One run. Calls into it block; [`Run::canceller`] ends them from another thread.
pub struct Run {
    store: Store<Bound>,
    bindings: LoomTools,
    run: ResourceAny,
    component: Component,
    cancel: Cancel,
    read_ceiling: Option<ReadCeiling>,
    ended: bool,
}

impl Run {
    /// Starts a run.
    ///
    /// # Ambient Authority
    ///
    /// Opens the directory of the read-ceiling record, when the configuration names one; starts
    /// processes as `loom` and the grant say, when a turn asks for them.
    pub fn start(
        component: &Component,
        loom: Loom,
        settings: Settings,
        authority: cap_std::AmbientAuthority,
    ) -> Result<Self, RunError> {
        Self::open(
            component,
            loom,
            settings,
            Box::new(NoJournal),
            None,
            authority,
        )
    }

    /// Starts a run whose every request is recorded, or continues one from what [`Run::save`]
    /// returned. See [`Run::start`].
    pub fn open(
        component: &Component,
        loom: Loom,
        settings: Settings,
        journal: Box<dyn Journal>,
        saved: Option<&str>,
        authority: cap_std::AmbientAuthority,
    ) -> Result<Self, RunError> {
        let record = loom
            .retrieval
            .as_ref()
            .and_then(|r| r.read_ceiling_file.as_deref());
        let read_ceiling = record.map(|path| ReadCeiling::hold(path, authority));
        let wit_settings = wit_settings(&loom, &settings);
        let cancel = Cancel::new().map_err(RunError::Host)?;
        let grant = Grant::derive(Basis {
            retrieval: loom.retrieval.is_some(),
            commands: loom.commands.is_some(),
            enforcement: settings.enforcement,
            slot: settings.slot,
            allowed_tools: settings.allowed_tools.as_deref(),
        });
        let mut store = Store::new(
            &component.engine.inner,
            Bound {
                loom,
                grant,
                cancel: cancel.clone(),
                journal,
                meter: Meter::new(settings.limits.clone()),
                calls: 0,
                unrecorded: None,
            },
        );
        store.limiter(|bound| &mut bound.meter);
        store.set_hostcall_fuel(settings.limits.copied);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut store| {
            store.data_mut().meter.tick()?;
            Ok(wasmtime::UpdateDeadline::Continue(1))
        });
        let ticking = component.engine.ticking();
        store.data_mut().meter.begin();
        let opened = instantiate(&mut store, component, &wit_settings, saved);
        drop(ticking);
        let (bindings, run) = opened
            .map_err(|error| ended(&mut store, error))?
            .map_err(RunError::Refused)?;
        Ok(Self {
            store,
            bindings,
            run,
            component: component.clone(),
            cancel,
            read_ceiling,
            ended: false,
        })
    }

    /// The configured and allowed tools, in a fixed order.
    pub fn tools(&mut self) -> Result<Vec<Descriptor>, RunError> {
        self.call(|bindings, store, run| bindings.loom_tools_tools().run().call_tools(store, run))
    }

    /// Answers the calls of one model turn, in order; they run concurrently.
    pub fn invoke(&mut self, calls: Vec<Call>) -> Result<Vec<Reply>, RunError> {
        self.invoke_noting(calls, || ())
    }

    /// The same, with word of when the turn has begun: what is cancelled from then on, and not
    /// before, is cancelled in this turn.
    pub fn invoke_noting(
        &mut self,
        calls: Vec<Call>,
        begun: impl FnOnce(),
    ) -> Result<Vec<Reply>, RunError> {
        self.cancel.reset();
        begun();
        self.store.data_mut().calls = u32::try_from(calls.len()).unwrap_or(u32::MAX);
        let ceiling_record = self.read_ceiling.as_ref().map(ReadCeiling::read);
        let turn = wit::Turn {
            calls,
            ceiling_record,
        };
        self.call(|bindings, store, run| {
            bindings
                .loom_tools_tools()
                .run()
                .call_invoke(store, run, &turn)
        })
    }

    /// The run's accumulated model-context label, as JSON.
    pub fn label(&mut self) -> Result<String, RunError> {
        self.call(|bindings, store, run| bindings.loom_tools_tools().run().call_label(store, run))
    }

    /// The run's catalog, handles, counter and label, as JSON.
    pub fn save(&mut self) -> Result<String, RunError> {
        self.call(|bindings, store, run| bindings.loom_tools_tools().run().call_save(store, run))
    }

    /// Resolves the handles a structured result names; the result and the error are JSON.
    pub fn resolve_result(&mut self, result: &str) -> Result<Result<String, String>, RunError> {
        self.call(|bindings, store, run| {
            bindings
                .loom_tools_tools()
                .run()
                .call_resolve_result(store, run, result)
        })
    }

    /// What the run may start.
    pub fn grant(&self) -> &Grant {
        &self.store.data().grant
    }

    /// Ends the current turn's processes, or one call's, from any thread.
    pub fn canceller(&self) -> Cancel {
        self.cancel.clone()
    }

    /// One call into the component, counted against the limits. A run that broke one is over.
    fn call<T>(
        &mut self,
        call: impl FnOnce(&LoomTools, &mut Store<Bound>, ResourceAny) -> wasmtime::Result<T>,
    ) -> Result<T, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        let ticking = self.component.engine.ticking();
        self.store.data_mut().meter.begin();
        let result = call(&self.bindings, &mut self.store, self.run);
        self.store.data_mut().meter.leave_guest();
        drop(ticking);
        result.map_err(|error| {
            self.ended = true;
            ended(&mut self.store, error)
        })
    }
}

/// The component with its run, or the sentence it refused to start one with.
type Opened = Result<(LoomTools, ResourceAny), String>;

fn instantiate(
    store: &mut Store<Bound>,
    component: &Component,
    settings: &wit::Settings,
    saved: Option<&str>,
) -> wasmtime::Result<Opened> {
    let mut linker = Linker::new(&component.engine.inner);
    LoomTools::add_to_linker::<_, Bound>(&mut linker, |bound| bound)?;
    let bindings = LoomTools::instantiate(&mut *store, &component.inner, &linker)?;
    let run = bindings.loom_tools_tools().run();
    let run = match saved {
        None => run.call_start(store, settings)?,
        Some(saved) => run.call_resume(store, settings, saved)?,
    };
    Ok(run.map(|run| (bindings, run)))
}

/// Why a call into the component failed: the limit it broke, when it broke one.
fn ended(store: &mut Store<Bound>, error: wasmtime::Error) -> RunError {
    let bound = store.data_mut();
    if let Some(error) = bound.unrecorded.take() {
        return RunError::Unrecorded(error);
    }
    let stack = matches!(error.downcast_ref(), Some(wasmtime::Trap::StackOverflow));
    match bound.meter.broken.take().or(stack.then_some(Limit::Stack)) {
        Some(limit) => RunError::Limit(limit),
        None => RunError::Trapped(error),
    }
}

fn wit_settings(loom: &Loom, settings: &Settings) -> wit::Settings {
    wit::Settings {
        run_id: settings.run_id.clone(),
        retrieval: loom.retrieval.as_ref().map(|retrieval| wit::Retrieval {
            facets: retrieval.facets.clone(),
            ceiling_record: retrieval.read_ceiling_file.is_some(),
        }),
        commands: loom.commands.is_some(),
        ceilings: settings.ceilings.clone(),
        enforcement: match settings.enforcement {
            Enforcement::Disabled => wit::Enforcement::Disabled,
            Enforcement::Observe => wit::Enforcement::Observe,
            Enforcement::EnforceExplicit => wit::Enforcement::EnforceExplicit,
            Enforcement::EnforceStrict => wit::Enforcement::EnforceStrict,
        },
        slot: settings.slot.map(|slot| match slot {
            PromptSlot::DirectCommand => wit::PromptSlot::DirectCommand,
            PromptSlot::Context => wit::PromptSlot::Context,
            PromptSlot::Quote => wit::PromptSlot::Quote,
        }),
        allowed_tools: settings.allowed_tools.clone(),
    }
}
