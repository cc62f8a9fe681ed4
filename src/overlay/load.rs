//! From a folder to an overlay: `overlay.toml`, the files that it names, the texts it was written
//! against. Only files inside of the folder are read, and links are not followed.

use std::fs;
use std::path::{Component, Path};

use sha2::{Digest, Sha256};

use super::file::{Op, SectionFile, read_overlay_file};
use super::{OverlayContent, SectionChange, Words};
use crate::pack::{Texts, read_text};
use crate::text::normalise;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// The file that makes a folder an overlay.
pub(crate) const OVERLAY_FILE: &str = "overlay.toml";
/// The folder of texts that the overlay was written against.
pub(crate) const BASE_FOLDER: &str = "base";
/// `overlay.toml` has at most this many bytes; texts have files of their own.
const LARGEST: usize = 1 << 20;
/// So many texts of the pack are kept at most.
const MOST_BASES: usize = 256;

/// Where an overlay is.
#[derive(Clone, Copy)]
pub(super) enum OverlaySource<'a> {
    Folder(&'a Path),
    /// The name of a file, and its text.
    Text(&'a str, &'a str),
}

/// Reads an overlay, going on after a mistake.
pub(super) fn collect(place: OverlaySource<'_>, errors: &mut Vec<Error>) -> Option<OverlayContent> {
    let (origin, toml) = match place {
        OverlaySource::Folder(folder) => {
            let shown = shown(folder, OVERLAY_FILE);
            keep(errors, must_be_folder(folder))?;
            (shown.clone(), keep(errors, inner_file(folder, OVERLAY_FILE, &shown))?)
        }
        OverlaySource::Text(name, text) => (name.to_owned(), text.to_owned()),
    };
    if toml.len() > LARGEST {
        let message =
            format!("the file has {} bytes; an overlay.toml has at most {LARGEST}", toml.len());
        let error = Error::new(ErrorKind::Pack, message)
            .with_code("too-large")
            .with_help("put texts into files of their own: `file = \"rules.md\"`");
        errors.push(error.in_file(origin));
        return None;
    }
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(&toml);
    let mut content = OverlayContent {
        toml: normalise(&toml).into_owned(),
        folder: match place {
            OverlaySource::Folder(folder) => Some(folder.to_owned()),
            OverlaySource::Text(..) => None,
        },
        origin,
        ..OverlayContent::default()
    };
    let read = read_overlay_file(content.toml(), errors)?;
    let mut files = vec![(content.origin.clone(), content.toml.clone())];
    let mut changes = Vec::new();
    for (at, section) in read.sections.into_iter().enumerate() {
        let words = words(place, &content, at, &section, errors);
        for words in words.iter().filter(|words| words.key == "file") {
            add(&words.text);
            files.push((words.file.clone(), words.text.clone()));
        }
        changes.push(SectionChange {
            id: section.id,
            op: section.op,
            words,
            when: section.when,
            base: section.base,
            template: section.template,
            acknowledge: section.acknowledge,
        });
    }
    content.name = read.name;
    content.description = read.description;
    content.sections = changes;
    content.texts = Texts::new(files.into_iter());
    content.hash = crate::fingerprint::hex(&hash.finalize());
    if let OverlaySource::Folder(folder) = place {
        content.bases = bases(folder, errors);
    }
    Some(content)
}

