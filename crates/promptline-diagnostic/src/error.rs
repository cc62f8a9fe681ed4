//! The error type: opaque, with a kind, a place and a help line. Warnings are not
//! errors: they are [`Diagnostic`](crate::Diagnostic)s.

use std::error::Error as StdError;
use std::fmt;

/// Why something could not be done. Cheap to move; print it with `{}` for one line or `{:#}` with
/// the offending source line under it.
pub struct Error(Box<Repr>);

struct Repr {
    kind: ErrorKind,
    code: Option<&'static str>,
    message: String,
    help: Option<String>,
    place: Option<Place>,
    /// The word that it is about, by which a place can be found where only the file is known.
    word: Option<String>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

/// Takes a result apart, so that a check can go on after a mistake.
pub fn keep<T>(errors: &mut Vec<Error>, result: Result<T, Error>) -> Option<T> {
    result.map_err(|error| errors.push(error)).ok()
}

/// A place in a file: line and column count from 1, the column in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    /// How many characters are wrong, at least 1.
    length: usize,
    source_line: String,
}

/// What sort of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A template cannot be read, or ran over a limit while it was rendered.
    Template,
    /// A file of a pack is wrong: its TOML, a key, a value, a reference between files.
    Pack,
    /// A tool spec is wrong: a name, a duplicate parameter, a usage sample.
    Tool,
    /// A condition is wrong: a glob, a range, a key that is not legal at its place.
    Condition,
    /// A prompt context cannot be read.
    Context,
    /// Something was registered twice.
    Duplicate,
    /// No variant matches, or the one that was asked for does not exist.
    NoVariant,
    /// A placeholder that nothing provides, under the policy `UnresolvedPolicy::Error`.
    Unresolved,
    /// The prompt would be larger than the library is willing to make it.
    TooLarge,
    /// The prompt does not fit its budget; the source is a `BudgetExceeded`.
    Budget,
    /// A file or folder could not be read.
    Io,
    /// A component waits for something where nothing can wake it: the build has to be awaited.
    WouldBlock,
}

