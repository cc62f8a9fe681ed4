//! Reads the rules of a project by the table of sources: which files, in what order, which of them apply, and what
//! they include. What is there and not read is listed with the reason.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use promptline_diagnostic::Diagnostic;

use crate::applies::applies;
use crate::folders::Folders;
use crate::front_matter;
use crate::host::Host;
use crate::markdown::{Mention, is_only_mentions, mentions, without_comments};
use crate::options::ReadOptions;
use crate::reading::Reader;
use crate::seen::{Refusal, SeenKind, quoted};
use crate::sources::{self, Limit, NO_RULES, SHARED, Scope, Source, What, When};

/// A file of user instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesFile {
    /// Its path from the root of the project, with slashes; `~/…` in the user's home.
    pub path: String,
    /// What it says, without front matter; with LF for CRLF and no byte order mark.
    pub text: String,
}

/// Files include files so deep, as Claude Code and Gemini CLI have it.
const DEEPEST: usize = 5;

/// All rules of a project, in the order in which they count.
pub(crate) fn rules(
    reader: &mut Reader,
    folders: &Folders,
    options: &ReadOptions,
) -> Vec<RulesFile> {
    let mut rules = Rules { reader, folders, options, host: None, left: None, rules: Vec::new() };
    if options.hosts.is_empty() {
        rules.by_source(SHARED);
    }
    for host in &options.hosts {
        rules.host = Some(*host);
        rules.left = None;
        rules.by_folder(sources::of_host(*host));
    }
    rules.list_nested();
    rules.list_others();
    rules.rules
}

struct Rules<'a> {
    reader: &'a mut Reader,
    folders: &'a Folders,
    options: &'a ReadOptions,
    /// Whose files are read now.
    host: Option<Host>,
    /// Of a limit on all files of the host, what is left.
    left: Option<usize>,
    rules: Vec<RulesFile>,
}

