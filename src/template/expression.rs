//! Reads what is inside a tag: names, literals, helper calls. It knows every helper and every
//! block parameter, so that nothing unknown is left for render time.

use serde_json::{Number, Value};

use super::Helpers;
use super::build::Builder;
use super::limits::MAX_DEPTH;
use super::names::{self, RESERVED, shown};
use super::scope::NamePlace;
use super::token::{Lexeme, Sign};
use super::tree::{Base, BlockKind, Call, Expr, HostCall, LoopVar, Name, Use};
use promptline_diagnostic::Error;
use promptline_diagnostic::words::nearest;

/// Helpers: the name and how many arguments it takes, at least and at most.
const HELPERS: [(&str, usize, usize); 12] = [
    ("eq", 2, 2),
    ("ne", 2, 2),
    ("gt", 2, 2),
    ("gte", 2, 2),
    ("lt", 2, 2),
    ("lte", 2, 2),
    ("and", 2, usize::MAX),
    ("or", 2, usize::MAX),
    ("not", 1, 1),
    ("len", 1, 1),
    ("lookup", 2, 2),
    ("json", 1, 1),
];
const CALLS: &str = "a helper is written {{helper ARGUMENT}}, inside of a tag (helper ARGUMENT)";
const MAX_INDENT: u8 = 16;

/// The template language has a helper, block or other word of that name.
pub(super) fn is_taken(name: &str) -> bool {
    HELPERS.iter().any(|helper| helper.0 == name) || RESERVED.contains(&name) || name == "raw"
}

/// What to do about a helper or block that is not there.
pub(crate) fn hint(name: &str, block: bool, helpers: &Helpers) -> String {
    let own = if block { &BlockKind::WORDS[..] } else { &[] };
    let built_in = HELPERS.iter().map(|helper| helper.0).filter(|_| !block);
    let known = || own.iter().copied().chain(built_in.clone()).chain(helpers.names());
    let register = "a host registers its own with `PromptRegistryBuilder::helper`";
    match nearest(name, known()) {
        Some(near) if block => format!("did you mean {{{{#{near} …}}}}?"),
        Some(near) => format!("did you mean `{near}`?"),
        None if block && name.is_empty() => "write {{#if NAME}} … {{/if}}".to_owned(),
        None if block => format!(
            "the blocks are {}; write {{{{#if {1}}}}} or {{{{#each {1}}}}}; {register}",
            known().collect::<Vec<_>>().join(", "),
            shown(name)
        ),
        None => {
            let known = known().collect::<Vec<_>>().join(", ");
            format!(
                "the helpers are {known}; {register}; the name of a placeholder has no blanks in it"
            )
        }
    }
}

/// The lexemes of one tag that are still to be read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) left: &'a [Lexeme],
    /// Where the tag starts.
    pub(super) tag: usize,
}

impl<'a> Line<'a> {
    pub(super) fn peek(&self) -> Option<Sign> {
        self.left.first().map(|lexeme| lexeme.sign)
    }

    pub(super) fn next(&mut self) -> Option<&'a Lexeme> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }

    pub(super) fn next_if(&mut self, sign: Sign) -> Option<&'a Lexeme> {
        if self.peek() == Some(sign) { self.next() } else { None }
    }

    /// `name=…` is next.
    pub(super) fn is_named(&self) -> bool {
        self.left.get(1).map(|next| next.sign) == Some(Sign::Equals)
    }

    /// The name of a `name=`; the value is next.
    pub(super) fn next_named(&mut self) -> Option<&'a Lexeme> {
        let name = if self.is_named() { self.next_if(Sign::Word)? } else { return None };
        self.next();
        Some(name)
    }

    /// A value without a name is next.
    fn has_argument(&self) -> bool {
        !matches!(self.peek(), None | Some(Sign::Close | Sign::Equals)) && !self.is_named()
    }

    /// Where the next lexeme begins; at the end of the line, where the tag does.
    pub(super) fn at(&self) -> usize {
        self.left.first().map_or(self.tag, |lexeme| lexeme.span.start)
    }
}

