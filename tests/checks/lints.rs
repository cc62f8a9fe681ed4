//! Lints of prompts: each line of the table is a text, a request and what is reported. Whatever is reported can be
//! allowed, and nothing is reported of a text that is not the pack's.

use crate::pack::Folder;
use promptline::check::{check_prompts, explain};
use promptline::{
    BuildOptions, McpServer, McpTool, Pack, Prompt, PromptContext, PromptRegistry, RulesFile, Text,
    TokenCounter, ToolSet, ToolSpec, component_fn,
};
use proptest::prelude::*;

/// A variant with two tools, one of which needs a flag.
const PACK: &str = r#"
-- variants/pack.toml
schema = 1
name = "p"
variants = ["generic"]
flags = ["web"]
-- variants/generic/variant.toml
schema = 1
description = "d"
components = ["A_SECTION", "B_SECTION", "USER_SECTION"]
tools = ["read_file", "fetch"]
tool_form = "either"
-- templates/components/b.md
+++
id = "B_SECTION"
+++
# Second
-- templates/components/user.md
+++
id = "USER_SECTION"
+++
{{USER_RULES}}
-- templates/tools/read_file.toml
schema = 1
id = "read_file"
description = "Reads."
-- templates/tools/fetch.toml
schema = 1
id = "fetch"
description = "Fetches."
when = { flag = "web" }
[[params]]
name = "url"
description = "Where."
"#;

fn folder(text: &str) -> Folder {
    let folder = Folder::new(PACK);
    let file = format!("-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{text}\n");
    folder.lay_over(&file);
    folder
}

fn built(folder: &Folder, cx: &PromptContext) -> Prompt {
    let pack = Pack::from_dir(folder.path()).unwrap();
    let registry = PromptRegistry::builder().pack(pack).build().unwrap();
    registry.build_blocking_with(cx, &BuildOptions::new().with_lint(true)).unwrap()
}

/// What a build reports, as `code subject`.
fn reported(folder: &Folder, cx: &PromptContext) -> Vec<String> {
    let prompt = built(folder, cx);
    let shown = |d: &promptline::Diagnostic| {
        assert!(explain(&d.code).is_some() && d.help.is_some(), "{d:?}");
        format!("{} {}", d.code, d.subject.as_deref().unwrap_or_default())
    };
    // The order of sections is reported by the build itself.
    let lints =
        prompt.report().diagnostics.iter().filter(|reported| reported.code != "cache-order");
    lints.map(shown).collect()
}

fn request(what: &str) -> PromptContext {
    let cx = PromptContext::default();
    match what {
        "native" => cx.with_flag("native_tools"),
        "web" => cx.with_flag("web"),
        "params" => cx
            .with_param("steps", 25)
            .with_param("one", 1)
            .with_param("limits", serde_json::json!({"rate": [0.5, {"most": 1000}]})),
        "window" => cx.with_window(200),
        _ => cx,
    }
}

/// A text, a request, what is reported.
const REPORTED: &[(&str, &str, &[&str])] = &[
    ("Use `fetch`.", "", &["tool-not-enabled fetch"]),
    ("Use <fetch>.", "", &["tool-not-enabled fetch"]),
    ("Use `fetch`, then `fetch`.", "", &["tool-not-enabled fetch"]),
    ("Use `fetch`.", "web", &[]),
    ("Dogs fetch sticks.", "", &[]),
    ("Use `prefetch` or `fetch-all`.", "", &[]),
    ("Use `read_file`.", "", &[]),
    ("{{#if tool.fetch}}Use `fetch`.{{/if}}", "", &[]),
    ("<read_file>\n</read_file>", "native", &["xml-with-native read_file"]),
    ("<read_file>\n</read_file>", "", &[]),
    ("<tool_name>\n</tool_name>", "native", &["xml-with-native tool_name"]),
    ("<tool_name>\n</tool_name>", "", &[]),
    ("{{#if form.native}}Your tool_call is heard.{{/if}}", "native", &[]),
    ("{{#if form.xml}}<read_file>{{/if}}", "native", &[]),
    ("Use read_file.", "native", &[]),
    ("Stop after 25 steps.", "params", &["parameter-number 25"]),
    ("Stop after 25 steps.", "", &[]),
    ("Stop after {{params.steps}} steps.", "params", &[]),
    ("25. Item\n  25) Item", "params", &[]),
    ("Use 25.\nUp to 1,000.", "params", &["parameter-number 25", "parameter-number 1,000"]),
    ("1 and 250 and 2.5 and v25 and 25.1.2", "params", &[]),
    ("A rate of 0.5, or 0.50.", "params", &["parameter-number 0.5", "parameter-number 0.50"]),
    ("# Second", "", &["heading-twice Second"]),
    ("#  second ", "", &["heading-twice Second"]),
    ("## Second", "", &[]),
    ("# One\n## X\n# Two\n## X", "", &[]),
    ("# One\n## X\na\n## X", "", &["heading-twice X"]),
    ("```\n# Second\n```", "", &[]),
    ("```\n# A\n# A", "", &[]),
    ("#Second\n####### Second", "", &[]),
    ("{{TOOLS_SECTION}}", "window", &["large-section TOOLS_SECTION"]),
];

