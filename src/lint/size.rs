//! Lints of size: a section that takes much of the model's window, a variant over its own budget. Tokens
//! are those of the registry's counter, as everywhere in the report.

use std::collections::{BTreeMap, BTreeSet};

use super::levels::Lint;
use super::{LintFindings, Subject};

/// One part of the window for one section, and no more.
const SHARE: u64 = 4;

pub(super) fn check(subject: &Subject<'_>, found: &mut LintFindings<'_>) {
    let native = NativeTokens::of(subject);
    if let Some(window) = subject.window {
        large(subject, window, native.all, found);
    }
    budget(subject, native.own, found);
}

fn large(subject: &Subject<'_>, window: u64, native: usize, found: &mut LintFindings<'_>) {
    let mut sections: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for section in subject.prompt.sections() {
        let sum = sections.entry(&section.id).or_insert((0, section.origin.as_str()));
        sum.0 += section.tokens;
    }
    let origin = subject.variant.origin.as_str();
    let tools = (native > 0).then(|| ("the native tools take".to_owned(), "tools", native, origin));
    let sections = sections
        .into_iter()
        .map(|(id, (tokens, origin))| (format!("the section `{id}` takes"), id, tokens, origin));
    for (what, id, tokens, origin) in sections.chain(tools) {
        if (tokens as u64).saturating_mul(SHARE) > window {
            let shown = shown(subject, tokens);
            let message = format!("{what} {shown} of a window of {window}");
            found.add(Lint::LargeSection, id, id, origin, &message);
        }
    }
}

/// What a user or a server wrote is not the variant's fault.
fn budget(subject: &Subject<'_>, native: usize, found: &mut LintFindings<'_>) {
    let variant = &subject.variant;
    let Some(budget) = variant.traits.budget_tokens else { return };
    let text = subject.prompt.text();
    let authored: String =
        subject.authored().map(|(_, range)| text.get(range).unwrap_or_default()).collect();
    let tokens = subject.prompt.counter.count(&authored).saturating_add(native);
    if tokens > budget as usize {
        let shown = shown(subject, tokens);
        let message = format!(
            "the texts and tools of the variant `{}` take {shown}; its budget is {budget}",
            variant.id
        );
        found.add(Lint::OverBudget, "", "budget_tokens", &variant.origin, &message);
    }
}

fn shown(subject: &Subject<'_>, tokens: usize) -> String {
    match subject.prompt.counter.is_estimate() {
        true => format!("about {tokens} tokens"),
        false => format!("{tokens} tokens"),
    }
}

/// What the native tools cost, as the report has it.
struct NativeTokens {
    all: usize,
    /// Without the tools of MCP servers.
    own: usize,
}

impl NativeTokens {
    fn of(subject: &Subject<'_>) -> Self {
        let names = subject.prompt.tool_names().iter();
        let of_servers = names.filter(|(_, tool)| tool.server.is_some());
        let of_servers: BTreeSet<&str> = of_servers.map(|(_, tool)| tool.id.as_str()).collect();
        let mut tokens = Self { all: 0, own: 0 };
        for tool in &subject.prompt.report.tools {
            tokens.all += tool.native_tokens;
            if !of_servers.contains(tool.id.as_str()) {
                tokens.own += tool.native_tokens;
            }
        }
        tokens
    }
}
