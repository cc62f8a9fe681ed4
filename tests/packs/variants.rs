//! What a variant's folder changes: overrides, own components and tools, its template.

use promptline::{
    PromptContext, PromptRegistry,
    report::{ComponentStatus, ToolStatus},
};

use crate::pack::{Folder, built, pack};

/// A pack with three sections and two tools; the files of the variant `v` follow.
fn with(variant: &str) -> String {
    format!(
        r#"
-- variants/pack.toml
schema = 1
name = "three"
variants = ["v"]
-- templates/components/a.md
+++
id = "A_SECTION"
+++
A.
-- templates/components/b.md
+++
id = "B_SECTION"
+++
B.
-- templates/components/c.md
+++
id = "C_SECTION"
+++
C.
-- templates/components/t.md
+++
id = "T_SECTION"
+++
{{{{TOOLS_SECTION}}}}
-- templates/tools/read.toml
schema = 1
id = "read"
description = "Read a file."
-- templates/tools/list.toml
schema = 1
id = "list"
description = "List a folder."
-- variants/v/variant.toml
schema = 1
{}"#,
        variant.trim_start_matches('\n')
    )
}

fn cx() -> PromptContext {
    PromptContext::new("p", "m")
}

fn text(variant: &str) -> String {
    built(&[&with(variant)], &cx()).into_text()
}

const THREE: &str = "components = [\"A_SECTION\", \"B_SECTION\", \"C_SECTION\"]\n";

/// The small words of the sections, in order.
fn order(overrides: &str) -> String {
    text(&format!("{THREE}{overrides}")).replace("\n\n====\n\n", " ")
}

#[test]
fn sections_stand_in_the_order_of_the_list() {
    assert_eq!(text(THREE), "A.\n\n====\n\nB.\n\n====\n\nC.");
}

#[test]
fn a_component_that_is_switched_off_goes_with_its_separator() {
    let archive = with(&format!("{THREE}[component.B_SECTION]\nenabled = false\n"));
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.text(), "A.\n\n====\n\nC.");
    let report = prompt.report();
    let b = report.components.iter().find(|c| c.id == "B_SECTION");
    assert_eq!(b.unwrap().status, ComponentStatus::Disabled);
}

#[test]
fn orders_move_components() {
    // The places of the list count 10, 20, 30.
    for (overrides, right) in [
        ("[component.C_SECTION]\norder = 5\n", "C. A. B."),
        ("[component.C_SECTION]\norder = 15\n", "A. C. B."),
        ("[component.A_SECTION]\norder = 31\n", "B. C. A."),
        ("[component.A_SECTION]\norder = -1\n", "A. B. C."),
        // Ties keep the order of the list.
        ("[component.C_SECTION]\norder = 10\n", "A. C. B."),
        ("[component.A_SECTION]\norder = 30\n", "B. A. C."),
        ("[component.A_SECTION]\norder = 1\n[component.B_SECTION]\norder = 0\n", "B. A. C."),
        ("[component.A_SECTION]\norder = 99\nenabled = false\n", "B. C."),
        ("[component.A_SECTION]\nenabled = true\n", "A. B. C."),
    ] {
        assert_eq!(order(overrides), right, "{overrides}");
    }
}

#[test]
fn order_is_the_order_in_which_sections_can_see_each_other() {
    let seeing = |overrides: &str| {
        let folder = Folder::new(&with(&format!("{THREE}{overrides}")));
        folder.put(
            "templates/components/a.md",
            "+++\nid = \"A_SECTION\"\n+++\nA sees {{C_SECTION}}\n",
        );
        let pack = folder.load().unwrap();
        PromptRegistry::builder().pack(pack).build().map(|_| ())
    };
    assert!(seeing("").is_err());
    assert!(seeing("[component.C_SECTION]\norder = 1\n").is_ok());
}

