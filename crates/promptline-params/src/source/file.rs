//! Values from a TOML or JSON file. Its folder is watched, not the file: after a rename over it a watched file is
//! dead, and a ConfigMap's swap of links names the file never again.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use notify::{Event, EventKind, RecursiveMode, Watcher as _};
use serde_json::Value;
use toml::Spanned;

use super::{Changed, Loaded, Located, ParamSource, Watch};
use crate::error::{Error, ErrorKind};
use crate::place::Places;
use crate::value::from_toml;

/// The table of earlier values in a file.
const HISTORY: &str = "history";
/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 16 * 1024 * 1024;

/// Values from a file: TOML, or JSON where its name ends with `.json`. Names and values at the top; a table
/// `history` may have lists of earlier values by name.
#[derive(Debug, Clone)]
pub struct FileSource {
    path: PathBuf,
    optional: bool,
}

impl FileSource {
    /// A file, which has to be there.
    #[must_use]
    pub fn new(path: impl AsRef<Path>) -> Self {
        Self { path: path.as_ref().to_owned(), optional: false }
    }

    /// The file may be absent: it then has no values.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    fn is_json(&self) -> bool {
        self.path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"))
    }

    fn failed(&self, what: &str, error: std::io::Error) -> Error {
        let message = format!("{}: the file cannot be {what}: {error}", self.path.display());
        Error::new(ErrorKind::Io, message).with_source(error)
    }

    fn text(&self) -> Result<Option<String>, Error> {
        let size = match std::fs::metadata(&self.path) {
            Ok(data) => data.len(),
            Err(error) if self.optional && error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(self.failed("read", error)),
        };
        if size > MAX_FILE {
            let message = format!(
                "{}: the file has {size} bytes; {MAX_FILE} are the most",
                self.path.display()
            );
            return Err(Error::new(ErrorKind::Format, message));
        }
        std::fs::read_to_string(&self.path).map(Some).map_err(|error| self.failed("read", error))
    }

    fn parse(&self, text: &str) -> Result<Loaded, Error> {
        let file = self.path.display();
        // An editor that writes in place empties the file first.
        if text.trim().is_empty() {
            let message =
                format!("{file}: the file is empty; to have no values it holds a comment or {{}}");
            return Err(Error::new(ErrorKind::Format, message));
        }
        let mut loaded = Loaded::new(file.to_string());
        let mut fields: Vec<(usize, usize, String, Value)> = Vec::new();
        if self.is_json() {
            let read: serde_json::Map<String, Value> =
                serde_json::from_str(text).map_err(|error| {
                    let message = format!("{file}:{}:{}: {error}", error.line(), error.column());
                    Error::new(ErrorKind::Format, message)
                })?;
            for (name, value) in read {
                let key = Value::from(name.as_str()).to_string();
                let at = text.find(&key).unwrap_or_default();
                fields.push((at, at + key.len(), name, value));
            }
        } else {
            let read: BTreeMap<Spanned<String>, toml::Value> =
                toml::from_str(text).map_err(|error| {
                    let place = crate::place::Place::of(text, error.span().unwrap_or(0..0));
                    let message = format!("{file}:{place}: {}", error.message().trim_end());
                    Error::new(ErrorKind::Format, message)
                })?;
            for (name, value) in read {
                let span = name.span();
                fields.push((span.start, span.end, name.into_inner(), from_toml(value)));
            }
            // `threshold = 7` may be the half of `threshold = 79`.
            loaded.looks_cut = !text.ends_with('\n');
        }
        fields.sort_by_key(|(start, ..)| *start);
        let mut places = Places::new(text);
        for (start, end, name, value) in fields {
            let place = format!("{file}:{}", places.of(start..end));
            if name == HISTORY && value.is_object() {
                let lists = value.as_object().into_iter().flatten();
                loaded.history = lists
                    .filter_map(|(name, list)| Some((name.clone(), list.as_array()?.clone())))
                    .collect();
                continue;
            }
            loaded.values.insert(name, Located { value, place });
        }
        Ok(loaded)
    }

    /// Sets a value in the file, adds the one that it had to the history, and replaces the file in one step. The
    /// comments of a TOML file are not kept.
    ///
    /// # Errors
    /// When the file cannot be read or written. Whether the value fits its declaration is for the caller to check.
    pub fn set(&self, name: &str, value: &Value) -> Result<(), Error> {
        let text = match self.text() {
            Ok(text) => text.unwrap_or_default(),
            Err(_) if !self.path.exists() => String::new(),
            Err(error) => return Err(error),
        };
        let new = self.with_value(&text, name, value)?;
        let folder = match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let write = || {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(new.as_bytes())?;
            if let Ok(data) = std::fs::metadata(&self.path) {
                file.as_file().set_permissions(data.permissions())?;
            }
            file.as_file().sync_all()?;
            file.persist(&self.path).map_err(|error| error.error)
        };
        write().map(drop).map_err(|error| self.failed("written", error))
    }

    fn with_value(&self, text: &str, name: &str, value: &Value) -> Result<String, Error> {
        let mut fields = match text.trim().is_empty() {
            true => serde_json::Map::new(),
            false if self.is_json() => serde_json::from_str(text).map_err(|error| {
                Error::new(ErrorKind::Format, format!("{}: {error}", self.path.display()))
            })?,
            false => {
                let table: toml::Table = toml::from_str(text).map_err(|error| {
                    let message = format!("{}: {}", self.path.display(), error.message());
                    Error::new(ErrorKind::Format, message)
                })?;
                table.into_iter().map(|(name, value)| (name, from_toml(value))).collect()
            }
        };
        let before = fields.insert(name.to_owned(), value.clone());
        if let Some(before) = before.filter(|before| before != value) {
            let history =
                fields.entry(HISTORY).or_insert_with(|| Value::Object(Default::default()));
            if let Some(history) = history.as_object_mut() {
                let list = history.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Some(list) = list.as_array_mut().filter(|list| !list.contains(&before)) {
                    list.push(before);
                }
            }
        }
        let wrong = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Format, format!("{}: {error}", self.path.display()))
        };
        if self.is_json() {
            let text = serde_json::to_string_pretty(&fields).map_err(|error| wrong(&error))?;
            return Ok(text + "\n");
        }
        // A table comes last in TOML.
        if let Some(history) = fields.shift_remove(HISTORY) {
            fields.insert(HISTORY.to_owned(), history);
        }
        toml::to_string(&fields).map_err(|error| wrong(&error))
    }
}

