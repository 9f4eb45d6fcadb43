//! Which commands an agent is not told of.

use super::catalog_of;

/// Whether a row with these further members is shown.
fn is_shown(members: &str) -> bool {
    let catalog = catalog_of(&[&format!(r#"{{"id":"a",{members}}}"#)]);
    assert_eq!(catalog.commands().len() + catalog.hidden, 1, "{members}");
    assert_eq!(catalog.omitted, 0, "{members}");
    catalog.hidden == 0
}

#[test]
fn a_pieces_verb_is_hidden() {
    assert!(!is_shown(r#""origin":"pattern""#));
    for other in [
        r#""origin":"Pattern""#,
        r#""origin":"session""#,
        r#""origin":null"#,
        r#""origin":["pattern"]"#,
        r#""origins":"pattern""#,
    ] {
        assert!(is_shown(other), "{other}");
    }
}

#[test]
fn a_developers_command_is_hidden() {
    assert!(!is_shown(r#""developer":true"#));
    for other in [
        r#""developer":false"#,
        r#""developer":"true""#,
        r#""developer":1"#,
        r#""developer":null"#,
    ] {
        assert!(is_shown(other), "{other}");
    }
}

#[test]
fn a_command_whose_actors_name_people_only_is_hidden() {
    for hidden in [
        r#"["person:a"]"#,
        r#"["person:a","group:b"]"#,
        r#"["agent"]"#,
        r#"["Agent:x"]"#,
        "[7]",
        "[null]",
        r#"["x agent:y"]"#,
    ] {
        assert!(!is_shown(&format!(r#""actors":{hidden}"#)), "{hidden}");
    }
    for shown in [
        "[]",
        r#"["agent:x"]"#,
        r#"["person:a","agent:"]"#,
        "null",
        r#""person:a""#,
        "{}",
    ] {
        assert!(is_shown(&format!(r#""actors":{shown}"#)), "{shown}");
    }
}

#[test]
fn a_command_that_refuses_the_session_origin_or_requires_another_is_hidden() {
    assert!(!is_shown(r#""origins_refused":["session"]"#));
    assert!(!is_shown(r#""origins_refused":["x","session"]"#));
    assert!(!is_shown(r#""origins_required":["x"]"#));
    assert!(!is_shown(r#""origins_required":[7]"#));
    for shown in [
        r#""origins_refused":["x"]"#,
        r#""origins_refused":[]"#,
        r#""origins_refused":"session""#,
        r#""origins_refused":["Session"]"#,
        r#""origins_required":["session"]"#,
        r#""origins_required":["x","session"]"#,
        r#""origins_required":[]"#,
        r#""origins_required":"x""#,
        r#""origins_required":null"#,
    ] {
        assert!(is_shown(shown), "{shown}");
    }
}

#[test]
fn a_command_that_runs_only_over_a_grant_is_hidden() {
    for grant in ["true", r#""consent""#, "{}", "[]", "0", "1", r#"" ""#] {
        assert!(!is_shown(&format!(r#""grant":{grant}"#)), "{grant}");
    }
    for grant in ["null", "false", r#""""#] {
        assert!(is_shown(&format!(r#""grant":{grant}"#)), "{grant}");
    }
    // The broker's stamp is no grant.
    assert!(is_shown(r#""readOnlyGranted":true"#));
}