#[test]
fn an_override_names_a_file_of_the_variant_s_folder() {
    let archive = with(&format!(
        "{THREE}[component.B_SECTION]\ntemplate = \"short.md\"\n\
         -- variants/v/short.md\n+++\nid = \"B_SECTION\"\n+++\nB, but short.\n"
    ));
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.section("B_SECTION").as_deref(), Some("B, but short."));
    let section = prompt.sections().iter().find(|s| s.id == "B_SECTION");
    assert!(section.unwrap().origin.ends_with("variants/v/short.md"));
}

#[test]
fn an_own_component_wins_over_the_pack_s_in_its_variant_only() {
    let archive = with(&format!(
        "{THREE}-- variants/v/components/b.md\n+++\nid = \"B_SECTION\"\n+++\nB of v.\n\
         -- variants/w/variant.toml\nschema = 1\n{THREE}"
    ))
    .replace("[\"v\"]", "[\"v\", \"w\"]");
    let of = |id: &str| built(&[&archive], &cx().with_variant(id)).section("B_SECTION");
    assert_eq!(of("v").as_deref(), Some("B of v."));
    assert_eq!(of("w").as_deref(), Some("B."));
}

#[test]
fn an_own_component_may_be_one_that_the_pack_does_not_have() {
    let archive = with(
        "components = [\"NEW_SECTION\"]\n\
         -- variants/v/components/new.md\n+++\nid = \"NEW_SECTION\"\n+++\nNew.\n",
    );
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.text(), "New.");
    assert_eq!(prompt.report().warnings().count(), 0);
}

#[test]
fn an_own_tool_wins_in_its_variant_only() {
    let archive = with(
        "components = [\"T_SECTION\"]\ntools = [\"read\"]\n\
         -- variants/v/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"Read for v.\"\n\
         -- variants/w/variant.toml\nschema = 1\ncomponents = [\"T_SECTION\"]\ntools = [\"read\"]\n",
    )
    .replace("[\"v\"]", "[\"v\", \"w\"]");
    let of = |id: &str| built(&[&archive], &cx().with_variant(id)).into_text();
    assert!(of("v").contains("Read for v."));
    assert!(of("w").contains("Read a file."));
}

#[test]
fn own_parts_are_inherited() {
    let archive = with(
        "components = [\"B_SECTION\", \"T_SECTION\"]\ntools = [\"read\"]\n\
         -- variants/v/components/b.md\n+++\nid = \"B_SECTION\"\n+++\nB of v.\n\
         -- variants/v/tools/read.toml\nschema = 1\nid = \"read\"\ndescription = \"Read for v.\"\n\
         -- variants/w/variant.toml\nschema = 1\nextends = \"v\"\n",
    )
    .replace("[\"v\"]", "[\"v\", \"w\"]");
    let text = built(&[&archive], &cx().with_variant("w")).into_text();
    assert!(text.starts_with("B of v."), "{text}");
    assert!(text.contains("Read for v."), "{text}");
}

#[test]
fn another_variant_s_own_tool_is_never_taken() {
    let archive = with(
        "components = [\"T_SECTION\"]\ntools = [\"grep\"]\n\
         -- variants/w/variant.toml\nschema = 1\n\
         -- variants/w/tools/grep.toml\nschema = 1\nid = \"grep\"\ndescription = \"For w.\"\n",
    )
    .replace("[\"v\"]", "[\"v\", \"w\"]");
    let prompt = built(&[&archive], &cx().with_variant("v"));
    assert_eq!(prompt.text(), "");
    let warnings: Vec<_> = prompt.report().warnings().collect();
    assert_eq!(warnings.len(), 1);
    assert_eq!(
        (warnings[0].code.as_str(), warnings[0].subject.as_deref()),
        ("tool-unknown", Some("grep"))
    );
}

