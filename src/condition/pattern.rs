//! The small patterns of conditions: globs and regular expressions over model ids, ranges of numbers. All are checked
//! when they are read, so that matching cannot fail.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize};

use promptline_diagnostic::{Error, ErrorKind};

/// A glob over a whole model id, compared after ASCII lower-casing: `*` (slashes too), `?`, `[4-9]`,
/// `{opus,sonnet}`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelGlob {
    written: String,
    matcher: GlobMatcher,
}

impl ModelGlob {
    /// Reads a glob of at most 1,000 bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Condition`] when it cannot be read.
    pub fn new(glob: impl Into<String>) -> Result<Self, Error> {
        const LONGEST: usize = 1_000;
        let written = glob.into();
        if written.len() > LONGEST {
            return Err(Error::new(
                ErrorKind::Condition,
                format!("a model glob is longer than {LONGEST} bytes"),
            ));
        }
        let glob = GlobBuilder::new(&written.to_ascii_lowercase())
            .literal_separator(false)
            .backslash_escape(true)
            .build()
            .map_err(|error| {
                Error::new(
                    ErrorKind::Condition,
                    format!("the model glob `{written}` cannot be read: {}", error.kind()),
                )
            })?;
        Ok(Self { written, matcher: glob.compile_matcher() })
    }

    /// The glob as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The glob matches the whole id.
    #[must_use]
    pub fn matches(&self, id: &str) -> bool {
        self.matches_lowered(&id.to_ascii_lowercase())
    }

    /// The same for an id that is lower-cased already, since there are many globs for one id.
    pub(crate) fn matches_lowered(&self, id: &str) -> bool {
        self.matcher.is_match(id)
    }
}

impl PartialEq for ModelGlob {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl fmt::Debug for ModelGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelGlob({:?})", self.written)
    }
}

impl TryFrom<String> for ModelGlob {
    type Error = Error;

    fn try_from(glob: String) -> Result<Self, Error> {
        Self::new(glob)
    }
}

impl From<ModelGlob> for String {
    fn from(glob: ModelGlob) -> Self {
        glob.written
    }
}

/// A regular expression over a model id, in any case; found anywhere in it unless anchored (`^`, `$`). The
/// syntax is that of the `regex` crate: no look-around and no back-references, so that matching takes
/// linear time.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IdPattern(Regex);

impl IdPattern {
    /// Reads an expression of at most 1,000 bytes, and of at most 1 MiB compiled.
    ///
    /// # Errors
    /// [`ErrorKind::Condition`] when it cannot be read.
    pub fn new(expression: &str) -> Result<Self, Error> {
        const LONGEST: usize = 1_000;
        const LARGEST: usize = 1 << 20;
        let wrong = |why: String| Error::new(ErrorKind::Condition, why);
        if expression.len() > LONGEST {
            return Err(wrong(format!("an `id_matches` is longer than {LONGEST} bytes")));
        }
        let built =
            RegexBuilder::new(expression).case_insensitive(true).size_limit(LARGEST).build();
        built.map(Self).map_err(|error| {
            let message = error.to_string();
            // The crate draws the place over several lines; the last one says what is wrong.
            let what = message.lines().last().unwrap_or_default();
            let what = what.strip_prefix("error: ").unwrap_or(what);
            wrong(format!("the regular expression `{expression}` cannot be read: {what}"))
        })
    }

    /// The expression as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The expression is found in the id.
    #[must_use]
    pub fn matches(&self, id: &str) -> bool {
        self.0.is_match(id)
    }
}

impl PartialEq for IdPattern {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl fmt::Debug for IdPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IdPattern({:?})", self.as_str())
    }
}

impl TryFrom<String> for IdPattern {
    type Error = Error;

    fn try_from(expression: String) -> Result<Self, Error> {
        Self::new(&expression)
    }
}

impl From<IdPattern> for String {
    fn from(pattern: IdPattern) -> Self {
        pattern.as_str().to_owned()
    }
}

/// A range of whole numbers: comparisons joined by commas, all of which must hold: `">=4096, <16384"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct NumberRange {
    written: String,
    bounds: Vec<(Comparison, u64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl NumberRange {
    /// Reads a range.
    ///
    /// # Errors
    /// [`ErrorKind::Condition`] when it cannot be read.
    pub fn new(range: impl Into<String>) -> Result<Self, Error> {
        let written = range.into();
        let bounds = written
            .split(',')
            .map(|bound| {
                let bound = bound.trim();
                let (comparison, number) = [
                    ("<=", Comparison::AtMost),
                    (">=", Comparison::AtLeast),
                    ("<", Comparison::Less),
                    (">", Comparison::More),
                    ("=", Comparison::Equal),
                ]
                .into_iter()
                .find_map(|(sign, comparison)| {
                    bound.strip_prefix(sign).map(|number| (comparison, number))
                })?;
                let number = number.trim().replace('_', "").parse().ok()?;
                Some((comparison, number))
            })
            .collect::<Option<Vec<_>>>()
            .ok_or_else(|| {
                Error::new(ErrorKind::Condition, format!("`{written}` is not a range of numbers"))
                    .with_help("write it as \"<=16384\" or \">=4096, <16384\"")
            })?;
        Ok(Self { written, bounds })
    }

    /// The range as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The number is in the range.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.bounds.iter().all(|&(comparison, bound)| match comparison {
            Comparison::Less => number < bound,
            Comparison::AtMost => number <= bound,
            Comparison::Equal => number == bound,
            Comparison::AtLeast => number >= bound,
            Comparison::More => number > bound,
        })
    }
}

/// By hand, so that the error for a bare number can say how a range is written.
impl<'de> Deserialize<'de> for NumberRange {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Range;

        impl Visitor<'_> for Range {
            type Value = NumberRange;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a range in quotes, as \"<=16384\"")
            }

            fn visit_str<E: serde::de::Error>(self, range: &str) -> Result<NumberRange, E> {
                NumberRange::new(range).map_err(E::custom)
            }
        }

        from.deserialize_str(Range)
    }
}

impl TryFrom<String> for NumberRange {
    type Error = Error;

    fn try_from(range: String) -> Result<Self, Error> {
        Self::new(range)
    }
}

impl From<NumberRange> for String {
    fn from(range: NumberRange) -> Self {
        range.written
    }
}
