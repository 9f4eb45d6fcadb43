//! More data across the boundary than it may carry: refused before the host has allocated it.

use loom_tools_host::journal::NoJournal;
use loom_tools_host::limits::Limit;
use loom_tools_host::{Component, Run, ambient_authority};

use crate::fixture::guest::Behaviour;
use crate::fixture::wat::Core;
use crate::fixture::{Stage, assert_limit, assert_over, limited, told, trusting};

/// Enough pages for 200 MB, and the module's own.
const PAGES: &str = "3100";

#[test]
fn a_request_with_a_text_of_200_mb_is_not_copied() {
    let stage = Stage::new();
    let core = Core {
        memory: PAGES.to_owned(),
        ..Core::asking("(i32.store (i32.const 2068) (i32.const 200000000))")
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::Copied);
    assert!(stage.started().is_empty());
    assert_over(&mut run);
}

#[test]
fn many_requests_that_share_one_text_are_not_copied() {
    let stage = Stage::new();
    // A hundred requests at 1 MiB, each with the text of 1 MiB at 2 MiB.
    let core = Core {
        memory: "64".to_owned(),
        ..Core::invoking(
            "(local $at i32) (local.set $at (i32.const 0x100000))
             (loop
                (i32.store8 (i32.add (local.get $at) (i32.const 8)) (i32.const 3))
                (i32.store (i32.add (local.get $at) (i32.const 16)) (i32.const 0x200000))
                (i32.store (i32.add (local.get $at) (i32.const 20)) (i32.const 0x100000))
                (local.set $at (i32.add (local.get $at) (i32.const 104)))
                (br_if 0 (i32.lt_u (local.get $at) (i32.const 0x1028a0))))
             (call $ask (i32.const 0x100000) (i32.const 100) (i32.const 1024))
             (unreachable)",
        )
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::Copied);
    assert!(stage.started().is_empty());
}

#[test]
fn a_list_of_two_million_requests_is_not_copied() {
    let stage = Stage::new();
    let core = Core {
        memory: PAGES.to_owned(),
        ..Core::invoking(
            "(call $ask (i32.const 2048) (i32.const 1900000) (i32.const 1024)) (unreachable)",
        )
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_limit(run.invoke(Vec::new()), Limit::Copied);
}

/// A result that says it is a text of 200 MB.
const TEXT: &str =
    "(i32.store (i32.const 64) (i32.const 0)) (i32.store (i32.const 68) (i32.const 200000000))
     (i32.const 64)";

#[test]
fn a_label_of_200_mb_is_not_copied() {
    let stage = Stage::new();
    let core = Core {
        memory: PAGES.to_owned(),
        label: TEXT.to_owned(),
        ..Core::new()
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert_limit(run.label(), Limit::Copied);
    assert_over(&mut run);
}

#[test]
fn a_saved_state_of_600_mb_is_not_copied() {
    let stage = Stage::new();
    let core = Core {
        memory: "9200".to_owned(),
        save: TEXT.replace("200000000", "600000000"),
        ..Core::new()
    };
    let mut run = stage
        .open(&core.component(), limited(|limits| limits.memory = 1 << 30))
        .unwrap();
    assert_limit(run.save(), Limit::Copied);
}

#[test]
fn a_refusal_of_200_mb_is_not_copied() {
    let stage = Stage::new();
    let core = Core {
        memory: PAGES.to_owned(),
        start: "(i32.store8 (i32.const 64) (i32.const 1)) (i32.store (i32.const 68) (i32.const 0))
            (i32.store (i32.const 72) (i32.const 200000000)) (i32.const 64)"
            .to_owned(),
        ..Core::new()
    };
    assert_limit(stage.open(&core.component(), trusting()), Limit::Copied);
}

#[test]
fn what_is_copied_is_as_much_as_the_embedder_says() {
    let stage = Stage::new();
    let mut run = stage.guest(limited(|limits| limits.copied = 100_000));
    assert!(told(&mut run, Behaviour::ShowText, "90000").is_ok());
    assert_limit(told(&mut run, Behaviour::ShowText, "110000"), Limit::Copied);
}

#[test]
fn a_reply_shows_at_most_4_mib() {
    let stage = Stage::new();
    let mut run = stage.guest(trusting());
    let replies = told(&mut run, Behaviour::ShowText, "4194304").unwrap();
    assert_eq!(replies[0].shown.len(), 4 << 20);
    assert_limit(told(&mut run, Behaviour::ShowText, "4194305"), Limit::Shown);
    assert_over(&mut run);
}

/// A text of so many bytes, quotes included, as a saved state and as a label.
fn saving(bytes: u32) -> Core {
    let last = 65_536 + bytes - 1;
    let text = format!(
        "(memory.fill (i32.const 65536) (i32.const 97) (i32.const {bytes}))
         (i32.store8 (i32.const 65536) (i32.const 34)) (i32.store8 (i32.const {last}) (i32.const 34))
         (i32.store (i32.const 64) (i32.const 65536)) (i32.store (i32.const 68) (i32.const {bytes}))
         (i32.const 64)"
    );
    Core {
        save: text.clone(),
        label: text,
        ..Core::new()
    }
}

#[test]
fn a_saved_state_has_a_bound_of_its_own() {
    let stage = Stage::new();
    // Larger than what else may be copied, and smaller.
    for copied in [1_000, 10_000] {
        let settings = || {
            limited(|limits| {
                limits.copied = copied;
                limits.saved = 5_000;
            })
        };
        let mut run = stage.open(&saving(5_000).component(), settings()).unwrap();
        assert_eq!(run.save().unwrap().len(), 5_000);
        let mut run = stage.open(&saving(5_001).component(), settings()).unwrap();
        assert_limit(run.save(), Limit::Copied);
        assert_over(&mut run);
    }
}

#[test]
fn what_else_is_copied_keeps_its_bound_after_a_save() {
    let stage = Stage::new();
    let settings = limited(|limits| {
        limits.copied = 1_000;
        limits.saved = 5_000;
    });
    let mut run = stage.open(&saving(2_000).component(), settings).unwrap();
    run.save().unwrap();
    assert_limit(run.label(), Limit::Copied);
}

#[test]
fn a_run_is_continued_from_a_state_larger_than_it_may_copy() {
    let stage = Stage::new();
    let settings = limited(|limits| limits.copied = 100);
    let component = Component::load(&stage.engine, &Core::new().component(), None).unwrap();
    let state = format!("\"{}\"", "a".repeat(10_000));
    let (loom, authority) = (stage.loom(), ambient_authority());
    let journal = Box::new(NoJournal);
    let resumed = Run::open(&component, loom, settings, journal, Some(&state), authority);
    assert_eq!(resumed.unwrap().label().unwrap(), "null");
}
