//! Pointers, lengths, texts and discriminants that the canonical ABI does not allow: each traps the
//! run that made it, before anything is started.

use loom_tools_host::Run;
use wit_component::StringEncoding;

use crate::fixture::wat::{Core, NOTHING};
use crate::fixture::{Stage, assert_over, call, trapped, trusting};

/// A component that makes one request, spoilt so in its memory, ends with a trap that is told so.
#[track_caller]
fn assert_traps(core: &Core, said: &str) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    let told = trapped(run.invoke(vec![call("loom_page_read", "{}")]));
    assert!(told.contains(said), "{told}");
    assert_eq!(told.lines().count(), 1, "{told}");
    assert!(stage.started().is_empty());
    assert_over(&mut run);
}

/// `invoke` makes the request of [`Core::asking`], spoilt.
macro_rules! a_request_with {
    ($($name:ident: $spoil:literal, $said:literal;)*) => {$(
        #[test]
        fn $name() {
            assert_traps(&Core::asking($spoil), $said);
        }
    )*};
}

a_request_with! {
    a_text_past_the_memory_traps:
        "(i32.store (i32.const 2064) (i32.const 0x100000))", "out of bounds";
    a_text_that_ends_past_the_memory_traps:
        "(i32.store (i32.const 2068) (i32.const 0x100000))", "out of bounds";
    a_text_of_four_gib_traps:
        "(i32.store (i32.const 2068) (i32.const -1))", "out of bounds";
    a_text_whose_end_wraps_around_traps:
        "(i32.store (i32.const 2064) (i32.const -1)) (i32.store (i32.const 2068) (i32.const 3))",
        "out of bounds";
    a_text_that_is_not_utf_8_traps:
        "(i32.store16 (i32.const 32) (i32.const 0xfffe))", "utf-8";
    a_text_with_half_of_a_character_traps:
        "(i32.store8 (i32.const 33) (i32.const 0xc3))", "utf-8";
    a_text_with_a_surrogate_in_utf_8_traps:
        "(i32.store (i32.const 32) (i32.const 0x80a0ed)) (i32.store (i32.const 2068) (i32.const 3))",
        "utf-8";
    a_text_in_overlong_utf_8_traps:
        "(i32.store16 (i32.const 32) (i32.const 0x80c0))", "utf-8";
    an_operation_that_does_not_exist_traps:
        "(i32.store8 (i32.const 2056) (i32.const 10))", "discriminant";
    an_operation_of_255_traps:
        "(i32.store8 (i32.const 2056) (i32.const 255))", "discriminant";
    an_option_that_is_neither_there_nor_absent_traps:
        "(i32.store8 (i32.const 2056) (i32.const 0)) (i32.store (i32.const 2064) (i32.const 2))",
        "option discriminant";
    a_page_kind_that_does_not_exist_traps:
        "(i32.store8 (i32.const 2056) (i32.const 1)) (i32.store (i32.const 2064) (i32.const 0x501))",
        "discriminant";
    a_state_that_does_not_exist_traps:
        "(i32.store8 (i32.const 2056) (i32.const 6)) (i32.store (i32.const 2064) (i32.const 2))",
        "discriminant";
    a_window_that_does_not_exist_traps:
        "(i32.store8 (i32.const 2056) (i32.const 5)) (i32.store (i32.const 2064) (i32.const 3))",
        "discriminant";
    a_list_past_the_memory_traps:
        "(call $ask (i32.const 0x0ffff8) (i32.const 1) (i32.const 1024))", "out of bounds";
    a_list_of_four_billion_traps:
        "(call $ask (i32.const 2048) (i32.const -1) (i32.const 1024))", "out of bounds";
    a_list_out_of_line_traps:
        "(call $ask (i32.const 2049) (i32.const 1) (i32.const 1024))", "align";
    trapping_on_purpose_is_told:
        "(unreachable)", "unreachable";
    dividing_by_nothing_is_told:
        "(drop (i32.div_u (i32.const 1) (i32.const 0)))", "divide by zero";
    reading_past_the_memory_is_told:
        "(drop (i32.load (i32.const -4)))", "out of bounds";
}

#[test]
fn a_text_in_utf_16_with_half_a_pair_traps() {
    let core = Core {
        encoding: StringEncoding::UTF16,
        ..Core::asking(
            "(i32.store (i32.const 32) (i32.const 0x0061d83d)) (i32.store (i32.const 2068) (i32.const 2))",
        )
    };
    assert_traps(&core, "unpaired surrogate");
}

#[test]
fn a_text_in_utf_16_out_of_line_traps() {
    let core = Core {
        encoding: StringEncoding::UTF16,
        ..Core::asking("(i32.store (i32.const 2064) (i32.const 33))")
    };
    assert_traps(&core, "align");
}

#[test]
fn a_text_in_utf_16_that_is_good_keeps_the_rules() {
    // `-x` in UTF-16: a flag in any encoding.
    let stage = Stage::new();
    let core = Core {
        encoding: StringEncoding::UTF16,
        ..Core::asking("(i32.store (i32.const 32) (i32.const 0x0078002d))")
    };
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    assert!(run.invoke(vec![call("loom_page_read", "{}")]).is_err());
    assert!(stage.started().is_empty());
}

/// The process has run when its answer cannot be handed over.
#[track_caller]
fn assert_traps_after_one(core: &Core, said: &str) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    let told = trapped(run.invoke(vec![call("loom_page_read", "{}")]));
    assert!(told.contains(said), "{told}");
    assert_eq!(stage.started().len(), 1);
    assert_over(&mut run);
}

