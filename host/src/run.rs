//! One run of the component, as an embedder drives it.

use std::fmt;
use std::io;
use std::sync::{Arc, Mutex};

use wasmtime::Store;
use wasmtime::component::{Linker, ResourceAny};

use crate::bindings::LoomTools;
use crate::bindings::exports::loom::tools::tools as wit;
use crate::component::Component;
use crate::grant::{Basis, Enforcement, Grant, PromptSlot};
use crate::import::{Bound, Source};
use crate::journal::{Caller, Journal, NoJournal};
use crate::limits::{Limit, Limits, Meter};
use crate::live::Live;
use crate::loom::Loom;
use crate::process::Cancel;
use crate::read_ceiling::ReadCeiling;
use crate::record::{Crossing, Ending, Op, Recorder, Ret, Start, VERSION};
use crate::replay::Tape;

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
    /// The journal or the recording could not be written, which ended the run. What had started
    /// by then may have taken effect all the same: see [`Run::started`].
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
                    "the run's audit log or recording could not be written: {error}; the run is over"
                )
            }
            Self::Ended => f.write_str("the run is over"),
            Self::Host(error) => write!(f, "the run could not be set up: {error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// What a recording says of it.
    pub(crate) fn ending(&self) -> Ending<'static> {
        match self {
            Self::Limit(limit @ (Limit::GuestTime | Limit::TurnTime)) => {
                Ending::Host(Self::Limit(*limit).to_string().into())
            }
            Self::Limit(limit) => Ending::Limit(limit.to_string().into()),
            Self::Trapped(_) => Ending::Trapped,
            error => Ending::Host(error.to_string().into()),
        }
    }
}

/// Who watches a run. A plain journal becomes one with `into`.
pub struct Watch {
    /// Hears of every request.
    pub journal: Box<dyn Journal>,
    /// Writes down everything that crosses the boundary.
    pub recorder: Option<Recorder>,
}

impl From<Box<dyn Journal>> for Watch {
    fn from(journal: Box<dyn Journal>) -> Self {
        Self {
            journal,
            recorder: None,
        }
    }
}

impl<J: Journal + 'static> From<Box<J>> for Watch {
    fn from(journal: Box<J>) -> Self {
        Self::from(journal as Box<dyn Journal>)
    }
}

/// One run. Calls into it block; [`Run::canceller`] ends them from another thread.
pub struct Run {
    store: Store<Bound>,
    bindings: LoomTools,
    run: ResourceAny,
    component: Component,
    grant: Grant,
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

    /// Starts a run that is watched, or continues one from what [`Run::save`] returned. See
    /// [`Run::start`].
    pub fn open(
        component: &Component,
        loom: Loom,
        settings: Settings,
        watch: impl Into<Watch>,
        saved: Option<&str>,
        authority: cap_std::AmbientAuthority,
    ) -> Result<Self, RunError> {
        let Watch { journal, recorder } = watch.into();
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
        let live = Live {
            loom,
            grant: grant.clone(),
            cancel: cancel.clone(),
            journal,
            started: Vec::new(),
        };
        let bound = Bound {
            source: Source::Live(Box::new(live)),
            recorder,
            meter: Meter::new(settings.limits),
            callers: Vec::new(),
            unrecorded: None,
        };
        let mut run = Self::begin(component, &wit_settings, saved, bound, cancel)?;
        (run.grant, run.read_ceiling) = (grant, read_ceiling);
        Ok(run)
    }

    /// Starts a run that answers its component from a recording and may start nothing.
    pub(crate) fn replay(
        component: &Component,
        settings: &wit::Settings,
        limits: &Limits,
        saved: Option<&str>,
        tape: Arc<Mutex<Tape>>,
    ) -> Result<Self, RunError> {
        let bound = Bound {
            source: Source::Recorded(tape),
            recorder: None,
            meter: Meter::new(limits.clone()),
            callers: Vec::new(),
            unrecorded: None,
        };
        let cancel = Cancel::new().map_err(RunError::Host)?;
        Self::begin(component, settings, saved, bound, cancel)
    }

