#![allow(missing_docs, clippy::all, clippy::restriction, unused)]
use loom_tools_guest::exported::{Call, Enforcement, PromptSlot, Retrieval, Settings, Turn};
use loom_tools_guest::process::{Answer, Failure};
fn main() {
    let settings = Settings {
        run_id: "bench".to_owned(),
        retrieval: Some(Retrieval {
            facets: None,
            ceiling_record: false,
        }),
        commands: false,
        ceilings: Vec::new(),
        enforcement: Enforcement::EnforceExplicit,
        slot: Some(PromptSlot::Context),
        allowed_tools: None,
    };
    let mut run = loom_tools_guest::Run::start(settings).unwrap();
    let json = format!(
        r#"{{"hasProfile":true,"name":"Mira","about":"{}"}}"#,
        "x".repeat(250)
    );
    let t = std::time::Instant::now();
    for _ in 0..10000 {
        let turn = Turn {
            calls: vec![Call {
                id: "1".into(),
                tool: "loom_profile".into(),
                input: "{}".into(),
                input_label: None,
            }],
            ceiling_record: None,
        };
        let mut answer = Some(json.clone().into_bytes());
        let r = run.invoke(turn, &mut |requests| {
            requests
                .iter()
                .map(|_| {
                    Ok(Answer {
                        exit_code: 0,
                        stdout: answer.take().ok_or(Failure::Lost)?,
                    })
                })
                .collect()
        });
        std::hint::black_box(&r);
        if std::env::args().len() > 1 {
            println!("{} {:?} {:?}", r[0].shown, r[0].artifact, r[0].observation);
            break;
        }
    }
    println!("{:?}", t.elapsed() / 10000);
}
