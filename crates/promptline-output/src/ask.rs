//! Asks a model, reads the answer, and asks once more with the reason when it cannot be used. Errors are of
//! the transport only; what a model says never is one.

use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, FinishReason, ModelError, ResponseFormat, Role, Usage,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::answer::{Answer, Attempt, Disagreement, Outcome};
use crate::constraint::Language;
use crate::parsed::{IssueKind, Parsed};
use crate::repair::step;
use crate::spec::OutputSpec;

/// The limit of tokens of a second answer when the first was cut off and had none.
const MORE_TOKENS: u32 = 4096;

impl OutputSpec {
    /// Asks for an answer, with the constraint text in English where the model cannot be held to the schema.
    ///
    /// # Errors
    /// Only when the model gives no answer at all. It is never asked again because of that.
    pub async fn ask<T: DeserializeOwned>(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
    ) -> Result<Answer<T>, ModelError> {
        self.ask_in(model, request, Language::English).await
    }

    /// The same in another language.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub async fn ask_in<T: DeserializeOwned>(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
        language: Language,
    ) -> Result<Answer<T>, ModelError> {
        let request = self.prepare(model, request, language);
        let mut usage = Usage::default();
        let first = self.attempt(model.complete(request.clone()).await?, &mut usage);
        if first.usable() || !first.worth_a_retry() {
            return Ok(finish(self, vec![first], usage));
        }
        let second = self.retry(request, &first, language);
        let second = self.attempt(model.complete(second).await?, &mut usage);
        Ok(finish(self, vec![first, second], usage))
    }

    /// The request with what the answer is to look like.
    fn prepare(
        &self,
        model: &dyn ChatModel,
        mut request: ChatRequest,
        language: Language,
    ) -> ChatRequest {
        let can = model.capabilities();
        if can.json_schema {
            request.response_format = Some(ResponseFormat::JsonSchema {
                name: self.native_name(),
                schema: self.native_schema(),
            });
            return request;
        }
        let object_only =
            self.native_schema().get("type").and_then(Value::as_str) == Some("object");
        if can.json_object && object_only {
            request.response_format = Some(ResponseFormat::JsonObject);
        }
        let constraint = self.constraint(language);
        let system = request.messages.iter_mut().find(|message| message.role == Role::System);
        match system {
            Some(message) => {
                message.text.push_str("\n\n");
                message.text.push_str(&constraint);
            }
            None => request
                .messages
                .insert(0, promptline_model::ChatMessage::new(Role::System, constraint)),
        }
        request
    }

    fn attempt(&self, response: ChatResponse, usage: &mut Usage) -> Attempt {
        *usage += response.usage;
        let parsed = self.parse(&response.text);
        Attempt { finish: response.finish, usage: response.usage, parsed }
    }

    /// The second request: what came, why it cannot be used, and what is wanted.
    fn retry(&self, request: ChatRequest, first: &Attempt, language: Language) -> ChatRequest {
        let reasons = reasons(first, language);
        let chinese = language == Language::Chinese;
        let message = match (chinese, first.is_cut()) {
            (true, true) => format!(
                "上一次的回答在中途被截断，不能使用。{reasons}\n请从头重新输出完整的 JSON，并尽量简短；只返回 JSON。"
            ),
            (true, false) => format!(
                "上一次的回答不能使用。原因：{reasons}\n请改正这些字段，重新输出完整的 JSON；只返回 JSON。"
            ),
            (false, true) => format!(
                "Your last answer was cut off before its end and cannot be used. {reasons}\nWrite the whole \
                 JSON again from the beginning, and keep it short. Answer with the JSON only."
            ),
            (false, false) => format!(
                "Your last answer cannot be used. Reasons: {reasons}\nCorrect these fields and write the \
                 whole JSON again. Answer with the JSON only."
            ),
        };
        let mut request = request;
        if first.is_cut() {
            let doubled = request.max_tokens.map(|tokens| tokens.saturating_mul(2));
            request.max_tokens = Some(doubled.unwrap_or(MORE_TOKENS));
        }
        request.assistant(first.parsed.raw.clone()).user(message)
    }
}

impl Attempt {
    /// The answer ends before its end.
    fn is_cut(&self) -> bool {
        self.parsed.truncated.is_some() || self.finish == FinishReason::Length && !self.parsed.fits
    }

    /// The value is whole and fits.
    pub(crate) fn usable(&self) -> bool {
        self.parsed.fits && self.parsed.truncated.is_none()
    }

