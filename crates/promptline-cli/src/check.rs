//! `promptline check`. What is wrong is a result and goes to stdout; nothing is changed.

use std::collections::BTreeMap;
use std::path::Path;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use promptline::check::{Finding, check_dir, check_overlay, check_prompts, codes, explain};
use promptline::text::normalise;
use promptline::{Overlay, Pack, PromptRegistryBuilder, Severity};

use crate::args::CheckArgs;
use crate::gate;
use crate::output::{Failure, Output};

pub(crate) fn run(
    mut registry: PromptRegistryBuilder,
    args: &CheckArgs,
    output: &mut Output,
) -> Result<(), Failure> {
    if let Some(code) = &args.explain {
        return page(code, output);
    }
    if let Some(variant) = &args.expand {
        let registry = crate::registry(registry, &args.packs, &args.overlay)?;
        return output.write(&registry.get(variant)?.to_toml());
    }
    registry = args.tokens.of(registry)?;
    let mut findings: Vec<Finding> = Vec::new();
    for folder in args.packs.iter().chain(&args.overlay) {
        if !folder.is_dir() {
            return Err(Failure::Said(format!("there is no folder `{}`", folder.display())));
        }
        let is_overlay = args.overlay.contains(folder) || is_overlay(folder);
        let mut found = match is_overlay {
            true => check_overlay(folder, registry.clone()),
            false => check_dir(folder, registry.clone()),
        };
        // What has mistakes builds no prompts that could be judged.
        if !findings.iter().chain(&found).any(is_error) {
            found.extend(check_prompts(folder, registry.clone())?);
        }
        if !is_overlay {
            found.extend(crate::params::findings(folder)?);
        }
        findings.extend(found);
        // The next one overrides this one, if it can be loaded.
        if is_overlay {
            registry = Overlay::from_dir(folder).into_iter().fold(registry, |r, o| r.overlay(o));
        } else {
            registry = Pack::from_dir(folder).into_iter().fold(registry, |r, p| r.pack(p));
        }
    }
    if !findings.iter().any(is_error) {
        findings.extend(gate::findings(registry, args)?);
    }
    if args.json {
        let json = serde_json::to_string_pretty(&findings)
            .map_err(|error| Failure::Said(error.to_string()))?;
        output.line(json)?;
    } else {
        print_findings(&findings, output)?;
    }
    let least = if args.strict { Severity::Warning } else { Severity::Error };
    let fails = |finding: &Finding| finding.severity >= least;
    if findings.iter().any(fails) { Err(Failure::Found) } else { Ok(()) }
}

/// Whether a folder says that it is an overlay.
pub(crate) fn is_overlay(folder: &Path) -> bool {
    folder.join("overlay.toml").is_file()
}

fn is_error(finding: &Finding) -> bool {
    finding.severity == Severity::Error
}

fn page(code: &str, output: &mut Output) -> Result<(), Failure> {
    match explain(code) {
        Some(page) => output.write(page),
        None => {
            let known = codes().collect::<Vec<_>>().join(", ");
            Err(Failure::Said(format!("there is no code `{code}`; the codes are {known}")))
        }
    }
}

pub(crate) fn print_findings(findings: &[Finding], output: &mut Output) -> Result<(), Failure> {
    let colours = Output::colours();
    let mut texts: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for finding in findings {
        // Findings are in the order of files, so each is read once.
        let text = texts.entry(&finding.file).or_insert_with(|| text_of(&finding.file));
        output.line(shown(finding, text.as_deref(), colours))?;
    }
    let count =
        |severity, what: &str| match findings.iter().filter(|f| f.severity == severity).count() {
            1 => format!("1 {what}"),
            number => format!("{number} {what}s"),
        };
    if findings.is_empty() {
        return Ok(());
    }
    let (errors, warnings) = (count(Severity::Error, "error"), count(Severity::Warning, "warning"));
    match findings.iter().any(|f| f.severity == Severity::Info) {
        false => output.line(format_args!("{errors}, {warnings}")),
        true => {
            let notes = count(Severity::Info, "note");
            output.line(format_args!("{errors}, {warnings}, {notes}"))
        }
    }
}

fn text_of(file: &str) -> Option<String> {
    let path = Path::new(file);
    let text = path.is_file().then(|| std::fs::read_to_string(path))?;
    text.ok().map(|text| normalise(&text).into_owned())
}

/// `file:line:column: error[code]: message`, the line with the wrong part underlined, the help.
fn shown(finding: &Finding, text: Option<&str>, colours: bool) -> String {
    let (level, word) = match finding.severity {
        Severity::Error => (Level::ERROR, "error"),
        Severity::Info => (Level::NOTE, "note"),
        _ => (Level::WARNING, "warning"),
    };
    let Finding { file, line, column, code, message, .. } = finding;
    let place = format!("{file}:{line}:{column}: ");
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    let line_text = text.and_then(|text| text.lines().nth(line - 1)).unwrap_or_default();
    let (part, from, length) = excerpt(line_text, *column, finding.length);
    let title = level.with_name(word).primary_title(message.as_str()).id(code.as_str());
    let mut group = title.elements(None::<Snippet<'_, annotate_snippets::Annotation<'_>>>);
    if !part.is_empty() {
        let mark = AnnotationKind::Primary.span(from..from + length);
        group = group.element(Snippet::source(part).line_start(*line).annotation(mark));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    format!("{place}{}", renderer.render(&[group]))
}

/// What of a long line is shown: the part around the column, and where in it (in bytes) the wrong part
/// is.
fn excerpt(line: &str, column: usize, length: usize) -> (String, usize, usize) {
    const WIDTH: usize = 120;
    let skip = if column > WIDTH { column - WIDTH / 2 } else { 0 };
    let part: String =
        line.chars().skip(skip).take(WIDTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let byte = |chars: usize| part.char_indices().nth(chars).map_or(part.len(), |(at, _)| at);
    let from = byte(column - 1 - skip);
    let to = byte(column - 1 - skip + length);
    (part, from, to - from)
}
