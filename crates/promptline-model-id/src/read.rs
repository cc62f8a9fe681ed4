//! What the words of a name mean: which families, and for one of them version and lines. Whole words
//! only; the rules are the same for every family, and what differs is in the tables.

use smallvec::SmallVec;

use crate::family::{ModelFamily, VMark};
use crate::tables::Known;
use crate::tokens::{Token, dotted, is_digits, is_size};
use crate::version::Version;
use promptline_diagnostic::Id;

/// Words that mean a family: tokens from the first to the last one.
#[derive(Debug, Clone)]
pub(crate) struct Found<'k> {
    pub(crate) family: &'k ModelFamily,
    /// The line that the words mean too.
    line: Option<Id>,
    pub(crate) first: usize,
    last: usize,
}

impl<'k> Found<'k> {
    /// A family that a token means without its name.
    pub(crate) fn at(family: &'k ModelFamily, token: usize) -> Self {
        Self { family, line: None, first: token, last: token }
    }

    pub(crate) fn is(&self, other: &Found<'_>) -> bool {
        self.family.name() == other.family.name()
    }
}

/// The families that a name's words mean, in order, from the token `start` on. Names that are common
/// words count at the start only, those of teachers also where the id says that there was one.
pub(crate) fn families<'k>(
    tokens: &[Token<'_>],
    start: usize,
    is_distilled: bool,
    known: &'k Known,
) -> SmallVec<[Found<'k>; 2]> {
    let mut found = SmallVec::new();
    let mut at = start;
    while at < tokens.len() {
        let here = family_at(tokens, at, known).filter(|here| {
            let family = here.family;
            (!family.start_only || at == start || (is_distilled && family.closed))
                && (!family.line_or_end || line_or_end(tokens, here, known))
        });
        at = here.as_ref().map_or(at, |here| here.last) + 1;
        found.extend(here);
    }
    found
}

/// The family that the words at a place mean, wherever they stand.
pub(crate) fn family_at<'k>(
    tokens: &[Token<'_>],
    at: usize,
    known: &'k Known,
) -> Option<Found<'k>> {
    let token = tokens.get(at).filter(|token| token.is_free())?;
    let (letters, number) = token.split();
    if number.is_empty()
        && let Some((second, number)) = tokens.get(at + 1).map(Token::split)
        && let Some((family, line)) = known.pair(letters, second)
        && may_follow(family, number)
    {
        return Some(Found { family, line, first: at, last: at + 1 });
    }
    let (family, line) = known.word(letters)?;
    may_follow(family, number).then_some(Found { family, line, first: at, last: at })
}

/// Behind a family's word without a separator stands a version, a size or nothing.
fn may_follow(family: &ModelFamily, number: &str) -> bool {
    if family.glued {
        return number.len() == 1 && is_digits(number);
    }
    number.is_empty() || is_size(number) || Number::read(number, family).is_some()
}

fn line_or_end(tokens: &[Token<'_>], here: &Found<'_>, known: &Known) -> bool {
    let Some(next) = tokens.get(here.last + 1) else { return true };
    let (letters, number) = next.split();
    here.family.line_named(next.text).is_some()
        || known.suffix(next.text).is_some()
        || (is_size(number) && here.family.line_named(letters).is_some())
}

/// A number beside a name: one or two digits, perhaps a second such, perhaps a letter or a line.
struct Number<'n> {
    text: &'n str,
    /// It is one number only, without a letter.
    is_plain: bool,
    /// The letters behind it, if they are a line and no part of the version.
    line: Option<&'n str>,
}

impl<'n> Number<'n> {
    fn read(text: &'n str, family: &ModelFamily) -> Option<Self> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_lowercase());
        let letter = text.get(digits.len()..)?;
        let is_part = letter.len() == 1 && family.letters.contains(letter);
        let line = Some(letter).filter(|letter| !letter.is_empty() && !is_part);
        if line.is_some_and(|line| family.line_named(line).is_none()) {
            return None;
        }
        let mut parts = digits.split(['.', 'p', '_']);
        let is_one = parts.clone().count() == 1;
        let fits = parts.clone().count() <= 2 && parts.all(|one| one.len() <= 2 && is_digits(one));
        let text = if is_part { text } else { digits };
        fits.then_some(Self { text, is_plain: is_one && letter.is_empty(), line })
    }
}

