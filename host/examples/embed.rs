//! A harness in Rust: `embed RETRIEVAL COMMANDS < tests/embed/conversation.jsonl`

use loom_tools_host::{Call, Component, Engine, Loom, PromptSlot, Reply, Run, Settings, config};
use serde_json::{from_str, json, value::RawValue};
use std::{collections::BTreeMap, env, error::Error, io, path::Path};

/// An object's fields as they were written: a number reaches the component digit for digit.
type Fields = BTreeMap<String, Box<RawValue>>;

fn main() -> Result<(), Box<dyn Error>> {
    let authority = loom_tools_host::ambient_authority();
    let file = |n| env::args_os().nth(n).ok_or("give RETRIEVAL and COMMANDS");
    let loom = Loom {
        retrieval: Some(config::Retrieval::read(Path::new(&file(1)?), authority)?),
        commands: Some(config::Commands::read(Path::new(&file(2)?), authority)?),
        search_path: env::var_os("PATH"),
        job_id: Some("job-7".into()),
        ..Loom::default()
    };
    let mut settings = Settings::new("embed");
    settings.ceilings = vec![r#"["loom:facet:work",{"anyOf":["loom:group:studio"]}]"#.into()];
    settings.slot = Some(PromptSlot::DirectCommand);
    let component = Component::embedded(&Engine::new(&settings.limits)?)?;
    let mut run = Run::start(&component, loom, settings, authority)?;
    for line in io::stdin().lines() {
        let line: Fields = from_str(&line?)?;
        if let Some(calls) = line.get("calls") {
            let calls: Vec<Fields> = from_str(calls.get())?;
            let calls = calls.iter().map(call).collect::<Result<_, _>>()?;
            let replies: Vec<String> = run.invoke(calls)?.iter().map(reply).collect();
            let (all, label) = (replies.join(","), run.label()?);
            println!(r#"{{"replies":[{all}],"label":{label}}}"#);
        } else {
            let answer = run.resolve_result(line.get("resolveResult").ok_or("no turn")?.get())?;
            let (key, json) = answer.map_or_else(|no| ("error", no), |ok| ("resolved", ok));
            println!(r#"{{"{key}":{json}}}"#);
        }
    }
    Ok(())
}

fn call(fields: &Fields) -> serde_json::Result<Call> {
    let raw = |name| fields.get(name).map(|raw| raw.get().to_owned());
    Ok(Call {
        id: from_str(&raw("id").unwrap_or_default())?,
        tool: from_str(&raw("tool").unwrap_or_default())?,
        input: raw("input").unwrap_or_default(),
        input_label: raw("inputLabel"),
    })
}

fn reply(r: &Reply) -> String {
    let observation = r.observation.as_deref().unwrap_or("null");
    let (call, output) = (json!(r.call_id), json!(r.output_id));
    let (shown, artifact, decision) = (&r.shown, &r.artifact, &r.decision);
    format!(
        r#"{{"callId":{call},"outputId":{output},"shown":{shown},"artifact":{artifact},"observation":{observation},"decision":{decision}}}"#
    )
}