#[test]
fn tools_are_switched_off_moved_renamed_and_reworded() {
    let tools = |overrides: &str| {
        let archive = with(&format!(
            "components = [\"T_SECTION\"]\ntools = [\"read\", \"list\"]\n{overrides}"
        ));
        built(&[&archive], &cx())
    };
    let names = |overrides: &str| -> Vec<String> {
        let report = tools(overrides).report().clone();
        assert!(report.tools.iter().all(|t| t.status == ToolStatus::Enabled));
        report.tools.into_iter().map(|tool| tool.name.to_string()).collect()
    };
    assert_eq!(names(""), ["read", "list"]);
    assert_eq!(names("[tool.read]\nenabled = false\n"), ["list"]);
    assert_eq!(names("[tool.list]\norder = 5\n"), ["list", "read"]);
    assert_eq!(names("[tool.list]\norder = 10\n"), ["read", "list"]);
    assert_eq!(names("[tool.read]\nname = \"open\"\n"), ["open", "list"]);

    let prompt = tools("[tool.read]\nname = \"open\"\ndescription = \"Open under {{CWD}}.\"\n");
    assert_eq!(prompt.tool_names().get("open").unwrap().id, "read");
    assert!(prompt.text().starts_with("## open\nDescription: Open under .\n"), "{}", prompt.text());
    assert!(prompt.text().contains("<open>\n</open>"));
}

#[test]
fn a_variant_with_tool_form_none_describes_no_tools() {
    let archive = with(
        "components = [\"A_SECTION\", \"T_SECTION\"]\ntools = [\"read\"]\ntool_form = \"none\"\n",
    );
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.text(), "A.");
}

#[test]
fn template_md_decides_where_sections_stand() {
    let archive = with(&format!(
        "{THREE}-- variants/v/template.md\nFirst {{{{C_SECTION}}}}\n\n====\n\n{{{{A_SECTION}}}} and {{{{B_SECTION}}}}\n"
    ));
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.text(), "First C.\n\n====\n\nA. and B.");
    let template = &prompt.sections()[0];
    assert_eq!(template.id, promptline::prompt::TEMPLATE_SECTION);
    assert!(template.origin.ends_with("variants/v/template.md"));
}

#[test]
fn an_inherited_template_md_is_reported_as_the_file_that_it_is() {
    let archive = with(
        "components = [\"A_SECTION\"]\n-- variants/v/template.md\nSay: {{A_SECTION}}\n\
         -- variants/w/variant.toml\nschema = 1\nextends = \"v\"\n",
    )
    .replace("[\"v\"]", "[\"v\", \"w\"]");
    let prompt = built(&[&archive], &cx().with_variant("w"));
    assert_eq!(prompt.text(), "Say: A.");
    let origin = &prompt.sections()[0].origin;
    assert!(origin.ends_with("variants/v/template.md"), "{origin}");
}

#[test]
fn a_section_that_is_printed_inside_another_counts_as_printed() {
    let archive = with(
        "components = [\"A_SECTION\", \"OUTER_SECTION\"]\n\
         -- templates/components/outer.md\n+++\nid = \"OUTER_SECTION\"\n+++\nOuter: {{A_SECTION}}\n\
         -- variants/v/template.md\n{{OUTER_SECTION}}\n",
    );
    assert_eq!(built(&[&archive], &cx()).text(), "Outer: A.");
}

#[test]
fn a_switched_off_section_may_stay_in_template_md() {
    let archive = with(&format!(
        "{THREE}[component.B_SECTION]\nenabled = false\n\
         -- variants/v/template.md\n{{{{A_SECTION}}}}\n\n====\n\n{{{{B_SECTION}}}}\n\n====\n\n{{{{C_SECTION}}}}\n"
    ));
    let prompt = built(&[&archive], &cx());
    assert_eq!(prompt.text(), "A.\n\n====\n\nC.");
    assert_eq!(prompt.report().unresolved, [""; 0]);
}

