//! A run whose every turn is held to the contract, whatever the target looks for besides.

use loom_tools_guest::Run;
use loom_tools_guest::exported::{Call, Enforcement, PromptSlot, Reply, Retrieval, Settings, Turn};
use loom_tools_guest::process::{Answer, Failure, Operation, Request};

use crate::json::{Json, units};
use crate::{authority, labels, request};

/// The most UTF-16 units of a result. A listing has bounds of its own.
const MAX_RESULT: usize = 48_000;

/// What a host answers.
pub type Answers<'a> = &'a mut dyn FnMut(&Operation) -> Result<Answer, Failure>;

/// A run, and what has been seen of it.
pub struct Watched {
    /// The run.
    pub run: Run,
    settings: Settings,
    ids: u64,
    /// What the last turn asked of the host.
    pub asked: Vec<Request>,
}

/// One answered call.
pub struct Answered {
    /// The reply as it is.
    pub reply: Reply,
    /// What is shown, read.
    pub shown: Json,
}

/// The settings of a run that may do everything below those ceilings.
pub fn settings(ceilings: &[String]) -> Settings {
    Settings {
        run_id: "r1".to_owned(),
        retrieval: Some(Retrieval {
            facets: None,
            ceiling_record: false,
        }),
        commands: true,
        ceilings: ceilings.to_vec(),
        enforcement: Enforcement::EnforceExplicit,
        slot: Some(PromptSlot::DirectCommand),
        allowed_tools: None,
    }
}

/// A call.
pub fn call(tool: &str, input: impl Into<String>) -> Call {
    Call {
        id: format!("call of {tool}"),
        tool: tool.to_owned(),
        input: input.into(),
        input_label: None,
    }
}

/// An answer that was printed.
pub fn printed(exit_code: i32, stdout: impl AsRef<[u8]>) -> Result<Answer, Failure> {
    Ok(Answer {
        exit_code,
        stdout: stdout.as_ref().to_vec(),
    })
}

impl Watched {
    /// A run that starts.
    pub fn start(settings: Settings) -> Self {
        let run = Run::start(settings.clone()).expect("the settings are sound");
        Self::of(run, settings, 0)
    }

    /// A run that has given out so many output ids.
    pub fn of(run: Run, settings: Settings, ids: u64) -> Self {
        Self {
            run,
            settings,
            ids,
            asked: Vec::new(),
        }
    }

    /// One call.
    pub fn call(&mut self, tool: &str, input: &str, answers: Answers<'_>) -> Answered {
        let turn = Turn {
            calls: vec![call(tool, input)],
            ceiling_record: None,
        };
        self.turn(turn, answers).remove(0)
    }

    /// One turn.
    pub fn turn(&mut self, turn: Turn, answers: Answers<'_>) -> Vec<Answered> {
        let before = self.label();
        let calls = turn.calls.clone();
        let mut asked = Vec::new();
        let mut batches = 0;
        let mut cancelled = 0;
        let replies = self.run.invoke(turn, &mut |requests| {
            batches += 1;
            asked.extend_from_slice(requests);
            let mut answer = |request: &Request| {
                let answer = answers(&request.operation);
                let listing = request.operation == Operation::CommandList;
                cancelled += usize::from(listing && answer == Err(Failure::Cancelled));
                answer
            };
            requests.iter().map(&mut answer).collect()
        });
        self.asked = asked;
        // A cancelled listing is left to the next call that needs it.
        assert!(
            batches <= 2 + cancelled,
            "a listing and everything else, {cancelled} cancelled"
        );
        self.check_requests(&calls, 1 + cancelled);
        assert_eq!(replies.len(), calls.len());
        let answered: Vec<Answered> = replies
            .into_iter()
            .zip(&calls)
            .map(|(reply, call)| self.check(reply, call))
            .collect();
        let observed: Vec<Json> = answered
            .iter()
            .filter_map(|one| observed(&one.reply))
            .flatten()
            .collect();
        assert_eq!(self.label(), labels::join(before.iter().chain(&observed)));
        self.check_saved();
        answered
    }

    /// The clauses of the run's label.
    pub fn label(&self) -> Vec<Json> {
        let label = Json::written(&self.run.label()).expect("a label is JSON");
        label
            .get("confidentiality")
            .and_then(Json::list)
            .expect("a label is clauses")
            .to_vec()
    }

    fn check_requests(&self, calls: &[Call], most_listings: usize) {
        let mut listings = 0;
        for request in &self.asked {
            let call = &calls[request.call as usize];
            let operation = &request.operation;
            assert!(
                authority::covers(&self.settings, &call.tool, operation),
                "{} may not start {operation:?}",
                call.tool
            );
            request::assert_sound(operation);
            listings += usize::from(*operation == Operation::CommandList);
        }
        assert!(listings <= most_listings);
    }

