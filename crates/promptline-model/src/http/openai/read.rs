//! A response that came in one piece.

use serde_json::Value;

use crate::{
    ChatRequest, ChatResponse, FinishReason, ModelError, ModelErrorKind, TokenLogprob, ToolCall,
    Usage,
};

/// Reads a response; of several choices the first.
pub(in crate::http) fn response(
    json: &Value,
    request: &ChatRequest,
) -> Result<ChatResponse, ModelError> {
    let choice = json.pointer("/choices/0");
    let message = choice.and_then(|choice| choice.get("message"));
    let (Some(choice), Some(message)) = (choice, message) else {
        return Err(ModelError::new(
            ModelErrorKind::Protocol,
            "the provider's response has no `choices[0].message`",
        )
        .with_body(&json.to_string()));
    };
    let mut response = ChatResponse::new(text_of(message.get("content")));
    response.reasoning = reasoning(message).unwrap_or_default().to_owned();
    response.refusal = message.get("refusal").and_then(Value::as_str).map(str::to_owned);
    let calls = message.get("tool_calls").and_then(Value::as_array);
    response.tool_calls =
        calls.into_iter().flatten().map(|call| tool_call(call, request)).collect();
    response.finish = finish(choice.get("finish_reason"), !response.tool_calls.is_empty());
    response.filter = filter(choice, response.finish);
    response.logprobs = logprobs(choice);
    meta(json, &mut response);
    Ok(response)
}

/// Text, also where it comes in parts.
fn text_of(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            parts.iter().filter_map(|part| part.get("text")).filter_map(Value::as_str).collect()
        }
        _ => String::new(),
    }
}

/// Reasoning apart from the text: DeepSeek and llama.cpp call it so, OpenRouter and vLLM otherwise.
pub(super) fn reasoning(message: &Value) -> Option<&str> {
    ["reasoning_content", "reasoning"].iter().find_map(|key| message.get(*key)?.as_str())
}

fn tool_call(call: &Value, request: &ChatRequest) -> ToolCall {
    let text = |path: &str| call.pointer(path).and_then(Value::as_str).unwrap_or_default();
    let name = request.own_name(text("/function/name"));
    match call.pointer("/function/arguments") {
        // Some servers send the arguments as they are.
        Some(arguments @ Value::Object(_)) => ToolCall::new(text("/id"), name, arguments.clone()),
        _ => ToolCall::from_text(text("/id"), name, text("/function/arguments")),
    }
}

/// Why the answer ends. Some servers say `stop` where there are calls.
pub(super) fn finish(reason: Option<&Value>, has_calls: bool) -> FinishReason {
    match reason.and_then(Value::as_str) {
        Some("stop") if has_calls => FinishReason::ToolCalls,
        Some("stop" | "eos" | "end_turn") => FinishReason::Stop,
        Some("length" | "max_tokens") => FinishReason::Length,
        Some("tool_calls" | "function_call") => FinishReason::ToolCalls,
        Some("content_filter") => FinishReason::ContentFilter,
        _ => FinishReason::Other,
    }
}

/// The categories for which a filter stopped the answer (Azure), or that it did.
pub(super) fn filter(choice: &Value, finish: FinishReason) -> Option<String> {
    let results = choice.get("content_filter_results").and_then(Value::as_object);
    let filtered: Vec<&str> = results
        .into_iter()
        .flatten()
        .filter(|(_, result)| result.get("filtered").and_then(Value::as_bool) == Some(true))
        .map(|(category, _)| category.as_str())
        .collect();
    match (filtered.is_empty(), finish) {
        (false, _) => Some(filtered.join(", ")),
        (true, FinishReason::ContentFilter) => Some("content_filter".to_owned()),
        _ => None,
    }
}

/// The tokens of a choice with their probabilities.
pub(in crate::http) fn logprobs(choice: &Value) -> Vec<TokenLogprob> {
    let tokens = choice.pointer("/logprobs/content").and_then(Value::as_array);
    let read = |token: &Value| {
        let text = token.get("token")?.as_str()?;
        let mut read = TokenLogprob::new(text, token.get("logprob")?.as_f64()?);
        let top = token.get("top_logprobs").and_then(Value::as_array);
        read.top = top
            .into_iter()
            .flatten()
            .filter_map(|one| {
                Some((one.get("token")?.as_str()?.to_owned(), one.get("logprob")?.as_f64()?))
            })
            .collect();
        Some(read)
    };
    tokens.into_iter().flatten().filter_map(read).collect()
}

/// Id, model, usage, and the server's own times.
pub(super) fn meta(json: &Value, response: &mut ChatResponse) {
    let text = |key: &str| json.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(id) = text("id") {
        response.id = Some(id.to_owned());
    }
    if let Some(model) = text("model") {
        response.model = Some(model.to_owned());
    }
    if let Some(usage) = json.get("usage").filter(|usage| usage.is_object()) {
        let number = |path: &str| usage.pointer(path).and_then(Value::as_u64);
        let mut read = Usage::new(
            number("/prompt_tokens").unwrap_or_default(),
            number("/completion_tokens").unwrap_or_default(),
        );
        read.cached = number("/prompt_tokens_details/cached_tokens")
            .or_else(|| number("/prompt_cache_hit_tokens"))
            .unwrap_or_default();
        read.reasoning = number("/completion_tokens_details/reasoning_tokens").unwrap_or_default();
        response.usage = read;
    }
    // llama.cpp.
    if let Some(prefill) = json.pointer("/timings/prompt_ms").and_then(Value::as_f64) {
        response.timings.prefill_ms = Some(prefill);
    }
}
