mod answer;
mod envelope;
mod generated;
mod input;
mod result;
mod texts;

use super::Shape;
use crate::bindings::loom::tools::process::Operation;
use crate::input::Refusal;
use crate::tools::Tool;

fn shape(tool: Tool) -> &'static Shape {
    match tool {
        Tool::Search => &super::SEARCH,
        Tool::PageDiscover => &super::PAGE_DISCOVER,
        Tool::PageInspect => &super::PAGE_INSPECT,
        Tool::PageRead => &super::PAGE_READ,
        Tool::People => &super::PEOPLE,
        Tool::CalendarList => &super::CALENDAR_LIST,
        Tool::Context => &super::CONTEXT,
        Tool::Profile => &super::PROFILE,
        other => panic!("{other:?} is no retrieval"),
    }
}

fn operation(tool: Tool, input: &str) -> Result<Operation, Refusal> {
    (shape(tool).operation)(input)
}
