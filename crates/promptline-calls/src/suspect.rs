//! Looks for calls that were meant and not read. Works on the text outside of calls and thinking when the
//! answer is over, so that how it came in pieces makes no difference; reports only, executes nothing.

use std::fmt::Write as _;

use promptline_diagnostic::Diagnostic;

use crate::code::Code;
use crate::grammar::CallGrammar;
use crate::json::{self, JsonEnd, Scanned};
use crate::options::{Dialect, Dialects};
use crate::syntax::{JSON_BLOCKS, JsonBlock, WRAPPERS};

/// Text is looked at up to here.
const MAX_TEXT: usize = 256 << 10;
/// So far behind a mark is looked for what belongs to it.
const WINDOW: usize = 1024;
/// So much of a tag is looked at.
const MAX_TAG: usize = 64;
/// Stands where a call or thinking was.
const GAP: char = '\u{1}';

/// A call that was meant and not read: what is wrong with it, and what to answer the model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suspected {
    /// What is wrong.
    pub reason: Reason,
    /// The tool or the format that it is about.
    pub subject: Option<String>,
    /// Where it begins in the answer, in bytes.
    pub at: usize,
    /// The beginning of it.
    pub excerpt: String,
}

/// Why something that looks like a call is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// No tool of this name was offered.
    UnknownTool,
    /// The tag of a tool holds a value that is in no parameter.
    ValueWithoutParameter,
    /// The name of a tool and an argument, without markup.
    NameWithoutMarkup,
    /// A call in JSON without the markup around it.
    JsonWithoutMarkup,
    /// A call in JSON in a code fence.
    JsonInFence,
    /// A format that is not enabled.
    FormatNotEnabled,
    /// The markup of a call whose content is no call.
    Malformed,
}

/// A language of messages to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, simplified.
    Chinese,
}

impl Reason {
    /// What is wrong, in a few words.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UnknownTool => "unknown tool",
            Self::ValueWithoutParameter => "value without its parameter",
            Self::NameWithoutMarkup => "tool name without markup",
            Self::JsonWithoutMarkup => "JSON without markup",
            Self::JsonInFence => "JSON in a fence",
            Self::FormatNotEnabled => "format not enabled",
            Self::Malformed => "markup without a readable call",
        }
    }
}

impl Suspected {
    /// A message that a host can send back to the model.
    ///
    /// ```
    /// use promptline_calls::{CallGrammar, Language, parse_calls};
    ///
    /// let grammar = CallGrammar::default().tool("list_files", [("path", false)]);
    /// let suspected = parse_calls(&grammar, "list_files src").summary.suspected.unwrap();
    /// assert!(suspected.feedback(Language::English).contains("`list_files`"));
    /// ```
    #[must_use]
    pub fn feedback(&self, language: Language) -> String {
        let name = self.subject.as_deref().unwrap_or("?");
        match language {
            Language::English => {
                let what = match self.reason {
                    Reason::UnknownTool => {
                        format!(
                            "There is no tool `{name}`; use only the tools you were given, by their exact names."
                        )
                    }
                    Reason::ValueWithoutParameter => {
                        format!(
                            "A value in `{name}` is in no parameter; put each value in the tag of its parameter."
                        )
                    }
                    Reason::NameWithoutMarkup => {
                        format!("You named `{name}` without the markup of a call.")
                    }
                    Reason::JsonWithoutMarkup => {
                        format!(
                            "You wrote the call of `{name}` as bare JSON, without the markup of a call."
                        )
                    }
                    Reason::JsonInFence => {
                        format!("You wrote the call of `{name}` as JSON in a code block.")
                    }
                    Reason::FormatNotEnabled => {
                        format!(
                            "You wrote a tool call in the format `{name}`, which is not used here."
                        )
                    }
                    Reason::Malformed => {
                        "You wrote the markup of a call, but its content is not a call.".to_owned()
                    }
                };
                format!(
                    "No tool was called. {what} Write the call again in exactly the format from your instructions."
                )
            }
            Language::Chinese => {
                let what = match self.reason {
                    Reason::UnknownTool => {
                        format!("没有名为 `{name}` 的工具，只能使用已提供的工具，名称须完全一致。")
                    }
                    Reason::ValueWithoutParameter => {
                        format!("`{name}` 中的值没有写在参数里，请把每个值放进对应的参数标签。")
                    }
                    Reason::NameWithoutMarkup => {
                        format!("只写了工具名 `{name}`，没有使用调用格式。")
                    }
                    Reason::JsonWithoutMarkup => {
                        format!("对 `{name}` 的调用只写成了 JSON，没有使用调用格式。")
                    }
                    Reason::JsonInFence => format!("对 `{name}` 的调用写在了代码块的 JSON 里。"),
                    Reason::FormatNotEnabled => {
                        format!("工具调用使用了 `{name}` 格式，此处不支持。")
                    }
                    Reason::Malformed => "写了调用标记，但其中的内容不是有效的调用。".to_owned(),
                };
                format!("没有执行任何工具。{what}请严格按照说明中的格式重新写出调用。")
            }
        }
    }