/// The texts of a change; none of them is empty.
fn words(
    place: OverlaySource<'_>,
    content: &OverlayContent,
    at: usize,
    section: &SectionFile,
    errors: &mut Vec<Error>,
) -> Vec<Words> {
    let keys = match section.op {
        Op::Remove => return Vec::new(),
        Op::Wrap => [("before", &section.before), ("after", &section.after)],
        _ => [("file", &section.file), ("text", &section.text)],
    };
    let given = keys.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
    let mut all = Vec::new();
    for (key, value) in given {
        let (file, text) = if key == "file" {
            match named_file(place, value) {
                Ok((file, text)) => (file, normalise(&text).into_owned()),
                // A mistake inside of the file has its place there.
                Err(error) => {
                    let inside = error.code() != "missing-file" && error.file().is_some();
                    errors.push(if inside { error } else { content.blame(error, at, key) });
                    continue;
                }
            }
        } else {
            (content.origin.clone(), normalise(value).into_owned())
        };
        if text.trim().is_empty() {
            let empty = match key {
                "file" => format!("the file `{value}` is empty"),
                _ => format!("`{key}` is empty"),
            };
            let help = match section.op {
                Op::Wrap => "take it out: one of `before` and `after` is enough",
                _ => "write the text; to take a section out write `op = \"remove\"`",
            };
            let error = Error::new(ErrorKind::Pack, empty).with_code("empty-text").with_help(help);
            errors.push(content.blame(error, at, key));
            continue;
        }
        all.push(Words { key, file, text });
    }
    all
}

/// What a file is called, and its text.
fn named_file(place: OverlaySource<'_>, path: &str) -> Result<(String, String), Error> {
    let OverlaySource::Folder(folder) = place else {
        return Err(Error::new(ErrorKind::Pack, "there is no folder for files")
            .with_code("missing-file")
            .with_help("write `text = …`, or read the overlay from a folder"));
    };
    let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    if !inside || path.is_empty() || path.contains(['\\', '\0']) {
        let message = format!("`{}` is not a path inside of the overlay", path.escape_debug());
        return Err(Error::new(ErrorKind::Pack, message)
            .with_code("missing-file")
            .with_help("name a file of its folder, as `rules.md` or `texts/rules.md`"));
    }
    let shown = shown(folder, path);
    inner_file(folder, path, &shown).map(|text| (shown, text))
}

/// The text of a file in the folder. No part of its path may be a link.
fn inner_file(folder: &Path, path: &str, shown: &str) -> Result<String, Error> {
    let mut at = folder.to_owned();
    let mut kind = None;
    for part in Path::new(path).components() {
        at.push(part);
        kind = fs::symlink_metadata(&at).ok().map(|data| data.file_type());
        if kind.is_none_or(|kind| kind.is_symlink()) {
            break;
        }
    }
    let missing = |what: String, help: String| {
        Error::new(ErrorKind::Pack, what).with_code("missing-file").with_help(help)
    };
    match kind {
        Some(kind) if kind.is_symlink() => Err(missing(
            format!("`{path}` is a link, and links are not followed"),
            "put the file itself into the folder of the overlay".to_owned(),
        )),
        Some(kind) if kind.is_file() => read_text(&at, shown),
        _ if path == OVERLAY_FILE => Err(missing(
            "the overlay has no `overlay.toml`".to_owned(),
            "write one: `schema = 1`, then a `[[section]]` with `id` and `op`".to_owned(),
        )
        .in_file(shown)),
        _ => Err(missing(format!("there is no file `{path}`"), format!("add it, as {shown}"))),
    }
}

fn must_be_folder(folder: &Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let message = format!("there is no folder `{}`", folder.display());
    Err(Error::new(ErrorKind::Io, message).with_help("name the folder that holds `overlay.toml`"))
}

/// Texts of the pack that are kept to show what has changed, in the order of their files.
fn bases(folder: &Path, errors: &mut Vec<Error>) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder.join(BASE_FOLDER)) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.sort_unstable();
    let read = |name: &String| {
        let path = format!("{BASE_FOLDER}/{name}");
        keep(errors, inner_file(folder, &path, &shown(folder, &path)))
    };
    let texts: Vec<String> = names.iter().take(MOST_BASES).filter_map(read).collect();
    texts.iter().map(|text| normalise(text).into_owned()).collect()
}

/// What to call a file in messages.
pub(crate) fn shown(folder: &Path, path: &str) -> String {
    format!("{}/{path}", folder.display().to_string().trim_end_matches('/'))
}
