//! `promptline match`. Ids are answered one by one, so that a list may be as long as it likes.

use std::io::BufRead as _;

use promptline::{PromptContext, PromptRegistry, PromptRegistryBuilder};
use serde::Serialize;

use crate::args::MatchArgs;
use crate::output::{Failure, Output};

/// One line of `match --json`.
#[derive(Serialize)]
struct Answer<'a> {
    provider: &'a str,
    id: &'a str,
    variant: &'a str,
    reason: &'a str,
}

pub(crate) fn run(
    registry: PromptRegistryBuilder,
    args: &MatchArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    let registry = crate::registry(registry, &args.request.pack)?;
    let mut request = PromptContext::new(args.request.provider.clone().unwrap_or_default(), "");
    request.model.window = args.request.window;
    args.request.flag.iter().for_each(|flag| request.flags.insert(flag));
    let provider = request.model.provider.clone();
    for id in &args.ids {
        if id != "-" {
            answer(&registry, &mut request, &provider, id, args.json, output)?;
            continue;
        }
        let mut lines = std::io::stdin().lock();
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_end_matches(['\n', '\r']);
            let (own, id) = text.split_once('\t').unwrap_or((&provider, text));
            if !id.trim().is_empty() {
                answer(&registry, &mut request, own.trim(), id.trim(), args.json, output)?;
            }
            line.clear();
        }
    }
    Ok(())
}

fn answer(
    registry: &PromptRegistry,
    request: &mut PromptContext,
    provider: &str,
    id: &str,
    json: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    provider.clone_into(&mut request.model.provider);
    id.clone_into(&mut request.model.id);
    let selection = registry.select(request)?;
    let variant = selection.variant().id();
    let reason = selection.reason();
    if json {
        let answer = Answer { provider, id, variant, reason };
        output
            .line(serde_json::to_string(&answer).map_err(|error| Failure::Said(error.to_string()))?)
    } else {
        output.line(format_args!("{id:<40}  {variant:<18}  {reason}"))
    }
}
