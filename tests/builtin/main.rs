//! The built-in prompts as models see them: golden files of every variant, what may not be in them, what
//! they may cost, and that the binary holds the same files as the folder.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "that is how a test fails")]

mod combinations;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use promptline::{
    McpServer, Pack, Param, Prompt, PromptContext, PromptRegistry, PromptRegistryBuilder,
    PromptVariant, ToolSet, ToolSpec, context::Skill,
};
use proptest::prelude::*;
use proptest::sample::subsequence;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn builtin() -> PromptRegistryBuilder {
    PromptRegistry::builder().pack(Pack::builtin())
}

static REGISTRY: LazyLock<PromptRegistry> =
    LazyLock::new(|| builtin().build().expect("the built-in pack is whole"));

// ---- golden files ------------------------------------------------------------------------------------

/// A developer's machine and project, with all that a variant may speak of.
fn fixture() -> PromptContext {
    PromptContext::from_json("basic.json", include_str!("contexts/basic.json"))
        .expect("the context is whole")
}

/// Where a prompt is to change: `PROMPTLINE_UPDATE=1 cargo test --features testing --test builtin`, and
/// read the difference before you commit it.
#[cfg(feature = "testing")]
#[test]
fn prompts_are_as_they_were() -> Result<(), promptline::testing::Mismatch> {
    let matrix = promptline::testing::Matrix::new(&REGISTRY)
        .contexts_dir("tests/builtin/contexts")
        .snapshots_dir("tests/builtin/snapshots");
    let prompts = matrix.prompts()?;
    assert_eq!(prompts.len(), 12 * 11);
    for snapshot in prompts {
        // Many tools are what one of the contexts is about.
        let many = ["tool-many", "tool-tokens"];
        let warnings = snapshot.prompt.report().warnings();
        let warnings: Vec<_> = warnings.filter(|w| !many.contains(&w.code.as_str())).collect();
        assert!(warnings.is_empty(), "{}/{}: {warnings:?}", snapshot.variant, snapshot.context);
    }
    if std::env::var_os("PROMPTLINE_UPDATE").is_some() {
        matrix.update()?;
    }
    matrix.check()
}

// ---- what may not be in them -----------------------------------------------------------------------------

/// Every tool of the pack, whether a variant lists it or not.
fn tool_ids() -> Vec<String> {
    let files = fs::read_dir(Path::new(ROOT).join("templates/tools")).unwrap();
    let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
    let mut ids: Vec<String> =
        files.map(|file| name(file.unwrap()).trim_end_matches(".toml").to_owned()).collect();
    ids.sort();
    assert!(ids.len() > 20, "{ids:?}");
    ids
}

const FLAGS: [&str; 15] = [
    "browser",
    "native_tools",
    "parallel_tools",
    "task_progress",
    "auto_approve",
    "web_tools",
    "subagents",
    "cli",
    "multi_root",
    "condense",
    "summarize_task",
    "report_bug",
    "new_rule",
    "new_task",
    "ticket",
];

/// Which flags are on, which tools the host removes and which it renames, and whether there are MCP
/// servers, skills and modes.
fn hosts() -> impl Strategy<Value = (Vec<&'static str>, Vec<String>, Vec<String>, [bool; 3])> {
    let ids = tool_ids();
    let few = subsequence(ids.clone(), 0..=4);
    let some = subsequence(ids.clone(), 0..=ids.len());
    (subsequence(&FLAGS[..], 0..=FLAGS.len()), few, some, any::<[bool; 3]>())
}

/// A name that holds the old one, but not as a word.
fn renamed(id: &str) -> String {
    format!("x_{id}_x")
}

