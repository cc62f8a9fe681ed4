//! The one place that knows the root package: what a finished prompt gives to a context, and a request out of both.

use promptline::{Dialect, Prompt};
use serde_json::Value;

use super::{Assembled, Form};
use crate::Tokens;

/// The system prompt of a request: a [`promptline::Prompt`], or just a text.
#[derive(Debug, Clone)]
pub struct SystemPrompt<'p> {
    pub(super) text: &'p str,
    /// The native tools as JSON; they are in front of everything else in a provider's cache.
    pub(super) tools: Option<String>,
}

impl<'p> From<&'p Prompt> for SystemPrompt<'p> {
    fn from(prompt: &'p Prompt) -> Self {
        let tools = prompt.tools().map(|tools| tools.to_value().to_string());
        Self { text: prompt.text(), tools }
    }
}

impl<'p> From<&'p str> for SystemPrompt<'p> {
    fn from(text: &'p str) -> Self {
        Self { text, tools: None }
    }
}

impl SystemPrompt<'_> {
    pub(super) fn tool_tokens(&self, tokens: &Tokens) -> usize {
        self.tools.as_ref().map_or(0, |tools| tokens.count(tools))
    }
}

impl Assembled {
    /// The request to the provider that the prompt was built for: what `prompt.request()` gives, with the system
    /// part, the messages and the cache marks of this context.
    #[must_use]
    pub fn request(&self, prompt: &Prompt) -> Value {
        let form = match prompt.dialect() {
            Dialect::Anthropic => Form::Anthropic,
            Dialect::OpenAiResponses => Form::OpenAiResponses,
            Dialect::Gemini | Dialect::GeminiLegacy => Form::Gemini,
            Dialect::Bedrock => Form::Bedrock,
            _ => Form::OpenAiChat,
        };
        let mut request = prompt.request();
        if let (Some(request), Value::Object(own)) = (request.as_object_mut(), self.body(form)) {
            request.extend(own);
        }
        request
    }
}
