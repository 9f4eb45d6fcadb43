//! One MCP line to its message: only lone surrogate escapes are mended, each in its place, and what
//! the contract reads as JSON is JSON then, of the same value.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_host_fuzz::json::Json;
use loom_tools_host_fuzz::{mend, message};

/// The JSON-RPC codes of a line that is not JSON, and of one that is no message.
const CODES: [i32; 2] = [-32_700, -32_600];

/// As deep as the reader of messages goes.
const DEEPEST: usize = 127;

fuzz_target!(|data: &[u8]| {
    let mended = mend(data);
    assert_eq!(mended.len(), data.len());
    assert_eq!(mend(&mended), mended);
    if let Err(code) = message(data) {
        assert!(CODES.contains(&code), "{code}");
    }
    let Some(text) = str::from_utf8(data).ok() else {
        return;
    };
    let mended = str::from_utf8(&mended).expect("escapes are ASCII");
    if let Some(json) = Json::read(text, DEEPEST) {
        assert_eq!(Json::read(mended, DEEPEST), Some(json));
        let read = serde_json::from_str::<serde_json::Value>(mended);
        assert!(read.is_ok(), "{read:?}");
        assert_ne!(message(data), Err(CODES[0]));
    } else if mended == text {
        let read = serde_json::from_str::<serde_json::Value>(text);
        assert!(read.is_err(), "{read:?}");
    }
});
