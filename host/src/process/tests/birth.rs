//! What a process is born with.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn the_environment_is_exactly_the_given_list() {
    let mut launch = launch("/usr/bin/env", &[]);
    launch.env = vec![
        ("PATH".to_owned(), "/bin".into()),
        ("LOOM_PAGE_RPC_QUEUE".to_owned(), "/q".into()),
    ];
    let printed = text(run_one(launch));
    let mut lines: Vec<&str> = printed.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["LOOM_PAGE_RPC_QUEUE=/q", "PATH=/bin"]);
}

#[test]
fn an_empty_list_is_an_empty_environment() {
    let mut launch = launch("/usr/bin/env", &[]);
    launch.env.clear();
    assert_eq!(text(run_one(launch)), "");
}

#[test]
fn the_working_directory_is_the_root() {
    assert_eq!(text(run_one(launch("/bin/pwd", &[]))), "/\n");
}

#[test]
fn standard_input_is_null_unless_the_launch_has_one() {
    let target = run_one(launch("/usr/bin/readlink", &["/proc/self/fd/0"]));
    assert_eq!(text(target), "/dev/null\n");
}

#[test]
fn no_descriptor_of_the_host_is_open_in_the_process() {
    // What the test itself was started with, and nobody marked, is inherited by everything.
    let inherited = |fd: &String| {
        let info = fs::read_to_string(format!("/proc/self/fdinfo/{fd}")).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        flags.is_some_and(|flags| i64::from_str_radix(flags.trim(), 8).unwrap() & 0o2_000_000 == 0)
    };
    let printed = text(run_one(launch("/bin/ls", &["/proc/self/fd"])));
    let opened: Vec<String> = printed.lines().map(str::to_owned).collect();
    let opened: Vec<String> = opened.into_iter().filter(|fd| !inherited(fd)).collect();
    // The one left is the directory that ls is reading.
    assert!(opened.len() <= 1, "{opened:?}");
}

#[test]
fn it_leads_a_process_group_of_its_own() {
    let script = "read -r pid name state parent group rest </proc/$$/stat; echo $$ $group";
    let printed = text(run_one(sh(script, &mark())));
    let (pid, group) = printed.trim().split_once(' ').unwrap();
    assert_eq!(pid, group);
}

#[test]
fn arguments_arrive_as_they_are_and_no_shell_reads_them() {
    let args = ["%s|", "$(id)", "a b", "", "; exit 3", "*", "é😀"];
    assert_eq!(
        text(run_one(launch("/usr/bin/printf", &args))),
        "$(id)|a b||; exit 3|*|é😀|"
    );
}

#[test]
fn standard_input_arrives_whole_and_ends() {
    for size in [0, 1, 16_384, 3 << 20] {
        let mut launch = launch("/bin/cat", &[]);
        let bytes: Vec<u8> = (0u8..=250).cycle().take(size).collect();
        launch.stdin = Some(bytes.clone());
        let Outcome::Finished {
            exit_code: 0,
            stdout,
        } = run_one(launch)
        else {
            panic!("cat did not finish");
        };
        assert!(stdout == bytes, "{size} bytes differ");
    }
}

#[test]
fn a_process_that_does_not_read_its_input_finishes_all_the_same() {
    let mut launch = launch("/bin/true", &[]);
    launch.stdin = Some(vec![b'x'; 3 << 20]);
    assert_eq!(text(run_one(launch)), "");
}

#[test]
fn what_does_not_exist_is_not_started() {
    let outcome = run_one(launch("/nonexistent/loom", &[]));
    assert!(matches!(outcome, Outcome::NotStarted(_)), "{outcome:?}");
}

#[test]
fn a_relative_program_is_not_started() {
    for program in ["sh", "./sh", "bin/sh", ""] {
        let outcome = run_one(launch(program, &["-c", "exit 0"]));
        assert!(matches!(outcome, Outcome::NotStarted(_)), "{outcome:?}");
    }
}

#[test]
fn a_nul_in_an_argument_is_not_started() {
    let outcome = run_one(launch("/bin/echo", &["a\0b"]));
    assert!(matches!(outcome, Outcome::NotStarted(_)), "{outcome:?}");
}

#[test]
fn an_executable_without_a_known_format_is_not_handed_to_a_shell() {
    let scratch = Scratch::new();
    let file = scratch.0.join("loom");
    fs::write(&file, "exit 0\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let outcome = run_one(launch(file.to_str().unwrap(), &[]));
    assert!(matches!(outcome, Outcome::NotStarted(_)), "{outcome:?}");
}
