//! What is said while tools are read. A tool in which everything is wrong does not drown the others:
//! after some notes about it only their number is told.

use std::fmt::{self, Display};

use promptline_diagnostic::Diagnostic;

#[derive(Debug, Default)]
pub(super) struct Notes {
    diagnostics: Vec<Diagnostic>,
    /// The tool that is being read.
    subject: Option<String>,
    /// How many notes there were about it.
    count: usize,
}

/// So many notes about one tool are written out.
const SHOWN: usize = 20;

impl Notes {
    /// From now on notes are about this tool.
    pub(super) fn begin(&mut self, subject: Option<&str>) {
        self.close();
        self.subject = subject.map(str::to_owned);
    }

    /// Something at this place was repaired.
    pub(super) fn repaired(&mut self, place: &JsonPath<'_>, what: impl Display) {
        self.count += 1;
        if self.count <= SHOWN {
            self.push(Diagnostic::warning("tool-repaired", format!("`{place}`: {what}")));
        }
    }

    /// Something that a spec has no place for.
    pub(super) fn not_kept(&mut self, place: &JsonPath<'_>, what: impl Display) {
        self.push(Diagnostic::info("tool-not-kept", format!("`{place}`: {what}")));
    }

    /// A tool, or what should have been one, is left out.
    pub(super) fn left_out(&mut self, place: impl Display, name: Option<&str>, why: impl Display) {
        let message = match name {
            Some(name) => format!("`{place}`: the tool `{}` is left out: {why}", shown(name)),
            None => format!("`{place}`: it is left out: {why}"),
        };
        self.push(Diagnostic::warning("tool-left-out", message));
    }

    /// Something about the list as a whole.
    pub(super) fn list(&mut self, code: &str, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(code, message));
    }

    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.close();
        self.diagnostics
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(match &self.subject {
            Some(subject) => diagnostic.about(subject),
            None => diagnostic,
        });
    }

    fn close(&mut self) {
        let more = self.count.saturating_sub(SHOWN);
        self.count = 0;
        if more > 0 {
            let message = format!("{more} more things of this tool were repaired");
            self.push(Diagnostic::warning("tool-repaired", message));
        }
    }
}

/// A name from elsewhere, on one line and not too long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let mut shown = String::new();
    for c in text.chars().take(LONGEST) {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// A place in JSON, as a chain of the steps that lead there: it costs nothing until it is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonPath<'a> {
    step: Step<'a>,
    outer: Option<&'a JsonPath<'a>>,
}

#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Root,
    Key(&'a str),
    At(usize),
}

impl<'a> JsonPath<'a> {
    pub(super) fn root() -> Self {
        Self { step: Step::Root, outer: None }
    }

    pub(super) fn key(&'a self, key: &'a str) -> Self {
        Self { step: Step::Key(key), outer: Some(self) }
    }

    pub(super) fn at(&'a self, position: usize) -> Self {
        Self { step: Step::At(position), outer: Some(self) }
    }
}

/// A JSON pointer; the outermost place is `/`, which reads better than nothing.
impl Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut steps = Vec::new();
        let mut place = Some(self);
        while let Some(JsonPath { step, outer }) = place {
            steps.push(*step);
            place = *outer;
        }
        if steps.len() == 1 {
            return f.write_str("/");
        }
        for step in steps.iter().rev() {
            match step {
                Step::Root => {}
                Step::Key(key) => {
                    write!(f, "/{}", shown(&key.replace('~', "~0").replace('/', "~1")))?
                }
                Step::At(position) => write!(f, "/{position}")?,
            }
        }
        Ok(())
    }
}
