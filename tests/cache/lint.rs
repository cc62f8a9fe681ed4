//! The lint `cache-order`, and what the report counts.

use promptline::{
    BuildOptions, ComponentStatus, Pack, PromptContext, PromptRegistry, ReportLevel, Severity,
    TEMPLATE_SECTION,
};

use crate::{build, registry};

/// A pack whose components come in this order; `MODE_SECTION` changes with the request.
fn ordered(order: &str) -> String {
    format!(
        "
-- variants/pack.toml
schema = 1
name = \"p\"
variants = [\"v\"]
-- variants/v/variant.toml
schema = 1
components = [{order}]
-- templates/components/a.md
+++
id = \"A_SECTION\"
+++
Twenty bytes of text
-- templates/components/m.md
+++
id = \"MODE_SECTION\"
+++
It is {{{{MODE}}}}.
"
    )
}

#[test]
fn what_changes_before_what_does_not_is_told_with_place_and_cost() {
    let cx = PromptContext::new("p", "m").mode("act");
    let found = |order: &str, options: &BuildOptions| {
        let prompt = registry(&ordered(order)).build_blocking_with(&cx, options).unwrap();
        let mut found = prompt.report().diagnostics.clone();
        found.retain(|diagnostic| diagnostic.code == "cache-order");
        found
    };
    let options = BuildOptions::new();
    let told = found("\"MODE_SECTION\", \"A_SECTION\"", &options);
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].severity, Severity::Info);
    insta::assert_snapshot!(told[0].message, @"the text may change with the request from byte 0 on, at `MODE_SECTION`: the 5 tokens behind it that do not change are not kept in a provider's cache either");
    assert!(found("\"A_SECTION\", \"MODE_SECTION\"", &options).is_empty());
    let off = BuildOptions::new().report(ReportLevel::Off);
    assert!(found("\"MODE_SECTION\", \"A_SECTION\"", &off).is_empty());
}

#[test]
fn tools_that_follow_the_mode_are_told() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let cx = PromptContext::new("anthropic", "claude-sonnet-4-5").flag("native_tools").mode("act");
    let about = |options: &BuildOptions| {
        let prompt = registry.build_blocking_with(&cx, options).unwrap();
        prompt
            .report()
            .diagnostics
            .iter()
            .any(|d| d.code == "cache-order" && d.subject.as_deref() == Some("tools"))
    };
    assert!(about(&BuildOptions::new().filter_by_mode(true)));
    assert!(!about(&BuildOptions::new()));
}

#[test]
fn the_costs_of_all_sections_are_those_of_the_prompt() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    for form in ["x", "native_tools"] {
        for variant in registry.variants() {
            let cx =
                PromptContext::new("anthropic", "m").variant(variant.id()).flag(form).mode("act");
            let prompt = registry.build_blocking(&cx).unwrap();
            let report = prompt.report();
            let totals = report.totals.as_ref().unwrap();
            let of = |count: fn(&promptline::SectionCost) -> usize| {
                report.components.iter().map(|component| count(&component.cost)).sum::<usize>()
            };
            assert_eq!(of(|cost| cost.bytes), prompt.text().len(), "{}", variant.id());
            assert_eq!(of(|cost| cost.tokens), totals.tokens);
            assert_eq!(totals.bytes, prompt.text().len());
            assert_eq!((totals.counter.as_str(), totals.estimate), ("estimate", true));
            assert_eq!(totals.tools, prompt.enabled_tools().len());
            assert!(report.components.iter().any(|component| component.id == TEMPLATE_SECTION));
            let (text, native): (usize, usize) = report
                .tools
                .iter()
                .fold((0, 0), |(text, native), t| (text + t.text_tokens, native + t.native_tokens));
            assert_eq!(native, totals.native_tokens);
            match prompt.tools() {
                Some(tools) => {
                    let bytes = tools.to_value().to_string().len();
                    assert_eq!(totals.native_bytes, bytes);
                    assert!(native * 4 >= bytes - 2 - tools.len() && text == 0, "{native} {bytes}");
                }
                None => assert!(native == 0 && (text > 0 || prompt.enabled_tools().is_empty())),
            }
            assert!(totals.static_bytes <= totals.conversation_bytes);
        }
    }
}

#[test]
fn a_report_does_not_grow_with_the_texts() {
    let cx = PromptContext::new("p", "m").mode("act");
    let size = |text: &str| {
        let files =
            ordered("\"A_SECTION\", \"MODE_SECTION\"").replace("Twenty bytes of text", text);
        serde_json::to_string(build(&files, &cx).report()).unwrap().len()
    };
    assert!(size(&"word ".repeat(20_000)) < size("word") + 64);
}

#[test]
fn a_report_comes_back_from_json() {
    let prompt = build(&ordered("\"A_SECTION\", \"MODE_SECTION\""), &PromptContext::default());
    let json = serde_json::to_string(prompt.report()).unwrap();
    let back: promptline::Report = serde_json::from_str(&json).unwrap();
    assert_eq!(&back, prompt.report());
    assert_eq!(back.components[1].status, ComponentStatus::Rendered);
}
