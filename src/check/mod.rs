//! Looks over a folder of prompt files and reports every mistake at once, each with a code and a place.
//! What is an error here stops a pack from being loaded or built; the warnings are what loads and is
//! still not what its author can have meant. [`check_dir`] renders nothing and asks for no context;
//! [`check_prompts`] builds prompts and looks at what they say.

mod codes;
mod lints;
mod names;
mod overlay;
mod parts;
mod prompts;
mod unused;

use std::collections::BTreeSet;
use std::path::Path;

use serde::Serialize;

use crate::overlay::OVERLAY_FILE;
use crate::pack::{Pack, PackContent, Texts};
use crate::registry::{PromptRegistryBuilder, Survey, survey};
pub use codes::{codes, explain};
use promptline_diagnostic::Severity;
use promptline_diagnostic::{Error, ErrorKind};
pub use prompts::check_prompts;

/// Something that is wrong in a file of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// A stable name for this kind of mistake; [`explain`] has a page for each.
    pub code: String,
    /// [`Severity::Error`] when the pack cannot be used, [`Severity::Info`] where nothing is wrong but has
    /// a price, else [`Severity::Warning`].
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The file, below the folder as it was given.
    pub file: String,
    /// The line, counted from 1; 1 where the whole file is meant.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// How many characters of the line are wrong, at least 1.
    pub length: usize,
}

impl Finding {
    /// A finding about a whole file, for checks of a host's own.
    #[must_use]
    pub fn new(
        code: impl Into<String>,
        severity: Severity,
        message: impl Into<String>,
        file: impl Into<String>,
    ) -> Self {
        let (code, message, file) = (code.into(), message.into(), file.into());
        Self { code, severity, message, help: None, file, line: 1, column: 1, length: 1 }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Checks the pack or the overlay (a folder with an `overlay.toml`) in a folder, on top of what `base`
/// has: its packs and the host's additions. All mistakes are reported, by file and place. Something unused is reported
/// only when every file could be read, since what cannot be read may use it.
///
/// ```
/// use promptline::{Pack, PromptRegistry, check::check_dir};
/// let findings = check_dir(env!("CARGO_MANIFEST_DIR"), PromptRegistry::builder());
/// assert!(findings.is_empty(), "the built-in pack has no mistakes: {findings:?}");
/// ```
#[must_use]
pub fn check_dir(folder: impl AsRef<Path>, base: PromptRegistryBuilder) -> Vec<Finding> {
    let folder = folder.as_ref();
    if folder.join(OVERLAY_FILE).is_file() {
        return check_overlay(folder, base);
    }
    let mut errors = Vec::new();
    let Some(pack) = Pack::collect(folder, &mut errors) else {
        let whole = folder.display().to_string();
        return errors.into_iter().map(|error| finding(error, Severity::Error, &whole)).collect();
    };
    let builder = base.pack(pack.clone());
    let read = errors.is_empty();
    let survey = survey(&builder, &mut errors);
    let view = View { pack: pack.content(), builder: &builder, survey: &survey };

    let mut findings = FindingList { findings: Vec::new(), texts: &view.pack.texts, folder };
    let mut list = Mistakes::default();
    names::check(&view, &mut list);
    lints::check(&view, &mut list);
    if read {
        unused::check(&view, &mut list);
    }
    errors.into_iter().for_each(|error| findings.add(error, Severity::Error));
    list.0.into_iter().for_each(|(severity, error)| findings.add(error, severity));
    findings.finish()
}

/// Checks a folder that is to be an overlay, also where it has no `overlay.toml`: then that is its mistake.
/// See [`check_dir`].
#[must_use]
pub fn check_overlay(folder: impl AsRef<Path>, base: PromptRegistryBuilder) -> Vec<Finding> {
    overlay::check(folder.as_ref(), base)
}

/// What a check looks at.
struct View<'a> {
    /// The pack that is checked.
    pack: &'a PackContent,
    /// All packs, it being the last of them.
    builder: &'a PromptRegistryBuilder,
    survey: &'a Survey,
}

/// What was found beyond the errors of loading.
#[derive(Default)]
struct Mistakes(Vec<(Severity, Error)>);

impl Mistakes {
    fn error(&mut self, error: Error) {
        self.0.push((Severity::Error, error));
    }

    fn warning(&mut self, error: Error) {
        self.0.push((Severity::Warning, error));
    }
}

/// A mistake in a file, which is about a word of it.
fn wrong(code: &'static str, message: String, file: &str, word: &str) -> Error {
    Error::new(ErrorKind::Pack, message).with_code(code).in_file(file).about(word)
}

struct FindingList<'a> {
    findings: Vec<Finding>,
    texts: &'a Texts,
    folder: &'a Path,
}

impl FindingList<'_> {
    fn add(&mut self, error: Error, severity: Severity) {
        let error = self.texts.placed(error);
        let finding = finding(error, severity, &self.folder.display().to_string());
        self.findings.push(finding);
    }

    /// By place, each once. A mistake of a file that is met again where it is used has no place of
    /// its own there.
    fn finish(mut self) -> Vec<Finding> {
        // Those with a place of their own come first, so that they are the ones that stay.
        self.findings.sort_by_key(|f| (f.line, f.column) == (1, 1));
        let mut known = BTreeSet::new();
        let mut whole = BTreeSet::new();
        self.findings.retain(|f| {
            let first = whole.insert((f.code.clone(), f.message.clone()));
            // Each variant that lists the two reports it; one is enough.
            let message = if f.code == "forward-reference" { "" } else { &f.message };
            let place = (f.file.clone(), f.line, f.column, f.code.clone(), message.to_owned());
            known.insert(place) && (first || (f.line, f.column) != (1, 1))
        });
        self.findings.sort_by(|a, b| {
            let key = |f: &Finding| (f.file.clone(), f.line, f.column, f.code.clone());
            key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
        });
        self.findings
    }
}

fn finding(error: Error, severity: Severity, folder: &str) -> Finding {
    let (line, column) = error.line_column().unwrap_or((1, 1));
    Finding {
        code: error.code().to_owned(),
        severity,
        message: error.message().to_owned(),
        help: error.help().map(str::to_owned),
        file: error.file().unwrap_or(folder).to_owned(),
        line,
        column,
        length: error.length(),
    }
}
