//! Memory, tables, instances, handles and stack: what is past a limit ends the run, by its name.

use loom_tools_host::limits::{Limit, Limits};
use loom_tools_host::{Engine, Settings};

use crate::fixture::wat::{Core, NOTHING};
use crate::fixture::{Stage, assert_limit, assert_over, limited, trusting};

/// 512 MiB in pages of 64 KiB.
const PAGES: u32 = 8_192;

/// A run of `core`, whose turn ends it on `limit`; the limits are the defaults.
#[track_caller]
fn assert_breaks(core: &Core, limit: Limit) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_limit(run.invoke(Vec::new()), limit);
    assert_over(&mut run);
}

/// A run of `core` does not even start.
#[track_caller]
fn assert_never_starts(core: &Core, settings: Settings, limit: Limit) {
    let stage = Stage::new();
    assert_limit(stage.open(&core.component(), settings), limit);
}

#[test]
fn memory_that_grows_for_ever_ends_at_512_mib() {
    let grow = "(loop (drop (memory.grow (i32.const 1))) (br 0)) (unreachable)";
    assert_breaks(&Core::invoking(grow), Limit::Memory);
}

#[test]
fn memory_past_512_mib_in_one_step_is_refused() {
    let grow = format!("(drop (memory.grow (i32.const {PAGES}))) {NOTHING}");
    assert_breaks(&Core::invoking(&grow), Limit::Memory);
}

#[test]
fn memory_of_exactly_512_mib_is_given() {
    let stage = Stage::new();
    let last = (u64::from(PAGES) << 16) - 1;
    let grow = format!(
        "(drop (memory.grow (i32.const {}))) (i32.store8 (i32.const {last}) (i32.const 1)) {NOTHING}",
        PAGES - 16
    );
    let mut run = stage
        .open(&Core::invoking(&grow).component(), trusting())
        .unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
}

#[test]
fn memory_declared_past_512_mib_is_refused() {
    let core = Core {
        memory: format!("{}", PAGES + 1),
        ..Core::new()
    };
    assert_never_starts(&core, trusting(), Limit::Memory);
}

#[test]
fn many_memories_count_together() {
    let core = Core {
        items: "(memory 4096) (memory 4096)".to_owned(),
        ..Core::new()
    };
    assert_never_starts(&core, trusting(), Limit::Memory);
}

#[test]
fn many_memories_that_grow_count_together() {
    let stage = Stage::new();
    // Each to 300 MiB, which either may.
    let core = |grow: &str| Core {
        items: "(memory $other 1)".to_owned(),
        ..Core::invoking(&format!("{grow} {NOTHING}"))
    };
    let (one, other) = (
        "(drop (memory.grow (i32.const 4800)))",
        "(drop (memory.grow $other (i32.const 4800)))",
    );
    for grow in [one, other] {
        let mut run = stage.open(&core(grow).component(), trusting()).unwrap();
        assert!(run.invoke(Vec::new()).is_ok());
    }
    assert_breaks(&core(&format!("{one} {other}")), Limit::Memory);
}

#[test]
fn growth_that_fails_gives_no_memory_back() {
    // More than a memory can address fails without being asked for; the bytes already there stay
    // counted.
    let grow = "(loop (drop (memory.grow (i32.const 64))) (drop (memory.grow (i32.const 65535)))
            (br 0))
        (unreachable)";
    assert_breaks(&Core::invoking(grow), Limit::Memory);
}

