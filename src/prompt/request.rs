//! The part of a provider's request that a prompt makes: its system text and its tools, where and as the
//! provider takes them. Nothing is sent.

use serde_json::{Value, json};

use super::cache::MOST_MARKS;
use super::{CachePlan, CacheTtl, Prompt, PromptBlock};
use promptline_tools::Dialect;

impl Prompt {
    /// The dialect of the provider that the prompt was built for
    /// ([`BuildOptions::dialect`](crate::BuildOptions::dialect), else
    /// [`Dialect::for_family`]).
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
    /// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").with_flag("native_tools");
    /// let request = registry.build_blocking(&cx)?.request();
    /// assert!(request["system"][0]["text"].is_string());
    /// assert_eq!(request["tools"][0]["name"], "execute_command");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn request(&self) -> Value {
        self.request_of(&[], None)
    }

    /// The same with the marks of a plan, where the provider takes marks: `cache_control` on blocks of
    /// `system` and on the last tool for Anthropic, `cachePoint` behind them for Bedrock. Everyone else
    /// caches by itself, and is sent the one text. Of the [`blocks`](Self::blocks) of the plan.
    ///
    /// ```
    /// use promptline::{Pack, PromptContext, PromptRegistry, prompt::CachePlan};
    /// # fn main() -> Result<(), promptline::Error> {
    /// let registry = PromptRegistry::builder().pack(Pack::builtin()).build()?;
    /// let cx = PromptContext::new("anthropic", "claude-sonnet-4-5");
    /// let request = registry.build_blocking(&cx)?.request_with(&CachePlan::new());
    /// assert_eq!(request["system"][0]["cache_control"]["type"], "ephemeral");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn request_with(&self, plan: &CachePlan) -> Value {
        let mut plan = self.cache_limits.limit(plan);
        let tools = plan.tools
            && self.tools().is_some_and(|tools| !tools.is_empty())
            && self.cache_limits.is_marked(|| self.tool_tokens());
        plan.marks = plan.marks.min(MOST_MARKS - usize::from(tools));
        self.request_of(&self.blocks(&plan), tools.then(|| plan.first_ttl()))
    }

    /// Without blocks the text is one block.
    fn request_of(&self, blocks: &[PromptBlock<'_>], tool_mark: Option<CacheTtl>) -> Value {
        let text = self.text();
        let mut request = match self.dialect {
            Dialect::OpenAiResponses | Dialect::Mcp => json!({"instructions": text}),
            Dialect::Anthropic if blocks.is_empty() => {
                json!({"system": [{"type": "text", "text": text}]})
            }
            Dialect::Anthropic => {
                let block = |block: &PromptBlock<'_>| match block.mark {
                    Some(ttl) => {
                        json!({"type": "text", "text": block.text, "cache_control": control(ttl)})
                    }
                    None => json!({"type": "text", "text": block.text}),
                };
                json!({"system": blocks.iter().map(block).collect::<Vec<_>>()})
            }
            Dialect::Gemini | Dialect::GeminiLegacy => {
                json!({"systemInstruction": {"parts": [{"text": text}]}})
            }
            Dialect::Bedrock if blocks.is_empty() => json!({"system": [{"text": text}]}),
            Dialect::Bedrock => {
                let block = |block: &PromptBlock<'_>| {
                    let text = json!({"text": block.text});
                    [Some(text), block.mark.map(cache_point)].into_iter().flatten()
                };
                json!({"system": blocks.iter().flat_map(block).collect::<Vec<_>>()})
            }
            // The form that most providers copy.
            _ => json!({"messages": [{"role": "system", "content": text}]}),
        };
        let tools = self.tools().filter(|tools| !tools.is_empty());
        if let (Some(tools), Some(request)) = (tools, request.as_object_mut()) {
            let mut tools = tools.to_value();
            if let (Some(ttl), Some(list)) = (tool_mark, tools.as_array_mut()) {
                mark_tools(list, self.dialect, ttl);
            }
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

/// A mark behind the last tool.
fn mark_tools(list: &mut Vec<Value>, dialect: Dialect, ttl: CacheTtl) {
    match dialect {
        Dialect::Bedrock => list.push(cache_point(ttl)),
        Dialect::Anthropic => {
            if let Some(last) = list.last_mut().and_then(Value::as_object_mut) {
                last.insert("cache_control".to_owned(), control(ttl));
            }
        }
        _ => {}
    }
}

/// Five minutes is what a mark means that says no time.
fn control(ttl: CacheTtl) -> Value {
    match ttl {
        CacheTtl::FiveMinutes => json!({"type": "ephemeral"}),
        CacheTtl::OneHour => json!({"type": "ephemeral", "ttl": "1h"}),
    }
}

fn cache_point(ttl: CacheTtl) -> Value {
    match ttl {
        CacheTtl::FiveMinutes => json!({"cachePoint": {"type": "default"}}),
        CacheTtl::OneHour => json!({"cachePoint": {"type": "default", "ttl": "1h"}}),
    }
}
