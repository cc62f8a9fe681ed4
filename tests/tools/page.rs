//! The page "tools" of the documentation shows what the library writes. Where a form changes:
//! `PROMPTLINE_UPDATE=1 cargo test --test tools page`, and look at the difference.

use std::fs;

use promptline::{
    Dialect, PromptContext, ToolSpec,
    tools::{NativeOptions, TextForm, native_tools, tool_section_as},
};

const TOOL: &str = r#"schema = 1
id = "search_issues"
tool_role = "search"
description = "Finds issues of the project by their words. It changes nothing."
annotations = { read_only = true }

[[params]]
name = "query"
required = true
body = true
description = "Words, or a quoted phrase."
usage = "login \"time out\""

[[params]]
name = "labels"
type = "array"
items = { type = "string", enum = ["bug", "docs", "idea"] }
description = "Only issues with one of these."
usage = '["bug"]'

[[params]]
name = "limit"
type = "integer"
description = "How many at most."
usage = "20"
"#;

fn written(form: &str) -> String {
    let tool = [ToolSpec::from_toml("search_issues.toml", TOOL).unwrap()];
    let cx = PromptContext::default();
    let text = |dialect| tool_section_as(dialect, &tool, &cx).unwrap().text.to_string();
    match form {
        "toml" => TOOL.trim_end().to_owned(),
        "xml" => text(TextForm::Xml),
        "hermes" => text(TextForm::Hermes),
        _ => {
            let (dialect, strict) = form.split_once(' ').unwrap_or((form, ""));
            let mut options = NativeOptions::new(dialect.parse::<Dialect>().unwrap());
            options.strict = strict == "strict";
            let tools = native_tools(&tool, &cx, &options).unwrap();
            format!("{:#}", tools.to_value())
        }
    }
}

#[test]
fn it_shows_what_is_written() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tools.md");
    let page = fs::read_to_string(file).unwrap();
    let mut made = String::new();
    let mut shown = 0;
    let mut rest = page.as_str();
    while let Some((before, after)) = rest.split_once("<!-- tool: ") {
        let (form, after) = after.split_once(" -->\n```").unwrap();
        let (language, after) = after.split_once('\n').unwrap();
        let (_, after) = after.split_once("```").unwrap();
        made += &format!("{before}<!-- tool: {form} -->\n```{language}\n{}\n```", written(form));
        rest = after;
        shown += 1;
    }
    made += rest;
    assert_eq!(shown, 11);
    if std::env::var_os("PROMPTLINE_UPDATE").is_some() {
        fs::write(file, &made).unwrap();
    }
    assert_eq!(page, made);
}
