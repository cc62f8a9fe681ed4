//! Whether a model refused to answer.
//!
//! Structured signals come first: the provider's refusal field, its content filter, an empty answer. Then
//! rules as data, one file for each of ten languages (zh-Hans, zh-Hant, en, ja, ko, de, fr, es, ru, ar). They
//! see one sentence at a time, after quotations, code, conditions ("if you cannot log in …") and what others
//! say or cannot do are blanked out. A sentence is a refusal when a strong pattern matches (the model, that
//! it cannot or will not, an act of answering), or a medium one with an apology in the same sentence or
//! beside it. An answer that comes after all ("… however, here is …") makes the refusal partial, and a
//! partial refusal counts as an answer.
//!
//! ```
//! use promptline_eval::refusal::{self, RefusalKind};
//!
//! let found = refusal::detect_text("很抱歉，我无法回答这个问题。");
//! assert!(found.refused);
//! assert_eq!(found.kind, Some(RefusalKind::Cannot));
//! assert!(!refusal::detect_text("抱歉让您久等了，订单已发货。").refused);
//! ```

mod fold;
mod mask;
mod rules;

use std::ops::Range;

use serde::{Deserialize, Serialize};

use fold::Folded;
use rules::{Rules, rules_for};

/// Why an answer counts as a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RefusalKind {
    /// The provider says so in a field of its own.
    Declared,
    /// The provider's content filter stopped the answer.
    Filtered,
    /// There is no text at all.
    Empty,
    /// The model says that it cannot.
    Cannot,
    /// A policy, a permission or confidentiality forbids it.
    Policy,
    /// It is outside of what the model is for.
    Scope,
    /// The model does not want to.
    Unwilling,
    /// The model does not know.
    Unknown,
    /// It declines a part and answers the rest; not counted as refused.
    Partial,
}

impl RefusalKind {
    /// The kind as it is written in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Declared => "declared",
            Self::Filtered => "filtered",
            Self::Empty => "empty",
            Self::Cannot => "cannot",
            Self::Policy => "policy",
            Self::Scope => "scope",
            Self::Unwilling => "unwilling",
            Self::Unknown => "unknown",
            Self::Partial => "partial",
        }
    }
}

/// An answer as the detector sees it.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Answer<'a> {
    /// What the model said.
    pub text: &'a str,
    /// The provider's refusal field.
    pub refusal: Option<&'a str>,
    /// The provider's content filter stopped the answer.
    pub filtered: bool,
    /// The answer is a call of tools: an empty text is then no refusal.
    pub has_tool_calls: bool,
}

impl<'a> Answer<'a> {
    /// An answer in text.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { text, ..Self::default() }
    }

    /// Sets the provider's refusal field.
    #[must_use]
    pub fn with_refusal(mut self, refusal: Option<&'a str>) -> Self {
        self.refusal = refusal;
        self
    }

    /// Sets whether the provider's content filter stopped the answer.
    #[must_use]
    pub fn with_filtered(mut self, filtered: bool) -> Self {
        self.filtered = filtered;
        self
    }

    /// Sets whether the answer calls tools.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: bool) -> Self {
        self.has_tool_calls = calls;
        self
    }
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Detection {
    /// The answer is a refusal.
    pub refused: bool,
    /// Of what kind; `Partial` comes with `refused` false.
    pub kind: Option<RefusalKind>,
    /// The rule that matched, as `en/cannot/act`.
    pub rule: Option<String>,
    /// Where it matched, in bytes of the text.
    pub span: Option<Range<usize>>,
}

impl Detection {
    fn of(kind: RefusalKind) -> Self {
        Self { refused: true, kind: Some(kind), ..Self::default() }
    }
}

/// Whether a text is a refusal; [`detect`] without structured signals.
#[must_use]
pub fn detect_text(text: &str) -> Detection {
    detect(&Answer::new(text))
}

/// Whether an answer is a refusal. Linear in the text.
#[must_use]
pub fn detect(answer: &Answer<'_>) -> Detection {
    if answer.refusal.is_some_and(|refusal| !refusal.trim().is_empty()) {
        return Detection::of(RefusalKind::Declared);
    }
    if answer.filtered {
        return Detection::of(RefusalKind::Filtered);
    }
    if answer.text.trim().is_empty() {
        return match answer.has_tool_calls {
            true => Detection::default(),
            false => Detection::of(RefusalKind::Empty),
        };
    }
    match strings(answer.text) {
        // The strings of a JSON answer are what it says; places in them are not places in the text.
        Some(said) => Detection { span: None, ..in_text(&said) },
        None => in_text(answer.text),
    }
}

