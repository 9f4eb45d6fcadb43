//! Any bytes as a recording: a verdict or an error that says what is wrong, in plain words; nothing
//! is started, and what is whole agrees with itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use loom_tools_host::ambient_authority;
use loom_tools_host::replay::{Verdict, agrees, replay};
use loom_tools_host_fuzz::{COMPONENT, assert_childless, assert_plain, fresh};

fuzz_target!(|data: &[u8]| {
    let path = fresh("recording");
    std::fs::write(&path, data).expect("it can be written");
    let lines = data.iter().filter(|byte| **byte == b'\n').count();
    match replay(&COMPONENT, &path, &Default::default(), ambient_authority()) {
        Ok(replayed) => {
            assert!(replayed.turns + replayed.requests < lines);
            assert_plain(&replayed.recorded_component);
            match replayed.verdict {
                Verdict::Identical => {
                    let agreed = agrees(&path, &path, ambient_authority());
                    // With itself as it is, not redacted: its texts are not their digests.
                    assert!(!matches!(agreed, Ok(None)), "{agreed:?}");
                }
                Verdict::EndedByHost(told) => assert_plain(&told),
                Verdict::Differs(difference) => {
                    let told = difference.to_string();
                    assert_eq!(told.lines().count(), 3, "{told:?}");
                    told.lines().for_each(assert_plain);
                    assert!(told.len() < 2_000, "{told:?}");
                }
            }
        }
        Err(error) => {
            let told = error.to_string();
            assert!(told.starts_with(&format!("{}: ", path.display())));
            assert_plain(&told);
        }
    }
    assert_childless();
});
