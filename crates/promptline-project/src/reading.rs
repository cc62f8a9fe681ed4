//! Reads files of a project and lists its folders. Never follows a link out of the project, never reads
//! more than the limit, and says of every file that it does not hand on why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::seen::{Seen, SeenKind};
use promptline_diagnostic::Diagnostic;

/// No file is larger than this many bytes.
const LARGEST: u64 = 1 << 20;
/// A folder has at most this many files, those of its folders included.
const MOST: usize = 1_000;
const OUTSIDE: &str = "the link leads out of the project";

pub(crate) struct Reader {
    root: PathBuf,
    /// The same without links.
    real_root: PathBuf,
    /// What was read: real path to the name that it was read by.
    read: BTreeMap<PathBuf, String>,
    pub(crate) seen: Seen,
}

impl Reader {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
            real_root: fs::canonicalize(root).unwrap_or_else(|_| root.to_owned()),
            read: BTreeMap::new(),
            seen: Seen::default(),
        }
    }

    /// Reads a file, where there is one, and hands its path and its text to `take`, which says why the
    /// file is left out when it is. Notes on a file that is used go to the list that `take` is given.
    pub(crate) fn read<T>(
        &mut self,
        path: &Path,
        kind: SeenKind,
        take: impl FnOnce(&str, &str, &mut Vec<Diagnostic>) -> Result<T, String>,
    ) -> Option<T> {
        let shown = self.shown(path);
        let real = match fs::canonicalize(path) {
            Ok(real) => real,
            Err(_) if path.is_symlink() => {
                self.seen.left_out(&shown, kind, 0, "the link leads nowhere".to_owned());
                return None;
            }
            Err(error) => {
                self.unreadable(&shown, kind, &error);
                return None;
            }
        };
        if !real.starts_with(&self.real_root) {
            self.seen.left_out(&shown, kind, 0, OUTSIDE.to_owned());
            return None;
        }
        let bytes = size(&real);
        if let Some(first) = self.read.get(&real) {
            self.seen.repeated(&shown, kind, bytes, first);
            return None;
        }
        let taken = text_of(&real).and_then(|text| {
            self.read.insert(real, shown.clone());
            take(&shown, &plain_text(text), &mut self.seen.notes)
        });
        match taken {
            Ok(taken) => {
                self.seen.used(&shown, kind, bytes);
                Some(taken)
            }
            Err(why) => {
                self.seen.left_out(&shown, kind, bytes, why);
                None
            }
        }
    }

    /// Says that a file was seen and not read.
    pub(crate) fn leave_out(&mut self, path: &Path, kind: SeenKind, why: &str) {
        let shown = self.shown(path);
        self.seen.left_out(&shown, kind, size(path), why.to_owned());
    }

    /// The files in a folder and in its folders, in the byte order of their paths; none when there is no
    /// such folder, or more than the limit. Hidden files and folders are not looked at.
    pub(crate) fn files_below(&mut self, folder: &Path, kind: SeenKind) -> Vec<PathBuf> {
        let mut files = BTreeSet::new();
        let mut open = vec![folder.to_owned()];
        let mut count = 0;
        while let Some(current) = open.pop() {
            let entries = self.entries(&current, kind);
            count += entries.len();
            if count > MOST {
                self.too_many(folder, kind);
                return Vec::new();
            }
            for (shown, path) in entries {
                if path.is_dir() && !path.is_symlink() {
                    open.push(path);
                } else {
                    files.insert((shown, path));
                }
            }
        }
        let mut plain = Vec::new();
        for (_, path) in files {
            if path.is_dir() {
                // It may lead round in a circle.
                self.leave_out(&path, kind, "links to folders are not followed");
            } else {
                plain.push(path);
            }
        }
        plain
    }

    /// The folders in a folder, links to folders too, in the byte order of their names. Hidden ones are
    /// not looked at.
    pub(crate) fn folders_in(&mut self, folder: &Path, kind: SeenKind) -> Vec<PathBuf> {
        let entries = self.entries(folder, kind);
        if entries.len() > MOST {
            self.too_many(folder, kind);
            return Vec::new();
        }
        entries.into_iter().map(|(_, path)| path).filter(|path| path.is_dir()).collect()
    }

    fn too_many(&mut self, folder: &Path, kind: SeenKind) {
        self.leave_out(folder, kind, &format!("it has more than {MOST} files"));
    }

    /// What is in a folder and is not hidden, by the path that is shown; not many more than the limit.
    fn entries(&mut self, folder: &Path, kind: SeenKind) -> BTreeSet<(String, PathBuf)> {
        let shown = self.shown(folder);
        match fs::canonicalize(folder) {
            Ok(real) if !real.starts_with(&self.real_root) => {
                self.leave_out(folder, kind, OUTSIDE);
                return BTreeSet::new();
            }
            // A file of that name is not what was looked for.
            Ok(real) if !real.is_dir() => return BTreeSet::new(),
            Ok(_) => {}
            Err(error) => {
                self.unreadable(&shown, kind, &error);
                return BTreeSet::new();
            }
        }
        let paths = fs::read_dir(folder).and_then(|entries| {
            let is_hidden =
                |entry: &fs::DirEntry| entry.file_name().as_encoded_bytes().starts_with(b".");
            entries
                .filter(|entry| !entry.as_ref().is_ok_and(is_hidden))
                .take(MOST + 1)
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<Result<Vec<_>, _>>()
        });
        match paths {
            Ok(paths) => paths.into_iter().map(|path| (self.shown(&path), path)).collect(),
            Err(error) => {
                self.unreadable(&shown, kind, &error);
                BTreeSet::new()
            }
        }
    }

    /// What is not there was not seen; everything else is said.
    fn unreadable(&mut self, shown: &str, kind: SeenKind, error: &io::Error) {
        if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) {
            self.seen.left_out(shown, kind, 0, format!("it cannot be read: {error}"));
        }
    }

    /// The path from the project's root, with slashes.
    fn shown(&self, path: &Path) -> String {
        let inner = path.strip_prefix(&self.root).unwrap_or(path);
        let parts: Vec<_> =
            inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        parts.join("/")
    }
}

/// The size of a file; of a link nothing is asked, since it may lead anywhere.
fn size(path: &Path) -> u64 {
    fs::symlink_metadata(path)
        .ok()
        .filter(fs::Metadata::is_file)
        .map_or(0, |metadata| metadata.len())
}

/// The text of a file, or why there is none.
fn text_of(path: &Path) -> Result<String, String> {
    let unreadable = |error: io::Error| format!("it cannot be read: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err("it is not a file".to_owned());
    }
    let too_large = |bytes| format!("it has {bytes} bytes; the limit is {LARGEST}");
    if metadata.len() > LARGEST {
        return Err(too_large(metadata.len()));
    }
    // The file may grow while it is read.
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(too_large(bytes.len() as u64));
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}

/// Without a leading byte order mark, and with LF for CRLF.
fn plain_text(text: String) -> String {
    let text = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text }
}
