//! Asks a model, reads the answer, and asks again with the reason when it cannot be used. Errors are of the
//! transport only; what a model says never is one.

mod merge;
mod retry;

use std::fmt;
use std::sync::Arc;

use promptline_model::{
    ChatMessage, ChatModel, ChatRequest, ChatResponse, FinishReason, ModelError, ResponseFormat,
    Role, Usage,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{Answer, Attempt, Disagreement, Outcome};
use crate::coerce::issue;
use crate::constraint::Language;
use crate::parsed::{IssueKind, Parsed};
use crate::spec::{OutputSpec, Spec};

/// How the model is asked for the format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// By the schema where the model supports it, else in words, with JSON mode where that is supported.
    #[default]
    Auto,
    /// In words only.
    Text,
    /// In words, with the provider's JSON mode.
    JsonObject,
    /// By the schema, in the provider's structured outputs.
    JsonSchema,
}

/// A check of the host's own; its message goes into the next request.
type Check<T> = Arc<dyn Fn(&T) -> Result<(), String> + Send + Sync>;

/// How a model is asked, from [`OutputSpec::asking`].
pub struct Ask<T = Value> {
    spec: Spec,
    language: Language,
    mode: Mode,
    attempts: u32,
    accepts_cut: bool,
    checks: Vec<Check<T>>,
}

impl<T> fmt::Debug for Ask<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Ask")
            .field("spec", &self.spec)
            .field("language", &self.language)
            .field("mode", &self.mode)
            .field("attempts", &self.attempts)
            .field("accepts_cut", &self.accepts_cut)
            .field("checks", &self.checks.len())
            .finish()
    }
}

impl<T> OutputSpec<T> {
    /// How a model is asked; everything has a default.
    #[must_use]
    pub fn asking(&self) -> Ask<T> {
        Ask {
            spec: self.spec.clone(),
            language: Language::English,
            mode: Mode::Auto,
            attempts: 2,
            accepts_cut: false,
            checks: Vec::new(),
        }
    }

    /// What is sent after an answer that cannot be used: the reasons, field by field.
    #[must_use]
    pub fn retry_message(&self, parsed: &Parsed, language: Language) -> String {
        retry::message(parsed, parsed.truncated.is_some(), language)
    }
}

impl<T: DeserializeOwned> OutputSpec<T> {
    /// Asks for an answer, at most twice, with the constraint text in English where the model cannot be
    /// constrained to the schema.
    ///
    /// # Errors
    /// Only when the model gives no answer at all. It is never asked again because of that.
    pub async fn ask(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
    ) -> Result<Answer<T>, ModelError> {
        self.asking().send(model, request).await
    }

    /// The same in another language.
    ///
    /// # Errors
    /// As [`ask`](Self::ask).
    pub async fn ask_in(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
        language: Language,
    ) -> Result<Answer<T>, ModelError> {
        self.asking().language(language).send(model, request).await
    }
}

impl<T> Ask<T> {
    /// The language of the constraint text and of the reasons; English by default.
    #[must_use]
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// How the model is asked for the format.
    #[must_use]
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// How often the model is asked at most; 2 by default, at least 1.
    #[must_use]
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// Accepts a value that fits though the answer was cut off behind it. By default the model is asked again.
    #[must_use]
    pub fn accept_cut(mut self) -> Self {
        self.accepts_cut = true;
        self
    }

    /// Checks the value; the message of an error goes into the next request.
    #[must_use]
    pub fn validate(
        mut self,
        check: impl Fn(&T) -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(Arc::new(check));
        self
    }
}

impl<T: DeserializeOwned> Ask<T> {
    /// Asks.
    ///
    /// # Errors
    /// When the first request fails. A later one that fails ends the asking, and the answers before it are kept
    /// ([`Answer::error`]).
    pub async fn send(
        &self,
        model: &dyn ChatModel,
        request: ChatRequest,
    ) -> Result<Answer<T>, ModelError> {
        let mut request = self.prepare(model, request);
        let mut usage = Usage::default();
        let mut attempts: Vec<Attempt> = Vec::new();
        loop {
            let response = match model.complete(request.clone()).await {
                Ok(response) => response,
                Err(error) if attempts.is_empty() => return Err(error),
                Err(error) => {
                    let end = self.end(attempts, usage);
                    return Ok(Answer { error: Some(Arc::new(error)), ..end });
                }
            };
            attempts.push(self.attempt(response, &mut usage));
            let is_last = attempts.len() as u64 >= u64::from(self.attempts);
            let found = self.found(&mut attempts);
            let done = found.value.is_some() || is_last || !found.worth_a_retry;
            match attempts.last().filter(|_| !done) {
                Some(last) => {
                    request = retry::request(&self.spec, request, last, self.language);
                }
                None => return Ok(found.into_answer(attempts, usage)),
            }
        }
    }

