//! One run of the component, as an embedder drives it.

mod entry;
mod error;
mod settings;

use std::sync::{Arc, Mutex};

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::LoomTools;
use crate::bindings::exports::loom::tools::tools as wit;
use crate::component::Component;
use crate::grant::{Basis, Grant};
use crate::import::{Bound, Source};
use crate::journal::{Caller, NoJournal};
use crate::limits::{Limits, Meter};
use crate::live::Live;
use crate::loom::Loom;
use crate::plain::plain;
use crate::process::Cancel;
use crate::read_ceiling::ReadCeiling;
use crate::record::{Crossing, Op, Ret, Start, VERSION};
use crate::replay::Tape;
use crate::reply::{self, Unfit};

use entry::{Guest, counted, instantiate};
use settings::wit_settings;

pub use error::RunError;
pub use settings::{Settings, Watch};
pub use wit::{Call, Descriptor, Effect, Reply};

/// One run. Calls into it block; [`Run::canceller`] ends them from another thread.
pub struct Run {
    store: Store<Bound>,
    bindings: LoomTools,
    run: ResourceAny,
    component: Component,
    host_side: HostSide,
    ended: bool,
}

/// What the host keeps of a run, and its component sees nothing of.
struct HostSide {
    grant: Grant,
    cancel: Cancel,
    read_ceiling: Option<ReadCeiling>,
}

