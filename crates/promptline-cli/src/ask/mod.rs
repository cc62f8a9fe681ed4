//! `promptline ask`: a real model, asked with the prompt that `render` prints.

mod answer;
mod args;
mod chat;
mod model;
mod probe;
mod turn;

use std::sync::Arc;

use promptline::tools::Tool;
use promptline::{NativeTools, Prompt, PromptContext, PromptRegistryBuilder};
use promptline_calls::CallGrammar;
use promptline_model::{ChatModel, ChatRequest, ChatTool};
use promptline_output::OutputSpec;
use serde_json::{Value, json};

use answer::{Answer, Expected, ask};
pub(crate) use args::AskArgs;
use args::Show;

use crate::args::Format;
use crate::output::{Failure, Output};
use crate::render::{Built, build};

/// What one run of the verb goes by.
struct Session<'a> {
    args: &'a AskArgs,
    json: bool,
    context: &'a PromptContext,
    grammar: &'a Arc<CallGrammar>,
    model: &'a dyn ChatModel,
}

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &AskArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let Built { prompt, context, notes, .. } = build(registry, &args.render, |options| options)?;
    Output::warn(&notes);
    if context.model.id.is_empty() {
        return Err(Failure::Said("no model is given to ask\nhelp: add --model ID".to_owned()));
    }
    let expected = args.expect.as_deref().map(Expected::parse).transpose()?;
    let grammar = Arc::new(CallGrammar::from_tools(prompt.enabled_tools().iter().map(Tool::from)));
    let model = model::model(args, &context.model.id, &context.model.provider)?;
    let session = Session {
        args,
        json: args.render.json || args.render.format == Format::Json,
        context: &context,
        grammar: &grammar,
        model: &*model,
    };
    let request = session.request(&prompt)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::Said(format!("there is no runtime: {error}")))?;
    runtime.block_on(session.run(request, expected.as_ref(), output))
}

