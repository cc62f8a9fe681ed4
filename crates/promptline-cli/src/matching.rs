//! `promptline match`. Ids are answered one by one, so that the length of a list is unlimited.

use std::io::BufRead as _;

use promptline::{ModelId, PromptContext, PromptRegistry, PromptRegistryBuilder};
use serde::Serialize;

use crate::args::MatchArgs;
use crate::output::{Failure, Output};

/// One line of `match --json`.
#[derive(Serialize)]
struct Answer<'a> {
    provider: &'a str,
    id: &'a str,
    parsed: &'a ModelId,
    variant: &'a str,
    reason: &'a str,
    /// What is odd about the choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<&'a str>,
}

/// One line of the table; what is longer than its column pushes the others to the right.
fn row(id: &str, parsed: &str, variant: &str, reason: &str) -> String {
    format!("{id:<40}  {parsed:<36}  {variant:<16}  {reason}")
}

/// Answers ids by one registry, for one request that differs only in its model.
struct Answers<'o> {
    registry: PromptRegistry,
    request: PromptContext,
    json: bool,
    /// The head of the table is written.
    begun: bool,
    output: &'o mut Output,
}

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &MatchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let registry = crate::registry(registry, &args.request.pack, &args.request.overlay)?;
    let mut request = PromptContext::new(args.request.provider.clone().unwrap_or_default(), "");
    request.model.window = args.request.window;
    request.model.hint.clone_from(&args.request.model_is);
    args.request.flag.iter().for_each(|flag| request.flags.insert(flag));
    let provider = request.model.provider.clone();
    let mut answers = Answers { registry, request, json: args.json, begun: false, output };
    for id in &args.ids {
        if id != "-" {
            answers.answer(&provider, id)?;
            continue;
        }
        let mut lines = std::io::stdin().lock();
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']);
            let (own, id) = text.split_once('\t').unwrap_or((&provider, text));
            if !id.trim().is_empty() {
                answers.answer(own.trim(), id.trim())?;
            }
            line.clear();
        }
    }
    Ok(())
}

impl Answers<'_> {
    fn answer(&mut self, provider: &str, id: &str) -> Result<(), Failure> {
        provider.clone_into(&mut self.request.model.provider);
        id.clone_into(&mut self.request.model.id);
        let selection = self.registry.select(&self.request)?;
        let variant = selection.variant().id();
        let reason = selection.reason();
        let parsed = self.registry.model_id(provider, id);
        let warning = selection.warnings().first().map(|warning| warning.message.as_str());
        if self.json {
            let answer = Answer { provider, id, parsed: &parsed, variant, reason, warning };
            let json = serde_json::to_string(&answer);
            return self.output.line(json.map_err(|error| Failure::Said(error.to_string()))?);
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.output.line(row("id", "what it says", "variant", "reason"))?;
        }
        let parsed = parsed.to_string();
        match warning {
            Some(warning) => {
                let reason = format!("{reason}; warning: {warning}");
                self.output.line(row(id, &parsed, variant, &reason))
            }
            None => self.output.line(row(id, &parsed, variant, reason)),
        }
    }
}
