//! Mistakes, each with its place and what to do. The loader and the check say the same.

use promptline::check::check_dir;
use promptline::{Overlay, Pack, PromptRegistry};

use super::{Folder, PACK};

/// What a check says, the folder called OVERLAY.
fn reported(overlay: &Folder, base: &Pack) -> String {
    let root = overlay.path().to_str().unwrap();
    let mut reported = String::new();
    for f in check_dir(overlay.path(), PromptRegistry::builder().pack(base.clone())) {
        reported += &format!(
            "{}:{}:{}+{}: {}: {}\n",
            f.file, f.line, f.column, f.length, f.code, f.message
        );
        reported += &f.help.map(|help| format!("  help: {help}\n")).unwrap_or_default();
    }
    reported.replace(root, "OVERLAY")
}

/// The error of a registry with this overlay.
fn refusal(overlay: &Folder, base: &Pack) -> Option<String> {
    let made = Overlay::from_dir(overlay.path()).and_then(|overlay| {
        PromptRegistry::builder().pack(base.clone()).overlay(overlay).build().map(drop)
    });
    let root = overlay.path().to_str().unwrap();
    made.err().map(|error| {
        let (line, column) = error.line_column().unwrap_or((1, 1));
        let file = error.file().unwrap_or_default().replace(root, "OVERLAY");
        format!(
            "{file}:{line}:{column}+{}: {}: {}\n",
            error.length(),
            error.code(),
            error.message()
        )
    })
}

const MISTAKES: &[&str] = &[
    "id = 'A_SECTON'\nop = 'append'\ntext = 'x'",
    "id = 'TOOLS_SECTION'\nop = 'append'\ntext = 'x'",
    "id = 'A_SECTION'\nop = 'remove'",
    "id = 'A_SECTION'\nop = 'add'\ntext = 'x'",
    "id = 'A_SECTION'\nop = 'append'\ntxt = 'x'",
    "op = 'append'\ntext = 'x'",
    "id = 'A_SECTION'\nop = 'append'",
    "id = 'A_SECTION'\nop = 'wrap'",
    "id = 'A_SECTION'\nop = 'append'\ntext = \" \\n\"",
    "id = 'A_SECTION'\nop = 'wrap'\nbefore = ''\nafter = 'x'",
    "id = 'A_SECTION'\nop = 'replace'\nfile = 'empty.md'",
    "id = 'A_SECTION'\nop = 'replace'\nfile = 'gone.md'",
    "id = 'A_SECTION'\nop = 'replace'\nfile = '../secret.md'",
    "id = 'A_SECTION'\nop = 'replace'\nfile = '/etc/passwd'",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nfile = 'good.md'",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nbefore = 'y'",
    "id = 'C_SECTION'\nop = 'remove'\ntext = 'x'",
    "id = 'C_SECTION'\nop = 'remove'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nacknowledge = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nbase = 'latest'",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nwhen = { famly = 'claude' }",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nwhen = { family = 'cluade' }",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x'\nwhen = { is = 'clade' }",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x {{CWD'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\nfile = 'broken.md'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x {{> d}}'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x {{CDW}}'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x {{C_SECTION}}'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'append'\ntext = 'x {{A_SECTION}}'\ntemplate = true",
    "id = 'A_SECTION'\nop = 'replace'\ntext = 'x'\n[[section]]\nid = 'A_SECTION'\nop = 'replace'\ntext = 'y'",
];

const FILES: &str = "-- empty.md\n\n-- broken.md\nfine\n\n{{#if X}}\n-- good.md\nx\n";

#[test]
fn each_mistake_has_its_place() {
    let base = crate::pack::pack(PACK);
    let mut golden = String::new();
    for mistake in MISTAKES {
        let overlay = Folder::new(FILES);
        overlay.put("overlay.toml", format!("schema = 1\n[[section]]\n{mistake}\n"));
        let reported = reported(&overlay, &base);
        // The files that this mistake does not name.
        let mut blocks: Vec<&str> = reported.split_inclusive('\n').collect();
        while let Some(at) = blocks.iter().position(|line| line.contains(": stray-file: ")) {
            blocks.drain(at..at + 2);
        }
        let reported = blocks.concat();
        assert!(!reported.is_empty(), "{mistake}");
        if let Some(error) = refusal(&overlay, &base) {
            assert!(reported.contains(&error), "{mistake}\n{error}\n{reported}");
        }
        golden += &format!("{mistake}\n=> {reported}\n");
    }
    insta::assert_snapshot!("mistakes", golden);
}

#[test]
fn folders_that_are_none() {
    let refused = |folder: &Folder| {
        let error = Overlay::from_dir(folder.path()).unwrap_err();
        folder.shown(&error)
    };
    insta::assert_snapshot!(refused(&Folder::new("-- a.md\nx\n")), @r"
    Pack: PACK/overlay.toml: the overlay has no `overlay.toml`
    help: write one: `schema = 1`, then a `[[section]]` with `id` and `op`
    ");
    let error = Overlay::from_dir("no/such/folder").unwrap_err();
    insta::assert_snapshot!(format!("{error:#}"), @r"
    there is no folder `no/such/folder`
    help: name the folder that holds `overlay.toml`
    ");
    let bytes = Folder::new("");
    bytes.put("overlay.toml", [b'a', 0xFF]);
    assert!(refused(&bytes).contains("not UTF-8"), "{}", refused(&bytes));
    let large = Folder::new("");
    large.put("overlay.toml", "#".repeat((1 << 20) + 1));
    assert!(refused(&large).contains("at most 1048576"), "{}", refused(&large));
    let many = Folder::new("");
    let change = "[[section]]\nid = 'A_SECTION'\nop = 'append'\ntext = 'x'\n";
    many.put("overlay.toml", format!("schema = 1\n{}", change.repeat(300)));
    assert!(refused(&many).contains("at most 256 sections"), "{}", refused(&many));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = Folder::new("-- real.md\nsecret\n");
    let change = "schema = 1\n[[section]]\nid = 'A_SECTION'\nop = 'append'\nfile = 'link.md'\n";
    folder.put("overlay.toml", change);
    std::os::unix::fs::symlink(folder.path().join("real.md"), folder.path().join("link.md"))
        .unwrap();
    let error = Overlay::from_dir(folder.path()).unwrap_err();
    assert!(error.message().contains("links are not followed"), "{error:#}");
    assert_eq!(error.line_column(), Some((5, 1)));
}

#[test]
fn a_good_overlay_has_nothing_to_be_said() {
    let overlay = Folder::new(
        "-- README.md\nNotes.\n-- overlay.toml\nschema = 1\n[[section]]\nid = 'B_SECTION'\n\
         op = 'append'\nfile = 'b.md'\ntemplate = true\nwhen = { is = 'claude' }\n\
         -- b.md\nBelow {{A_SECTION}} in {{CWD}}.\n",
    );
    assert_eq!(reported(&overlay, &crate::pack::pack(PACK)), "");
    overlay.put("unnamed.md", "x");
    assert_eq!(
        reported(&overlay, &crate::pack::pack(PACK)),
        "OVERLAY/unnamed.md:1:1+1: stray-file: no change of the overlay names this file\n  \
         help: name it with `file = …`, or take it out\n"
    );
}
