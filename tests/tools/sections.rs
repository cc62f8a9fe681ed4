//! Sections of the `xml` form, read and written again: the same bytes.

use std::fs;

use promptline::{
    Pack, Param, PromptContext, PromptRegistry, Text, ToolSpec,
    tools::{ToolSections, read_tool_sections, tool_section},
};
use proptest::prelude::*;

use crate::support::cases_folder;

fn rendered(tools: &[ToolSpec]) -> String {
    tool_section(tools, &PromptContext::default()).unwrap().text.to_string()
}

fn messages(list: &ToolSections) -> Vec<&str> {
    list.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect()
}

fn names(list: &ToolSections) -> Vec<&str> {
    list.tools.iter().map(|tool| tool.name.as_str()).collect()
}

/// The shared prompts are only read here, never copied.
#[test]
fn the_sections_of_finished_prompts_come_out_as_they_were() {
    let Some(folder) = cases_folder() else {
        println!("sections: the folder of cases is absent; nothing was run");
        return;
    };
    let mut files: Vec<_> =
        fs::read_dir(folder.join("cline")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| !path.to_string_lossy().ends_with(".tools.snap"));
    let (mut sections, mut wrong) = (0, Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).unwrap();
        let file = path.file_name().unwrap().to_string_lossy();
        let list = read_tool_sections(&text);
        assert_eq!(messages(&list), Vec::<&str>::new(), "{file}");
        // Every section that is there is read …
        let headings = text.lines().zip(text.lines().skip(1));
        let there: Vec<&str> = headings
            .filter(|(line, next)| line.starts_with("## ") && next.starts_with("Description:"))
            .map(|(line, _)| &line[3..])
            .collect();
        assert_eq!(names(&list), there, "{file}");
        // … and is in the text as it is rendered, alone and with the others.
        for tool in &list.tools {
            sections += 1;
            let alone = rendered(std::slice::from_ref(tool));
            if !text.contains(&format!("\n{alone}\n")) {
                wrong.push(format!("{file}: {}", tool.name));
            }
        }
        if !list.tools.is_empty() && !text.contains(&format!("\n{}\n", rendered(&list.tools))) {
            wrong.push(format!("{file}: all together"));
        }
    }
    println!("sections: {} of {sections} right in {} prompts", sections - wrong.len(), files.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(sections > 0);
}

#[test]
fn the_sections_of_our_own_prompts_come_out_as_they_were() {
    let registry = PromptRegistry::builder().pack(Pack::builtin()).build().unwrap();
    for variant in ["generic", "next-gen"] {
        let cx = PromptContext::new("p", "m")
            .with_variant(variant)
            .with_cwd("/srv")
            .with_flag("browser");
        let prompt = registry.build_blocking(&cx).unwrap();
        let text = prompt.section("TOOLS_SECTION").unwrap();
        let list = read_tool_sections(prompt.text());
        assert_eq!(messages(&list), Vec::<&str>::new());
        assert_eq!(rendered(&list.tools), text, "{variant}");
    }
}

#[test]
fn what_only_looks_like_a_section_is_left_alone() {
    let list = read_tool_sections(
        "## Heading\n\ntext\n\n## 3d\nDescription: no name\n\n## later\nDescription:no blank\n",
    );
    assert_eq!((names(&list), messages(&list)), (vec![], vec![]));
}

#[test]
fn broken_sections_cost_themselves() {
    let good = "## good\nDescription: D.\nParameters: None\nUsage:\n<good>\n</good>";
    for (bad, why) in [
        ("## bad\nDescription: D.\n", "there is no line `Parameters:` behind its description"),
        (
            "## bad\nDescription: D.\nParameters: None\n",
            "there is no line `Usage:` behind its parameters",
        ),
        (
            "## bad\nDescription: D.\nParameters:\nnone\nUsage:\n",
            "its parameters do not begin with `- name: (required) `",
        ),
        (
            "## bad\nDescription: D.\nParameters:\n- a: (required) A\n- a: (optional) A\nUsage:\n",
            "the parameter `a` is there twice",
        ),
    ] {
        let list = read_tool_sections(&format!("{bad}\n{good}\n\nand text"));
        assert_eq!(names(&list), ["good"], "{bad}");
        let said = format!("`line 1`: the tool `bad` is left out: {why}");
        assert_eq!(messages(&list), [said], "{bad}");
    }
}

#[test]
fn a_sample_call_that_is_another_one_is_not_kept() {
    let list = read_tool_sections(
        "## t\nDescription: D.\nParameters:\n- a: (required) A\n- b: (optional) B\nUsage:\n\
         <t>\n<b>1</b>\n</t>",
    );
    assert_eq!(names(&list), ["t"]);
    assert_eq!(
        messages(&list),
        ["line 1: the sample call of `t` is not kept: `<a>…</a>` is not where it belongs"]
    );
}

fn words() -> impl Strategy<Value = String> {
    let pieces = [
        "Finds",
        " ",
        "\n",
        "\n\n",
        "- a: (required) x",
        "  - b",
        "<a>",
        "</a>",
        "Usage:",
        "é",
        "\t",
        "====",
        "# x",
        "{{X}}",
        "(optional) ",
        "`",
        "```",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..8).prop_map(|all| all.concat())
}

fn param() -> impl Strategy<Value = Param> {
    ("[a-z]{1,3}", any::<bool>(), words(), "[a-z \\n<]{0,9}").prop_map(
        |(name, required, words, usage)| {
            let words = Text::authored(words);
            let param = match required {
                true => Param::required(name, words),
                false => Param::optional(name, words),
            };
            param.with_usage(usage)
        },
    )
}

fn tool() -> impl Strategy<Value = ToolSpec> {
    ("[a-z_]{4,8}", words(), prop::collection::vec(param(), 0..4), any::<bool>()).prop_map(
        |(name, words, params, authored)| {
            let words = if authored { Text::authored(words) } else { Text::from(words) };
            params
                .into_iter()
                .fold(ToolSpec::new(name).with_description(words), ToolSpec::with_param)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn read_and_written_again(tools in prop::collection::vec(tool(), 1..4)) {
        let mut seen = std::collections::BTreeSet::new();
        let tools: Vec<ToolSpec> = tools
            .into_iter()
            .filter(|tool| tool.check().is_ok() && seen.insert(tool.name.clone()))
            .collect();
        let text = rendered(&tools);
        let list = read_tool_sections(&text);
        prop_assert_eq!(messages(&list), Vec::<&str>::new());
        prop_assert_eq!(rendered(&list.tools), text);
    }
}
