//! Where the files of a pack come from. Paths are relative to the pack's root, with slashes, and are
//! listed in byte order on every system.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::Texts;
use promptline_diagnostic::{Error, ErrorKind};

/// The files of a pack by path.
pub(crate) trait Files {
    /// The text of a file as it is stored.
    fn get(&self, path: &str) -> Option<Cow<'_, str>>;
    /// All paths, in byte order.
    fn paths(&self) -> Vec<String>;
    /// What to call a file in messages.
    fn shown(&self, path: &str) -> String;
}

/// A folder, read once.
pub(crate) struct Folder {
    root: String,
    files: BTreeMap<String, String>,
}

/// No file of a pack is larger than this many bytes.
const LARGEST_FILE: u64 = 4 << 20;
/// No pack has more files than this.
const MOST_FILES: usize = 10_000;

impl Folder {
    /// The files by the names that messages call them.
    pub(crate) fn into_texts(self) -> Texts {
        let root = self.root.trim_end_matches('/').to_owned();
        Texts::new(self.files.into_iter().map(|(path, text)| (format!("{root}/{path}"), text)))
    }

    pub(crate) fn read(root: &Path) -> Result<Self, Error> {
        let shown = root.display().to_string();
        if !root.is_dir() {
            return Err(Error::new(ErrorKind::Io, format!("there is no folder `{shown}`"))
                .with_help("name the folder that holds `templates/` and `variants/`"));
        }
        let mut files = BTreeMap::new();
        // Only the two folders of a pack are read: the rest of a repository is none of its business.
        let mut open = vec!["templates".to_owned(), "variants".to_owned()];
        while let Some(folder) = open.pop() {
            let path = root.join(&folder);
            if !path.is_dir() {
                continue;
            }
            let io = |error: std::io::Error| {
                Error::new(ErrorKind::Io, format!("the folder cannot be read: {error}"))
                    .in_file(format!("{shown}/{folder}"))
            };
            for entry in fs::read_dir(&path).map_err(io)? {
                let entry = entry.map_err(io)?;
                let name = entry.file_name().to_string_lossy().into_owned();
                let inner = format!("{folder}/{name}");
                // Editors' and systems' own files (`.DS_Store`, `.x.swp`, `x~`) are no part of it.
                if name.starts_with('.') || name.ends_with('~') {
                    continue;
                }
                // Links are not followed: a pack is what is in its folder.
                let kind = entry.file_type().map_err(io)?;
                if kind.is_dir() {
                    open.push(inner);
                } else if kind.is_file() {
                    let text = read_text(&entry.path(), &format!("{shown}/{inner}"))?;
                    files.insert(inner, text);
                }
                if files.len() + open.len() > MOST_FILES {
                    return Err(Error::new(
                        ErrorKind::Pack,
                        format!("a pack has at most {MOST_FILES} files"),
                    )
                    .with_code("too-large")
                    .with_help(
                        "everything under `templates/` and `variants/` counts: move what is no part of \
                         the pack elsewhere",
                    )
                    .in_file(shown));
                }
            }
        }
        Ok(Self { root: shown, files })
    }
}

pub(crate) fn read_text(path: &Path, shown: &str) -> Result<String, Error> {
    let io = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("the file cannot be read: {error}")).in_file(shown)
    };
    let size = fs::metadata(path).map_err(io)?.len();
    if size > LARGEST_FILE {
        return Err(Error::new(
            ErrorKind::Pack,
            format!("the file has {size} bytes; a file of a pack has at most {LARGEST_FILE}"),
        )
        .with_code("too-large")
        .with_help(
            "what is that large is data: give it to the build as a placeholder of the request",
        )
        .in_file(shown));
    }
    let bytes = fs::read(path).map_err(io)?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::Pack, format!("the file is not UTF-8 at byte {at}"))
            .with_code("not-utf8")
            .with_help("save it as UTF-8")
            .in_file(shown)
    })
}

impl Files for Folder {
    fn get(&self, path: &str) -> Option<Cow<'_, str>> {
        self.files.get(path).map(|text| Cow::Borrowed(text.as_str()))
    }

    fn paths(&self) -> Vec<String> {
        self.files.keys().cloned().collect()
    }

    fn shown(&self, path: &str) -> String {
        format!("{}/{path}", self.root.trim_end_matches('/'))
    }
}
