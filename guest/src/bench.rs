//! What the benchmarks time by itself and a run does only as part of something larger. Not in the
//! component: the feature `bench` is the benchmarks' own.

use std::rc::Rc;

use crate::entry::{Admitted, LabelSource};
use crate::handles::Handles;
use crate::json::{Value, parse};
use crate::label::Label;
use crate::signature::{Declaration, render};

/// JSON that was parsed, for [`signature`].
pub struct Parsed(Value);

/// Parses a text that is JSON; null when it is none.
pub fn parsed(text: &str) -> Parsed {
    Parsed(parse(text).unwrap_or(Value::Null))
}

/// Renders the signature of a command with that input schema.
pub fn signature(inputs: &Parsed) -> String {
    render(&Declaration {
        id: "bench.command",
        inputs: &inputs.0,
        outputs: &[],
        effect: Some("read"),
        target: "global",
    })
}

/// A run's handle table, and rows to put into it.
pub struct Minting {
    handles: Handles,
    rows: Vec<Admitted>,
}

impl Minting {
    /// An empty table, and rows that differ only in the number that `row` puts into them.
    pub fn of(rows: usize, row: impl Fn(usize) -> String) -> Self {
        let label = Rc::new(Label::default());
        let admitted = |at| {
            let (value, label) = (parsed(&row(at)).0, Rc::clone(&label));
            Admitted::new(value, label, LabelSource::Query, false)
        };
        Self {
            handles: Handles::new("bench"),
            rows: (0..rows).map(admitted).collect(),
        }
    }

    /// Mints a handle for each of these rows and holds it.
    pub fn mint(&mut self, rows: std::ops::Range<usize>) {
        for row in self.rows.get(rows).unwrap_or_default() {
            let candidate = self.handles.candidate("loom_search", row, row.source, None);
            if let Some(candidate) = candidate {
                self.handles.hold(candidate);
            }
        }
    }

    /// How many handles are held.
    pub fn held(&self) -> usize {
        self.handles.iter().len()
    }
}
