//! What the options of a build do, and what a fingerprint knows.

use promptline::{
    BuildOptions, ErrorKind, Place, Prompt, PromptContext, PromptRegistry, RulesFile, Template,
    Text, ToolSet, ToolSpec, component_fn,
    options::{InvisiblePolicy, UnresolvedPolicy},
    report::ReportLevel,
};

use super::pack::Folder;
use super::{cx, saying, says, variant};

/// A variant whose one section is this template.
fn of(template: &'static str) -> PromptRegistry {
    let template = Template::parse(template).unwrap();
    PromptRegistry::builder()
        .variant_at(variant("v", &[]).with_template(template), Place::First)
        .build()
        .unwrap()
}

fn with(registry: &PromptRegistry, options: BuildOptions) -> Prompt {
    registry.build_blocking_with(&cx(), &options).unwrap()
}

const ASKS: &str = "a {{B.c}} {{ A }} {{#if C}}yes{{else}}no{{/if}} z";

#[test]
fn unresolved_placeholders_are_kept_as_they_are_written() {
    let registry = of(ASKS);
    let prompt = with(&registry, BuildOptions::new());
    assert_eq!(prompt.text(), "a {{B.c}} {{ A }} no z");
    assert_eq!(prompt.report().unresolved, ["A", "B.c", "C"]);
    let warnings: Vec<_> = prompt.report().warnings().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "warning[unresolved]: nothing provides `A`, which `_template` asks for",
            "warning[unresolved]: nothing provides `B.c`, which `_template` asks for",
            "warning[unresolved]: nothing provides `C`, which `_template` asks for",
        ]
    );
}

#[test]
fn unresolved_placeholders_print_nothing_on_request() {
    let options = BuildOptions::new().with_unresolved(UnresolvedPolicy::Empty);
    let prompt = with(&of(ASKS), options);
    assert_eq!(prompt.text(), "a   no z");
    assert_eq!(prompt.report().unresolved, ["A", "B.c", "C"]);
}

#[test]
fn unresolved_placeholders_end_the_build_on_request() {
    let options = BuildOptions::new().with_unresolved(UnresolvedPolicy::Error);
    let error = of(ASKS).build_blocking_with(&cx(), &options).unwrap_err();
    assert_eq!(
        (error.kind(), error.message()),
        (ErrorKind::Unresolved, "nothing provides `A`, `B.c`, `C`")
    );
    assert!(error.help().is_some());
    // All is provided: the same policy builds.
    let all = cx().with_runtime("A", 1).with_runtime("B.c", 2).with_runtime("C", true);
    let prompt = of(ASKS).build_blocking_with(&all, &options).unwrap();
    assert_eq!(prompt.text(), "a 2 1 yes z");
}

#[test]
fn a_placeholder_that_only_a_component_asks_for_is_named_with_it() {
    let asks = component_fn("X", |cx| {
        let template = Template::parse("x {{NOBODY}}")?;
        Ok(Some(cx.render(&template, &Default::default())?))
    });
    let registry = PromptRegistry::builder()
        .component_at(asks, Place::First)
        .variant_at(variant("v", &[]), Place::First)
        .build()
        .unwrap();
    let prompt = with(&registry, BuildOptions::new());
    assert_eq!(prompt.text(), "x {{NOBODY}}");
    let warning = prompt.report().warnings().next().unwrap();
    assert_eq!(warning.message, "nothing provides `NOBODY`, which `X` asks for");
}

/// A tag character, a control of the writing direction, and a character of no width.
const HIDDEN: &str = "be\u{E0041} \u{202E}nice\u{200B}!";

fn hidden(options: BuildOptions) -> Prompt {
    let cx = cx().with_runtime("A", HIDDEN);
    of("say {{A}}").build_blocking_with(&cx, &options).unwrap()
}

#[test]
fn invisible_characters_are_reported_and_stay() {
    let prompt = hidden(BuildOptions::new());
    assert_eq!(prompt.text(), format!("say {HIDDEN}"));
    let warnings: Vec<_> = prompt.report().warnings().collect();
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        (warnings[0].code.as_str(), warnings[0].subject.as_deref()),
        ("invisible", Some("runtime:A"))
    );
    for class in ["tag", "bidi", "zero-width"] {
        assert!(warnings[0].message.contains(class), "{}", warnings[0]);
    }
}

#[test]
fn invisible_characters_go_on_request_and_are_still_reported() {
    let prompt = hidden(BuildOptions::new().with_invisible(InvisiblePolicy::Strip));
    // Characters of no width have honest uses; they are reported, and stay.
    assert_eq!(prompt.text(), "say be nice\u{200B}!");
    assert_eq!(prompt.report().warnings().count(), 1);
}

