//! What may lie in a pack's folder.

use std::fs;

use promptline::{Pack, PromptContext, PromptRegistry};

use crate::pack::{Folder, SMALL, built};

fn text(pack: Pack) -> String {
    PromptRegistry::builder()
        .pack(pack)
        .build()
        .and_then(|registry| registry.build_blocking(&PromptContext::new("p", "m")))
        .unwrap_or_else(|error| panic!("{error:#}"))
        .into_text()
}

#[test]
fn what_pack_toml_says_of_itself() {
    let folder = Folder::over_small(
        r#"
-- variants/pack.toml
schema = 1
name = "small"
description = "For a test."
variants = ["v"]
"#,
    );
    let pack = folder.load().unwrap();
    assert_eq!((pack.name(), pack.description()), ("small", "For a test."));
}

#[test]
fn documents_and_hidden_files_may_lie_anywhere() {
    let folder = Folder::new(SMALL);
    for path in [
        "templates/README.md",
        "templates/LICENSE",
        "templates/components/README.md.txt",
        "templates/components/.a.md.swp",
        "templates/components/.hidden/b.md",
        "templates/tools/NOTICE",
        "templates/.DS_Store",
        "variants/README.md",
        "variants/CHANGELOG.md",
        "variants/.git/config",
        "variants/v/README.md",
        "variants/v/LICENSE-MIT",
        "variants/v/components/a.md~",
        "variants/v/.variant.toml.swp",
    ] {
        folder.put(path, "no front matter, no TOML");
    }
    assert_eq!(text(folder.load().unwrap()), "All is well.");
}

/// A document has no front matter, is no component, and is no template.
#[test]
fn a_readme_beside_components_and_partials_is_none() {
    let folder = Folder::new(SMALL);
    for path in [
        "templates/components/README.md",
        "templates/partials/README.md",
        "variants/v/components/README.md",
    ] {
        folder.put(path, "Write {{}} like this.");
    }
    assert_eq!(text(folder.load().unwrap()), "All is well.");
}

/// Only these names: a component is not passed over because its file's name begins like one.
#[test]
fn a_component_file_whose_name_begins_like_a_document_is_read() {
    let folder = Folder::over_small(
        "-- variants/v/variant.toml\nschema = 1\ncomponents = [\"NOTICES_SECTION\"]\n",
    );
    folder.put(
        "templates/components/NOTICES_SECTION.md",
        "+++\nid = \"NOTICES_SECTION\"\n+++\nNotice this.\n",
    );
    assert_eq!(text(folder.load().unwrap()), "Notice this.");
}

#[test]
fn what_lies_beside_the_two_folders_is_not_read() {
    let folder = Folder::new(SMALL);
    folder.put("src/main.rs", "fn main() {}");
    folder.put("templates.md", "");
    folder.put("data.bin", [0xff; 8]);
    assert_eq!(text(folder.load().unwrap()), "All is well.");
}

#[test]
fn a_pack_without_templates_is_a_pack() {
    let folder = Folder::new(
        "-- variants/pack.toml\nschema = 1\nname = \"bare\"\nvariants = [\"v\"]\n\
         -- variants/v/variant.toml\nschema = 1\n",
    );
    assert_eq!(text(folder.load().unwrap()), "");
}

#[test]
fn a_pack_without_variants_only_brings_parts() {
    let parts = r#"
-- variants/pack.toml
schema = 1
name = "parts"
-- templates/components/a.md
+++
id = "A_SECTION"
+++
All is better.
"#;
    let prompt = built(&[SMALL, parts], &PromptContext::new("p", "m"));
    assert_eq!(prompt.text(), "All is better.");
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let outside = Folder::new(
        r#"
-- secret.md
+++
id = "A_SECTION"
+++
A secret.
-- sharp/variant.toml
schema = 1
-- tools/read.toml
not a tool
"#,
    );
    let folder = Folder::new(SMALL);
    symlink(outside.path().join("secret.md"), folder.path().join("variants/v/template.md"))
        .unwrap();
    symlink(outside.path().join("sharp"), folder.path().join("variants/sharp")).unwrap();
    symlink(outside.path().join("tools"), folder.path().join("templates/tools")).unwrap();
    symlink("v", folder.path().join("variants/loop")).unwrap();
    assert_eq!(text(folder.load().unwrap()), "All is well.");
}

#[cfg(unix)]
#[test]
fn the_pack_s_own_folder_may_be_reached_by_a_link() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new(SMALL);
    let other = Folder::new("");
    let link = other.path().join("prompts");
    symlink(folder.path(), &link).unwrap();
    assert_eq!(text(Pack::from_dir(link).unwrap()), "All is well.");
}

#[test]
fn byte_order_marks_and_crlf_are_read_as_if_they_were_not_there() {
    let folder = Folder::new("");
    for (path, lines) in [
        ("variants/pack.toml", "schema = 1\r\nname = \"small\"\r\nvariants = [\"v\"]\r\n"),
        ("variants/v/variant.toml", "schema = 1\r\ncomponents = [\"A_SECTION\"]\r\n"),
        ("templates/components/a.md", "+++\r\nid = \"A_SECTION\"\r\n+++\r\nOne.\r\nTwo.\r\n"),
    ] {
        folder.put(path, format!("\u{FEFF}{lines}"));
    }
    assert_eq!(text(folder.load().unwrap()), "One.\nTwo.");
}

#[test]
fn the_hash_is_of_paths_and_bytes() {
    let hash = |change: &dyn Fn(&Folder)| {
        let folder = Folder::new(SMALL);
        change(&folder);
        folder.load().unwrap().hash().to_owned()
    };
    let plain = hash(&|_| {});
    assert_eq!(plain.len(), 64);
    assert_eq!(plain, hash(&|_| {}), "another folder, the same files");
    assert_eq!(plain, hash(&|folder| folder.put("notes.md", "beside the pack")));
    assert_ne!(plain, hash(&|folder| folder.put("templates/partials/p.md", "")));
    assert_ne!(
        plain,
        hash(&|folder| {
            let file = folder.path().join("templates/components/a.md");
            let text = fs::read_to_string(&file).unwrap();
            fs::write(file, text.replace("well", "Well")).unwrap();
        })
    );
}

#[test]
fn a_trailing_slash_changes_no_message() {
    let folder = Folder::new(SMALL);
    folder.put("templates/notes.md", "");
    let slash = format!("{}/", folder.path().display());
    let error = Pack::from_dir(&slash).unwrap_err();
    assert_eq!(folder.shown(&error), folder.refusal());
}

#[test]
fn a_loaded_pack_does_not_need_its_folder() {
    let folder = Folder::new(SMALL);
    let pack = folder.load().unwrap();
    drop(folder);
    assert_eq!(text(pack), "All is well.");
}
