//! The placeholder layers: which one wins, what provides nothing, namespaces, kinds of context values.

mod namespaces;
use crate::pack;
use promptline::{
    Place, Prompt, PromptContext, PromptRegistry, PromptVariant, Template, Text, component_fn,
    report::{Layer, PlaceholderReport},
};
use serde_json::{Value, json};

fn cx() -> PromptContext {
    PromptContext::new("acme", "model-1")
}

fn variant(base: &str) -> PromptVariant {
    PromptVariant::new("v").with_template(Template::parse(base).unwrap())
}

fn built(variant: PromptVariant, cx: &PromptContext) -> Prompt {
    let registry = PromptRegistry::builder().variant_at(variant, Place::First).build();
    registry.unwrap().build_blocking(cx).unwrap()
}

/// What a base template prints for a context.
fn text(base: &str, cx: &PromptContext) -> String {
    built(variant(base), cx).into_text()
}

fn placeholder<'p>(prompt: &'p Prompt, name: &str) -> &'p PlaceholderReport {
    let mut all = prompt.report().placeholders.iter();
    all.find(|placeholder| placeholder.name == name)
        .expect("every placeholder that is asked for is in the report")
}

/// A prompt of `<{{NAME}}>`, where these layers have a value for the name.
fn layered(name: &str, layers: &[Layer]) -> Prompt {
    let has = |layer: Layer| layers.contains(&layer);
    let mut made = variant(&format!("<{{{{{name}}}}}>")).with_components([name]);
    let mut cx = cx();
    if has(Layer::Variant) {
        made = made.with_placeholder(name, "variant");
    }
    if has(Layer::Standard) {
        cx = cx.with_cwd("standard");
    }
    if has(Layer::Runtime) {
        cx = cx.with_runtime(name, "runtime");
    }
    let speaks = has(Layer::Section);
    let section = component_fn(name, move |_| Ok(speaks.then(|| Text::from("section"))));
    PromptRegistry::builder()
        .component_at(section, Place::Listed)
        .variant_at(made, Place::First)
        .build()
        .unwrap()
        .build_blocking(&cx)
        .unwrap()
}

#[test]
fn the_topmost_layer_wins_and_the_report_says_what_it_hid() {
    use Layer::{Empty, Runtime, Section, Standard, Variant};
    let cases: [(&[Layer], &str); 8] = [
        (&[], "<>"),
        (&[Variant], "<variant>"),
        (&[Standard], "<standard>"),
        (&[Standard, Variant], "<standard>"),
        (&[Section, Standard, Variant], "<section>"),
        (&[Runtime, Section, Standard, Variant], "<runtime>"),
        (&[Runtime, Variant], "<runtime>"),
        (&[Section, Variant], "<section>"),
    ];
    for (layers, right) in cases {
        let prompt = layered("CWD", layers);
        assert_eq!(prompt.text(), right, "{layers:?}");
        let report = placeholder(&prompt, "CWD");
        let (layer, hid) = match layers.split_first() {
            Some((first, rest)) => (*first, rest),
            None => (Empty, &[][..]),
        };
        assert_eq!((report.layer, &report.hid[..]), (Some(layer), hid));
        assert_eq!(report.used_in[..], ["_template"]);
        assert_eq!(prompt.report().unresolved, [""; 0]);
    }
}

#[test]
fn a_name_that_nothing_provides_has_no_layer() {
    let prompt = built(variant("{{NOBODY}}"), &cx());
    let report = placeholder(&prompt, "NOBODY");
    assert_eq!((report.layer, report.hid.len()), (None, 0));
}

#[test]
fn the_report_names_everybody_who_asks() {
    let archive = format!(
        "{}-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{{{{#if X}}}}{{{{Y}}}}{{{{/if}}}}.\n\
         -- variants/v/template.md\n{{{{X}}}}{{{{A_SECTION}}}}\n",
        pack::SMALL
    );
    let prompt = pack::built(&[&archive], &cx().with_runtime("X", "x").with_runtime("Y", "y"));
    let used = |name: &str| placeholder(&prompt, name).used_in.join(" ");
    assert_eq!(used("X"), "_template A_SECTION");
    assert_eq!(used("Y"), "A_SECTION");
    assert_eq!(used("A_SECTION"), "_template");
    let names: Vec<_> = prompt.report().placeholders.iter().map(|p| &p.name).collect();
    assert_eq!(names, ["A_SECTION", "X", "Y"], "by name");
}

#[test]
fn null_provides_nothing_in_any_layer() {
    let made = || variant("<{{A}}>").with_placeholder("A", "below");
    assert_eq!(built(made(), &cx().with_runtime("A", Value::Null)).text(), "<below>");
    let nothing = variant("<{{CWD}}>").with_placeholder("CWD", Value::Null);
    let prompt = built(nothing, &cx());
    assert_eq!(prompt.text(), "<>");
    assert_eq!(placeholder(&prompt, "CWD").layer, Some(Layer::Empty));
    let prompt = built(made(), &cx().with_runtime("A", json!({"b": null})));
    assert_eq!(prompt.text(), "<{\"b\":null}>", "but an object with a null in it is a value");
}