#[test]
fn text_without_invisible_characters_is_not_reported() {
    let cx = cx().with_runtime("A", "👨‍👩‍👧 naïve 日本語 🏴󠁧󠁢󠁥󠁮󠁧󠁿");
    let prompt = of("say {{A}}").build_blocking(&cx).unwrap();
    assert_eq!(prompt.report().diagnostics, []);
}

#[test]
fn a_report_that_is_off_has_only_the_variant_and_the_diagnostics() {
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::Listed)
        .variant_at(
            variant("v", &["X", "GONE"])
                .with_tools(["t"])
                .with_own_tool(ToolSpec::new("t").with_description("T.")),
            Place::First,
        )
        .build()
        .unwrap();
    let cx = cx().with_rules(RulesFile::new("AGENTS.md", "be nice"));
    let full = registry.build_blocking(&cx).unwrap();
    let options = BuildOptions::new().with_report(ReportLevel::Off);
    let off = registry.build_blocking_with(&cx, &options).unwrap();
    assert_eq!(off.text(), full.text());
    assert_eq!(off.sections(), full.sections());
    let report = full.report();
    assert!(!report.components.is_empty() && !report.placeholders.is_empty());
    assert!(!report.tools.is_empty() && !report.rules.is_empty());
    let mut bare = report.clone();
    bare.components.clear();
    bare.placeholders = Default::default();
    bare.tools.clear();
    bare.rules.clear();
    bare.matchers.clear();
    bare.reason.clear();
    bare.totals = None;
    bare.diagnostics.retain(|diagnostic| diagnostic.code != "cache-order");
    assert_eq!(off.report(), &bare);
    assert_eq!(bare.warnings().count(), 1, "what is missing is still reported");
}

#[test]
fn options_of_the_registry_hold_for_builds_that_bring_none() {
    let registry = PromptRegistry::builder()
        .variant_at(
            variant("v", &[]).with_template(Template::parse("a {{A}}").unwrap()),
            Place::First,
        )
        .options(
            BuildOptions::new().with_unresolved(UnresolvedPolicy::Empty).with_fingerprint(true),
        )
        .build()
        .unwrap();
    let own = registry.build_blocking(&cx()).unwrap();
    assert_eq!(own.text(), "a");
    assert!(own.fingerprint().is_some());
    let builder = registry.prompt_builder("v").unwrap();
    assert_eq!(builder.build_blocking(&cx()).unwrap().text(), "a");
    // Options of a build are taken whole.
    let other = with(&registry, BuildOptions::new());
    assert_eq!(other.text(), "a {{A}}");
    assert!(other.fingerprint().is_none());
}

