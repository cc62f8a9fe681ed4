//! A model's name cut into words and numbers, once, and what of them is a date, a size or a setting.
//! It knows the forms that numbers have in ids, and no family.

use smallvec::SmallVec;

use crate::tables::Known;

/// A run of letters and digits. A dot between digits belongs to it, also one that is written `p`
/// (4p6) or `_` (3_1).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'n> {
    pub(crate) text: &'n str,
    /// Where it is in the name.
    pub(crate) start: usize,
    /// What stands before it; `:` and `@` outweigh what is beside them. 0 at the start.
    pub(crate) before: u8,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A word or a number that may mean something to a family.
    Free,
    Date,
    Size,
    /// A context length, a quantisation, a budget: nothing that is read.
    Setting,
}

/// The tokens of a name, and what they say by their form alone.
#[derive(Debug)]
pub(crate) struct Tokens<'n> {
    pub(crate) list: SmallVec<[Token<'n>; 16]>,
    /// As it is written.
    pub(crate) date: Option<&'n str>,
    /// With dots, as `235b-a22b`.
    pub(crate) size: Option<String>,
}

impl<'n> Token<'n> {
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(crate) fn is_free(&self) -> bool {
        self.kind == Kind::Free
    }

    /// The letters in front, and the rest, which starts with a digit or is empty.
    pub(crate) fn split(&self) -> (&'n str, &'n str) {
        split(self.text)
    }
}

fn split(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len()))
}

impl<'n> Tokens<'n> {
    pub(crate) fn read(name: &'n str, known: &Known) -> Self {
        let mut tokens = Self { list: cut(name), date: None, size: None };
        let mut at = 0;
        while at < tokens.list.len() {
            at += tokens
                .date_at(at, name, known)
                .or_else(|| tokens.size_at(at))
                .or_else(|| tokens.setting_at(at))
                .unwrap_or(1);
        }
        tokens
    }

    fn get(&self, at: usize) -> Option<&Token<'n>> {
        self.list.get(at)
    }

    fn mark(&mut self, at: usize, count: usize, kind: Kind) -> Option<usize> {
        self.list.iter_mut().skip(at).take(count).for_each(|token| token.kind = kind);
        Some(count)
    }

    /// The number of tokens that are a date here. Only the first date is the model's.
    fn date_at(&mut self, at: usize, name: &'n str, known: &Known) -> Option<usize> {
        let first = self.get(at)?;
        if first.before == b':' || !is_digits(first.text) {
            return None;
        }
        let joined = |token: &&Token<'n>| matches!(token.before, b'-' | b'_');
        let second = self.get(at + 1).filter(joined).map_or("", |token| token.text);
        let third = self.get(at + 2).filter(joined).map_or("", |token| token.text);
        let count = match (first.text.len(), second.len(), third.len()) {
            (4, 2, 2) if is_year(first.text) && is_month(second) && is_day(third) => 3,
            (2, 4, _) if is_month(first.text) && is_year(second) => 2,
            (2, 2, _)
                if is_month(first.text) && is_day(second) && self.month_day_may(at, known) =>
            {
                2
            }
            (8 | 6 | 4, ..) if is_date(first.text) => 1,
            _ => return None,
        };
        let last = self.get(at + count - 1)?.end();
        self.date = self.date.or(name.get(first.start..last));
        self.mark(at, count, Kind::Date)
    }

    /// `05-06` is a date only behind certain words.
    fn month_day_may(&self, at: usize, known: &Known) -> bool {
        let word = |back: usize| at.checked_sub(back).and_then(|at| self.get(at));
        let Some(before) = word(1) else { return false };
        let two = || {
            word(2).is_some_and(|first| {
                known
                    .month_day_after
                    .iter()
                    .any(|words| words.split_once('-') == Some((first.text, before.text)))
            })
        };
        known.month_day_after.contains(before.text) || two()
    }

    /// The number of tokens that are a size here. Only the first size is the model's.
    fn size_at(&mut self, at: usize) -> Option<usize> {
        let first = self.get(at)?.text;
        if !is_size(first) {
            return None;
        }
        let active = self.get(at + 1).map(|next| next.text).filter(|next| is_active(next));
        if self.size.is_none() {
            let mut size = dotted(first);
            if let Some(active) = active {
                size.push('-');
                size.push_str(&dotted(active));
            }
            self.size = Some(size);
        }
        let count = 1 + usize::from(active.is_some());
        self.mark(at, count, Kind::Size)
    }

    fn setting_at(&mut self, at: usize) -> Option<usize> {
        let token = self.get(at)?;
        let is_word = |parts: &[&str], token: &Token<'_>| parts.contains(&token.text);
        if is_quantisation(token.text) {
            // q4_k_m: what is joined to it is of it.
            let parts = ["k", "s", "m", "l", "xs", "xxs", "xl", "nl", "0", "1"];
            let more = self.list.iter().skip(at + 1);
            let more = more.take_while(|next| next.before == b'_' && is_word(&parts, next));
            let count = 1 + more.count();
            return self.mark(at, count, Kind::Setting);
        }
        let digits = token.text.trim_end_matches(['k', 'm']);
        let is_length = digits.len() + 1 == token.text.len() && is_digits(digits);
        let is_count = is_digits(token.text) && (token.text.len() > 2 || token.before == b':');
        (is_length || is_count).then(|| self.mark(at, 1, Kind::Setting)).flatten()
    }
}

