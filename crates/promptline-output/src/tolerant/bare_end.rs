//! Where a word without quotes ends. Each character that may end one has its own rule, and what follows it
//! decides, since a comma may be part of a sentence and a bracket part of a text.

use super::bare::Bare;
use super::chars::plain;
use super::close::{Place, closes};
use super::look::{Found, Look};
use super::scalar::{self, Word};

/// How a word ends.
pub(super) enum End {
    /// Before this place.
    Here,
    /// At a quote whose opening one is missing.
    AtQuote(usize),
    /// It goes on for so many bytes.
    On(usize),
    Wait,
}

/// Whether a word ends before a character.
pub(super) fn bare_end(look: &Look<'_>, bare: &mut Bare, place: Place, c: char) -> End {
    let word = Edge { look, start: bare.start, at: bare.at, place, c };
    match plain(c) {
        ',' if bare.parens == 0 => word.comma(),
        '}' if bare.braces > 0 => {
            bare.braces -= 1;
            End::On(c.len_utf8())
        }
        '}' | ']' => word.bracket(),
        '.' | '…' => word.ellipsis(),
        ' ' => word.blank(),
        '\\' => word.backslash(),
        '\n' => word.line_break(),
        '"' => {
            let end = word.quote(bare.quotes == 0);
            bare.quotes += usize::from(matches!(end, End::On(_)));
            end
        }
        '/' | '#' => word.comment(),
        _ => End::On(c.len_utf8()),
    }
}

/// A word, and the character that may end it.
struct Edge<'l, 't> {
    look: &'l Look<'t>,
    start: usize,
    at: usize,
    place: Place,
    c: char,
}

impl Edge<'_, '_> {
    fn on(&self) -> End {
        End::On(self.c.len_utf8())
    }

    /// More text may still decide otherwise.
    fn wait_or(&self, end: End) -> End {
        if self.look.more { End::Wait } else { end }
    }

    /// What there is of the word is a literal or a number.
    fn is_scalar(&self) -> bool {
        const LONGEST: usize = 64;
        let text = self.look.slice(self.start, self.at).trim_end();
        text.len() <= LONGEST && !matches!(scalar::word(text), Word::Text)
    }

    /// In a list a comma separates; in an object it does so before a key, a bracket or a comment.
    fn comma(&self) -> End {
        if self.place.is_list() && self.c != ';' {
            return End::Here;
        }
        let (look, place) = (self.look, self.place);
        let next = look.blank(self.at + self.c.len_utf8());
        let follows = match look.char(next).map(plain) {
            None => return self.wait_or(End::Here),
            Some('}' | ']') => true,
            Some('.') => look.starts(next, "..."),
            Some('{') => place.in_object_of_list(),
            Some(_) => false,
        };
        if follows || look.comment(next).is_some() {
            return End::Here;
        }
        // `1,000` is one word.
        let in_number = next == self.at + 1 && look.byte(next).is_some_and(|b| b.is_ascii_digit());
        if in_number {
            return End::On(1);
        }
        if !matches!(scalar::word(look.slice(self.start, self.at).trim_end()), Word::Text) {
            return End::Here;
        }
        match look.key(next) {
            Found::Yes => End::Here,
            // Where no brace can be missing, nothing is cut off.
            Found::End if place.is_braceless() && !look.more => self.on(),
            Found::End => self.wait_or(End::Here),
            Found::No => self.on(),
        }
    }

    /// A bracket ends the word if it closes something; behind a literal or number, in any case.
    fn bracket(&self) -> End {
        let closes = match plain(self.c) {
            '}' => self.place.has_object(),
            _ => self.place.has_list(),
        };
        if closes || self.is_scalar() { End::Here } else { self.on() }
    }

    fn ellipsis(&self) -> End {
        let is_ellipsis = self.c == '…' || self.look.starts(self.at, "...");
        if is_ellipsis && self.is_scalar() { End::Here } else { self.on() }
    }

    /// `[1 2]`: a blank separates two literals or numbers.
    fn blank(&self) -> End {
        let next = self.look.blank(self.at);
        if self.is_scalar() && scalar_follows(self.look, next) {
            return End::Here;
        }
        let line = self.look.slice(self.at, next).find('\n');
        End::On(line.unwrap_or(next - self.at))
    }

    /// A line break that is written as an escape, or a quote that is escaped.
    fn backslash(&self) -> End {
        let look = self.look;
        let blank = look.escaped_blank(self.at);
        let next = if blank == self.at { self.at + 1 } else { blank };
        match look.char(next).map(plain) {
            Some(',' | '}' | ']') => End::Here,
            Some('"') if next > self.at + 1 => End::Here,
            None if look.more => End::Wait,
            _ => End::On(next - self.at),
        }
    }

    fn line_break(&self) -> End {
        let (look, place) = (self.look, self.place);
        let next = look.blank(self.at);
        match look.char(next).map(plain) {
            None => return self.wait_or(End::Here),
            Some('}' | ']') => return End::Here,
            Some(_) => {}
        }
        // A member of a list of Markdown, or a paragraph of its own.
        let is_apart = || look.listed(next).is_some() || look.starts(self.at, "\n\n");
        if look.is_fence(next) || place.is_list() || place.is_braceless() && is_apart() {
            return End::Here;
        }
        match look.key(next) {
            Found::Yes => End::Here,
            Found::End => self.wait_or(End::On(next - self.at)),
            Found::No => End::On(next - self.at),
        }
    }

    /// `first`: the word has no quote before this one, which may then be its own closing quote or open what
    /// follows.
    fn quote(&self, first: bool) -> End {
        let (look, at) = (self.look, self.at);
        if look.more && look.end() - at < 3 {
            return End::Wait;
        }
        if !first {
            return End::On(1);
        }
        match closes(look, self.place, at, 1, true) {
            Found::Yes => return End::AtQuote(1),
            Found::End => return self.wait_or(End::AtQuote(1)),
            Found::No => {}
        }
        match look.key(at) {
            Found::Yes => return End::Here,
            Found::End if look.more => return End::Wait,
            _ => {}
        }
        let opens_element =
            self.place.is_list() && at > self.start && look.stands_alone(at, false) == Found::Yes;
        if opens_element { End::Here } else { End::On(1) }
    }

    /// A comment begins behind a blank; `/*` begins one anywhere.
    fn comment(&self) -> End {
        let (look, at) = (self.look, self.at);
        let before = look.slice(at.saturating_sub(1), at);
        let is_apart = at == self.start
            || before.starts_with([' ', '\t', '\n'])
            || look.byte(at + 1) == Some(b'*');
        if is_apart && look.comment(at).is_some() { End::Here } else { End::On(1) }
    }
}

/// Whether another literal or number begins here: the comma before it is missing.
fn scalar_follows(look: &Look<'_>, start: usize) -> bool {
    const LONGEST: usize = 32;
    let mut end = start;
    while end - start <= LONGEST
        && look
            .char(end)
            .is_some_and(|c| !c.is_whitespace() && !matches!(plain(c), ',' | ']' | '}'))
    {
        end += look.char(end).map_or(1, char::len_utf8);
    }
    look.count(end - start);
    !matches!(scalar::word(look.slice(start, end)), Word::Text)
}
