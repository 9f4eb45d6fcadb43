#![allow(missing_docs, clippy::all, clippy::restriction, unused)]
use std::time::{Duration, Instant};
type Failed = Box<dyn std::error::Error>;
#[path = "/tmp/prof/canning.rs"]
mod canning;
fn main() {
    let mut c = canning::Canning::start(None).unwrap();
    let json = format!(
        r#"{{"hasProfile":true,"name":"Mira","about":"{}"}}"#,
        "x".repeat(250)
    );
    let q = |v: &mut Vec<Duration>, f: f64| {
        v.sort();
        v.get((v.len() as f64 * f) as usize)
            .copied()
            .unwrap_or_default()
            .as_nanos() as f64
            / 1e3
    };
    for mode in 0..2 {
        let mut a = vec![];
        for _ in 0..2000 {
            if mode == 1 {
                std::process::Command::new("/tmp/prof/loom")
                    .output()
                    .unwrap();
            }
            let b = json.clone().into_bytes();
            let t = Instant::now();
            let s = c.search(b).unwrap();
            a.push(t.elapsed());
            assert!(s.contains("\"admitted\":1"), "{s}");
        }
        println!(
            "mode {mode}: p25 {:.1} p50 {:.1}",
            q(&mut a, 0.25),
            q(&mut a, 0.5)
        );
    }
}
