//! The pack changes under an overlay.

use promptline::check::check_dir;
use promptline::{Overlay, PromptRegistry, overlay::OverlayOp};

use super::{Folder, PACK, build, change, cx, overlay, registry};

/// An overlay as `new overlay` writes it for the small pack.
fn written(section: &str, op: OverlayOp) -> Folder {
    let folder = Folder::new("");
    for (path, text) in Overlay::starter(&registry([]), section, op).unwrap() {
        folder.put(&path, text);
    }
    folder
}

/// The drifts that a build over this pack warns of, and that a check reports.
fn drifts(overlay: &Folder, pack: &str) -> Vec<String> {
    let pack = crate::pack::pack(pack);
    let base = PromptRegistry::builder().pack(pack);
    let found = check_dir(overlay.path(), base.clone());
    let read = Overlay::from_dir(overlay.path()).unwrap();
    let prompt = build(&base.overlay(read).build().unwrap(), &cx());
    let root = overlay.path().to_str().unwrap();
    let warned: Vec<String> = prompt
        .report()
        .warnings()
        .map(|warning| warning.to_string().replace(root, "OVERLAY"))
        .collect();
    assert_eq!(warned.len(), found.len(), "{warned:?} {found:?}");
    for finding in &found {
        assert_eq!(finding.code, "overlay-drift");
        assert!(finding.line > 1 && finding.file.ends_with("overlay.toml"), "{finding:?}");
        assert!(warned.iter().any(|warned| warned.contains(&finding.message)), "{finding:?}");
    }
    warned
}

#[test]
fn nothing_is_reported_while_the_text_is_the_same() {
    for op in [OverlayOp::Replace, OverlayOp::Append, OverlayOp::Wrap, OverlayOp::Remove] {
        let overlay = written("A_SECTION", op);
        assert_eq!(drifts(&overlay, PACK), [""; 0]);
        // Blank lines around it, and everything else of the pack, do not count.
        assert_eq!(drifts(&overlay, &PACK.replace("The first.", "The first.\n\n")), [""; 0]);
        assert_eq!(drifts(&overlay, &PACK.replace("The last.", "The very last.")), [""; 0]);
    }
}

#[cfg(feature = "diff")]
#[test]
fn a_change_is_shown() {
    let overlay = written("A_SECTION", OverlayOp::Append);
    let now = PACK.replace("The first.", "The first.\nAnd the second.");
    let warned = drifts(&overlay, &now).join("\n");
    let warned = warned.split("; if so").next().unwrap().to_owned()
        + warned.split("what has changed").nth(1).unwrap();
    let at = warned.find(" in ").unwrap();
    let end = warned.find("/templates").unwrap();
    let warned = format!("{} in PACK{}", &warned[..at], &warned[end..]);
    insta::assert_snapshot!(warned, @r"
    OVERLAY/overlay.toml: warning[overlay-drift]: the text of `A_SECTION` in PACK/templates/components/a.md is not the one that this was written against (look whether it still fits:
    @@ -1,3 +1,4 @@
     ALPHA
     
     The first.
    +And the second.)
    ");
    // Without the kept text it is reported, and not shown.
    std::fs::remove_dir_all(overlay.path().join("base")).unwrap();
    let warned = drifts(&overlay, &now).join("\n");
    assert!(warned.contains("is not the one") && !warned.contains("what has changed"), "{warned}");
}

#[test]
fn only_a_change_that_is_made_warns() {
    let base = "text = 'x'\nbase = '0123456789ab'\n";
    let of = |when: &str| {
        let more = format!("{base}{when}");
        let registry = registry([overlay(&change("A_SECTION", "append", &more))]);
        build(&registry, &cx()).report().warnings().count()
    };
    assert_eq!(of(""), 1);
    assert_eq!(of("when = { variant = 'v' }"), 1);
    assert_eq!(of("when = { family = 'claude' }"), 0);
}

#[test]
fn one_of_several_bases_is_enough() {
    let files = Overlay::starter(&registry([]), "A_SECTION", OverlayOp::Append).unwrap();
    let base = files[0].1.split("base = \"").nth(1).unwrap().split('"').next().unwrap();
    let warnings = |base: String| {
        let more = format!("text = 'x'\nbase = {base}\n");
        let registry = registry([overlay(&change("A_SECTION", "append", &more))]);
        build(&registry, &cx()).report().warnings().count()
    };
    assert_eq!(warnings(format!("'{base}'")), 0);
    assert_eq!(warnings(format!("'{}'", &base[..8])), 0);
    assert_eq!(warnings(format!("['0123456789ab', '{base}']")), 0);
    assert_eq!(warnings("['0123456789ab', 'ba9876543210']".to_owned()), 1);
}

#[test]
fn a_component_of_the_host_has_no_text_to_compare() {
    let host = promptline::component_fn("H_SECTION", |_| Ok(Some("Host.".into())));
    let more = "text = 'x'\nbase = '0123456789ab'";
    let registry = PromptRegistry::builder()
        .pack(crate::pack::pack(PACK))
        .component_at(host, promptline::Place::Last)
        .overlay(overlay(&change("H_SECTION", "append", more)))
        .build()
        .unwrap();
    let prompt = build(&registry, &cx());
    let warning = prompt.report().warnings().next().unwrap().to_string();
    insta::assert_snapshot!(
        warning,
        @"o.toml: warning[overlay-drift]: `H_SECTION` is written by the host's program: its text cannot be compared with `base` (take `base` out)"
    );
}

/// Of a section that each variant words differently, the unknown text is the one that is reported.
#[test]
fn the_text_that_changed_is_reported_and_no_other() {
    let plain = super::builtin([]);
    let folder = Folder::new("");
    for (path, text) in Overlay::starter(&plain, "RULES_SECTION", OverlayOp::Replace).unwrap() {
        folder.put(&path, text);
    }
    let file = folder.path().join("overlay.toml");
    let toml = std::fs::read_to_string(&file).unwrap();
    // As if `glm` had said something else when it was written.
    let of_glm = toml.find("file = \"rules_section-glm.md\"").unwrap();
    let base = of_glm + toml[of_glm..].find("base = \"").unwrap() + "base = \"".len();
    std::fs::write(&file, format!("{}aaaaaaaaaaaa{}", &toml[..base], &toml[base + 12..])).unwrap();
    let found =
        check_dir(folder.path(), PromptRegistry::builder().pack(promptline::Pack::builtin()));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message.contains("variants/glm/components/rules.md"), "{}", found[0].message);
}
