//! The part of a provider's request that a prompt makes: its system text and its tools, where and as the
//! provider takes them. Nothing is sent.

use serde_json::{Value, json};

use super::Prompt;
use crate::tool::native::Dialect;

impl Prompt {
    /// The dialect of the provider that the prompt was built for
    /// ([`BuildOptions::dialect`](crate::BuildOptions::dialect), else
    /// [`Dialect::for_model`]).
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The fields of the provider's request that hold the prompt and its native tools, to be merged with
    /// the rest of a request: `system` and `tools` for Anthropic, a first message and `tools` for OpenAI
    /// Chat, `instructions` and `tools` for OpenAI Responses, `systemInstruction` and `tools` for Gemini,
    /// `system` and `toolConfig` for Bedrock. Without native tools there is no field for them.
    ///
    /// ```
    /// use promptline::{Pack, PromptContext, PromptRegistry};
    /// # fn main() -> Result<(), promptline::Error> {
    /// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
    /// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").flag("native_tools");
    /// let request = registry.build_blocking(&cx)?.request();
    /// assert!(request["system"][0]["text"].is_string());
    /// assert_eq!(request["tools"][0]["name"], "execute_command");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn request(&self) -> Value {
        let text = self.text();
        let mut request = match self.dialect {
            Dialect::OpenAi => json!({"messages": [{"role": "system", "content": text}]}),
            Dialect::OpenAiResponses | Dialect::Mcp => json!({"instructions": text}),
            Dialect::Anthropic => json!({"system": [{"type": "text", "text": text}]}),
            Dialect::Gemini | Dialect::GeminiLegacy => {
                json!({"systemInstruction": {"parts": [{"text": text}]}})
            }
            Dialect::Bedrock => json!({"system": [{"text": text}]}),
        };
        let tools = self.tools().filter(|tools| !tools.is_empty());
        if let (Some(tools), Some(request)) = (tools, request.as_object_mut()) {
            let tools = tools.to_value();
            let (field, value) = match self.dialect {
                Dialect::Gemini | Dialect::GeminiLegacy => {
                    ("tools", json!([{"functionDeclarations": tools}]))
                }
                Dialect::Bedrock => ("toolConfig", json!({"tools": tools})),
                _ => ("tools", tools),
            };
            request.insert(field.to_owned(), value);
        }
        request
    }
}