impl Session<'_> {
    /// The prompt and the parameters; no message of the user yet.
    fn request(&self, prompt: &Prompt) -> Result<ChatRequest, Failure> {
        let args = self.args;
        let mut request = ChatRequest::new()
            .system(prompt.text())
            .temperature(args.temperature)
            .max_tokens(args.max_tokens);
        request.seed = args.seed;
        request.keep_raw = args.show.contains(&Show::Raw);
        if let Some(tools) = prompt.tools().map(NativeTools::to_value) {
            request.tools = ChatTool::from_request(&tools).ok_or_else(|| {
                Failure::Said("these tools cannot be sent\nhelp: take --format openai".to_owned())
            })?;
            for (sent, tool) in prompt.tool_names().iter() {
                if sent != tool.name {
                    request = request.tool_name(sent, &tool.name);
                }
            }
        }
        Ok(request)
    }

    async fn run(
        &self,
        request: ChatRequest,
        expected: Option<&Expected>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        if self.args.chat {
            let answers = chat::run(self, request, output).await?;
            if self.json {
                output.json(&json!({"answers": answers}))?;
            }
            let met = expected.is_none_or(|call| answers.iter().any(|one| call.is_met_by(one)));
            return if met { Ok(()) } else { Err(Failure::Found) };
        }
        let message = self.args.message.as_deref().unwrap_or_default();
        let request = request.user(turn::user_message(self.context, message));
        if self.args.probe.is_some() {
            return probe::first_token(self.model, request, self.grammar, self.json, output).await;
        }
        if let Some(times) = self.args.repeat {
            return self.repeat(request, times, expected, output).await;
        }
        if let Some(file) = &self.args.schema {
            return self.value(request, file, output).await;
        }
        let shown = (!self.json).then_some(&mut *output);
        let answer = ask(self.model, request, self.grammar, shown).await?;
        self.show(&answer, output)?;
        if self.json {
            output.json(&answer)?;
        }
        let whole = answer.calls.iter().all(|call| call.complete);
        let met = expected.is_none_or(|call| call.is_met_by(&answer));
        if whole && met { Ok(()) } else { Err(Failure::Found) }
    }

    /// Calls below the text, and what else was asked for.
    fn show(&self, answer: &Answer, output: &mut Output) -> Result<(), Failure> {
        if !self.json {
            for call in &answer.calls {
                let state = match (call.complete, call.repaired) {
                    (false, _) => " (incomplete)",
                    (true, true) => " (repaired)",
                    (true, false) => "",
                };
                let line = format!("call: {} {}{state}", call.name, call.args);
                output.line(crate::output::harmless(&line))?;
            }
            output.flush()?;
        }
        for unsent in &answer.response.unsent {
            Output::note(&format!("not sent: {unsent}\n"));
        }
        let response = &answer.response;
        for show in &self.args.show {
            let line = match show {
                Show::Usage => {
                    let usage = &response.usage;
                    format!(
                        "usage: {} tokens in ({} cached), {} out ({} reasoning)",
                        usage.input, usage.cached, usage.output, usage.reasoning
                    )
                }
                Show::Timing => {
                    let ms =
                        |time: Option<f64>| time.map_or("-".to_owned(), |ms| format!("{ms:.0} ms"));
                    let timings = &response.timings;
                    format!(
                        "timing: first token {}, prefill {}, whole {}",
                        ms(timings.first_token_ms),
                        ms(timings.prefill_ms),
                        ms(timings.total_ms)
                    )
                }
                Show::Raw => format!("raw: {}", response.raw.clone().unwrap_or(Value::Null)),
            };
            Output::note(&format!("{line}\n"));
        }
        Ok(())
    }

    /// The same several times: a row each, and how often it went well.
    async fn repeat(
        &self,
        request: ChatRequest,
        times: u32,
        expected: Option<&Expected>,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let (mut formed, mut right) = (0, 0);
        let mut runs = Vec::new();
        for index in 0..times {
            let asked = request.clone().repeat(index);
            let answer = ask(self.model, asked, self.grammar, None).await?;
            let well_formed = answer.well_formed();
            let is_right = expected.map(|call| call.is_met_by(&answer));
            formed += u32::from(well_formed);
            right += u32::from(is_right == Some(true));
            if self.json {
                runs.push(json!({"well_formed": well_formed, "right": is_right, "answer": answer}));
                continue;
            }
            let names: Vec<&str> = answer.calls.iter().map(|call| call.name.as_str()).collect();
            let word = |yes: bool| if yes { "yes" } else { "no" };
            let right = is_right.map_or("-", word);
            let calls = if names.is_empty() { "no call".to_owned() } else { names.join(", ") };
            let line = format!(
                "{:>4}  well formed {:3}  right {right:3}  {:>5} tokens  {calls}",
                index + 1,
                word(well_formed),
                answer.response.usage.output
            );
            output.line(crate::output::harmless(&line))?;
            output.flush()?;
        }
        let right = expected.map(|_| right);
        if self.json {
            output.json(
                &json!({"runs": runs, "times": times, "well_formed": formed, "right": right}),
            )?;
        } else {
            output.line(format_args!("well formed {formed}/{times}"))?;
            if let Some(right) = right {
                output.line(format_args!("right {right}/{times}"))?;
            }
        }
        if right.unwrap_or(formed) > 0 { Ok(()) } else { Err(Failure::Found) }
    }

    /// The answer as a value of a schema.
    async fn value(
        &self,
        request: ChatRequest,
        file: &std::path::Path,
        output: &mut Output,
    ) -> Result<(), Failure> {
        let said =
            |error: &dyn std::fmt::Display| Failure::Said(format!("{}: {error}", file.display()));
        let text = std::fs::read_to_string(file).map_err(|error| said(&error))?;
        let schema = serde_json::from_str(&text).map_err(|error| said(&error))?;
        let spec = OutputSpec::from_schema(schema).map_err(|error| said(&error))?;
        let answer = spec.ask(self.model, request).await?;
        if self.json {
            let attempts: Vec<Value> = answer
                .attempts
                .iter()
                .map(|one| json!({"raw": one.parsed.raw, "fits": one.parsed.fits, "finish": one.finish, "usage": one.usage}))
                .collect();
            output.json(
                &json!({"value": answer.value, "attempts": attempts, "usage": answer.usage}),
            )?;
        } else if let Some(value) = &answer.value {
            output.json(value)?;
        }
        if answer.value.is_some() {
            return Ok(());
        }
        for issue in answer.attempts.iter().flat_map(|one| &one.parsed.issues).take(10) {
            Output::note(&format!("issue: {}\n", issue.message));
        }
        Err(Failure::Found)
    }
}
