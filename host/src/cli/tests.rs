//! The one definition that the help, the completions and the manual come from.

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use super::args::Cli;

/// A flag that every command which opens a run takes.
const FLAG: &str = "loom-retrieval-config";

#[test]
fn the_definition_is_sound() {
    Cli::command().debug_assert();
}

#[test]
fn everything_has_help() {
    fn look(command: &clap::Command) {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for argument in command.get_arguments() {
            let named = argument.get_help().is_some();
            assert!(named, "{} {}", command.get_name(), argument.get_id());
        }
        command.get_subcommands().for_each(look);
    }
    look(&Cli::command());
}

#[test]
fn every_shell_completes_the_flags() {
    for shell in Shell::value_variants() {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut Cli::command(), "loom-tools", &mut script);
        let script = String::from_utf8(script).unwrap();
        assert!(script.contains(FLAG), "{shell}");
    }
}

#[test]
fn every_command_has_a_page() {
    let mut program = Cli::command();
    program.build();
    for command in program.get_subcommands() {
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone())
            .render(&mut page)
            .unwrap();
        let page = String::from_utf8(page).unwrap();
        let title = format!(".TH loom-tools-{} 1", command.get_name());
        assert!(page.contains(&title), "{page}");
    }
}