impl Builder<'_> {
    /// `NAME` or `helper argument …`, the content of a printing tag.
    pub(super) fn printed(&mut self, line: &mut Line<'_>) -> Result<usize, Error> {
        if line.peek() == Some(Sign::Open) {
            let call = self.argument(line, NamePlace::Print, 1)?;
            self.end(line)?;
            return Ok(call);
        }
        let Some(first) = line.next_if(Sign::Word) else {
            let message =
                if line.left.is_empty() { "empty braces" } else { "a tag without a name" };
            return Err(self.file.error(line.tag, message, "a placeholder is written {{NAME}}; literal braces are written in {{{{raw}}}} … {{{{/raw}}}}",));
        };
        if line.left.is_empty() {
            return self.name(first, NamePlace::Print);
        }
        let call = self.call(first, line, 1)?;
        self.end(line)?;
        Ok(call)
    }

    /// Nothing may follow.
    pub(super) fn end(&self, line: &Line<'_>) -> Result<(), Error> {
        let Some(next) = line.left.first() else {
            return Ok(());
        };
        let named = line.is_named();
        let error = match next.sign {
            Sign::Word if named => self.file.error(
                next.span.start,
                "an argument with a name",
                "partials take them, `json` takes indent=2, and so may helpers of the host",
            ),
            Sign::Close => self.file.error(next.span.start, "a `)` without its `(`", "take it out"),
            _ => {
                let word = shown(self.file.slice(&next.span));
                self.file.error(
                    next.span.start,
                    format!("`{word}` is one argument too many"),
                    CALLS,
                )
            }
        };
        Err(error)
    }

    /// A literal, a name, or a call in parentheses.
    pub(super) fn argument(
        &mut self,
        line: &mut Line<'_>,
        place: NamePlace,
        depth: usize,
    ) -> Result<usize, Error> {
        let at = line.at();
        match line.next() {
            None => Err(self.file.error(at, "an argument is missing here", CALLS)),
            Some(word) if word.sign == Sign::Word => match literal(self.file.slice(&word.span)) {
                Some(value) => Ok(self.expr(Expr::Literal(value))),
                None => self.name(word, place),
            },
            Some(text) if text.sign == Sign::String => {
                let value = Value::from(self.file.slice(&text.span));
                Ok(self.expr(Expr::Literal(value)))
            }
            Some(open) if open.sign == Sign::Open => {
                self.check_depth(depth, open.span.start)?;
                let Some(helper) = line.next_if(Sign::Word) else {
                    return Err(self.file.error(at, "parentheses without a helper", CALLS));
                };
                let call = self.call(helper, line, depth + 1)?;
                if line.next_if(Sign::Close).is_none() {
                    self.end(line)?;
                    return Err(self.file.error(at, "a `(` without its `)`", CALLS));
                }
                Ok(call)
            }
            Some(other) => {
                let sign = shown(self.file.slice(&other.span));
                Err(self.file.error(at, format!("`{sign}` where an argument is expected"), CALLS))
            }
        }
    }

    fn call(&mut self, word: &Lexeme, line: &mut Line<'_>, depth: usize) -> Result<usize, Error> {
        let at = word.span.start;
        let Some(&(helper, least, most)) = self.helper(word)? else {
            return self.host_call(word, line, depth, false);
        };
        self.needs_logic(line.tag)?;
        let place = if helper == "json" { NamePlace::Json } else { NamePlace::Condition };
        let mut args = Vec::new();
        while line.has_argument() && args.len() < most {
            args.push(self.argument(line, place, depth)?);
        }
        if args.len() < least {
            let message = format!("`{helper}` needs {least} arguments and has {}", args.len());
            return Err(self.file.error(at, message, CALLS));
        }
        let indent = if helper == "json" { self.indent(line)? } else { None };
        Ok(self.expr(match (helper, args.as_slice()) {
            ("lookup", &[list, key]) => Expr::Lookup(list, key),
            ("json", &[value]) => Expr::Json(value, indent),
            _ => Expr::Call(Box::new(Call {
                helper: helper.into(),
                host: false,
                args,
                named: Vec::new(),
            })),
        }))
    }

    /// A helper of the host, with any arguments.
    pub(super) fn host_call(
        &mut self,
        word: &Lexeme,
        line: &mut Line<'_>,
        depth: usize,
        block: bool,
    ) -> Result<usize, Error> {
        self.needs_logic(line.tag)?;
        let helper: Box<str> = self.file.slice(&word.span).into();
        let at = if block { line.tag } else { word.span.start };
        self.helpers.push(HostCall { name: helper.clone(), at, block });
        let mut args = Vec::new();
        while line.has_argument() {
            args.push(self.argument(line, NamePlace::Condition, depth)?);
        }
        let mut named = Vec::new();
        while let Some(name) = line.next_named() {
            let value = self.argument(line, NamePlace::Condition, depth)?;
            named.push((self.file.slice(&name.span).into(), value));
        }
        Ok(self.expr(Expr::Call(Box::new(Call { helper, host: true, args, named }))))
    }

    /// `indent=2`
    fn indent(&self, line: &mut Line<'_>) -> Result<Option<u8>, Error> {
        let is_indent =
            line.left.first().is_some_and(|word| self.file.slice(&word.span) == "indent");
        if !is_indent || line.next_named().is_none() {
            return Ok(None);
        }
        let at = line.at();
        let blanks = line.next_if(Sign::Word).map(|word| self.file.slice(&word.span));
        let blanks = blanks.and_then(|blanks| blanks.parse().ok());
        blanks.filter(|blanks| *blanks <= MAX_INDENT).map(Some).ok_or_else(|| {
            let message = format!("`indent` is a number of blanks, 0 to {MAX_INDENT}");
            self.file.error(at, message, "write {{json VALUE indent=2}}")
        })
    }

    /// A helper of the template language; `None` for one that a host may have.
    fn helper(
        &self,
        word: &Lexeme,
    ) -> Result<Option<&'static (&'static str, usize, usize)>, Error> {
        let name = self.file.slice(&word.span);
        if let Some(helper) = HELPERS.iter().find(|helper| helper.0 == name) {
            return Ok(Some(helper));
        }
        let error = |message: &str, help: String| self.file.error(word.span.start, message, help);
        if RESERVED.contains(&name) {
            return Err(match name {
                "log" => error("`log` is not supported", "a template can only print".to_owned()),
                "this" | "else" => error(&format!("`{name}` is not a helper"), CALLS.to_owned()),
                _ => {
                    let help = format!("write {{{{#{name} …}}}} … {{{{/{name}}}}}");
                    error(&format!("`{name}` is a block"), help)
                }
            });
        }
        if !names::is_plain(name) {
            let help = hint(name, false, &Helpers::default());
            return Err(error(&format!("unknown helper `{}`", shown(name)), help));
        }
        Ok(None)
    }

    /// A name in one place: what it starts from is decided here, once.
    fn name(&mut self, word: &Lexeme, place: NamePlace) -> Result<usize, Error> {
        let at = word.span.start;
        let written = self.file.slice(&word.span);
        let mut up = 0;
        let mut text = written;
        while let Some(rest) = text.strip_prefix("../") {
            up += 1;
            text = rest;
        }
        let (base, path_at) = if text.starts_with('@') {
            let what = LoopVar::from_word(text).ok_or_else(|| self.unknown_variable(at, text))?;
            (Base::Loop { up, what }, text.len())
        } else if text == ".." {
            (Base::Item { up: up + 1 }, text.len())
        } else if text == "this" || text == "." {
            (Base::Item { up }, text.len())
        } else if let Some(path) = text.strip_prefix("this.").or_else(|| text.strip_prefix("./")) {
            self.check_name(at + written.len() - path.len(), path)?;
            (Base::Item { up }, text.len() - path.len())
        } else {
            if RESERVED.contains(&text) {
                return Err(self.file.error(
                    at,
                    format!("`{text}` belongs to the template language"),
                    "choose another name for the placeholder",
                ));
            }
            self.check_name(at + written.len() - text.len(), text)?;
            let parameter = if up == 0 { self.parameter(text) } else { None };
            parameter.unwrap_or((Base::Field { up }, 0))
        };
        self.check_items(at, written, base)?;
        let inside = self.partial || !self.loops.is_empty();
        let slot = self.slots.number(text);
        let name = Name { base, text: text.into(), slot, path_at, place, inside };
        let expr = self.expr(Expr::Name(name));
        if matches!(base, Base::Field { .. }) {
            self.uses.push(Use::Name(expr));
        }
        Ok(expr)
    }

    fn check_name(&self, at: usize, name: &str) -> Result<(), Error> {
        names::check(name).map_err(|bad| {
            let help = if name.starts_with(['[', '{']) {
                "lists and objects cannot be written in a template"
            } else {
                "a name is letters, digits, `_` and `-`, in parts joined by dots"
            };
            self.file.error(
                at + bad.at,
                format!("`{}` is not a name: {}", shown(name), bad.why),
                help,
            )
        })
    }

    fn unknown_variable(&self, at: usize, word: &str) -> Error {
        let help = match nearest(word, LoopVar::WORDS) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                "a loop has @index, @key, @first and @last; a name that is no field of the item \
                     is a placeholder anyway"
                    .to_owned()
            }
        };
        self.file.error(at, format!("unknown variable `{}`", shown(word)), help)
    }

    /// The name of a block parameter: the item that it is bound to, and where its path begins.
    fn parameter(&self, text: &str) -> Option<(Base, usize)> {
        let first = text.split('.').next().unwrap_or(text);
        self.loops.iter().rev().enumerate().find_map(|(up, item)| {
            let is = |parameter: &Option<Box<str>>| parameter.as_deref() == Some(first);
            if is(&item.value) {
                Some((Base::Item { up }, (first.len() + 1).min(text.len())))
            } else if is(&item.key) && text == first {
                Some((Base::Loop { up, what: LoopVar::KeyOrIndex }, text.len()))
            } else {
                None
            }
        })
    }

    /// The items that a name reads must be there: in a template by the loops around it, in a partial
    /// also by those around the partial.
    fn check_items(&mut self, at: usize, written: &str, base: Base) -> Result<(), Error> {
        let items = match base {
            Base::Field { up } => up,
            Base::Item { up } | Base::Loop { up, .. } => up + 1,
        };
        if items > self.loops.len() {
            if !self.partial {
                return Err(self.file.error(
                    at,
                    format!("`{}` outside of a loop", shown(written)),
                    "it means the item of an {{#each …}} or {{#with …}} around it",
                ));
            }
            self.needs = self.needs.max(items - self.loops.len());
        }
        if base != (Base::Field { up: 0 }) {
            self.needs_logic(at)?;
        }
        Ok(())
    }

    fn check_depth(&mut self, parentheses: usize, at: usize) -> Result<(), Error> {
        let depth = self.open.len() + parentheses;
        self.depth = self.depth.max(depth);
        if depth > MAX_DEPTH {
            return Err(self.too_deep(at));
        }
        Ok(())
    }

    pub(super) fn too_deep(&self, at: usize) -> Error {
        self.file.error(
            at,
            format!("more than {MAX_DEPTH} blocks, parentheses and partials in each other"),
            "move the inner part into a value that the host provides",
        )
    }

    fn expr(&mut self, expr: Expr) -> usize {
        self.exprs.push(expr);
        self.exprs.len() - 1
    }
}

/// Words that are values, in the place of an argument. What only looks like a number (`1st`) is a name.
fn literal(word: &str) -> Option<Value> {
    match word {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "null" | "undefined" => Some(Value::Null),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            word.parse::<Number>().ok().map(Value::Number)
        }
        _ => None,
    }
}
