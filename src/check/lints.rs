//! What is legal and still harmful: variants that can never win, missing descriptions, characters that
//! are invisible, and a separator that turns the line above it into a heading.

use super::{Mistakes, View, wrong};
use crate::component::DeclaresLess;
use crate::condition::Condition;
use crate::lint::Lint;
use crate::template::Template;
use crate::text::Volatility;
use crate::text::invisible::find_invisible;
use crate::text::normalise;
use crate::tool::{ToolInput, ToolSpec, ToolText};
use crate::variant::PromptVariant;
use promptline_diagnostic::{Error, ErrorKind};

/// Of one file no more than this many runs of invisible characters are reported.
const MOST_RUNS: usize = 20;

pub(super) fn check(view: &View<'_>, list: &mut Mistakes) {
    unreachable(view, list);
    declared(view, list);
    descriptions(view, list);
    for variant in view.pack.variants.values() {
        variant.template.iter().for_each(|template| underlines(template, list));
    }
    if view.pack.lints.severity(Lint::InvisibleCharacter).is_some() {
        for (file, text) in view.pack.texts.iter() {
            invisible(file, text, list);
        }
    }
}

/// A variant behind one that always applies, or that asks the same, is never chosen. `generic` is the
/// fallback and may be behind anything; another pack's variants are not this pack's business.
fn unreachable(view: &View<'_>, list: &mut Mistakes) {
    let mut before: Vec<&PromptVariant> = Vec::new();
    for variant in &view.survey.variants {
        let own =
            view.pack.variants.get(variant.id()).is_some_and(|v| *v.origin == *variant.origin);
        let rival = before.iter().find_map(|other| Some((other, why(other, variant)?)));
        if let Some((other, why)) = rival.filter(|_| own && variant.id() != "generic") {
            let id = variant.id();
            let message = format!("the variant `{id}` can never win: `{}` {why}", other.id());
            let help = format!(
                "list `{id}` before `{}`, or give it another `when`; one that is only asked for by \
                 name can wait for a flag",
                other.id()
            );
            let error = wrong("unreachable-variant", message, &view.pack.origin, id);
            list.warning(error.with_help(help));
        }
        before.push(variant);
    }
}

fn why(earlier: &PromptVariant, later: &PromptVariant) -> Option<&'static str> {
    let always = Condition::default();
    let earlier_asks = earlier.condition_or(&always)?;
    let later_asks = later.condition_or(&always)?;
    if earlier.id() == later.id() {
        None
    } else if *earlier_asks == always {
        Some("comes before it and always applies")
    } else if earlier_asks == later_asks {
        Some("comes before it and asks the same")
    } else {
        None
    }
}

/// What is kept in a provider's cache goes by what is declared, and breaks where that is not so.
fn declared(view: &View<'_>, list: &mut Mistakes) {
    let lint = Lint::DeclaredVolatility;
    if view.pack.lints.severity(lint).is_none() {
        return;
    }
    let own = |less: &&DeclaresLess| view.pack.texts.has(&less.file);
    for DeclaresLess { file, declared, level, name } in view.survey.declare_less.iter().filter(own)
    {
        let often = |level: &Volatility| match level {
            Volatility::Static => "never change",
            Volatility::Conversation => "change with the conversation",
            Volatility::Turn => "change with each request",
        };
        let message = format!(
            "the text is declared to {}, and asks for `{name}`, which may {}",
            often(declared),
            often(level)
        );
        list.warning(wrong(lint.code(), message, file, "volatility").with_help(lint.help()));
    }
}

/// A user who chooses among variants, and the model that chooses among tools, go by these.
fn descriptions(view: &View<'_>, list: &mut Mistakes) {
    for (id, variant) in &view.pack.variants {
        let made =
            view.survey.variants.iter().find(|v| v.id() == id && *v.origin == *variant.origin);
        if made.is_some_and(|made| made.description().trim().is_empty()) {
            let message = format!("the variant `{id}` has no description");
            let error = wrong("missing-description", message, &variant.origin, "");
            list.warning(error.with_help("write `description = \"…\"`: what it is for"));
        }
        variant.tools.values().for_each(|spec| of_tool(spec, list));
    }
    view.pack.tools.values().for_each(|spec| of_tool(spec, list));
}

fn of_tool(spec: &ToolSpec, list: &mut Mistakes) {
    let (Some(file), ToolInput::Params(params)) = (&spec.origin, &spec.input) else { return };
    if is_missing(&spec.description) {
        let message = format!("the tool `{}` has no description", spec.id);
        let error = wrong("missing-description", message, file, &spec.id);
        list.warning(
            error.with_help("write `description = \"…\"`: what it does, and when to use it"),
        );
    }
    for param in params.iter().filter(|param| param.required && is_missing(&param.description)) {
        let message = format!("the parameter `{}` is required and has no description", param.name);
        let error = wrong("missing-description", message, file, &param.name);
        list.warning(
            error.with_help("write `description = \"…\"`: what the model is to put there"),
        );
    }
}

/// The key is not there. One that says `""` is meant: such a tool prints nothing by itself.
fn is_missing(words: &ToolText) -> bool {
    matches!(words, ToolText::Text(text) if text.is_empty())
}

/// In Markdown a line of `=` right under text makes a heading of that text.
fn underlines(template: &Template, list: &mut Mistakes) {
    let text = template.source();
    let mut above = "";
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        let rule = bare.len() >= 3 && bare.bytes().all(|byte| byte == b'=');
        if rule && !above.is_empty() {
            let start = at + (line.len() - line.trim_start().len());
            let error = Error::new(
                ErrorKind::Pack,
                "a `====` line right under text makes a heading of that text",
            )
            .with_code("heading-underline")
            .with_help("leave an empty line above it");
            list.warning(error.at_range(template.file(), text, start..start + bare.len()));
        }
        // The line of a block tag vanishes.
        let tag = ["{{#", "{{/", "{{else", "{{!", "{{~#", "{{~/"];
        if !tag.iter().any(|tag| bare.starts_with(tag)) {
            above = if rule { "" } else { bare };
        }
        at += line.len();
    }
}

/// Characters that carry something which a reader does not see. A byte order mark is none.
pub(super) fn invisible(file: &str, text: &str, list: &mut Mistakes) {
    let text = normalise(text);
    let mut runs: Vec<(std::ops::Range<usize>, char, &str)> = Vec::new();
    for (at, c, class) in find_invisible(&text) {
        let end = at + c.len_utf8();
        match runs.last_mut() {
            Some((range, _, name)) if range.end == at && *name == class.as_str() => range.end = end,
            _ => runs.push((at..end, c, class.as_str())),
        }
    }
    for (range, c, class) in runs.into_iter().take(MOST_RUNS) {
        let count = text.get(range.clone()).unwrap_or_default().chars().count();
        let message = match count {
            1 => format!("an invisible character ({class}): U+{:04X}", u32::from(c)),
            _ => format!("{count} invisible characters ({class}), from U+{:04X} on", u32::from(c)),
        };
        let error = Error::new(ErrorKind::Pack, message)
            .with_code("invisible-character")
            .with_help("take it out: the model reads it, though it is not displayed");
        list.warning(error.at_range(file, &text, range));
    }
}
