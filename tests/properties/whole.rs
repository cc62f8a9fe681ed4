//! Whatever a host says, every built-in variant is built, its sections partition it, and what users
//! wrote changes no word of the library's own.

use std::sync::LazyLock;

use promptline::{
    BuildOptions, McpServer, Pack, Prompt, PromptContext, PromptRegistry, PromptVariant,
    context::McpResource,
    prompt::{Span, SpanKind, TEMPLATE_SECTION},
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::generate;

static REGISTRY: LazyLock<PromptRegistry> = LazyLock::new(|| {
    let registry = PromptRegistry::builder().pack(Pack::builtin());
    registry.build().expect("the built-in pack is whole")
});

/// The prompt of every variant.
fn build(cx: &PromptContext) -> Vec<Prompt> {
    let options = BuildOptions::new().with_fingerprint(true);
    let build = |variant: &PromptVariant| {
        let cx = cx.clone().with_variant(variant.id());
        REGISTRY.build_blocking_with(&cx, &options).expect("a prompt")
    };
    let prompts: Vec<Prompt> = REGISTRY.variants().map(build).collect();
    assert!(prompts.len() > 3);
    prompts
}

pub(crate) fn check_partition(prompt: &Prompt) -> Result<(), TestCaseError> {
    let mut joined = String::new();
    for section in prompt.sections() {
        prop_assert_eq!(section.range.start, joined.len());
        prop_assert!(!section.range.is_empty(), "an empty section {}", &section.id);
        prop_assert_eq!(section.bytes, section.range.len());
        prop_assert_eq!(section.tokens, section.bytes.div_ceil(4));
        for span in &section.spans {
            prop_assert_eq!(span.start, joined.len());
            prop_assert_eq!(span.kind == SpanKind::Verbatim, span.source.is_some());
            let text = prompt.text().get(span.start..span.end);
            joined.push_str(text.expect("a span ends between characters"));
        }
        prop_assert_eq!(section.range.end, joined.len());
    }
    prop_assert_eq!(joined.as_str(), prompt.text());
    Ok(())
}

fn spans(prompt: &Prompt) -> impl Iterator<Item = &Span> {
    prompt.sections().iter().flat_map(|section| &section.spans)
}

/// The words of the library, with a mark for each stretch from elsewhere.
fn own_words(prompt: &Prompt) -> String {
    let word = |span: &Span| match span.kind {
        SpanKind::Authored => &prompt.text()[span.start..span.end],
        _ => "\u{25AE}",
    };
    spans(prompt).map(word).collect()
}

/// Sections that stand in the base template, each counted once however often another is inside it.
fn top_sections(prompt: &Prompt) -> usize {
    let top = prompt.sections().iter().filter(|section| section.parent.is_none());
    let mut ids: Vec<&str> = top.map(|section| section.id.as_str()).collect();
    ids.retain(|id| *id != TEMPLATE_SECTION);
    ids.dedup();
    ids.len()
}

fn separators(prompt: &Prompt) -> usize {
    let base = prompt.sections().iter().filter(|section| section.id == TEMPLATE_SECTION);
    let lines = base.flat_map(|section| prompt.text()[section.range.clone()].lines());
    lines.filter(|line| *line == "====").count()
}

/// The same context with one tame word for all that users wrote. What decides what is in the prompt
/// (names of flags, the mode, the model, what is blank) stays.
fn tamed(cx: &PromptContext) -> PromptContext {
    let tame = |text: &str| {
        let nothing = |c: char| c.is_whitespace() || c.is_control();
        let blank = promptline::text::normalise(text).chars().all(nothing);
        if blank { text.to_owned() } else { "x".to_owned() }
    };
    let numbered = |at: usize| format!("{at}x");
    let maybe = |text: &mut Option<String>| *text = text.as_deref().map(tame);
    let mut cx = cx.clone();
    let machine = &mut cx.environment;
    for text in [&mut machine.os, &mut machine.shell, &mut machine.home, &mut machine.ide] {
        maybe(text);
    }
    for text in [&mut cx.cwd, &mut cx.date, &mut cx.zone, &mut cx.preferred_language] {
        maybe(text);
    }
    for (at, file) in cx.rules.iter_mut().enumerate() {
        file.path = numbered(at);
        file.text = tame(&file.text).into();
    }
    for (at, skill) in cx.skills.iter_mut().enumerate() {
        skill.name = numbered(at);
        skill.description = tame(&skill.description);
    }
    for (at, server) in cx.mcp_servers.iter_mut().enumerate() {
        let status = server.status;
        let old = std::mem::replace(server, McpServer::new(numbered(at)).with_status(status));
        for (at, mut tool) in old.tools.into_iter().enumerate() {
            tool.name = numbered(at);
            maybe(&mut tool.description);
            server.tools.push(tool);
        }
        for (at, old) in old.resources.into_iter().enumerate() {
            let mut resource = McpResource::new(numbered(at));
            resource.name = old.name.as_deref().map(tame);
            resource.description = old.description.as_deref().map(tame);
            server.resources.push(resource);
        }
    }
    for root in &mut cx.workspace_roots {
        root.name = tame(&root.name);
        root.path = tame(&root.path);
        maybe(&mut root.vcs);
    }
    for value in cx.params.values_mut().chain(cx.runtime.values_mut()) {
        if let Value::String(text) = value {
            *text = tame(text);
        }
    }
    cx
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn every_context_builds_every_variant(cx in generate::context()) {
        for (prompt, tame) in build(&cx).iter().zip(&build(&tamed(&cx))) {
            check_partition(prompt)?;
            prop_assert_eq!(&prompt.report().unresolved, &Vec::<String>::new());
            for span in spans(prompt).filter(|span| span.kind == SpanKind::Authored) {
                let words = &prompt.text()[span.start..span.end];
                prop_assert!(!words.contains("{{"), "a placeholder is left: {words}");
            }
            prop_assert_eq!(own_words(prompt), own_words(tame));
            prop_assert_eq!(separators(prompt) + 1, top_sections(prompt));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_inputs_give_the_same_bytes(cx in generate::context()) {
        let json = serde_json::to_string_pretty(&cx).unwrap();
        let read = PromptContext::from_json("cx.json", &json).unwrap();
        let first = build(&cx);
        for again in [build(&cx), build(&read)] {
            for (first, again) in first.iter().zip(&again) {
                prop_assert_eq!(first.text(), again.text());
                prop_assert_eq!(first.sections(), again.sections());
                prop_assert_eq!(first.fingerprint(), again.fingerprint());
                prop_assert_eq!(first.tool_names(), again.tool_names());
                prop_assert_eq!(json!(first.report()).to_string(), json!(again.report()).to_string());
            }
        }
    }
}
