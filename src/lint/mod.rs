//! Lints of a finished prompt: what its author wrote and cannot have meant, given what this build offers.
//! They look at authored text only, that of tools included, in one pass, change nothing and stop nothing; a pack switches one off
//! by name (`[lints]` in `pack.toml`).

mod headings;
mod invisible;
mod levels;
mod size;
mod tool_words;
mod words;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use levels::{Lint, LintLevels};
pub(crate) use tool_words::{ToolWords, tool_words};

use crate::context::PromptContext;
use crate::prompt::{Prompt, Section, SpanKind};
use crate::tool::{Offered, ToolInput};
use crate::variant::PromptVariant;
use promptline_diagnostic::Diagnostic;

/// What the lints of a registry know.
#[derive(Debug, Default)]
pub(crate) struct Lints {
    pub(crate) levels: LintLevels,
    /// The names of all tools of its packs and its host.
    pub(crate) tools: BTreeSet<String>,
}

/// A diagnostic of this code is from here.
pub(crate) fn is_lint(code: &str) -> bool {
    Lint::ALL.iter().any(|lint| lint.code() == code)
}

/// Adds to the report of a finished prompt.
pub(crate) fn lint(
    prompt: &mut Prompt,
    tool_words: Vec<ToolWords>,
    lints: &Lints,
    variant: &PromptVariant,
    listed: &[Offered],
    cx: &PromptContext,
) {
    let subject = Subject::new(prompt, tool_words, lints, variant, listed, cx);
    let mut found =
        LintFindings { levels: &lints.levels, list: Vec::new(), reported: BTreeSet::new() };
    words::check(&subject, &mut found);
    headings::check(&subject, &mut found);
    invisible::check(&subject, &mut found);
    size::check(&subject, &mut found);
    let list = found.list;
    prompt.report.diagnostics.extend(list);
}

/// What is looked at.
struct Subject<'a> {
    prompt: &'a Prompt,
    tool_words: Vec<ToolWords>,
    variant: &'a PromptVariant,
    window: Option<u64>,
    /// Tools that there are, and that this build does not offer.
    absent: BTreeSet<&'a str>,
    /// Tools that this build offers.
    enabled: BTreeSet<&'a str>,
    /// Numbers among the parameters, by their bits.
    numbers: BTreeMap<u64, String>,
    /// Which section asks for which parameter. A number that is printed is authored text too.
    printed: BTreeSet<(&'a str, &'a str)>,
}

impl<'a> Subject<'a> {
    fn new(
        prompt: &'a Prompt,
        tool_words: Vec<ToolWords>,
        lints: &'a Lints,
        variant: &'a PromptVariant,
        listed: &'a [Offered],
        cx: &'a PromptContext,
    ) -> Self {
        let names = prompt.tool_names().iter().map(|(name, _)| name);
        let enabled: BTreeSet<&str> = names.collect();
        let specs = prompt.enabled_tools().iter().map(|tool| tool.spec());
        // A parameter that is called like a tool is meant more often.
        let params = specs.flat_map(|spec| match &spec.input {
            ToolInput::Params(params) => params.as_slice(),
            ToolInput::Schema(_) | ToolInput::Freeform { .. } => &[],
        });
        let params: BTreeSet<&str> = params.map(|param| param.name.as_str()).collect();
        let listed = listed.iter().map(|offered| offered.spec.name.as_str());
        let known = lints.tools.iter().map(String::as_str).chain(listed);
        let absent = known.filter(|name| !enabled.contains(name) && !params.contains(name));
        let printed = prompt.report.placeholders.iter().flat_map(|asked| {
            asked.used_in.iter().map(|user| (user.as_str(), asked.name.as_str()))
        });
        Self {
            printed: printed.filter(|(_, name)| name.starts_with("params")).collect(),
            absent: absent.collect(),
            enabled,
            numbers: words::numbers(&cx.params),
            window: cx.model.window.filter(|window| *window > 0),
            prompt,
            tool_words,
            variant,
        }
    }

    /// Authored text with its section, and where in the prompt it is.
    fn authored(&self) -> impl Iterator<Item = (&'a Section, std::ops::Range<usize>)> + use<'a> {
        self.prompt.sections().iter().flat_map(|section| {
            let spans = section.spans.iter().filter(|span| span.kind == SpanKind::Authored);
            spans.map(move |span| (section, span.start..span.end))
        })
    }
}

/// What was found, each thing once in a section.
struct LintFindings<'a> {
    levels: &'a LintLevels,
    list: Vec<Diagnostic>,
    reported: BTreeSet<(Lint, String, String)>,
}

impl LintFindings<'_> {
    fn add(&mut self, lint: Lint, section: &str, about: &str, origin: &str, message: &str) {
        let key = (lint, section.to_owned(), about.to_owned());
        let reported = self.levels.report(lint, message).filter(|_| self.reported.insert(key));
        self.list.extend(reported.map(|reported| reported.about(about).in_file(origin)));
    }
}
