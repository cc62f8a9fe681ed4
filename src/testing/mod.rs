//! Golden files of every variant in every context, for a host's own tests (feature `testing`). It reads
//! contexts and golden files, writes only when update is set, and never looks at the environment.
//!
//! A prompt that changes by accident is a fault that no compiler sees. So keep the prompts beside the
//! code, and let a test compare:
//!
//! ```no_run
//! use promptline::testing::{Matrix, Mismatch};
//! use promptline::{Pack, PromptRegistry};
//!
//! #[test]
//! # fn shown() {}
//! fn prompts_are_as_they_were() -> Result<(), Mismatch> {
//!     let registry = PromptRegistry::builder()
//!         .pack(Pack::builtin())
//!         .pack(Pack::from_dir("prompts")?)
//!         .build()?;
//!     let matrix = Matrix::new(&registry)
//!         .contexts_dir("prompts/contexts")
//!         .snapshots_dir("prompts/snapshots");
//!     if std::env::var_os("UPDATE_PROMPTS").is_some() {
//!         matrix.update()?; // look at the difference before you commit it
//!     }
//!     matrix.check()
//! }
//! ```
//!
//! The command line does the same for packs made of files: `promptline snapshot --pack prompts --check`.
//!
//! # Files
//!
//! | file | what |
//! |---|---|
//! | `contexts/<context>.json` | a [`PromptContext`]; each is built for every variant, one that pins `variant` only for that one |
//! | `snapshots/sums.txt` | SHA-256, bytes and lines of every prompt, and of native tools as they are sent |
//! | `snapshots/<variant>/basic.prompt` | one prompt of each variant, whole: that of the context `basic` (see [`Matrix::base`]) |
//! | `snapshots/<variant>/basic.tools.txt` | the names by which the model may call its tools |
//! | `snapshots/<variant>/basic.tools.json` | where tools are native: the tools as they are sent, and what the dialect could not say; of the first context that has any |
//! | `snapshots/<variant>/contexts.diff` | what the other contexts change in these files, section by section |
//!
//! # Reviewing a change
//!
//! A changed sentence is one changed line in the whole prompt of each variant that says it, and the sums of
//! the prompts that have it. It is in a `contexts.diff` only where it is part of what a context changes, since
//! these have no line numbers and nothing of what stays the same. So: read the `.prompt` files, then what is
//! left of `contexts.diff`; `sums.txt` says which prompts changed at all, down to a newline at the end or a
//! CRLF, which a diff of lines does not show. Where two branches changed it, merge anything and update.
//!
//! In a `contexts.diff`, `-` removes a line, `+` adds one where the line above it is, a blank names a line
//! that stays, `~` removes everything up to the next line, and `@@` says which section or tool follows.
//! Nothing is lost: the whole files and these give every prompt back, which is what a [`Gate`] compares with.
//! To read one in another context, `promptline render --context FILE --variant ID`.
//!
//! Letters, digits, `-`, `_`, `@`, `+` and inner dots stand for themselves in names of files, everything
//! else is written as `%` and two hexadecimal digits. Of a variant with several versions the highest is
//! built, unless a context pins another. Where git may change line ends, add the line
//! `snapshots/** -text` to `.gitattributes`.

mod delta;
mod document;
mod gate;
mod golden;
mod mismatch;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::context::{PromptContext, read_contexts};
use crate::prompt::Prompt;
use crate::registry::PromptRegistry;
pub use gate::{Gate, OverGate, OverGateKind, SectionSize};
use golden::{GoldenFiles, Wanted};
pub use mismatch::{Difference, DifferenceKind, Mismatch};
use promptline_diagnostic::words::nearest;
use promptline_diagnostic::{Error, ErrorKind};

/// All variants of a registry in all contexts.
#[derive(Debug, Clone)]
#[must_use = "call `check`, `update` or `sizes`"]
pub struct Matrix<'r> {
    registry: &'r PromptRegistry,
    contexts_dir: Option<PathBuf>,
    contexts: Vec<(String, PromptContext)>,
    snapshots_dir: PathBuf,
    base: String,
    variants: Option<Vec<String>>,
    only: Option<String>,
}

/// The prompt of one variant in one context.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Snapshot {
    /// The variant's id.
    pub variant: String,
    /// The context's name.
    pub context: String,
    /// The prompt.
    pub prompt: Prompt,
}

/// What a prompt costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Size {
    /// The variant's id.
    pub variant: String,
    /// The context's name.
    pub context: String,
    /// Its length in bytes, with that of the native tools as compact JSON.
    pub bytes: usize,
    /// The same in tokens, by the registry's counter.
    pub tokens: usize,
    /// The number of tokens is only about right.
    #[serde(default)]
    pub estimate: bool,
    /// How many tools the model is offered.
    pub tools: usize,
}

