//! The body of a request.

use serde_json::{Map, Value, json};

use crate::{
    ChatMessage, ChatRequest, ChatTool, Image, Part, ResponseFormat, Role, ToolCall, ToolChoice,
};

/// The body, and what of the request it does not say.
pub(in crate::http) fn body(
    model: &str,
    request: &ChatRequest,
    stream: bool,
) -> (Value, Vec<String>) {
    let mut unsent = Vec::new();
    let mut body = Map::new();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            body.insert(name.to_owned(), value);
        }
    };
    set("model", Some(model.into()));
    let messages = request.messages.iter().flat_map(|one| message(one, request, &mut unsent));
    set("messages", Some(messages.collect()));
    if !request.tools.is_empty() {
        set("tools", Some(request.tools.iter().map(tool).collect()));
    }
    set("tool_choice", request.tool_choice.as_ref().map(|choice| tool_choice(choice, request)));
    set("max_tokens", request.max_tokens.map(Value::from));
    set("temperature", request.temperature.map(decimal));
    set("top_p", request.top_p.map(decimal));
    set("seed", request.seed.map(Value::from));
    if !request.stop.is_empty() {
        set("stop", Some(request.stop.clone().into()));
    }
    if let Some(top) = request.logprobs {
        set("logprobs", Some(true.into()));
        set("top_logprobs", Some(top.into()));
    }
    set("reasoning_effort", request.reasoning_effort.map(|effort| effort.as_str().into()));
    set("response_format", request.response_format.as_ref().map(response_format));
    if stream {
        set("stream", Some(true.into()));
        set("stream_options", Some(json!({"include_usage": true})));
    }
    for (name, value) in &request.extra {
        body.insert(name.clone(), value.clone());
    }
    (Value::Object(body), unsent)
}

/// 0.1 as 0.1, and not as 0.10000000149011612.
pub(in crate::http) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().unwrap_or_else(|_| f64::from(number)).into()
}

fn response_format(format: &ResponseFormat) -> Value {
    match format {
        ResponseFormat::JsonObject => json!({"type": "json_object"}),
        ResponseFormat::JsonSchema { name, schema } => {
            json!({"type": "json_schema", "json_schema": {"name": name, "schema": schema, "strict": true}})
        }
    }
}

fn tool(tool: &ChatTool) -> Value {
    let mut function =
        json!({"name": tool.name, "description": tool.description, "parameters": tool.schema});
    if let (Some(strict), Some(function)) = (tool.strict, function.as_object_mut()) {
        function.insert("strict".to_owned(), strict.into());
    }
    json!({"type": "function", "function": function})
}

fn tool_choice(choice: &ToolChoice, request: &ChatRequest) -> Value {
    match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "required".into(),
        ToolChoice::Tool(name) => {
            json!({"type": "function", "function": {"name": request.sent_name(name)}})
        }
    }
}

/// One message, or one for each result of a tool.
fn message(message: &ChatMessage, request: &ChatRequest, unsent: &mut Vec<String>) -> Vec<Value> {
    let role = match message.role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    };
    let mut messages = Vec::new();
    let mut content = Vec::new();
    let mut calls = Vec::new();
    let mut text = message.text.clone();
    for part in &message.parts {
        match part {
            Part::Text { text: more, .. } => text.push_str(more),
            Part::Image(image) => {
                if !text.is_empty() {
                    content.push(json!({"type": "text", "text": std::mem::take(&mut text)}));
                }
                let url = match image {
                    Image::Url(url) => url.clone(),
                    Image::Base64 { media_type, data } => {
                        format!("data:{media_type};base64,{data}")
                    }
                };
                content.push(json!({"type": "image_url", "image_url": {"url": url}}));
            }
            Part::ToolCall(call) => calls.push(tool_call(call, request)),
            Part::ToolResult(result) => messages.push(
                json!({"role": "tool", "tool_call_id": result.id, "content": result.content}),
            ),
            Part::Reasoning { .. } => {
                let note = "reasoning of earlier answers: there is no field for it".to_owned();
                if !unsent.contains(&note) {
                    unsent.push(note);
                }
            }
        }
    }
    let content = if content.is_empty() {
        Value::from(text)
    } else {
        if !text.is_empty() {
            content.push(json!({"type": "text", "text": text}));
        }
        Value::from(content)
    };
    let empty = content.as_str().is_some_and(str::is_empty);
    if !calls.is_empty() {
        let content = if empty { Value::Null } else { content };
        messages.push(json!({"role": role, "content": content, "tool_calls": calls}));
    } else if !(empty && message.role == Role::Tool) {
        messages.push(json!({"role": role, "content": content}));
    }
    messages
}

fn tool_call(call: &ToolCall, request: &ChatRequest) -> Value {
    let arguments = call.malformed.clone().unwrap_or_else(|| call.arguments.to_string());
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": request.sent_name(&call.name), "arguments": arguments},
    })
}
