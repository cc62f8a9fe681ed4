//! `overlay.toml`: what it holds, and that each change says what its operation needs and nothing else.
//! It reads no other file; the texts that it names are the loader's business.

use serde::Deserialize;

use crate::condition::{Condition, OneOf, Site};
use crate::context::Schema1;
use crate::table;
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind, keep};

/// No overlay changes more sections than this.
const MOST_SECTIONS: usize = 256;

/// Changes of a pack's sections.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OverlayFile {
    /// The version of the format.
    #[expect(dead_code, reason = "reading it is the check")]
    schema: Schema1,
    /// The name of the overlay.
    #[serde(default)]
    pub(super) name: String,
    /// What it is for.
    #[serde(default)]
    pub(super) description: String,
    /// The changes, in the order in which they are made.
    #[serde(default, rename = "section", deserialize_with = "table::list")]
    pub(super) sections: Vec<SectionFile>,
}

/// A change of one section.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionFile {
    /// The section's id, as `RULES_SECTION`.
    pub(super) id: String,
    /// What is done with it.
    pub(super) op: Op,
    /// A file of the overlay with the text.
    pub(super) file: Option<String>,
    /// The text.
    pub(super) text: Option<String>,
    /// What `wrap` puts before the section.
    pub(super) before: Option<String>,
    /// What `wrap` puts behind the section.
    pub(super) after: Option<String>,
    /// When the change is made; always unless given.
    #[serde(default, deserialize_with = "table::some")]
    pub(super) when: Option<Condition>,
    /// The short hashes of the pack's texts that it was written against.
    #[serde(default)]
    pub(super) base: OneOf<String>,
    /// Its texts are templates; without it they are literal.
    #[serde(default)]
    pub(super) template: bool,
    /// `remove` may take a section that the pack marks as required.
    #[serde(default)]
    pub(super) acknowledge: bool,
}

/// What an overlay does with a section.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OverlayOp {
    /// Takes the text instead of the section's.
    Replace,
    /// Puts the text behind the section's, with an empty line between them.
    Append,
    /// Puts the text before the section's, with an empty line between them.
    Prepend,
    /// Takes the section out.
    Remove,
    /// Puts one text on the line before the section's and one on the line behind it.
    Wrap,
}

pub(crate) use OverlayOp as Op;

impl Op {
    /// Its name, as files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Append => "append",
            Self::Prepend => "prepend",
            Self::Remove => "remove",
            Self::Wrap => "wrap",
        }
    }

    /// What was there before does not matter.
    pub(super) fn starts_over(self) -> bool {
        matches!(self, Self::Replace | Self::Remove)
    }
}

/// Reads an `overlay.toml`. Reading goes on after a mistake where it can; what comes back is then good
/// enough for the files that it names to be looked at.
pub(super) fn read_overlay_file(
    toml: TomlText<'_>,
    errors: &mut Vec<Error>,
) -> Option<OverlayFile> {
    let read: OverlayFile = toml.read(ErrorKind::Pack, errors)?;
    if read.sections.len() > MOST_SECTIONS {
        let message = format!("an overlay changes at most {MOST_SECTIONS} sections");
        let error = Error::new(ErrorKind::Pack, message)
            .with_code("too-large")
            .with_help("what changes that much is a pack: see `promptline new pack`");
        errors.push(toml.blame(error, &["section"]));
        return None;
    }
    for (at, section) in read.sections.iter().enumerate() {
        let mut report = |error: Error, key: &str| {
            errors.push(toml.blame(error, &["section", &at.to_string(), key]));
        };
        section.check(&mut report);
        let twin = |other: &SectionFile| {
            other.id == section.id
                && other.op.starts_over()
                && section.op.starts_over()
                && other.when == section.when
        };
        if read.sections.iter().take(at).any(twin) {
            let error = Error::new(
                ErrorKind::Pack,
                format!("`{}` is replaced or removed twice", section.id.escape_debug()),
            );
            let help = "take one of the two out, or give them different `when`s";
            report(error.with_code("duplicate-id").with_help(help), "id");
        }
        if let Some(condition) = &section.when {
            let checked = condition.check(Site::Anywhere);
            let place = ["section", &at.to_string(), "when"];
            keep(errors, checked.map_err(|error| toml.blame(error, &place)));
        }
    }
    Some(read)
}

