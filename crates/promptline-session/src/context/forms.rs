//! The context as providers take it. Neighbouring messages of one side are one message where a provider wants sides to
//! alternate; cache marks go where a provider takes them.

use serde_json::{Map, Value, json};

use super::assembled::{Assembled, Mark};
use crate::{Message, Part, Role};

/// The form of a provider's request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Anthropic's Messages API.
    Anthropic,
    /// OpenAI's Chat Completions, and all who copy it.
    OpenAiChat,
    /// OpenAI's Responses API.
    OpenAiResponses,
    /// Google's `generateContent`.
    Gemini,
    /// Bedrock's Converse API.
    Bedrock,
}

impl Assembled {
    /// System part and messages as the fields of a request. A system message behind the others
    /// ([`trailing_system`](Self::trailing_system)) is one with OpenAI and Anthropic; with Gemini and Bedrock, which
    /// take none, it is at the end of the user's last message.
    ///
    /// Parts of a kind that this crate does not know go out as they are.
    #[must_use]
    pub fn body(&self, form: Form) -> Value {
        let system: Vec<&str> = self.system.iter().map(|block| block.text.as_str()).collect();
        let joined = system.join("\n\n");
        match form {
            Form::Anthropic => {
                let mut blocks: Vec<Value> =
                    system.iter().map(|text| json!({"type": "text", "text": text})).collect();
                if let Some(last) = blocks.last_mut().filter(|_| self.marks.contains(&Mark::System))
                {
                    mark(last);
                }
                json!({"system": blocks, "messages": self.messages_as(form)})
            }
            Form::OpenAiChat => {
                let mut messages = Vec::new();
                if !joined.is_empty() {
                    messages.push(json!({"role": "system", "content": joined}));
                }
                messages.extend(self.messages_as(form));
                json!({"messages": messages})
            }
            Form::OpenAiResponses => {
                json!({"instructions": joined, "input": self.messages_as(form)})
            }
            Form::Gemini => json!({
                "systemInstruction": {"parts": [{"text": joined}]},
                "contents": self.messages_as(form),
            }),
            Form::Bedrock => {
                let mut blocks: Vec<Value> =
                    system.iter().map(|text| json!({"text": text})).collect();
                if self.marks.contains(&Mark::System) && !blocks.is_empty() {
                    blocks.push(cache_point());
                }
                json!({"system": blocks, "messages": self.messages_as(form)})
            }
        }
    }

    /// The messages alone.
    #[must_use]
    pub fn messages_as(&self, form: Form) -> Vec<Value> {
        let trailing = self.trailing_system.as_deref();
        match form {
            Form::Anthropic => {
                let mut messages = self.grouped("user", "assistant", "content", anthropic);
                if let Some(text) = trailing {
                    messages.push(json!({"role": "system", "content": text}));
                }
                messages
            }
            Form::Bedrock => {
                self.with_trailing(self.grouped("user", "assistant", "content", bedrock), "content")
            }
            Form::Gemini => {
                let names = self.call_names();
                let part = |part: &Part, _| vec![gemini(part, &names)];
                self.with_trailing(self.grouped("user", "model", "parts", part), "parts")
            }
            Form::OpenAiChat => {
                let mut messages: Vec<Value> = self.messages.iter().flat_map(chat).collect();
                messages.extend(trailing.map(|text| json!({"role": "system", "content": text})));
                messages
            }
            Form::OpenAiResponses => {
                let mut items: Vec<Value> = self.messages.iter().flat_map(responses).collect();
                let developer = |text| json!({"role": "developer", "content": [{"type": "input_text", "text": text}]});
                items.extend(trailing.map(developer));
                items
            }
        }
    }

    /// Messages whose sides alternate: user and results of tools on one side, the model on the other.
    fn grouped(
        &self,
        user: &str,
        model: &str,
        field: &str,
        write: impl Fn(&Part, bool) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut groups: Vec<(&str, Vec<Value>)> = Vec::new();
        for (at, message) in self.messages.iter().enumerate() {
            let side = if message.role == Role::Assistant { model } else { user };
            let parts = message.parts.iter().enumerate().flat_map(|(part, content)| {
                write(content, self.marks.contains(&Mark::Part { message: at, part }))
            });
            match groups.last_mut() {
                Some((last, values)) if *last == side => values.extend(parts),
                _ => groups.push((side, parts.collect())),
            }
        }
        let message = |(side, parts): (&str, Vec<Value>)| {
            let fields =
                [("role".to_owned(), json!(side)), (field.to_owned(), Value::Array(parts))];
            Value::Object(Map::from_iter(fields))
        };
        groups.into_iter().map(message).collect()
    }

    fn with_trailing(&self, mut messages: Vec<Value>, field: &str) -> Vec<Value> {
        if let Some(text) = &self.trailing_system {
            let users = messages.last_mut().filter(|last| last.get("role") == Some(&json!("user")));
            match users.and_then(|last| last.get_mut(field)).and_then(Value::as_array_mut) {
                Some(parts) => parts.push(json!({"text": text})),
                None => messages.push(json!({"role": "user", field: [{"text": text}]})),
            }
        }
        messages
    }

