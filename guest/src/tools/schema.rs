//! The input schema of each tool, as JSON Schema 2020-12 with an object root that strict clients
//! accept: no `oneOf` at the root, no `$ref`, only string enums. What a schema cannot say there (one
//! of two fields is required, a field goes with one choice only) its descriptions say, and the
//! validation decides.

use super::Tool;
use crate::json::Fields;

const TEXT: &str = r#""type":"string","minLength":1,"maxLength":500"#;

/// The schema of `tool`'s input, as compact JSON.
pub(crate) fn input_schema(tool: Tool) -> String {
    let mut properties = String::new();
    let mut fields = Fields::open(&mut properties);
    for (name, schema) in self::properties(tool) {
        fields.raw(name, &schema);
    }
    fields.close();
    let mut out = String::new();
    let mut fields = Fields::open(&mut out);
    fields
        .string("type", "object")
        .raw("properties", &properties)
        .strings("required", required(tool))
        .bool("additionalProperties", false);
    fields.close();
    out
}

fn required(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::PageInspect | Tool::PageRead => &["target"],
        Tool::People => &["query"],
        Tool::Context => &["read"],
        Tool::DescribeHandle => &["token"],
        _ => &[],
    }
}

fn properties(tool: Tool) -> Vec<(&'static str, String)> {
    match tool {
        Tool::Search => vec![
            (
                "query",
                text("What to look for. Required unless `person` is given."),
            ),
            (
                "sources",
                text("Sources to search, comma-separated, e.g. `mail,pages`."),
            ),
            (
                "since",
                text("Only rows from this time on: a date, a time or a span such as `7d`."),
            ),
            ("until", text("Only rows up to this time.")),
            (
                "tz",
                text("The time zone `since` and `until` are read in, e.g. `Europe/Berlin`."),
            ),
            (
                "person",
                text("Only rows that involve this person. Required unless `query` is given."),
            ),
            ("limit", integer(200, "The most rows to return.")),
            (
                "rank",
                choice(&["recency", "score"], "What orders the rows."),
            ),
        ],
        Tool::PageDiscover => vec![
            (
                "kind",
                choice(
                    &["all", "project", "projects", "entity", "entities"],
                    "Which Pages to list; all of them when left out. The plurals are aliases.",
                ),
            ),
            ("limit", integer(500, "The most Pages to return.")),
        ],
        Tool::PageInspect => vec![("target", text("The Page to inspect: its name, path or id."))],
        Tool::PageRead => {
            vec![(
                "target",
                text("The Page or Document to read: its name, path or id."),
            )]
        }
        Tool::People => vec![
            (
                "query",
                text(
                    "Whom to look up: an email address, a phone number, `handle:NAME`, `person:ID`, \
                     `group:NAME` or `People/NAME/about.md`. Nothing else is taken.",
                ),
            ),
            (
                "shape",
                choice(
                    &["summary", "card"],
                    "How much of the person's card to return.",
                ),
            ),
        ],
        Tool::CalendarList => vec![
            ("from", date("The first day. Not together with `all`.")),
            ("to", date("The last day. Not together with `all`.")),
            (
                "all",
                described(
                    r#""type":"boolean""#,
                    "Every event, in place of `from` and `to`.",
                ),
            ),
        ],
        Tool::Context => vec![
            (
                "read",
                choice(
                    &["where", "activity"],
                    "`where`: where the person is. `activity`: what they have been doing.",
                ),
            ),
            (
                "at",
                text("The moment to read the state at; now when left out."),
            ),
            (
                "since",
                text("The start of the activity. With `read: activity` only."),
            ),
            (
                "until",
                text("The end of the activity. With `read: activity` only."),
            ),
        ],
        Tool::Profile => vec![(
            "fresh",
            described(
                r#""type":"boolean""#,
                "Read the identity live, past any cached copy.",
            ),
        )],
        Tool::DescribeHandle => vec![(
            "token",
            described(
                r#""type":"string""#,
                "The handle of an earlier result's entry, `cfh:v:…`.",
            ),
        )],
        Tool::ListCommands => vec![(
            "detail",
            described(
                r#""type":"array","items":{"type":"string","maxLength":128},"maxItems":16"#,
                "Commands to show whole, with their input schema.",
            ),
        )],
        Tool::RunCommand | Tool::RunReadCommand => {
            let mut one = call_properties();
            let mut call = String::new();
            let mut fields = Fields::open(&mut call);
            for (name, schema) in &one {
                fields.raw(name, schema);
            }
            fields.close();
            one.push((
                "calls",
                described(
                    &format!(
                        r#""type":"array","minItems":1,"maxItems":16,"items":{{"type":"object","properties":{call},"required":["command","args"],"additionalProperties":false}}"#
                    ),
                    "A batch of independent calls, in place of the other fields.",
                ),
            ));
            one
        }
    }
}

fn call_properties() -> Vec<(&'static str, String)> {
    vec![
        (
            "command",
            described(
                r#""type":"string","maxLength":128"#,
                "The command's name, as list_commands shows it. Required unless `calls` is given.",
            ),
        ),
        (
            "args",
            described(
                r#""type":"object""#,
                "The command's arguments, as its signature says; `{}` for none. At most 16 KiB.",
            ),
        ),
        (
            "loomId",
            described(
                r#""type":"string","pattern":"^loom-[a-f0-9]{16}$""#,
                "The loom to run it in, for a command whose target is `loom`.",
            ),
        ),
        (
            "expectedVersion",
            described(
                r#""type":"integer","minimum":0,"maximum":9007199254740991"#,
                "Refuse the call unless what it changes is still at this version.",
            ),
        ),
    ]
}

fn text(description: &str) -> String {
    described(TEXT, description)
}

fn date(description: &str) -> String {
    described(
        r#""type":"string","pattern":"^[0-9]{4}-[0-9]{2}-[0-9]{2}$""#,
        &format!("{description} YYYY-MM-DD."),
    )
}

fn integer(most: u32, description: &str) -> String {
    described(
        &format!(r#""type":"integer","minimum":1,"maximum":{most}"#),
        description,
    )
}

fn choice(choices: &[&str], description: &str) -> String {
    let mut members = String::new();
    let mut fields = Fields::open(&mut members);
    fields
        .string("type", "string")
        .strings("enum", choices)
        .string("description", description);
    fields.close();
    members
}

fn described(members: &str, description: &str) -> String {
    let mut out = format!("{{{members}}}");
    let mut fields = Fields::reopen(&mut out);
    fields.string("description", description);
    fields.close();
    out
}
