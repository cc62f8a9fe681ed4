//! Names that a provider takes: legal, short enough, and each one only once. The name that a tool gets
//! depends on the set of tools, never on their order, and no tool is dropped for its name.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use hmac_sha256::Hash;
use serde::Deserialize;

/// Which names are legal: a letter or `_` (or a digit, where the provider takes it), then letters, digits,
/// `_` and the marks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct NameRule {
    /// Characters at most.
    pub max: usize,
    /// What else a name may hold.
    pub marks: String,
    /// A name may begin with a digit.
    #[serde(default)]
    pub digit_first: bool,
}

impl Default for NameRule {
    /// What every provider takes: up to 64 letters, digits, `_` and `-`.
    fn default() -> Self {
        Self::new(64, "-")
    }
}

impl NameRule {
    /// Names of up to `max` characters with these marks, that begin with a letter or `_`.
    #[must_use]
    pub fn new(max: usize, marks: impl Into<String>) -> Self {
        Self { max, marks: marks.into(), digit_first: false }
    }

    /// A name may go on with this character.
    pub(crate) fn allows(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_' || self.marks.contains(c)
    }

    /// A name may begin with this character.
    pub(crate) fn begins(&self, c: char) -> bool {
        c.is_ascii_alphabetic() || c == '_' || (self.digit_first && c.is_ascii_digit())
    }

    /// The name of a property is legal: it may begin with any of the characters.
    pub(crate) fn is_legal_property(&self, name: &str) -> bool {
        !name.is_empty() && name.len() <= self.max && name.chars().all(|c| self.allows(c))
    }

    /// The name is legal as it is.
    #[must_use]
    pub fn is_legal(&self, name: &str) -> bool {
        name.len() <= self.max
            && name.starts_with(|c| self.begins(c))
            && name.chars().all(|c| self.allows(c))
    }
}

/// A tool that wants a name.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct NameRequest<'a> {
    /// The name it would like.
    pub name: &'a str,
    /// The server it is a tool of.
    pub server: Option<&'a str>,
    /// What it is called there; for a tool without a server its id. Server and this are one tool.
    pub raw: &'a str,
}

impl<'a> NameRequest<'a> {
    /// A tool that would like this name. `server` and `raw` say which tool it is.
    #[must_use]
    pub fn new(name: &'a str, server: Option<&'a str>, raw: &'a str) -> Self {
        Self { name, server, raw }
    }
}

/// A name for each, in the same order. A name stays as it is when it is legal and no other is like it
/// but for case, `-`, `.` and `:`. Of several that are alike, that of a tool without a server stays if it
/// is the only one, since prompts speak of it; else that of the only legal one. The others are a readable
/// beginning and a hash of server and raw name.
#[must_use]
pub fn assign<'a>(wanted: &[NameRequest<'a>], rule: &NameRule) -> Vec<Cow<'a, str>> {
    let alike: Vec<String> =
        wanted.iter().map(|tool| folded(&sanitised(tool.name, rule))).collect();
    let mut groups: HashMap<&str, Claims> = HashMap::default();
    for (tool, key) in wanted.iter().zip(&alike) {
        let claims = groups.entry(key).or_default();
        if rule.is_legal(tool.name) {
            match tool.server {
                None => claims.own += 1,
                Some(_) => claims.foreign += 1,
            }
        }
    }
    let keeps = |tool: &NameRequest<'_>, key: &str| {
        let claims = groups.get(key).copied().unwrap_or_default();
        rule.is_legal(tool.name)
            && match tool.server {
                None => claims.own == 1,
                Some(_) => claims.own == 0 && claims.foreign == 1,
            }
    };
    let mut names: Vec<Option<Cow<'a, str>>> = Vec::with_capacity(wanted.len());
    let mut taken: HashSet<String> = HashSet::default();
    // By server and raw name, so that who comes first is not who stands first in the list.
    let mut open: BTreeMap<(Option<&str>, &str, usize), ()> = BTreeMap::new();
    for (at, (tool, key)) in wanted.iter().zip(&alike).enumerate() {
        let kept = keeps(tool, key);
        names.push(kept.then_some(Cow::Borrowed(tool.name)));
        if kept {
            taken.insert(key.clone());
        } else {
            open.insert((tool.server, tool.raw, at), ());
        }
    }
    for ((server, raw, at), ()) in open {
        let Some((tool, name)) = wanted.get(at).zip(names.get_mut(at)) else { continue };
        *name = Some(Cow::Owned(hashed(tool.name, server, raw, rule, &mut taken)));
    }
    names.into_iter().flatten().collect()
}

/// How many legal names of a group are alike.
#[derive(Debug, Clone, Copy, Default)]
struct Claims {
    own: usize,
    foreign: usize,
}

/// With every character that is not legal replaced, and a legal beginning. Not yet cut.
fn sanitised<'a>(name: &'a str, rule: &NameRule) -> Cow<'a, str> {
    if name.starts_with(|c| rule.begins(c)) && name.chars().all(|c| rule.allows(c)) {
        return Cow::Borrowed(name);
    }
    let mut made = String::with_capacity(name.len() + 1);
    let mut replaced = false;
    for c in name.chars() {
        if rule.allows(c) {
            if made.is_empty() && !rule.begins(c) {
                made.push('_');
            }
            made.push(c);
            replaced = false;
        } else if !replaced {
            made.push('_');
            replaced = true;
        }
    }
    Cow::Owned(made)
}

