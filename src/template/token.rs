//! Cuts a source into text and tags, for both lanes. One pass, no backtracking: the first thing that
//! is not a tag ends it with an error, so hostile input costs no more than its length.

use std::ops::Range;

use memchr::memmem;

use super::file::File;
use super::names::shown;
use promptline_diagnostic::Error;

pub(super) const RAW_OPEN: &str = "{{{{raw}}}}";
pub(super) const RAW_CLOSE: &str = "{{{{/raw}}}}";
const BRACES: &str = "literal braces are written {{{{raw}}}}{{ … }}{{{{/raw}}}}";

/// A piece of the source.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    /// The whole tag as written; of a raw block only its content.
    pub(super) span: Range<usize>,
    /// The lexemes between the braces, in [`Tokens::lexemes`].
    pub(super) lexemes: Range<usize>,
    /// `{{~`
    pub(super) trim_left: bool,
    /// `~}}`
    pub(super) trim_right: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Text,
    /// The content of a raw block: text that nothing may touch.
    Raw,
    Comment,
    /// `{{…}}`, `{{{…}}}`, `{{&…}}`
    Print,
    /// `{{#…}}`
    Open,
    /// `{{else…}}`, `{{^}}`; the lexemes are those behind the `else`.
    Else,
    /// `{{/…}}`
    Close,
    /// `{{>…}}`
    Partial,
}

/// A word or sign inside a tag.
#[derive(Debug, Clone)]
pub(super) struct Lexeme {
    pub(super) sign: Sign,
    /// Of a string the part between its quotes.
    pub(super) span: Range<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// Whatever is between blanks and signs; whether it is a name is judged later.
    Word,
    String,
    Open,
    Close,
    Equals,
    Bar,
}

/// A source in pieces, in order; every byte outside of raw tags is in one of them.
#[derive(Debug, Default)]
pub(super) struct Tokens {
    pub(super) tokens: Vec<Token>,
    pub(super) lexemes: Vec<Lexeme>,
}

/// Cuts a source into pieces.
pub(super) fn tokenise(file: &File) -> Result<Tokens, Error> {
    let mut cutter = Cutter { file, source: file.text(), at: 0, tag: 0, tokens: Tokens::default() };
    while let Some(found) = memmem::find(cutter.rest().as_bytes(), b"{{") {
        let text = cutter.at..cutter.at + found;
        cutter.push(TokenKind::Text, text.clone());
        cutter.at = text.end;
        cutter.tag = text.end;
        if cutter.rest().starts_with("{{{{") { cutter.raw()? } else { cutter.tag()? }
    }
    cutter.push(TokenKind::Text, cutter.at..cutter.source.len());
    Ok(cutter.tokens)
}

struct Cutter<'a> {
    file: &'a File,
    source: &'a str,
    /// How far the source is read.
    at: usize,
    /// Where the tag that is being read starts.
    tag: usize,
    tokens: Tokens,
}

