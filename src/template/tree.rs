//! What a template is once it is read: a tree of nodes in one flat list, and the expressions in its
//! tags. Both lanes render the same tree; it holds places in the source, never copies of it.

use std::ops::Range;

use serde_json::Value;

use super::Helpers;
use super::file::File;
use super::scope::NamePlace;
use super::slots::Slots;
use promptline_diagnostic::Error;

/// One source, read: the template itself, or one partial.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) file: File,
    /// A partial: it may use the item of a loop around it.
    pub(super) partial: bool,
    /// The nodes of the top level, as indices into `nodes`.
    pub(super) root: Vec<usize>,
    pub(super) nodes: Vec<Node>,
    pub(super) exprs: Vec<Expr>,
    pub(super) calls: Vec<PartialCall>,
    /// Names and partials in the order in which they stand.
    pub(super) uses: Vec<Use>,
    /// Calls of helpers that the template language does not have: those of a host.
    pub(super) helpers: Vec<HostCall>,
    /// The names, numbered.
    pub(super) slots: Slots,
    /// The bytes of all texts.
    pub(super) text_len: usize,
    /// Blocks and parentheses in each other, at most.
    pub(super) depth: usize,
    /// How many items of loops around it a partial reads (`this` needs one, `../this` two).
    pub(super) needs: usize,
    /// The first tag that the segment lane cannot render.
    pub(super) logic: Option<usize>,
}

#[derive(Debug)]
pub(super) enum Node {
    Text(Range<usize>),
    /// An expression, and the whole tag as written.
    Print(usize, Range<usize>),
    Block(Block),
    /// An index into [`Unit::calls`].
    Partial(usize),
}

#[derive(Debug)]
pub(super) struct Block {
    pub(super) kind: BlockKind,
    pub(super) expr: usize,
    pub(super) body: Vec<usize>,
    pub(super) otherwise: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BlockKind {
    If,
    Unless,
    Each,
    With,
    /// A helper of the host.
    Host,
}

impl BlockKind {
    pub(super) const WORDS: [&'static str; 4] = ["if", "unless", "each", "with"];

    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "if" => Some(Self::If),
            "unless" => Some(Self::Unless),
            "each" => Some(Self::Each),
            "with" => Some(Self::With),
            _ => None,
        }
    }

    /// It puts an item before its body: the names in it are fields of that item first.
    pub(super) fn has_item(self) -> bool {
        matches!(self, Self::Each | Self::With)
    }
}

/// An expression. All but [`Expr::Call`] are evaluated by this crate, and keep track of where their
/// value came from.
#[derive(Debug)]
pub(super) enum Expr {
    Name(Name),
    Literal(Value),
    /// `(lookup list key)`
    Lookup(usize, usize),
    /// `(json value indent=2)`
    Json(usize, Option<u8>),
    Call(Box<Call>),
}

/// A call of a helper of the `handlebars` crate, which decides or counts, or of the host.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) helper: Box<str>,
    pub(super) host: bool,
    pub(super) args: Vec<usize>,
    /// `name=value`, of a helper of the host.
    pub(super) named: Vec<(Box<str>, usize)>,
}

/// Where a helper of the host is called.
#[derive(Debug)]
pub(super) struct HostCall {
    pub(super) name: Box<str>,
    pub(super) at: usize,
    pub(super) block: bool,
}

/// A name, in one place of a template.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) base: Base,
    /// As it is looked up and reported.
    pub(super) text: Box<str>,
    /// Its number in [`Unit::slots`].
    pub(super) slot: usize,
    /// Where in `text` the path below the base begins.
    pub(super) path_at: usize,
    pub(super) place: NamePlace,
    /// It is inside of an `each` or `with`: it may be a field of an item.
    pub(super) inside: bool,
}

impl Name {
    pub(super) fn path(&self) -> &str {
        self.text.get(self.path_at..).unwrap_or_default()
    }
}

/// What a name starts from. `up` counts items outwards: 0 is the nearest `each` or `with`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// `NAME`, `../NAME`: a field of that item, else a placeholder.
    Field { up: usize },
    /// `this`, `this.NAME`, `../this`, a block parameter: that item and nothing else.
    Item { up: usize },
    /// `@index` and its kind.
    Loop { up: usize, what: LoopVar },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LoopVar {
    Index,
    Key,
    First,
    Last,
    /// The second block parameter: the key in an object, the index in a list.
    KeyOrIndex,
}

impl LoopVar {
    pub(super) const WORDS: [&'static str; 4] = ["@index", "@key", "@first", "@last"];

    pub(super) fn from_word(word: &str) -> Option<Self> {
        match word {
            "@index" => Some(Self::Index),
            "@key" => Some(Self::Key),
            "@first" => Some(Self::First),
            "@last" => Some(Self::Last),
            _ => None,
        }
    }
}

/// `{{> name context field=value}}`
#[derive(Debug)]
pub(super) struct PartialCall {
    pub(super) name: String,
    pub(super) at: usize,
    pub(super) context: Option<usize>,
    pub(super) fields: Vec<(Box<str>, usize)>,
    /// Blocks around it.
    pub(super) depth: usize,
    /// Items that it can read: those of the loops around it, and its context.
    pub(super) items: usize,
}

#[derive(Debug)]
pub(super) enum Use {
    /// An expression that is a name which a scope may be asked for.
    Name(usize),
    /// An index into [`Unit::calls`].
    Partial(usize),
}

impl Unit {
    /// For each helper of a host that it calls an error that it is not there, for the registry.
    pub(super) fn host_calls(&self) -> impl Iterator<Item = Error> {
        self.helpers.iter().map(|call| call.unknown(&self.file, &Helpers::default()))
    }

    /// The name that an expression is.
    pub(super) fn name(&self, expr: usize) -> Option<&Name> {
        match self.exprs.get(expr) {
            Some(Expr::Name(name)) => Some(name),
            _ => None,
        }
    }
}