#[test]
fn options_are_read_from_json_and_unknown_keys_are_errors() {
    let read = serde_json::from_str::<BuildOptions>;
    let options = read(r#"{"unresolved": "error", "report": "off", "fingerprint": true}"#).unwrap();
    assert_eq!(
        options,
        BuildOptions::new()
            .with_unresolved(UnresolvedPolicy::Error)
            .with_report(ReportLevel::Off)
            .with_fingerprint(true)
    );
    assert!(read(r#"{"unresolvd": "error"}"#).is_err());
}

// Fingerprints.

/// What a prompt was built from, and its text.
fn prints(registry: &PromptRegistry, cx: &PromptContext) -> (String, String) {
    let options = BuildOptions::new().with_fingerprint(true);
    let prompt = registry.build_blocking_with(cx, &options).unwrap();
    let fingerprint = prompt.fingerprint().unwrap();
    (fingerprint.source.clone(), fingerprint.text.clone())
}

fn small(archive: &str) -> PromptRegistry {
    let pack = Folder::over_small(archive).load().unwrap();
    PromptRegistry::builder().pack(pack).build().unwrap()
}

#[test]
fn a_fingerprint_is_only_made_on_request() {
    assert!(with(&small(""), BuildOptions::new()).fingerprint().is_none());
}

#[test]
fn the_fingerprint_of_the_text_is_its_sha_256() {
    // printf 'All is well.' | sha256sum
    assert_eq!(
        prints(&small(""), &cx()).1,
        "8ec321e3fda0870703894093b95cc9431a3d7c68103e693af32b97959f810bc5"
    );
}

/// A pack is what its files say, wherever its folder is: each of these is in a folder of its own.
#[test]
fn equal_for_equal() {
    let tool = "-- templates/tools/t.toml\nschema = 1\nid = \"t\"\ndescription = \"T {{CWD}}.\"\n\
                -- variants/v/variant.toml\nschema = 1\ncomponents = [\"A_SECTION\"]\ntools = [\"t\"]\n\
                -- variants/v/template.md\n{{A_SECTION}}\n";
    for archive in ["", tool] {
        assert_eq!(prints(&small(archive), &cx()), prints(&small(archive), &cx()));
    }
    let handle = cx().with_handle(5_u8);
    assert_eq!(prints(&small(""), &cx()), prints(&small(""), &handle));
}

#[test]
fn the_source_changes_with_the_context_where_the_text_does_not() {
    let registry = small("");
    let plain = prints(&registry, &cx());
    for other in [
        PromptContext::new("acme", "model-2"),
        cx().with_flag("x"),
        cx().with_param("n", 1),
        cx().with_runtime("UNUSED", "x"),
        cx().with_rules(RulesFile::new("AGENTS.md", "x")),
        cx().with_mode("act"),
    ] {
        let (source, text) = prints(&registry, &other);
        assert_ne!(source, plain.0, "{other:?}");
        assert_eq!(text, plain.1);
    }
}

#[test]
fn the_source_changes_with_the_options() {
    let registry = small("");
    let source = |options: BuildOptions| {
        let prompt = with(&registry, options.with_fingerprint(true));
        prompt.fingerprint().unwrap().source.clone()
    };
    let plain = source(BuildOptions::new());
    assert_ne!(plain, source(BuildOptions::new().with_unresolved(UnresolvedPolicy::Empty)));
    assert_ne!(plain, source(BuildOptions::new().with_invisible(InvisiblePolicy::Strip)));
}

#[test]
fn the_source_changes_with_the_pack_even_in_what_is_not_used() {
    let plain = prints(&small(""), &cx());
    let other = prints(&small("-- templates/partials/p.md\nNobody prints this.\n"), &cx());
    assert_ne!(plain.0, other.0);
    assert_eq!(plain.1, other.1);
}

#[test]
fn the_source_changes_with_the_variant_that_is_built() {
    let registry = PromptRegistry::builder()
        .component_at(says("X"), Place::First)
        .variant_at(variant("a", &[]), Place::First)
        .variant_at(variant("b", &[]), Place::First)
        .build()
        .unwrap();
    let of = |id: &str| {
        let builder = registry.prompt_builder(id).unwrap();
        let options = BuildOptions::new().with_fingerprint(true);
        let prompt = builder.options(options).build_blocking(&cx()).unwrap();
        prompt.fingerprint().unwrap().clone()
    };
    assert_ne!(of("a").source, of("b").source);
    assert_eq!(of("a").text, of("b").text);
}

#[test]
fn the_source_changes_with_what_the_host_adds() {
    let plain = || {
        PromptRegistry::builder()
            .component_at(says("X"), Place::First)
            .variant_at(variant("v", &[]), Place::First)
    };
    let tool = |words: &str| {
        let template = Template::parse(words).unwrap();
        ToolSet::new().add(ToolSpec::new("t").with_description(template))
    };
    let registries = [
        plain(),
        plain().component_at(saying("Y", ""), Place::First),
        plain().variant_at(variant("w", &[]), Place::Last),
        plain().replace_variant(variant("v", &[]).with_version(2)),
        plain().replace_variant(variant("v", &[]).with_placeholder("P", "p")),
        plain().replace_variant(
            variant("v", &["X"])
                .with_when(promptline::When::Always)
                .with_template(Template::parse("{{X}}.").unwrap()),
        ),
        plain().tools(tool("One.")),
        // Neither the placeholders nor the file of this template are others.
        plain().tools(tool("Two.")),
        plain().tools(ToolSet::new().add(ToolSpec::new("t").with_description("One."))),
        plain()
            .tools(ToolSet::new().add(ToolSpec::new("t").with_description("One.").with_role("r"))),
    ];
    let mut sources: Vec<String> = registries
        .into_iter()
        .map(|registry| prints(&registry.build().unwrap(), &cx()).0)
        .collect();
    let count = sources.len();
    sources.sort();
    sources.dedup();
    assert_eq!(sources.len(), count, "two of them have the same fingerprint");
}

#[test]
fn components_of_the_host_are_known_by_their_ids_only() {
    let source = |words: &'static str| {
        let registry = PromptRegistry::builder()
            .component_at(component_fn("X", move |_| Ok(Some(Text::from(words)))), Place::First)
            .variant_at(variant("v", &[]), Place::First)
            .build()
            .unwrap();
        prints(&registry, &cx())
    };
    let (one, two) = (source("one"), source("two"));
    assert_eq!(one.0, two.0);
    assert_ne!(one.1, two.1);
}
