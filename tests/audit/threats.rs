//! The threat model names a test for each of its claims, and the tests are there.

use std::fs;
use std::path::Path;

const THREATS: &str = include_str!("../../host/src/threats.md");

/// The sources below `dir` whose path, from there on, names `file`, all in one.
fn sources(dir: &Path, file: &str, inside: bool) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let inside = inside || path.file_stem().is_some_and(|stem| stem == file);
        if path.is_dir() {
            text += &sources(&path, file, inside);
        } else if inside && path.extension().is_some_and(|ending| ending == "rs") {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_claim_of_the_threat_model_names_tests_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (_, claims) = THREATS.split_once("## What each layer refuses").unwrap();
    let (claims, _) = claims.split_once("## Out of scope").unwrap();
    let claims: Vec<&str> = claims.split("\n- ").skip(1).collect();
    assert!(claims.len() > 25);
    for claim in claims {
        let quoted = claim.split('`').skip(1).step_by(2);
        let tests: Vec<&str> = quoted.filter(|text| text.contains("::")).collect();
        assert!(!tests.is_empty(), "no test: {claim}");
        for test in tests {
            let [suite, file, name] = test.split("::").collect::<Vec<_>>()[..] else {
                panic!("{test}");
            };
            let dir = match suite {
                "host" => root.join("host/src"),
                suite => root.join("tests").join(suite),
            };
            let marked = format!("#[test]\nfn {name}()");
            let source = sources(&dir, file, false).replace("    ", "");
            assert!(source.contains(&marked), "{test} is not there");
        }
    }
}