/// All that a model reads: the prompt, and the tools beside it.
fn sent(prompt: &Prompt) -> String {
    let beside = prompt.tools().map(|tools| tools.to_value().to_string());
    format!("{}\n{}", prompt.text(), beside.unwrap_or_default())
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_prompt_speaks_of_a_tool_that_is_not_enabled(
        (flags, removed, renames, [servers, skills, modes]) in hosts()
    ) {
        let ticket = ToolSpec::new("open_ticket")
            .with_description("Open a ticket.")
            .with_param(Param::required("title", "What is wrong."))
            .with_when(promptline::Condition::flag("ticket"));
        let mut tools = ToolSet::new().add(ticket).rename("open_ticket", "file_issue");
        for id in renames.iter().filter(|id| !removed.contains(id)) {
            tools = tools.rename(id, renamed(id));
        }
        for id in &removed {
            tools = tools.remove(id);
        }
        let registry = builtin().tools(tools).build().unwrap();
        let mut cx = flags.iter().fold(PromptContext::default(), PromptContext::with_flag);
        if servers {
            cx = cx.with_mcp_server(McpServer::new("weather"));
        }
        if skills {
            cx = cx.with_skill(Skill::new("release", "Make a release."));
        }
        if modes {
            cx = cx.with_mode("plan");
        }
        for variant in REGISTRY.variants().map(PromptVariant::id) {
            let prompt = registry.build_blocking(&cx.clone().with_variant(variant)).unwrap();
            let warnings: Vec<_> = prompt.report().warnings().collect();
            // Without any tool the section on tools is empty, and says so; with all of them they are many.
            let fine = ["component-empty", "tool-many", "tool-tokens"];
            let others = warnings.iter().find(|w| !fine.contains(&w.code.as_str()));
            prop_assert!(others.is_none(), "{warnings:?}");
            let sent = sent(&prompt);
            let words = words(&sent);
            let all = tool_ids();
            let names = all.iter().cloned().chain(all.iter().map(|id| renamed(id)));
            for name in names.chain(["open_ticket".to_owned(), "file_issue".to_owned()]) {
                let enabled = prompt.tool_names().contains(&name);
                prop_assert!(enabled || !words.contains(name.as_str()), "{variant} speaks of {name}");
            }
            prop_assert!(
                flags.contains(&"task_progress") || !words.contains("task_progress"),
                "{variant} speaks of task_progress"
            );
            prop_assert_eq!(flags.contains(&"ticket"), words.contains("file_issue"));
        }
    }
}

/// The lint above must be able to see a tool: each that is enabled is there as a word.
#[test]
fn every_enabled_tool_has_its_name_in_the_prompt() {
    let cx = FLAGS.into_iter().fold(fixture(), PromptContext::with_flag).with_mode("plan");
    let cx = cx.with_skill(Skill::new("release", "Make a release."));
    for variant in REGISTRY.variants().map(PromptVariant::id) {
        let prompt = REGISTRY.build_blocking(&cx.clone().with_variant(variant)).unwrap();
        let sent = sent(&prompt);
        let words = words(&sent);
        for name in prompt.tool_names().model_names() {
            assert!(words.contains(name), "{variant} says nothing of {name}");
        }
    }
}

// ---- what they may cost ------------------------------------------------------------------------------------

/// The caps of variants/README.md, in o200k tokens, counted exactly.
#[test]
fn built_in_prompts_keep_their_budgets() {
    let tokenizer = tiktoken::get_encoding("o200k_base").expect("the vocabulary is in the crate");
    assert_eq!(tokenizer.count("hello world"), 2);
    let counted: BTreeMap<&str, (usize, usize)> = REGISTRY
        .variants()
        .map(|variant| {
            let prompt: Prompt =
                REGISTRY.build_blocking(&fixture().with_variant(variant.id())).unwrap();
            let cap = variant.traits().budget_tokens.expect("every built-in variant has a budget");
            (variant.id(), (tokenizer.count(&sent(&prompt)), usize::try_from(cap).unwrap()))
        })
        .collect();
    println!("tokens and caps: {counted:?}");
    assert!(counted.values().all(|(tokens, cap)| tokens <= cap), "tokens and caps: {counted:?}");
}

/// Cline's figures, in the same order and on the like context.
const CLINE: [(&str, usize); 12] = [
    ("xs", 1_367),
    ("native-gpt-5-1", 9_225),
    ("native-gpt-5", 6_983),
    ("gpt-5", 12_188),
    ("gemini-3", 10_189),
    ("glm", 5_290),
    ("hermes", 5_082),
    ("devstral", 12_416),
    ("trinity", 12_384),
    ("native-next-gen", 7_408),
    ("next-gen", 12_434),
    ("generic", 12_010),
];

