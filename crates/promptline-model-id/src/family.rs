//! One family of models, as the tables hold it: its words, its lines, and how its ids are written.

use std::collections::BTreeMap;

use serde::Deserialize;

use promptline_diagnostic::Id;

/// A family of models: what it is called in ids, who makes it, which lines it has.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ModelFamily {
    #[serde(skip)]
    name: Option<Id>,
    vendor: Option<Id>,
    words: Vec<String>,
    line_words: BTreeMap<String, Id>,
    lines: Vec<Id>,
    lines_alone: Vec<Id>,
    pub(crate) start_only: bool,
    pub(crate) line_or_end: bool,
    pub(crate) glued: bool,
    pub(crate) closed: bool,
    #[serde(default = "yes")]
    pub(crate) has_sizes: bool,
    pub(crate) tunes_others: bool,
    pub(crate) teaches: bool,
    pub(crate) marks: String,
    pub(crate) squeezed: bool,
    pub(crate) letters: String,
    pub(crate) v: VMark,
    pub(crate) unversioned: bool,
}

fn yes() -> bool {
    true
}

/// What `v1` and `v1:0` mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VMark {
    /// `v1` is a version; `v1:0` is a revision of the host.
    #[default]
    Plain,
    /// Both are versions.
    Version,
    /// Neither is.
    Revision,
}

impl ModelFamily {
    /// A family whose ids hold this word: `acme` in `acme-3-70b` and `acme3:70b`. `-` makes it two
    /// words in a row.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { has_sizes: true, ..Self::default() }.named(name)
    }

    pub(crate) fn named(mut self, name: &str) -> Self {
        self.name = Some(Id::from(name.to_ascii_lowercase()));
        self
    }

    /// Who makes it; without one, its name.
    #[must_use]
    pub fn with_vendor(mut self, vendor: &str) -> Self {
        self.vendor = Some(Id::from(vendor.to_ascii_lowercase()));
        self
    }

    /// Another word that means it.
    #[must_use]
    pub fn with_word(mut self, word: &str) -> Self {
        self.words.push(word.to_ascii_lowercase());
        self
    }

    /// A line, as `mini`: a word of its own in ids.
    #[must_use]
    pub fn with_line(mut self, line: &str) -> Self {
        self.add_line(line);
        self
    }

    /// Its name is a common word: it counts only where the model's own name begins.
    #[must_use]
    pub fn start_only(mut self) -> Self {
        self.start_only = true;
        self
    }

    /// Its weights are not published: beside an open family in one id it is the teacher.
    #[must_use]
    pub fn closed(mut self) -> Self {
        self.closed = true;
        self
    }

    /// Its name, as conditions ask for it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    /// Who makes it.
    #[must_use]
    pub fn vendor_name(&self) -> &str {
        self.vendor.as_deref().unwrap_or(self.name())
    }

    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().chain(self.line_words.values()).map(Id::as_str)
    }

    pub(crate) fn add_line(&mut self, line: &str) {
        self.lines.push(Id::from(line.to_ascii_lowercase()));
    }

    pub(crate) fn id(&self) -> Option<Id> {
        self.name.clone()
    }

    pub(crate) fn vendor_id(&self) -> Option<Id> {
        self.vendor.clone().or_else(|| self.id())
    }

    pub(crate) fn line_named(&self, word: &str) -> Option<&Id> {
        self.lines.iter().find(|line| ***line == *word)
    }

    /// A line as the tables hold it, also one that comes with a word of the family.
    pub(crate) fn line_id(&self, word: &str) -> Option<Id> {
        self.lines.iter().chain(self.line_words.values()).find(|line| ***line == *word).cloned()
    }

    pub(crate) fn alone(&self, word: &str) -> bool {
        self.lines_alone.iter().any(|line| **line == *word)
    }

    /// Every word that means it, with the line that it means too.
    pub(crate) fn all_words(&self) -> Vec<(String, Option<Id>)> {
        let plain = self.words.iter().map(String::as_str).chain([self.name()]);
        let lined = self.line_words.iter().map(|(word, line)| (word.clone(), Some(line.clone())));
        plain.map(|word| (word.to_owned(), None)).chain(lined).collect()
    }
}