    fn begin(
        component: &Component,
        settings: &wit::Settings,
        saved: Option<&str>,
        bound: Bound,
        cancel: Cancel,
    ) -> Result<Self, RunError> {
        let copied = bound.meter.limits.copied;
        let mut store = Store::new(&component.engine.inner, bound);
        store.limiter(|bound| &mut bound.meter);
        store.set_hostcall_fuel(copied);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut store| {
            store.data_mut().meter.tick()?;
            Ok(wasmtime::UpdateDeadline::Continue(1))
        });
        let start = Crossing::Start(Box::new(Start {
            recording: VERSION,
            redacted: false,
            loom_tools: env!("CARGO_PKG_VERSION").into(),
            component: component.digest().to_string().into(),
            settings: std::borrow::Cow::Borrowed(settings),
            saved: saved.map(Into::into),
        }));
        let opened = counted(component, &mut store, start, |store| {
            let opened = instantiate(&mut *store, component, settings, saved)?;
            let refusal = opened.as_ref().map(|_| ()).map_err(|told| told.into());
            store
                .data_mut()
                .write(&Crossing::Return(Ret::Started(refusal)))?;
            Ok(opened)
        });
        let (bindings, run) = opened?.map_err(RunError::Refused)?;
        Ok(Self {
            store,
            bindings,
            run,
            component: component.clone(),
            grant: Grant::default(),
            cancel,
            read_ceiling: None,
            ended: false,
        })
    }

    /// The configured and allowed tools, in a fixed order.
    pub fn tools(&mut self) -> Result<Vec<Descriptor>, RunError> {
        self.call(
            Op::Tools,
            |guest, store, run| guest.call_tools(store, run),
            |tools| Ret::Tools(tools.into()),
        )
    }

    /// Answers the calls of one model turn, in order; they run concurrently.
    pub fn invoke(&mut self, calls: Vec<Call>) -> Result<Vec<Reply>, RunError> {
        self.cancel.reset();
        let ceiling_record = self.read_ceiling.as_ref().map(ReadCeiling::read);
        self.turn(wit::Turn {
            calls,
            ceiling_record,
        })
    }

    /// Answers a turn whose ceiling record is read already.
    pub(crate) fn turn(&mut self, turn: wit::Turn) -> Result<Vec<Reply>, RunError> {
        let callers = turn.calls.iter().map(|call| Caller {
            id: call.id.clone(),
            tool: call.tool.clone(),
        });
        self.store.data_mut().callers = callers.collect();
        let replies = self.call(
            Op::Invoke(std::borrow::Cow::Borrowed(&turn)),
            |guest, store, run| guest.call_invoke(store, run, &turn),
            |replies| Ret::Replies(replies.into()),
        );
        // Outside a turn there is no call that a request could serve.
        self.store.data_mut().callers.clear();
        replies
    }

    /// The run's accumulated model-context label, as JSON.
    pub fn label(&mut self) -> Result<String, RunError> {
        self.call(
            Op::Label,
            |guest, store, run| guest.call_label(store, run),
            |label| Ret::Label(label.into()),
        )
    }

    /// The run's catalog, handles, counter and label, as JSON.
    pub fn save(&mut self) -> Result<String, RunError> {
        self.call(
            Op::Save,
            |guest, store, run| guest.call_save(store, run),
            |saved| Ret::Saved(saved.into()),
        )
    }

    /// Resolves the handles a structured result names; the result and the error are JSON.
    pub fn resolve_result(&mut self, result: &str) -> Result<Result<String, String>, RunError> {
        self.call(
            Op::ResolveResult(result.into()),
            |guest, store, run| guest.call_resolve_result(store, run, result),
            |resolved| {
                let resolved = resolved.as_ref();
                Ret::Resolved(resolved.map(Into::into).map_err(Into::into))
            },
        )
    }

    /// What the run may start.
    pub fn grant(&self) -> &Grant {
        &self.grant
    }

    /// Ends the current turn's processes, or one call's, from any thread.
    pub fn canceller(&self) -> Cancel {
        self.cancel.clone()
    }

    /// The processes that the last call into the component had started, in words for the operator.
    /// After a call that failed each may have taken effect, whatever became of its answer.
    pub fn started(&self) -> &[String] {
        match &self.store.data().source {
            Source::Live(live) => &live.started,
            Source::Recorded(_) => &[],
        }
    }

    /// One call into the component, counted against the limits and recorded. A run that broke a
    /// limit, or could not be recorded, is over.
    fn call<T>(
        &mut self,
        op: Op<'_>,
        call: impl FnOnce(Guest<'_>, &mut Store<Bound>, ResourceAny) -> wasmtime::Result<T>,
        ret: impl FnOnce(&T) -> Ret<'_>,
    ) -> Result<T, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        if let Source::Live(live) = &mut self.store.data_mut().source {
            live.started.clear();
        }
        let guest = self.bindings.loom_tools_tools().run();
        let run = self.run;
        let result = counted(
            &self.component,
            &mut self.store,
            Crossing::Call(op),
            |store| {
                let value = call(guest, &mut *store, run)?;
                store.data_mut().write(&Crossing::Return(ret(&value)))?;
                Ok(value)
            },
        );
        self.ended = result.is_err();
        result
    }
}

/// Calls into the component: recorded as `crossing`, and counted against the limits.
fn counted<T>(
    component: &Component,
    store: &mut Store<Bound>,
    crossing: Crossing<'_>,
    call: impl FnOnce(&mut Store<Bound>) -> wasmtime::Result<T>,
) -> Result<T, RunError> {
    let ticking = component.engine.ticking();
    let result = store.data_mut().write(&crossing).and_then(|()| {
        store.data_mut().meter.begin();
        let result = call(store);
        store.data_mut().meter.leave_guest();
        result
    });
    drop(ticking);
    result.map_err(|error| {
        let error = ended(store, error);
        // The run is over as it is.
        let _ = store.data_mut().write(&Crossing::Ended(error.ending()));
        error
    })
}

/// The component with its run, or the sentence it refused to start one with.
type Guest<'a> = wit::GuestRun<'a>;
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
