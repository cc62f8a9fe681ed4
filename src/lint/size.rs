//! Lints of size: a section that takes much of the model's window, a variant over its own budget. Tokens
//! are the estimate of the prompt's sections.

use std::collections::BTreeMap;

use super::levels::Lint;
use super::{Found, Subject};
use crate::prompt::SpanKind;
use crate::tokens::estimate_tokens;

/// One part of the window for one section, and no more.
const SHARE: u64 = 4;

pub(super) fn check(subject: &Subject<'_>, found: &mut Found<'_>) {
    let native = native_bytes(subject);
    if let Some(window) = subject.window {
        large(subject, window, native.all, found);
    }
    budget(subject, native.own, found);
}

fn large(subject: &Subject<'_>, window: u64, native: usize, found: &mut Found<'_>) {
    let mut sections: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for section in subject.prompt.sections() {
        let sum = sections.entry(&section.id).or_insert((0, section.origin.as_str()));
        sum.0 += section.tokens;
    }
    let origin = subject.assembled.variant.origin.as_str();
    let tools = (native > 0).then(|| ("the native tools".to_owned(), "tools", native, origin));
    let sections = sections.into_iter().map(|(id, (tokens, origin))| {
        (format!("the section `{id}`"), id, tokens.saturating_mul(4), origin)
    });
    for (what, id, bytes, origin) in sections.chain(tools) {
        let tokens = estimate_tokens(bytes) as u64;
        if tokens.saturating_mul(SHARE) > window {
            let message = format!("{what} takes about {tokens} tokens of a window of {window}");
            found.add(Lint::LargeSection, id, id, origin, &message);
        }
    }
}

/// What a user or a server wrote is not the variant's fault.
fn budget(subject: &Subject<'_>, native: usize, found: &mut Found<'_>) {
    let variant = &subject.assembled.variant;
    let Some(budget) = variant.traits.budget_tokens else { return };
    let spans = subject.prompt.sections().iter().flat_map(|section| &section.spans);
    let authored = spans.filter(|span| span.kind == SpanKind::Authored);
    let bytes: usize = authored.map(|span| span.end - span.start).sum();
    let tokens = estimate_tokens(bytes.saturating_add(native));
    if tokens > budget as usize {
        let message = format!(
            "the texts and tools of the variant `{}` take about {tokens} tokens; its budget is {budget}",
            variant.id
        );
        found.add(Lint::OverBudget, "", "budget_tokens", &variant.origin, &message);
    }
}

#[derive(Default)]
struct NativeBytes {
    all: usize,
    /// Without the tools of MCP servers.
    own: usize,
}

fn native_bytes(subject: &Subject<'_>) -> NativeBytes {
    let Some(native) = subject.prompt.tools() else { return NativeBytes::default() };
    let list = native.to_value();
    let tools = list.as_array().map(Vec::as_slice).unwrap_or_default();
    let mut bytes = NativeBytes::default();
    for (tool, (_, of)) in tools.iter().zip(native.names().iter()) {
        let length = tool.to_string().len();
        bytes.all += length;
        bytes.own += if of.server.is_none() { length } else { 0 };
    }
    bytes
}
