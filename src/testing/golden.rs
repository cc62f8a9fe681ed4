//! The golden files themselves: their names, what is in them, and the folder that they are in. It only
//! ever removes a file that it could have written.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::Snapshot;
use super::mismatch::Difference;
use crate::fingerprint::hex;
use promptline_diagnostic::{Error, ErrorKind};
use promptline_tools::NativeTools;

/// How a golden file of each kind begins.
const PROMPT_MARK: &str = "sha256 ";
const TOOLS_MARK: &str = "tools that the model may call, by context\n";
const TOOLS_FILE: &str = "tools.txt";
const NATIVE_MARK: &str = "{\n  \"names\": {";
const NATIVE_END: &str = ".tools.json";

/// A prompt under a line that says what a diff of lines does not.
pub(super) fn prompt(text: &str) -> String {
    let hash = hex(&Sha256::digest(text.as_bytes()));
    let lines = text.split('\n').count();
    format!("{PROMPT_MARK}{hash}, {} bytes, {lines} lines\n{text}", text.len())
}

/// The prompt of a golden file; of any other text all of it.
pub(super) fn without_first_line(golden: &str) -> &str {
    match golden.split_once('\n') {
        Some((first, prompt)) if first.starts_with(PROMPT_MARK) => prompt,
        _ => golden,
    }
}

/// The tools of one variant: for each context the names, and the ids where they are not the names.
pub(super) fn tools(snapshots: &[Snapshot]) -> String {
    let mut text = TOOLS_MARK.to_owned();
    for snapshot in snapshots {
        let _ = writeln!(text, "\n{}", snapshot.context.escape_debug());
        for (name, tool) in snapshot.prompt.tool_names().iter() {
            let _ = if name == tool.id {
                writeln!(text, "  {name}")
            } else {
                writeln!(text, "  {name} ({})", tool.id)
            };
        }
    }
    text
}

/// Native tools, for people to read: what goes over the wire, what its names are, and what is lost.
pub(super) fn native(tools: &NativeTools) -> String {
    let all = serde_json::json!({
        "names": tools.names(),
        "tools": tools.list(),
        "losses": tools.unsupported(),
    });
    format!("{all:#}\n")
}

pub(super) fn native_file(variant: &str, context: &str) -> String {
    format!("{}/{}{NATIVE_END}", file_name(variant), file_name(context))
}

pub(super) fn prompt_file(variant: &str, context: &str) -> String {
    format!("{}/{}.prompt", file_name(variant), file_name(context))
}

pub(super) fn tools_file(variant: &str) -> String {
    format!("{}/{TOOLS_FILE}", file_name(variant))
}

/// A name that is good for a file on every system; different names stay different.
pub(super) fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (at, c) in name.char_indices() {
        if c.is_alphanumeric() || "-_@+".contains(c) || (c == '.' && at > 0) {
            safe.push(c);
        } else {
            let mut bytes = [0; 4];
            for byte in c.encode_utf8(&mut bytes).bytes() {
                let _ = write!(safe, "%{byte:02X}");
            }
        }
    }
    safe
}

/// A folder of golden files. Names are relative to it.
pub(super) struct GoldenFiles<'m> {
    pub(super) folder: &'m Path,
}

impl GoldenFiles<'_> {
    pub(super) fn shown(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }

    /// What is different about a file, if anything.
    pub(super) fn compare(&self, name: &str, wanted: &str) -> Result<Option<Difference>, Error> {
        match fs::read(self.folder.join(name)) {
            Ok(found) if found == wanted.as_bytes() => Ok(None),
            Ok(found) => {
                let found = String::from_utf8_lossy(&found);
                Ok(Some(Difference::changed(self.shown(name), &found, wanted)))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Some(Difference::missing(self.shown(name))))
            }
            Err(error) => Err(self.failed(name, "read", &error)),
        }
    }

    /// A golden file's text, where there is one.
    pub(super) fn text(&self, name: &str) -> Result<Option<String>, Error> {
        match fs::read(self.folder.join(name)) {
            Ok(found) => Ok(Some(String::from_utf8_lossy(&found).into_owned())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.failed(name, "read", &error)),
        }
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text))
            .map_err(|error| self.failed(name, "written", &error))
    }

    /// Removes a file, and its folder with the last one in it.
    pub(super) fn remove(&self, name: &str) -> Result<(), Error> {
        let path = self.folder.join(name);
        fs::remove_file(&path).map_err(|error| self.failed(name, "removed", &error))?;
        if let Some(folder) = path.parent() {
            let _ = fs::remove_dir(folder); // it stays when something else is in it
        }
        Ok(())
    }

    /// The golden files that are there, in byte order; those of one variant's folder, or all.
    pub(super) fn list(&self, only: Option<&str>) -> Result<Vec<String>, Error> {
        let folders = match only {
            Some(only) => vec![only.to_owned()],
            None => self.entries("", |entry| entry.is_dir())?,
        };
        let mut names = Vec::new();
        for folder in folders {
            for file in self.entries(&folder, |entry| entry.is_file())? {
                let name = format!("{folder}/{file}");
                if self.is_ours(&name, &file)? {
                    names.push(name);
                }
            }
        }
        names.sort();
        Ok(names)
    }

    /// Names of what is in a folder; links are not followed, and a folder that is not there is empty.
    fn entries(
        &self,
        folder: &str,
        wanted: impl Fn(&fs::FileType) -> bool,
    ) -> Result<Vec<String>, Error> {
        let failed = |error: io::Error| self.failed(folder, "read", &error);
        let entries = match fs::read_dir(self.folder.join(folder)) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(failed)?;
            if wanted(&entry.file_type().map_err(failed)?) {
                names.extend(entry.file_name().into_string().ok());
            }
        }
        Ok(names)
    }

    /// A file that we could have written, and not one that only has such a name.
    fn is_ours(&self, name: &str, file: &str) -> Result<bool, Error> {
        let mark = match file {
            TOOLS_FILE => TOOLS_MARK,
            _ if file.ends_with(".prompt") => PROMPT_MARK,
            _ if file.ends_with(NATIVE_END) => NATIVE_MARK,
            _ => return Ok(false),
        };
        let found = fs::read(self.folder.join(name));
        let found = found.map_err(|error| self.failed(name, "read", &error))?;
        Ok(found.starts_with(mark.as_bytes()))
    }

    fn failed(&self, name: &str, done: &str, error: &io::Error) -> Error {
        Error::new(ErrorKind::Io, format!("the golden file cannot be {done}: {error}"))
            .in_file(self.shown(name))
    }
}

#[cfg(test)]
mod tests {
    use super::{file_name, prompt};

    #[test]
    fn names_are_safe_and_stay_different() {
        for (name, file) in [
            ("next-gen", "next-gen"),
            ("gpt-5.2", "gpt-5.2"),
            ("org/model", "org%2Fmodel"),
            ("..", "%2E."),
            ("a%2Fb", "a%252Fb"),
            ("größe", "größe"),
            ("a b", "a%20b"),
        ] {
            assert_eq!(file_name(name), file);
        }
    }

    #[test]
    fn the_first_line_sees_what_lines_do_not() {
        let first = |text: &str| prompt(text).lines().next().map(str::to_owned);
        let forms = ["a", "a\n", "\na", "a\r\n"].map(first);
        assert!(
            forms.iter().enumerate().all(|(at, form)| !forms[..at].contains(form)),
            "{forms:?}"
        );
    }
}