/// Names that are equal in this are too alike for a model, and for some providers.
fn folded(name: &str) -> String {
    let like = |c: char| match c {
        '-' | '.' | ':' => '_',
        other => other.to_ascii_lowercase(),
    };
    name.chars().map(like).collect()
}

/// Hex digits of a hash behind a name: enough for a million tools, and more where they are not.
const HASH_DIGITS: usize = 8;

fn hashed(
    name: &str,
    server: Option<&str>,
    raw: &str,
    rule: &NameRule,
    taken: &mut HashSet<String>,
) -> String {
    let mut hash = Hash::new();
    for part in [server.unwrap_or_default(), raw] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let hash = hex(&hash.finalize());
    let clean = sanitised(name, rule);
    let readable = match clean.chars().any(|c| c.is_ascii_alphanumeric()) {
        true => clean.as_ref(),
        false => "tool",
    };
    let mut made = String::new();
    // Longer hashes, then counted ones, end in a name that is free: there are fewer tools than names.
    for round in 0_usize.. {
        let digits = (HASH_DIGITS + 8 * round).min(rule.max.saturating_sub(2)).min(hash.len());
        let tail = match round {
            0..=3 => hash.get(..digits).unwrap_or(&hash).to_owned(),
            more => format!("{}{more}", hash.get(..HASH_DIGITS).unwrap_or(&hash)),
        };
        let room = rule.max.saturating_sub(tail.len() + 1);
        let start = readable.get(..room.min(readable.len())).unwrap_or("tool");
        let start = start.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        made = match start {
            "" => format!("t_{tail}"),
            start => format!("{start}_{tail}"),
        };
        if taken.insert(folded(&made)) {
            break;
        }
    }
    made
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> NameRule {
        NameRule { max: 64, marks: "-".to_owned(), digit_first: false }
    }

    /// Names for tools written `server/name`, or `name`.
    fn named(tools: &[&str]) -> Vec<String> {
        let wanted: Vec<NameRequest<'_>> = tools
            .iter()
            .map(|tool| match tool.split_once('>') {
                Some((server, raw)) => NameRequest { name: raw, server: Some(server), raw },
                None => NameRequest { name: tool, server: None, raw: tool },
            })
            .collect();
        assign(&wanted, &rule()).into_iter().map(Cow::into_owned).collect()
    }

    macro_rules! stays {
        ($($test:ident: $tools:expr;)*) => {$(
            #[test]
            fn $test() {
                let raw = |tool: &&str| tool.rsplit('>').next().unwrap().to_owned();
                let tools: &[&str] = &$tools;
                assert_eq!(named(tools), tools.iter().map(raw).collect::<Vec<_>>());
            }
        )*};
    }

    stays! {
        plain: ["read_file", "write-file", "_x", "A"];
        as_long_as_can_be: [&"x".repeat(64)];
        of_different_servers: ["a>one", "b>two"];
    }

    macro_rules! becomes {
        ($($test:ident: $tools:expr => $expected:expr;)*) => {$(
            #[test]
            fn $test() {
                let names = named(&$tools);
                let starts: Vec<&str> = names
                    .iter()
                    .map(|name| match name.rsplit_once('_') {
                        Some((start, tail)) if tail.len() == 8 => start,
                        _ => name.as_str(),
                    })
                    .collect();
                assert_eq!(starts, $expected);
                assert!(names.iter().all(|name| rule().is_legal(name)), "{names:?}");
                let alike: HashSet<String> = names.iter().map(|name| folded(name)).collect();
                assert_eq!(alike.len(), names.len(), "{names:?}");
            }
        )*};
    }

    becomes! {
        too_long: [&"x".repeat(65)] => ["x".repeat(55)];
        marks: ["docs.append", "docs/append", "docs append", "docs_append", "döcs"]
            => ["docs_append", "docs_append", "docs_append", "docs_append", "d_cs"];
        only_strange: ["搜索", "🎉"] => ["tool", "tool"];
        empty: [""] => ["tool"];
        digit_first: ["3d"] => ["_3d"];
        case: ["Search", "search"] => ["Search", "search"];
        dash: ["a-b", "a_b"] => ["a-b", "a_b"];
        own_before_foreign: ["search", "s>search", "t>Search"] => ["search", "search", "Search"];
        two_servers: ["a>q", "b>q"] => ["q", "q"];
    }

    #[test]
    fn the_own_name_stays() {
        let names = named(&["search", "s>search"]);
        assert_eq!(names[0], "search");
        assert_ne!(names[1], "search");
        // Of two servers' tools, the only one whose name is legal.
        let names = named(&["s>se arch", "t>se_arch"]);
        assert_eq!(names[1], "se_arch");
    }

    #[test]
    fn a_name_that_looks_like_another_ones_hash_is_no_collision() {
        let hash = named(&["a b"])[0].clone();
        let names = named(&["a b", &hash]);
        assert_eq!(names[1], hash);
        assert_ne!(names[0], names[1]);
        assert!(names[0].starts_with("a_b_"));
    }

    #[test]
    fn order_changes_nothing() {
        let tools = ["a>q", "b>q", "q", "c>Q", "c>q q", "d>q/q", "x y", "x_y", "X-y"];
        let names: BTreeMap<&str, String> = tools.into_iter().zip(named(&tools)).collect();
        let mut turned = tools;
        for _ in 0..tools.len() {
            turned.rotate_left(1);
            let again: BTreeMap<&str, String> = turned.into_iter().zip(named(&turned)).collect();
            assert_eq!(again, names);
        }
        turned.reverse();
        let again: BTreeMap<&str, String> = turned.into_iter().zip(named(&turned)).collect();
        assert_eq!(again, names);
    }
}
