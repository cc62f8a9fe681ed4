//! A response that comes in pieces, put together.

use serde_json::Value;

use super::read;
use crate::{ChatRequest, ChatResponse, Chunk, FinishReason, ModelError, ModelErrorKind, ToolCall};

/// What has come so far.
#[derive(Debug)]
pub(in crate::http) struct Fold {
    request: ChatRequest,
    response: ChatResponse,
    calls: Vec<Call>,
    reason: Option<Value>,
}

/// The most calls of one answer.
const MAX_CALLS: usize = 1_000;

#[derive(Debug, Default)]
struct Call {
    id: String,
    name: String,
    arguments: String,
}

impl Fold {
    pub(in crate::http) fn new(request: ChatRequest) -> Self {
        Self { request, response: ChatResponse::default(), calls: Vec::new(), reason: None }
    }

    /// Adds an event, and says what is new in it.
    pub(in crate::http) fn event(&mut self, event: &Value) -> Result<Vec<Chunk>, ModelError> {
        let id = event.get("id").and_then(Value::as_str).filter(|id| !id.is_empty());
        if let (Some(first), Some(id)) = (self.response.id.as_deref(), id)
            && first != id
        {
            return Err(mixed(&format!("pieces of `{first}` and of `{id}`")));
        }
        read::meta(event, &mut self.response);
        let mut chunks = Vec::new();
        for choice in event.get("choices").and_then(Value::as_array).into_iter().flatten() {
            let index = choice.get("index").and_then(Value::as_u64).unwrap_or_default();
            if index != 0 {
                return Err(mixed(&format!(
                    "choice {index} beside the first; ask for one at a time"
                )));
            }
            self.choice(choice, &mut chunks)?;
        }
        Ok(chunks)
    }

    fn choice(&mut self, choice: &Value, chunks: &mut Vec<Chunk>) -> Result<(), ModelError> {
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            self.reason = Some(reason.clone());
        }
        self.response.logprobs.extend(read::logprobs(choice));
        if let Some(filter) = read::filter(choice, FinishReason::Other) {
            self.response.filter = Some(filter);
        }
        let Some(delta) = choice.get("delta") else { return Ok(()) };
        let text =
            |key: &str| delta.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        if let Some(piece) = read::reasoning(delta).filter(|piece| !piece.is_empty()) {
            self.response.reasoning.push_str(piece);
            chunks.push(Chunk::Reasoning(piece.to_owned()));
        }
        if let Some(piece) = text("content") {
            self.response.text.push_str(piece);
            chunks.push(Chunk::Text(piece.to_owned()));
        }
        if let Some(piece) = text("refusal") {
            self.response.refusal.get_or_insert_default().push_str(piece);
            chunks.push(Chunk::Refusal(piece.to_owned()));
        }
        let calls = delta.get("tool_calls").and_then(Value::as_array);
        for piece in calls.into_iter().flatten() {
            chunks.push(self.call(piece)?);
        }
        Ok(())
    }

    fn call(&mut self, piece: &Value) -> Result<Chunk, ModelError> {
        let text = |path: &str| piece.pointer(path).and_then(Value::as_str).unwrap_or_default();
        let (id, name) = (text("/id"), text("/function/name"));
        // Servers that leave the index out send each call whole, or begin it with its name.
        let said =
            piece.get("index").and_then(Value::as_u64).and_then(|index| index.try_into().ok());
        let index = said.unwrap_or_else(|| match name.is_empty() {
            false => self.calls.len(),
            true => self.calls.len().saturating_sub(1),
        });
        if index >= MAX_CALLS {
            return Err(ModelError::new(
                ModelErrorKind::Protocol,
                format!("the provider sends call {index} of one answer; {MAX_CALLS} are the most"),
            ));
        }
        if index >= self.calls.len() {
            self.calls.resize_with(index + 1, Call::default);
        }
        let arguments = match piece.pointer("/function/arguments") {
            Some(arguments @ Value::Object(_)) => arguments.to_string(),
            _ => text("/function/arguments").to_owned(),
        };
        if let Some(call) = self.calls.get_mut(index) {
            call.id.push_str(id);
            call.name.push_str(name);
            call.arguments.push_str(&arguments);
        }
        let name = (!name.is_empty()).then(|| self.request.own_name(name).to_owned());
        Ok(Chunk::ToolCall { index, name, arguments })
    }

    /// The provider has said that the answer is at its end.
    pub(in crate::http) fn has_ended(&self) -> bool {
        self.reason.is_some()
    }

    /// The answer, as far as it has come.
    pub(in crate::http) fn finish(&mut self) -> ChatResponse {
        let mut response = std::mem::take(&mut self.response);
        let calls = std::mem::take(&mut self.calls).into_iter();
        response.tool_calls = calls
            .filter(|call| !call.name.is_empty() || !call.arguments.is_empty())
            .map(|call| {
                ToolCall::from_text(call.id, self.request.own_name(&call.name), &call.arguments)
            })
            .collect();
        response.finish = read::finish(self.reason.as_ref(), !response.tool_calls.is_empty());
        if response.filter.is_none() && response.finish == FinishReason::ContentFilter {
            response.filter = Some("content_filter".to_owned());
        }
        response
    }
}

fn mixed(what: &str) -> ModelError {
    ModelError::new(ModelErrorKind::Protocol, format!("the provider mixes two answers: {what}"))
}