#[test]
fn each_text_gets_its_lints() {
    for (text, what, expected) in REPORTED {
        // A long tool list is what makes a section large.
        let folder = folder(text);
        if *what == "window" {
            let words = "word ".repeat(60);
            folder.lay_over(&format!(
                "-- templates/tools/read_file.toml\nschema = 1\nid = \"read_file\"\ndescription = \"{words}\""
            ));
        }
        assert_eq!(reported(&folder, &request(what)), *expected, "{text:?} {what}");
    }
}

/// The words of the tool `read_file` (its description, then those of its parameter), a request, what is reported.
const OF_TOOLS: &[(&str, &str, &str, &[&str])] = &[
    ("Better than `fetch`.", "A path.", "", &["tool-not-enabled fetch"]),
    ("Better than `fetch`.", "A path.", "native", &["tool-not-enabled fetch"]),
    ("Better than `fetch`.", "A path.", "web", &[]),
    ("Reads.", "Never what `fetch` takes.", "native", &["tool-not-enabled fetch"]),
    ("Call <read_file>.", "A path.", "native", &["xml-with-native read_file"]),
    ("Call <read_file>.", "A path.", "", &[]),
    ("Reads 25 lines.", "A path.", "params", &["parameter-number 25"]),
    ("Reads {{params.steps}} lines.", "A path.", "params", &[]),
    ("Reads below {{CWD}}.", "A path.", "native", &[]),
    ("{{#if tool.fetch}}Better than `fetch`.{{/if}}", "A path.", "", &[]),
];

#[test]
fn words_of_tools_are_linted_in_both_forms_and_found_in_their_file() {
    for (description, param, what, expected) in OF_TOOLS {
        let folder = folder("Hi.");
        folder.lay_over(&format!(
            "-- templates/tools/read_file.toml\nschema = 1\nid = \"read_file\"\n\
             description = \"{description}\"\n[[params]]\nname = \"path\"\ndescription = \"{param}\""
        ));
        // What a path says is not a mistake.
        let cx = request(what).with_cwd("/home/ada/`fetch`");
        assert_eq!(reported(&folder, &cx), *expected, "{description:?} {param:?} {what}");
        for found in built(&folder, &cx).report().warnings() {
            assert!(found.file.as_ref().unwrap().ends_with("read_file.toml"), "{found}");
        }
    }
}

#[test]
fn words_of_servers_and_of_the_host_are_not_linted() {
    let words = "Better than `fetch`. <read_file>";
    let tool = McpTool::new("search", words, serde_json::json!({"type": "object"}));
    let cx = request("native").with_mcp_server(McpServer::new("tickets").with_tool(tool));
    let folder = folder("Hi.");
    let pack = Pack::from_dir(folder.path()).unwrap();
    let host = ToolSpec::new("look").with_description(words.to_owned());
    let registry =
        PromptRegistry::builder().pack(pack).tools(ToolSet::new().add(host)).build().unwrap();
    let prompt = registry.build_blocking_with(&cx, &BuildOptions::new().with_lint(true)).unwrap();
    assert_eq!(prompt.report().warnings().collect::<Vec<_>>(), [] as [&promptline::Diagnostic; 0]);
}

