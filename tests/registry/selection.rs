//! Which variant is chosen, and why.

use promptline::{
    Condition, Error, ErrorKind, Pack, Place, PromptContext, PromptRegistry, PromptVariant, When,
    report::MatcherVerdict,
};

use super::{cx, says, variant};

fn registry(variants: impl IntoIterator<Item = PromptVariant>) -> PromptRegistry {
    let mut registry = PromptRegistry::builder();
    for variant in variants {
        registry = registry.variant_at(variant, Place::First);
    }
    registry.build().unwrap()
}

fn chosen(registry: &PromptRegistry, cx: &PromptContext) -> String {
    let selection = registry.select(cx).unwrap();
    let variant = selection.variant();
    format!("{}@{}", variant.id(), variant.version())
}

/// `id: matched, reason` for each matcher that was asked.
fn verdicts(verdicts: &[MatcherVerdict]) -> Vec<String> {
    verdicts
        .iter()
        .map(|v| {
            let failed = if v.failed { ", failed" } else { "" };
            format!("{}: {}{failed}, {}", v.variant.id, v.matched, v.reason)
        })
        .collect()
}

fn flagged(id: &str) -> PromptVariant {
    variant(id, &[]).with_when(Condition::flag(id))
}

#[test]
fn the_first_match_wins_and_the_rest_is_not_asked() {
    let never = variant("d", &[]).with_matcher(|_| panic!("this one is not reached"));
    let registry = registry([flagged("a"), flagged("b"), flagged("c"), never]);
    let cx = cx().with_flag("c").with_flag("b");
    let selection = registry.select(&cx).unwrap();
    assert_eq!(selection.variant().id(), "b");
    assert_eq!(selection.reason(), "flag b is on");
    assert_eq!(
        verdicts(selection.verdicts()),
        ["a: false, flag a is off", "b: true, flag b is on"]
    );
}

#[test]
fn the_report_says_the_same_as_the_selection() {
    let registry = registry([flagged("a"), flagged("b")]);
    let cx = cx().with_flag("b");
    let selection = registry.select(&cx).unwrap();
    let prompt = registry.build_blocking(&cx).unwrap();
    assert_eq!(prompt.variant(), &prompt.report().variant);
    assert_eq!(prompt.variant().id, "b");
    assert_eq!(prompt.report().reason, selection.reason());
    assert_eq!(prompt.report().matchers, selection.verdicts());
}

#[test]
fn matchers_may_be_closures() {
    let registry = registry([
        variant("long", &[]).with_matcher(|cx| cx.model.id.len() > 20),
        variant("any", &[]),
    ]);
    let selection = registry.select(&cx()).unwrap();
    assert_eq!(
        verdicts(selection.verdicts()),
        ["long: false, the host's check says no", "any: true, always"]
    );
    let long = PromptContext::new("acme", "a-model-id-of-some-length");
    assert_eq!(chosen(&registry, &long), "long@1");
}

#[test]
fn a_matcher_that_fails_or_panics_is_passed_over_with_a_warning() {
    let registry = registry([
        variant("fails", &[])
            .with_when(When::check(|_| Err::<bool, _>(std::io::Error::other("no net")))),
        variant("panics", &[])
            .with_when(When::check(|_| -> Result<bool, std::io::Error> { panic!("out of luck") })),
        variant("works", &[]),
    ]);
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.variant().id, "works");
    assert_eq!(
        verdicts(&prompt.report().matchers),
        [
            "fails: false, failed, no net",
            "panics: false, failed, panicked: out of luck",
            "works: true, always"
        ]
    );
    let warnings: Vec<_> = prompt
        .report()
        .warnings()
        .map(|w| (w.code.as_str(), w.subject.as_deref(), w.message.as_str()))
        .collect();
    assert_eq!(
        warnings,
        [
            ("matcher-failed", Some("fails"), "the matcher of `fails` failed: no net"),
            (
                "matcher-failed",
                Some("panics"),
                "the matcher of `panics` failed: panicked: out of luck"
            ),
        ]
    );
}

#[test]
fn the_highest_version_that_matches_wins() {
    let registry = registry([
        variant("a", &[]).with_version(1),
        variant("a", &[]).with_version(3).with_when(Condition::flag("new")),
        variant("a", &[]).with_version(2),
    ]);
    assert_eq!(chosen(&registry, &cx()), "a@2");
    assert_eq!(chosen(&registry, &cx().with_flag("new")), "a@3");
}

