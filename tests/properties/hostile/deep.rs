//! Nesting, circles, and partials that multiply.

use std::fs;
use std::path::Path;

use promptline::{
    Error, ErrorKind, McpServer, McpTool, Pack, PromptContext, PromptRegistry, Template,
};
use serde_json::{Value, json};

use super::only;

/// The error of a template that cannot be read; it has a place and says what to do.
fn refused(source: &str) -> Error {
    let error = Template::parse(source).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert!(error.line_column().is_some() && error.help().is_some(), "{error}");
    assert!(format!("{error:#}").len() < 2_000, "an unreadable message");
    error
}

#[test]
fn ten_thousand_open_raw_blocks_are_refused() {
    refused(&"{{{{".repeat(10_000));
    refused(&"{{{{raw}}}}".repeat(10_000));
}

#[test]
fn ten_thousand_open_braces_are_refused() {
    refused(&"{{".repeat(10_000));
    refused(&"{{ ".repeat(10_000));
    refused(&"{{!--".repeat(10_000));
}

#[test]
fn five_thousand_nested_conditions_are_refused() {
    let nested = "{{#if A}}".repeat(5_000) + &"{{/if}}".repeat(5_000);
    refused(&nested);
    refused(&"{{#if A}}".repeat(5_000));
    refused(&"{{/if}}".repeat(5_000));
    refused(&("{{#if A}}".to_owned() + &"{{else if B}}".repeat(100_000) + "{{/if}}"));
}

#[test]
fn five_thousand_nested_parentheses_are_refused() {
    let nested = "(and a ".repeat(5_000) + &")".repeat(5_000);
    refused(&format!("{{{{#if {nested}}}}}x{{{{/if}}}}"));
    refused(&format!("{{{{#if {}", "(".repeat(5_000)));
    refused(&format!("{{{{#if a{}}}}}", ")".repeat(5_000)));
}

/// Writes a pack that has one section, which prints the partial `p0`.
fn pack(
    folder: &Path,
    partials: impl IntoIterator<Item = (String, String)>,
) -> Result<Pack, Error> {
    let write = |path: &str, text: &str| {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("variants/pack.toml", "schema = 1\nname = \"p\"\nvariants = [\"generic\"]\n");
    write("variants/generic/variant.toml", "schema = 1\ncomponents = [\"A_SECTION\"]\n");
    write("templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\n{{> p0}}\n");
    for (name, text) in partials {
        write(&format!("templates/partials/{name}.md"), &text);
    }
    Pack::from_dir(folder)
}

#[test]
fn partials_that_include_each_other_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let partial = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let error = pack(
        folder.path(),
        [partial("p0", "a\n{{> p1}}"), partial("p1", "b {{> p2}}"), partial("p2", "{{> p0}}")],
    )
    .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    let message = error.message();
    for step in ["p0 -> p1", "p1 -> p2", "p2 -> p0"] {
        assert!(message.contains(step), "{message}");
    }
    let file = error.file().expect("a file");
    assert!(file.contains("templates/partials/p"), "{file}");
    assert!(error.line_column().is_some());
}

#[test]
fn twenty_partials_that_double_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let partials = (0..=20).map(|at| {
        let next = at + 1;
        let text = if at < 20 { format!("{{{{> p{next}}}}}{{{{> p{next}}}}}") } else { "x".into() };
        (format!("p{at}"), text)
    });
    let error = pack(folder.path(), partials).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
    assert!(error.message().contains("partials"), "{error}");
    assert!(error.file().is_some_and(|file| file.contains("partials")), "{error}");
}

#[test]
fn a_chain_of_a_thousand_partials_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let partials = (0..1_000).map(|at| (format!("p{at}"), format!("{{{{> p{}}}}}", at + 1)));
    let last = ("p1000".to_owned(), "x".to_owned());
    let error = pack(folder.path(), partials.chain([last])).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Template);
}

#[test]
fn deep_json_in_a_context_is_an_error_with_a_place() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let json = format!(
            "{{\n  \"params\": {{\"deep\": {}0{}}}\n}}",
            open.repeat(100_000),
            close.repeat(100_000)
        );
        let error = PromptContext::from_json("cx.json", &json).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Context);
        assert_eq!(error.file(), Some("cx.json"));
        assert_eq!(error.line_column().map(|(line, _)| line), Some(2));
        assert!(error.message().contains("recursion limit"), "{error}");
    }
}

#[test]
fn json_as_deep_as_a_context_may_be_is_printed() {
    let deep = "[".repeat(100) + &"]".repeat(100);
    let json = format!("{{\"params\": {{\"deep\": {deep}}}}}");
    let cx = PromptContext::from_json("cx.json", &json).unwrap();
    assert_eq!(only("{{params.deep}}", &cx).unwrap().text(), deep);
    let path = vec!["0"; 50_000].join(".");
    let prompt = only(&format!("a{{{{params.deep.{path}}}}}"), &cx).unwrap();
    assert_eq!(prompt.report().unresolved.len(), 1);
}

/// A value that is built in Rust may be deeper than any that is read from JSON: writing it would
/// overflow the stack. (Its own drop does too, so it is taken apart by hand.)
#[test]
fn a_value_that_is_nested_too_deep_is_an_error_that_names_it() {
    fn nested(depth: usize) -> Value {
        (0..depth).fold(json!("x"), |value, _| Value::Array(vec![value]))
    }
    fn take_apart(mut value: Value) {
        while let Value::Array(mut items) = value {
            value = items.pop().unwrap_or_default();
        }
    }
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let build = |cx: &PromptContext| registry.build_blocking(cx).map(|_| ());
    let mut cx = PromptContext::new("p", "m").with_runtime("DEEP", nested(10_000));
    let error = build(&cx).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Context);
    assert!(error.to_string().contains("`DEEP`"), "{error}");
    take_apart(cx.runtime.remove("DEEP").unwrap());

    cx.params.insert("deep".to_owned(), nested(10_000));
    assert!(build(&cx).unwrap_err().to_string().contains("parameter `deep`"));
    take_apart(cx.params.remove("deep").unwrap());

    let mut cx =
        cx.with_mcp_server(McpServer::new("s").with_tool(McpTool::new("t", "T.", nested(10_000))));
    assert!(build(&cx).unwrap_err().to_string().contains("MCP tool `t`"));
    let schema = std::mem::take(&mut cx.mcp_servers[0].tools[0].input_schema);
    take_apart(std::sync::Arc::into_inner(schema).unwrap());

    let flat = PromptContext::new("p", "m").with_runtime("FLAT", nested(100));
    assert!(build(&flat).is_ok());
}
