//! Which files are rules, and which of them count for every request. Never decides for a request: what
//! applies only to some files, or only when the agent asks, is left out and said.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::front_matter::{self, Parted};
use crate::reading::Reader;
use crate::seen::{SeenKind, quoted};
use promptline_diagnostic::Diagnostic;

/// A file of user instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesFile {
    /// Its path from the root of the project, with slashes.
    pub path: String,
    /// What it says, without front matter; with LF for CRLF and no byte order mark.
    pub text: String,
}

impl RulesFile {
    fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }
}

/// All rules of a project. `down` are the folders from the root to the working directory, `ends` the
/// first and the last of them. This function is the order of the sources.
pub(crate) fn rules(reader: &mut Reader, down: &[PathBuf], ends: &[PathBuf]) -> Vec<RulesFile> {
    let mut rules = Vec::new();
    for name in ["AGENTS.md", "CLAUDE.md"] {
        rules.extend(down.iter().filter_map(|folder| whole(reader, &folder.join(name))));
    }
    for folder in ends {
        clinerules(reader, &folder.join(".clinerules"), &mut rules);
    }
    rules.extend(ends.iter().filter_map(|folder| whole(reader, &folder.join(".cursorrules"))));
    for folder in ends {
        cursor_rules(reader, &folder.join(".cursor/rules"), &mut rules);
    }
    rules.extend(ends.iter().filter_map(|folder| whole(reader, &folder.join(".windsurfrules"))));
    // This file always applies, so that there is nothing in it but text.
    let copilot = ".github/copilot-instructions.md";
    rules.extend(ends.iter().filter_map(|folder| whole(reader, &folder.join(copilot))));
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

fn cursor_rules(reader: &mut Reader, folder: &Path, rules: &mut Vec<RulesFile>) {
    for file in reader.files_below(folder, SeenKind::Rules) {
        if has_extension(&file, &["mdc"]) {
            rules.extend(without_front_matter(reader, &file));
        } else {
            reader.leave_out(&file, SeenKind::Rules, "only .mdc files of .cursor/rules are read");
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

/// A file whose front matter says when it applies.
fn without_front_matter(reader: &mut Reader, path: &Path) -> Option<RulesFile> {
    reader.read(path, SeenKind::Rules, |shown, text, notes| {
        let parted = front_matter::part(text);
        let mut warn = |message: &str| {
            notes.push(Diagnostic::warning("front-matter", message).in_file(shown));
        };
        if let Some(warning) = &parted.warning {
            warn(warning);
        }
        applies_always(&parted, warn)?;
        Ok(RulesFile::new(shown, parted.body))
    })
}

/// The rule is for every request; else why it is not. `alwaysApply: true` overrules the other keys.
fn applies_always(parted: &Parted<'_>, mut warn: impl FnMut(&str)) -> Result<(), String> {
    let field = |name: &str| parted.fields.get(name).filter(|value| !value.is_null());
    let always = field("alwaysApply").and_then(|value| {
        let switch = switch(value);
        if switch.is_none() {
            warn("`alwaysApply` is neither true nor false: it is passed over");
        }
        switch
    });
    let said = match always {
        Some(true) => return Ok(()),
        Some(false) => "`alwaysApply: false`: ",
        None => "",
    };
    if let Some(globs) = field("globs").and_then(patterns) {
        return Err(format!("{said}it applies only to files matching {globs}"));
    }
    if field("description").and_then(front_matter::line).is_some() {
        return Err(format!(
            "{said}it is a rule that the agent asks for by its description; \
             `alwaysApply: true` puts it into every prompt"
        ));
    }
    if always == Some(false) {
        return Err(format!("{said}it is a rule that the user asks for by its name"));
    }
    Ok(())
}

fn switch(value: &Value) -> Option<bool> {
    match front_matter::line(value)?.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// Globs as one line: they are written as a list, or with commas.
fn patterns(value: &Value) -> Option<String> {
    let line = match value {
        Value::Array(items) => {
            items.iter().filter_map(front_matter::line).collect::<Vec<_>>().join(", ")
        }
        other => front_matter::line(other)?,
    };
    (!line.is_empty()).then(|| quoted(&line))
}