#[test]
fn partials_are_shared_by_components_tools_and_templates() {
    let archive = with(
        "components = [\"P_SECTION\", \"T_SECTION\"]\ntools = [\"p\"]\n\
         -- templates/partials/limit.md\nno more than {{LIMIT}}\n\
         -- templates/components/p.md\n+++\nid = \"P_SECTION\"\n+++\nWrite {{> limit}}\n\
         -- templates/tools/p.toml\nschema = 1\nid = \"p\"\ndescription = \"Take {{> limit}}\"\n\
         -- variants/v/template.md\nAlways {{> limit}}\n\n{{P_SECTION}}\n\n{{T_SECTION}}\n",
    );
    let text = built(&[&archive], &cx().with_runtime("LIMIT", 3)).into_text();
    assert!(text.starts_with("Always no more than 3\n"), "{text}");
    assert!(text.contains("Write no more than 3"), "{text}");
    assert!(text.contains("Description: Take no more than 3"), "{text}");
}

#[test]
fn a_component_that_is_listed_and_not_there_is_a_warning() {
    let prompt = built(&[&with("components = [\"A_SECTION\", \"GONE_SECTION\"]\n")], &cx());
    assert_eq!(prompt.text(), "A.");
    let codes: Vec<_> = prompt.report().warnings().map(|w| w.code.as_str()).collect();
    assert_eq!(codes, ["component-unknown"]);
}

#[test]
fn a_later_pack_brings_what_an_earlier_one_lists() {
    let lower = with("components = [\"A_SECTION\", \"GONE_SECTION\"]\n");
    let upper = "-- variants/pack.toml\nschema = 1\nname = \"upper\"\n\
                 -- templates/components/g.md\n+++\nid = \"GONE_SECTION\"\n+++\nFound.\n";
    let registry = PromptRegistry::builder().pack(pack(&lower)).pack(pack(upper)).build().unwrap();
    let prompt = registry.build_blocking(&cx()).unwrap();
    assert_eq!(prompt.text(), "A.\n\n====\n\nFound.");
    assert_eq!(prompt.report().warnings().count(), 0);
}

#[test]
fn each_key_of_an_override_is_inherited_by_itself() {
    // `w` extends `v` and says another key of the same override.
    let inherited = |table: &str, base: &str, own: &str| {
        let archive = with(&format!(
            "components = [\"A_SECTION\", \"B_SECTION\", \"T_SECTION\"]\ntools = [\"read\", \"list\"]\n\
             [{table}]\n{base}\n\
             -- variants/w/variant.toml\nschema = 1\nextends = \"v\"\n[{table}]\n{own}\n"
        ))
        .replace("[\"v\"]", "[\"v\", \"w\"]");
        let prompt = built(&[&archive], &cx().with_variant("w"));
        let sections = prompt.text().replace("\n\n====\n\n", " ");
        let names: Vec<_> = prompt.report().tools.iter().map(|t| &*t.name).collect();
        (sections[..5].to_owned(), names.join(" "), prompt.into_text())
    };
    let (component, tool) = ("component.A_SECTION", "tool.read");
    let (off, order) = ("enabled = false", "order = 25");
    assert_eq!(inherited(component, off, order).0, "B. ##");
    assert_eq!(inherited(component, order, "enabled = true").0, "B. A.");
    assert_eq!(inherited(component, off, "enabled = true").0, "A. B.");
    assert_eq!(inherited(component, order, "order = 1").0, "A. B.");

    let (name, words) = ("name = \"open\"", "description = \"Open it.\"");
    assert_eq!(inherited(tool, off, name).1, "list");
    assert_eq!(inherited(tool, order, name).1, "list open");
    assert_eq!(inherited(tool, name, order).1, "list open");
    assert_eq!(inherited(tool, name, "name = \"get\"").1, "get list");
    assert!(inherited(tool, words, name).2.contains("## open\nDescription: Open it.\n"));
    assert!(inherited(tool, words, "description = \"Get it.\"").2.contains(": Get it.\n"));
}