    /// Gemini wants the function's name beside its result.
    fn call_names(&self) -> std::collections::HashMap<&str, &str> {
        let parts = self.messages.iter().flat_map(|message| &message.parts);
        let calls = parts.filter_map(|part| match part {
            Part::ToolCall { id, name, .. } => Some((id.as_ref(), name.as_ref())),
            _ => None,
        });
        calls.collect()
    }
}

fn mark(block: &mut Value) {
    if let Some(fields) = block.as_object_mut() {
        fields.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
    }
}

fn cache_point() -> Value {
    json!({"cachePoint": {"type": "default"}})
}

fn anthropic(part: &Part, marked: bool) -> Vec<Value> {
    let mut block = match part {
        Part::Text { text, .. } => json!({"type": "text", "text": text}),
        Part::ToolCall { id, name, args, .. } => {
            json!({"type": "tool_use", "id": id, "name": name, "input": args})
        }
        Part::ToolResult { id, text, error, .. } => {
            let mut block = json!({"type": "tool_result", "tool_use_id": id, "content": text});
            if let Some(fields) = block.as_object_mut().filter(|_| *error) {
                fields.insert("is_error".to_owned(), json!(true));
            }
            block
        }
        Part::Other(value) => value.clone(),
    };
    if marked {
        mark(&mut block);
    }
    vec![block]
}

fn bedrock(part: &Part, marked: bool) -> Vec<Value> {
    let block = match part {
        Part::Text { text, .. } => json!({"text": text}),
        Part::ToolCall { id, name, args, .. } => {
            json!({"toolUse": {"toolUseId": id, "name": name, "input": args}})
        }
        Part::ToolResult { id, text, error, .. } => {
            let status = if *error { "error" } else { "success" };
            json!({"toolResult": {"toolUseId": id, "content": [{"text": text}], "status": status}})
        }
        Part::Other(value) => value.clone(),
    };
    if marked { vec![block, cache_point()] } else { vec![block] }
}

fn gemini(part: &Part, names: &std::collections::HashMap<&str, &str>) -> Value {
    match part {
        Part::Text { text, .. } => json!({"text": text}),
        Part::ToolCall { name, args, .. } => json!({"functionCall": {"name": name, "args": args}}),
        Part::ToolResult { id, text, error, .. } => {
            let name = names.get(id.as_ref()).copied().unwrap_or(id);
            let field = if *error { "error" } else { "result" };
            json!({"functionResponse": {"name": name, "response": {field: text}}})
        }
        Part::Other(value) => value.clone(),
    }
}

/// A message of Chat Completions; one for each result.
fn chat(message: &Message) -> Vec<Value> {
    let mut content: Vec<Value> = Vec::new();
    let mut calls: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    for part in &message.parts {
        match part {
            Part::Text { text, .. } => content.push(json!({"type": "text", "text": text})),
            Part::ToolCall { id, name, args, .. } => calls.push(json!({
                "id": id, "type": "function",
                "function": {"name": name, "arguments": args.to_string()},
            })),
            Part::ToolResult { id, text, .. } => {
                results.push(json!({"role": "tool", "tool_call_id": id, "content": text}));
            }
            Part::Other(value) => content.push(value.clone()),
        }
    }
    // A single text is a string: some who copy the API take nothing else.
    let content = match content.as_slice() {
        [] => None,
        [Value::Object(only)] if only.get("type") == Some(&json!("text")) => {
            only.get("text").cloned()
        }
        _ => Some(Value::Array(content)),
    };
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    if content.is_some() || !calls.is_empty() {
        let mut own = json!({"role": role, "content": content});
        if let Some(fields) = own.as_object_mut().filter(|_| !calls.is_empty()) {
            fields.insert("tool_calls".to_owned(), Value::Array(calls));
        }
        results.push(own);
    }
    results
}

/// Items of the Responses API: messages, calls and their outputs, in order.
fn responses(message: &Message) -> Vec<Value> {
    let (role, kind) = match message.role {
        Role::Assistant => ("assistant", "output_text"),
        _ => ("user", "input_text"),
    };
    let mut items: Vec<Value> = Vec::new();
    let mut content: Vec<Value> = Vec::new();
    let flush = |content: &mut Vec<Value>, items: &mut Vec<Value>| {
        if !content.is_empty() {
            items.push(json!({"role": role, "content": std::mem::take(content)}));
        }
    };
    for part in &message.parts {
        match part {
            Part::Text { text, .. } => content.push(json!({"type": kind, "text": text})),
            Part::ToolCall { id, name, args, .. } => {
                flush(&mut content, &mut items);
                items.push(json!({
                    "type": "function_call", "call_id": id, "name": name, "arguments": args.to_string(),
                }));
            }
            Part::ToolResult { id, text, .. } => {
                flush(&mut content, &mut items);
                items.push(json!({"type": "function_call_output", "call_id": id, "output": text}));
            }
            Part::Other(value) => content.push(value.clone()),
        }
    }
    flush(&mut content, &mut items);
    items
}