#[test]
fn what_is_false_zero_or_empty_is_a_value() {
    let made = || variant("<{{A}}>").with_placeholder("A", "below");
    for (value, right) in [
        (json!(false), "<false>"),
        (json!(true), "<true>"),
        (json!(0), "<0>"),
        (json!(-1.5), "<-1.5>"),
        (json!(""), "<>"),
        (json!([]), "<[]>"),
        (json!([1, "a", null]), "<[1,\"a\",null]>"),
        (json!({"b": {"c": 1}}), "<{\"b\":{\"c\":1}}>"),
        (json!("\"quoted\""), "<\"quoted\">"),
    ] {
        let prompt = built(made(), &cx().with_runtime("A", value.clone()));
        assert_eq!(prompt.text(), right, "{value} as a runtime value");
        assert_eq!(placeholder(&prompt, "A").layer, Some(Layer::Runtime));
        let prompt = built(variant("<{{A}}>").with_placeholder("A", value.clone()), &cx());
        assert_eq!(prompt.text(), right, "{value} of a variant");
    }
    assert_eq!(text("{{SUPPORTS_BROWSER}}", &cx()), "false");
    assert_eq!(text("{{SUPPORTS_BROWSER}}", &cx().with_flag("browser")), "true");
}

#[test]
fn a_flat_key_comes_before_nesting_and_there_is_no_deep_merge() {
    let made = |base: &str| {
        variant(base)
            .with_placeholder("A", json!({"x": "variant x", "y": "variant y", "l": [1, [2, 3]]}))
    };
    let cx = cx()
        .with_runtime("A", json!({"x": "nested x"}))
        .with_runtime("B", json!({"x": "nested"}))
        .with_runtime("B.x", "flat");
    for (base, right) in [
        ("{{A.x}}", "nested x"),
        // The request's A has no y: the layer below is used.
        ("{{A.y}}", "variant y"),
        ("{{A}}", "{\"x\":\"nested x\"}"),
        ("{{B.x}}", "flat"),
        ("{{B}}", "{\"x\":\"nested\"}"),
        ("{{A.l.0}} {{A.l.1.1}}", "1 3"),
        ("{{A.l.9}}", "{{A.l.9}}"),
        ("{{A.x.y}}", "{{A.x.y}}"),
    ] {
        assert_eq!(built(made(base), &cx).text(), right, "{base}");
    }
}

#[test]
fn working_dir_is_an_alias_of_what_cwd_came_out_as() {
    let base = "{{WORKING_DIR}}";
    let with = |made: PromptVariant, cx: &PromptContext| {
        let prompt = built(made, cx);
        let layer = placeholder(&prompt, "WORKING_DIR").layer.unwrap();
        (prompt.into_text(), layer)
    };
    let own = |text: &str, layer| (text.to_owned(), layer);
    let in_x = cx().with_cwd("/x");
    assert_eq!(with(variant(base), &in_x), own("/x", Layer::Standard));
    assert_eq!(
        with(variant(base), &in_x.clone().with_runtime("CWD", "/y")),
        own("/y", Layer::Runtime)
    );
    assert_eq!(with(variant(base).with_placeholder("CWD", "/z"), &cx()), own("/z", Layer::Variant));
    // A value of its own comes before the alias, from whatever layer.
    assert_eq!(
        with(variant(base).with_placeholder("WORKING_DIR", "/own"), &in_x),
        own("/own", Layer::Variant)
    );
    assert_eq!(with(variant(base), &cx()), own("", Layer::Empty));
    // The other direction does not hold.
    assert_eq!(text("{{CWD}}", &cx().with_runtime("WORKING_DIR", "/y")), "");
}

#[test]
fn standard_names_say_what_the_context_says() {
    let cx = cx()
        .with_cwd("/x")
        .with_os("Linux 6")
        .with_shell("zsh")
        .with_home("/home/ada")
        .with_ide("Zed")
        .with_mode("plan")
        .with_date("2031-05-06")
        .with_zone("Europe/Paris")
        .with_preferred_language("French");
    for (name, right) in [
        ("OS", "Linux 6"),
        ("SHELL", "zsh"),
        ("HOME_DIR", "/home/ada"),
        ("CWD", "/x"),
        ("IDE", "Zed"),
        ("MODE", "plan"),
        ("PROVIDER", "acme"),
        ("MODEL", "model-1"),
        ("MODEL_FAMILY", "v"),
        ("CURRENT_DATE", "2031-05-06"),
        ("TIME_ZONE", "Europe/Paris"),
        ("PREFERRED_LANGUAGE", "French"),
        ("BROWSER_WIDTH", "900"),
        ("BROWSER_HEIGHT", "600"),
        ("RULES_SECTION", ""),
        ("TODO_SECTION", ""),
        ("USER_RULES", ""),
        ("MCP_SERVERS_LIST", ""),
        ("SKILLS_LIST", ""),
    ] {
        let prompt = built(variant(&format!("<{{{{{name}}}}}>")), &cx);
        assert_eq!(prompt.text(), format!("<{right}>"), "{name}");
        assert_eq!(prompt.report().unresolved, [""; 0], "{name}");
    }
}

#[test]
fn strings_of_a_request_are_never_templates() {
    let cx = cx()
        .with_cwd("/x")
        .with_runtime("A", "{{CWD}} {{#if X}} ====\n\n\n\n##\n")
        .with_param("p", "{{CWD}}");
    assert_eq!(text("<{{A}}|{{params.p}}>", &cx), "<{{CWD}} {{#if X}} ====\n\n\n\n##|{{CWD}}>");
}

#[test]
fn a_heading_over_a_block_that_printed_nothing_goes() {
    let base = "# B\n\n{{#if ON}}{{TXT}}{{/if}}";
    assert_eq!(text(base, &cx()), "");
    assert_eq!(text(base, &cx().with_runtime("ON", true).with_runtime("TXT", "t")), "# B\n\nt");
}
