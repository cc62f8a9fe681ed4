//! Asks a model, reads the answer, and asks once more with the reason when it cannot be used. Errors are of
//! the transport only; what a model says never is one.

mod merge;
mod retry;

use promptline_model::{
    ChatModel, ChatRequest, ChatResponse, FinishReason, ModelError, ResponseFormat, Role, Usage,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{Answer, Attempt, Outcome};
use crate::coerce::issue;
use crate::constraint::Language;
use crate::parsed::IssueKind;
use crate::spec::OutputSpec;

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
        let second = retry::request(self, request, &first, language);
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
            Some(message) => message.push_text(&format!("\n\n{constraint}")),
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

    /// A second answer may be better: nothing is there, it is cut off, or the schema does not take it. What
    /// the provider has stopped, what is too long and what is too risky would come out the same.
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

fn finish<T: DeserializeOwned>(
    spec: &OutputSpec,
    mut attempts: Vec<Attempt>,
    usage: Usage,
) -> Answer<T> {
    let (value, disagreements) = merge::merged(spec, &attempts);
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
        Err(error) => {
            // The schema allows what the type does not; to ask again would not help.
            outcome = Outcome::Unusable;
            if let Some(last) = attempts.last_mut() {
                let what = format!("the schema allows it, but the Rust type does not: {error}");
                let issue =
                    issue(IssueKind::Type, String::new(), String::new(), String::new(), &what);
                last.parsed.issues.push(issue);
            }
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
