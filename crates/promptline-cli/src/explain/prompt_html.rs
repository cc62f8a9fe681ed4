//! The prompt as HTML: one element a section part, verbatim text marked inside it. The text of all
//! elements together is the prompt, byte for byte; no blank and no newline is added between them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use promptline::{Prompt, Volatility, prompt::SpanKind};

use super::escape;
use super::view::word;

/// Colours that origins share, once there are more of them.
pub(super) const HUES: usize = 12;

/// Which colour each origin has, in the order of the text.
pub(super) fn hues(prompt: &Prompt) -> BTreeMap<&str, usize> {
    let mut hues = BTreeMap::new();
    for section in prompt.sections() {
        let next = hues.len() % HUES;
        hues.entry(section.origin.as_str()).or_insert(next);
    }
    hues
}

/// The class of a volatility.
pub(super) fn volatility(volatility: Volatility) -> &'static str {
    match volatility {
        Volatility::Static => "static",
        Volatility::Conversation => "conversation",
        _ => "turn",
    }
}

/// The content of the element that holds the prompt.
pub(super) fn prompt_html(prompt: &Prompt, hues: &BTreeMap<&str, usize>) -> String {
    let text = prompt.text();
    let mut html = String::with_capacity(text.len() + text.len() / 4 + 1024);
    for (number, section) in prompt.sections().iter().enumerate() {
        let hue = hues.get(section.origin.as_str()).copied().unwrap_or_default();
        let class = volatility(section.volatility);
        let _ = write!(html, "<span class=\"part h{hue} {class}\" id=\"p{number}\" title=\"");
        escape::push(&mut html, &section.id);
        html.push_str(" · ");
        escape::push(&mut html, &section.origin);
        let _ = write!(html, " · {} · {} bytes\">", word(&section.volatility), section.bytes);
        for span in &section.spans {
            let said = text.get(span.start..span.end).unwrap_or_default();
            if span.kind == SpanKind::Verbatim {
                html.push_str("<q class=\"verbatim\" title=\"");
                if let Some(source) = &span.source {
                    escape::push(&mut html, source.as_str());
                }
                html.push_str("\">");
                escape::push(&mut html, said);
                html.push_str("</q>");
            } else {
                escape::push(&mut html, said);
            }
        }
        html.push_str("</span>");
    }
    html
}