impl Rules<'_> {
    /// One source after the other, each from the root down.
    fn by_source(&mut self, table: &[Source]) {
        for at in 0..table.len() {
            for folder in table.get(at).map(|source| self.folders_of(source)).unwrap_or_default() {
                self.source(table, at, &folder);
            }
        }
    }

    /// Home first, then one folder after the other from the root down, each with all sources.
    fn by_folder(&mut self, table: &[Source]) {
        let (home, project): (Vec<usize>, Vec<usize>) = (0..table.len())
            .partition(|at| table.get(*at).is_some_and(|source| source.scope == Scope::Home));
        let mut folders = self.folders.down();
        folders.extend(self.folders.touched());
        for (places, folders) in
            [(home, self.options.home.iter().cloned().collect::<Vec<_>>()), (project, folders)]
        {
            for folder in &folders {
                for at in &places {
                    let own = table.get(*at).map(|source| self.folders_of(source));
                    if own.unwrap_or_default().contains(folder) {
                        self.source(table, *at, folder);
                    }
                }
            }
        }
    }

    fn folders_of(&self, source: &Source) -> Vec<PathBuf> {
        match source.scope {
            Scope::Home => self.options.home.iter().cloned().collect(),
            Scope::Root => vec![self.folders.root().to_owned()],
            Scope::Down => self.folders.down(),
            Scope::Nested => {
                let mut folders = self.folders.down();
                folders.extend(self.folders.touched());
                folders
            }
        }
    }

    /// The row `at` of a table in a folder.
    fn source(&mut self, table: &[Source], at: usize, folder: &Path) {
        let Some(source) = table.get(at) else { return };
        let path = folder.join(source.path);
        if let Some(first) = self.instead(table, at, folder) {
            if is_there(&path) {
                let shown = self.reader.shown(&first);
                let why = format!("`{shown}` is read in its place");
                self.reader.not_read(&path, SeenKind::Rules, &why);
            }
            return;
        }
        match source.what {
            What::Folder(endings) if path.is_dir() => {
                let name = source.path;
                for file in self.reader.files_below(&path, SeenKind::Rules) {
                    if let Some(held) = held_back(name, &path, &file) {
                        let why = format!("{held} of {name} are not rules");
                        self.reader.not_read(&file, SeenKind::Rules, &why);
                    } else if has_ending(&file, endings) {
                        self.file(source, folder, &file, source.includes, 0);
                    } else {
                        let endings: Vec<_> = endings.iter().map(|end| format!(".{end}")).collect();
                        let why =
                            format!("only {} files of {name} are read", endings.join(" and "));
                        self.reader.not_read(&file, SeenKind::Rules, &why);
                    }
                }
            }
            // Only Cline's folder has a file of the same name.
            What::Folder(_) if source.path != ".clinerules" => {}
            What::File if path.is_dir() && source.path == ".clinerules" => {}
            What::File | What::Folder(_) => {
                self.file(source, folder, &path, source.includes, 0);
            }
        }
    }

    /// What is read instead of an alternative.
    fn instead(&self, table: &[Source], at: usize, folder: &Path) -> Option<PathBuf> {
        let source = table.get(at)?;
        let earlier = table.get(..at)?.iter().rev();
        let mut chain = Vec::new();
        for row in earlier {
            chain.push(row);
            if row.when == When::Always {
                break;
            }
        }
        let here = |row: &&Source| Some(folder.join(row.path)).filter(|path| is_there(path));
        match source.when {
            When::Always => None,
            When::ElseInFolder => chain.iter().find_map(here),
            When::ElseInProject => {
                chain.iter().filter(|row| row.scope != Scope::Home).find_map(|row| {
                    let folders = self.folders_of(row);
                    folders.iter().map(|folder| folder.join(row.path)).find(|path| is_there(path))
                })
            }
        }
    }

    /// A file of rules, and what it includes.
    fn file(&mut self, source: &Source, folder: &Path, path: &Path, includes: bool, depth: usize) {
        let from = self.reader.shown(folder);
        let (files, strip) = (self.folders.files(), self.options.strip_comments);
        let (known, host, left) = (&self.rules, self.host, &mut self.left);
        let read = self.reader.read(path, SeenKind::Rules, |shown, text, notes| {
            let parted = front_matter::part(text);
            let mut warn = |message: &str| {
                notes.push(Diagnostic::warning("front-matter", message).in_file(shown));
            };
            // Where front matter means nothing, what looks broken is prose.
            if let Some(warning) = parted.warning.as_deref().filter(|_| source.has_keys()) {
                warn(warning);
            }
            applies(&parted, source.keys, &from, files, warn)?;
            let body = if parted.is_read || source.has_keys() { parted.body } else { text };
            let body = if strip { without_comments(body) } else { body.to_owned() };
            let body = within_limit(body, source.limit, left, host, shown, notes)?;
            let same = known.iter().find(|file| !is_blank(&body) && file.text == body);
            if let Some(first) = same {
                let why = format!("the same text is read from `{}`", first.path);
                return Err(Refusal::Repeated(why));
            }
            Ok(RulesFile { path: shown.to_owned(), text: body })
        });
        let Some(file) = read else { return };
        let place = self.rules.len();
        let text = file.text.clone();
        self.rules.push(file);
        if text.contains('@') {
            let follow = self.options.includes.unwrap_or(includes);
            let all = self.include(source, folder, path, &text, follow, depth);
            // A file that only names others says nothing itself.
            if all && is_only_mentions(&text) {
                self.rules.remove(place);
            }
        }
    }

    /// Reads what a text includes; true when every mention that means a file was followed.
    fn include(
        &mut self,
        source: &Source,
        folder: &Path,
        from: &Path,
        text: &str,
        follow: bool,
        depth: usize,
    ) -> bool {
        let Some(near) = from.parent() else { return false };
        let mut all = true;
        for Mention { path, alone } in mentions(text) {
            let outside = path.starts_with('~') || Path::new(path).is_absolute();
            let target = near.join(path);
            let why = if outside || (target.is_file() && !self.reader.is_inside(&target, from)) {
                "it is outside of the project"
            } else if !target.is_file() {
                "there is no such file"
            } else if !follow {
                "includes are not followed in this file"
            } else if depth >= DEEPEST {
                "files include files five deep at most"
            } else {
                if !self.reader.is_read(&target) {
                    self.file(source, folder, &target, true, depth + 1);
                }
                continue;
            };
            all = false;
            // `@someone` in prose is no file.
            if alone || target.is_file() {
                let message = format!("the include {} is not read: {why}", quoted(path));
                let note = Diagnostic::warning("rules-include", message);
                self.reader.seen.notes.push(note.in_file(self.reader.shown(from)));
            }
        }
        all
    }

    /// Files of these names below the working directory: they are for files in their folders.
    fn list_nested(&mut self) {
        let selected = self.selected();
        let names: BTreeSet<&str> = selected
            .iter()
            .filter(|source| source.scope == Scope::Nested && source.what == What::File)
            .map(|source| source.path)
            .collect();
        if names.is_empty() {
            return;
        }
        let (found, more) = self.folders.below(&names);
        for path in found {
            let why = "it is below the working directory: it counts for files of its folder";
            self.reader.not_read(&path, SeenKind::Rules, why);
        }
        if more {
            let message = "below the working directory are too many files to list all rules";
            self.reader.seen.notes.push(Diagnostic::info("rules-not-listed", message));
        }
    }

    /// Files of hosts that were not asked for.
    fn list_others(&mut self) {
        let selected = self.selected();
        let selected: BTreeSet<&str> = selected
            .iter()
            .filter(|source| source.scope != Scope::Home)
            .map(|source| source.path)
            .collect();
        let all = Host::ALL.iter().flat_map(|host| sources::of_host(*host)).chain(SHARED);
        let others: BTreeSet<&str> = all
            .filter(|source| source.scope != Scope::Home && !selected.contains(source.path))
            .map(|source| source.path)
            .collect();
        let asked: Vec<_> = self.options.hosts.iter().map(|host| host.name()).collect();
        for path in others {
            let readers = Host::ALL.iter().filter(|host| {
                let rows = sources::of_host(**host);
                rows.iter().any(|row| row.path == path && row.scope != Scope::Home)
            });
            let readers: Vec<_> = readers.map(|host| host.name()).collect();
            let why = match asked.as_slice() {
                [] => format!("only {} reads it", readers.join(" or ")),
                asked => format!("{} does not read it", asked.join(" or ")),
            };
            for folder in self.folders.down() {
                let file = folder.join(path);
                if is_there(&file) {
                    self.reader.not_read(&file, SeenKind::Rules, &why);
                }
            }
        }
    }

    fn selected(&self) -> Vec<&'static Source> {
        match self.options.hosts.as_slice() {
            [] => SHARED.iter().collect(),
            hosts => hosts.iter().flat_map(|host| sources::of_host(*host)).collect(),
        }
    }
}

