//! Which files are rules, and in what order they come. Never changes what they say.

use std::path::{Path, PathBuf};

use super::reading::Reader;
use super::seen::SeenKind;
use crate::context::RulesFile;

/// All rules of a project. `down` are the folders from the root to the working directory, `ends` the
/// first and the last of them. This function is the order of the sources.
pub(super) fn rules(reader: &mut Reader, down: &[PathBuf], ends: &[PathBuf]) -> Vec<RulesFile> {
    let mut rules = Vec::new();
    for name in ["AGENTS.md", "CLAUDE.md"] {
        rules.extend(down.iter().filter_map(|folder| whole(reader, &folder.join(name))));
    }
    for folder in ends {
        clinerules(reader, &folder.join(".clinerules"), &mut rules);
    }
    rules
}

/// A file, or a folder of text files.
fn clinerules(reader: &mut Reader, path: &Path, rules: &mut Vec<RulesFile>) {
    if !path.is_dir() {
        rules.extend(whole(reader, path));
        return;
    }
    for file in reader.files_below(path, SeenKind::Rules) {
        if has_extension(&file, &["md", "txt"]) {
            rules.extend(whole(reader, &file));
        } else {
            let why = "only .md and .txt files of a rules folder are read";
            reader.leave_out(&file, SeenKind::Rules, why);
        }
    }
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension))
}

/// A file that is nothing but rules.
fn whole(reader: &mut Reader, path: &Path) -> Option<RulesFile> {
    reader.read(path, SeenKind::Rules, |shown, text, _| Ok(RulesFile::new(shown, text)))
}
