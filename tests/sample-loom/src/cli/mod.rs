//! The entry of the command line: `broker` and `control` for whoever runs the sample, and
//! every documented `loom` command.
//!
//! Exit codes: 0, or what the answer says (1 nobody, 3 contested, 1 refused); 2 for a usage
//! error and for a missing routing variable; 1 when no broker answers.

mod route;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use crate::answer::Answer;
use crate::broker::{Broker, BrokerOptions};
use crate::environment::{Environment, JOB_ID};
use crate::loom::{Call, Loom};
use crate::operation::{Operation, Usage};
use crate::queue::{Queue, ask};
use route::Route;

/// More standard input than any command takes.
const LARGEST_INPUT: u64 = 4 << 20;

/// Runs one invocation: the arguments without the program's name, the environment it may
/// read, the standard streams of this process.
pub fn run(args: Vec<OsString>, env: &Environment) -> ExitCode {
    match args.split_first() {
        Some((word, rest)) if word == "broker" => broker(rest),
        Some((word, rest)) if word == "control" => control(rest),
        _ => print(&loom(args, env)),
    }
}

/// One documented command, up to what it prints.
fn loom(args: Vec<OsString>, env: &Environment) -> Answer {
    let refuse = |usage: Usage| Answer::failure(2, usage.message());
    let argv: Result<Vec<String>, OsString> = args.into_iter().map(OsString::into_string).collect();
    let Ok(argv) = argv else {
        return refuse(Usage::new("arguments are UTF-8"));
    };
    let operation = match Operation::parse(&argv) {
        Ok(operation) => operation,
        Err(usage) => return refuse(usage),
    };
    let route = match Route::of(&operation, env) {
        Ok(route) => route,
        Err(usage) => return refuse(usage),
    };
    let mut call = Call {
        argv,
        stdin: String::new(),
        job: env.text(JOB_ID),
    };
    if operation.reads_stdin() {
        match read_stdin() {
            Ok(text) => call.stdin = text,
            Err(error) => return refuse(Usage::new(format!("standard input: {error}"))),
        }
    }
    match route {
        Route::Queue(dir) => ask(&Queue::at(dir), &call)
            .unwrap_or_else(|sentence| Answer::failure(1, format!("loom: {sentence}\n"))),
        Route::Direct => Loom::direct().answer(&call, &AtomicBool::new(false)),
    }
}

fn broker(args: &[OsString]) -> ExitCode {
    let (options, until_stdin_closes) = match BrokerOptions::parse(args) {
        Ok(parsed) => parsed,
        Err(sentence) => return print(&Answer::failure(2, format!("sample-loom: {sentence}\n"))),
    };
    let broker = match Broker::start(options) {
        Ok(broker) => broker,
        Err(error) => return print(&Answer::failure(1, format!("sample-loom: {error}\n"))),
    };
    if !until_stdin_closes {
        broker.wait();
        return ExitCode::SUCCESS;
    }
    // Whatever arrives is ignored; an error ends the service as the end of input does.
    let _ = io::copy(&mut io::stdin().lock(), &mut io::sink());
    drop(broker);
    ExitCode::SUCCESS
}

fn control(args: &[OsString]) -> ExitCode {
    let words: Vec<String> = args
        .iter()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let answer = match words.as_slice() {
        [
            "--queue",
            dir,
            verb @ ("withdraw" | "restore" | "revoke" | "regrant"),
            command,
        ] => {
            let argv = ["control", verb, command].map(str::to_owned).to_vec();
            ask(
                &Queue::at(*dir),
                &Call {
                    argv,
                    ..Call::default()
                },
            )
            .unwrap_or_else(|sentence| Answer::failure(1, format!("sample-loom: {sentence}\n")))
        }
        _ => Answer::failure(
            2,
            "usage: sample-loom control --queue DIR withdraw|restore|revoke|regrant COMMAND\n",
        ),
    };
    print(&answer)
}

fn read_stdin() -> io::Result<String> {
    let mut text = String::new();
    io::stdin()
        .lock()
        .take(LARGEST_INPUT)
        .read_to_string(&mut text)?;
    Ok(text)
}

fn print(answer: &Answer) -> ExitCode {
    if answer.dies {
        // By a signal, as a crash would end it: nothing printed, no exit code.
        std::process::abort();
    }
    // Nothing is left to do for a reader that has gone away.
    let _ = io::stderr().write_all(answer.stderr.as_bytes());
    let mut out = io::stdout().lock();
    match out.write_all(&answer.stdout).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::from(answer.exit),
        Err(_) => ExitCode::FAILURE,
    }
}