fn cut(name: &str) -> SmallVec<[Token<'_>; 16]> {
    let bytes = name.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let mut list = SmallVec::new();
    let mut before = 0;
    let mut at = 0;
    while at < bytes.len() {
        if !byte(at).is_ascii_alphanumeric() {
            if !matches!(before, b':' | b'@') {
                before = byte(at);
            }
            at += 1;
            continue;
        }
        let start = at;
        let mut dots = false;
        while byte(at).is_ascii_alphanumeric() || is_dot(bytes, start, at, dots) {
            dots |= byte(at) == b'_';
            at += 1;
        }
        let text = name.get(start..at).unwrap_or_default();
        list.push(Token { text, start, before, kind: Kind::Free });
        before = 0;
    }
    list
}

/// A dot between digits. `_` is one only between numbers of at most two digits that are whole
/// (`llama-3_1-8b`, and not the second one of `3_1_8b`), and once in a token.
fn is_dot(bytes: &[u8], start: usize, at: usize, dots: bool) -> bool {
    let byte = |at: usize| bytes.get(at).copied().unwrap_or(0);
    let digit = |at: usize| byte(at).is_ascii_digit();
    if at == start || !digit(at - 1) || !digit(at + 1) {
        return false;
    }
    match byte(at) {
        b'.' => true,
        b'_' if !dots => {
            let left = (start..at).rev().take(3).take_while(|&at| digit(at)).count();
            let right = (at + 1..at + 4).take_while(|&at| digit(at)).count();
            left <= 2 && right <= 2 && !byte(at + 1 + right).is_ascii_alphanumeric()
        }
        _ => false,
    }
}

/// A number with its dots written as dots.
pub(crate) fn dotted(text: &str) -> String {
    let is_digit = |at: Option<usize>| {
        at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit)
    };
    let dot = |at: usize| is_digit(at.checked_sub(1)) && is_digit(Some(at + 1));
    let chars = text.char_indices();
    chars.map(|(at, c)| if matches!(c, 'p' | '_') && dot(at) { '.' } else { c }).collect()
}

pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// Two digits, from 1 to this.
fn is_upto(text: &str, most: u32) -> bool {
    text.len() == 2 && text.parse().is_ok_and(|number: u32| (1..=most).contains(&number))
}

fn is_month(text: &str) -> bool {
    is_upto(text, 12)
}

fn is_day(text: &str) -> bool {
    is_upto(text, 31)
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.parse().is_ok_and(|year: u32| (2020..2040).contains(&year))
}

/// A year of two digits: those in which there are dated models.
fn is_short_year(text: &str) -> bool {
    text.parse().is_ok_and(|year: u32| (23..30).contains(&year))
}

/// YYYYMMDD, YYMMDD, YYMM, or MMDD where that is no YYMM.
fn is_date(digits: &str) -> bool {
    let part = |from: usize, to: usize| digits.get(from..to).unwrap_or_default();
    match digits.len() {
        8 => is_year(part(0, 4)) && is_month(part(4, 6)) && is_day(part(6, 8)),
        6 => is_short_year(part(0, 2)) && is_month(part(2, 4)) && is_day(part(4, 6)),
        4 => {
            (is_short_year(part(0, 2)) && is_month(part(2, 4)))
                || (is_month(part(0, 2)) && is_day(part(2, 4)))
        }
        _ => false,
    }
}

/// `8b`, `1.5b`, `1t`, `8x22b`, `e4b`.
pub(crate) fn is_size(text: &str) -> bool {
    let Some(number) = text.strip_suffix('b').or_else(|| text.strip_suffix('t')) else {
        return false;
    };
    let one = |number: &str| {
        let mut parts = number.split(['.', 'p', '_']);
        parts.clone().count() <= 2 && parts.all(is_digits)
    };
    match number.split_once('x') {
        Some((experts, each)) => is_digits(experts) && one(each),
        None => one(number.strip_prefix('e').filter(|_| text.ends_with('b')).unwrap_or(number)),
    }
}

/// The active part or the experts behind a size: `a22b`, `16e`.
fn is_active(text: &str) -> bool {
    text.strip_prefix('a').is_some_and(|size| size.ends_with('b') && is_size(size))
        || text.strip_suffix('e').is_some_and(is_digits)
}

/// `q4`, `q8_0`, `iq3`.
fn is_quantisation(text: &str) -> bool {
    let rest = text.strip_prefix('i').unwrap_or(text).strip_prefix('q');
    rest.is_some_and(|rest| {
        let mut parts = rest.split('_');
        parts.next().is_some_and(|bits| bits.len() == 1 && is_digits(bits)) && parts.all(is_digits)
    })
}