/// Allocates well until a request was made; `then` is how it allocates afterwards.
fn allocating(then: &str) -> Core {
    let good = Core::new().realloc;
    Core {
        items: "(global $asked (mut i32) (i32.const 0))".to_owned(),
        realloc: format!("(if (result i32) (global.get $asked) (then {then}) (else {good}))"),
        ..Core::asking("(global.set $asked (i32.const 1))")
    }
}

#[test]
fn an_answer_put_past_the_memory_traps() {
    assert_traps_after_one(&allocating("(i32.const -8)"), "realloc");
}

#[test]
fn an_answer_put_out_of_line_traps() {
    assert_traps_after_one(&allocating("(i32.const 4097)"), "realloc");
}

#[test]
fn an_allocation_for_the_answer_that_traps_is_told() {
    assert_traps_after_one(&allocating("(unreachable)"), "unreachable");
}

#[test]
fn an_allocation_for_the_answer_that_calls_the_host_traps() {
    let ask = "(call $ask (i32.const 2048) (i32.const 1) (i32.const 1024)) (i32.const 8192)";
    assert_traps_after_one(&allocating(ask), "cannot leave");
}

#[test]
fn results_put_past_the_memory_trap() {
    let core = Core::invoking(&format!(
        "(call $ask (i32.const 0) (i32.const 0) (i32.const -8)) {NOTHING}"
    ));
    assert_traps(&core, "out of bounds");
}

/// `core` opens, and `call` ends its run with a trap that is told so.
#[track_caller]
fn assert_returns_badly<T>(
    core: &Core,
    call: impl FnOnce(&mut Run) -> Result<T, loom_tools_host::RunError>,
    said: &str,
) {
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    let told = trapped(call(&mut run));
    assert!(told.contains(said), "{told}");
    assert_over(&mut run);
}

#[test]
fn a_label_past_the_memory_traps() {
    let core = Core {
        label: "(i32.store (i32.const 64) (i32.const -9)) (i32.store (i32.const 68) (i32.const 9))
            (i32.const 64)"
            .to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, Run::label, "out of bounds");
}

#[test]
fn a_label_that_is_not_utf_8_traps() {
    let core = Core {
        items: r#"(data (i32.const 128) "\ff")"#.to_owned(),
        label: "(i32.store (i32.const 64) (i32.const 128)) (i32.store (i32.const 68) (i32.const 1))
            (i32.const 64)"
            .to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, Run::label, "utf-8");
}

#[test]
fn a_result_past_the_memory_traps() {
    let core = Core {
        save: "(i32.const -8)".to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, Run::save, "out of bounds");
}

#[test]
fn a_result_out_of_line_traps() {
    let core = Core {
        tools: "(i32.const 65)".to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, Run::tools, "align");
}

#[test]
fn a_resolution_that_is_neither_good_nor_bad_traps() {
    let core = Core {
        resolve: "(i32.store8 (i32.const 64) (i32.const 2)) (i32.const 64)".to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, |run| run.resolve_result("{}"), "discriminant");
}

#[test]
fn a_tool_whose_effect_does_not_exist_traps() {
    let core = Core {
        tools:
            "(i32.store (i32.const 64) (i32.const 2048)) (i32.store (i32.const 68) (i32.const 1))
            (i32.store8 (i32.const 2072) (i32.const 2)) (i32.const 64)"
                .to_owned(),
        ..Core::new()
    };
    assert_returns_badly(&core, Run::tools, "discriminant");
}

#[test]
fn replies_past_the_memory_trap() {
    let replies = "(i32.store (i32.const 64) (i32.const 2048))
        (i32.store (i32.const 68) (i32.const 100000)) (i32.const 64)";
    let invoke = |run: &mut Run| run.invoke(vec![call("loom_page_read", "{}")]);
    assert_returns_badly(&Core::invoking(replies), invoke, "out of bounds");
}

#[test]
fn a_trap_in_every_export_is_told() {
    let trap = || "(unreachable)".to_owned();
    let good = Core::new;
    assert_returns_badly(
        &Core {
            tools: trap(),
            ..good()
        },
        Run::tools,
        "unreachable",
    );
    assert_returns_badly(
        &Core {
            label: trap(),
            ..good()
        },
        Run::label,
        "unreachable",
    );
    assert_returns_badly(
        &Core {
            save: trap(),
            ..good()
        },
        Run::save,
        "unreachable",
    );
    let resolving = Core {
        resolve: trap(),
        ..good()
    };
    assert_returns_badly(&resolving, |run| run.resolve_result("{}"), "unreachable");
    let stage = Stage::new();
    let starting = Core {
        start: trap(),
        ..good()
    };
    assert!(trapped(stage.open(&starting.component(), trusting())).contains("unreachable"));
}

#[test]
fn a_run_that_was_never_made_traps() {
    let stage = Stage::new();
    let core = Core {
        start: "(i32.store8 (i32.const 64) (i32.const 0)) (i32.store (i32.const 68) (i32.const 77))
            (i32.const 64)"
            .to_owned(),
        ..Core::new()
    };
    let told = trapped(stage.open(&core.component(), trusting()));
    assert!(told.contains("handle"), "{told}");
}

#[test]
fn a_trap_does_not_name_what_the_component_calls_its_functions() {
    let core = Core {
        items: r#"(func $bad (@name "\1b[2Jall is well") (unreachable))"#.to_owned(),
        label: "(call $bad) (unreachable)".to_owned(),
        ..Core::new()
    };
    let stage = Stage::new();
    let mut run = stage.open(&core.component(), trusting()).unwrap();
    let told = trapped(run.label());
    assert!(
        !told.contains("all is well") && !told.contains('\u{1b}'),
        "{told}"
    );
}
