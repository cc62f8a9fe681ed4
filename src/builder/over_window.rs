//! A prompt that is larger than the model's context window: a warning of the build, with what to make smaller. Never
//! an error: the host may know better, or cut the rest.

use promptline_diagnostic::Diagnostic;

use crate::prompt::Prompt;

/// The warning, if the prompt with its native tools is larger than the window.
pub(super) fn over_window(prompt: &Prompt, window: Option<u64>) -> Option<Diagnostic> {
    const NAMED: usize = 3;
    // 0 is a host that does not know.
    let window = window.filter(|tokens| *tokens > 0)?;
    let tools = prompt.tools().map(|tools| tools.to_json()).unwrap_or_default();
    // A token has a byte at least: most prompts need not be counted.
    let bytes = u64::try_from(prompt.text.len() + tools.len()).unwrap_or(u64::MAX);
    if bytes <= window {
        return None;
    }
    let of_tools = prompt.counter.count(&tools);
    let text: usize = prompt.sections().iter().map(|section| section.tokens).sum();
    let all = text + of_tools;
    if u64::try_from(all).unwrap_or(u64::MAX) <= window {
        return None;
    }
    let mut parts: Vec<(&str, usize)> = Vec::new();
    for section in prompt.sections() {
        match parts.iter_mut().find(|(id, _)| *id == section.id.as_str()) {
            Some((_, tokens)) => *tokens += section.tokens,
            None => parts.push((section.id.as_str(), section.tokens)),
        }
    }
    parts.push(("native tools", of_tools));
    parts.sort_by_key(|(_, tokens)| std::cmp::Reverse(*tokens));
    let largest = parts.iter().filter(|(_, tokens)| *tokens > 0).take(NAMED);
    let largest: Vec<_> = largest.map(|(id, tokens)| format!("{id} ({tokens})")).collect();
    let message = format!(
        "the prompt has {all} tokens, and the model's context window {window}; the largest parts: {}",
        largest.join(", ")
    );
    let warning = Diagnostic::warning("over-window", message);
    Some(warning.with_help("give a budget (`Budget`, --budget), fewer rules or fewer tools"))
}