#[test]
fn a_name_with_points_is_one_name() {
    let folder = folder("Use db.query. Not db.query.all or mydb.query; see db.queries.");
    let lay = |id: &str| {
        let tool = format!("id = \"{id}\"\nname = \"db.query\"\ndescription = \"Asks.\"\n");
        folder.lay_over(&format!(
            "-- templates/tools/{id}.toml\nschema = 1\n{tool}when = {{ flag = \"web\" }}"
        ));
    };
    lay("query");
    assert_eq!(reported(&folder, &request("")), ["tool-not-enabled db.query"]);
    // However long a chain of points is.
    let chain = "a.".repeat(50_000);
    folder.lay_over(&format!(
        "-- templates/components/a.md\n+++\nid = \"A_SECTION\"\n+++\n{chain}\n"
    ));
    assert_eq!(reported(&folder, &request("")), [""; 0]);
}

#[test]
fn invisible_characters_are_reported_of_the_pack_and_of_the_host() {
    let folder = folder("Be brief.\u{E0049}\u{E0067}");
    assert_eq!(reported(&folder, &request("")), ["invisible-character A_SECTION"]);
    // A check of the files says where each of them is.
    assert_eq!(check_prompts(folder.path(), PromptRegistry::builder()).unwrap(), []);
    let host = component_fn("B_SECTION", |_| Ok(Some(Text::authored("All\u{200B}."))));
    let pack = Pack::from_dir(folder.path()).unwrap();
    let registry = PromptRegistry::builder().pack(pack).replace_component(host).build().unwrap();
    let options = BuildOptions::new().with_lint(true);
    let prompt = registry.build_blocking_with(&request(""), &options).unwrap();
    let reported: Vec<_> =
        prompt.report().warnings().map(|reported| reported.message.as_str()).collect();
    assert_eq!(
        reported,
        [
            "the section `A_SECTION` holds 2 invisible characters",
            "the section `B_SECTION` holds an invisible character"
        ]
    );
}

/// One token a byte.
struct Bytes;

impl TokenCounter for Bytes {
    fn name(&self) -> &str {
        "bytes"
    }

    fn count(&self, text: &str) -> usize {
        text.len()
    }
}

#[test]
fn sizes_are_those_of_the_counter() {
    let folder = folder(&"word.".repeat(20));
    let pack = Pack::from_dir(folder.path()).unwrap();
    let registry = PromptRegistry::builder().pack(pack).tokens(Bytes).build().unwrap();
    let reported = |cx: &PromptContext| {
        let options = BuildOptions::new().with_lint(true);
        let prompt = registry.build_blocking_with(cx, &options).unwrap();
        prompt.report().warnings().map(|reported| reported.message.clone()).collect::<Vec<_>>()
    };
    let large = "the section `A_SECTION` takes 100 tokens of a window of 300";
    assert_eq!(reported(&PromptContext::default().with_window(300)), [large]);
    assert_eq!(reported(&PromptContext::default().with_window(500)), [""; 0]);
    // No window is known.
    assert_eq!(reported(&PromptContext::default().with_window(0)), [""; 0]);
    let native = reported(&request("native").with_window(300));
    assert!(
        native.iter().any(|reported| reported.starts_with("the native tools take")),
        "{native:?}"
    );
}

#[test]
fn nothing_is_reported_unless_it_is_asked_for() {
    let folder = folder("Use `fetch`.");
    let pack = Pack::from_dir(folder.path()).unwrap();
    let registry = PromptRegistry::builder().pack(pack).build().unwrap();
    let prompt = registry.build_blocking(&PromptContext::default()).unwrap();
    assert_eq!(prompt.report().diagnostics, []);
    let linted = built(&folder, &PromptContext::default());
    assert_eq!(linted.text(), prompt.text());
}

#[test]
fn text_of_users_is_not_linted() {
    let rules = "# Second\nUse `fetch` 25 times.\n<read_file>\n</read_file>\n# Second";
    let cx =
        request("params").with_flag("native_tools").with_rules(RulesFile::new("AGENTS.md", rules));
    assert_eq!(reported(&folder("Hi."), &cx), [""; 0]);
}

