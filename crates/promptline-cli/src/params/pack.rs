//! The parameters of a pack's folder: its params.toml, and what its texts ask for and say.

use std::fs;
use std::path::{Path, PathBuf};

use promptline::check::Finding;
use promptline_params::{
    Declarations, Error, ErrorKind, Generation, Literals, Params, Severity, check,
};

use crate::output::Failure;

/// The file of a pack that declares parameters.
const FILE: &str = "params.toml";
/// Folders are read so deep.
const DEPTH: usize = 16;

/// What these packs declare; later ones win by name.
pub(super) fn declared(packs: &[PathBuf]) -> Result<Declarations, Failure> {
    let mut all = Declarations::default();
    for file in packs.iter().map(|pack| pack.join(FILE)).filter(|file| file.is_file()) {
        all = all.over(Declarations::from_file(file)?);
    }
    Ok(all)
}

/// What `check` finds in a pack: with defaults as values, since others belong to a run.
pub(crate) fn findings(folder: &Path) -> Result<Vec<Finding>, Failure> {
    let file = folder.join(FILE);
    if !file.is_file() {
        return Ok(Vec::new());
    }
    let declared = match Declarations::from_file(&file) {
        Ok(declared) => declared,
        Err(error) => return Ok(vec![of_values(&error)]),
    };
    let current = Params::builder(declared.clone()).load().ok().map(|params| params.current());
    findings_with(folder, &declared, current.as_deref())
}

pub(super) fn findings_with(
    folder: &Path,
    declared: &Declarations,
    current: Option<&Generation>,
) -> Result<Vec<Finding>, Failure> {
    let mut files = Vec::new();
    collect(folder, DEPTH, &mut files)?;
    let mut texts = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).map_err(|error| {
            Failure::Said(format!("{}: it cannot be read: {error}", file.display()))
        })?;
        texts.push((file.display().to_string(), text));
    }
    let borrowed = || texts.iter().map(|(file, text)| (file.as_str(), text.as_str()));
    let mut found = check(declared, borrowed());
    if let Some(current) = current {
        let literals = Literals::new(declared, current);
        for (file, text) in borrowed().filter(|(file, _)| file.ends_with(".md")) {
            found.extend(literals.find(file, text));
        }
    }
    found.sort_by(|a, b| (&a.file, a.place).cmp(&(&b.file, b.place)));
    Ok(found.into_iter().map(shown).collect())
}

/// The texts of a pack, in the order of their names.
fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| {
        Failure::Said(format!("{}: the folder cannot be read: {error}", folder.display()))
    })?;
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && depth > 0 && !path.is_symlink() && !name.starts_with('.') {
            collect(&path, depth - 1, files)?;
        } else if path.is_file()
            && (name.ends_with(".md") || name.ends_with(".toml") && name != FILE)
        {
            files.push(path);
        }
    }
    Ok(())
}

fn shown(one: promptline_params::Finding) -> Finding {
    let severity = match one.severity {
        Severity::Error => promptline::Severity::Error,
        Severity::Warning => promptline::Severity::Warning,
        _ => promptline::Severity::Info,
    };
    let mut finding = Finding::new(one.code, severity, one.message, one.file).with_help(one.help);
    (finding.line, finding.column, finding.length) =
        (one.place.line, one.place.column, one.place.length);
    finding
}

/// An error of declarations or values; its message begins with its place.
pub(super) fn of_values(error: &Error) -> Finding {
    let code = match error.kind() {
        ErrorKind::Undeclared => "undeclared-parameter",
        ErrorKind::Missing => "missing-parameter",
        ErrorKind::Invalid => "invalid-parameter",
        _ => "params-file",
    };
    let message = error.to_string();
    let mut parts = message.splitn(4, ':');
    let place = || -> Option<(String, usize, usize, String)> {
        let (file, line, column, rest) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        Some((file.to_owned(), line.parse().ok()?, column.parse().ok()?, rest.trim().to_owned()))
    };
    let mut place = place;
    match place() {
        Some((file, line, column, rest)) => {
            let mut finding = Finding::new(code, promptline::Severity::Error, rest, file);
            (finding.line, finding.column) = (line, column);
            finding
        }
        None => Finding::new(code, promptline::Severity::Error, message.clone(), FILE),
    }
}