/// What a token is to a family.
enum Word<'n> {
    /// A name of the family or of one of its lines.
    Name,
    /// The same with a number, or a number with the family's own mark: `qwen3`, `opus4`, `k2`.
    Numbered(Number<'n>),
    /// `v2`.
    V(Number<'n>),
    Number(Number<'n>),
    Suffix,
    /// A word that is not known.
    Unknown,
    /// A date, a size, a setting.
    Other,
}

/// Reads the words of one family: those before the next one.
pub(crate) struct Reader<'a> {
    tokens: &'a [Token<'a>],
    known: &'a Known,
    found: &'a Found<'a>,
    all: &'a [Found<'a>],
    from: usize,
    to: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        tokens: &'a [Token<'a>],
        start: usize,
        known: &'a Known,
        found: &'a Found<'a>,
        all: &'a [Found<'a>],
    ) -> Self {
        let others = || all.iter().filter(|other| !other.is(found));
        let from = others().map(|other| other.last + 1).filter(|end| *end <= found.first).max();
        let to = others().map(|other| other.first).filter(|start| *start > found.last).min();
        let (from, to) = (from.unwrap_or(start.min(found.first)), to.unwrap_or(tokens.len()));
        Self { tokens, known, found, all, from, to }
    }

    fn word(&self, at: usize) -> Option<Word<'a>> {
        let family = self.found.family;
        let token = self.tokens.get(at).filter(|_| at < self.to)?;
        if !token.is_free() {
            return Some(Word::Other);
        }
        let is_family = self.all.iter().any(|own| (own.first..=own.last).contains(&at))
            || (self.found.first..=self.found.last).contains(&at);
        if family.line_named(token.text).is_some() {
            return Some(Word::Name);
        }
        let (letters, text) = token.split();
        let number = Number::read(text, family);
        let is_name = is_family || family.line_named(letters).is_some();
        let is_mark = letters.len() == 1 && family.marks.contains(letters);
        Some(match number {
            Some(number) if is_name || is_mark => Word::Numbered(number),
            Some(number) if letters == "v" => Word::V(number),
            Some(number) if letters.is_empty() && token.before != b':' => Word::Number(number),
            _ if is_name && (text.is_empty() || is_size(text)) => Word::Name,
            _ if self.known.suffix(token.text).is_some() => Word::Suffix,
            _ if text.is_empty() => Word::Unknown,
            _ => Word::Other,
        })
    }

    /// The number beside the family's name or one of its lines, or behind a mark.
    pub(crate) fn version(&self) -> Option<Version> {
        if self.found.family.unversioned {
            return None;
        }
        let mut named = false;
        let mut behind_unknown = false;
        let mut loose = None;
        for at in self.found.first..self.to {
            let word = self.word(at)?;
            let is_unknown = matches!(word, Word::Unknown);
            match word {
                Word::Name => named = true,
                Word::Numbered(number) => return self.joined(&number, at),
                Word::Number(number) => {
                    if named || matches!(self.word(at + 1), Some(Word::Name)) {
                        return self.joined(&number, at);
                    }
                    if behind_unknown && loose.is_none() {
                        loose = self.joined(&number, at);
                    }
                }
                Word::V(number) => match self.marked(&number, at) {
                    Some(version) => return Some(version),
                    None => named = false,
                },
                Word::Suffix => {}
                Word::Unknown | Word::Other => named = false,
            }
            behind_unknown = is_unknown;
        }
        // Whoever publishes no weights names new lines as he likes, and nobody tunes them: the number
        // behind a word that is not known yet is their version.
        loose.filter(|_| self.found.family.closed)
    }

    /// What `v2` means: a version, with `:1` as its second part, or a revision of the host.
    fn marked(&self, number: &Number<'_>, at: usize) -> Option<Version> {
        let family = self.found.family;
        let revision = self.tokens.get(at + 1).filter(|next| next.before == b':');
        match revision.map(|revision| revision.text).filter(|text| is_digits(text)) {
            Some("0") if family.v != VMark::Version => None,
            Some(minor) if minor != "0" && minor.len() <= 2 => {
                Version::new(format!("{}.{minor}", dotted(number.text))).ok()
            }
            None if family.v == VMark::Revision => None,
            _ => self.joined(number, at),
        }
    }

    /// A number with its second part, which may stand behind a dash or be squeezed in (`35`).
    fn joined(&self, number: &Number<'_>, at: usize) -> Option<Version> {
        let family = self.found.family;
        if !number.is_plain {
            return Version::new(dotted(number.text)).ok();
        }
        if family.squeezed
            && let &[major @ b'1'..=b'9', minor @ b'1'..=b'9'] = number.text.as_bytes()
        {
            return Version::new(format!("{}.{}", char::from(major), char::from(minor))).ok();
        }
        let second = self.tokens.get(at + 1).filter(|next| {
            at + 1 < self.to && next.is_free() && matches!(next.before, b'-' | b'_' | b' ')
        });
        let second = second.and_then(|next| Number::read(next.text, family)).filter(|second| {
            second.text.bytes().all(|b| b.is_ascii_digit())
                && (second.text == "0" || !second.text.starts_with('0'))
        });
        Version::new(match second {
            Some(second) => format!("{}.{}", number.text, second.text),
            None => number.text.to_owned(),
        })
        .ok()
    }

    /// A size that is joined to a name: `r7b`.
    pub(crate) fn size(&self) -> Option<String> {
        let own = self.tokens.iter().take(self.to).enumerate().skip(self.from);
        let mut sizes = own.filter(|(at, _)| matches!(self.word(*at), Some(Word::Name)));
        sizes.find_map(|(_, token)| Some(token.split().1).filter(|text| is_size(text)).map(dotted))
    }

    /// The lines, in the order of the id, joined by `-`.
    pub(crate) fn lines(&self) -> Option<Id> {
        let mut lines: SmallVec<[&str; 3]> = SmallVec::new();
        for (at, token) in self.tokens.iter().enumerate().take(self.to).skip(self.from) {
            let family = self.found.family;
            let own = self.all.iter().find(|own| own.is(self.found) && own.first == at);
            let of_name = own.and_then(|own| own.line.as_deref());
            let (letters, number) = token.split();
            let line = if !token.is_free() {
                None
            } else if of_name.is_some() {
                of_name
            } else if let Some(line) = family.line_named(token.text) {
                Some(line.as_str())
            } else if let Some(line) = family.line_named(letters).filter(|_| letters != "v") {
                // (v5 is a version, of the model or of who tuned it.)
                Some(line.as_str())
                    .filter(|_| is_size(number) || Number::read(number, family).is_some())
            } else if own.is_some() || letters.is_empty() {
                Number::read(number, family).and_then(|number| number.line)
            } else {
                None
            };
            lines.extend(line.filter(|line| !lines.contains(line)));
        }
        match lines.as_slice() {
            [] => None,
            [only] => self.found.family.line_id(only).or_else(|| Some(Id::from(*only))),
            several => Some(Id::from(several.join("-"))),
        }
    }
}