    /// A second answer may be better: nothing is there, or the form is wrong.
    fn worth_a_retry(&self) -> bool {
        self.finish != FinishReason::ContentFilter
            && (self.is_cut()
                || self.parsed.issues.iter().any(|issue| {
                    matches!(
                        issue.kind,
                        IssueKind::Empty
                            | IssueKind::Thinking
                            | IssueKind::NoJson
                            | IssueKind::Truncated
                            | IssueKind::Missing
                            | IssueKind::Type
                            | IssueKind::Enum
                            | IssueKind::Ambiguous
                            | IssueKind::Unknown
                            | IssueKind::Schema
                    )
                }))
    }
}

fn reasons(attempt: &Attempt, language: Language) -> String {
    const MOST: usize = 12;
    let mut text = String::new();
    for issue in attempt.parsed.issues.iter().take(MOST) {
        text.push_str("\n- ");
        let field = if issue.path.is_empty() { "JSON" } else { issue.path.trim_start_matches('/') };
        match language {
            Language::English => text.push_str(&issue.message),
            Language::Chinese => {
                let what = match issue.kind {
                    IssueKind::Empty => "回答为空",
                    IssueKind::Thinking => "只有思考过程，没有答案",
                    IssueKind::NoJson => "不是合法 JSON",
                    IssueKind::Truncated => "在此处被截断",
                    IssueKind::Missing => "缺少该字段",
                    IssueKind::Type => "类型不对",
                    IssueKind::Enum => "取值不在允许范围内",
                    IssueKind::Ambiguous => "取值有歧义",
                    IssueKind::Unknown => "不允许该字段",
                    _ => "不符合 schema",
                };
                text.push_str(&format!("{field}：{what}"));
                if !issue.expected.is_empty() {
                    text.push_str(&format!("，应为 {}", issue.expected));
                }
            }
        }
    }
    text
}

fn finish<T: DeserializeOwned>(
    spec: &OutputSpec,
    attempts: Vec<Attempt>,
    usage: Usage,
) -> Answer<T> {
    let (value, disagreements) = merged(spec, &attempts);
    let cut = attempts.last().is_some_and(Attempt::is_cut);
    let mut outcome = match (&value, attempts.len()) {
        (Some(_), 1) => Outcome::First,
        (Some(_), _) => Outcome::Retried,
        (None, _) if cut => Outcome::Truncated,
        (None, _) => Outcome::Unusable,
    };
    let json = value.clone();
    let value = value.and_then(|value| match serde_json::from_value(value) {
        Ok(value) => Some(value),
        Err(_) => {
            // The schema allows what the type does not.
            outcome = Outcome::Unusable;
            None
        }
    });
    Answer {
        json: json.filter(|_| value.is_some()),
        value,
        outcome,
        attempts,
        usage,
        disagreements,
    }
}

/// The value of one answer, or of two: field by field what was valid first is kept, unless the first answer
/// gives nothing that fits with it.
fn merged(spec: &OutputSpec, attempts: &[Attempt]) -> (Option<Value>, Vec<Disagreement>) {
    let mut disagreements = Vec::new();
    match attempts {
        [only] => (only.parsed.value.clone().filter(|_| only.usable()), disagreements),
        [first, second] => {
            if !second.usable() {
                // The first may be no more than cut between two fields: it is half of something.
                return (None, disagreements);
            }
            let Some(new) = second.parsed.value.clone() else { return (None, disagreements) };
            let (Some(Value::Object(old)), Value::Object(new_fields)) = (&first.parsed.value, &new)
            else {
                return (Some(new), disagreements);
            };
            let mut kept = Map::new();
            for (key, value) in new_fields {
                let before = old.get(key).filter(|_| is_valid_field(&first.parsed, key));
                if let Some(before) = before
                    && before != value
                {
                    let mut path = String::new();
                    step(&mut path, key);
                    disagreements.push(Disagreement {
                        path,
                        first: before.clone(),
                        second: value.clone(),
                        kept_first: true,
                    });
                }
                kept.insert(key.clone(), before.unwrap_or(value).clone());
            }
            let merged = Value::Object(kept);
            let fits = spec.validator.as_ref().is_none_or(|validator| validator.is_valid(&merged));
            if fits {
                return (Some(merged), disagreements);
            }
            for disagreement in &mut disagreements {
                disagreement.kept_first = false;
            }
            (Some(new), disagreements)
        }
        _ => (None, disagreements),
    }
}

/// Nothing is wrong with a field, and the answer was not cut off in it.
fn is_valid_field(parsed: &Parsed, key: &str) -> bool {
    let mut path = String::new();
    step(&mut path, key);
    let in_field = |other: &str| {
        other == path || other.strip_prefix(&path).is_some_and(|rest| rest.starts_with('/'))
    };
    let cut = parsed.truncated.as_ref().is_some_and(|cut| in_field(&cut.path));
    !cut && !parsed.issues.iter().any(|issue| in_field(&issue.path))
}
