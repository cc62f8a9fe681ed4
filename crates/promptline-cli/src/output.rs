//! Results go to stdout, everything else to stderr. A reader that goes away is not a failure.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};

use promptline::{Diagnostic, Severity};

/// Why a verb ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of our output has closed it.
    Gone,
    /// A check found something, and has said it.
    Found,
    /// The same, with an exit code of its own.
    #[cfg(feature = "eval")]
    Code(u8),
    /// A mistake, in words.
    Said(String),
    /// A model or a server was not reached, in words.
    Unreached(String),
}

impl From<promptline::Error> for Failure {
    fn from(error: promptline::Error) -> Self {
        Self::Said(format!("{error:#}"))
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Gone,
            _ => Self::Said(error.to_string()),
        }
    }
}

pub(crate) struct Output {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::new(io::stdout().lock()) }
    }

    /// Colours are for people: a terminal, and no `NO_COLOR`.
    pub(crate) fn colours() -> bool {
        let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        wanted && io::stdout().is_terminal()
    }

    /// How wide a table may be, in columns: what `COLUMNS` says, else what a terminal has. What goes into
    /// a file may be of any width.
    pub(crate) fn width() -> Option<usize> {
        let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        let terminal = || terminal_size::terminal_size_of(io::stdout());
        said.or_else(|| terminal().map(|(width, _)| usize::from(width.0)))
    }

    /// Writes exactly this.
    pub(crate) fn write(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.stdout.write_all(text.as_bytes())?)
    }

    /// Writes this and a newline.
    pub(crate) fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        Ok(writeln!(self.stdout, "{text}")?)
    }

    /// Writes JSON for people to read, and a newline.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> Result<(), Failure> {
        let json = serde_json::to_string_pretty(value);
        self.line(json.map_err(|error| Failure::Said(error.to_string()))?)
    }

    /// Writes out what is kept back.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.stdout.flush()?)
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        Ok(self.stdout.flush()?)
    }

    /// Prints warnings to stderr; notes are in the report.
    pub(crate) fn warn<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        let mut stderr = io::stderr().lock();
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Warning {
                let _ = writeln!(stderr, "{}", harmless(&diagnostic.to_string()));
            }
        }
    }

    /// The same, for one of several prompts.
    pub(crate) fn warn_in<'d>(place: &str, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        let mut stderr = io::stderr().lock();
        for diagnostic in diagnostics {
            if diagnostic.severity == Severity::Warning {
                let _ = writeln!(stderr, "{}", harmless(&format!("{place}: {diagnostic}")));
            }
        }
    }

    /// Writes this to stderr.
    pub(crate) fn note(text: &str) {
        let _ = io::stderr().lock().write_all(harmless(text).as_bytes());
    }

    pub(crate) fn complain(message: &str) {
        let _ = writeln!(io::stderr().lock(), "error: {}", harmless(message));
    }
}

/// A text for a terminal that holds words of users, servers, models and files: what would steer the
/// terminal is shown instead.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let steers = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    if !text.contains(steers) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match steers(c) {
            true => shown.extend(c.escape_debug()),
            false => shown.push(c),
        }
    }
    Cow::Owned(shown)
}