impl Run {
    /// Starts a run.
    ///
    /// # Errors
    ///
    /// As [`Run::open`].
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
    ///
    /// # Errors
    ///
    /// [`RunError::Refused`] for settings or a saved state that the component does not take; the
    /// other [`RunError`]s but `Ended` when it or the host fails.
    ///
    /// # Ambient Authority
    ///
    /// That of [`Run::start`].
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
        let host_side = HostSide {
            grant,
            cancel,
            read_ceiling,
        };
        Self::begin(component, &wit_settings, saved, bound, host_side)
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
        let host_side = HostSide {
            grant: Grant::default(),
            cancel: Cancel::new().map_err(RunError::Host)?,
            read_ceiling: None,
        };
        Self::begin(component, settings, saved, bound, host_side)
    }

    fn begin(
        component: &Component,
        settings: &wit::Settings,
        saved: Option<&str>,
        bound: Bound,
        host_side: HostSide,
    ) -> Result<Self, RunError> {
        let (copied, handles) = (bound.meter.limits.copied, bound.meter.limits.handles);
        let mut store = Store::new(&component.engine.inner, bound);
        store.limiter(|bound| &mut bound.meter);
        store.set_hostcall_fuel(copied);
        store.set_max_component_handles(handles);
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
            let opened = opened.map_err(|sentence| plain(&sentence));
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
            host_side,
            ended: false,
        })
    }

    /// The configured and allowed tools, in a fixed order.
    ///
    /// # Errors
    ///
    /// Any that ends a run: see [`Run::invoke`].
    pub fn tools(&mut self) -> Result<Vec<Descriptor>, RunError> {
        self.call(
            Op::Tools,
            |guest, store, run| guest.call_tools(store, run),
            |tools| reply::tools(tools),
            |tools| Ret::Tools(tools.into()),
        )
    }

    /// Answers the calls of one model turn, in order; they run concurrently.
    ///
    /// # Errors
    ///
    /// What a call asks for and does not get is its reply, and no error. [`RunError::TooManyCalls`]
    /// leaves the run as it was. Every other error ends it: its component broke a limit, trapped or
    /// answered what its interface does not allow, or the journal or the recording could not be
    /// written. After it every call is [`RunError::Ended`], and [`Run::started`] tells what may have
    /// taken effect.
    pub fn invoke(&mut self, calls: Vec<Call>) -> Result<Vec<Reply>, RunError> {
        self.invoke_noting(calls, || ())
    }

    /// The same, with word of when the turn has begun: what is cancelled from then on, and not
    /// before, is cancelled in this turn.
    ///
    /// # Errors
    ///
    /// As [`Run::invoke`].
    pub fn invoke_noting(
        &mut self,
        calls: Vec<Call>,
        begun: impl FnOnce(),
    ) -> Result<Vec<Reply>, RunError> {
        self.host_side.cancel.reset();
        begun();
        let ceiling_record = self.host_side.read_ceiling.as_ref().map(ReadCeiling::read);
        self.turn(wit::Turn {
            calls,
            ceiling_record,
        })
    }

    /// Answers a turn whose ceiling record is read already.
    pub(crate) fn turn(&mut self, turn: wit::Turn) -> Result<Vec<Reply>, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        let bound = self.store.data_mut();
        // Outside a turn nothing starts: what is said later of this one stays true.
        if let Source::Live(live) = &mut bound.source {
            live.started.clear();
        }
        let (shown, most) = (bound.meter.limits.shown, bound.meter.limits.calls);
        if turn.calls.len() > most {
            return Err(RunError::TooManyCalls(most));
        }
        let callers = turn.calls.iter().map(|call| Caller {
            id: call.id.clone(),
            tool: call.tool.clone(),
        });
        bound.callers = callers.collect();
        let replies = self.call(
            Op::Invoke(std::borrow::Cow::Borrowed(&turn)),
            |guest, store, run| guest.call_invoke(store, run, &turn),
            |replies| reply::replies(replies, &turn.calls, shown),
            |replies| Ret::Replies(replies.into()),
        );
        // Outside a turn there is no call that a request could serve.
        self.store.data_mut().callers.clear();
        replies
    }

    /// The run's accumulated model-context label, as JSON.
    ///
    /// # Errors
    ///
    /// Any that ends a run: see [`Run::invoke`].
    pub fn label(&mut self) -> Result<String, RunError> {
        self.call(
            Op::Label,
            |guest, store, run| guest.call_label(store, run),
            |label| reply::json("label", label),
            |label| Ret::Label(label.into()),
        )
    }

    /// The run's catalog, handles, counter and label, as JSON of at most [`Limits::saved`] bytes.
    ///
    /// # Errors
    ///
    /// Any that ends a run: see [`Run::invoke`].
    pub fn save(&mut self) -> Result<String, RunError> {
        let limits = &self.store.data().meter.limits;
        let (copied, most) = (limits.copied, limits.saved);
        self.store.set_hostcall_fuel(most);
        let saved = self.call(
            Op::Save,
            |guest, store, run| guest.call_save(store, run),
            |saved| reply::json("save", saved),
            |saved| Ret::Saved(saved.into()),
        );
        self.store.set_hostcall_fuel(copied);
        saved
    }

    /// Resolves the handles a structured result names; the result, and the inner error for what it
    /// does not resolve, are JSON.
    ///
    /// # Errors
    ///
    /// The outer one is any that ends a run: see [`Run::invoke`].
    pub fn resolve_result(&mut self, result: &str) -> Result<Result<String, String>, RunError> {
        self.call(
            Op::ResolveResult(result.into()),
            |guest, store, run| guest.call_resolve_result(store, run, result),
            |(Ok(text) | Err(text))| reply::json("resolve-result", text),
            |resolved| {
                let resolved = resolved.as_ref();
                Ret::Resolved(resolved.map(Into::into).map_err(Into::into))
            },
        )
    }

    /// What bounds the run and its turns.
    pub fn limits(&self) -> &Limits {
        &self.store.data().meter.limits
    }

    /// What the run may start.
    pub fn grant(&self) -> &Grant {
        &self.host_side.grant
    }

    /// Ends the current turn's processes, or one call's, from any thread.
    pub fn canceller(&self) -> Cancel {
        self.host_side.cancel.clone()
    }

    /// The processes that the last turn had started, in words for the operator. When the run has
    /// failed, each may have taken effect, whatever became of its answer.
    pub fn started(&self) -> &[String] {
        match &self.store.data().source {
            Source::Live(live) => &live.started,
            Source::Recorded(_) => &[],
        }
    }

    /// One call into the component, counted against the limits, held to its shape and recorded. A
    /// run whose component broke one of these, or that could not be recorded, is over.
    fn call<T>(
        &mut self,
        op: Op<'_>,
        call: impl FnOnce(Guest<'_>, &mut Store<Bound>, ResourceAny) -> wasmtime::Result<T>,
        fits: impl FnOnce(&T) -> Result<(), Unfit>,
        ret: impl FnOnce(&T) -> Ret<'_>,
    ) -> Result<T, RunError> {
        if self.ended {
            return Err(RunError::Ended);
        }
        let guest = self.bindings.loom_tools_tools().run();
        let run = self.run;
        let result = counted(
            &self.component,
            &mut self.store,
            Crossing::Call(op),
            |store| {
                let value = call(guest, &mut *store, run)?;
                fits(&value)?;
                store.data_mut().write(&Crossing::Return(ret(&value)))?;
                Ok(value)
            },
        );
        self.ended = result.is_err();
        result
    }
}
