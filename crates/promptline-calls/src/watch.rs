//! Watches the text that is told for what looks like a call and is none: names that are almost those of
//! tools, and formats that are not read. It only tells; nothing it sees is ever executed.

use std::collections::BTreeSet;

use promptline_diagnostic::Diagnostic;

use crate::grammar::CallGrammar;
use crate::options::{Dialect, Dialects};

/// So much of a token is looked at.
const MAX_TOKEN: usize = 64;

/// Marks of formats that are known and not read, with the formats' names.
const FOREIGN: [(&str, &str); 13] = [
    ("<\u{FF5C}tool\u{2581}calls\u{2581}begin\u{FF5C}>", "deepseek"),
    ("<\u{FF5C}tool\u{2581}call\u{2581}begin\u{FF5C}>", "deepseek"),
    ("<\u{FF5C}DSML\u{FF5C}function_calls>", "deepseek"),
    ("<|tool_calls_section_begin|>", "kimi"),
    ("<|tool_call_section_begin|>", "kimi"),
    ("<|tool_call_begin|>", "kimi"),
    ("[TOOL_CALLS]", "mistral"),
    ("<|python_tag|>", "llama3-json"),
    ("<|python_start|>", "pythonic"),
    ("<|channel|>", "harmony"),
    ("<|message|>", "harmony"),
    ("<|call|>", "harmony"),
    ("<|start|>", "harmony"),
];

/// Openings of the dialects that may be switched off.
const DIALECTS: [(&str, Dialect); 4] = [
    ("<function=", Dialect::Qwen),
    ("<invoke name=", Dialect::Invoke),
    ("<arg_key>", Dialect::Glm),
    ("<tool_call>", Dialect::Hermes),
];

/// Follows the text that is told.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    token: String,
    /// Every finding is told once; after so many, others are not told.
    told: BTreeSet<String>,
    /// Something other than blanks was told: bare JSON and lists are calls only at the start.
    begun: bool,
}

/// So many findings are told.
const MAX_FINDINGS: usize = 32;

impl Watch {
    /// A token is being read.
    pub(crate) fn reading(&self) -> bool {
        !self.token.is_empty()
    }

    /// A character that may begin a token.
    pub(crate) fn begin(&mut self, byte: u8) {
        let start = !std::mem::replace(&mut self.begun, true);
        self.token.clear();
        match byte {
            b'<' => self.token.push('<'),
            b'[' => self.token.push('['),
            b'{' if start => self.token.push('{'),
            _ => {}
        }
        if start && byte == b'[' {
            // A list of calls begins the answer; told apart from `[TOOL_CALLS]` by its `(`.
            self.token.insert(0, '^');
        }
    }

    /// Text that is no beginning of a token.
    pub(crate) fn pass(&mut self, text: &str) {
        self.begun = self.begun || !text.trim_start().is_empty();
    }

    /// Reads on; answers how many bytes belonged to the token.
    pub(crate) fn read(
        &mut self,
        text: &str,
        grammar: &CallGrammar,
        dialects: Dialects,
        tell: &mut dyn FnMut(Diagnostic),
    ) -> usize {
        for (at, character) in text.char_indices() {
            let json = self.token.starts_with('{');
            let ends = match character {
                '<' | '[' | '\n' if !json => true,
                _ => self.token.len() + character.len_utf8() > MAX_TOKEN,
            };
            if ends {
                self.token.clear();
                return at;
            }
            self.token.push(character);
            let whole = match character {
                '>' | ']' | '(' => !json,
                ',' | '}' => json,
                _ => false,
            };
            if whole {
                let token = std::mem::take(&mut self.token);
                self.judge(&token, grammar, dialects, tell);
                return at + character.len_utf8();
            }
        }
        text.len()
    }

    fn judge(
        &mut self,
        token: &str,
        grammar: &CallGrammar,
        dialects: Dialects,
        tell: &mut dyn FnMut(Diagnostic),
    ) {
        if self.told.len() >= MAX_FINDINGS {
            return;
        }
        let bare = token.trim_start_matches('^');
        // Tags of letters are none of the marks.
        let tag = bare.as_bytes().get(1).is_some_and(|byte| byte.is_ascii_lowercase());
        let mut marks = FOREIGN.iter().filter(|_| !tag);
        let foreign = marks.find(|(mark, _)| *mark == bare).map(|(_, format)| *format);
        let foreign = foreign.or_else(|| at_the_start(token, grammar));
        if let Some(format) = foreign {
            if self.told.insert(format.to_owned()) {
                tell(
                    Diagnostic::warning(
                        "foreign-format",
                        format!("the answer holds tool calls in the format `{format}`, which is not read"),
                    )
                    .about(format)
                    .with_help("its calls are text here; let the server that runs the model parse them"),
                );
            }
            return;
        }
        for (opening, dialect) in DIALECTS {
            let Some(rest) = bare.strip_prefix(opening) else { continue };
            let name = rest.trim_matches(['"', '\'', '>', ' ', '/']);
            if !dialects.has(dialect) {
                let hermes = dialect == Dialect::Hermes;
                let other = hermes && (dialects.has(Dialect::Glm) || dialects.has(Dialect::Qwen));
                if !other && self.told.insert(opening.to_owned()) {
                    tell(
                        Diagnostic::warning(
                            "dialect-off",
                            format!("`{opening}…` looks like a call in a dialect that is not switched on"),
                        )
                        .about(dialect.as_str())
                        .with_help(format!("switch `{dialect}` (or all of them) on if the model writes it")),
                    );
                }
            } else if !name.is_empty()
                && grammar.position(name).is_none()
                && self.told.insert(token.to_owned())
            {
                tell(
                    Diagnostic::warning(
                        "unknown-tool",
                        format!(
                            "`{}` calls a tool that was not offered; it is text",
                            bare.escape_debug()
                        ),
                    )
                    .about(name),
                );
            }
            return;
        }
        let Some(name) = bare.strip_prefix('<').and_then(|name| name.strip_suffix('>')) else {
            return;
        };
        let near = grammar.near(name.trim_end_matches('/'));
        if let Some(tool) = near.map(|tool| tool.name.as_str())
            && tool != name
            && self.told.insert(token.to_owned())
        {
            tell(
                Diagnostic::warning(
                    "near-miss",
                    format!("`{}` is almost the tool `{tool}`; it is text", bare.escape_debug()),
                )
                .about(tool)
                .with_help("names of tools are taken to the letter"),
            );
        }
    }
}

/// Formats without marks are seen only where they are the first thing in the answer.
fn at_the_start(token: &str, grammar: &CallGrammar) -> Option<&'static str> {
    if let Some(call) = token.strip_prefix("^[") {
        let name = call.strip_suffix('(')?;
        return grammar.position(name.trim()).map(|_| "pythonic");
    }
    let rest = token.strip_prefix('{')?.trim_start().strip_prefix("\"name\"")?;
    let rest = rest.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    let (name, _) = rest.split_once('"')?;
    grammar.position(name).map(|_| "llama3-json")
}
