//! Overlays that `promptline new overlay` writes.

use std::collections::BTreeSet;

use promptline::{NativeTools, Overlay, PromptContext, PromptRegistry, overlay::OverlayOp};

use super::{Folder, build, builtin};

fn folder(registry: &PromptRegistry, section: &str, op: OverlayOp) -> Folder {
    let folder = Folder::new("");
    for (path, text) in Overlay::starter(registry, section, op).unwrap() {
        folder.put(&path, text);
    }
    folder
}

fn contexts() -> Vec<PromptContext> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/builtin/contexts");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let read = |file: &std::path::PathBuf| {
        let text = std::fs::read_to_string(file).unwrap();
        PromptContext::from_json(&file.display().to_string(), &text).unwrap()
    };
    files.iter().map(read).collect()
}

/// A copy of every section of every variant, all at once: the same bytes, the same tools.
#[test]
fn a_copy_changes_nothing() {
    let plain = builtin([]);
    let mut sections = BTreeSet::new();
    for variant in plain.variants() {
        sections.extend(variant.component_ids().iter().cloned());
    }
    assert!(sections.len() > 10, "{sections:?}");
    let folders: Vec<Folder> =
        sections.iter().map(|id| folder(&plain, id, OverlayOp::Replace)).collect();
    let overlays = folders.iter().map(|folder| Overlay::from_dir(folder.path()).unwrap());
    let changed = builtin(overlays);
    let mut compared = 0;
    for variant in plain.variants() {
        for cx in contexts() {
            let cx = cx.with_variant(variant.id());
            let (before, after) = (build(&plain, &cx), build(&changed, &cx));
            assert_eq!(after.text(), before.text(), "{}", variant.id());
            let tools = |tools: Option<&NativeTools>| tools.map(NativeTools::to_value);
            assert_eq!(tools(after.tools()), tools(before.tools()), "{}", variant.id());
            assert_eq!(after.report().diagnostics, before.report().diagnostics);
            compared += 1;
        }
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn every_operation_is_one_that_loads() {
    let plain = builtin([]);
    for op in [
        OverlayOp::Replace,
        OverlayOp::Append,
        OverlayOp::Prepend,
        OverlayOp::Remove,
        OverlayOp::Wrap,
    ] {
        for section in ["RULES_SECTION", "MCP_SECTION", "AGENT_ROLE_SECTION"] {
            let folder = folder(&plain, section, op);
            let base = PromptRegistry::builder().pack(promptline::Pack::builtin());
            let found = promptline::check::check_dir(folder.path(), base);
            assert_eq!(found, [], "{op:?} {section}");
        }
    }
}

#[test]
fn what_there_is_not_cannot_be_begun() {
    let refused = |section: &str| {
        Overlay::starter(&builtin([]), section, OverlayOp::Append).unwrap_err().to_string()
    };
    assert_eq!(
        refused("RULE_SECTION"),
        "there is no section `RULE_SECTION` (did you mean `RULES_SECTION`?)"
    );
    assert!(refused("X\"\n").starts_with("there is no section `X\\\"\\n` (sections are "));
    let host = promptline::component_fn("H_SECTION", |_| Ok(Some("Host.".into())));
    let registry = PromptRegistry::builder()
        .pack(promptline::Pack::builtin())
        .component_at(host, promptline::Place::Last)
        .build()
        .unwrap();
    assert!(Overlay::starter(&registry, "H_SECTION", OverlayOp::Replace).is_err());
    assert_eq!(Overlay::starter(&registry, "H_SECTION", OverlayOp::Append).unwrap().len(), 2);
}
