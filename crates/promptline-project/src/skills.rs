//! The skills of a project: name and description of each. Never reads a skill's instructions into the
//! context: the agent loads them when it needs them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::front_matter;
use crate::reading::Reader;
use crate::seen::{SeenKind, quoted};
use promptline_diagnostic::Diagnostic;

/// A skill: instructions that an agent can load when it needs them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skill {
    /// The `name` of its front matter, else that of its folder.
    pub name: String,
    /// When to use it; empty when it does not say.
    pub description: String,
    /// Its file, from the root of the project, with slashes.
    pub path: String,
}

/// Where skills are, one folder each, in the order in which they count.
const FOLDERS: [&str; 3] = [".claude/skills", ".cline/skills", "skills"];

/// The skills of a project; the first of a name counts.
pub(crate) fn skills(reader: &mut Reader, ends: &[PathBuf]) -> Vec<Skill> {
    let mut skills = Vec::new();
    let mut places = BTreeMap::new();
    for name in FOLDERS {
        for folder in ends {
            for skill in reader.folders_in(&folder.join(name), SeenKind::Skill) {
                skills.extend(skill_in(reader, &skill, &mut places));
            }
        }
    }
    skills
}

/// The skill in a folder. `places` are the names so far, and the file of each.
fn skill_in(
    reader: &mut Reader,
    folder: &Path,
    places: &mut BTreeMap<String, String>,
) -> Option<Skill> {
    reader.read(&folder.join("SKILL.md"), SeenKind::Skill, |shown, text, notes| {
        let parted = front_matter::part(text);
        let field = |name: &str| parted.fields.get(name).and_then(front_matter::line);
        let of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = field("name").or_else(of_folder).unwrap_or_default();
        if let Some(first) = places.get(&name) {
            return Err(format!("a skill named {} comes before, in `{first}`", quoted(&name)));
        }
        let mut warn = |code: &str, message: &str| {
            notes.push(Diagnostic::warning(code, message).about(&name).in_file(shown));
        };
        if let Some(warning) = &parted.warning {
            warn("front-matter", warning);
        }
        let description = field("description").unwrap_or_default();
        if description.is_empty() {
            warn("skill-description", "it has no description that says when to use it");
        }
        places.insert(name.clone(), shown.to_owned());
        Ok(Skill { name, description, path: shown.to_owned() })
    })
}