#[test]
fn growth_past_a_memorys_own_bound_is_not_counted() {
    let stage = Stage::new();
    let core = Core {
        items: "(memory $small 1 2)".to_owned(),
        ..Core::invoking(&format!(
            "(local $left i32) (local.set $left (i32.const 10000))
             (loop (drop (memory.grow $small (i32.const 2)))
                (br_if 0 (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
             {NOTHING}"
        ))
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
}

/// A run of `core` starts and answers its turn; the limits are the defaults.
#[track_caller]
fn assert_serves(core: &Core) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
}

#[test]
fn as_many_memories_and_tables_as_are_allowed_are_given() {
    // The module has a memory, and what wit-component puts beside it has a table.
    assert_serves(&Core {
        items: "(memory 0)".repeat(31),
        ..Core::new()
    });
    assert_serves(&Core {
        items: "(table 0 funcref)".repeat(31),
        ..Core::new()
    });
}

#[test]
fn a_table_of_exactly_its_bound_is_given() {
    assert_serves(&Core {
        items: "(table 20000 funcref)".to_owned(),
        ..Core::new()
    });
    assert_serves(&Core {
        items: "(table $t 0 funcref)".to_owned(),
        ..Core::invoking(&format!(
            "(if (i32.ne (table.grow $t (ref.null func) (i32.const 20000)) (i32.const 0))
                (then unreachable))
             {NOTHING}"
        ))
    });
}

#[test]
fn a_table_that_grows_one_past_its_bound_is_refused() {
    let core = Core {
        items: "(table $t 20000 funcref)".to_owned(),
        ..Core::invoking("(drop (table.grow $t (ref.null func) (i32.const 1))) (unreachable)")
    };
    assert_breaks(&core, Limit::TableElements);
}

#[test]
fn too_many_memories_are_refused() {
    let core = Core {
        items: "(memory 0)".repeat(32),
        ..Core::new()
    };
    assert_never_starts(&core, trusting(), Limit::Instances);
}

#[test]
fn too_many_tables_are_refused() {
    let core = Core {
        items: "(table 0 funcref)".repeat(32),
        ..Core::new()
    };
    assert_never_starts(&core, trusting(), Limit::Instances);
}

#[test]
fn too_many_instances_are_refused() {
    // A component from wit-component is more than one.
    let settings = limited(|limits| limits.instances = 1);
    assert_never_starts(&Core::new(), settings, Limit::Instances);
}

#[test]
fn a_table_that_grows_for_ever_ends_at_its_bound() {
    let core = Core {
        items: "(table $t 0 funcref)".to_owned(),
        ..Core::invoking(
            "(loop (drop (table.grow $t (ref.null func) (i32.const 100))) (br 0)) (unreachable)",
        )
    };
    assert_breaks(&core, Limit::TableElements);
}

#[test]
fn a_table_declared_past_its_bound_is_refused() {
    let core = Core {
        items: "(table 20001 funcref)".to_owned(),
        ..Core::new()
    };
    assert_never_starts(&core, trusting(), Limit::TableElements);
}

#[test]
fn handles_made_for_ever_end_at_their_bound() {
    let core = Core::invoking("(loop (drop (call $new (i32.const 1))) (br 0)) (unreachable)");
    assert_breaks(&core, Limit::Handles);
}

#[test]
fn handles_are_as_many_as_the_embedder_says() {
    let stage = Stage::new();
    // The run itself is one, and the host's hold on it another.
    let four = format!("{}{NOTHING}", "(drop (call $new (i32.const 1)))".repeat(4));
    let settings = limited(|limits| limits.handles = 10);
    let component = Core::invoking(&four).component();
    let mut run = stage.open(&component, settings).unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
    let more = (0..2).try_for_each(|_| run.invoke(Vec::new()).map(drop));
    assert_limit(more, Limit::Handles);
}

/// Calls itself as often as its argument says; `each` runs at every depth.
fn recursing(depth: u32, each: &str) -> Core {
    Core {
        items: format!(
            "(func $deep (param i32) (result i32)
                {each}
                (if (result i32) (local.get 0)
                    (then (i32.add (i32.const 1)
                        (call $deep (i32.sub (local.get 0) (i32.const 1)))))
                    (else (i32.const 0))))"
        ),
        ..Core::invoking(&format!(
            "(drop (call $deep (i32.const {depth}))) {NOTHING}"
        ))
    }
}

#[test]
fn recursion_ends_on_the_stack() {
    assert_breaks(&recursing(u32::MAX, ""), Limit::Stack);
}

#[test]
fn recursion_that_calls_the_host_at_every_depth_ends_on_the_stack() {
    let ask = "(call $ask (i32.const 0) (i32.const 0) (i32.const 1024))";
    assert_breaks(&recursing(u32::MAX, ask), Limit::Stack);
}

#[test]
fn the_stack_is_as_large_as_the_embedder_says() {
    let component = recursing(4_000, "").component();
    let shared = Stage::new();
    let mut run = shared.open(&component, trusting()).unwrap();
    assert!(run.invoke(Vec::new()).unwrap().is_empty());
    let limits = Limits {
        stack: 32 << 10,
        ..Limits::default()
    };
    let small = Engine::new(&limits).unwrap();
    let loaded = loom_tools_host::Component::load(&small, &component, None).unwrap();
    let (loom, authority) = (shared.loom(), loom_tools_host::ambient_authority());
    let mut run = loom_tools_host::Run::start(&loaded, loom, trusting(), authority).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::Stack);
}
