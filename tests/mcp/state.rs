//! A run that is continued.

use serde_json::json;

use crate::client::open;
use crate::fake::Fake;

#[test]
fn a_run_is_saved_after_each_turn_and_continued() {
    let fake = Fake::new();
    let state = fake.path("state.json").display().to_string();
    let flags = ["--state", state.as_str()];
    let mut client = open(&fake, &flags);
    client.search("s", "tram");
    let first = client.result("s")["structuredContent"].clone();
    // Saved before the reply went out, so that even a killed server has lost nothing.
    drop(client);
    let mut client = open(&fake, &flags);
    client.call(
        "d",
        "describe_handle",
        json!({ "token": first["entries"][0]["handle"] }),
    );
    let described = client.result("d")["structuredContent"].clone();
    assert_eq!(described["known"], true);
    let run = first["outputId"]
        .as_str()
        .unwrap()
        .split(':')
        .next()
        .unwrap();
    assert_eq!(described["outputId"], format!("{run}:describe_handle:2"));
}

#[test]
fn a_run_that_another_server_continues_is_refused() {
    let fake = Fake::new();
    let state = fake.path("state.json").display().to_string();
    let _holder = open(&fake, &["--state", &state]);
    let mut second = crate::client::start(&fake, &["--state", &state]);
    assert_eq!(second.exit().code(), Some(2));
}

#[test]
fn what_could_not_be_saved_is_not_shown() {
    let fake = Fake::new();
    let directory = fake.path("states");
    std::fs::create_dir(&directory).unwrap();
    let state = directory.join("state.json").display().to_string();
    let mut client = open(&fake, &["--state", &state]);
    std::fs::remove_dir_all(&directory).unwrap();
    client.search("s", "tram");
    let result = client.result("s");
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none(), "{result}");
    assert!(!result.to_string().contains("tram") && !result.to_string().contains("state.json"));
}
