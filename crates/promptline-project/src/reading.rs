//! Reads files of a project and lists its folders. Never follows a link out of the project, never reads
//! more than the limit, and says of every file that it does not hand on why.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::seen::{Refusal, Seen, SeenKind};
use promptline_diagnostic::Diagnostic;

/// No file is larger than this many bytes.
const LARGEST: u64 = 1 << 20;
/// A folder has at most this many files, those of its folders included.
const MOST: usize = 1_000;
const OUTSIDE: &str = "the link leads out of the project";

pub(crate) struct Reader {
    /// Where files may be: the project, then the user's home if that was asked for.
    bases: Vec<Base>,
    /// What was read: real path to the name that it was read by.
    read: BTreeMap<PathBuf, String>,
    pub(crate) seen: Seen,
}

struct Base {
    root: PathBuf,
    /// The same without links.
    real: PathBuf,
    /// What stands before its paths.
    prefix: &'static str,
}

impl Base {
    fn new(root: &Path, prefix: &'static str) -> Self {
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_owned());
        Self { root: root.to_owned(), real, prefix }
    }
}

/// A file to be read: where it is, what is shown of it, and where its text is.
struct Place {
    shown: String,
    real: PathBuf,
}

impl Reader {
    pub(crate) fn new(root: &Path, home: Option<&Path>) -> Self {
        let mut bases = vec![Base::new(root, "")];
        bases.extend(home.map(|home| Base::new(home, "~/")));
        Self { bases, read: BTreeMap::new(), seen: Seen::default() }
    }

    /// Reads a file, where there is one, and hands its path and its text to `take`, which says why the
    /// file is left out when it is. Notes on a file that is used go to the list that `take` is given.
    pub(crate) fn read<T>(
        &mut self,
        path: &Path,
        kind: SeenKind,
        take: impl FnOnce(&str, &str, &mut Vec<Diagnostic>) -> Result<T, Refusal>,
    ) -> Option<T> {
        let Place { shown, mut real } = self.place(path, kind)?;
        let bytes = size(&real);
        if self.is_repeated(&shown, &real, kind, bytes) {
            return None;
        }
        let mut text = text_of(&real);
        if let Some(target) = text.as_ref().ok().and_then(|text| link_target(&real, text)) {
            let inside = self.base(path).is_some_and(|base| target.starts_with(&base.real));
            let named = self.shown(&target);
            if !inside {
                self.seen.left_out(&shown, kind, bytes, OUTSIDE.to_owned());
                return None;
            }
            if self.is_repeated(&shown, &target, kind, bytes) {
                return None;
            }
            let message = format!("it is a link that git wrote as a text file: `{named}` is read");
            let note = Diagnostic::info(&format!("{}-link", kind.code()), message);
            self.seen.notes.push(note.in_file(&shown));
            text = text_of(&target);
            real = target;
        }
        let taken = text.map_err(Refusal::from).and_then(|text| {
            self.read.insert(real, shown.clone());
            take(&shown, &plain_text(text), &mut self.seen.notes)
        });
        match taken {
            Ok(taken) => {
                self.seen.used(&shown, kind, bytes);
                Some(taken)
            }
            Err(why) => {
                self.seen.refused(&shown, kind, bytes, why);
                None
            }
        }
    }

    /// Where a file is; none when there is none, or it must not be read.
    fn place(&mut self, path: &Path, kind: SeenKind) -> Option<Place> {
        let shown = self.shown(path);
        match fs::canonicalize(path) {
            Ok(real) if self.base(path).is_some_and(|base| real.starts_with(&base.real)) => {
                Some(Place { shown, real })
            }
            Ok(_) => {
                self.seen.left_out(&shown, kind, 0, OUTSIDE.to_owned());
                None
            }
            Err(_) if path.is_symlink() => {
                self.seen.left_out(&shown, kind, 0, "the link leads nowhere".to_owned());
                None
            }
            Err(error) => {
                self.unreadable(&shown, kind, &error);
                None
            }
        }
    }

    fn is_repeated(&mut self, shown: &str, real: &Path, kind: SeenKind, bytes: u64) -> bool {
        let Some(first) = self.read.get(real) else { return false };
        self.seen.repeated(shown, kind, bytes, format!("the same file is read as `{first}`"));
        true
    }

    /// The file is inside of the project (or home) that `from` is in.
    pub(crate) fn is_inside(&self, path: &Path, from: &Path) -> bool {
        let real = fs::canonicalize(path);
        real.is_ok_and(|real| self.base(from).is_some_and(|base| real.starts_with(&base.real)))
    }

    /// The file was read, by whatever name.
    pub(crate) fn is_read(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|real| self.read.contains_key(&real))
    }

    fn base(&self, path: &Path) -> Option<&Base> {
        self.bases.iter().find(|base| path.starts_with(&base.root) || path.starts_with(&base.real))
    }

    /// Says that a file was seen, is not asked for, and was not read.
    pub(crate) fn not_read(&mut self, path: &Path, kind: SeenKind, why: &str) {
        let shown = self.shown(path);
        if !self.seen.has(&shown) {
            self.seen.not_read(&shown, kind, size(path), why.to_owned());
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
            Ok(real) if !self.base(folder).is_some_and(|base| real.starts_with(&base.real)) => {
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

    /// The path from the root of the project, or from the home, with slashes.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let inner = self.bases.iter().find_map(|base| {
            let inner = path.strip_prefix(&base.root).or_else(|_| path.strip_prefix(&base.real));
            Some((inner.ok()?, base.prefix))
        });
        let (inner, prefix) = inner.unwrap_or((path, ""));
        let parts: Vec<_> =
            inner.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        format!("{prefix}{}", parts.join("/"))
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
    decoded(bytes)
}

/// UTF-8, or UTF-16 with a byte order mark, as PowerShell 5 writes it.
fn decoded(bytes: Vec<u8>) -> Result<String, String> {
    let units = |pair: fn([u8; 2]) -> u16| {
        let pairs = bytes.get(2..).unwrap_or_default().chunks_exact(2);
        let whole = pairs.remainder().is_empty();
        let units: Vec<u16> = pairs.filter_map(|two| Some(pair(two.try_into().ok()?))).collect();
        match String::from_utf16(&units) {
            Ok(text) if whole => Ok(text),
            _ => Err("it has a mark of UTF-16 and is not UTF-16".to_owned()),
        }
    };
    match bytes.get(..2) {
        Some([0xFF, 0xFE]) => return units(u16::from_le_bytes),
        Some([0xFE, 0xFF]) => return units(u16::from_be_bytes),
        _ => {}
    }
    String::from_utf8(bytes)
        .map_err(|error| format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
}

/// The file that a text names when it is a link which git wrote as a text file (Windows does, without
/// `core.symlinks`): a relative path on one line, and nothing else.
fn link_target(file: &Path, text: &str) -> Option<PathBuf> {
    const LONGEST: usize = 512;
    let path = text.trim_end_matches(['\r', '\n']);
    let fits = !path.is_empty() && path.len() <= LONGEST && path.trim() == path;
    if !fits || path.contains(['\n', '\r', '\0']) || Path::new(path).is_absolute() {
        return None;
    }
    let target = fs::canonicalize(file.parent()?.join(path)).ok()?;
    (target.is_file() && target != file).then_some(target)
}

/// Without a leading byte order mark, and with LF for CRLF.
fn plain_text(text: String) -> String {
    let text = match text.strip_prefix('\u{FEFF}') {
        Some(rest) => rest.to_owned(),
        None => text,
    };
    if text.contains("\r\n") { text.replace("\r\n", "\n") } else { text }
}
