//! The grant against the table of the contract, section 9: four modes, four slots, every tool.

use super::Enforcement::{Disabled, EnforceExplicit, EnforceStrict, Observe};
use super::PromptSlot::{Context, DirectCommand, Quote};
use super::{Basis, Enforcement, Family, Grant, Kind, PromptSlot, TOOLS, tool_family, tool_writes};

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
        for (tool, kind) in TOOLS {
            let allowed = [tool.to_owned()];
            let basis = Basis {
                allowed_tools: Some(&allowed),
                ..basis
            };
            let (command, write) = (COMMANDS.contains(&kind), tool_writes(tool));
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

#[test]
fn a_tool_has_the_family_of_its_requests() {
    assert_eq!(tool_family("loom_search"), Some(Family::Retrieval));
    assert_eq!(tool_family("run_command"), Some(Family::Commands));
    assert_eq!(tool_family("describe_handle"), Some(Family::Run));
    assert_eq!(tool_family("run_shell"), None);
}

#[test]
fn one_tool_writes() {
    let writing = super::tool_names().filter(|name| tool_writes(name));
    assert_eq!(writing.collect::<Vec<_>>(), ["run_command"]);
}
