//! Builds the tree of one source out of its tokens: blocks find their ends, names their meaning, and
//! whatever cannot be rendered is refused here, with its place. An explicit stack, no recursion.

use super::expression::Line;
use super::file::File;
use super::limits::{MAX_DEPTH, MAX_LOGIC_BYTES};
use super::names::shown;
use super::scope::NamePlace;
use super::slots::Slots;
use super::token::{Lexeme, Sign, Token, TokenKind, tokenise};
use super::tree::{Block, BlockKind, Expr, HostCall, Node, PartialCall, Unit, Use};
use super::{Helpers, expression, names, whitespace};
use promptline_diagnostic::Error;

/// Reads one source. `partial`: it may use the item of loops around it. `helpers`: those that the host
/// has; `None` where they are not known yet, and [`Unit::helpers`] is to be checked later.
pub(super) fn read(file: File, partial: bool, helpers: Option<&Helpers>) -> Result<Unit, Error> {
    let mut cut = tokenise(&file)?;
    whitespace::control(file.text(), &mut cut.tokens);
    let mut builder = Builder::new(&file, partial);
    let tokens = |token: &Token| {
        builder.token(token, cut.lexemes.get(token.lexemes.clone()).unwrap_or_default())
    };
    let built = cut.tokens.iter().try_for_each(tokens);
    // A helper that is not there comes first: it is often why the rest cannot be read.
    if let Some(helpers) = helpers
        && let Some(call) = builder.helpers.iter().find(|call| !helpers.has(&call.name))
    {
        return Err(call.unknown(&file, helpers));
    }
    built?;
    builder.finish()
}

impl HostCall {
    /// The helper is not one that the host has.
    pub(super) fn unknown(&self, file: &File, helpers: &Helpers) -> Error {
        let what = if self.block { "block" } else { "helper" };
        let message = format!("unknown {what} `{}`", shown(&self.name));
        file.error(self.at, message, expression::hint(&self.name, self.block, helpers))
            .with_code("unknown-helper")
            .about(&*self.name)
    }
}

pub(super) struct Builder<'a> {
    pub(super) file: &'a File,
    pub(super) partial: bool,
    pub(super) exprs: Vec<Expr>,
    pub(super) uses: Vec<Use>,
    pub(super) slots: Slots,
    pub(super) helpers: Vec<HostCall>,
    /// The blocks that are open.
    pub(super) open: Vec<Open<'a>>,
    /// The `each` and `with` whose bodies are open.
    pub(super) loops: Vec<Item>,
    pub(super) depth: usize,
    pub(super) needs: usize,
    logic: Option<usize>,
    root: Vec<usize>,
    nodes: Vec<Node>,
    calls: Vec<PartialCall>,
    text_len: usize,
}

/// A block that is open.
pub(super) struct Open<'a> {
    kind: BlockKind,
    word: &'a str,
    at: usize,
    expr: usize,
    body: Vec<usize>,
    otherwise: Option<Vec<usize>>,
    /// It is the `{{else …}}` of another and ends with it.
    chained: bool,
}

/// The names that a block gives to its item: `as |value key|`.
#[derive(Default)]
pub(super) struct Item {
    pub(super) value: Option<Box<str>>,
    pub(super) key: Option<Box<str>>,
}

impl<'a> Builder<'a> {
    fn new(file: &'a File, partial: bool) -> Self {
        Self {
            file,
            partial,
            exprs: Vec::new(),
            uses: Vec::new(),
            slots: Slots::default(),
            helpers: Vec::new(),
            open: Vec::new(),
            loops: Vec::new(),
            depth: 0,
            needs: 0,
            logic: None,
            root: Vec::new(),
            nodes: Vec::new(),
            calls: Vec::new(),
            text_len: 0,
        }
    }

    fn token(&mut self, token: &Token, lexemes: &[Lexeme]) -> Result<(), Error> {
        let mut line = Line { left: lexemes, tag: token.span.start };
        match token.kind {
            TokenKind::Comment => {}
            TokenKind::Text | TokenKind::Raw => {
                if !token.span.is_empty() {
                    self.text_len += token.span.len();
                    self.push(Node::Text(token.span.clone()));
                }
            }
            TokenKind::Print => {
                let expr = self.printed(&mut line)?;
                self.push(Node::Print(expr, token.span.clone()));
            }
            TokenKind::Open => self.open(&mut line, false)?,
            TokenKind::Else => self.otherwise(&mut line)?,
            TokenKind::Close => self.close(&mut line)?,
            TokenKind::Partial => self.partial(&mut line)?,
        }
        Ok(())
    }

