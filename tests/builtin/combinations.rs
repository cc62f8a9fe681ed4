//! What must hold for every built-in variant whatever is switched on: each text names only tools that
//! are offered, each offered tool is described once and in the form of the variant, nothing is left
//! empty, doubled or unresolved, and the prompt keeps its budget.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::thread;

use promptline::cleanup::{Level, clean};
use promptline::{
    Pack, Prompt, PromptContext, PromptRegistry, PromptVariant, context::Skill, prompt::SpanKind,
    tools::TextForm,
};

/// What a host can switch on. The last four are no flags: MCP servers, skills, plan mode, and the
/// preference for native tools, which is one.
const SWITCHES: [&str; 12] = [
    "browser",
    "task_progress",
    "auto_approve",
    "web_tools",
    "subagents",
    "cli",
    "multi_root",
    "parallel_tools",
    "native_tools",
    "MCP",
    "SKILLS",
    "PLAN",
];

fn fixture() -> PromptContext {
    let mut basic: serde_json::Value =
        serde_json::from_str(include_str!("contexts/basic.json")).unwrap();
    basic.as_object_mut().unwrap().remove("flags");
    PromptContext::from_json("basic.json", &basic.to_string()).expect("the context is whole")
}

/// Combinations of the switches in which any four of them stand in all sixteen ways: the first eight
/// count through, and each of the others is the parity of four of these (no four columns depend on each
/// other). All 4,096 would show nothing more about texts whose conditions are at most four deep.
fn combinations() -> impl Iterator<Item = usize> {
    const PARITIES: [u32; 4] = [0b1111_0000, 0b0011_1100, 0b0000_1111, 0b1010_1010];
    (0..256_u32).map(|counted| {
        let parity = |mask: &u32| (counted & mask).count_ones() & 1;
        let others = PARITIES.iter().enumerate();
        let all = others.fold(counted, |all, (bit, mask)| all | parity(mask) << (8 + bit));
        usize::try_from(all).unwrap()
    })
}

fn context(combination: usize) -> PromptContext {
    let mut cx = fixture();
    let servers = std::mem::take(&mut cx.mcp_servers);
    for (bit, switch) in SWITCHES.iter().enumerate() {
        if combination & (1 << bit) == 0 {
            continue;
        }
        cx = match *switch {
            "MCP" => servers.iter().cloned().fold(cx, PromptContext::with_mcp_server),
            "SKILLS" => cx.with_skill(Skill::new("release", "Make a release.")),
            "PLAN" => cx.with_mode("plan"),
            flag => cx.with_flag(flag),
        };
    }
    cx
}

/// Ids of all tools of the pack.
fn tool_ids() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/tools");
    let name = |file: fs::DirEntry| file.file_name().into_string().unwrap();
    let files = fs::read_dir(folder).unwrap().map(|file| name(file.unwrap()));
    files.map(|file| file.trim_end_matches(".toml").to_owned()).collect()
}

/// The text without what users and servers wrote.
fn own_text(prompt: &Prompt) -> String {
    let spans = prompt.sections().iter().flat_map(|section| &section.spans);
    spans
        .map(|span| match span.kind {
            SpanKind::Authored => &prompt.text()[span.start..span.end],
            _ => "\u{25AE}",
        })
        .collect()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').collect()
}

fn faults(prompt: &Prompt, variant: &PromptVariant, known: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let own = own_text(prompt);
    let native = prompt.tools().map(|tools| tools.to_value().to_string()).unwrap_or_default();
    let enabled: BTreeSet<&str> = prompt.tool_names().model_names().collect();

    let both = format!("{own}\n{native}");
    let words = words(&both);
    for tool in known {
        if words.contains(tool.as_str()) && !enabled.contains(tool.as_str()) {
            faults.push(format!("it speaks of {tool}, which is not offered"));
        }
    }
    let section = prompt.section("TOOLS_SECTION").unwrap_or_default();
    if section.is_empty() == native.is_empty() {
        faults.push("its tools stand in both forms or in none".to_owned());
    }
    for name in &enabled {
        let (in_text, in_json) = (format!("## {name}\n"), format!("\"name\":\"{name}\""));
        let described = if !native.is_empty() {
            native.matches(&in_json).count()
        } else if variant.text_form() == TextForm::Hermes {
            section.matches(&in_json).count()
        } else {
            section.matches(&in_text).count()
        };
        if described != 1 {
            faults.push(format!("it describes {name} {described} times"));
        }
    }

    for warning in prompt.report().warnings() {
        faults.push(format!("warning: {}", warning.message));
    }
    if !prompt.report().unresolved.is_empty() || own.contains("{{") {
        faults.push(format!("unresolved: {:?}", prompt.report().unresolved));
    }
    if clean(&own, Level::Document) != own {
        faults.push("cleaning it again changes it".to_owned());
    }
    let lines: Vec<&str> = own.lines().filter(|line| !line.trim().is_empty()).collect();
    for pair in lines.windows(2) {
        if pair == ["====", "===="] {
            faults.push("two separators follow each other".to_owned());
        }
    }
    for section in own.split("\n====\n") {
        let mut lines = section.lines().filter(|line| !line.trim().is_empty());
        let title = lines.next().unwrap_or_default();
        let is_title = title.chars().all(|c| c.is_uppercase() || c == ' ');
        if title.is_empty() || (is_title && lines.next().is_none()) {
            faults.push(format!("the section {title:?} is empty"));
        }
    }

    let budget = variant.traits().budget_tokens.expect("every built-in variant has a budget");
    let bytes = prompt.text().len() + native.len();
    // A token of these texts has 4.6 bytes on average; the fixture's own tokens are counted exactly
    // (`built_in_prompts_keep_their_budgets`).
    if bytes * 10 > usize::try_from(budget).unwrap() * 46 {
        faults.push(format!("{bytes} bytes are over its budget of {budget} tokens"));
    }
    faults
}

#[test]
fn every_variant_holds_in_every_combination() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    let known = tool_ids();
    let variants: Vec<&PromptVariant> = registry.variants().collect();
    assert_eq!(variants.len(), 12);
    let halves: Vec<Vec<&PromptVariant>> = variants.chunks(6).map(<[_]>::to_vec).collect();
    let found: Vec<String> = thread::scope(|scope| {
        let run = |half: Vec<&PromptVariant>| {
            let mut found = Vec::new();
            for combination in combinations() {
                let cx = context(combination);
                for variant in &half {
                    let prompt =
                        registry.build_blocking(&cx.clone().with_variant(variant.id())).unwrap();
                    for fault in faults(&prompt, variant, &known) {
                        found.push(format!("{} {:012b}: {fault}", variant.id(), combination));
                    }
                }
            }
            found
        };
        let running: Vec<_> =
            halves.into_iter().map(|half| scope.spawn(move || run(half))).collect();
        running.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    assert!(
        found.is_empty(),
        "{} faults, the first:\n{}",
        found.len(),
        found[..found.len().min(20)].join("\n")
    );
}

#[test]
fn any_four_switches_stand_in_every_way() {
    let rows: Vec<usize> = combinations().collect();
    for a in 0..12 {
        for b in 0..a {
            for c in 0..b {
                for d in 0..c {
                    let seen: BTreeSet<usize> = rows
                        .iter()
                        .map(|row| {
                            [a, b, c, d].iter().fold(0, |key, bit| key << 1 | row >> bit & 1)
                        })
                        .collect();
                    assert_eq!(seen.len(), 16, "{a} {b} {c} {d}");
                }
            }
        }
    }
}
