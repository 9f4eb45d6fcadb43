#![allow(missing_docs, clippy::all, clippy::restriction, unused)]
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
fn main() {
    let n = 3000;
    let mk = || {
        let mut c = Command::new("/tmp/prof/loom");
        c.args(["profile", "--json"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|p| ("PATH", p)))
            .stdin(Stdio::null());
        c
    };
    let _v: Vec<(&str, Box<dyn Fn()>, Vec<Duration>)> = vec![
        (
            "base",
            Box::new(move || {
                let mut c = mk();
                c.output().unwrap();
            }),
            vec![],
        ),
        (
            "pgroup",
            Box::new(move || {
                let mut c = mk();
                c.process_group(0);
                c.output().unwrap();
            }),
            vec![],
        ),
        (
            "cwd",
            Box::new(move || {
                let mut c = mk();
                c.current_dir("/");
                c.output().unwrap();
            }),
            vec![],
        ),
        (
            "env",
            Box::new(move || {
                let mut c = mk();
                c.env("LOOM_QUEUE", "/queue");
                c.output().unwrap();
            }),
            vec![],
        ),
        (
            "all3",
            Box::new(move || {
                let mut c = mk();
                c.env("LOOM_QUEUE", "/queue");
                c.current_dir("/");
                c.process_group(0);
                c.output().unwrap();
            }),
            vec![],
        ),
        (
            "pidfd",
            Box::new(move || {
                let mut c = mk();
                c.stdout(Stdio::piped()).stderr(Stdio::piped());
                let ch = c.spawn().unwrap();
                let fd = rustix::process::pidfd_open(
                    rustix::process::Pid::from_child(&ch),
                    rustix::process::PidfdFlags::empty(),
                )
                .unwrap();
                ch.wait_with_output().unwrap();
                drop(fd);
            }),
            vec![],
        ),
        (
            "kills",
            Box::new(move || {
                let mut c = mk();
                c.stdout(Stdio::piped()).stderr(Stdio::piped());
                let ch = c.spawn().unwrap();
                let fd = rustix::process::pidfd_open(
                    rustix::process::Pid::from_child(&ch),
                    rustix::process::PidfdFlags::empty(),
                )
                .unwrap();
                ch.wait_with_output().unwrap();
                drop(fd);
                for _ in 0..4 {
                    rustix::process::test_kill_process(rustix::process::getpid());
                }
            }),
            vec![],
        ),
    ];
    let mut v: Vec<[f64; 4]> = vec![];
    for _ in 0..n {
        let t = Instant::now();
        let us = || t.elapsed().as_nanos() as f64 / 1e3;
        let mut c = mk();
        c.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut ch = c.spawn().unwrap();
        let a = us();
        use rustix::event::{PollFd, PollFlags, poll};
        use std::io::Read;
        use std::os::fd::AsFd;
        let (mut o, mut e) = (ch.stdout.take().unwrap(), ch.stderr.take().unwrap());
        let mut p = [
            PollFd::from_borrowed_fd(o.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(e.as_fd(), PollFlags::IN),
        ];
        poll(&mut p, None).unwrap();
        let b = us();
        let mut buf = [0u8; 1000];
        o.read(&mut buf).unwrap();
        let mut p = [
            PollFd::from_borrowed_fd(o.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(e.as_fd(), PollFlags::IN),
        ];
        poll(&mut p, None).unwrap();
        let cc = us();
        drop(o);
        drop(e);
        ch.wait().unwrap();
        let d = us();
        v.push([a, b, cc, d]);
    }
    for i in 0..4 {
        let mut w: Vec<f64> = v.iter().map(|x| x[i]).collect();
        w.sort_by(|a, b| a.partial_cmp(b).unwrap());
        print!("{:.1} ", w[w.len() / 4]);
    }
    println!();
}