    /// The same as a warning, `suspected-call`.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let mut message = format!("looks like a tool call and is none: {}", self.reason.as_str());
        if let Some(subject) = &self.subject {
            let _ = write!(message, " (`{}`)", subject.escape_debug());
        }
        let _ = write!(message, ", at byte {}: `{}`", self.at, self.excerpt.escape_debug());
        let diagnostic = Diagnostic::warning("suspected-call", message);
        let diagnostic = match &self.subject {
            Some(subject) => diagnostic.about(subject.as_str()),
            None => diagnostic,
        };
        diagnostic.with_help(self.feedback(Language::English))
    }
}

/// The text in which calls may be suspected.
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    text: String,
    /// Where stretches begin: in `text`, and in the answer.
    stretches: Vec<(usize, usize)>,
    /// Where the text seen last ends in the answer.
    end: usize,
    full: bool,
}

impl Suspects {
    /// Takes text of the answer that begins at this byte of it.
    pub(crate) fn take(&mut self, at: usize, text: &str) {
        if self.full || text.is_empty() {
            return;
        }
        if self.stretches.is_empty() || self.end != at {
            if at > 0 {
                self.text.push(GAP);
            }
            self.stretches.push((self.text.len(), at));
        }
        self.end = at + text.len();
        let room = MAX_TEXT.saturating_sub(self.text.len());
        let fits = text.floor_char_boundary(room);
        self.full = fits < text.len();
        self.text.push_str(text.get(..fits).unwrap_or_default());
    }

    /// The first call that was meant and not read.
    pub(crate) fn find(&self, grammar: &CallGrammar, dialects: Dialects) -> Option<Suspected> {
        grammar.names().next()?;
        let found = Search { text: &self.text, grammar, dialects }.first()?;
        let stretch = self.stretches.partition_point(|(start, _)| *start <= found.at);
        let (start, at) = *self.stretches.get(stretch.checked_sub(1)?)?;
        let rest = self.text.get(found.at..).unwrap_or_default();
        let line = rest.split([GAP, '\n']).next().unwrap_or_default();
        Some(Suspected {
            reason: found.reason,
            subject: found.subject,
            at: at + (found.at - start),
            excerpt: line.chars().take(60).collect(),
        })
    }
}

struct Found {
    at: usize,
    reason: Reason,
    subject: Option<String>,
}

type Finding = Option<(Reason, Option<String>)>;

fn is(reason: Reason, subject: &str) -> Finding {
    Some((reason, Some(subject.to_owned())))
}

struct Search<'a> {
    text: &'a str,
    grammar: &'a CallGrammar,
    dialects: Dialects,
}

/// Marks of formats, without their bars, with the formats' names.
const FOREIGN: [(&str, &str); 16] = [
    ("tool_calls_section_begin", "kimi"),
    ("tool_call_section_begin", "kimi"),
    ("tool_call_begin", "kimi"),
    ("python_tag", "llama3-json"),
    ("python_start", "pythonic"),
    ("channel", "harmony"),
    ("message", "harmony"),
    ("call", "harmony"),
    ("start", "harmony"),
    ("tool_call_start", "lfm2"),
    ("tool_call", "gemma"),
    ("tool_calls", "phi"),
    ("START_ACTION", "command-a"),
    ("tool_calls_begin", "deepseek"),
    ("action_start", "internlm"),
    ("tool_code", "gemma"),
];

/// Languages of fences in which a call may have been meant.
const PLAIN_FENCES: [&str; 8] =
    ["", "json", "xml", "text", "tool_code", "tool_call", "tool", "plaintext"];

