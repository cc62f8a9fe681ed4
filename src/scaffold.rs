//! The files of an overlay to start from. A copy is written so that it changes nothing: one change for
//! each text that the section has, for the variants that have it.

use std::fmt::Write as _;

use crate::component::Registered;
use crate::overlay::{BASE_FOLDER, OVERLAY_FILE, Overlay, OverlayOp, short_hash};
use crate::registry::PromptRegistry;
use promptline_diagnostic::words::{listed, nearest};
use promptline_diagnostic::{Error, ErrorKind};

impl Overlay {
    /// The files of an overlay to start from: a change of one section of a registry. A `replace` has the
    /// texts that the section has now, so that it changes nothing until they are edited; any other
    /// operation has a text to write over. `base` is filled in.
    ///
    /// Each is a path in the folder of the overlay, with slashes, and a text.
    ///
    /// # Errors
    /// There is no such section, or it is written by the host's program, which `replace` cannot copy.
    pub fn starter(
        registry: &PromptRegistry,
        section: &str,
        op: OverlayOp,
    ) -> Result<Vec<(String, String)>, Error> {
        files(registry, section, op)
    }
}

/// A text of the section, and the variants that have it.
struct Source<'r> {
    text: &'r str,
    variants: Vec<&'r str>,
}

fn files(
    registry: &PromptRegistry,
    section: &str,
    op: OverlayOp,
) -> Result<Vec<(String, String)>, Error> {
    let lines: Vec<(&str, &Registered)> = registry.components_called(section).collect();
    if lines.is_empty() {
        return Err(unknown(registry, section));
    }
    let mut sources: Vec<Source<'_>> = Vec::new();
    for (variant, component) in &lines {
        let Some(text) = component.source() else {
            if op == OverlayOp::Replace {
                let message = format!("`{section}` is written by the host's program");
                return Err(Error::new(ErrorKind::Pack, message).with_help(
                    "there is no text to start from: begin with another operation, as `append`",
                ));
            }
            continue;
        };
        match sources.iter_mut().find(|source| source.text.trim() == text.trim()) {
            Some(source) if source.variants.last() == Some(variant) => {}
            Some(source) => source.variants.push(variant),
            None => sources.push(Source { text, variants: vec![variant] }),
        }
    }
    let required = lines.iter().any(|(_, component)| component.required());
    let mut toml = String::from("schema = 1\nname = \"\"\ndescription = \"\"\n");
    let mut files = Vec::new();
    if op == OverlayOp::Replace {
        copies(section, &sources, &mut toml, &mut files);
    } else {
        let bases: Vec<String> = sources.iter().map(|source| short_hash(source.text)).collect();
        change(section, op, &bases, required, &mut toml, &mut files);
    }
    for source in &sources {
        let path = format!("{BASE_FOLDER}/{}.md", short_hash(source.text));
        files.push((path, closed(source.text)));
    }
    files.insert(0, (OVERLAY_FILE.to_owned(), toml));
    Ok(files)
}

/// A copy of each text.
fn copies(
    section: &str,
    sources: &[Source<'_>],
    toml: &mut String,
    files: &mut Vec<(String, String)>,
) {
    let stem = section.to_lowercase();
    for source in sources {
        // One that is for some variants must not look as if it were for all.
        let file = match source.variants.first() {
            Some(variant) if sources.len() > 1 => format!("{stem}-{variant}.md"),
            _ => format!("{stem}.md"),
        };
        // Writing to a String cannot fail.
        let _ = write!(
            toml,
            "\n[[section]]\nid = \"{section}\"\nop = \"replace\"\nfile = \"{file}\"\n\
             template = true\nbase = \"{}\"\n",
            short_hash(source.text)
        );
        if sources.len() > 1 {
            let variants = quoted(source.variants.iter().copied());
            let _ = writeln!(toml, "when = {{ variant = [{variants}] }}");
        }
        files.push((file, closed(source.text)));
    }
}

/// One change for all variants, with a text to write over.
fn change(
    section: &str,
    op: OverlayOp,
    bases: &[String],
    required: bool,
    toml: &mut String,
    files: &mut Vec<(String, String)>,
) {
    let _ = write!(toml, "\n[[section]]\nid = \"{section}\"\nop = \"{}\"\n", op.name());
    match op {
        OverlayOp::Remove if required => toml.push_str("acknowledge = true\n"),
        OverlayOp::Remove => {}
        OverlayOp::Wrap => {
            let tag = section.to_lowercase();
            let _ = write!(toml, "before = \"<{tag}>\"\nafter = \"</{tag}>\"\n");
        }
        _ => {
            let file = format!("{}.md", section.to_lowercase());
            let _ = writeln!(toml, "file = \"{file}\"");
            files.push((file, "Write here what the model should know.\n".to_owned()));
        }
    }
    match bases {
        [] => {}
        [only] => drop(writeln!(toml, "base = \"{only}\"")),
        all => drop(writeln!(toml, "base = [{}]", quoted(all.iter().map(String::as_str)))),
    }
}

fn quoted<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}

fn closed(text: &str) -> String {
    format!("{}\n", text.trim_matches('\n'))
}

fn unknown(registry: &PromptRegistry, section: &str) -> Error {
    let message = format!("there is no section `{}`", section.escape_debug());
    let error = Error::new(ErrorKind::Pack, message).with_code("unknown-component");
    let known = registry.section_ids();
    match nearest(section, known.iter().copied()) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help(format!("sections are {}", listed(known))),
    }
}