impl ParamSource for FileSource {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn load(&self) -> Result<Loaded, Error> {
        match self.text()? {
            Some(text) => self.parse(&text),
            None => Ok(Loaded::new(self.name())),
        }
    }

    fn watch(&self, changed: Changed) -> Result<Option<Watch>, Error> {
        FollowedFile::new(&self.path, changed).map(|followed| Some(Watch::new(followed)))
    }
}

/// A file that is watched by its folder.
struct FollowedFile {
    _watcher: notify::RecommendedWatcher,
}

impl FollowedFile {
    fn new(path: &Path, changed: Changed) -> Result<Self, Error> {
        let failed = |error: notify::Error| {
            let message = format!("{}: the folder cannot be watched: {error}", path.display());
            Error::new(ErrorKind::Io, message).with_source(error)
        };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        // Any event: that of a ConfigMap names other files. That a file was read (we do it ourselves) is none.
        let heard = move |event: notify::Result<Event>| match event {
            Ok(Event { kind: EventKind::Access(_), .. }) => {}
            _ => changed.notify(),
        };
        let mut watcher = notify::recommended_watcher(heard).map_err(failed)?;
        watcher.watch(folder, RecursiveMode::NonRecursive).map_err(failed)?;
        Ok(Self { _watcher: watcher })
    }
}
