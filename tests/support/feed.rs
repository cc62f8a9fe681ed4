//! Everything that reads bytes from outside, fed with any bytes: an answer, or an error that says
//! where. Used by the property tests and by the fuzz targets, which both only look for panics beyond
//! what is asserted here.

#![allow(dead_code, reason = "each target feeds its own part")]

use std::fs;
use std::path::Path;

use promptline::cleanup::{Level, clean};
use promptline::{Error, Pack, PromptContext, PromptRegistry, Template};
use tempfile::TempDir;

/// A pack of one file of each kind, in which one is replaced.
const FILES: [(&str, &str); 5] = [
    ("variants/pack.toml", "schema = 1\nname = \"small\"\nvariants = [\"v\"]\n"),
    (
        "variants/v/variant.toml",
        "schema = 1\ncomponents = [\"A_SECTION\"]\ntools = [\"look\"]\ntool_form = \"xml\"\n",
    ),
    ("variants/v/template.md", "{{TOOLS_SECTION}}\n\n====\n\n{{A_SECTION}}\n"),
    ("templates/components/a.md", "+++\nid = \"A_SECTION\"\n+++\nAll is well in {{CWD}}.\n"),
    ("templates/tools/look.toml", "schema = 1\nid = \"look\"\ndescription = \"Looks.\"\n"),
];

/// A folder with the small pack.
pub(crate) fn small_pack() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in FILES {
        put(folder.path(), path, text.as_bytes());
    }
    folder
}

pub(crate) fn put(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder can be made");
    fs::write(path, bytes).expect("a file can be written");
}

/// Loads the folder and builds each of its variants.
pub(crate) fn pack(folder: &Path) {
    let registry =
        Pack::from_dir(folder).and_then(|pack| PromptRegistry::builder().pack(pack).build());
    match registry {
        Ok(registry) => {
            for variant in registry.variants() {
                // A template may print more than the limit; that is known only now.
                let builder = registry.prompt_builder(variant.id()).expect("it is there");
                let _ = builder.build_blocking(&request());
            }
        }
        Err(error) => {
            assert!(error.file().is_some(), "no file: {error:#}");
            says_something(&error);
        }
    }
}

pub(crate) fn template(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    match Template::parse(&source) {
        Ok(template) => {
            let values = serde_json::json!({"A": "a", "B": [1, {"name": "b"}], "C": {"d": true}});
            let _ = template.render(values.as_object().expect("an object"));
        }
        Err(error) => {
            assert!(error.line_column().is_some(), "no position: {error:#}");
            says_something(&error);
        }
    }
}

/// The errors of a context are those of `serde_json`, which have a position.
pub(crate) fn context(bytes: &[u8]) {
    let read = serde_json::from_slice::<PromptContext>(bytes);
    match read {
        Ok(cx) => {
            let registry = PromptRegistry::builder().pack(Pack::builtin()).build();
            let registry = registry.expect("the built-in pack is whole");
            let _ = registry.build_blocking(&cx);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Cleaning twice is cleaning once, whatever the text.
pub(crate) fn cleanup(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for level in [Level::Document, Level::Section] {
        let once = clean(&text, level);
        assert!(clean(&once, level) == once, "cleaned twice: {text:?}");
    }
}

fn says_something(error: &Error) {
    assert!(!error.message().is_empty());
    assert!(!format!("{error:#}").is_empty());
}

/// A request that has something for every list.
fn request() -> PromptContext {
    use promptline::{McpServer, McpTool, RulesFile, context::Skill};
    PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_cwd("/home/ada")
        .with_rules(RulesFile::new("AGENTS.md", "Use tabs."))
        .with_skill(Skill::new("review", "Reviews."))
        .with_mcp_server(McpServer::new("m").with_tool(McpTool::new(
            "t",
            "d",
            serde_json::json!({}),
        )))
        .with_runtime("A", serde_json::json!([1, {"name": "b"}]))
}