/// What [`Matrix::update`] did. Files are named by their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Updated {
    /// Files that are new or different now.
    pub written: Vec<String>,
    /// Golden files of pairs that no longer exist.
    pub removed: Vec<String>,
    /// How many files were right already.
    pub unchanged: usize,
}

impl<'r> Matrix<'r> {
    /// The matrix of a registry: all its variants, no context yet, golden files in `snapshots`.
    pub fn new(registry: &'r PromptRegistry) -> Self {
        Self {
            registry,
            contexts_dir: None,
            contexts: Vec::new(),
            snapshots_dir: PathBuf::from("snapshots"),
            base: "basic".to_owned(),
            variants: None,
            only: None,
        }
    }

    /// Takes the contexts `*.json` of a folder, in the byte order of their names. A relative path starts
    /// at the working directory, which for `cargo test` is the folder of the package.
    pub fn contexts_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.contexts_dir = Some(folder.into());
        self
    }

    /// Adds a context that is not a file: one with handles of the host, say.
    pub fn context(mut self, name: impl Into<String>, cx: PromptContext) -> Self {
        self.contexts.push((name.into(), cx));
        self
    }

    /// Sets the folder of the golden files.
    pub fn snapshots_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.snapshots_dir = folder.into();
        self
    }

    /// Sets the context whose golden files are whole, `basic` by default. A variant that has no such context
    /// has its first one, by name, whole.
    pub fn base(mut self, context: impl Into<String>) -> Self {
        self.base = context.into();
        self
    }

    /// Takes these variants and no others.
    pub fn variants<S: Into<String>>(mut self, ids: impl IntoIterator<Item = S>) -> Self {
        self.variants = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Looks only at this variant of the matrix; golden files of others are left alone.
    pub fn only(mut self, variant: impl Into<String>) -> Self {
        self.only = Some(variant.into());
        self
    }

    /// Compares the golden files with what the registry builds now.
    ///
    /// # Errors
    /// [`Mismatch::Differs`] with every file that is missing, different or stale;
    /// [`Mismatch::Failed`] when a prompt cannot be built or a file cannot be read.
    pub fn check(&self) -> Result<(), Mismatch> {
        let there = self.golden_files();
        let wanted = there.files(self.wanted()?)?;
        let mut differences = Vec::new();
        for (name, text) in &wanted {
            differences.extend(there.compare(name, text)?);
        }
        for name in there.stale(&wanted)? {
            differences.push(Difference::stale(there.shown(&name)));
        }
        if differences.is_empty() { Ok(()) } else { Err(Mismatch::Differs(differences)) }
    }

    /// Writes the golden files that are missing or different, and removes those that are stale. Other
    /// files in the folder are left alone.
    ///
    /// # Errors
    /// A prompt cannot be built (then nothing is written), or a file cannot be read or written.
    pub fn update(&self) -> Result<Updated, Error> {
        let there = self.golden_files();
        let wanted = there.files(self.wanted()?)?;
        // What is stale is listed in the old sums, so it goes before the new ones are written.
        let mut updated = Updated::default();
        for name in there.stale(&wanted)? {
            there.remove(&name)?;
            updated.removed.push(there.shown(&name));
        }
        for (name, text) in &wanted {
            if there.compare(name, text)?.is_some() {
                there.write(name, text)?;
                updated.written.push(there.shown(name));
            } else {
                updated.unchanged += 1;
            }
        }
        Ok(updated)
    }

    /// What each prompt of the matrix costs.
    ///
    /// # Errors
    /// A prompt cannot be built, or a context cannot be read.
    pub fn sizes(&self) -> Result<Vec<Size>, Error> {
        let size = |snapshot: Snapshot| Size {
            bytes: cost(&snapshot.prompt),
            tokens: snapshot.prompt.tokens(),
            estimate: snapshot.prompt.counter.is_estimate(),
            tools: snapshot.prompt.tool_names().len(),
            variant: snapshot.variant,
            context: snapshot.context,
        };
        Ok(self.prompts()?.into_iter().map(size).collect())
    }

    /// The prompts of the matrix: variants in the order in which they are matched, and in each the
    /// contexts by name. Components that need an async runtime must not be built this way.
    ///
    /// # Errors
    /// There is no context or no variant, a context cannot be read or has the name of another, or a
    /// prompt cannot be built.
    pub fn prompts(&self) -> Result<Vec<Snapshot>, Error> {
        let contexts = self.all_contexts()?;
        let (pinned, free): (Vec<_>, Vec<_>) =
            contexts.iter().partition(|(_, cx)| cx.variant.is_some());
        let mut by_variant: Vec<(String, Vec<Snapshot>)> =
            self.variant_ids().into_iter().map(|id| (id, Vec::new())).collect();
        for (id, prompts) in &mut by_variant {
            if self.leaves_out(id) {
                continue;
            }
            for (name, cx) in &free {
                let built = self.registry.prompt_builder(id).and_then(|b| b.build_blocking(cx));
                prompts.push(snapshot(id, name, built)?);
            }
        }
        for (name, cx) in &pinned {
            let variant = self.registry.select(cx).map_err(|error| error.in_file(name))?;
            let id = variant.variant().id().to_owned();
            if self.leaves_out(&id) {
                continue;
            }
            let built = snapshot(&id, name, self.registry.build_blocking(cx))?;
            match by_variant.iter_mut().find(|(other, _)| *other == id) {
                Some((_, prompts)) => prompts.push(built),
                None => by_variant.push((id, vec![built])),
            }
        }
        let mut all = Vec::new();
        for (_, mut prompts) in by_variant {
            prompts.sort_by(|a, b| a.context.cmp(&b.context));
            all.append(&mut prompts);
        }
        if all.is_empty() { Err(self.nothing()) } else { Ok(all) }
    }

    fn leaves_out(&self, id: &str) -> bool {
        self.only.as_ref().is_some_and(|only| only != id)
    }

    fn variant_ids(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut ids: Vec<String> = match &self.variants {
            Some(ids) => ids.clone(),
            None => self.registry.variants().map(|variant| variant.id().to_owned()).collect(),
        };
        ids.retain(|id| seen.insert(id.clone()));
        ids
    }

    /// An empty matrix would be a check that checks nothing.
    fn nothing(&self) -> Error {
        let known = self.variant_ids();
        match &self.only {
            Some(only) if !known.contains(only) => {
                let error = Error::new(
                    ErrorKind::NoVariant,
                    format!("the matrix has no variant `{}`", only.escape_debug()),
                );
                match nearest(only, known.iter().map(String::as_str)) {
                    Some(near) => error.with_help(format!("did you mean `{near}`?")),
                    None => error.with_help(format!("it has: {}", known.join(", "))),
                }
            }
            _ => Error::new(ErrorKind::NoVariant, "the matrix has no variants")
                .with_help("add a variant to the registry, or to `variants` of the pack"),
        }
    }

    fn all_contexts(&self) -> Result<Vec<(String, PromptContext)>, Error> {
        let mut contexts = self.contexts.clone();
        if let Some(folder) = &self.contexts_dir {
            contexts.extend(read_contexts(folder)?);
        }
        contexts.sort_by(|(a, _), (b, _)| a.cmp(b));
        if let Some(name) = contexts.windows(2).find_map(|pair| match pair {
            [(a, _), (b, _)] if a == b => Some(a),
            _ => None,
        }) {
            return Err(Error::new(
                ErrorKind::Duplicate,
                format!("there are two contexts `{}`", name.escape_debug()),
            )
            .with_help("a context that is not a file needs a name of its own"));
        }
        if contexts.is_empty() {
            let error = Error::new(ErrorKind::Context, "there is no context to build prompts for");
            let error = error.with_help("add one: a file `basic.json` that holds `{}` will do");
            return Err(match &self.contexts_dir {
                Some(folder) => error.in_file(folder.display().to_string()),
                None => error,
            });
        }
        Ok(contexts)
    }

    fn golden_files(&self) -> GoldenFiles<'_> {
        GoldenFiles { folder: &self.snapshots_dir, only: self.only.as_deref() }
    }

    fn wanted(&self) -> Result<Wanted, Error> {
        let mut wanted = Wanted::default();
        for of_one in self.prompts()?.chunk_by(|a, b| a.variant == b.variant) {
            wanted.add(of_one, &self.base);
        }
        Ok(wanted)
    }
}

/// What a prompt is sent as, in bytes.
fn cost(prompt: &Prompt) -> usize {
    let beside = prompt.tools().map_or(0, |tools| tools.to_value().to_string().len());
    prompt.text().len() + beside
}

fn snapshot(variant: &str, context: &str, built: Result<Prompt, Error>) -> Result<Snapshot, Error> {
    let prompt = built.map_err(|error| error.in_file(format!("{variant}/{context}")))?;
    Ok(Snapshot { variant: variant.to_owned(), context: context.to_owned(), prompt })
}