    fn check(&mut self, reply: Reply, call: &Call) -> Answered {
        let shown = Json::written(&reply.shown)
            .unwrap_or_else(|| panic!("not JSON as it is written: {}", reply.shown));
        if call.tool != "list_commands" {
            assert!(
                units(&reply.shown) <= MAX_RESULT,
                "{} units",
                units(&reply.shown)
            );
        }
        assert_eq!(reply.call_id, call.id);
        self.check_ids(&reply, &shown, &call.tool);
        self.check_decision(&reply, &shown, call);
        check_label(&reply, &shown, call);
        Answered { reply, shown }
    }

    /// Output ids count up, one for each call and one for each call of a batch.
    fn check_ids(&mut self, reply: &Reply, shown: &Json, tool: &str) {
        let known = authority::TOOLS.contains(&tool);
        let name = if known {
            tool
        } else {
            crate::json::opening(tool, 64)
        };
        let id = |json: &Json| json.get("outputId").and_then(Json::text).map(str::to_owned);
        let mut ids = vec![id(shown)];
        assert_eq!(ids[0].as_ref(), Some(&reply.output_id));
        ids.extend(results(shown).iter().map(id));
        for id in ids {
            self.ids = self.ids.saturating_add(1);
            assert_eq!(
                id,
                Some(format!("{}:{name}:{}", self.settings.run_id, self.ids))
            );
        }
    }

    fn check_decision(&self, reply: &Reply, shown: &Json, call: &Call) {
        let decision = Json::written(&reply.decision).expect("a decision is JSON");
        let (verdict, code) = authority::decision(&self.settings, &call.tool);
        assert_eq!(decision.get("decision").and_then(Json::text), Some(verdict));
        let codes = Json::List(vec![Json::Text(code.to_owned())]);
        assert_eq!(decision.get("reasonCodes"), Some(&codes));
        let known = authority::TOOLS.contains(&call.tool.as_str());
        let denied = shown.get("status").and_then(Json::text) == Some("denied");
        assert_eq!(denied, verdict == "denied" && known);
    }

    /// What is saved resumes as the same run.
    fn check_saved(&self) {
        let saved = self.run.save();
        let resumed = Run::resume(self.settings.clone(), &saved).expect("what is saved resumes");
        assert_eq!(resumed.save(), saved);
        assert_eq!(resumed.label(), self.run.label());
    }
}

/// The results of a batch.
pub fn results(shown: &Json) -> &[Json] {
    shown
        .get("results")
        .and_then(Json::list)
        .unwrap_or_default()
}

/// Every entry of a row or an answer in a result.
pub fn entries(shown: &Json) -> Vec<&Json> {
    let listed = shown
        .get("kind")
        .and(shown.get("entries"))
        .and_then(Json::list);
    let answers = results(shown)
        .iter()
        .chain([shown])
        .filter_map(|result| result.get("entry"));
    listed.unwrap_or_default().iter().chain(answers).collect()
}

/// The clauses of a reply's observation.
fn observed(reply: &Reply) -> Option<Vec<Json>> {
    let observation = Json::written(reply.observation.as_ref()?).expect("an observation is JSON");
    Some(
        observation
            .get("label")?
            .get("confidentiality")?
            .list()?
            .to_vec(),
    )
}

/// The artifact is what is shown and its label, which is what the admitted entries disclose.
fn check_label(reply: &Reply, shown: &Json, call: &Call) {
    let observed = observed(reply);
    assert!(observed.as_ref().is_none_or(|clauses| !clauses.is_empty()));
    let label = observed.as_ref().map(|clauses| {
        Json::Object(vec![(
            "confidentiality".to_owned(),
            Json::List(clauses.clone()),
        )])
    });
    let cfc = match &label {
        None => r#"{"version":1}"#.to_owned(),
        Some(label) => format!(r#"{{"version":1,"observedLabel":{}}}"#, label.compact()),
    };
    let open = reply
        .shown
        .strip_suffix('}')
        .expect("what is shown is an object");
    assert_eq!(reply.artifact, format!(r#"{open},"cfc":{cfc}}}"#));
    if let (Some(observation), Some(label)) = (&reply.observation, &label) {
        let truncated = shown.get("truncated").is_some_and(|flag| flag.is("true"));
        let expected = format!(
            r#"{{"toolCallId":{},"toolId":{},"outputId":{},"channels":["output"],"label":{}{}}}"#,
            crate::json::quoted(&call.id),
            crate::json::quoted(&call.tool),
            crate::json::quoted(&reply.output_id),
            label.compact(),
            if truncated {
                r#","truncated":true"#
            } else {
                ""
            },
        );
        assert_eq!(*observation, expected);
    }
    let told = label.as_ref().map(labels::disclosed);
    let told: Vec<Json> = told.map(clauses).unwrap_or_default();
    let entries: Vec<Json> = entries(shown)
        .into_iter()
        .filter_map(|e| e.get("label").cloned())
        .flat_map(clauses)
        .collect();
    assert!(
        told.iter().all(|clause| entries.contains(clause)),
        "more is observed than is shown"
    );
    assert!(
        entries.iter().all(|clause| told.contains(clause)),
        "less is observed than is shown"
    );
}

fn clauses(label: Json) -> Vec<Json> {
    label
        .get("confidentiality")
        .and_then(Json::list)
        .unwrap_or_default()
        .to_vec()
}