/// Keys that name the tool, and keys that hold the arguments, in JSON that is not quite a call.
const NAME_KEYS: [&str; 5] = ["name", "tool", "tool_name", "function", "action"];
const ARGUMENT_KEYS: [&str; 6] = [
    "\"arguments\"",
    "\"parameters\"",
    "\"args\"",
    "\"input\"",
    "\"action_input\"",
    "\"tool_input\"",
];

impl Search<'_> {
    fn first(&self) -> Option<Found> {
        let mut code = Code::new();
        let mut at = 0;
        let mut json_to = 0;
        // The first line of a fence in which a call may have been meant comes next.
        let mut plain_fence = false;
        for line in self.text.split_inclusive('\n') {
            let fenced = code.fenced();
            let shift = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
            let words = line.get(shift..).unwrap_or_default().trim_end();
            if (!fenced || plain_fence)
                && let Some((reason, subject)) = self.line(words)
            {
                return Some(Found { at: at + shift, reason, subject });
            }
            let language = words.trim_start_matches(['`', '~']);
            plain_fence = !fenced
                && words.len() - language.len() >= 3
                && PLAIN_FENCES.contains(&language.trim());
            let mut fed = 0;
            for place in memchr::memchr3_iter(b'<', b'[', b'{', line.as_bytes()) {
                code.feed(line.as_bytes().get(fed..place).unwrap_or_default());
                code.settle();
                fed = place;
                let (span, fence) = (code.sheltered() && !code.fenced(), code.fenced());
                if span || at + place < json_to {
                    continue;
                }
                let finding = match line.as_bytes().get(place) {
                    Some(b'{') => {
                        let (end, finding) = self.json(at + place, fence);
                        json_to = end;
                        finding
                    }
                    _ if fence => None,
                    Some(b'<') => self.tag(at + place),
                    _ => self.bracket(at + place, place == shift),
                };
                if let Some((reason, subject)) = finding {
                    return Some(Found { at: at + place, reason, subject });
                }
            }
            code.feed(line.as_bytes().get(fed..).unwrap_or_default());
            at += line.len();
        }
        None
    }

    fn from(&self, at: usize) -> &str {
        let end = self.text.floor_char_boundary(at.saturating_add(WINDOW));
        self.text.get(at..end).unwrap_or_default()
    }

    fn offered(&self, name: &str) -> bool {
        self.grammar.position(name).is_some()
    }

    /// A line that begins with the name of a tool and an argument.
    fn line(&self, line: &str) -> Finding {
        let (head, rest) = split_name(line);
        match head {
            "call" if rest.starts_with(':') => {
                let (name, rest) = split_name(rest.get(1..)?);
                return (self.offered(name) && rest.starts_with('{'))
                    .then(|| is(Reason::FormatNotEnabled, "gemma"))?;
            }
            "to" if rest.starts_with("=functions.") => {
                return is(Reason::FormatNotEnabled, "harmony");
            }
            "Action" | "action" | "Tool" | "tool" | "Call" if rest.starts_with(':') => {
                let name = rest.get(1..)?.trim().trim_matches('`');
                return self.offered(name).then(|| is(Reason::NameWithoutMarkup, name))?;
            }
            _ => {}
        }
        let name = head.strip_prefix("functions.").unwrap_or(head);
        if !self.offered(name) {
            return None;
        }
        let argument = rest.strip_prefix(':').unwrap_or(rest).trim_start();
        let call = (rest.starts_with('(') && rest.ends_with([')', ';']) && is_arguments(rest))
            || (argument.starts_with('{') && argument.contains(':'))
            || (rest.starts_with([' ', '\t', ':']) && is_argument(name, argument));
        call.then(|| is(Reason::NameWithoutMarkup, name))?
    }

    fn bracket(&self, at: usize, at_line_start: bool) -> Finding {
        let rest = self.from(at).get(1..)?;
        if rest.starts_with("TOOL_CALLS]") {
            return is(Reason::FormatNotEnabled, "mistral");
        }
        let (name, rest) = split_name(rest.trim_start());
        (at_line_start && rest.starts_with('(') && self.offered(name))
            .then(|| is(Reason::FormatNotEnabled, "pythonic"))?
    }

    /// JSON that begins here: where it ends, and whether it is shaped like a call.
    fn json(&self, at: usize, fence: bool) -> (usize, Finding) {
        let rest = self.from(at);
        let mut scanner = JsonEnd::default();
        let mut to = 0;
        let end = loop {
            match scanner.scan(rest.as_bytes().get(to..).unwrap_or_default()) {
                Scanned::End(length) => break to + length,
                Scanned::Tag(tag) => to += tag + 1,
                Scanned::Open => break rest.len(),
            }
        };
        let object = rest.get(..end).unwrap_or_default();
        // A call with its markup in a fence is reported as `suppressed-call`.
        let before = self.text.get(..at).unwrap_or_default();
        if fence && self.dialects.has(Dialect::Hermes) && before.trim_end().ends_with("call>") {
            return (at + end, None);
        }
        let bare = || match fence {
            true => Reason::JsonInFence,
            false => Reason::JsonWithoutMarkup,
        };
        let found = match self.named(object) {
            Some((_, true))
                if !fence && self.text.get(..at).unwrap_or_default().trim().is_empty() =>
            {
                is(Reason::FormatNotEnabled, "llama3-json")
            }
            Some((name, true)) => is(bare(), &name),
            Some((name, false)) => is(Reason::UnknownTool, &name),
            None => None,
        };
        (at + end, found)
    }

    /// The name of the tool that this JSON calls, and whether it was offered.
    fn named(&self, object: &str) -> Option<(String, bool)> {
        // What describes a tool does not call it.
        if object.contains("\"description\"") && object.contains("\"type\"") {
            return None;
        }
        let arguments = ARGUMENT_KEYS.iter().any(|key| object.contains(key));
        if let Some(call) = json::read(object) {
            if self.offered(&call.name) {
                return Some((call.name, true));
            }
            if arguments && !call.name.contains(char::is_whitespace) {
                return Some((call.name, false));
            }
        }
        let value = |key: &str| {
            let (_, rest) = object.split_once(&format!("\"{key}\""))?;
            let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
            rest.split_once('"').map(|(name, _)| name).filter(|name| self.offered(name))
        };
        let name = NAME_KEYS.iter().filter(|_| arguments).find_map(|key| value(key))?;
        Some((name.to_owned(), true))
    }

    fn tag(&self, at: usize) -> Finding {
        let window = self.from(at);
        let head = window.get(..window.floor_char_boundary(MAX_TAG))?;
        let length = head.find('>')? + 1;
        let tag = head.get(1..length - 1)?;
        let inside = window.get(length..)?;
        if let Some(format) = foreign(tag) {
            return is(Reason::FormatNotEnabled, format);
        }
        let plain = tag.strip_prefix("antml:").unwrap_or(tag);
        for (opening, dialect) in [
            ("function=", Dialect::Qwen),
            ("invoke name=", Dialect::Invoke),
            ("arg_key", Dialect::Glm),
        ] {
            let Some(rest) = plain.strip_prefix(opening) else { continue };
            let name = rest.trim_matches(['"', '\'', ' ', '/']);
            return if !self.dialects.has(dialect) {
                is(Reason::FormatNotEnabled, dialect.as_str())
            } else if !name.is_empty() && !self.offered(name) {
                is(Reason::UnknownTool, name)
            } else if attached(inside) {
                Some((Reason::Malformed, Some(name.to_owned()).filter(|name| !name.is_empty())))
            } else {
                None
            };
        }
        if is_block(tag) {
            return self.block(tag, inside);
        }
        self.tool_tag(at, tag, inside)
    }

    /// Behind the opening tag of a block of calls.
    fn block(&self, tag: &str, inside: &str) -> Finding {
        let content = inside.trim_start();
        let closes = inside.contains(&format!("</{tag}>"));
        let (name, _) = split_name(content);
        let call = content.starts_with(['{', '[']) || (self.offered(name) && attached(inside));
        let encloses = closes && attached(inside);
        if !(call || encloses) {
            return None;
        }
        if !self.dialects.has(Dialect::Glm) && content.contains("<arg_key>") {
            return is(Reason::FormatNotEnabled, "glm");
        }
        let other = self.dialects.has(Dialect::Glm) || self.dialects.has(Dialect::Qwen);
        if !self.dialects.has(Dialect::Hermes) && content.starts_with(['{', '[']) && !other {
            return is(Reason::FormatNotEnabled, "hermes");
        }
        if let Some((name, false)) = self.named(content.trim_start_matches(['[', ' ', '\n'])) {
            return is(Reason::UnknownTool, &name);
        }
        let unread = json::read(content).map(|call| call.name);
        match unread.filter(|name| !self.offered(name)) {
            Some(name) => is(Reason::UnknownTool, &name),
            None => Some((Reason::Malformed, self.offered(name).then(|| name.to_owned()))),
        }
    }

    /// The tag of a tool, or of one that was not offered.
    fn tool_tag(&self, at: usize, tag: &str, inside: &str) -> Finding {
        let (name, rest) = split_name(tag);
        let rest = rest.trim();
        if self.offered(name) {
            let before = self.text.get(..at).unwrap_or_default();
            let indent = before.trim_end_matches([' ', '\t', '>']);
            let at_line_start = indent.is_empty() || indent.ends_with('\n');
            let line_ends = inside.trim_start_matches([' ', '\t']);
            let alone = line_ends.is_empty() || line_ends.starts_with('\n');
            let empty = rest == "/" && at_line_start && alone;
            let may = attached(inside) || at_line_start || !rest.is_empty();
            let closes = may && inside.contains(&format!("</{name}>"));
            let value = attached(inside) || (at_line_start && closes);
            let call = empty
                || (!rest.is_empty() && rest.contains('=') && (at_line_start || closes))
                || (rest.is_empty() && value && (closes || at_line_start));
            return call.then(|| is(Reason::ValueWithoutParameter, name))?;
        }
        let near = self.grammar.near(tag.trim_end_matches('/'));
        if let Some(tool) = near
            && !tag.starts_with('/')
            && tool.name != tag
        {
            return is(Reason::UnknownTool, &tool.name);
        }
        // `<tool><param>`: a parameter that is declared somewhere, or the name of a tool by its form.
        let inner = inside.trim_start().strip_prefix('<')?;
        let (param, behind) = split_name(inner);
        let child = behind.starts_with('>') && !param.is_empty();
        let looks = child && rest.is_empty() && !name.is_empty();
        (looks && (self.grammar.has_param(param) || name.contains('_')))
            .then(|| is(Reason::UnknownTool, name))?
    }
}

