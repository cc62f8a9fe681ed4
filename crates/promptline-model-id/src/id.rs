//! What a provider's model id means: family, version, lines, size, date, the way to it, and what it
//! was made from. It reads by whole words, from tables that hosts extend; it never looks anything up,
//! and no id makes it fail.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use promptline_diagnostic::Id;

use crate::family::ModelFamily;
use crate::kin::Kin;
use crate::read::{Reader, family_at};
use crate::route::Unwrapped;
use crate::tables::{Known, ModelTables};
use crate::tokens::{Token, Tokens};
use crate::version::Version;

/// What a model id says about the model. What it does not say is `None`, or empty.
///
/// ```
/// use promptline_model_id::ModelId;
/// let id = ModelId::parse("bedrock", "us.anthropic.claude-sonnet-4-5-20250929-v1:0");
/// assert_eq!(id.vendor(), Some("anthropic"));
/// assert_eq!(id.family(), Some("claude"));
/// assert_eq!(id.line(), Some("sonnet"));
/// assert_eq!(id.version().unwrap().to_string(), "4.5");
/// assert_eq!(id.date(), Some("20250929"));
/// assert_eq!(id.route().collect::<Vec<_>>(), ["us"]);
///
/// let id = ModelId::parse("ollama", "qwen-8b-sonnet-distill");
/// assert_eq!((id.family(), id.size()), (Some("qwen"), Some("8b")));
/// assert_eq!(id.distilled_from(), Some("claude"));
///
/// let id = ModelId::parse("openai", "gpt-5-2025-08-07");
/// assert_eq!(id.version().unwrap().to_string(), "5"); // a date is no version
/// ```
///
/// As JSON it has all ten keys, with null for what the id does not say; `suffix` is then an empty list.
///
/// Letters are compared after ASCII lower-casing; a character that is not ASCII separates words, so that
/// nothing which only looks like a name is one. Of an id the first 1,024 bytes are read, up to the last
/// whole word.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelId {
    vendor: Option<Id>,
    family: Option<Id>,
    line: Option<Id>,
    version: Option<Version>,
    size: Option<String>,
    date: Option<String>,
    #[serde(with = "empty_is_null")]
    route: Vec<Id>,
    suffix: Vec<Id>,
    base: Option<Id>,
    distilled_from: Option<Id>,
}

/// Of an id so many bytes are read: paths and names are shorter, and a longer one is no id.
const LONGEST: usize = 1_024;

impl ModelId {
    /// Reads an id with the tables of the library. [`ModelTables::parse`] takes a host's own.
    #[must_use]
    pub fn parse(provider: &str, id: &str) -> Self {
        ModelTables::builtin().parse(provider, id)
    }

    /// Who made the weights, as `anthropic`. `None` too for a distillation, unless the teacher's maker
    /// publishes it under its own name.
    #[must_use]
    pub fn vendor(&self) -> Option<&str> {
        self.vendor.as_deref()
    }

    /// The family, as `claude`.
    #[must_use]
    pub fn family(&self) -> Option<&str> {
        self.family.as_deref()
    }

    /// The lines within the family, in the order of the id, joined by `-`: `flash-lite`.
    #[must_use]
    pub fn line(&self) -> Option<&str> {
        self.line.as_deref()
    }

    /// The lines one by one.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.line().unwrap_or_default().split('-').filter(|line| !line.is_empty())
    }

    /// The version.
    #[must_use]
    pub fn version(&self) -> Option<&Version> {
        self.version.as_ref()
    }

    /// The number of parameters as it is written: `8b`, `235b-a22b`, `8x22b`.
    #[must_use]
    pub fn size(&self) -> Option<&str> {
        self.size.as_deref()
    }

    /// The date as it is written: `20250929`, `2025-08-07`, `2507`, `08-2024`.
    #[must_use]
    pub fn date(&self) -> Option<&str> {
        self.date.as_deref()
    }

    /// Hosts and regions that the id names, in order.
    pub fn route(&self) -> impl Iterator<Item = &str> {
        self.route.iter().map(Id::as_str)
    }

    /// What it says about how the model is served: `latest`, `preview`, `thinking`, `free`, …
    pub fn suffixes(&self) -> impl Iterator<Item = &str> {
        self.suffix.iter().map(Id::as_str)
    }

    /// The family that a named fine-tune was made from.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// The family whose answers the model was trained on.
    #[must_use]
    pub fn distilled_from(&self) -> Option<&str> {
        self.distilled_from.as_deref()
    }
}

