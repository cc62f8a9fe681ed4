//! Lints of prompts: what a pack's texts say is judged by what they say it to, so every variant of the pack
//! is built in several contexts. Only what the pack or the overlay itself wrote is blamed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Finding, finding, wrong};
use crate::context::{PromptContext, read_contexts};
use crate::lint::{Lint, is_lint};
use crate::options::BuildOptions;
use crate::overlay::{OVERLAY_FILE, Overlay};
use crate::pack::{Pack, Texts};
use crate::registry::{PromptRegistry, PromptRegistryBuilder};
use promptline_diagnostic::Diagnostic;
use promptline_diagnostic::Error;

/// How the contexts that a variant's budget is meant for begin, where there are such.
const BASIC: &str = "basic";

/// Builds every variant of the pack in a folder, on top of what `base` has, in each of the pack's
/// `contexts/*.json` (without any: plainly, with native tools, and with all standard flags), and reports
/// what the [lints](crate::docs::codes) find in its files: a tool named that is not offered, a heading
/// twice, a budget that is not kept (in the contexts whose names begin with `basic`, where there are such),
/// text that changes before text that does not (a note). Each is reported once, with the first prompt that
/// has it.
///
/// Of an overlay (a folder with an `overlay.toml`) every variant of `base` is built without it and with
/// it, and what is found in its files only with it is reported.
///
/// Components of the host run, without an async runtime.
///
/// ```
/// use promptline::{PromptRegistry, Severity, check::check_prompts};
/// # fn main() -> Result<(), promptline::Error> {
/// let mut findings = check_prompts(env!("CARGO_MANIFEST_DIR"), PromptRegistry::builder())?;
/// findings.retain(|finding| finding.severity > Severity::Info);
/// assert!(findings.is_empty(), "the built-in pack has no mistakes: {findings:?}");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The pack or overlay does not load, a context cannot be read, or a prompt cannot be built.
pub fn check_prompts(
    folder: impl AsRef<Path>,
    base: PromptRegistryBuilder,
) -> Result<Vec<Finding>, Error> {
    let folder = folder.as_ref();
    let contexts = contexts(folder)?;
    if folder.join(OVERLAY_FILE).is_file() {
        let overlay = Overlay::from_dir(folder)?;
        let texts = overlay.content().texts();
        let registry = base.clone().build()?;
        let variants: Vec<String> = registry.variants().map(|v| v.id().to_owned()).collect();
        let without = met(&registry, &variants, &contexts, |_| true)?;
        let registry = base.overlay(overlay.clone()).build()?;
        let mut with = met(&registry, &variants, &contexts, |file| texts.has(file))?;
        let old: BTreeSet<(&str, &str)> =
            without.keys().map(|(code, _, subject)| (code.as_str(), subject.as_str())).collect();
        with.retain(|(code, _, subject), _| !old.contains(&(code.as_str(), subject.as_str())));
        let allow = |code: &str| match code {
            "tool-not-enabled" => "; or give the change `when = { tool = \"…\" }`".to_owned(),
            _ => String::new(),
        };
        return Ok(findings(with, texts, folder, allow));
    }
    let pack = Pack::from_dir(folder)?;
    let registry = base.pack(pack.clone()).build()?;
    let texts = &pack.content().texts;
    let met = met(&registry, &pack.content().variant_order, &contexts, |file| texts.has(file))?;
    let allow = |code: &str| format!("; or allow it: `[lints] {code} = \"allow\"` in pack.toml");
    Ok(findings(met, texts, folder, allow))
}

/// What lints say, by code, file and subject, with the first prompt that it is said of.
type Met = BTreeMap<(String, String, String), (Diagnostic, String)>;

fn met(
    registry: &PromptRegistry,
    variants: &[String],
    contexts: &[(String, PromptContext)],
    is_ours: impl Fn(&str) -> bool,
) -> Result<Met, Error> {
    let basic = |name: &str| name.starts_with(BASIC);
    let has_basic = contexts.iter().any(|(name, _)| basic(name));
    let options = BuildOptions::new().with_lint(true);
    let mut met = Met::new();
    for variant in variants {
        for (name, cx) in contexts {
            if cx.variant.as_ref().is_some_and(|pinned| pinned != variant) {
                continue;
            }
            let place = format!("{variant}/{name}");
            let builder = registry.prompt_builder(variant)?.options(options.clone());
            let prompt = builder.build_blocking(cx).map_err(|error| error.in_file(&place))?;
            for diagnostic in &prompt.report().diagnostics {
                let file = diagnostic.file.clone().unwrap_or_default();
                if diagnostic.code == "over-budget" && has_basic && !basic(name) {
                    continue;
                }
                // The check of the files reports each of these with its place.
                if diagnostic.code == Lint::InvisibleCharacter.code() {
                    continue;
                }
                if is_lint(&diagnostic.code) && is_ours(&file) {
                    let subject = diagnostic.subject.clone().unwrap_or_default();
                    let key = (diagnostic.code.clone(), file, subject);
                    met.entry(key).or_insert_with(|| (diagnostic.clone(), place.clone()));
                }
            }
        }
    }
    Ok(met)
}

/// `allow` says how a lint is allowed, for its help.
fn findings(
    met: Met,
    texts: &Texts,
    folder: &Path,
    allow: impl Fn(&str) -> String,
) -> Vec<Finding> {
    let shown = folder.display().to_string();
    let found = met.into_iter().map(|((code, file, subject), (diagnostic, place))| {
        let message = format!("{} (in {place})", diagnostic.message);
        let help = diagnostic.help.unwrap_or_default() + &allow(&code);
        let error = wrong("", message, &file, &subject).with_help(help);
        let placed = texts.placed(error);
        Finding { code, ..finding(placed, diagnostic.severity, &shown) }
    });
    let mut found: Vec<Finding> = found.collect();
    found.sort_by_key(|f| (f.file.clone(), f.line, f.column, f.code.clone()));
    found
}

/// Those of the pack, else some that show most of a text.
fn contexts(folder: &Path) -> Result<Vec<(String, PromptContext)>, Error> {
    let own = folder.join("contexts");
    if own.is_dir() {
        let contexts = read_contexts(&own)?;
        if !contexts.is_empty() {
            return Ok(contexts);
        }
    }
    let named = |name: &str, flags: &[&str]| {
        let cx = PromptContext::default().with_cwd("/project");
        (name.to_owned(), flags.iter().fold(cx, |cx, flag| cx.with_flag(*flag)))
    };
    let all = ["browser", "web_tools", "subagents", "task_progress", "parallel_tools"];
    Ok(vec![
        named(BASIC, &[]),
        named("basic, native tools", &["native_tools"]),
        named("all flags", &all),
        named("all flags, native tools", &[&all[..], &["native_tools"]].concat()),
    ])
}
