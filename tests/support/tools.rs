//! Anything as a list of tools: what is read can be rendered, and reading what was repaired repairs
//! nothing more. Used by the property tests and by the fuzz target, which looks for panics.

#![allow(dead_code, reason = "each target feeds its own part")]

use promptline::{
    Diagnostic, PromptContext, ToolSpec,
    tools::{
        ReadOptions, TextForm, ToolInput, ToolList, read_tool_sections, read_tools,
        read_tools_text, tool_section_as,
    },
};
use serde_json::{Value, json};

pub(crate) fn bytes(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match read_tools_text("fuzz", &text, &ReadOptions::new()) {
        Ok(list) => all_usable(list),
        Err(error) => assert!(!error.message().is_empty()),
    }
    let sections = read_tool_sections(&text);
    usable(&sections.tools, &sections.diagnostics);
}

pub(crate) fn value(value: &Value) {
    all_usable(read_tools(value));
}

fn all_usable(list: ToolList) {
    let specs: Vec<ToolSpec> = list.tools.into_iter().map(ToolSpec::from).collect();
    usable(&specs, &list.diagnostics);
}

fn usable(tools: &[ToolSpec], diagnostics: &[Diagnostic]) {
    assert!(diagnostics.iter().all(|diagnostic| !diagnostic.message.is_empty()));
    let cx = PromptContext::default();
    for tool in tools {
        let one = std::slice::from_ref(tool);
        for form in [TextForm::Xml, TextForm::Hermes] {
            // A name that cannot be a tag is an error; everything else is a text.
            assert!(tool.check().is_err() || tool_section_as(form, one, &cx).is_ok());
        }
        if let ToolInput::Schema(schema) = &tool.input {
            let again = read_tools(&json!([{"name": "t", "inputSchema": schema}]));
            assert!(again.diagnostics.is_empty(), "{schema}: {:?}", again.diagnostics);
            let again = ToolSpec::from(again.tools[0].clone());
            assert!(matches!(&again.input, ToolInput::Schema(same) if same == schema));
        }
    }
}
