//! The parts of a prompt: sections and spans that partition its text, and how often each changes.

use crate::pack;
use promptline::{
    Component, ComponentCx, ComponentError, ComponentMeta, Place, Prompt, PromptContext,
    PromptRegistry, PromptVariant, RulesFile, Template, Text, Volatility, async_trait,
    component_fn,
    prompt::{SpanKind, TEMPLATE_SECTION},
};
use serde_json::json;

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}

/// `id<parent: text` for each section; that they are a partition is checked on the way.
fn parts(prompt: &Prompt) -> Vec<String> {
    let mut end = 0;
    let mut parts = Vec::new();
    for section in prompt.sections() {
        assert_eq!(section.range.start, end, "a gap before {}", section.id);
        end = section.range.end;
        assert_eq!(section.bytes, section.range.len());
        assert_eq!(section.tokens, section.bytes.div_ceil(4));
        let mut inner = section.range.start;
        for span in &section.spans {
            assert_eq!(span.start, inner, "a gap in {}", section.id);
            assert!(span.end > span.start, "an empty span in {}", section.id);
            inner = span.end;
            assert_eq!(span.source.is_some(), span.kind == SpanKind::Verbatim);
        }
        assert_eq!(inner, end, "the spans of {} end early", section.id);
        let text = &prompt.text()[section.range.clone()];
        parts.push(match &section.parent {
            Some(parent) => format!("{}<{parent}: {text:?}", section.id),
            None => format!("{}: {text:?}", section.id),
        });
    }
    assert_eq!(end, prompt.text().len());
    parts
}

/// The prompt of a base template over components that are templates too.
fn prompt(base: &str, components: &[(&'static str, &'static str)], cx: &PromptContext) -> Prompt {
    let ids = components.iter().map(|(id, _)| *id);
    let variant =
        PromptVariant::new("v").with_components(ids).with_template(Template::parse(base).unwrap());
    let mut registry = PromptRegistry::builder().variant_at(variant, Place::First);
    for &(id, source) in components {
        let template = Template::parse(source).unwrap();
        let component =
            component_fn(id, move |cx| Ok(Some(cx.render(&template, &Default::default())?)));
        registry = registry.component_at(component, Place::Listed);
    }
    registry.build().unwrap().build_blocking(cx).unwrap()
}

#[test]
fn base_text_and_sections_take_turns() {
    let prompt = prompt("one {{A}} two {{B}}", &[("A", "a"), ("B", "b")], &cx());
    assert_eq!(
        parts(&prompt),
        ["_template: \"one \"", "A: \"a\"", "_template: \" two \"", "B: \"b\""]
    );
    assert_eq!(prompt.section(TEMPLATE_SECTION).as_deref(), Some("one  two "));
    assert_eq!(prompt.section("C"), None);
}

#[test]
fn a_prompt_without_text_has_no_sections() {
    let prompt = prompt("{{A}}", &[("A", "")], &cx());
    assert_eq!((prompt.text(), prompt.sections().len()), ("", 0));
    assert_eq!(prompt.section("A"), None);
}

#[test]
fn a_section_inside_another_splits_it_and_names_it_as_its_parent() {
    let prompt = prompt(
        "{{OUTER}}",
        &[("CORE", "core"), ("INNER", "in {{CORE}}"), ("OUTER", "out {{INNER}} side")],
        &cx(),
    );
    assert_eq!(
        parts(&prompt),
        ["OUTER: \"out \"", "INNER<OUTER: \"in \"", "CORE<INNER: \"core\"", "OUTER: \" side\""]
    );
    assert_eq!(prompt.section("OUTER").as_deref(), Some("out  side"));
}

#[test]
fn a_section_that_is_printed_twice_is_there_twice() {
    let prompt = prompt("{{A}} {{A}}{{A}}", &[("A", "a")], &cx());
    assert_eq!(
        parts(&prompt),
        [
            "A: \"a\"",
            "_template: \" \"",
            "A: \"a\"",
            // Two printings side by side are two sections.
            "A: \"a\""
        ]
    );
    assert_eq!(prompt.section("A").as_deref(), Some("aaa"));
}