#[test]
fn a_budget_counts_what_the_pack_wrote() {
    let folder = folder(&"word ".repeat(100));
    let variant = "-- variants/generic/variant.toml\nschema = 1\ndescription = \"d\"\n\
                   components = [\"A_SECTION\", \"USER_SECTION\"]\n[traits]\nbudget_tokens = ";
    let rules = RulesFile::new("AGENTS.md", "many words ".repeat(1000));
    let cx = PromptContext::default().with_rules(rules);
    for (budget, expected) in [(100, &["over-budget budget_tokens"][..]), (200, &[])] {
        folder.lay_over(&format!("{variant}{budget}\n"));
        assert_eq!(reported(&folder, &cx), *expected, "{budget}");
    }
}

#[test]
fn every_lint_can_be_allowed_and_a_later_pack_decides() {
    let text = "Use `fetch` 25 times.\n# Second";
    let folder = folder(text);
    let lint = |level: &str| {
        let names = ["tool-not-enabled", "parameter-number", "heading-twice"];
        names.map(|name| format!("{name} = \"{level}\"")).join("\n")
    };
    let manifest = "schema = 1\nname = \"p\"\nflags = [\"web\"]\n";
    let cx = request("params");
    assert_eq!(reported(&folder, &cx).len(), 3);
    let allowed = format!(
        "-- variants/pack.toml\n{manifest}variants = [\"generic\"]\n[lints]\n{}",
        lint("allow")
    );
    folder.lay_over(&allowed);
    assert_eq!(reported(&folder, &cx), [""; 0]);
    let later = Folder::new(&format!("-- variants/pack.toml\n{manifest}[lints]\n{}", lint("warn")));
    let packs = [&folder, &later].map(|folder| Pack::from_dir(folder.path()).unwrap());
    let registry = packs.into_iter().fold(PromptRegistry::builder(), |b, pack| b.pack(pack));
    let options = BuildOptions::new().with_lint(true);
    let prompt = registry.build().unwrap().build_blocking_with(&cx, &options).unwrap();
    assert_eq!(prompt.report().warnings().count(), 3);
}

#[test]
fn a_lint_that_does_not_exist_is_a_load_error() {
    let folder = folder("Hi.");
    let manifest = "schema = 1\nname = \"p\"\nvariants = [\"generic\"]\n";
    folder.lay_over(&format!("-- variants/pack.toml\n{manifest}[lints]\nheading-twic = \"allow\""));
    let error = format!("{:#}", Pack::from_dir(folder.path()).unwrap_err());
    assert!(error.contains("pack.toml:5") && error.contains("heading-twice"), "{error}");
}

#[test]
fn a_check_finds_it_in_the_file() {
    let folder = folder("All is well.\nUse `fetch`.\n# Second");
    let findings = check_prompts(folder.path(), PromptRegistry::builder()).unwrap();
    let shown: Vec<_> = findings
        .iter()
        .map(|f| {
            let file = f.file.rsplit('/').next().unwrap();
            format!("{file}:{}:{} {}", f.line, f.column, f.code)
        })
        .collect();
    assert_eq!(shown, ["a.md:5:6 tool-not-enabled", "b.md:4:3 heading-twice"]);
    assert!(findings[0].message.ends_with("(in generic/basic)"), "{:?}", findings[0].message);
}

#[test]
fn a_check_takes_the_contexts_of_the_pack() {
    let folder = folder("Use `fetch`.");
    folder.lay_over("-- contexts/web.json\n{\"flags\": [\"web\"]}\n");
    let check = || check_prompts(folder.path(), PromptRegistry::builder());
    assert_eq!(check().unwrap(), []);
    folder.lay_over("-- contexts/other.json\n{\"variant\": \"generic\"}\n");
    assert_eq!(check().unwrap().len(), 1);
    folder.lay_over("-- contexts/bad.json\n{\"flag\": 1}\n");
    assert!(format!("{:#}", check().unwrap_err()).contains("bad.json"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a text says, linting ends, and changes nothing.
    #[test]
    fn any_text_can_be_linted(text in "([#`~<>/_., \n\u{e9}\u{4e2d}0-9]|fetch|read_file|25){0,60}") {
        let folder = folder(&text);
        for what in ["", "native", "params", "window"] {
            let cx = request(what);
            let prompt = built(&folder, &cx);
            let pack = Pack::from_dir(folder.path()).unwrap();
            let registry = PromptRegistry::builder().pack(pack).build().unwrap();
            let plain = registry.build_blocking(&cx).unwrap();
            prop_assert_eq!(prompt.text(), plain.text());
        }
    }
}
