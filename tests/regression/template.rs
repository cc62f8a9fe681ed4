//! Placeholders: which names there are, what values print as, what is never read as a template.

use promptline::template::missing;
use promptline::{
    BuildOptions, ComponentError, ErrorKind, McpServer, McpTool, PromptContext, Template, Text,
    ToolSet, ToolSpec, component_fn, context::Skill, options::UnresolvedPolicy,
    report::ComponentStatus,
};
use serde_json::{Map, Value, json};

use crate::support::{
    VARIANTS, built, builtin, full_context, registry_of, rules_survive, text_of, variant,
};

fn render(template: &str, values: Value) -> String {
    let Value::Object(values) = values else { panic!("values are an object") };
    let template = Template::parse(template).expect("the template loads");
    template.render(&values).expect("the template renders")
}

#[test]
fn t01_names_of_an_object_prototype_are_ordinary_names() {
    let template = "a {{constructor}} b {{__proto__}} c {{toString}}";
    assert_eq!(render(template, json!({})), template);

    let build = |policy| {
        let registry = registry_of(variant(template, &[])).build().unwrap();
        let options = BuildOptions::new().with_unresolved(policy);
        registry.build_blocking_with(&PromptContext::default(), &options)
    };
    let kept = build(UnresolvedPolicy::Keep).unwrap();
    assert_eq!(kept.text(), template);
    assert_eq!(kept.report().unresolved, ["__proto__", "constructor", "toString"]);
    let emptied = build(UnresolvedPolicy::Empty).unwrap();
    assert_eq!(emptied.text(), "a  b  c");
    let refused = build(UnresolvedPolicy::Error).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Unresolved);
}

#[test]
fn t02_workflow_expressions_in_component_text_are_kept() {
    let text = "env:\n  TOKEN: ${{ secrets.DEPLOY_KEY }}";
    rules_survive(text);

    let component = component_fn("WORKFLOW", move |_| Ok(Some(Text::verbatim(text, "host"))));
    for policy in [UnresolvedPolicy::Keep, UnresolvedPolicy::Error] {
        let registry = registry_of(variant("{{WORKFLOW}}", &["WORKFLOW"]))
            .options(BuildOptions::new().with_unresolved(policy));
        let component = component_fn("WORKFLOW", move |_| Ok(Some(text.to_owned().into())));
        let registry = registry.component_at(component, promptline::Place::Listed);
        assert_eq!(text_of(registry, &PromptContext::default()), text);
    }
    // What component code returns is no template either when the code's author wrote it.
    let registry = registry_of(variant("{{WORKFLOW}}", &["WORKFLOW"]))
        .component_at(component, promptline::Place::Listed);
    assert_eq!(text_of(registry, &PromptContext::default()), text);
}

#[test]
fn t04_nothing_is_escaped_for_html() {
    let value = "<path> & 'a' \"b\" `c` =";
    assert_eq!(render("{{X}}", json!({"X": value})), value);
    // The other lane too.
    #[cfg(feature = "handlebars")]
    assert_eq!(
        render("{{#each L}}{{this}}{{/each}}{{X}}", json!({"L": [value], "X": value})),
        value.repeat(2)
    );
    let registry = registry_of(variant("{{X}}", &[]).with_placeholder("X", value));
    assert_eq!(text_of(registry, &PromptContext::default()), value);
}

#[test]
fn t05_values_that_are_no_strings_print_as_compact_json() {
    let template = "{{O}}|{{A}}|{{N}}|{{F}}|{{Z}}";
    let values = json!({"O": {"b": 1, "a": [1, null]}, "A": ["x"], "N": 0, "F": false, "Z": 1.5});
    let right = r#"{"b":1,"a":[1,null]}|["x"]|0|false|1.5"#;
    assert_eq!(render(template, values.clone()), right);
    #[cfg(feature = "handlebars")]
    assert_eq!(
        render(&format!("{{{{#each NONE}}}}{{{{/each}}}}{template}"), values.clone()),
        right
    );

    // As runtime values of a build, and as values of a variant.
    let fields = values.as_object().unwrap();
    let runtime = fields
        .iter()
        .fold(PromptContext::default(), |cx, (name, value)| cx.with_runtime(name, value.clone()));
    assert_eq!(text_of(registry_of(variant(template, &[])), &runtime), right);
    let of_variant = fields.iter().fold(variant(template, &[]), |made, (name, value)| {
        made.with_placeholder(name, value.clone())
    });
    assert_eq!(text_of(registry_of(of_variant), &PromptContext::default()), right);
}

