//! A whole answer at once. The same as the parser with everything in one piece.

use std::ops::Range;
use std::sync::Arc;

use promptline_diagnostic::Diagnostic;

use crate::call::Call;
use crate::event::{Event, Summary};
use crate::grammar::CallGrammar;
use crate::options::Options;
use crate::parser::CallParser;

/// What a whole answer holds.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Parsed {
    /// Everything outside of calls and their wrappers, verbatim.
    pub text: String,
    /// The calls, in order; incomplete ones too.
    pub calls: Vec<Call>,
    /// What is worth telling.
    pub diagnostics: Vec<Diagnostic>,
    /// What the answer is made of, in order and without gaps.
    pub pieces: Vec<Piece>,
    /// How it ended.
    pub summary: Summary,
}

/// A stretch of an answer, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece {
    /// Text.
    Text(Range<usize>),
    /// A tag around calls, with the blanks beside it.
    Wrapper(Range<usize>),
    /// A call, by its position in [`Parsed::calls`].
    Call(usize, Range<usize>),
}

impl Parsed {
    /// Takes an event in. For a host that streams and wants the whole at the end too.
    pub fn take(&mut self, event: &Event<'_>) {
        match event {
            Event::Text { text, range } => {
                self.text.push_str(text);
                match self.pieces.last_mut() {
                    Some(Piece::Text(last)) => last.end = range.end,
                    _ => self.pieces.push(Piece::Text(range.clone())),
                }
            }
            Event::Wrapper { range, .. } => match self.pieces.last_mut() {
                Some(Piece::Wrapper(last)) => last.end = range.end,
                _ => self.pieces.push(Piece::Wrapper(range.clone())),
            },
            Event::CallEnd { index, call } => {
                self.pieces.push(Piece::Call(*index, call.span.clone()));
                self.calls.push((*call).clone());
            }
            Event::Diagnostic(diagnostic) => self.diagnostics.push((*diagnostic).clone()),
            _ => {}
        }
    }
}

/// Reads a whole answer, with the default options.
#[must_use]
pub fn parse_calls(grammar: &CallGrammar, answer: &str) -> Parsed {
    parse_calls_with(grammar, answer, &Options::default())
}

/// Reads a whole answer.
///
/// ```
/// use promptline_calls::{CallGrammar, Dialects, Options, parse_calls_with};
///
/// let grammar = CallGrammar::default().tool("now", []);
/// let options = Options::new().dialects(Dialects::AUTO);
/// let answer = "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>";
/// let parsed = parse_calls_with(&grammar, answer, &options);
/// assert_eq!(parsed.calls.len(), 1);
/// assert!(parsed.text.is_empty());
/// ```
#[must_use]
pub fn parse_calls_with(grammar: &CallGrammar, answer: &str, options: &Options) -> Parsed {
    let mut parsed = Parsed::default();
    let mut parser = CallParser::new(Arc::new(grammar.clone()), options.clone());
    parser.push(answer, &mut |event| parsed.take(&event));
    let summary = parser.finish(&mut |event| parsed.take(&event));
    parsed.summary = summary;
    parsed
}
