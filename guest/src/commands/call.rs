//! Reads the input of the command tools: what is called, and what is refused before anything is
//! sent.

use crate::input::{Input, Refusal};
use crate::json::{Object, Value, to_string};
use crate::rules::{is_command_id, is_loom_id};

/// The most calls of a batch.
const MAX_CALLS: usize = 16;
/// The most commands named in `detail`.
const MAX_DETAIL: usize = 16;
/// The most bytes of one call's arguments, as compact JSON.
const MAX_ARGS: usize = 16 * 1024;
/// The deepest nesting of one call's arguments.
const MAX_ARGS_DEPTH: usize = 64;
/// 2^53 - 1.
pub(super) const MAX_VERSION: u64 = (1 << 53) - 1;

const CALL_FIELDS: [&str; 4] = ["command", "args", "loomId", "expectedVersion"];
const ALL_FIELDS: [&str; 5] = ["command", "args", "loomId", "expectedVersion", "calls"];

/// One well-formed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) command: String,
    /// A JSON object, compact.
    pub(crate) args: String,
    pub(crate) loom_id: Option<String>,
    pub(crate) expected_version: Option<u64>,
}

/// What one input calls.
#[derive(Debug)]
pub(crate) enum Calls {
    One(Call),
    /// A batch; a malformed call is that call's own failure.
    Batch(Vec<Result<Call, Refusal>>),
}

impl Calls {
    pub(crate) fn each(&self) -> impl Iterator<Item = Result<&Call, &Refusal>> {
        let (one, batch) = match self {
            Self::One(call) => (Some(Ok(call)), None),
            Self::Batch(calls) => (None, Some(calls.iter().map(Result::as_ref))),
        };
        one.into_iter().chain(batch.into_iter().flatten())
    }

    /// Whether any of them is well formed, and so needs the catalog.
    pub(crate) fn any_well_formed(&self) -> bool {
        self.each().any(|call| call.is_ok())
    }
}

/// Why the whole input is refused.
#[derive(Debug)]
pub(crate) enum Refused {
    Malformed(Refusal),
    TooMany,
}

/// Reads the input of `run_command` and `run_read_command`.
pub(crate) fn calls(input: &str) -> Result<Calls, Refused> {
    let input = Input::read(input, &ALL_FIELDS).map_err(Refused::Malformed)?;
    let refuse = |sentence: &str| Refused::Malformed(Refusal(sentence.to_owned()));
    let Some(calls) = input.get("calls") else {
        return call(&input).map(Calls::One).map_err(Refused::Malformed);
    };
    if let Some(name) = CALL_FIELDS
        .into_iter()
        .find(|name| input.get(name).is_some())
    {
        return Err(refuse(&format!("`{name}` and `calls` exclude each other.")));
    }
    let calls = calls.as_array().filter(|calls| !calls.is_empty());
    let calls = calls.ok_or_else(|| refuse("`calls` must be a list of 1 to 16 calls."))?;
    if calls.len() > MAX_CALLS {
        return Err(Refused::TooMany);
    }
    Ok(Calls::Batch(calls.iter().map(batched).collect()))
}

fn batched(value: &Value) -> Result<Call, Refusal> {
    match value {
        Value::Object(object) => call(&Input::of(Object::clone(object), &CALL_FIELDS)?),
        _ => Err(Refusal("A call must be a JSON object.".to_owned())),
    }
}

fn call(input: &Input) -> Result<Call, Refusal> {
    let command = input.required("command", input.get("command"))?;
    let command = command
        .as_str()
        .filter(|id| is_command_id(id))
        .ok_or_else(|| {
            Refusal("`command` must be a command's name, as list_commands shows it.".to_owned())
        })?;
    let args = input.required("args", input.get("args"))?;
    if args.as_object().is_none() {
        return Err(Refusal("`args` must be a JSON object.".to_owned()));
    }
    if args.depth() > MAX_ARGS_DEPTH {
        return Err(Refusal(format!(
            "`args` must nest at most {MAX_ARGS_DEPTH} deep."
        )));
    }
    let args = to_string(args);
    if args.len() > MAX_ARGS {
        return Err(Refusal(format!(
            "`args` must be at most {MAX_ARGS} bytes of JSON."
        )));
    }
    let loom_id = match input.get("loomId") {
        None => None,
        Some(value) => match value.as_str().filter(|id| is_loom_id(id)) {
            Some(id) => Some(id.to_owned()),
            None => {
                let sentence = "`loomId` must be `loom-` and sixteen of `0-9 a-f`.";
                return Err(Refusal(sentence.to_owned()));
            }
        },
    };
    let expected_version = match input.get("expectedVersion") {
        None => None,
        Some(value) => Some(value.as_integer_to(MAX_VERSION).ok_or_else(|| {
            Refusal("`expectedVersion` must be an integer from 0 to 9007199254740991.".to_owned())
        })?),
    };
    Ok(Call {
        command: command.to_owned(),
        args,
        loom_id,
        expected_version,
    })
}

/// Reads the input of `list_commands`: the commands named in `detail`.
pub(crate) fn detail(input: &str) -> Result<Vec<String>, Refusal> {
    let input = Input::read(input, &["detail"])?;
    let Some(detail) = input.get("detail") else {
        return Ok(Vec::new());
    };
    let refusal = || {
        Refusal(format!(
            "`detail` must be a list of at most {MAX_DETAIL} command names."
        ))
    };
    let names = detail
        .as_array()
        .filter(|names| names.len() <= MAX_DETAIL)
        .ok_or_else(refusal)?;
    let name = |name: &Value| {
        name.as_str()
            .filter(|id| is_command_id(id))
            .map(str::to_owned)
    };
    names
        .iter()
        .map(name)
        .collect::<Option<_>>()
        .ok_or_else(refusal)
}