#[test]
fn a_context_may_name_a_variant_and_pin_a_version() {
    let registry = registry([
        flagged("a").with_version(1),
        flagged("a").with_version(2),
        variant("b", &[]),
        variant("c@d", &[]),
    ]);
    // The matcher of a named variant is not asked, nor is any other.
    for (wanted, right) in [
        ("a", "a@2"),
        ("a@1", "a@1"),
        ("a@2", "a@2"),
        ("b@1", "b@1"),
        ("c@d", "c@d@1"),
        ("c@d@1", "c@d@1"),
    ] {
        let cx = cx().with_variant(wanted);
        assert_eq!(chosen(&registry, &cx), right, "{wanted}");
        let selection = registry.select(&cx).unwrap();
        assert_eq!(selection.reason(), "named by the context");
        assert!(selection.verdicts().is_empty());
    }
}

#[track_caller]
fn no_variant(result: Result<impl Sized, Error>, message: &str, help: &str) {
    let Err(error) = result else { panic!("there is no such variant") };
    assert_eq!(
        (error.kind(), error.message(), error.help()),
        (ErrorKind::NoVariant, message, Some(help))
    );
}

#[test]
fn a_named_variant_that_does_not_exist_lists_what_does() {
    let registry = registry([variant("alpha", &[]).with_version(2), variant("beta", &[])]);
    let build = |wanted: &str| registry.build_blocking(&cx().with_variant(wanted));
    no_variant(
        build("alpah"),
        "there is no variant `alpah`",
        "did you mean `alpha`? variants are alpha@2, beta@1",
    );
    no_variant(
        build("something_else"),
        "there is no variant `something_else`",
        "variants are alpha@2, beta@1",
    );
    // The id is right, the version is not.
    no_variant(build("alpha@1"), "there is no variant `alpha@1`", "variants are alpha@2, beta@1");
    no_variant(
        build("line\nbreak"),
        "there is no variant `line\\nbreak`",
        "variants are alpha@2, beta@1",
    );
}

#[test]
fn a_model_that_no_variant_fits_is_an_error_that_lists_them() {
    let registry = registry([flagged("a"), flagged("b")]);
    no_variant(
        registry.build_blocking(&cx()),
        "no variant fits the model `model-1` of the provider `acme`",
        "variants are a@1, b@1",
    );
}

#[test]
fn a_registry_without_variants() {
    let registry = PromptRegistry::builder().build().unwrap();
    assert_eq!(registry.variants().count(), 0);
    no_variant(
        registry.build_blocking(&cx()),
        "no variant fits the model `model-1` of the provider `acme`",
        "no variant is registered",
    );
    no_variant(
        registry.build_blocking(&cx().with_variant("v")),
        "there is no variant `v`",
        "no variant is registered",
    );
    no_variant(registry.prompt_builder("v"), "there is no variant `v`", "no variant is registered");
}

#[test]
fn only_matchers_that_fail_are_no_variant_either() {
    let registry = registry([variant("a", &[]).with_matcher(|_| panic!("no"))]);
    assert_eq!(registry.build_blocking(&cx()).unwrap_err().kind(), ErrorKind::NoVariant);
}

#[test]
fn a_builder_for_one_variant_asks_no_matcher() {
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .variant_at(variant("a", &["X"]).with_matcher(|_| panic!("not reached")), Place::First)
        .variant_at(variant("a", &[]).with_version(0), Place::First)
        .build()
        .unwrap();
    let prompt = registry
        .prompt_builder("a")
        .unwrap()
        // What the context names does not count here.
        .build_blocking(&cx().with_variant("other"))
        .unwrap();
    assert_eq!((prompt.text(), prompt.variant().version), ("x", 1));
    assert_eq!(prompt.report().reason, "asked for by the caller");
    assert!(prompt.report().matchers.is_empty());
}

#[test]
fn the_fallback_of_the_builtin_pack_is_generic() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let cx = PromptContext::new("nobody", "no-such-model");
    let selection = registry.select(&cx).unwrap();
    assert_eq!(selection.variant().id(), "generic");
    assert_eq!(selection.reason(), "always");
    let asked: Vec<_> =
        selection.verdicts().iter().map(|verdict| verdict.variant.id.as_str()).collect();
    assert_eq!(asked.first(), Some(&"xs"));
    assert_eq!(asked.last(), Some(&"generic"));
    assert_eq!(asked.len(), 12);
}

#[test]
fn a_matcher_of_the_host_may_not_ask_for_what_is_not_decided_yet() {
    for condition in [Condition::tool("read"), Condition::not(Condition::tool("read"))] {
        let error = PromptRegistry::builder()
            .variant_at(variant("a", &[]).with_when(condition), Place::First)
            .build()
            .unwrap_err();
        assert_eq!((error.kind(), error.file()), (ErrorKind::Condition, Some("variant `a`")));
    }
}