    fn push(&mut self, node: Node) {
        let id = self.nodes.len();
        self.nodes.push(node);
        match self.open.last_mut() {
            Some(open) => open.otherwise.as_mut().unwrap_or(&mut open.body).push(id),
            None => self.root.push(id),
        }
    }

    /// The tag at `at` is one for the logic lane.
    pub(super) fn needs_logic(&mut self, at: usize) -> Result<(), Error> {
        self.logic.get_or_insert(at);
        self.needs_small(at)
    }

    /// The tag at `at` is more than a placeholder.
    fn needs_small(&self, at: usize) -> Result<(), Error> {
        if self.file.text().len() <= MAX_LOGIC_BYTES {
            return Ok(());
        }
        Err(self.file.error(
            at,
            format!("a template with blocks may have {} KB", MAX_LOGIC_BYTES / 1024),
            "only plain text with placeholders may be larger; move text into values",
        ))
    }

    fn open(&mut self, line: &mut Line<'_>, chained: bool) -> Result<(), Error> {
        self.needs_small(line.tag)?;
        let file = self.file;
        let name = line.next_if(Sign::Word);
        let word = name.map_or("", |lexeme| file.slice(&lexeme.span));
        let kind = BlockKind::from_word(word).unwrap_or(BlockKind::Host);
        if kind == BlockKind::Host && (expression::is_taken(word) || !names::is_plain(word)) {
            let help = expression::hint(word, true, &Helpers::default());
            return Err(file.error(line.tag, format!("unknown block `{}`", shown(word)), help));
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(self.too_deep(line.tag));
        }
        if line.left.is_empty() && kind != BlockKind::Host {
            let message = format!("`{word}` of what? it needs an argument");
            let help = format!("write {{{{#{word} NAME}}}} … {{{{/{word}}}}}");
            return Err(self.file.error(line.tag, message, help));
        }
        let expr = match (kind, name) {
            (BlockKind::Host, Some(name)) => self.host_call(name, line, 1, true)?,
            (BlockKind::Each | BlockKind::With, _) => {
                self.needs_logic(line.tag)?;
                let at = line.at();
                let expr = self.argument(line, NamePlace::Loop, 1)?;
                self.check_list(at, expr)?;
                expr
            }
            _ => self.argument(line, NamePlace::Condition, 1)?,
        };
        let item = if kind.has_item() { Some(self.parameters(kind, line)?) } else { None };
        self.end(line)?;
        self.loops.extend(item);
        self.open.push(Open {
            kind,
            word,
            at: line.tag,
            expr,
            body: Vec::new(),
            otherwise: None,
            chained,
        });
        self.depth = self.depth.max(self.open.len());
        Ok(())
    }

    /// A helper that decides or counts has no items.
    fn check_list(&self, at: usize, expr: usize) -> Result<(), Error> {
        match self.exprs.get(expr) {
            Some(Expr::Call(call)) if !call.host => Err(self.file.error(
                at,
                format!("`{}` makes no value that could be used here", call.helper),
                "a name, (lookup list key), or a helper of the host is expected here",
            )),
            _ => Ok(()),
        }
    }

    /// `as |value key|`
    fn parameters(&mut self, kind: BlockKind, line: &mut Line<'_>) -> Result<Item, Error> {
        let mut item = Item::default();
        let says_as = line.left.first().is_some_and(|lexeme| self.file.slice(&lexeme.span) == "as");
        if !says_as {
            return Ok(item);
        }
        line.next();
        let at = line.at();
        let wrong = || {
            let most = if kind == BlockKind::Each { " and one for its key" } else { "" };
            self.file.error(
                at,
                format!("`as |…|` takes a name for the item{most}"),
                "write {{#each LIST as |item|}}",
            )
        };
        line.next_if(Sign::Bar).ok_or_else(wrong)?;
        item.value = Some(self.parameter_name(line.next_if(Sign::Word).ok_or_else(wrong)?)?);
        if let Some(key) = line.next_if(Sign::Word) {
            if kind != BlockKind::Each {
                return Err(wrong());
            }
            item.key = Some(self.parameter_name(key)?);
        }
        line.next_if(Sign::Bar).ok_or_else(wrong)?;
        Ok(item)
    }

