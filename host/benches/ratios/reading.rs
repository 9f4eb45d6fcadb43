//! Reading and measuring a large answer, no process involved: the answer lies in memory, and what
//! counts begins when the component gets it. The sides are one session each, running for a while.
//!
//! - The native side is the guest's own crate, which is handed the same bytes.
//! - The JavaScript side is told what it is in `harness.mjs`.
//! - Copying and checking is done natively too, by `memcpy` and `std::str::from_utf8` into memory
//!   that is there already: less than what any component has to do to get at the bytes.

use std::hint::black_box;
use std::time::Instant;

use criterion::Criterion;
use loom_tools_guest::exported::{Call, Enforcement, PromptSlot, Retrieval, Settings, Turn};
use loom_tools_guest::process::{Answer, Failure};

use super::Failed;
use super::component::Canning;
use super::inputs::{ceiling, search_answer, withheld_rows};
use super::node::Node;
use super::sides::{Side, measure};
use super::table::Table;

const MEGABYTE: usize = 1_000_000;
const ROWS: usize = 700;

pub(crate) fn bench(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    large_answers(criterion, table)?;
    ceilings(criterion, table)
}

fn large_answers(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let (ten, thirty) = (search_answer(10 * MEGABYTE), search_answer(30 * MEGABYTE));
    let mut node = Node::start(&ten)?;
    let (mut session, mut longer) = (Canning::start(None)?, Canning::start(None)?);
    let mut native = Native::start()?;
    if session.search(ten.clone())? != native.search(ten.clone())? {
        return Err("the component and the native guest show different things".into());
    }
    let mut copy = vec![0; ten.len()];
    let has_node = node.is_some();
    let [component, component_30, native, copied, javascript] = measure(
        criterion,
        "large answers",
        [
            reading(&ten, |answer| session.search(answer)),
            reading(&thirty, |answer| longer.search(answer)),
            reading(&ten, |answer| native.search(answer)),
            Box::new(|| {
                let started = Instant::now();
                copy.copy_from_slice(black_box(&ten));
                black_box(std::str::from_utf8(black_box(&copy))?);
                Ok(started.elapsed())
            }),
            Box::new(|| node.as_mut().map_or(Ok(Default::default()), Node::run)),
        ],
    )?;
    let what = "10 MB search answer in the component / the same code compiled natively";
    table.ratio(what, component, native, 1.5);
    let what = "10 MB search answer in the component / a JavaScript harness under Node";
    if has_node {
        table.ratio(what, component, javascript, 0.25);
    } else {
        table.skipped(what, "no `node` here", 0.25);
    }
    let what = "10 MB search answer in the component / copying it and checking UTF-8, natively";
    table.ratio(what, component, copied, 4.0);
    let what = "30 MB search answer / 10 MB";
    table.ratio(what, component_30, component, 3.2);
    Ok(())
}

/// Every row is measured and withheld, so that the ceilings differ and what is shown does not.
fn ceilings(criterion: &mut Criterion, table: &mut Table) -> Result<(), Failed> {
    let answer = withheld_rows(ROWS);
    let mut high = Canning::start(Some(ceiling(100)))?;
    let mut low = Canning::start(Some(ceiling(10)))?;
    let withheld = format!(r#""withheld":{ROWS}"#);
    if !high.search(answer.clone())?.contains(&withheld) {
        return Err("a row is not withheld".into());
    }
    let [hundred, ten] = measure(
        criterion,
        "ceilings",
        [
            reading(&answer, |answer| high.search(answer)),
            reading(&answer, |answer| low.search(answer)),
        ],
    )?;
    let what = "700 labeled rows measured against 100 clauses / 10 clauses";
    table.ratio(what, hundred, ten, 5.0);
    Ok(())
}

/// What `search` does with a copy of the answer, which was made before.
fn reading<'a>(
    answer: &'a [u8],
    mut search: impl FnMut(Vec<u8>) -> Result<String, Failed> + 'a,
) -> Side<'a> {
    Box::new(move || {
        let answer = answer.to_vec();
        let started = Instant::now();
        let shown = search(answer)?;
        let took = started.elapsed();
        if !shown.contains(r#""status":"ok""#) {
            return Err(format!("the search failed: {shown}").into());
        }
        Ok(took)
    })
}

/// The guest compiled natively.
struct Native(loom_tools_guest::Run);

impl Native {
    fn start() -> Result<Self, Failed> {
        let settings = Settings {
            run_id: "bench".to_owned(),
            retrieval: Some(Retrieval {
                facets: None,
                ceiling_record: false,
            }),
            commands: false,
            ceilings: Vec::new(),
            enforcement: Enforcement::EnforceExplicit,
            slot: Some(PromptSlot::Context),
            allowed_tools: None,
        };
        Ok(Self(loom_tools_guest::Run::start(settings)?))
    }

    fn search(&mut self, answer: Vec<u8>) -> Result<String, Failed> {
        let turn = Turn {
            calls: vec![Call {
                id: "1".to_owned(),
                tool: "loom_search".to_owned(),
                input: r#"{"query":"budget"}"#.to_owned(),
                input_label: None,
            }],
            ceiling_record: None,
        };
        let mut answer = Some(answer);
        let replies = self.0.invoke(turn, &mut |requests| {
            let mut answer = |_| {
                Ok(Answer {
                    exit_code: 0,
                    stdout: answer.take().ok_or(Failure::Lost)?,
                })
            };
            requests.iter().map(&mut answer).collect()
        });
        let reply = replies.into_iter().next().ok_or("there is no reply")?;
        Ok(reply.shown)
    }
}
