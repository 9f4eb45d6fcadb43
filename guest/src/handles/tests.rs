use super::*;
use crate::testing::value;

fn row(value_json: &str, label_json: &str) -> Admitted {
    let label = crate::label::label(&value(label_json)).expect("a label");
    Admitted::new(value(value_json), Rc::new(label), LabelSource::Row, false)
}

const PUBLIC: &str = r#"{"confidentiality":[]}"#;
const LABEL: &str = r#"{"integrity":["i"],"confidentiality":["x",{"anyOf":["y","z"]}]}"#;
const VALUE: &str = r#"{"b":1.50,"a":"é"}"#;

/// Holds a row of `loom_page_read` and returns its token.
fn hold(handles: &mut Handles, row: &Admitted, source: LabelSource) -> String {
    let candidate = handles
        .candidate("loom_page_read", row, source, None)
        .expect("a token");
    let token = candidate.token.clone();
    handles.hold(candidate);
    token
}

/// Has other rows hold every token that the row may have.
pub(crate) fn take_every_token(handles: &mut Handles, source: &str, row: &Admitted) {
    while let Some(mut candidate) = handles.candidate(source, row, row.source, None) {
        candidate.referent.digest = [0; 32];
        handles.hold(candidate);
    }
}

#[test]
fn a_row_without_a_token_to_be_had_is_no_candidate() {
    let mut handles = Handles::new("r1");
    let row = row(VALUE, LABEL);
    take_every_token(&mut handles, "loom_page_read", &row);
    assert_eq!(handles.iter().len(), 128);
    // Another source makes it another row.
    assert!(
        handles
            .candidate("loom_search", &row, row.source, None)
            .is_some()
    );
}

#[test]
fn a_token_is_what_sha_256_makes_of_run_and_identity() {
    // The expected tokens were computed elsewhere, from the contract's text.
    let mut handles = Handles::new("r1");
    assert_eq!(
        hold(&mut handles, &row(VALUE, LABEL), LabelSource::Row),
        "cfh:v:b5sv2"
    );
    let mut other = Handles::new("other");
    assert_eq!(
        hold(&mut other, &row(VALUE, LABEL), LabelSource::Row),
        "cfh:v:fb37k"
    );
    let identity = r#"["document","loom_page_read",{"a":"é","b":1.50},{"confidentiality":["x",{"anyOf":["y","z"]}],"integrity":["i"]},"row"]"#;
    assert_eq!(token(&digest("r1", identity, 0)), "cfh:v:b5sv2");
    assert_eq!(token(&digest("r1", identity, 1)), "cfh:v:vkpqd");
}

#[test]
fn the_same_row_has_one_token_whatever_the_order_of_its_keys() {
    let mut handles = Handles::new("r1");
    let first = hold(&mut handles, &row(VALUE, LABEL), LabelSource::Row);
    let again = row(r#"{"a":"é","b":1.50}"#, LABEL);
    assert_eq!(hold(&mut handles, &again, LabelSource::Row), first);
    assert_eq!(handles.iter().len(), 1);
    // It stays as it was first seen.
    assert_eq!(handles.get(&first).expect("held").value, VALUE);
}

#[test]
fn another_value_label_label_source_or_tool_is_another_row() {
    let mut handles = Handles::new("r1");
    let first = hold(&mut handles, &row(VALUE, LABEL), LabelSource::Row);
    let others = [
        hold(
            &mut handles,
            &row(r#"{"b":1.5,"a":"é"}"#, LABEL),
            LabelSource::Row,
        ),
        hold(&mut handles, &row(VALUE, PUBLIC), LabelSource::Row),
        hold(&mut handles, &row(VALUE, LABEL), LabelSource::Query),
        hold(&mut handles, &row(VALUE, LABEL), LabelSource::Command),
    ];
    assert!(!others.contains(&first));
    let elsewhere = handles
        .candidate("loom_search", &row(VALUE, LABEL), LabelSource::Row, None)
        .expect("a token");
    assert_ne!(elsewhere.token, first);
    assert_eq!(handles.iter().len(), 5);
}

#[test]
fn a_row_whose_token_another_row_holds_is_given_another() {
    // Found by trying: both derive `zb3pf` in the run `r1`.
    let (one, two) = (row(r#"{"n":3948}"#, PUBLIC), row(r#"{"n":7382}"#, PUBLIC));
    let mut handles = Handles::new("r1");
    assert_eq!(hold(&mut handles, &one, LabelSource::Query), "cfh:v:zb3pf");
    assert_eq!(hold(&mut handles, &two, LabelSource::Query), "cfh:v:gx37x");
    // Both keep theirs.
    assert_eq!(hold(&mut handles, &two, LabelSource::Query), "cfh:v:gx37x");
    assert_eq!(hold(&mut handles, &one, LabelSource::Query), "cfh:v:zb3pf");
    assert_eq!(
        handles.get("cfh:v:gx37x").expect("held").value,
        r#"{"n":7382}"#
    );
    // The second alone has the token of the first attempt.
    let mut alone = Handles::new("r1");
    assert_eq!(hold(&mut alone, &two, LabelSource::Query), "cfh:v:zb3pf");
}

#[test]
fn a_candidate_that_is_not_held_is_nowhere() {
    let handles = Handles::new("r1");
    let candidate = handles.candidate("loom_search", &row(VALUE, LABEL), LabelSource::Row, None);
    assert!(handles.get(&candidate.expect("a token").token).is_none());
    assert_eq!(handles.iter().len(), 0);
}

#[test]
fn ten_thousand_rows_are_held_in_order_each_with_its_own_token() {
    let mut handles = Handles::new("r1");
    let tokens: Vec<String> = (0..10_000)
        .map(|n| {
            hold(
                &mut handles,
                &row(&format!(r#"{{"n":{n}}}"#), PUBLIC),
                LabelSource::Query,
            )
        })
        .collect();
    let held: Vec<&str> = handles.iter().map(|(token, _)| token).collect();
    assert_eq!(held, tokens);
    assert_eq!(
        tokens
            .iter()
            .collect::<std::collections::BTreeSet<_>>()
            .len(),
        10_000
    );
    for (n, token) in tokens.iter().enumerate() {
        assert!(token.len() == PREFIX.len() + TOKEN_LETTERS && token.starts_with(PREFIX));
        assert!(
            token
                .bytes()
                .skip(PREFIX.len())
                .all(|letter| ALPHABET.contains(&letter))
        );
        assert_eq!(
            handles.get(token).expect("held").value,
            format!(r#"{{"n":{n}}}"#)
        );
    }
}
