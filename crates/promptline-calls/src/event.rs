//! What a parser tells while an answer comes in. Text that was told is never taken back.

use std::ops::Range;

use promptline_diagnostic::Diagnostic;
use serde_json::Value;

use crate::call::Call;
use crate::suspect::Suspected;

/// Something that was read. Positions are bytes of the whole answer.
///
/// The ranges of [`Text`](Self::Text) and [`Wrapper`](Self::Wrapper) and the spans of the calls cover
/// the answer, one behind the other, without gaps.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// Text outside of calls, verbatim.
    Text {
        /// The text: at least one byte, and never a piece of a tag that may still open a call.
        text: &'a str,
        /// Where it stands.
        range: Range<usize>,
    },
    /// Tags around calls, and the blanks beside them, which are neither text nor part of a call.
    Wrapper {
        /// What it is.
        text: &'a str,
        /// Where it stands.
        range: Range<usize>,
    },
    /// A call begins.
    CallStart {
        /// Which one, counted from 0.
        index: usize,
        /// The name.
        name: &'a str,
        /// Where it begins.
        at: usize,
    },
    /// A parameter begins.
    ParamStart {
        /// The call.
        index: usize,
        /// The parameter.
        name: &'a str,
    },
    /// More of the parameter: a preview, for showing. Where a body ends may turn out only later, so
    /// what counts is [`ParamEnd`](Self::ParamEnd).
    ParamDelta {
        /// The call.
        index: usize,
        /// More of the value.
        text: &'a str,
    },
    /// A parameter is whole.
    ParamEnd {
        /// The call.
        index: usize,
        /// The parameter.
        name: &'a str,
        /// The value.
        value: &'a Value,
    },
    /// A call has ended. It may be executed if [`Call::complete`] says so.
    CallEnd {
        /// Which one, counted from 0.
        index: usize,
        /// The whole call.
        call: &'a Call,
    },
    /// Something worth telling: a call in a code fence, a format that is not read, a repair.
    Diagnostic(&'a Diagnostic),
}

/// How an answer ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// How many calls there were, incomplete ones included.
    pub calls: usize,
    /// How many of them are incomplete.
    pub incomplete: usize,
    /// How many calls stood in code or in thinking, and are text.
    pub suppressed_calls: usize,
    /// The answer ended within a tag that might have opened a call: the tag so far. It is text.
    pub truncated_open_tag: Option<String>,
    /// The first place that looks like a call and is none; there is one diagnostic `suspected-call` then.
    pub suspected: Option<Suspected>,
}