impl<'a> Cutter<'a> {
    fn rest(&self) -> &'a str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn eat(&mut self, what: &str) -> bool {
        let eaten = self.rest().starts_with(what);
        self.at += if eaten { what.len() } else { 0 };
        eaten
    }

    fn error(&self, message: impl Into<String>, help: impl Into<String>) -> Error {
        self.file.error(self.tag, message, help)
    }

    fn push(&mut self, kind: TokenKind, span: Range<usize>) {
        if !span.is_empty() {
            let lexemes = 0..0;
            self.tokens.tokens.push(Token {
                kind,
                span,
                lexemes,
                trim_left: false,
                trim_right: false,
            });
        }
    }

    fn raw(&mut self) -> Result<(), Error> {
        if !self.eat(RAW_OPEN) {
            return Err(self.error("four opening braces that do not open a raw block", BRACES));
        }
        let content = self.at;
        let Some(length) = memmem::find(self.rest().as_bytes(), RAW_CLOSE.as_bytes()) else {
            return Err(
                self.error("a raw block that is not closed", format!("close it with {RAW_CLOSE}"))
            );
        };
        self.push(TokenKind::Raw, content..content + length);
        self.at = content + length + RAW_CLOSE.len();
        Ok(())
    }

    fn tag(&mut self) -> Result<(), Error> {
        self.eat("{{");
        let mut trim_left = self.eat("~");
        if self.eat("!") {
            return self.comment(trim_left);
        }
        let triple = self.eat("{");
        let mut kind = match self.rest().chars().next() {
            Some('#') => TokenKind::Open,
            Some('/') => TokenKind::Close,
            Some('^') => TokenKind::Else,
            Some('>') => TokenKind::Partial,
            Some('*') => return Err(self.no_decorators()),
            _ => TokenKind::Print,
        };
        if triple {
            kind = TokenKind::Print;
            trim_left |= self.eat("~");
        } else if kind != TokenKind::Print {
            self.at += 1;
            if kind == TokenKind::Open && self.rest().starts_with(['*', '>']) {
                return Err(self.no_decorators());
            }
        } else {
            self.eat("&");
        }
        let first = self.tokens.lexemes.len();
        let trim_right = self.lexemes(triple)?;
        let mut lexemes = first..self.tokens.lexemes.len();
        if kind == TokenKind::Print && !triple && self.is_else(first) {
            kind = TokenKind::Else;
            lexemes.start += 1;
        } else if kind == TokenKind::Else && !lexemes.is_empty() {
            return Err(self.error(
                "`^` with a name behind it",
                "write {{#unless NAME}} … {{/unless}}, or {{else}}",
            ));
        }
        let span = self.tag..self.at;
        self.tokens.tokens.push(Token { kind, span, lexemes, trim_left, trim_right });
        Ok(())
    }

    fn is_else(&self, at: usize) -> bool {
        self.tokens.lexemes.get(at).is_some_and(|lexeme| {
            lexeme.sign == Sign::Word && self.file.slice(&lexeme.span) == "else"
        })
    }

    fn no_decorators(&self) -> Error {
        self.error(
            "decorators, inline partials and partial blocks are not supported",
            "put the text into a partial of its own and write {{> name}}",
        )
    }

    fn comment(&mut self, trim_left: bool) -> Result<(), Error> {
        let long = self.rest().starts_with("--");
        let body = self.at;
        let end = memmem::find_iter(self.rest().as_bytes(), b"}}").find(|&end| {
            let text = self.source.get(body..body + end).unwrap_or_default();
            !long || text.ends_with("--") || text.ends_with("--~")
        });
        let Some(end) = end else {
            let close = if long { "--}}" } else { "}}" };
            return Err(
                self.error("a comment that is not closed", format!("this one ends with {close}"))
            );
        };
        let trim_right = self.source.get(body..body + end).is_some_and(|text| text.ends_with('~'));
        self.at = body + end + 2;
        let span = self.tag..self.at;
        let kind = TokenKind::Comment;
        self.tokens.tokens.push(Token { kind, span, lexemes: 0..0, trim_left, trim_right });
        Ok(())
    }

    /// Reads what is between the braces, and the closing braces. Says whether a `~` stood there.
    fn lexemes(&mut self, triple: bool) -> Result<bool, Error> {
        loop {
            let rest = self.rest();
            let text = rest.trim_start();
            self.at += rest.len() - text.len();
            let Some(next) = text.chars().next() else {
                return Err(self.unclosed());
            };
            let (sign, length) = match next {
                '}' | '~' => return self.close(triple),
                '{' => {
                    return Err(self.error(
                        "an opening brace inside of a tag",
                        format!("the tag needs its }}}} first; {BRACES}"),
                    ));
                }
                '(' => (Sign::Open, 1),
                ')' => (Sign::Close, 1),
                '=' => (Sign::Equals, 1),
                '|' => (Sign::Bar, 1),
                '"' | '\'' => {
                    let inside = text.get(1..).unwrap_or_default();
                    let Some(length) = inside.find(next) else {
                        return Err(self.file.error(
                            self.at,
                            "a string that is not closed",
                            BRACES,
                        ));
                    };
                    self.at += 1;
                    (Sign::String, length)
                }
                _ => {
                    let ends = |c: char| c.is_whitespace() || "{}~\"'()=|".contains(c);
                    (Sign::Word, text.find(ends).unwrap_or(text.len()))
                }
            };
            let span = self.at..self.at + length;
            self.at = span.end + usize::from(sign == Sign::String);
            self.tokens.lexemes.push(Lexeme { sign, span });
        }
    }

    /// The closing braces: `}}`, after three opening ones `}}}`; with a `~` where Handlebars takes it.
    fn close(&mut self, triple: bool) -> Result<bool, Error> {
        let mut trim = self.eat("~");
        let mut closed = true;
        if triple {
            closed = self.eat("}");
            trim |= self.eat("~");
        }
        if closed && self.eat("}}") {
            return Ok(trim);
        }
        if self.rest().is_empty() {
            return Err(self.unclosed());
        }
        let expected = if triple { "}}}" } else { "}}" };
        let next = self.rest().chars().next().map_or(0, char::len_utf8);
        let found = self.source.get(self.tag..self.at + next).unwrap_or_default();
        Err(self
            .error(format!("unbalanced braces in `{}`: expected {expected}", shown(found)), BRACES))
    }

    fn unclosed(&self) -> Error {
        self.error("a tag that is not closed", format!("close it with }}}}; {BRACES}"))
    }
}