impl Error {
    /// An error of `kind`. The message says what is wrong, in lower case and without a full stop.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Repr {
            kind,
            code: None,
            message: message.into(),
            help: None,
            place: None,
            word: None,
            source: None,
        }))
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.0.help = Some(help.into());
        self
    }

    /// Gives it a name of its own, in kebab case, as `unknown-key`. Without one the kind gives it:
    /// `bad-template`, `bad-pack`, ….
    #[must_use]
    pub fn with_code(mut self, code: &'static str) -> Self {
        self.0.code = Some(code);
        self
    }

    /// Says which word is wrong: what is underlined, and what is looked for where only the file is
    /// known.
    #[must_use]
    pub fn about(mut self, word: impl Into<String>) -> Self {
        self.0.word = Some(word.into());
        self
    }

    /// Adds the place: a byte offset into the text of `file`. An offset beyond the end, or inside a
    /// character, points to the nearest place before it.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, text: &str, offset: usize) -> Self {
        let offset = text.floor_char_boundary(offset);
        let before = text.get(..offset).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let rest = text.get(line_start..).unwrap_or_default();
        self.0.place = Some(Place {
            file: file.into(),
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
            length: 1,
            source_line: rest.lines().next().unwrap_or_default().to_owned(),
        });
        self
    }

    /// The same for a range of bytes: what of it is on its first line is underlined.
    pub fn at_range(self, file: &str, text: &str, range: std::ops::Range<usize>) -> Self {
        let wrong = text.get(range.clone()).unwrap_or_default();
        let length = wrong.lines().next().unwrap_or_default().chars().count().max(1);
        let mut error = self.at(file, text, range.start);
        if let Some(place) = &mut error.0.place {
            place.length = length;
        }
        error
    }

    /// Does not show the offending line: the text may hold secrets, and errors end up in logs.
    pub fn without_excerpt(mut self) -> Self {
        if let Some(place) = &mut self.0.place {
            place.source_line.clear();
        }
        self
    }

    /// Adds the file, when no better place is known.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        if self.0.place.is_none() {
            self.0.place = Some(Place {
                file: file.into(),
                line: 0,
                column: 0,
                length: 1,
                source_line: String::new(),
            });
        }
        self
    }

    /// Moves the place of an error in a part of a file (a template in a TOML string) to the file: the
    /// part starts at `start`.
    pub fn shifted(self, file: &str, text: &str, start: usize) -> Self {
        let Some(place) = self.0.place.as_ref().filter(|place| place.line > 0) else {
            return self.at(file, text, start);
        };
        let part = text.get(start..).unwrap_or_default();
        let before: usize = part.split_inclusive('\n').take(place.line - 1).map(str::len).sum();
        let line = part.get(before..).unwrap_or_default();
        let column = line.char_indices().nth(place.column - 1).map_or(line.len(), |(at, _)| at);
        self.at(file, text, start + before + column)
    }

    /// A copy, without the error that caused it.
    #[must_use]
    pub fn without_source(&self) -> Self {
        let Repr { kind, code, message, help, place, word, source: _ } = &*self.0;
        Self(Box::new(Repr {
            kind: *kind,
            code: *code,
            message: message.clone(),
            help: help.clone(),
            place: place.clone(),
            word: word.clone(),
            source: None,
        }))
    }

    /// Adds the error that caused this one.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// What sort of error this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// A stable name for this kind of mistake, in kebab case, as `unknown-key`.
    #[must_use]
    pub fn code(&self) -> &'static str {
        self.0.code.unwrap_or(match self.0.kind {
            ErrorKind::Template => "bad-template",
            ErrorKind::Pack => "bad-pack",
            ErrorKind::Tool => "bad-tool",
            ErrorKind::Condition => "bad-condition",
            ErrorKind::Context => "bad-context",
            ErrorKind::Duplicate => "duplicate-id",
            ErrorKind::NoVariant => "no-variant",
            ErrorKind::Unresolved => "unresolved",
            ErrorKind::TooLarge => "too-large",
            ErrorKind::Budget => "over-budget",
            ErrorKind::Io => "unreadable",
            ErrorKind::WouldBlock => "would-block",
        })
    }

    /// The word that is wrong, where it is known.
    pub fn word(&self) -> Option<&str> {
        self.0.word.as_deref()
    }

    /// What is wrong, without the place.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What to do about it, when there is something to say.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// The file it is in, where there is one.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.0.place.as_ref().map(|place| place.file.as_str())
    }

    /// How many characters are wrong, from the column on; at least 1.
    #[must_use]
    pub fn length(&self) -> usize {
        self.0.place.as_ref().map_or(1, |place| place.length)
    }

    /// Line and column, both counted from 1, the column in characters.
    #[must_use]
    pub fn line_column(&self) -> Option<(usize, usize)> {
        self.0.place.as_ref().filter(|place| place.line > 0).map(|place| (place.line, place.column))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repr = &self.0;
        match &repr.place {
            Some(place) if place.line > 0 => {
                write!(f, "{}:{}:{}: ", place.file, place.line, place.column)?;
            }
            Some(place) => write!(f, "{}: ", place.file)?,
            None => {}
        }
        f.write_str(&repr.message)?;
        if f.alternate() {
            let shows = |place: &&Place| place.line > 0 && !place.source_line.is_empty();
            if let Some(place) = repr.place.as_ref().filter(shows) {
                let (shown, column) = excerpt(&place.source_line, place.column);
                let number = place.line.to_string();
                let gutter = " ".repeat(number.len());
                write!(f, "\n{gutter} |\n{number} | {}\n{gutter} | ", shown.trim_end())?;
                write!(f, "{}^", " ".repeat(column.saturating_sub(1)))?;
            }
            if let Some(help) = &repr.help {
                write!(f, "\nhelp: {help}")?;
            }
        } else if let Some(help) = &repr.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// The part of a long line around `column`, so that a one-line 4 MB file does not fill a terminal.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    const WIDTH: usize = 100;
    let skip = column.saturating_sub(WIDTH / 2);
    let skip = if skip < 8 { 0 } else { skip };
    let shown =
        line.chars().skip(skip).take(WIDTH).map(|c| if c.is_control() { ' ' } else { c }).collect();
    (shown, column - skip)
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.to_string())
            .field("source", &self.0.source)
            .finish()
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
