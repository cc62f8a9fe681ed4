//! What the tests of this target share: the built-in registry, a registry of one host variant, and the
//! check that a user's text comes out as it was written.

use std::sync::LazyLock;

use promptline::{
    BuildOptions, Pack, Place, Prompt, PromptContext, PromptRegistry, PromptRegistryBuilder,
    PromptVariant, RulesFile, Template, options::UnresolvedPolicy, prompt::SpanKind,
};

/// The ids of the built-in variants.
pub(crate) const VARIANTS: [&str; 3] = ["generic", "next-gen", "xs"];

/// All flags that switch built-in text on.
const FLAGS: [&str; 8] = [
    "browser",
    "task_progress",
    "web_tools",
    "subagents",
    "multi_root",
    "condense",
    "new_rule",
    "report_bug",
];

/// The built-in pack, and nothing else.
pub(crate) fn builtin() -> &'static PromptRegistry {
    static REGISTRY: LazyLock<PromptRegistry> = LazyLock::new(|| {
        let registry = PromptRegistry::builder().pack(Pack::builtin()).build();
        registry.expect("the built-in pack loads")
    });
    &REGISTRY
}

/// A context in which nearly every built-in text is printed.
pub(crate) fn full_context() -> PromptContext {
    let cx = PromptContext::new("acme", "acme-1")
        .with_cwd("/srv/app")
        .with_os("Debian GNU/Linux 12")
        .with_shell("bash")
        .with_home("/home/ada")
        .with_date("2026-03-01")
        .with_mode("act");
    FLAGS.iter().fold(cx, |cx, flag| cx.with_flag(flag))
}

/// A variant `host` with this base template; the components are those that it names.
pub(crate) fn variant(template: &str, components: &[&str]) -> PromptVariant {
    PromptVariant::new("host")
        .with_template(Template::parse(template).expect("the base template loads"))
        .with_components(components.iter().copied())
}

/// A registry that starts with one variant.
pub(crate) fn registry_of(variant: PromptVariant) -> PromptRegistryBuilder {
    PromptRegistry::builder().variant_at(variant, Place::First)
}

/// Builds with the one variant of a registry.
pub(crate) fn built(registry: PromptRegistryBuilder, cx: &PromptContext) -> Prompt {
    let registry = registry.build().expect("the registry is sound");
    registry.build_blocking(cx).expect("the prompt builds")
}

/// The text of a build with the one variant of a registry.
pub(crate) fn text_of(registry: PromptRegistryBuilder, cx: &PromptContext) -> String {
    built(registry, cx).into_text()
}

/// How many lines of the text are `====`.
pub(crate) fn separators(text: &str) -> usize {
    text.lines().filter(|line| *line == "====").count()
}

/// The verbatim text that came from this rules file.
pub(crate) fn from_rules<'p>(prompt: &'p Prompt, path: &str) -> Option<&'p str> {
    let source = format!("rules:{path}");
    let mut spans = prompt.sections().iter().flat_map(|section| &section.spans);
    let of_file = |span: &&promptline::prompt::Span| {
        let source_is = span.source.as_ref().map(promptline::text::Source::as_str);
        // The path in the heading has the same source; the text comes behind it.
        span.kind == SpanKind::Verbatim
            && source_is == Some(source.as_str())
            && &prompt.text()[span.start..span.end] != path
    };
    let span = spans.find(of_file)?;
    Some(&prompt.text()[span.start..span.end])
}

/// The text, as a rules file, comes out byte for byte in every built-in variant under every policy, and
/// changes nothing around it. So does the text as a runtime value in the middle of a base template.
#[track_caller]
pub(crate) fn rules_survive(text: &str) {
    const PATH: &str = "AGENTS.md";
    for id in VARIANTS {
        for policy in [UnresolvedPolicy::Keep, UnresolvedPolicy::Empty, UnresolvedPolicy::Error] {
            let build = |text: &str| {
                let cx = full_context()
                    .with_variant(id)
                    .with_rules(RulesFile::new(PATH, text))
                    .with_rules(RulesFile::new("later.md", "Later."));
                let options = BuildOptions::new().with_unresolved(policy);
                let built = builtin().build_blocking_with(&cx, &options);
                built.expect("the prompt builds")
            };
            let prompt = build(text);
            assert_eq!(from_rules(&prompt, PATH), Some(text), "{id}, {policy:?}");
            // Where harmless words stand instead, the rest of the prompt is the same.
            let harmless = build("Harmless words.");
            let expected = harmless.text().replacen("Harmless words.", text, 1);
            assert_eq!(prompt.text(), expected, "{id}, {policy:?}");
        }
    }
    let registry = registry_of(variant("A\n\n====\n\n{{X}}\n\n====\n\nB", &[]));
    let cx = PromptContext::default().with_runtime("X", text);
    assert_eq!(text_of(registry, &cx), format!("A\n\n====\n\n{text}\n\n====\n\nB"));
}