/// The name that the text begins with, and the rest.
fn split_name(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.')))
        .unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn is_block(tag: &str) -> bool {
    let block = |block: &JsonBlock| matches!(block, JsonBlock::Tag(name) if *name == tag);
    JSON_BLOCKS.iter().any(block) || WRAPPERS.iter().any(|(name, _)| *name == tag)
}

/// The format whose mark this tag is. Bars of any kind, doubled or not, are the same.
fn foreign(tag: &str) -> Option<&'static str> {
    const BARS: [char; 3] = ['|', '\u{FF5C}', '\u{2016}'];
    let bare = tag.trim_start_matches('/').strip_prefix(BARS)?.trim_matches(BARS);
    if bare.starts_with("DSML") || bare.contains('\u{2581}') {
        return Some("deepseek");
    }
    FOREIGN.iter().find(|(mark, _)| *mark == bare).map(|(_, format)| *format)
}

/// What stands behind a tag belongs to it: a value, not the rest of a sentence.
fn attached(inside: &str) -> bool {
    let mut rest = inside.chars();
    match rest.next() {
        Some('.' | '"' | '\'') => rest.next().is_some_and(|c| c.is_alphanumeric() || c == '/'),
        Some(c) => c.is_alphanumeric() || matches!(c, '/' | '{' | '[' | '<' | '\n' | '~' | '*'),
        None => false,
    }
}

