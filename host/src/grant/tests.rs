//! The grant against the table of the contract, section 9: four modes, four slots, every tool.

use super::Enforcement::{Disabled, EnforceExplicit, EnforceStrict, Observe};
use super::PromptSlot::{Context, DirectCommand, Quote};
use super::{Basis, Enforcement, Grant, Kind, NotGranted, PromptSlot};
use crate::bindings::loom::tools::process::{
    CalendarWindow, CommandRun, Context as State, ContextState, Operation, PageDiscover, People,
    Search,
};
use crate::tools::TOOLS;

const EVERYTHING: Basis<'_> = Basis {
    retrieval: true,
    commands: true,
    enforcement: Disabled,
    slot: None,
    allowed_tools: None,
};

/// What a cell of the table grants, when everything is configured.
#[derive(Clone, Copy)]
enum Cell {
    All,
    Reads,
    CommandReads,
    Nothing,
}

const SLOTS: [Option<PromptSlot>; 4] = [Some(DirectCommand), Some(Context), Some(Quote), None];

/// The table, a row for each mode.
const TABLE: [(Enforcement, [Cell; 4]); 4] = {
    use Cell::{All, CommandReads, Nothing, Reads};
    [
        (Disabled, [All, All, All, All]),
        (Observe, [All, All, All, All]),
        (EnforceExplicit, [All, Reads, Reads, Reads]),
        (EnforceStrict, [All, CommandReads, Nothing, Nothing]),
    ]
};

const RETRIEVAL: [Kind; 8] = [
    Kind::Search,
    Kind::PageDiscover,
    Kind::PageInspect,
    Kind::PageRead,
    Kind::People,
    Kind::CalendarList,
    Kind::Context,
    Kind::Profile,
];
const COMMANDS: [Kind; 2] = [Kind::CommandList, Kind::CommandRun];

#[track_caller]
fn assert_holds(basis: Basis<'_>, kinds: &[Kind], writes: bool) {
    let grant = Grant::derive(basis);
    assert_eq!(grant.kinds().collect::<Vec<_>>(), kinds, "{basis:?}");
    assert_eq!(grant.writes(), writes, "{basis:?}");
}

/// Every cell, with its basis.
fn cells() -> impl Iterator<Item = (Basis<'static>, Cell)> {
    TABLE.into_iter().flat_map(|(enforcement, row)| {
        SLOTS.into_iter().zip(row).map(move |(slot, cell)| {
            let basis = Basis {
                enforcement,
                slot,
                ..EVERYTHING
            };
            (basis, cell)
        })
    })
}

#[test]
fn every_cell_of_the_table_grants_what_it_says() {
    let all = [&RETRIEVAL[..], &COMMANDS[..]].concat();
    for (basis, cell) in cells() {
        match cell {
            Cell::All => assert_holds(basis, &all, true),
            Cell::Reads => assert_holds(basis, &all, false),
            Cell::CommandReads => assert_holds(basis, &COMMANDS, false),
            Cell::Nothing => assert_holds(basis, &[], false),
        }
    }
}

#[test]
fn what_is_not_configured_is_never_granted() {
    for (basis, cell) in cells() {
        let retrieval = Basis {
            commands: false,
            ..basis
        };
        let commands = Basis {
            retrieval: false,
            ..basis
        };
        let neither = Basis {
            retrieval: false,
            ..retrieval
        };
        match cell {
            Cell::All | Cell::Reads => assert_holds(retrieval, &RETRIEVAL, false),
            Cell::CommandReads | Cell::Nothing => assert_holds(retrieval, &[], false),
        }
        match cell {
            Cell::All => assert_holds(commands, &COMMANDS, true),
            Cell::Reads | Cell::CommandReads => assert_holds(commands, &COMMANDS, false),
            Cell::Nothing => assert_holds(commands, &[], false),
        }
        assert_holds(neither, &[], false);
    }
}

#[test]
fn one_allowed_tool_grants_its_own_requests_in_every_cell() {
    for (basis, cell) in cells() {
        for tool in TOOLS {
            let Some(kind) = tool.kind else {
                continue;
            };
            let allowed = [tool.name.to_owned()];
            let basis = Basis {
                allowed_tools: Some(&allowed),
                ..basis
            };
            let (command, write) = (COMMANDS.contains(&kind), tool.writes);
            let granted = match cell {
                Cell::All => true,
                Cell::Reads => !write,
                Cell::CommandReads => command && !write,
                Cell::Nothing => false,
            };
            let mut kinds = vec![kind];
            if kind == Kind::CommandRun {
                // It reads the listing first.
                kinds.insert(0, Kind::CommandList);
            }
            assert_holds(basis, if granted { &kinds } else { &[] }, granted && write);
        }
    }
}

