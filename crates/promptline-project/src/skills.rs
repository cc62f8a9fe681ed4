//! The skills of a project: name and description of each. Never reads a skill's instructions into the
//! context: the agent loads them when it needs them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::folders::Folders;
use crate::front_matter;
use crate::options::ReadOptions;
use crate::reading::Reader;
use crate::seen::{Refusal, SeenKind, quoted};
use crate::sources::SKILLS;
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

/// The skills of a project; the first of a name counts.
pub(crate) fn skills(reader: &mut Reader, folders: &Folders, options: &ReadOptions) -> Vec<Skill> {
    let mut skills = Vec::new();
    let mut places = BTreeMap::new();
    let mut roots = folders.down();
    roots.extend(options.home.clone());
    for (name, shared, hosts) in SKILLS {
        let wanted = match options.hosts.as_slice() {
            [] => *shared,
            asked => hosts.iter().any(|host| asked.contains(host)),
        };
        for root in &roots {
            let folder = root.join(name);
            if wanted {
                for skill in reader.folders_in(&folder, SeenKind::Skill) {
                    skills.extend(skill_in(reader, &skill, &mut places));
                }
            } else if folder.is_dir() && root.starts_with(folders.root()) {
                let names: Vec<_> = hosts.iter().map(|host| host.name()).collect();
                let why = match names.as_slice() {
                    [] => "it is read only when no host is named".to_owned(),
                    names => format!("only {} reads it", names.join(" or ")),
                };
                reader.not_read(&folder, SeenKind::Skill, &why);
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
            let why = format!("a skill named {} comes before, in `{first}`", quoted(&name));
            return Err(Refusal::LeftOut(why));
        }
        if field("disable-model-invocation").is_some_and(|value| value.eq_ignore_ascii_case("true"))
        {
            let why = "`disable-model-invocation: true`: only the user calls it";
            return Err(Refusal::NotRead(why.to_owned()));
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