/// For people: `claude sonnet 4.5, 20250929, via bedrock/us`; `-` for an id that says nothing.
impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let version = self.version().map(Version::as_str);
        let name = [self.family(), self.line(), version, self.size()];
        let name: Vec<&str> = name.into_iter().flatten().collect();
        let mut parts: Vec<Cow<'_, str>> = Vec::new();
        if !name.is_empty() {
            parts.push(name.join(" ").into());
        }
        parts.extend(self.date().map(Cow::from));
        parts.extend(self.suffixes().map(Cow::from));
        parts.extend(self.base().map(|base| format!("from {base}").into()));
        parts.extend(self.distilled_from().map(|by| format!("distilled from {by}").into()));
        let route: Vec<&str> = self.route().collect();
        if !route.is_empty() {
            parts.push(format!("via {}", route.join("/")).into());
        }
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

impl ModelTables {
    /// Reads an id. An id means the same wherever it is served; `provider` counts for aliases, and for ids that say
    /// no family by themselves: `k3` is a Kimi where Moonshot serves it, `custom-o3-mini` an o3 at Azure.
    #[must_use]
    pub fn parse(&self, provider: &str, id: &str) -> ModelId {
        let known = self.known();
        let id = plain(id);
        match known.target(provider, id.trim()) {
            Some(target) => read(plain(target).trim(), known),
            None => {
                let id = id.trim();
                let found = read(id, known);
                if found.family.is_some() || found.distilled_from.is_some() {
                    return found;
                }
                by_provider(provider, id, known).unwrap_or(found)
            }
        }
    }
}

/// What an id means that says no family by itself, by whose models the provider serves: a version behind the mark of a
/// family (`k3`), or an id of a family whose name counts only at the start, behind words of a user.
fn by_provider(provider: &str, id: &str, known: &Known) -> Option<ModelId> {
    const MOST_WORDS: usize = 3;
    let vendor = known.vendor_at(provider)?;
    let own = || known.families.iter().filter(|family| family.vendor_id().as_ref() == Some(vendor));
    let name = id.rsplit('/').next().unwrap_or(id);
    let mut rest = name;
    for word in 0..=MOST_WORDS {
        let marked = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let (letters, digits) = marked.split_at(marked.len().min(1));
        let is_mark = |family: &&ModelFamily| {
            !letters.is_empty() && !digits.is_empty() && family.marks.contains(letters)
        };
        if word == 0
            && digits.bytes().all(|byte| byte.is_ascii_digit())
            && let Some(family) = own().find(is_mark)
        {
            return Some(read(&format!("{}-{id}", family.name()), known));
        }
        if word > 0 && own().any(|family| family.glued) {
            let found = read(rest, known);
            let family = found.family().and_then(|name| known.family(name));
            if family.is_some_and(|family| family.glued) && found.version.is_some() {
                return Some(found);
            }
        }
        rest = rest.split_once(['-', '_']).map(|(_, rest)| rest)?;
    }
    None
}

