//! Lints of prompts: what a pack's texts say is judged by what they say it to, so every variant of the pack
//! is built in several contexts. Only what the pack itself wrote is blamed.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Finding, finding, wrong};
use crate::builder::BuildOptions;
use crate::context::{PromptContext, read_contexts};
use crate::diagnostic::{Diagnostic, Severity};
use crate::error::Error;
use crate::lint::is_lint;
use crate::pack::Pack;
use crate::registry::PromptRegistryBuilder;

/// How the contexts that a variant's budget is meant for begin, where there are such.
const BASIC: &str = "basic";

/// Builds every variant of the pack in a folder, laid over what `base` has, in each of the pack's
/// `contexts/*.json` (without any: plainly, with native tools, and with all standard flags), and tells
/// what the [lints](crate::docs::codes) find in its files: a tool named that is not offered, a heading
/// twice, a budget that is not kept (in the contexts whose names begin with `basic`, where there are such).
/// Each is told once, with the first prompt that has it.
///
/// Components of the host run, without an async runtime.
///
/// ```
/// use promptline::{PromptRegistry, check::check_prompts};
/// # fn main() -> Result<(), promptline::Error> {
/// let findings = check_prompts(env!("CARGO_MANIFEST_DIR"), PromptRegistry::builder())?;
/// assert!(findings.is_empty(), "the built-in pack has nothing to be told: {findings:?}");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The pack does not load, a context cannot be read, or a prompt cannot be built.
pub fn check_prompts(
    folder: impl AsRef<Path>,
    base: PromptRegistryBuilder,
) -> Result<Vec<Finding>, Error> {
    let folder = folder.as_ref();
    let pack = Pack::from_dir(folder)?;
    let registry = base.pack(pack.clone()).build()?;
    let contexts = contexts(folder)?;
    let basic = |name: &str| name.starts_with(BASIC);
    let has_basic = contexts.iter().any(|(name, _)| basic(name));
    let options = BuildOptions::new().lint(true);
    let mut found: BTreeMap<(String, String, String), (Diagnostic, String)> = BTreeMap::new();
    for variant in &pack.content().variant_order {
        for (name, cx) in &contexts {
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
                if is_lint(&diagnostic.code) && pack.content().texts.has(&file) {
                    let subject = diagnostic.subject.clone().unwrap_or_default();
                    let key = (diagnostic.code.clone(), file, subject);
                    found.entry(key).or_insert_with(|| (diagnostic.clone(), place.clone()));
                }
            }
        }
    }
    let shown = folder.display().to_string();
    let told = found.into_iter().map(|((code, file, subject), (diagnostic, place))| {
        let message = format!("{} (in {place})", diagnostic.message);
        let help = diagnostic.help.unwrap_or_default();
        let allow = format!("{help}; or allow it: `[lints] {code} = \"allow\"` in pack.toml");
        let error = wrong("", message, &file, &subject).with_help(allow);
        let placed = pack.content().texts.placed(error);
        Finding { code, ..finding(placed, Severity::Warning, &shown) }
    });
    let mut told: Vec<Finding> = told.collect();
    told.sort_by_key(|f| (f.file.clone(), f.line, f.column, f.code.clone()));
    Ok(told)
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
        let cx = PromptContext::default().cwd("/project");
        (name.to_owned(), flags.iter().fold(cx, |cx, flag| cx.flag(*flag)))
    };
    let all = ["browser", "web_tools", "subagents", "task_progress", "parallel_tools"];
    Ok(vec![
        named(BASIC, &[]),
        named("basic, native tools", &["native_tools"]),
        named("all flags", &all),
        named("all flags, native tools", &[&all[..], &["native_tools"]].concat()),
    ])
}
