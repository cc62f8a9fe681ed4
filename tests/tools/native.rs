//! Specs in the native form of a provider: what a condition or a template says there is what the text says.

use promptline::{
    Condition, Dialect, NativeTools, Param, PromptContext, Template, ToolSpec,
    tools::{NativeOptions, ReadOptions, native_tools, read_tools_text, tool_section},
};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::support::cases_folder;

/// The schema of the first tool.
fn schema_of(tools: &NativeTools) -> Option<Value> {
    let list = tools.to_value();
    let places = [
        "/0/function/parameters",
        "/0/parameters",
        "/0/input_schema",
        "/0/parametersJsonSchema",
        "/0/toolSpec/inputSchema/json",
        "/0/inputSchema",
    ];
    places.iter().find_map(|place| list.pointer(place)).cloned()
}

#[test]
fn templates_are_rendered_and_notes_are_shown() {
    let words = Template::parse("Read a file under {{CWD}}.").unwrap();
    let read = ToolSpec::new("read").with_description(words).with_param(
        Param::required("path", "Where it is.").with_tool_note("Paths are relative.").with_body(),
    );
    let cx = PromptContext::default().with_cwd("/srv/app");
    let made = native_tools(&[read], &cx, &NativeOptions::new(Dialect::OpenAi)).unwrap();
    assert_eq!(
        made.to_value()[0]["function"],
        json!({
            "name": "read",
            "description": "Read a file under /srv/app.\nPaths are relative.",
            "strict": false,
            "parameters": {
                "type": "object",
                "properties": {"path": {"type": "string", "description": "Where it is."}},
                "required": ["path"],
                "additionalProperties": false,
            },
        })
    );
}

#[test]
fn a_tool_that_says_nothing_is_left_out() {
    let tools = [ToolSpec::new("marker"), ToolSpec::new("good").with_description("d")];
    let options = NativeOptions::new(Dialect::OpenAi);
    let made = native_tools(&tools, &PromptContext::default(), &options).unwrap();
    assert_eq!(made.names().model_names().collect::<Vec<_>>(), ["good"]);
    assert_eq!(made.diagnostics()[0].code, "tool-empty");
}

/// The shared list is only read here, never copied: it comes out as the same JSON, in the same order of
/// keys.
#[test]
fn a_real_list_is_written_as_it_was_read() {
    let Some(folder) = cases_folder() else {
        println!("native: the folder of cases is absent; nothing was run");
        return;
    };
    let file = folder.join("cline/openai_gpt_5_native.tools.snap");
    let text = std::fs::read_to_string(file).unwrap();
    let list = read_tools_text("tools.snap", &text, &ReadOptions::new()).unwrap();
    assert_eq!(list.diagnostics, []);
    let specs: Vec<ToolSpec> = list.tools.into_iter().map(ToolSpec::from).collect();
    let options = NativeOptions::new(Dialect::OpenAi);
    let native = native_tools(&specs, &PromptContext::default(), &options).unwrap();
    assert!(native.unsupported().is_empty());
    let was: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(native.to_value().to_string(), was.to_string());
    println!("native: {} tools are the same", native.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(120) })]

    #[test]
    fn text_and_native_form_agree(
        params in subsequence(vec!["a", "b", "c", "d", "e"], 0..=5),
        required in any::<u8>(),
        conditions in prop::collection::vec(0..4_usize, 5),
        flags in subsequence(vec!["x", "y"], 0..=2),
        dialect in select(Dialect::ALL.to_vec()),
    ) {
        let mut spec = ToolSpec::new("t").with_description("Does it.");
        for (at, name) in params.iter().enumerate() {
            let mut param = Param::optional(*name, "A value.");
            param.required = required & (1 << at) != 0;
            spec = spec.with_param(match conditions[at] {
                0 => param.with_when(Condition::flag("x")),
                1 => param.with_when(Condition::flag("y")),
                2 => param.with_when(Condition::tool("u")),
                _ => param,
            });
        }
        let other = ToolSpec::new("u").with_description("Is there.").with_when(Condition::flag("y"));
        let cx = flags.iter().fold(PromptContext::default(), |cx, flag| cx.with_flag(*flag));
        let tools = [spec, other];
        let text = tool_section(&tools, &cx).unwrap().text.to_string();
        let native = native_tools(&tools, &cx, &NativeOptions::new(dialect)).unwrap();

        let of_text: Vec<(String, bool)> = text
            .split("\n\n## u")
            .next()
            .unwrap()
            .lines()
            .filter_map(|line| line.strip_prefix("- ")?.split_once(": ("))
            .map(|(name, rest)| (name.to_owned(), rest.starts_with("required")))
            .collect();
        let schema = schema_of(&native).unwrap();
        let is_required = |name: &str| {
            schema["required"].as_array().unwrap().iter().any(|required| required == name)
        };
        let of_native: Vec<(String, bool)> = schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(|name| (name.clone(), is_required(name)))
            .collect();
        prop_assert_eq!(of_text, of_native);
        prop_assert_eq!(native.len(), text.matches("## ").count());
    }
}