/// The part of an id that is read, in ASCII lower case; any other character is a blank.
fn plain(id: &str) -> String {
    let mut read = id.get(..id.floor_char_boundary(LONGEST)).unwrap_or_default();
    if read.len() < id.len() {
        let end = read.rfind(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(0);
        read = read.get(..end).unwrap_or_default();
    }
    let plain = |c: char| match c {
        '\\' => '/',
        c if c.is_ascii_graphic() => c.to_ascii_lowercase(),
        _ => ' ',
    };
    let mut made = String::with_capacity(read.len());
    made.extend(read.chars().map(plain));
    made
}

fn read(id: &str, known: &Known) -> ModelId {
    let mut unwrapped = Unwrapped::read(id, known);
    let tokens = Tokens::read(unwrapped.name, known);
    let list = tokens.list.as_slice();
    let dotted = list.iter().take_while(|token| token.end() <= unwrapped.dotted).count();
    let start = prefixes(list, dotted, unwrapped.name, &mut unwrapped, known);
    let kin = Kin::of(list, start, dotted > 0, known);
    let reader = kin.family.as_ref().map(|found| Reader::new(list, start, known, found, &kin.all));
    let mut read = ModelId {
        version: reader.as_ref().and_then(Reader::version),
        line: reader.as_ref().and_then(Reader::lines),
        size: tokens.size.or_else(|| reader.as_ref().and_then(Reader::size)),
        date: tokens.date.map(str::to_owned),
        suffix: suffixes(list, known),
        ..ModelId::default()
    };
    // A name that a user chose says a family only where it holds a whole id.
    if !unwrapped.users_own || read.version.is_some() || dotted > 0 {
        read.vendor = match &kin.family {
            Some(found) if kin.teacher.is_none() || kin.by_teacher => {
                let teacher = kin.teacher.as_deref().and_then(|teacher| known.family(teacher));
                teacher.unwrap_or(found.family).vendor_id()
            }
            Some(_) => None,
            None if kin.teacher.is_some() => None,
            None => unwrapped.maker.take(),
        };
        read.family = kin.family.as_ref().and_then(|found| found.family.id());
        read.base = kin.base;
        read.distilled_from = kin.teacher;
    } else {
        read.line = None;
    }
    // A maker that serves others' models too is a route only to those.
    let serves = |vendor: &Option<Id>| match vendor {
        None => true,
        Some(_) => read.vendor.is_some() && *vendor != read.vendor,
    };
    read.route = unwrapped
        .route
        .into_iter()
        .filter(|(_, vendor)| serves(vendor))
        .map(|(id, _)| id)
        .collect();
    read
}

/// The first token that is the model's own: behind hosts, makers and words that say nothing. The last
/// one always is.
fn prefixes(
    tokens: &[Token<'_>],
    start: usize,
    name: &str,
    unwrapped: &mut Unwrapped<'_>,
    known: &Known,
) -> usize {
    let mut at = start;
    'prefixes: while family_at(tokens, at, known).is_none() {
        for count in [2, 1] {
            let (Some(first), Some(last)) = (tokens.get(at), tokens.get(at + count - 1)) else {
                continue;
            };
            let is_own = at + count >= tokens.len()
                || (count == 2 && family_at(tokens, at + 1, known).is_some());
            let Some(words) = name.get(first.start..last.end()).filter(|_| !is_own) else {
                continue;
            };
            let host = known.prefix_hosts.iter().find(|host| ***host == *words);
            let maker = known.maker(words);
            if host.is_some() || maker.is_some() || known.prefixes.contains(words) {
                unwrapped.route.extend(host.map(|host| (host.clone(), None)));
                unwrapped.maker = maker.cloned().or_else(|| unwrapped.maker.take());
                at += count;
                continue 'prefixes;
            }
        }
        break;
    }
    at
}

fn suffixes(tokens: &[Token<'_>], known: &Known) -> Vec<Id> {
    let mut suffixes: Vec<Id> = Vec::new();
    let mut before = "";
    for token in tokens {
        let negated = (before == "non").then(|| format!("non-{}", token.text));
        let suffix = negated.as_deref().and_then(|word| known.suffix(word));
        let suffix = suffix.or_else(|| known.suffix(token.text));
        suffixes.extend(suffix.filter(|suffix| !suffixes.contains(suffix)).cloned());
        before = token.text;
    }
    suffixes
}

/// An empty list is null: the id says nothing.
mod empty_is_null {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use promptline_diagnostic::Id;

    pub(crate) fn serialize<S: Serializer>(list: &[Id], to: S) -> Result<S::Ok, S::Error> {
        Some(list).filter(|list| !list.is_empty()).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Id>, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or_default())
    }
}
