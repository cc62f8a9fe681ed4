//! The explanation as one page: no network, no file beside it, readable without its script. Everything
//! that is not ours goes through the template's escaping or [`escape`](super::escape).

use askama::Template;
use promptline::{Prompt, PromptContext, Severity};

use super::escape;
use super::prompt_html::{hues, prompt_html, volatility};
use super::view::{Explained, grouped, percent, word};
use crate::output::Failure;

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    explained: &'a Explained<'a>,
    model: String,
    style: &'static str,
    script: &'static str,
    origins: Vec<(&'a str, usize)>,
    sections: Vec<Row<'a>>,
    tools: Vec<Row<'a>>,
    tokens: String,
    bytes: String,
    beside: Option<String>,
    window: Option<String>,
    warnings: usize,
    /// Escaped.
    prompt: String,
}

/// A line with a bar.
struct Row<'a> {
    name: &'a str,
    /// The name with places where it may be broken; escaped.
    label: String,
    /// The part of the prompt that it leads to.
    part: usize,
    class: String,
    /// From 0 to 100.
    width: String,
    tokens: String,
    bytes: String,
    share: String,
    changes: String,
    origin: &'a str,
    verbatim: String,
    shown: &'a str,
}

fn label(name: &str) -> String {
    let mut label = String::new();
    for part in name.split_inclusive('_') {
        escape::push(&mut label, part);
        label.push_str("<wbr>");
    }
    label
}

pub(super) fn render(
    prompt: &Prompt,
    context: &PromptContext,
    explained: &Explained<'_>,
) -> Result<String, Failure> {
    let hues = hues(prompt);
    let totals = &explained.totals;
    let most = explained.sections.iter().map(|row| row.share).fold(f64::MIN_POSITIVE, f64::max);
    let sections = explained.sections.iter().map(|row| Row {
        name: row.id,
        label: label(row.id),
        part: row.first,
        class: format!(
            "h{} {}",
            hues.get(row.origin).copied().unwrap_or_default(),
            volatility(row.volatility)
        ),
        width: format!("{:.2}", row.share / most * 100.0),
        tokens: grouped(row.tokens),
        bytes: grouped(row.bytes),
        share: percent(row.share),
        changes: word(&row.volatility),
        origin: row.origin,
        verbatim: match row.verbatim_bytes {
            0 => String::new(),
            bytes => percent(bytes as f64 / row.bytes.max(1) as f64),
        },
        shown: "",
    });
    let most = explained.tools.iter().map(|row| row.bytes).max().unwrap_or_default().max(1) as f64;
    let tools = explained.tools.iter().map(|row| Row {
        name: row.name,
        label: label(row.name),
        part: 0,
        class: String::new(),
        width: format!("{:.2}", row.bytes as f64 / most * 100.0),
        tokens: grouped(row.tokens),
        bytes: grouped(row.bytes),
        share: String::new(),
        changes: String::new(),
        origin: row.server.unwrap_or_default(),
        verbatim: String::new(),
        shown: &row.shown,
    });
    let model = &context.model;
    let beside = (totals.tool_bytes > 0).then(|| grouped(totals.tool_tokens));
    let warned = |d: &&promptline::Diagnostic| d.severity == Severity::Warning;
    let page = Page {
        explained,
        model: [model.provider.as_str(), model.id.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" / "),
        style: include_str!("page.css"),
        script: include_str!("page.js"),
        sections: sections.collect(),
        tools: tools.collect(),
        tokens: grouped(totals.tokens),
        bytes: grouped(totals.bytes),
        beside,
        window: totals.window_share.map(percent),
        warnings: explained.report.diagnostics.iter().filter(warned).count(),
        prompt: prompt_html(prompt, &hues),
        origins: hues.into_iter().collect(),
    };
    page.render().map_err(|error| Failure::Said(format!("the page cannot be written: {error}")))
}