#[test]
fn a_section_at_the_top_and_inside_another() {
    let prompt = prompt("{{A}} {{B}}", &[("A", "a"), ("B", "b {{A}}")], &cx());
    assert_eq!(parts(&prompt), ["A: \"a\"", "_template: \" \"", "B: \"b \"", "A<B: \"a\""]);
}

#[test]
fn spans_say_who_wrote_what() {
    let cx = cx()
        .with_cwd("/home/ada")
        .with_runtime("WHO", "you & me")
        .with_rules(RulesFile::new("AGENTS.md", "be nice"));
    let prompt =
        prompt("at {{CWD}}\n{{A}}", &[("A", "for {{WHO}}{{WHO}}:\n{{USER_RULES}}\nend")], &cx);
    parts(&prompt);
    let spans: Vec<_> = prompt
        .sections()
        .iter()
        .flat_map(|section| &section.spans)
        .map(|span| {
            let source = span.source.as_ref().map_or("-", |source| source.as_str());
            format!("{source}: {:?}", &prompt.text()[span.start..span.end])
        })
        .collect();
    assert_eq!(
        spans,
        [
            "-: \"at \"",
            "context:cwd: \"/home/ada\"",
            "-: \"\\n\"",
            "-: \"for \"",
            // Side by side and from one source: one span.
            "runtime:WHO: \"you & meyou & me\"",
            "-: \":\\n# Rules from \"",
            "rules:AGENTS.md: \"AGENTS.md\"",
            "-: \"\\n\\n\"",
            "rules:AGENTS.md: \"be nice\"",
            "-: \"\\nend\"",
        ]
    );
}

#[test]
fn ranges_are_bytes_and_fall_on_characters() {
    let prompt = prompt("ä{{A}}ß", &[("A", "日本")], &cx());
    assert_eq!(parts(&prompt), ["_template: \"ä\"", "A: \"日本\"", "_template: \"ß\""]);
    assert_eq!(prompt.sections()[1].range, 2..8);
}

#[test]
fn origins_are_files_or_the_host() {
    let archive = format!(
        "{}-- variants/v/variant.toml\nschema = 1\ncomponents = [\"A_SECTION\", \"H\"]\n",
        pack::SMALL
    );
    let registry = PromptRegistry::builder()
        .pack(pack::pack(&archive))
        .component_at(component_fn("H", |_| Ok(Some(Text::from("h")))), Place::Listed)
        .build()
        .unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    let origins: Vec<_> = prompt
        .sections()
        .iter()
        .map(|s| (s.id.as_str(), s.origin.rsplit('/').next().unwrap()))
        .collect();
    assert_eq!(
        origins,
        [
            ("A_SECTION", "a.md"),
            // What is between sections is made from the list in variant.toml.
            ("_template", "variant.toml"),
            ("H", "host")
        ]
    );
}

// How often a section changes.

/// The volatility of the section that a component file gives.
fn volatility(front: &str, template: &str, cx: &PromptContext) -> Volatility {
    let archive = format!(
        "{}-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n{front}+++\nText. {template}\n",
        pack::SMALL
    )
    .replace(
        "variants = [\"v\"]\n",
        "variants = [\"v\"]\n[conditions]\nplanning = { mode = \"plan\" }\n",
    );
    let prompt = pack::built(&[&archive], cx);
    prompt.sections()[0].volatility
}

#[test]
fn volatility_is_derived_from_what_a_template_uses() {
    use Volatility::{Conversation, Static, Turn};
    for (template, right) in [
        ("", Static),
        ("{{#if flag.x}}x{{/if}}", Static),
        ("{{#if tool.read}}x{{/if}}", Static),
        ("{{MODEL}}", Static),
        ("{{BROWSER_WIDTH}}", Static),
        ("{{CWD}}", Conversation),
        ("{{WORKING_DIR}}", Conversation),
        ("{{CURRENT_DATE}}", Conversation),
        ("{{USER_RULES}}", Conversation),
        ("{{params.n}}", Conversation),
        ("{{context.cwd}}", Conversation),
        ("{{#if CWD}}x{{/if}}", Conversation),
        ("{{MODE}}", Turn),
        ("{{#if mode.act}}x{{/if}}", Turn),
        ("{{#unless mode.act}}x{{/unless}}{{CWD}}", Turn),
        // The same thing by other names.
        ("{{context.mode}}", Turn),
        ("{{context.runtime.R}}", Turn),
        ("{{json context}}", Turn),
    ] {
        let cx = cx().with_cwd("/x").with_mode("act").with_param("n", 1).with_runtime("R", "r");
        assert_eq!(volatility("", template, &cx), right, "{template}");
    }
}