/// `variants/README.md` says what each variant costs; `PROMPTLINE_UPDATE=1` writes it anew.
#[test]
fn the_readme_says_what_each_costs() {
    let tokenizer = tiktoken::get_encoding("o200k_base").expect("the vocabulary is in the crate");
    let mut table = String::from(
        "| variant | bytes | prose tokens | tool tokens | tools | total | cap | Cline |\n|---|---|---|---|---|---|---|---|\n",
    );
    for (variant, (id, cline)) in REGISTRY.variants().zip(CLINE) {
        assert_eq!(variant.id(), id);
        let prompt = REGISTRY.build_blocking(&fixture().with_variant(id)).unwrap();
        let sent = sent(&prompt);
        let total = tokenizer.count(&sent);
        let tools = match prompt.tools() {
            Some(native) => tokenizer.count(&native.to_value().to_string()),
            None => tokenizer.count(&prompt.section("TOOLS_SECTION").unwrap_or_default()),
        };
        let cap = variant.traits().budget_tokens.unwrap();
        let row = format!(
            "| {id} | {} | {} | {tools} | {} | {total} | {cap} | {cline} |\n",
            sent.trim_end().len(),
            total - tools,
            prompt.tool_names().len(),
        );
        table.push_str(&row);
    }
    let file = Path::new(ROOT).join("variants/README.md");
    let readme = fs::read_to_string(&file).unwrap();
    let (before, rest) = readme.split_once("<!-- sizes -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- /sizes -->").unwrap();
    let wanted = format!("{before}<!-- sizes -->\n{table}<!-- /sizes -->{after}");
    if std::env::var_os("PROMPTLINE_UPDATE").is_some() {
        fs::write(&file, &wanted).unwrap();
    }
    assert!(readme == wanted, "the table of sizes is old:\n{table}");
}

// ---- the pack in the binary ----------------------------------------------------------------------------------

#[test]
fn the_embedded_pack_is_the_folder() {
    // Reading a folder compiles every template in it; equal hashes say that the binary's are the same.
    let folder = Pack::from_dir(ROOT).unwrap_or_else(|error| panic!("{error:#}"));
    assert_eq!(Pack::builtin().hash(), folder.hash());
    assert_eq!(Pack::builtin().name(), folder.name());
}

/// The binary's own templates are compiled when they are used first: here, all of them.
#[test]
fn every_section_and_tool_of_the_embedded_pack_renders() {
    let everything = FLAGS.into_iter().fold(fixture(), PromptContext::with_flag).with_mode("act");
    let quiet = PromptContext::default().with_flag("auto_approve");
    let mut seen = BTreeSet::new();
    for variant in REGISTRY.variants() {
        for cx in [&everything, &quiet, &fixture()] {
            let cx = cx.clone().with_variant(variant.id()).with_skill(Skill::new("release", "x"));
            let cx = cx
                .with_runtime("FEEDBACK_ADDRESS", "bugs@example.org")
                .with_runtime("AGENT_NAME", "Relay");
            let prompt = REGISTRY.build_blocking(&cx).unwrap();
            seen.extend(prompt.sections().iter().map(|section| section.origin.to_string()));
            assert_eq!(prompt.report().unresolved, Vec::<String>::new());
        }
    }
    let variants = fs::read_dir(Path::new(ROOT).join("variants")).unwrap();
    let own = variants.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let own = own.map(|variant| format!("variants/{variant}/components"));
    let own = own.filter(|folder| Path::new(ROOT).join(folder).is_dir());
    for folder in own.chain(["templates/components".to_owned()]) {
        for file in fs::read_dir(Path::new(ROOT).join(&folder)).unwrap() {
            let file = format!("{folder}/{}", file.unwrap().file_name().to_string_lossy());
            assert!(seen.contains(&file), "{file} is in no prompt; there are {seen:?}");
        }
    }
}
