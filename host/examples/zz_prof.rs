#![allow(missing_docs, clippy::all, clippy::restriction, unused)]
use loom_tools_host::config::{Retrieval, Transport};
use loom_tools_host::limits::Limits;
use loom_tools_host::{Call, Component, Engine, Loom, Run, Settings, ambient_authority};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
fn main() {
    let n: usize = std::env::args().nth(1).map_or(2000, |s| s.parse().unwrap());
    let mode = std::env::args().nth(2).unwrap_or_default();
    let dir = std::path::PathBuf::from("/tmp/prof");
    let prog = dir.join("loom");
    let mut json = format!(
        r#"{{"hasProfile":true,"name":"Mira","about":"{}"}}"#,
        "x".repeat(250)
    );
    std::fs::write(&prog, format!("#!/bin/sh\nprintf '%s' '{json}'\n")).unwrap();
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(&prog, std::fs::Permissions::from_mode(0o700)).unwrap();
    let loom = Loom {
        retrieval: Some(Retrieval {
            cli: prog.clone(),
            transport: Transport::Broker {
                queue: "/queue".into(),
            },
            read_ceiling_file: None,
            facets: None,
        }),
        search_path: std::env::var_os("PATH"),
        ..Loom::default()
    };
    let component = Component::embedded(&Engine::new(&Limits::default()).unwrap()).unwrap();
    let mut run = Run::start(
        &component,
        loom,
        Settings::new("bench"),
        ambient_authority(),
    )
    .unwrap();
    let mut product = || {
        let call = Call {
            id: "1".into(),
            tool: "loom_profile".into(),
            input: "{}".into(),
            input_label: None,
        };
        let r = run.invoke(vec![call]).unwrap();
        assert!(r[0].shown.contains("\"admitted\":1"));
    };
    let base = || {
        let o = Command::new(&prog)
            .args(["profile", "--json"])
            .env_clear()
            .envs(std::env::var_os("PATH").map(|p| ("PATH", p)))
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!o.stdout.is_empty());
    };
    let (mut a, mut b, mut c, mut d) = (vec![], vec![], vec![], vec![]);
    for i in 0..n {
        for k in 0..2 {
            let t = Instant::now();
            if (i + k) % 2 == 0 {
                if mode != "base" {
                    product();
                    a.push(t.elapsed());
                    c.push(Duration::from_nanos(0));
                    d.push(Duration::from_nanos(0));
                }
            } else if mode != "product" {
                base();
                b.push(t.elapsed());
            }
        }
    }
    let q = |v: &mut Vec<Duration>, f: f64| {
        v.sort();
        v.get((v.len() as f64 * f) as usize)
            .copied()
            .unwrap_or_default()
            .as_nanos() as f64
            / 1e3
    };
    println!(
        "process::run p25 {:.1}  answer {:.1}",
        q(&mut c, 0.25),
        q(&mut d, 0.25)
    );
    let (pa, pb) = (q(&mut a, 0.25), q(&mut b, 0.25));
    println!(
        "p25 {pa:.1} {pb:.1} ratio {:.3}   p50 {:.1} {:.1} ratio {:.3}",
        pa / pb,
        q(&mut a, 0.5),
        q(&mut b, 0.5),
        q(&mut a, 0.5) / q(&mut b, 0.5)
    );
}