#[test]
fn t07_a_name_with_a_blank_in_it_is_a_load_error_and_others_work() {
    let values = json!({"MY-VAR": "m", "X": "x"});
    assert_eq!(render("{{MY-VAR}}/{{ X }}/{{\nX\n}}", values), "m/x/x");

    let error = Template::parse("line\n  {{ user name }}").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert_eq!(error.line_column().map(|(line, _)| line), Some(2));
    assert!(error.message().contains("user"), "{error}");
    assert!(error.help().is_some());
}

#[test]
fn t08_false_and_zero_are_values() {
    let template = "[{{SUPPORTS_BROWSER}}]";
    let with = |cx| text_of(registry_of(variant(template, &[])), &cx);
    assert_eq!(with(PromptContext::default()), "[false]");
    assert_eq!(with(PromptContext::default().with_flag("browser")), "[true]");

    let zero = variant("[{{CWD}}]", &[]).with_placeholder("CWD", 0);
    assert_eq!(text_of(registry_of(zero), &PromptContext::default()), "[0]");
    let off = PromptContext::default().with_runtime("CWD", false);
    assert_eq!(text_of(registry_of(variant("[{{CWD}}]", &[])), &off), "[false]");
}

#[test]
fn t09_a_component_that_gives_nothing_leaves_no_trace_whatever_its_name() {
    // One name of the library's own, and one that is unknown.
    for id in ["MY_SECTION", "RULES_SECTION"] {
        let template = format!("A\n\n====\n\n{{{{{id}}}}}");
        let with = |answer: fn() -> Result<Option<Text>, ComponentError>| {
            let component = component_fn(id, move |_| answer());
            built(
                registry_of(variant(&template, &[id]))
                    .component_at(component, promptline::Place::Listed),
                &PromptContext::default(),
            )
        };
        let failed = with(|| Err(ComponentError::new("the tracker is down")));
        assert_eq!(failed.text(), "A", "{id}");
        let report = &failed.report().components[0];
        assert_eq!((report.id.as_str(), report.status), (id, ComponentStatus::Failed));
        assert_eq!(report.reason.as_deref(), Some("the tracker is down"));
        assert_eq!(failed.report().warnings().count(), 1);

        let panicked = with(|| panic!("index out of bounds"));
        assert_eq!(panicked.text(), "A", "{id}");
        assert_eq!(panicked.report().components[0].status, ComponentStatus::Failed);
        assert_eq!(with(|| Ok(None)).text(), "A", "{id}");
        assert_eq!(with(|| Ok(Some(" \n\t".into()))).text(), "A", "{id}");

        let unregistered = built(registry_of(variant(&template, &[id])), &PromptContext::default());
        assert_eq!(unregistered.text(), "A", "{id}");
        assert_eq!(unregistered.report().components[0].status, ComponentStatus::Unknown);
    }
}

#[test]
fn t11_a_flat_key_with_a_dot_is_found_and_wins() {
    assert_eq!(render("{{user.name}}", json!({"user.name": "Al"})), "Al");
    let both = json!({"user": {"name": "nested"}, "user.name": "flat"});
    assert_eq!(render("{{user.name}}", both), "flat");
    let nested = json!({"user": {"name": "nested"}});
    assert_eq!(render("{{user.name}}", nested), "nested");

    let cx = PromptContext::default()
        .with_runtime("user", json!({"name": "nested"}))
        .with_runtime("user.name", "flat");
    assert_eq!(text_of(registry_of(variant("{{user.name}}", &[])), &cx), "flat");
}

