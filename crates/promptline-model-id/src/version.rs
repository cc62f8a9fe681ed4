//! Versions as model ids write them, and ranges of them. A version is whole numbers between dots: it
//! is never read as a decimal fraction, and prints exactly as it was written.

use std::cmp::Ordering;
use std::fmt;

use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use smallvec::SmallVec;

use promptline_diagnostic::{Error, ErrorKind};

/// The version of a model: one or more whole numbers, and a letter where the maker has one (`4o`).
///
/// "4.20" is 4 and 20, so it is newer than "4.3" and not the same as "4.2"; "4.0" is not the same as
/// "4", which says less, and comes right behind it.
///
/// ```
/// use promptline_model_id::Version;
/// let version = |text: &str| text.parse::<Version>().unwrap();
/// assert!(version("4.20") > version("4.3"));
/// assert_ne!(version("4.0"), version("4"));
/// assert_eq!(version("4.20").to_string(), "4.20");
/// assert_eq!(version("4o").numbers(), [4]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// First, so that it decides the order.
    numbers: SmallVec<[u32; 2]>,
    /// As it is in the id, with dots: leading zeros and letters too.
    written: String,
}

impl Version {
    /// Reads whole numbers of at most nine digits between dots, and letters at the end.
    ///
    /// # Errors
    /// [`ErrorKind::Condition`] for anything else.
    pub fn new(text: impl Into<String>) -> Result<Self, Error> {
        let written = text.into();
        let numbers = written.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let numbers: Option<_> = numbers.split('.').map(whole).collect();
        match numbers {
            Some(numbers) if written.len() <= 64 => Ok(Self { numbers, written }),
            _ => Err(Error::new(
                ErrorKind::Condition,
                format!("`{}` is not a version", written.escape_debug()),
            )
            .with_help("write whole numbers between dots, as \"4.5\"")),
        }
    }

    /// The numbers, in order.
    #[must_use]
    pub fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The version as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// By numbers, where what is not written is 0.
    fn compare(&self, bound: &Bound) -> Ordering {
        let longest = self.numbers.len().max(bound.numbers.len());
        let number = |of: &[u32], at: usize| of.get(at).copied().unwrap_or(0);
        (0..longest)
            .map(|at| number(&self.numbers, at).cmp(&number(&bound.numbers, at)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

fn whole(digits: &str) -> Option<u32> {
    let fits = (1..=9).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    if fits { digits.parse().ok() } else { None }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

impl std::str::FromStr for Version {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::new(text)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.written)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::new(String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

/// A range of versions: comparisons joined by commas, all of which must hold (`">=4, <5"`), or
/// `"none"` for ids that say no version.
///
/// Versions are compared number by number, and what is not written is 0: `">=4"` holds for 4, 4.0,
/// 4.20 and 4o; `"=4"` holds for 4 and 4.0 and not for 4.5; `"<4.5"` holds for 4.
///
/// ```
/// use promptline_model_id::VersionRange;
/// let range = VersionRange::new(">=4.5, <5").unwrap();
/// assert!(range.contains(Some(&"4.20".parse().unwrap())));
/// assert!(!range.contains(Some(&"4".parse().unwrap())));
/// assert!(!range.contains(None));
/// assert!(VersionRange::new("none").unwrap().contains(None));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VersionRange {
    written: String,
    /// None in it: the id says no version.
    bounds: Vec<Bound>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Bound {
    accepts: [bool; 3],
    numbers: SmallVec<[u32; 2]>,
}

/// So many numbers may a bound have.
const MOST_NUMBERS: usize = 4;

/// Each sign with what it accepts: less, equal, greater.
const SIGNS: [(&str, [bool; 3]); 5] = [
    ("<=", [true, true, false]),
    (">=", [false, true, true]),
    ("<", [true, false, false]),
    (">", [false, false, true]),
    ("=", [false, true, false]),
];

impl VersionRange {
    /// Reads a range.
    ///
    /// # Errors
    /// [`ErrorKind::Condition`] when it cannot be read, or when no version is in it (`">5, <4"`).
    pub fn new(range: impl Into<String>) -> Result<Self, Error> {
        let written = range.into();
        let refused = |what: &str| {
            Error::new(ErrorKind::Condition, format!("`{}` {what}", written.escape_debug()))
                .with_help("write it as \">=4.5\", \">=4, <5\", \"=3.7\" or \"none\"")
        };
        if written.trim() == "none" {
            return Ok(Self { written, bounds: Vec::new() });
        }
        let bounds: Option<Vec<Bound>> = written.split(',').map(Bound::read).collect();
        let bounds = bounds.ok_or_else(|| refused("is not a range of versions"))?;
        if is_empty(&bounds) {
            return Err(refused("holds no version at all"));
        }
        Ok(Self { written, bounds })
    }

    /// The range as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.written
    }

    /// The version is in the range; `None` is an id without one.
    #[must_use]
    pub fn contains(&self, version: Option<&Version>) -> bool {
        match version {
            None => self.bounds.is_empty(),
            Some(version) => {
                !self.bounds.is_empty() && self.bounds.iter().all(|bound| bound.holds(version))
            }
        }
    }
}

impl Bound {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let (sign, accepts) = SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign))?;
        let numbers = text.strip_prefix(sign)?.trim().split('.');
        let numbers: SmallVec<[u32; 2]> = numbers.map(whole).collect::<Option<_>>()?;
        (numbers.len() <= MOST_NUMBERS).then_some(Self { accepts, numbers })
    }

    fn holds(&self, version: &Version) -> bool {
        let [less, equal, greater] = self.accepts;
        match version.compare(self) {
            Ordering::Less => less,
            Ordering::Equal => equal,
            Ordering::Greater => greater,
        }
    }
}

/// No version is in all of the bounds. Between any two there is another, so it is enough to try the
/// bounds themselves, and what comes right behind each.
fn is_empty(bounds: &[Bound]) -> bool {
    let all = |numbers: SmallVec<[u32; 2]>| {
        let version = Version { numbers, written: String::new() };
        bounds.iter().all(|bound| bound.holds(&version))
    };
    let behind = |bound: &Bound| {
        let mut numbers = bound.numbers.clone();
        numbers.extend([0; MOST_NUMBERS].into_iter().chain([1]));
        numbers
    };
    !bounds.iter().any(|bound| all(bound.numbers.clone()) || all(behind(bound)))
        && !all(SmallVec::from_slice(&[0]))
}

impl Serialize for VersionRange {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.written)
    }
}

/// By hand, so that who writes a bare number is told how a range is written.
impl<'de> Deserialize<'de> for VersionRange {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Range;

        impl Visitor<'_> for Range {
            type Value = VersionRange;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a range in quotes, as \">=4.5\"")
            }

            fn visit_str<E: serde::de::Error>(self, range: &str) -> Result<VersionRange, E> {
                VersionRange::new(range).map_err(E::custom)
            }
        }

        from.deserialize_str(Range)
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for VersionRange {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "VersionRange".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let bound = r"\s*(<=|>=|<|>|=)\s*[0-9]{1,9}(\.[0-9]{1,9}){0,3}\s*";
        schemars::json_schema!({
            "description": "Comparisons of versions joined by commas, `>=4.5`, `>=4, <5`; `none` for ids without a version.",
            "type": "string",
            "pattern": format!(r"^(\s*none\s*|{bound}(,{bound})*)$")
        })
    }
}