    /// The answer when no other request can be made.
    fn end(&self, mut attempts: Vec<Attempt>, usage: Usage) -> Answer<T> {
        let found = self.found(&mut attempts);
        found.into_answer(attempts, usage)
    }

    fn attempt(&self, response: ChatResponse, usage: &mut Usage) -> Attempt {
        *usage += response.usage;
        let parsed = crate::read::read(&self.spec, &response.text);
        let accepts_cut = self.accepts_cut;
        Attempt { finish: response.finish, usage: response.usage, parsed, accepts_cut }
    }

    /// What the answers come to so far.
    fn found(&self, attempts: &mut [Attempt]) -> Found<T> {
        let (json, disagreements) = merge::merged(&self.spec, attempts);
        let mut found = Found {
            value: None,
            json: None,
            disagreements,
            worth_a_retry: attempts.last().is_some_and(Attempt::worth_a_retry),
        };
        let (Some(json), Some(last)) = (json, attempts.last_mut()) else { return found };
        match serde_json::from_value::<T>(json.clone()) {
            Ok(value) => match self.checks.iter().find_map(|check| check(&value).err()) {
                None => (found.value, found.json) = (Some(value), Some(json)),
                Some(message) => {
                    found.worth_a_retry = true;
                    last.parsed.issues.push(whole_issue(IssueKind::Rejected, &message));
                }
            },
            Err(error) => {
                // The schema allows what the type does not; to ask again would not help.
                found.worth_a_retry = false;
                let what = format!("the schema allows it, but the Rust type does not: {error}");
                last.parsed.issues.push(whole_issue(IssueKind::Type, &what));
            }
        }
        found
    }

    /// The request with what the answer is to look like.
    fn prepare(&self, model: &dyn ChatModel, mut request: ChatRequest) -> ChatRequest {
        let can = model.capabilities();
        let by_schema = match self.mode {
            Mode::Auto => can.json_schema,
            mode => mode == Mode::JsonSchema,
        };
        if by_schema {
            request.response_format = Some(ResponseFormat::JsonSchema {
                name: self.spec.native_name(),
                schema: self.spec.native_schema(),
            });
            return request;
        }
        let schema = self.spec.native_schema();
        let is_object = schema.get("type").and_then(Value::as_str) == Some("object");
        let json_mode = match self.mode {
            Mode::Auto => can.json_object && is_object,
            mode => mode == Mode::JsonObject,
        };
        if json_mode {
            request.response_format = Some(ResponseFormat::JsonObject);
        }
        let constraint = self.spec.constraint(self.language);
        match request.messages.iter_mut().find(|message| message.role == Role::System) {
            Some(message) => message.push_text(&format!("\n\n{constraint}")),
            None => request.messages.insert(0, ChatMessage::new(Role::System, constraint)),
        }
        request
    }
}

fn whole_issue(kind: IssueKind, what: &str) -> crate::parsed::Issue {
    issue(kind, String::new(), String::new(), String::new(), what)
}

/// What the answers come to.
struct Found<T> {
    value: Option<T>,
    json: Option<Value>,
    disagreements: Vec<Disagreement>,
    worth_a_retry: bool,
}

impl<T> Found<T> {
    fn into_answer(self, attempts: Vec<Attempt>, usage: Usage) -> Answer<T> {
        let is_cut = attempts.last().is_some_and(Attempt::is_cut);
        let outcome = match (&self.value, attempts.len()) {
            (Some(_), 1) => Outcome::First,
            (Some(_), _) => Outcome::Retried,
            (None, _) if is_cut => Outcome::Truncated,
            (None, _) => Outcome::Unusable,
        };
        Answer {
            value: self.value,
            json: self.json,
            outcome,
            attempts,
            usage,
            disagreements: self.disagreements,
            error: None,
        }
    }
}

impl Attempt {
    /// The answer ends before its end.
    pub(crate) fn is_cut(&self) -> bool {
        self.parsed.truncated.is_some() || self.finish == FinishReason::Length
    }

    /// The value fits, and is whole as far as is asked.
    pub(crate) fn usable(&self) -> bool {
        self.parsed.fits && (self.accepts_cut || !self.is_cut())
    }

    /// Another answer may be better: nothing is there, it is cut off, the schema refuses it, or it takes more of a
    /// guess than allowed. What the provider has stopped, and what is too long, would come out the same.
    fn worth_a_retry(&self) -> bool {
        self.finish != FinishReason::ContentFilter
            && (self.is_cut()
                || self.parsed.issues.iter().any(|issue| issue.kind != IssueKind::Limit))
    }
}
