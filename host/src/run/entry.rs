//! The way into the component: what every call of it goes through.

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use super::error::{Misfit, RunError, ended};
use crate::bindings::LoomTools;
use crate::bindings::exports::loom::tools::tools as wit;
use crate::component::Component;
use crate::import::Bound;
use crate::record::Crossing;

/// Calls into the component: recorded as `crossing`, and counted against the limits.
pub(super) fn counted<T>(
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
        if error.is_the_components() {
            store.data_mut().over(&error.to_string());
        }
        // The run is over as it is.
        let _ = store.data_mut().write(&Crossing::Ended(error.ending()));
        error
    })
}

/// The component's exports.
pub(super) type Guest<'a> = wit::GuestRun<'a>;
/// The component with its run, or the sentence it refused to start one with.
pub(super) type Opened = Result<(LoomTools, ResourceAny), String>;

pub(super) fn instantiate(
    store: &mut Store<Bound>,
    component: &Component,
    settings: &wit::Settings,
    saved: Option<&str>,
) -> wasmtime::Result<Opened> {
    let instance = component.inner.instance_pre().instantiate(&mut *store)?;
    let bindings = LoomTools::new(&mut *store, &instance).map_err(Misfit::of)?;
    let run = bindings.loom_tools_tools().run();
    let run = match saved {
        None => run.call_start(store, settings)?,
        Some(saved) => run.call_resume(store, settings, saved)?,
    };
    Ok(run.map(|run| (bindings, run)))
}