/// A short hash of a text, or a whole one.
pub(super) fn is_hash(base: &str) -> bool {
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    (8..=64).contains(&base.len()) && base.chars().all(hex)
}

/// Something wrong with a change, and the key that it is about.
struct Fault {
    key: &'static str,
    code: &'static str,
    message: String,
    help: &'static str,
}

impl Fault {
    fn bad_value(key: &'static str, message: String, help: &'static str) -> Self {
        Self { key, code: "bad-value", message, help }
    }

    fn into_error(self) -> Error {
        Error::new(ErrorKind::Pack, self.message).with_code(self.code).with_help(self.help)
    }
}

impl SectionFile {
    /// What its operation needs, and nothing else.
    fn check(&self, report: &mut impl FnMut(Error, &str)) {
        let faults = self.wrong_texts().chain(self.missing_text());
        let faults = faults.chain(self.two_texts()).chain(self.pointless_keys());
        for fault in faults.chain(self.bad_bases()) {
            let key = fault.key;
            report(fault.into_error(), key);
        }
    }

    fn takes_text(&self) -> bool {
        matches!(self.op, Op::Replace | Op::Append | Op::Prepend)
    }

    /// Texts that the operation has no use for.
    fn wrong_texts(&self) -> impl Iterator<Item = Fault> {
        let one = [("file", self.file.is_some()), ("text", self.text.is_some())];
        let two = [("before", self.before.is_some()), ("after", self.after.is_some())];
        let (takes_one, takes_two) = (self.takes_text(), self.op == Op::Wrap);
        let help = match self.op {
            Op::Wrap => "a wrap has `before` and `after`",
            Op::Remove => "a removal has no text; for another text write `op = \"replace\"`",
            _ => "`before` and `after` belong to `op = \"wrap\"`",
        };
        let op = self.op.name();
        let wrong_one = one.into_iter().filter(move |(_, given)| *given && !takes_one);
        let wrong_two = two.into_iter().filter(move |(_, given)| *given && !takes_two);
        wrong_one.chain(wrong_two).map(move |(key, _)| {
            Fault::bad_value(key, format!("`{key}` has no meaning for `{op}`"), help)
        })
    }

    fn missing_text(&self) -> Option<Fault> {
        let (has_text, help) = match self.op {
            Op::Remove => return None,
            Op::Wrap => (
                self.before.is_some() || self.after.is_some(),
                "write `before = …`, `after = …` or both",
            ),
            _ => (
                self.file.is_some() || self.text.is_some(),
                "write `file = …`, a file of the overlay, or `text = …`",
            ),
        };
        let message =
            || format!("`{}` of `{}` has no text", self.op.name(), self.id.escape_debug());
        (!has_text).then(|| Fault { key: "op", code: "missing-key", message: message(), help })
    }

    fn two_texts(&self) -> Option<Fault> {
        let both = self.takes_text() && self.file.is_some() && self.text.is_some();
        let message = "`file` and `text` both give the text".to_owned();
        both.then(|| Fault::bad_value("text", message, "take one of the two out"))
    }

    fn pointless_keys(&self) -> impl Iterator<Item = Fault> {
        let removes = self.op == Op::Remove;
        let keys = [
            ("template", self.template && removes, "take it out"),
            (
                "acknowledge",
                self.acknowledge && !removes,
                "it allows a `remove` of a required section: take it out",
            ),
        ];
        let op = self.op.name();
        let pointless = keys.into_iter().filter(|(_, pointless, _)| *pointless);
        pointless.map(move |(key, _, help)| {
            Fault::bad_value(key, format!("`{key}` has no meaning for `{op}`"), help)
        })
    }

    fn bad_bases(&self) -> impl Iterator<Item = Fault> {
        self.base.iter().filter(|base| !is_hash(base)).map(|base| {
            let message = format!("`{}` is not a hash of a text", base.escape_debug());
            let help =
                "a base is 8 to 64 digits and letters a-f, as `promptline new overlay` writes it";
            Fault::bad_value("base", message, help)
        })
    }
}
