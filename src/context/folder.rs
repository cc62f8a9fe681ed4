//! The contexts of a folder, as packs and hosts keep them: one JSON file each. Nothing else in the folder
//! is looked at.

use std::fs;
use std::path::Path;

use super::PromptContext;
use promptline_diagnostic::{Error, ErrorKind};

/// Name and context of each `*.json`, by name.
pub(crate) fn read_contexts(folder: &Path) -> Result<Vec<(String, PromptContext)>, Error> {
    let shown = folder.display().to_string();
    let io = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("the folder of contexts cannot be read: {error}"))
            .with_help("a context is a JSON file in it; `{}` is the smallest")
            .in_file(&shown)
    };
    let mut contexts = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(name) = file.strip_suffix(".json").filter(|name| !name.starts_with('.')) else {
            continue;
        };
        let shown = path.display().to_string();
        let text = fs::read_to_string(&path).map_err(|error| {
            Error::new(ErrorKind::Io, format!("the context cannot be read: {error}"))
                .in_file(&shown)
        })?;
        contexts.push((name.to_owned(), PromptContext::from_json(&shown, &text)?));
    }
    contexts.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(contexts)
}