/// The strings of an answer that is JSON.
fn strings(text: &str) -> Option<String> {
    fn gather(value: &serde_json::Value, said: &mut String) {
        match value {
            serde_json::Value::String(text) => {
                said.push_str(text);
                said.push('\n');
            }
            serde_json::Value::Array(items) => items.iter().for_each(|item| gather(item, said)),
            serde_json::Value::Object(members) => {
                members.values().for_each(|item| gather(item, said))
            }
            _ => {}
        }
    }
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value = serde_json::from_str(text).ok()?;
    let mut said = String::new();
    gather(&value, &mut said);
    Some(said)
}

/// From which sentence on a refusal is one of a part: what stands before has answered.
const LATE: usize = 4;

fn in_text(text: &str) -> Detection {
    let folded = Folded::new(&mask::quoted(text));
    let rules = rules_for(&folded.text);
    let sentences = sentences(&folded.text);
    let masked: Vec<String> = sentences
        .iter()
        .map(|range| without_lookalikes(folded.text.get(range.clone()).unwrap_or_default(), &rules))
        .collect();
    let weak: Vec<bool> = sentences
        .iter()
        .map(|range| {
            let sentence = folded.text.get(range.clone()).unwrap_or_default();
            rules.iter().any(|rules| rules.weak.iter().any(|mark| mark.is_match(sentence)))
        })
        .collect();
    for (index, (sentence, range)) in masked.iter().zip(&sentences).enumerate() {
        let beside = |at: Option<usize>| at.and_then(|at| weak.get(at)).copied().unwrap_or(false);
        let supported =
            beside(Some(index)) || beside(index.checked_sub(1)) || beside(Some(index + 1));
        let found = rules.iter().find_map(|rules| {
            let medium = rules.medium.iter().filter(|_| supported);
            rules
                .strong
                .iter()
                .chain(medium)
                .find_map(|rule| rule.pattern.find(sentence).map(|place| (rule, place.range())))
        });
        let Some((rule, place)) = found else { continue };
        let at = range.start + place.start..range.start + place.end;
        let rest = sentence.get(place.end..).unwrap_or_default();
        let after = folded.text.get(range.end..).unwrap_or_default();
        let partial = index >= LATE || delivers(rest, &rules) || delivers(after, &rules);
        return Detection {
            refused: !partial,
            kind: Some(if partial { RefusalKind::Partial } else { rule.kind }),
            rule: Some(rule.id.clone()),
            span: Some(folded.original(&at)),
        };
    }
    Detection::default()
}

/// Whether an answer follows after all.
fn delivers(text: &str, rules: &[&Rules]) -> bool {
    let any = |patterns: &[regex::Regex], text: &str| patterns.iter().any(|one| one.is_match(text));
    // A mark at the very end announces nothing.
    let marked = rules.iter().flat_map(|rules| &rules.delivery).any(|mark| {
        mark.find(text).is_some_and(|place| {
            text.get(place.end()..)
                .is_some_and(|rest| rest.chars().filter(|c| c.is_alphanumeric()).count() >= 6)
        })
    });
    marked && !rules.iter().any(|rules| any(&rules.not_delivery, text))
}

/// A sentence without what only looks like a refusal.
fn without_lookalikes(sentence: &str, rules: &[&Rules]) -> String {
    let mut masked = sentence.to_owned();
    for pattern in rules.iter().flat_map(|rules| &rules.mask) {
        let places: Vec<Range<usize>> =
            pattern.find_iter(&masked).map(|place| place.range()).collect();
        places.into_iter().for_each(|place| mask::blank(&mut masked, place));
    }
    masked
}

/// The sentences of a folded text. A full stop ends one before a blank, or where it was a CJK one.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        let ends = match character {
            '\n' | '!' | '?' => true,
            '.' => next.is_none_or(|next| next.is_whitespace() || !next.is_ascii()),
            ';' => true,
            _ => false,
        };
        if ends {
            let end = at + character.len_utf8();
            if text
                .get(start..end)
                .is_some_and(|sentence| sentence.chars().any(char::is_alphanumeric))
            {
                found.push(start..end);
            }
            start = end;
        }
    }
    if text.get(start..).is_some_and(|sentence| sentence.chars().any(char::is_alphanumeric)) {
        found.push(start..text.len());
    }
    found
}
