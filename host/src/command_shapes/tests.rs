//! The table against the renderer: every vector it renders is one of the table's, and every part
//! of the table is in some vector.

use std::collections::BTreeSet;

use super::*;
use crate::bindings::loom::tools::process::{
    CalendarBounds, CalendarWindow, CardShape, CommandRun, Context, ContextState, Operation,
    PageDiscover, PageKind, People, Search, SearchRank,
};
use crate::command_line::render;
use crate::rules;
use crate::tools::kind;

/// Every operation that leaves some of its parts out and has the others, with usual texts.
fn samples() -> Vec<Operation> {
    let some = |bits: u32, bit: u32, text: &str| (bits >> bit & 1 == 1).then(|| text.to_owned());
    let mut samples = vec![
        Operation::PageInspect("a page".into()),
        Operation::PageRead("a page".into()),
        Operation::CalendarList(CalendarWindow::DefaultWindow),
        Operation::CalendarList(CalendarWindow::EveryEvent),
        Operation::Profile(false),
        Operation::Profile(true),
        Operation::CommandList,
    ];
    for bits in 0..256 {
        samples.push(Operation::Search(Search {
            query: some(bits, 0, "tea"),
            sources: some(bits, 1, "mail"),
            since: some(bits, 2, "yesterday"),
            until: some(bits, 3, "today"),
            tz: some(bits, 4, "UTC"),
            person: some(!bits & 1 | bits >> 5, 0, "Ann"),
            limit: some(bits, 6, "").map(|_| 200),
            rank: some(bits, 7, "").map(|_| match bits & 1 {
                0 => SearchRank::Recency,
                _ => SearchRank::Score,
            }),
        }));
    }
    for (shape, query) in [
        (None, "a@b"),
        (Some(CardShape::Card), "+12345"),
        (Some(CardShape::Summary), "person:ann"),
    ] {
        let query = query.to_owned();
        samples.push(Operation::People(People { query, shape }));
    }
    for kind in [
        PageKind::All,
        PageKind::Project,
        PageKind::Projects,
        PageKind::Entity,
        PageKind::Entities,
    ] {
        for (kind, limit) in [(None, Some(500)), (Some(kind), None), (Some(kind), Some(1))] {
            samples.push(Operation::PageDiscover(PageDiscover { kind, limit }));
        }
    }
    for bits in 0..8 {
        let bounds = CalendarBounds {
            from_date: some(bits, 0, "2024-02-29"),
            to_date: some(bits, 1, "9999-12-31"),
        };
        samples.push(Operation::CalendarList(CalendarWindow::Bounded(bounds)));
        samples.push(Operation::Context(Context {
            state: ContextState::Activity,
            at: some(bits, 0, "noon"),
            since: some(bits, 1, "morning"),
            until: some(bits, 2, "evening"),
        }));
        samples.push(Operation::Context(Context {
            state: ContextState::Location,
            at: some(bits, 0, "noon"),
            since: None,
            until: None,
        }));
        samples.push(Operation::CommandRun(CommandRun {
            id: "note.add".into(),
            args_json: r#"{"text":"x"}"#.into(),
            loom_id: some(bits, 0, "loom-0123456789abcdef"),
            expected_version: some(bits, 1, "").map(|_| (1 << 53) - 1),
            read_only: bits & 4 == 4,
        }));
    }
    samples
}

/// The ways to take `parts` off the front of `args`: what is left, and the parts that were used.
fn matches<'a>(
    parts: &[Part],
    args: &'a [String],
    used: BTreeSet<String>,
) -> Vec<(&'a [String], BTreeSet<String>)> {
    let Some((part, rest)) = parts.split_first() else {
        return vec![(args, used)];
    };
    let fits = |args: &'a [String]| match (part, args.split_first()) {
        (Word(word), Some((arg, rest))) => (arg == word).then_some(rest),
        (Value(_, rule), Some((arg, rest))) => holds(*rule, arg).then_some(rest),
        _ => None,
    };
    if let Maybe(inner) = part {
        let mut ways = matches(rest, args, used.clone());
        for (args, mut used) in matches(inner, args, used) {
            used.insert(usage(inner));
            ways.extend(matches(rest, args, used));
        }
        return ways;
    }
    fits(args).map_or(Vec::new(), |left| matches(rest, left, used))
}

fn holds(rule: Rule, text: &str) -> bool {
    match rule {
        Rule::Text => rules::text(text).is_ok(),
        Rule::Lookup => rules::lookup(text).is_ok(),
        Rule::Date => rules::date(text).is_ok(),
        Rule::Limit(most) => text.parse().is_ok_and(|n| rules::limit(n, most).is_ok()),
        Rule::OneOf(choices) => choices.contains(&text),
        Rule::CommandId => rules::command_id(text).is_ok(),
        Rule::LoomId => rules::loom_id(text).is_ok(),
        Rule::Version => text.parse().is_ok_and(|n| rules::version(n).is_ok()),
        Rule::Arguments => rules::arguments(text).is_ok(),
    }
}

fn shape(kind: Kind) -> &'static Shape {
    SHAPES.iter().find(|shape| shape.kind == kind).unwrap()
}

#[test]
fn every_rendered_vector_is_one_of_the_table() {
    let mut used: Vec<BTreeSet<String>> = SHAPES.iter().map(|_| BTreeSet::new()).collect();
    for operation in samples() {
        let line = render(&operation).unwrap();
        let shape = shape(kind(&operation));
        let ways = matches(shape.parts, &line.args, BTreeSet::new());
        let whole = ways.into_iter().find(|(rest, _)| rest.is_empty());
        let (_, parts) =
            whole.unwrap_or_else(|| panic!("{:?} is not {}", line.args, shape.usage()));
        used[shape.kind as usize].extend(parts);
        assert_eq!(line.stdin.is_some(), shape.stdin.is_some());
        if let (Some(stdin), Some(rule)) = (&line.stdin, shape.stdin) {
            assert!(holds(rule, str::from_utf8(stdin).unwrap()));
        }
    }
    // In the other direction: what the table says may be there is there in some vector.
    for (shape, used) in SHAPES.iter().zip(used) {
        let maybes = shape.parts.iter().filter_map(|part| match part {
            Maybe(parts) => Some(usage(parts)),
            _ => None,
        });
        assert_eq!(used, maybes.collect(), "{}", shape.usage());
    }
}

#[test]
fn the_table_holds_every_kind_once_and_in_order() {
    let kinds: Vec<usize> = SHAPES.iter().map(|shape| shape.kind as usize).collect();
    assert_eq!(kinds, (0..10).collect::<Vec<_>>());
}

#[test]
fn no_other_vector_is_one_of_the_table() {
    let search = |args: &[&str]| {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        matches(shape(Kind::Search).parts, &args, BTreeSet::new())
            .iter()
            .any(|(rest, _)| rest.is_empty())
    };
    assert!(search(&["search", "tea", "--json", "--limit", "5"]));
    assert!(!search(&["search", "tea", "--json", "--limit", "201"]));
    assert!(!search(&["search", "--tea", "--json"]));
    assert!(!search(&["search", "tea", "--json", "--config", "x"]));
    assert!(!search(&["search", "tea"]));
}