    pub(super) fn parameter_name(&self, word: &Lexeme) -> Result<Box<str>, Error> {
        let name = self.file.slice(&word.span);
        let good = names::check(name).is_ok() && !name.contains('.');
        if !good || names::RESERVED.contains(&name) {
            let message = format!("`{}` cannot name an item", shown(name));
            return Err(self.file.error(
                word.span.start,
                message,
                "choose letters, digits, `_` and `-`, and no word of the template language",
            ));
        }
        Ok(name.into())
    }

    fn otherwise(&mut self, line: &mut Line<'_>) -> Result<(), Error> {
        let Some(open) = self.open.last_mut() else {
            return Err(self.file.error(
                line.tag,
                "`else` outside of a block",
                "a placeholder cannot be called `else`",
            ));
        };
        if open.otherwise.is_some() {
            let message = format!("a second `else` in {{{{#{}}}}}", open.word);
            return Err(self.file.error(line.tag, message, "only the last may have no condition"));
        }
        open.otherwise = Some(Vec::new());
        if open.kind.has_item() {
            self.loops.pop();
        }
        if line.left.is_empty() { Ok(()) } else { self.open(line, true) }
    }

    fn close(&mut self, line: &mut Line<'_>) -> Result<(), Error> {
        let word = line.next_if(Sign::Word).map_or("", |lexeme| self.file.slice(&lexeme.span));
        self.end(line)?;
        loop {
            let Some(open) = self.open.pop() else {
                let message = format!("{{{{/{}}}}} closes nothing", shown(word));
                return Err(self.file.error(
                    line.tag,
                    message,
                    "take it out, or open the block before it",
                ));
            };
            if !open.chained && word != open.word {
                let (opened, from) = (open.word, self.file.line(open.at));
                let message =
                    format!("{{{{/{}}}}} where {{{{/{opened}}}}} is expected", shown(word));
                let help = format!("{{{{#{opened} …}}}} in line {from} is still open");
                return Err(self.file.error(line.tag, message, help));
            }
            if open.kind.has_item() && open.otherwise.is_none() {
                self.loops.pop();
            }
            self.push(Node::Block(Block {
                kind: open.kind,
                expr: open.expr,
                body: open.body,
                otherwise: open.otherwise.unwrap_or_default(),
            }));
            if !open.chained {
                return Ok(());
            }
        }
    }

    /// `{{> name context field=value}}`
    fn partial(&mut self, line: &mut Line<'_>) -> Result<(), Error> {
        self.needs_logic(line.tag)?;
        let Some(word) = line.next_if(Sign::Word) else {
            return Err(self.file.error(
                line.tag,
                "a partial without a name",
                "write {{> name}}; the name is a plain word",
            ));
        };
        let mut context = None;
        if !line.left.is_empty() && !line.is_named() {
            context = Some(self.argument(line, NamePlace::Loop, 1)?);
        }
        let mut fields = Vec::new();
        while let Some(name) = line.next_named() {
            fields
                .push((self.parameter_name(name)?, self.argument(line, NamePlace::Condition, 1)?));
        }
        self.end(line)?;
        self.uses.push(Use::Partial(self.calls.len()));
        self.push(Node::Partial(self.calls.len()));
        self.calls.push(PartialCall {
            name: self.file.slice(&word.span).to_owned(),
            at: line.tag,
            items: self.loops.len() + usize::from(context.is_some()),
            context,
            fields,
            depth: self.open.len(),
        });
        Ok(())
    }

    fn finish(self) -> Result<Unit, Error> {
        // The outermost one: it is the end of that one that is missing.
        if let Some(open) = self.open.first() {
            let word = open.word;
            return Err(self.file.error(
                open.at,
                format!("{{{{#{word} …}}}} is not closed"),
                format!("close it with {{{{/{word}}}}}"),
            ));
        }
        Ok(Unit {
            file: self.file.clone(),
            partial: self.partial,
            root: self.root,
            nodes: self.nodes,
            exprs: self.exprs,
            calls: self.calls,
            uses: self.uses,
            slots: self.slots,
            helpers: self.helpers,
            text_len: self.text_len,
            depth: self.depth,
            needs: self.needs,
            logic: self.logic,
        })
    }
}