impl Source {
    fn has_keys(&self) -> bool {
        self.keys != sources::Keys::None
    }
}

/// The text, as much of it as the host reads.
fn within_limit(
    text: String,
    limit: Limit,
    left: &mut Option<usize>,
    host: Option<Host>,
    shown: &str,
    notes: &mut Vec<Diagnostic>,
) -> Result<String, Refusal> {
    let (cut, unit, all) = match limit {
        Limit::None => return Ok(text),
        Limit::Chars(most) => match text.char_indices().nth(most) {
            None => return Ok(text),
            Some((cut, _)) => (cut, format!("{most} characters of a file"), text.chars().count()),
        },
        Limit::TotalBytes(most) => {
            let room = left.get_or_insert(most);
            if text.len() <= *room {
                *room -= text.len();
                return Ok(text);
            }
            let cut = text.floor_char_boundary(*room);
            *room = 0;
            (cut, format!("{most} bytes in all"), text.len())
        }
    };
    let host = host.map_or("the host", Host::name);
    if cut == 0 {
        return Err(Refusal::LeftOut(format!("{host} reads at most {unit}")));
    }
    let message = format!(
        "only its beginning is read ({cut} bytes; it has {all}): {host} reads at most {unit}"
    );
    notes.push(Diagnostic::warning("rules-cut", message).in_file(shown));
    Ok(text.get(..cut).unwrap_or_default().to_owned())
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// A folder with something in it, or a file that is not empty.
fn is_there(path: &Path) -> bool {
    match path.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            path.read_dir().is_ok_and(|mut entries| entries.next().is_some())
        }
        Ok(metadata) => metadata.len() > 0,
        Err(_) => false,
    }
}

/// The folder within a folder of rules that holds something else, if the file is in one.
fn held_back(name: &str, folder: &Path, file: &Path) -> Option<&'static str> {
    let (_, held) = NO_RULES.iter().find(|(of, _)| *of == name)?;
    let inner = file.strip_prefix(folder).ok()?;
    let first = inner.components().next()?.as_os_str();
    held.iter().copied().find(|held| first == *held && inner.components().count() > 1)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let fits = |ending: &&str| name.strip_suffix(ending).is_some_and(|rest| rest.ends_with('.'));
    endings.is_empty() || endings.iter().any(fits)
}