#[test]
fn a_declared_volatility_counts_instead() {
    let declared = |declared: &str, template: &str| {
        let front = format!("volatility = \"{declared}\"\n");
        volatility(&front, template, &cx().with_cwd("/x"))
    };
    assert_eq!(declared("turn", ""), Volatility::Turn);
    assert_eq!(declared("static", "{{CWD}}"), Volatility::Static);
    assert_eq!(declared("conversation", "{{#if mode.act}}{{/if}}"), Volatility::Conversation);
}

/// What a request brings may differ in each request, however it is used.
#[test]
fn runtime_values_raise_volatility() {
    let with = |name: &str, value: serde_json::Value, template: &str| {
        volatility("", template, &cx().with_runtime(name, value))
    };
    for (name, value, template) in [
        ("R", json!("r"), "{{R}}"),
        ("R", json!(3), "{{R}}"),
        ("R", json!(true), "{{R}}"),
        ("R", json!(true), "{{#if R}}x{{/if}}"),
        ("R", json!({"a": "x"}), "{{R.a}}"),
        ("R", json!([1, 2]), "{{#each R}}{{this}}{{/each}}"),
        ("MODEL", json!("m"), "{{MODEL}}"),
        ("CWD", json!("/y"), "{{WORKING_DIR}}"),
    ] {
        assert_eq!(
            with(name, value.clone(), template),
            Volatility::Turn,
            "{template} with {value}"
        );
    }
    assert_eq!(with("OTHER", json!("r"), ""), Volatility::Static);
    // A declared volatility is no excuse.
    let declared = volatility("volatility = \"static\"\n", "{{R}}", &cx().with_runtime("R", "r"));
    assert_eq!(declared, Volatility::Turn);
}

struct Declared(Option<Volatility>);

#[async_trait]
impl Component for Declared {
    fn id(&self) -> &str {
        "X"
    }
    async fn render(&self, _: &ComponentCx<'_>) -> Result<Option<Text>, ComponentError> {
        Ok(Some(Text::from("x")))
    }
    fn meta(&self) -> ComponentMeta {
        self.0.map_or_else(ComponentMeta::new, |level| ComponentMeta::new().with_volatility(level))
    }
}

#[test]
fn a_section_is_as_volatile_as_the_sections_in_it() {
    let outer = |inner: Option<Volatility>| {
        let archive = format!(
            "{}-- variants/v/variant.toml\nschema = 1\ncomponents = [\"X\", \"A_SECTION\"]\n\
             -- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\nSee {{{{X}}}}\n",
            pack::SMALL
        );
        let registry = PromptRegistry::builder()
            .pack(pack::pack(&archive))
            .component_at(Declared(inner), Place::Listed)
            .build()
            .unwrap();
        let prompt = registry.build_blocking(&cx()).unwrap();
        let section = |id: &str| prompt.sections().iter().find(|s| s.id == id).unwrap().volatility;
        (section("X"), section("A_SECTION"))
    };
    for known in [Volatility::Static, Volatility::Conversation, Volatility::Turn] {
        assert_eq!(outer(Some(known)), (known, known));
    }
    // Code that says nothing is taken to know the request.
    let unknown = Volatility::Conversation;
    assert_eq!(outer(None), (unknown, unknown));
}

#[test]
fn a_part_of_the_base_template_is_as_volatile_as_the_values_in_it() {
    let cx = cx().with_cwd("/x").with_runtime("R", "r");
    let prompt = prompt("plain {{A}} at {{CWD}} {{A}} for {{R}}", &[("A", "a")], &cx);
    let base: Vec<_> = prompt
        .sections()
        .iter()
        .filter(|section| section.id == TEMPLATE_SECTION)
        .map(|section| section.volatility)
        .collect();
    assert_eq!(base, [Volatility::Static, Volatility::Conversation, Volatility::Turn]);
}