#[test]
fn t12_text_of_third_parties_is_no_template() {
    const FOREIGN: &str = "see {{CWD}}";
    let secret = "/home/u/secret-project";
    let cx = full_context()
        .with_cwd(secret)
        .with_variant("generic")
        .with_skill(Skill::new("deploy", FOREIGN))
        .with_mcp_server(McpServer::new("tickets").with_tool(McpTool::new(
            "search",
            FOREIGN,
            json!({}),
        )))
        .with_runtime("AGENT_NAME", FOREIGN);
    let tool = ToolSpec::new("reviewer").with_description(FOREIGN.to_owned());
    let registry = promptline::PromptRegistry::builder()
        .pack(promptline::Pack::builtin())
        .tools(ToolSet::new().add(tool));
    let prompt = built(registry, &cx);
    let of = |id: &str| prompt.section(id).unwrap_or_default();
    assert!(of("TOOLS_SECTION").contains("## reviewer\nDescription: see {{CWD}}\n"));
    assert!(of("MCP_SECTION").contains("- search: see {{CWD}}"));
    assert!(of("SKILLS_SECTION").contains("- deploy: see {{CWD}}"));
    assert!(of("AGENT_ROLE_SECTION").contains(FOREIGN));
    assert!(!prompt.text().contains("see /home"));
}

#[test]
fn t12_a_template_of_the_variant_is_expanded_exactly_once() {
    let tool = ToolSpec::new("look").with_description(Template::parse("in {{CWD}}").unwrap());
    let made = variant("{{TOOLS_SECTION}}|{{A}}", &[])
        .with_placeholder("A", "{{CWD}}")
        .with_tools(["look"])
        .with_own_tool(tool);
    // The value of a placeholder looks like another placeholder.
    let cx = PromptContext::default().with_cwd("{{OS}}").with_os("Plan 9");
    let text = text_of(registry_of(made), &cx);
    assert!(text.contains("Description: in {{OS}}\n"), "{text}");
    assert!(text.ends_with("|{{CWD}}"), "{text}");
}

#[test]
fn t14_triple_braces_are_a_placeholder_and_what_is_left_over_is_text() {
    let template = "{{{X}}} {{X}}}";
    assert_eq!(render(template, json!({"X": "x"})), "x x}");
    assert_eq!(promptline::template::placeholders(template).unwrap(), ["X"]);
    assert_eq!(render("{{{X}}}", json!({})), "{{{X}}}");
}

#[test]
fn t15_without_a_working_directory_no_placeholder_is_left() {
    let mut cx = full_context();
    cx.cwd = None;
    for cx in [cx, PromptContext::default()] {
        for id in VARIANTS {
            let prompt = builtin().build_blocking(&cx.clone().with_variant(id)).unwrap();
            assert!(!prompt.text().contains("{{"), "{id}: {}", prompt.text());
            assert!(prompt.report().unresolved.is_empty());
        }
    }
}

#[test]
fn t15_every_section_shows_the_same_directory() {
    let registry = || {
        let tool = ToolSpec::new("look").with_description(Template::parse("<{{CWD}}>").unwrap());
        let section = component_fn("WHERE", |cx| {
            let template = Template::parse("<{{CWD}}><{{WORKING_DIR}}>")?;
            Ok(Some(cx.render(&template, &Map::new())?))
        });
        let made = variant("<{{CWD}}>{{WHERE}}{{TOOLS_SECTION}}", &["WHERE"])
            .with_tools(["look"])
            .with_own_tool(tool);
        registry_of(made).component_at(section, promptline::Place::Listed)
    };
    let given = text_of(registry(), &PromptContext::default().with_cwd("/srv/app"));
    assert_eq!(given.matches("</srv/app>").count(), 4, "{given}");
    let absent = text_of(registry(), &PromptContext::default());
    assert_eq!(absent.matches("<>").count(), 4, "{absent}");
}

#[test]
fn t16_required_names_are_compared_as_they_are() {
    assert_eq!(missing("{{AxB}}", &["A.B", "A(B", "AxB"]).unwrap(), ["A.B", "A(B"]);
}

#[test]
fn t18_other_template_languages_in_rules_are_text() {
    rules_survive(
        "Link: <A params={{ id: row.id }} />\n{{- range .Items }}x{{ end }}\n\
         {% if a %}{{ a|upper }}{% endif %}\n\\frac{{a}}{b}",
    );
}
