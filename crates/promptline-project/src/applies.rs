//! Whether a rule applies to a request, by the keys of its front matter and the files that the request touches.

use globset::GlobBuilder;
use serde_json::Value;

use crate::front_matter::{self, Parted};
use crate::seen::quoted;
use crate::sources::Keys;

/// The rule applies; else why it does not. `files` are paths from the root with slashes; `folder` is the one that
/// patterns start from. A pattern that matches every file means always, whatever the other keys say.
pub(crate) fn applies(
    parted: &Parted<'_>,
    keys: Keys,
    folder: &str,
    files: &[String],
    mut warn: impl FnMut(&str),
) -> Result<(), String> {
    let field = |name: &str| parted.fields.get(name).filter(|value| !value.is_null());
    let text = |name: &str| field(name).and_then(front_matter::line);
    let patterns = |name: &str| field(name).map(patterns).unwrap_or_default();
    let globs = match keys {
        Keys::None => return Ok(()),
        Keys::Paths => [patterns("paths"), patterns("globs")].concat(),
        Keys::ApplyTo => patterns("applyTo"),
        Keys::Cursor => [patterns("globs"), patterns("paths")].concat(),
    };
    let always = field("alwaysApply").filter(|_| keys == Keys::Cursor).and_then(|value| {
        let switch = switch(value);
        if switch.is_none() {
            warn("`alwaysApply` is neither true nor false: it is ignored");
        }
        switch
    });
    // Windsurf's word for the same: always_on, glob, model_decision, manual.
    let trigger = text("trigger").filter(|_| keys == Keys::Cursor);
    if always == Some(true) || trigger.as_deref() == Some("always_on") {
        return Ok(());
    }
    if globs.iter().any(|glob| is_universal(glob)) {
        return Ok(());
    }
    let said = match (always, &trigger) {
        (Some(_), _) => "`alwaysApply: false`: ".to_owned(),
        (None, Some(trigger)) => format!("`trigger: {}`: ", quoted(trigger).replace('`', "")),
        (None, None) => String::new(),
    };
    if !globs.is_empty() {
        let shown = quoted(&globs.join(", "));
        let (matching, broken) = match_any(&globs, folder, files);
        broken.iter().for_each(|glob| {
            warn(&format!("the pattern {} cannot be read: it matches nothing", quoted(glob)));
        });
        return match matching {
            true => Ok(()),
            false => Err(format!("{said}it applies only to files matching {shown}")),
        };
    }
    let requested = always == Some(false) || trigger.is_some() || keys == Keys::ApplyTo;
    match (keys, text("description")) {
        (Keys::Cursor, Some(_)) | (Keys::ApplyTo, Some(_)) if parted.is_read => Err(format!(
            "{said}it is a rule that the agent requests by its description; {} puts it into every prompt",
            if keys == Keys::ApplyTo { "`applyTo: \"**\"`" } else { "`alwaysApply: true`" }
        )),
        _ if requested && parted.is_read => {
            Err(format!("{said}it is a rule that the user requests by its name"))
        }
        // Copilot attaches a file without front matter by hand only.
        _ if keys == Keys::ApplyTo => Err("it has no `applyTo`: it is attached by hand".to_owned()),
        _ => Ok(()),
    }
}

fn switch(value: &Value) -> Option<bool> {
    match front_matter::line(value)?.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// The patterns of a key: a list, or one line with commas between them, with or without brackets.
fn patterns(value: &Value) -> Vec<String> {
    let items: Vec<String> = match value {
        Value::Array(items) => items.iter().filter_map(front_matter::line).collect(),
        other => front_matter::line(other).into_iter().collect(),
    };
    items.iter().flat_map(|item| split(item)).collect()
}

/// Commas within braces belong to the pattern.
fn split(line: &str) -> Vec<String> {
    let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).unwrap_or(line);
    let mut depth = 0_usize;
    let parts = inner.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    let bare = |part: &str| part.trim().trim_matches(['"', '\'']).trim().to_owned();
    parts.map(bare).filter(|part| !part.is_empty()).collect()
}

/// `*`, `**`, `**/*`, `./**`: every file.
fn is_universal(glob: &str) -> bool {
    let glob = glob.trim_start_matches("./").trim_start_matches('/');
    !glob.is_empty()
        && glob.split('/').all(|part| part == "*" || part == "**" || part == "*.*")
        && (glob.contains("**") || !glob.contains('/'))
}

/// A pattern without a slash is the name of a file in any folder. Patterns that cannot be read come back.
fn match_any<'g>(globs: &'g [String], folder: &str, files: &[String]) -> (bool, Vec<&'g str>) {
    let mut broken = Vec::new();
    let mut matching = false;
    for glob in globs {
        let relative = glob.trim_start_matches("./").trim_start_matches('/');
        let anywhere = !relative.trim_end_matches('/').contains('/');
        let whole = match (anywhere, relative.strip_suffix('/')) {
            (_, Some(dir)) if anywhere => format!("**/{dir}/**"),
            (_, Some(dir)) => format!("{dir}/**"),
            (true, None) => format!("**/{relative}"),
            (false, None) => relative.to_owned(),
        };
        match GlobBuilder::new(&whole).literal_separator(true).build() {
            Err(_) => broken.push(glob.as_str()),
            Ok(built) => {
                let matcher = built.compile_matcher();
                matching |= files.iter().any(|file| {
                    let inner = file.strip_prefix(folder).map(|rest| rest.trim_start_matches('/'));
                    matcher.is_match(file) || inner.is_some_and(|inner| matcher.is_match(inner))
                });
            }
        }
    }
    (matching, broken)
}