/// `(…)` as code writes arguments, not as a sentence does.
fn is_arguments(rest: &str) -> bool {
    let inside = rest.trim_end_matches(';').trim_matches(['(', ')']).trim();
    inside.is_empty() || inside.contains(['=', '"', '\'', '{', '/', ':']) || !inside.contains(' ')
}

/// What follows the name of a tool is an argument: a path, something in quotes, an option, `key=value`; for
/// a name that is no ordinary word also any one word.
fn is_argument(name: &str, argument: &str) -> bool {
    let Some(first) = argument.split_whitespace().next() else { return false };
    let one = first.len() == argument.len();
    let sentence = argument.ends_with(['.', ',', '!', '?', ':', ';']) && argument.len() > 1;
    let path = first.contains('/')
        || first.trim_end_matches(['.', ',', ':', ';']).trim_start_matches('.').contains('.')
        || (one && matches!(first, "." | ".."));
    let plain = first.starts_with("--")
        || first.contains('=')
        || (argument.starts_with(['"', '\''])
            && argument.ends_with(['"', '\''])
            && argument.len() > 1);
    let special = name.contains(['_', '-']) || name.chars().any(char::is_uppercase);
    plain || (path && !sentence) || (one && special && !sentence && !first.starts_with(['(', '`']))
}
