//! What the tests of several modules share: JSON at hand, a run, and a host that remembers what
//! it was asked.

use crate::bindings::exports::loom::tools::tools::{
    Call, Enforcement, PromptSlot, Reply, Retrieval, Settings, Turn,
};
use crate::bindings::loom::tools::process::{Answer, Failure, Operation, Request};
use crate::json::scan::{Raw, outline};
use crate::json::{MAX_DEPTH, Value, parse_nested, to_string};
use crate::run::Run;

/// What is shown wraps what may itself nest to the bound.
pub(crate) fn value(json: &str) -> Value {
    parse_nested(json, MAX_DEPTH + 8).unwrap_or_else(|_| panic!("not JSON: {json}"))
}

pub(crate) fn raw(json: &str) -> Raw<'_> {
    outline(json, &[])
        .unwrap_or_else(|_| panic!("not JSON: {json}"))
        .raw
}

/// The part of `json` that a path of names and indices leads to, compact; empty when there is none.
pub(crate) fn at(json: &str, path: &str) -> String {
    let root = value(json);
    let step = |value: &Value, step: &str| match value {
        Value::Object(object) => object.get(step).cloned(),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?).cloned(),
        _ => None,
    };
    path.split('/')
        .filter(|part| !part.is_empty())
        .try_fold(root, |value, part| step(&value, part))
        .map_or_else(String::new, |value| to_string(&value))
}

/// The same for a string, without its quotes.
pub(crate) fn text_at(json: &str, path: &str) -> String {
    match at(json, path).as_str() {
        "" => String::new(),
        found => value(found).as_str().unwrap_or_default().to_owned(),
    }
}

/// The elements of the list at `path`, each compact.
pub(crate) fn list_at(json: &str, path: &str) -> Vec<String> {
    match value(&at(json, path)) {
        Value::Array(items) => items.iter().map(to_string).collect(),
        other => panic!("no list: {}", to_string(&other)),
    }
}

/// The names of the object's fields, in their order.
pub(crate) fn names(json: &str) -> Vec<String> {
    let root = value(json);
    let object = root.as_object().expect("an object");
    object.iter().map(|(name, _)| name.to_owned()).collect()
}

/// The settings of a run that may do everything.
pub(crate) fn settings() -> Settings {
    Settings {
        run_id: "r1".to_owned(),
        retrieval: Some(Retrieval {
            facets: None,
            ceiling_record: false,
        }),
        commands: true,
        ceilings: Vec::new(),
        enforcement: Enforcement::EnforceExplicit,
        slot: Some(PromptSlot::DirectCommand),
        allowed_tools: None,
    }
}

pub(crate) fn run() -> Run {
    Run::start(settings()).expect("the settings are sound")
}

/// A run below one ceiling.
pub(crate) fn run_below(ceiling: &str) -> Run {
    let settings = Settings {
        ceilings: vec![ceiling.to_owned()],
        ..settings()
    };
    Run::start(settings).expect("the ceiling is sound")
}

pub(crate) fn call(tool: &str, input: &str) -> Call {
    Call {
        id: format!("call of {tool}"),
        tool: tool.to_owned(),
        input: input.to_owned(),
        input_label: None,
    }
}

pub(crate) fn turn(calls: Vec<Call>) -> Turn {
    Turn {
        calls,
        ceiling_record: None,
    }
}

pub(crate) fn printed(exit_code: i32, stdout: &str) -> Result<Answer, Failure> {
    Ok(Answer {
        exit_code,
        stdout: stdout.as_bytes().to_vec(),
    })
}

type Answers<'a> = Box<dyn FnMut(&Operation) -> Result<Answer, Failure> + 'a>;

/// A host that answers each operation and remembers what it was asked, call by call.
pub(crate) struct Host<'a> {
    answers: Answers<'a>,
    pub(crate) asked: Vec<Vec<Request>>,
}

impl<'a> Host<'a> {
    pub(crate) fn new(answers: impl FnMut(&Operation) -> Result<Answer, Failure> + 'a) -> Self {
        Self {
            answers: Box::new(answers),
            asked: Vec::new(),
        }
    }

    /// A host that prints the same for whatever it is asked.
    pub(crate) fn printing(stdout: &'a str) -> Self {
        Self::new(move |_| printed(0, stdout))
    }

    /// A host with one catalog, whose commands all print the same.
    pub(crate) fn running(catalog: &'a str, stdout: &'a str) -> Self {
        Self::new(move |operation| match operation {
            Operation::CommandList => printed(0, catalog),
            _ => printed(0, stdout),
        })
    }

    pub(crate) fn invoke(&mut self, run: &mut Run, turn: Turn) -> Vec<Reply> {
        let Self { answers, asked } = self;
        run.invoke(turn, &mut |requests| {
            asked.push(requests.to_vec());
            requests
                .iter()
                .map(|request| answers(&request.operation))
                .collect()
        })
    }

    pub(crate) fn turn(&mut self, run: &mut Run, calls: Vec<Call>) -> Vec<Reply> {
        self.invoke(run, turn(calls))
    }

    /// One call, and what the model is shown of it.
    pub(crate) fn shown(&mut self, run: &mut Run, tool: &str, input: &str) -> String {
        let mut replies = self.turn(run, vec![call(tool, input)]);
        assert_eq!(replies.len(), 1);
        replies.remove(0).shown
    }

    /// Every operation asked for, in order.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        let requests = self.asked.iter().flatten();
        requests.map(|request| request.operation.clone()).collect()
    }
}
