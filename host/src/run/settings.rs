//! What a run is opened with, and how the component is told of it.

use crate::bindings::exports::loom::tools::tools as wit;
use crate::grant::{Enforcement, PromptSlot};
use crate::journal::Journal;
use crate::limits::Limits;
use crate::loom::Loom;
use crate::record::Recorder;

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

/// The settings as the component gets them.
pub(super) fn wit_settings(loom: &Loom, settings: &Settings) -> wit::Settings {
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
