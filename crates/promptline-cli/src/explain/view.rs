//! What there is to say about a prompt, as data that the table, the page and the JSON share. Nothing is
//! written here, and nothing is decided: it only adds up what the build has reported.

use std::collections::BTreeMap;

use promptline::{
    Prompt, PromptContext, Report, Volatility,
    context::{SeenFile, SeenStatus},
    prompt::SpanKind,
    report::{ComponentStatus, RulesStatus, ToolStatus},
};
use serde::Serialize;

use super::tools::{ToolRow, tools};

/// `explain --json`.
#[derive(Debug, Serialize)]
pub(super) struct Explained<'a> {
    pub(super) totals: Totals,
    pub(super) sections: Vec<SectionRow<'a>>,
    pub(super) tools: Vec<ToolRow<'a>>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) report: &'a Report,
    /// The generation of the parameters that the packs declare.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) params: Option<&'a promptline_params::Generation>,
}

/// What it costs. Tokens are the build's count, an estimate unless it was given a counter.
#[derive(Debug, Serialize)]
pub(super) struct Totals {
    /// Who counted the tokens.
    pub(super) counter: String,
    /// The numbers of tokens are only about right.
    pub(super) estimate: bool,
    /// Of the prompt's text.
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    /// Of the native tools beside it, as compact JSON.
    pub(super) tool_bytes: usize,
    pub(super) tool_tokens: usize,
    /// The model's window in tokens, where it is known.
    pub(super) window: Option<u64>,
    /// The share of the window that text and tools take, from 0 to 1.
    pub(super) window_share: Option<f64>,
}

/// A section with all its parts together.
#[derive(Debug, Serialize)]
pub(super) struct SectionRow<'a> {
    pub(super) id: &'a str,
    pub(super) status: String,
    pub(super) bytes: usize,
    pub(super) tokens: usize,
    /// Of the prompt's text, from 0 to 1.
    pub(super) share: f64,
    /// How much of it is not the pack's: rules, paths, descriptions of servers.
    pub(super) verbatim_bytes: usize,
    pub(super) volatility: Volatility,
    pub(super) origin: &'a str,
    /// In how many parts it is printed.
    pub(super) parts: usize,
    /// Where its first part is in the list of parts.
    #[serde(skip)]
    pub(super) first: usize,
}

/// Something that could have been in the prompt and is not.
#[derive(Debug, Serialize)]
pub(super) struct LeftOut {
    /// `section`, `tool`, `rules` or `file`.
    pub(super) kind: &'static str,
    pub(super) id: String,
    pub(super) status: String,
    pub(super) why: Option<String>,
}

impl<'a> Explained<'a> {
    pub(super) fn new(
        prompt: &'a Prompt,
        context: &PromptContext,
        detected: Option<&[SeenFile]>,
    ) -> Self {
        let report = prompt.report();
        let tools = tools(prompt);
        let sections = sections(prompt);
        let counted = report.totals.clone().unwrap_or_default();
        let (native, tool_tokens) = (counted.native_bytes, counted.native_tokens);
        let bytes = prompt.text().len();
        let tokens = sections.iter().map(|row| row.tokens).sum();
        let window = context.model.window.filter(|window| *window > 0);
        let totals = Totals {
            counter: counted.counter,
            estimate: counted.estimate,
            bytes,
            tokens,
            tool_bytes: native,
            tool_tokens,
            window,
            window_share: window.map(|window| (tokens + tool_tokens) as f64 / window as f64),
        };
        Self { totals, sections, tools, left_out: left_out(report, detected), report, params: None }
    }
}

/// In the order in which they begin.
fn sections(prompt: &Prompt) -> Vec<SectionRow<'_>> {
    let total = prompt.text().len().max(1) as f64;
    let known = &prompt.report().components;
    let status: BTreeMap<&str, ComponentStatus> =
        known.iter().map(|component| (component.id.as_str(), component.status)).collect();
    let mut rows: Vec<SectionRow<'_>> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (first, section) in prompt.sections().iter().enumerate() {
        let id = section.id.as_str();
        let verbatim = section.spans.iter().filter(|span| span.kind == SpanKind::Verbatim);
        let verbatim: usize = verbatim.map(|span| span.end - span.start).sum();
        let at = *places.entry(id).or_insert_with(|| {
            rows.push(SectionRow {
                id,
                status: word(status.get(id).unwrap_or(&ComponentStatus::Rendered)),
                bytes: 0,
                tokens: 0,
                share: 0.0,
                verbatim_bytes: 0,
                volatility: section.volatility,
                origin: section.origin.as_str(),
                parts: 0,
                first,
            });
            rows.len() - 1
        });
        let Some(row) = rows.get_mut(at) else { continue };
        row.bytes += section.bytes;
        row.tokens += section.tokens;
        row.share = row.bytes as f64 / total;
        row.verbatim_bytes += verbatim;
        row.volatility = row.volatility.max(section.volatility);
        row.parts += 1;
    }
    rows
}

fn left_out(report: &Report, detected: Option<&[SeenFile]>) -> Vec<LeftOut> {
    let mut list = Vec::new();
    let mut add = |kind, id: &str, status: String, why: Option<&str>| {
        let why = why.map(str::to_owned);
        list.push(LeftOut { kind, id: id.to_owned(), status, why });
    };
    for component in report.components.iter().filter(|c| c.status != ComponentStatus::Rendered) {
        let why = component.reason.as_deref();
        add("section", &component.id, word(&component.status), why);
    }
    for tool in report.tools.iter().filter(|tool| tool.status != ToolStatus::Enabled) {
        add("tool", &tool.id, word(&tool.status), tool.reason.as_deref());
    }
    for rules in report.rules.iter().filter(|rules| rules.status != RulesStatus::Used) {
        add("rules", &rules.path, word(&rules.status), None);
    }
    for file in detected.unwrap_or_default().iter().filter(|f| f.status != SeenStatus::Used) {
        add("file", &file.path, word(&file.status), file.why.as_deref());
    }
    list
}

/// The word by which JSON says it.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

/// `1234567` as `1,234,567`.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// `0.1234` as `12.3 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        for (number, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1234567, "1,234,567")] {
            assert_eq!(grouped(number), shown);
        }
    }
}
