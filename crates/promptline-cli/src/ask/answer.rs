//! What an answer holds: text, and calls, whether the model wrote them as text or the provider gives them apart.

use std::sync::Arc;

use promptline_calls::{CallGrammar, CallParser, Dialects, Event, Options, Parsed};
use promptline_model::{ChatModel, ChatRequest, ChatResponse, Chunk, FinishReason};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::{Failure, Output};

/// A call, however it was made.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Called {
    pub(super) name: String,
    pub(super) args: Value,
    /// It may be executed.
    pub(super) complete: bool,
    /// Something of it had to be repaired, or is not as the tool declares it.
    pub(super) repaired: bool,
    /// The provider gives it apart from the text.
    pub(super) native: bool,
}

/// An answer that was read.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Answer {
    /// The text without calls.
    pub(super) text: String,
    pub(super) calls: Vec<Called>,
    pub(super) response: ChatResponse,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) diagnostics: Vec<String>,
}

impl Answer {
    /// There is a call, and all that are there may be executed.
    pub(super) fn well_formed(&self) -> bool {
        !self.calls.is_empty() && self.calls.iter().all(|call| call.complete)
    }
}

/// Asks, passes text on as it arrives, and reads the calls.
pub(super) async fn ask(
    model: &dyn ChatModel,
    request: ChatRequest,
    grammar: &Arc<CallGrammar>,
    mut output: Option<&mut Output>,
) -> Result<Answer, Failure> {
    let options = Options::new().dialects(Dialects::AUTO);
    let mut parser = CallParser::new(Arc::clone(grammar), options);
    let mut parsed = Parsed::default();
    let mut stream = model.stream(request).await?;
    let mut response = ChatResponse::default();
    while let Some(chunk) = stream.next().await {
        let text = match chunk? {
            Chunk::Text(text) => text,
            Chunk::Done(whole) => {
                response = *whole;
                continue;
            }
            _ => continue,
        };
        // Text is shown when it is certain that it is no call.
        let mut shown = String::new();
        parser.push(&text, &mut |event| {
            if let Event::Text { text, .. } = &event {
                shown.push_str(text);
            }
            parsed.take(&event);
        });
        if let Some(output) = output.as_deref_mut() {
            output.write(&crate::output::harmless(&shown))?;
            output.flush()?;
        }
    }
    let before = parsed.text.len();
    let cut = response.finish == FinishReason::Length;
    if cut {
        parser.finish_cut(&mut |event| parsed.take(&event));
    } else {
        parser.finish(&mut |event| parsed.take(&event));
    }
    if let Some(output) = output {
        output.write(&crate::output::harmless(parsed.text.get(before..).unwrap_or_default()))?;
        if !parsed.text.is_empty() && !parsed.text.ends_with('\n') {
            output.write("\n")?;
        }
        output.flush()?;
    }
    Ok(Answer {
        calls: calls(grammar, &parsed, &response),
        text: parsed.text,
        diagnostics: parsed.diagnostics.iter().map(ToString::to_string).collect(),
        response,
    })
}

fn calls(grammar: &CallGrammar, parsed: &Parsed, response: &ChatResponse) -> Vec<Called> {
    let written = parsed.calls.iter().map(|call| {
        let (args, issues) = grammar.typed(call);
        Called {
            name: call.name.clone(),
            args: Value::Object(args),
            complete: call.complete(),
            repaired: call.repaired() || !issues.is_empty() || !call.unknown.is_empty(),
            native: false,
        }
    });
    let native = response.tool_calls.iter().map(|call| Called {
        name: call.name.clone(),
        args: match &call.malformed {
            Some(_) => Value::Object(Map::new()),
            None => call.arguments.clone(),
        },
        complete: call.malformed.is_none(),
        repaired: false,
        native: true,
    });
    written.chain(native).collect()
}

/// The call that is right.
#[derive(Debug)]
pub(super) struct Expected {
    name: String,
    args: Option<Value>,
}

impl Expected {
    /// `NAME`, or `NAME={…}`.
    pub(super) fn parse(text: &str) -> Result<Self, Failure> {
        let Some((name, args)) = text.split_once('=') else {
            return Ok(Self { name: text.to_owned(), args: None });
        };
        let args = serde_json::from_str(args).map_err(|error| {
            Failure::Said(format!("--expect: what follows `{name}=` is no JSON: {error}"))
        })?;
        Ok(Self { name: name.to_owned(), args: Some(args) })
    }

    /// The first call of the answer is this one; it may be executed.
    pub(super) fn is_met_by(&self, answer: &Answer) -> bool {
        answer.calls.first().is_some_and(|call| {
            let same = self.args.as_ref().is_none_or(|args| *args == call.args);
            call.complete && call.name == self.name && same
        })
    }
}