#[test]
fn tools_that_start_nothing_or_do_not_exist_grant_nothing() {
    for names in [
        &[][..],
        &["describe_handle"],
        &["loom_searc", "Loom_Search", "", "run_command "],
    ] {
        let allowed: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let basis = Basis {
            allowed_tools: Some(&allowed),
            ..EVERYTHING
        };
        assert_holds(basis, &[], false);
    }
}

#[test]
fn reading_and_writing_tools_allowed_together_are_the_union() {
    let allowed = ["loom_profile", "run_command"].map(str::to_owned);
    let basis = |enforcement| Basis {
        enforcement,
        slot: Some(Context),
        allowed_tools: Some(&allowed),
        ..EVERYTHING
    };
    let both = [Kind::Profile, Kind::CommandList, Kind::CommandRun];
    assert_holds(basis(Observe), &both, true);
    assert_holds(basis(EnforceExplicit), &[Kind::Profile], false);
    assert_holds(basis(EnforceStrict), &[], false);
}

#[test]
fn the_empty_grant_is_the_default() {
    let grant = Grant::default();
    assert_eq!(grant.kinds().count(), 0);
    assert!(!grant.writes());
}

/// A request of each kind in the interface's order, and last a command that may write.
fn requests() -> [Operation; 11] {
    let text = || "a@b".to_owned();
    let run = |read_only| {
        Operation::CommandRun(CommandRun {
            id: "note.add".to_owned(),
            args_json: "{}".to_owned(),
            loom_id: None,
            expected_version: None,
            read_only,
        })
    };
    [
        Operation::Search(Search {
            query: Some(text()),
            sources: None,
            since: None,
            until: None,
            tz: None,
            person: None,
            limit: None,
            rank: None,
        }),
        Operation::PageDiscover(PageDiscover {
            kind: None,
            limit: None,
        }),
        Operation::PageInspect(text()),
        Operation::PageRead(text()),
        Operation::People(People {
            query: text(),
            shape: None,
        }),
        Operation::CalendarList(CalendarWindow::DefaultWindow),
        Operation::Context(State {
            state: ContextState::Location,
            at: None,
            since: None,
            until: None,
        }),
        Operation::Profile(false),
        Operation::CommandList,
        run(true),
        run(false),
    ]
}

/// Which of them a call of each tool may be served by.
const SERVED: [(&str, &[usize]); 12] = [
    ("loom_search", &[0]),
    ("loom_page_discover", &[1]),
    ("loom_page_inspect", &[2]),
    ("loom_page_read", &[3]),
    ("loom_people", &[4]),
    ("loom_calendar_list", &[5]),
    ("loom_context", &[6]),
    ("loom_profile", &[7]),
    ("list_commands", &[8]),
    ("run_read_command", &[8, 9]),
    ("run_command", &[8, 9, 10]),
    ("describe_handle", &[]),
];

#[test]
fn a_request_is_covered_for_a_call_of_its_own_tool_alone() {
    assert_eq!(TOOLS.map(|tool| tool.name), SERVED.map(|(tool, _)| tool));
    let everything = Grant::derive(EVERYTHING);
    for (tool, served) in SERVED {
        for (at, request) in requests().iter().enumerate() {
            let covered = everything.covers(tool, request);
            let expected = served.contains(&at).then_some(()).ok_or(NotGranted::Tool);
            assert_eq!(covered, expected, "{tool} {request:?}");
        }
    }
    for tool in ["", "run_shell", "run_command ", "RUN_COMMAND"] {
        for request in requests() {
            assert_eq!(everything.covers(tool, &request), Err(NotGranted::Tool));
        }
    }
}

#[test]
fn a_call_of_a_tool_that_is_not_granted_covers_nothing() {
    for (granted, served) in SERVED {
        let allowed = [granted.to_owned()];
        let grant = Grant::derive(Basis {
            allowed_tools: Some(&allowed),
            ..EVERYTHING
        });
        for (tool, _) in SERVED {
            for (at, request) in requests().iter().enumerate() {
                let covered = grant.covers(tool, request).is_ok();
                let expected = tool == granted && served.contains(&at);
                assert_eq!(covered, expected, "{granted}: {tool} {request:?}");
            }
        }
    }
}

#[test]
fn why_a_request_is_not_covered_says_the_widest_reason() {
    let [search, .., read, write] = requests();
    let reading = Grant::derive(Basis {
        retrieval: false,
        enforcement: EnforceExplicit,
        ..EVERYTHING
    });
    let covers = |tool, request| reading.covers(tool, request);
    assert_eq!(covers("loom_search", &search), Err(NotGranted::Kind));
    assert_eq!(covers("run_command", &write), Err(NotGranted::Write));
    assert_eq!(covers("run_read_command", &write), Err(NotGranted::Write));
    assert_eq!(covers("run_command", &read), Err(NotGranted::Tool));
    assert_eq!(covers("run_read_command", &read), Ok(()));
}
