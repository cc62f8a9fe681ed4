//! Templates as a pack and its host use them: helpers of the host, partials, lists in their order.

#![allow(unreachable_pub, reason = "the macro makes a public type")]

use std::fs;
use std::path::Path;

use promptline::template::handlebars::handlebars_helper;
use promptline::{
    BuildOptions, ErrorKind, McpServer, Overlay, Pack, PromptContext, PromptRegistry,
    context::Skill,
};
use tempfile::TempDir;

handlebars_helper!(upper: |text: str| text.to_uppercase());

/// A pack with one variant that prints one section.
fn folder(section: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    write(root, "variants/pack.toml", "schema = 1\nname = \"t\"\nvariants = [\"generic\"]\n");
    let variant = "schema = 1\ncomponents = [\"MAIN_SECTION\"]\n";
    write(root, "variants/generic/variant.toml", variant);
    let component = format!("+++\nid = \"MAIN_SECTION\"\n+++\n{section}\n");
    write(root, "templates/components/main.md", &component);
    folder
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn builder(folder: &TempDir) -> promptline::PromptRegistryBuilder {
    PromptRegistry::builder().pack(Pack::from_dir(folder.path()).unwrap())
}

fn context() -> PromptContext {
    PromptContext::new("anthropic", "claude-sonnet-4-5")
        .with_mcp_server(McpServer::new("zeta"))
        .with_mcp_server(McpServer::new("alpha"))
        .with_skill(Skill::new("write", "Writes."))
        .with_skill(Skill::new("ask", "Asks."))
        .with_runtime("NAME", "Ada {{CWD}}\n====\n##")
}

#[test]
fn a_helper_of_the_host_is_called_everywhere() {
    let folder = folder("{{> who}}{{upper NAME}}\n{{#if (eq (upper 'x') 'X')}}same{{/if}}");
    write(folder.path(), "templates/partials/who.md", "by {{upper \"me\"}}: ");
    let registry = builder(&folder).helper("upper", upper).build().unwrap();
    let prompt = registry.build_blocking(&context()).unwrap();
    // What a helper gives is neither read nor cleaned.
    assert_eq!(prompt.text(), "by ME: ADA {{CWD}}\n====\n##\nsame");
    let overlay = TempDir::new().unwrap();
    let file = "schema = 1\n[[section]]\nid = \"MAIN_SECTION\"\nop = \"append\"\ntext = \"{{upper 'more'}}\"\ntemplate = true\n";
    write(overlay.path(), "overlay.toml", file);
    let overlay = Overlay::from_dir(overlay.path()).unwrap();
    let registry = builder(&folder).overlay(overlay).helper("upper", upper).build().unwrap();
    assert!(registry.build_blocking(&context()).unwrap().text().ends_with("MORE"));
}

#[test]
fn a_helper_that_is_not_registered_is_a_load_error() {
    let folder = folder("a\n{{uper NAME}}");
    let unknown = builder(&folder).helper("upper", upper).build().unwrap_err();
    assert_eq!(unknown.message(), "unknown helper `uper`");
    assert_eq!(unknown.help(), Some("did you mean `upper`?"));
    assert_eq!((unknown.code(), unknown.line_column()), ("unknown-helper", Some((5, 3))));
    assert!(unknown.file().unwrap().ends_with("main.md"));
    assert!(builder(&folder).helper("uper", upper).build().is_ok());
    // In every place of a pack.
    let everywhere = [
        ("templates/partials/p.md", "{{other A}}"),
        ("templates/tools/t.toml", "schema = 1\nid = \"t\"\ndescription = \"x {{other A}}\"\n"),
        ("variants/generic/template.md", "{{MAIN_SECTION}}{{#other A}}{{/other}}"),
    ];
    for (path, text) in everywhere {
        let folder = self::folder("text");
        write(folder.path(), path, text);
        let error = builder(&folder).helper("upper", upper).build().unwrap_err();
        assert_eq!(error.code(), "unknown-helper", "{path}: {error:#}");
        assert!(error.file().unwrap().ends_with(path), "{error:#}");
        assert!(builder(&folder).helper("other", upper).build().is_ok());
    }
}

#[test]
fn a_name_that_is_taken_is_an_error_of_the_build() {
    for name in ["each", "json", "twice"] {
        let builder = PromptRegistry::builder().pack(Pack::builtin());
        let error = builder.helper("twice", upper).helper(name, upper).build().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Duplicate);
    }
}

#[test]
fn lists_keep_the_order_of_the_host() {
    let folder = folder(
        "{{#each context.skills}}{{name}} {{/each}}{{#each context.mcp_servers}}{{name}} {{/each}}",
    );
    let registry = builder(&folder).build().unwrap();
    let options = BuildOptions::new().with_fingerprint(true);
    let build = |cx: &PromptContext| registry.build_blocking_with(cx, &options).unwrap();
    let prompt = build(&context());
    assert_eq!(prompt.text(), "write ask zeta alpha");
    // Equal sources give equal texts.
    let mut other = context();
    other.skills.reverse();
    let other = build(&other);
    assert_eq!(other.text(), "ask write zeta alpha");
    assert_ne!(prompt.fingerprint().unwrap().source, other.fingerprint().unwrap().source);
}

#[test]
fn servers_as_indented_json() {
    let folder = folder("{{#each context.mcp_servers}}\n{{json this indent=2}}\n{{/each}}");
    let prompt = builder(&folder).build().unwrap().build_blocking(&context()).unwrap();
    let mut printed = String::new();
    for server in &context().mcp_servers {
        printed += &serde_json::to_string_pretty(&serde_json::to_value(server).unwrap()).unwrap();
        printed.push('\n');
    }
    assert_eq!(prompt.text(), printed.trim_end());
}
