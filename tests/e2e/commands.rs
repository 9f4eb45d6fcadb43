//! The command tools, over the sample Loom and its broker and, where a process has to misbehave,
//! over the fake one.

mod batches;
mod calls;
mod delivery;
mod gates;
mod listing;

use loom_tools_tests::fake::{Rule, print, rule};
use loom_tools_tests::sample::Sample;
use serde_json::{Value, json};

const DIRECT: [&str; 2] = ["--prompt-slot", "direct-command"];

fn sample() -> Sample {
    Sample::new(crate::PROGRAMS)
}

fn one(command: &str, args: Value) -> Value {
    json!({ "command": command, "args": args })
}

/// The listing of the fake host: granted reads.
fn lists(ids: &[&str]) -> Rule {
    let row = |id: &&str| json!({ "id": id, "effect": "read", "readOnlyGranted": true });
    let rows: Vec<Value> = ids.iter().map(row).collect();
    rule(&["command list"], [print(json!({ "commands": rows }))])
}

/// The result that says that nothing, or nobody knows what, landed.
fn assert_undelivered(result: &Value, landed: &str, code: &str) {
    let keys = ["status", "landed", "code"].map(|key| result[key].as_str().unwrap_or("none"));
    assert_eq!(keys, ["failed_to_deliver", landed, code], "{result}");
    assert!(
        result["message"]
            .as_str()
            .is_some_and(|text| text.ends_with('.')),
        "{result}"
    );
    assert!(result.get("entry").is_none(), "{result}");
}
