//! What a name means while a template with loops is rendered: fields of items, fields that partials
//! were given, placeholders. Every value keeps where it came from, however deep in a list it was
//! found.

use std::borrow::Cow;

use serde_json::Value;

use crate::template::names::child;
use crate::template::scope::{DataKind, Resolved, Scope};
use crate::template::tree::{Base, Expr, LoopVar, Name, PartialCall, Unit};
use crate::text::Source;
use promptline_diagnostic::Error;

use super::host::given;
use super::json::json;

/// Fields whose text is more than a label.
const BODIES: [&str; 5] = ["text", "description", "body", "content", "instructions"];

/// A value with its origin, and how its parts will print.
#[derive(Debug, Clone)]
pub(super) struct Val<'s> {
    pub(super) found: Resolved<'s>,
    /// It is part of the context: names and paths in it are labels.
    contextual: bool,
    /// How the items of a list print.
    items: DataKind,
}

impl<'s> Val<'s> {
    fn root(name: &str, found: Resolved<'s>) -> Self {
        let contextual = name == "context" || name.starts_with("context.");
        let last = name.rsplit('.').next().unwrap_or(name);
        let found = match found {
            Resolved::Word(word) => Resolved::Authored(Cow::Owned(Value::from(word))),
            found => found,
        };
        Self { found, contextual, items: kind(contextual, last) }
    }

    fn authored(value: Cow<'s, Value>) -> Self {
        Self { found: Resolved::Authored(value), contextual: false, items: DataKind::Block }
    }

    /// The same origin with another value.
    fn with(&self, value: Cow<'s, Value>, kind: DataKind) -> Self {
        let found = match &self.found {
            Resolved::Data { source, .. } => Resolved::Data { value, kind, source: source.clone() },
            Resolved::Authored(_) | Resolved::Word(_) => Resolved::Authored(value),
            // Such a text has pieces from many sources; no one of them made the new value.
            Resolved::Text(_) | Resolved::Section(_) => {
                Resolved::Data { value, kind, source: Source::known("template") }
            }
        };
        Self { found, contextual: self.contextual, items: kind }
    }

    /// The value itself, where it is one.
    pub(super) fn value(&self) -> Option<&Cow<'s, Value>> {
        match &self.found {
            Resolved::Authored(value) | Resolved::Data { value, .. } => Some(value),
            Resolved::Word(_) | Resolved::Text(_) | Resolved::Section(_) => None,
        }
    }

    /// The value as helpers see it: a text is its string.
    pub(super) fn to_json(&self) -> Value {
        match &self.found {
            Resolved::Authored(value) | Resolved::Data { value, .. } => value.as_ref().clone(),
            Resolved::Word(word) => Value::from(*word),
            Resolved::Text(text) => Value::String(text.to_string()),
            Resolved::Section(section) => Value::String(section.text().to_string()),
        }
    }

    /// What is below it, by a path of keys and indices; it itself for the empty path. Null is
    /// nothing.
    pub(super) fn below(&self, path: &str) -> Option<Self> {
        if path.is_empty() {
            let null = self.value().is_some_and(|value| value.is_null());
            return (!null).then(|| self.clone());
        }
        self.follow(path.split('.'))
    }

    /// One part of it, whatever characters its key holds.
    pub(super) fn part(&self, key: &str) -> Option<Self> {
        self.follow(std::iter::once(key))
    }

    fn follow<'p>(&self, path: impl Iterator<Item = &'p str>) -> Option<Self> {
        let (part, kind) = match self.value()? {
            Cow::Borrowed(value) => {
                let (part, kind) = self.walk(value, path)?;
                (Cow::Borrowed(part), kind)
            }
            Cow::Owned(value) => {
                let (part, kind) = self.walk(value, path)?;
                (Cow::Owned(part.clone()), kind)
            }
        };
        (!part.is_null()).then(|| self.with(part, kind))
    }

    /// Walks down a path. An index keeps the kind that the list's own name gave; a key decides anew.
    fn walk<'v, 'p>(
        &self,
        value: &'v Value,
        mut path: impl Iterator<Item = &'p str>,
    ) -> Option<(&'v Value, DataKind)> {
        path.try_fold((value, self.items), |(value, kind), part| {
            let kind = if value.is_object() { self::kind(self.contextual, part) } else { kind };
            Some((child(value, part)?, kind))
        })
    }

    /// The keys of an object, the length of a list; `None` for what has no items.
    pub(super) fn rounds(&self) -> Option<(usize, Option<Vec<String>>)> {
        match self.value()?.as_ref() {
            Value::Array(items) => Some((items.len(), None)),
            Value::Object(fields) => Some((fields.len(), Some(fields.keys().cloned().collect()))),
            _ => None,
        }
    }
}

fn kind(contextual: bool, part: &str) -> DataKind {
    if contextual && !BODIES.contains(&part) { DataKind::Label } else { DataKind::Block }
}

/// What an `each`, a `with` or a partial with an item put before the names inside it.
#[derive(Debug)]
pub(super) struct Frame<'s> {
    /// `None` when it is null or nothing provides it.
    pub(super) item: Option<Val<'s>>,
    pub(super) round: Option<Round<'s>>,
}

/// One round of an `each`.
#[derive(Debug)]
pub(super) struct Round<'s> {
    index: usize,
    last: bool,
    /// The key in an object; it comes from where the object comes from.
    key: Option<Val<'s>>,
}

/// A field that a partial was given.
#[derive(Debug)]
struct Field<'s> {
    name: &'s str,
    value: Option<Val<'s>>,
    /// How many frames there were.
    depth: usize,
}

/// All values that names can mean at one moment.
pub(super) struct Values<'s> {
    scope: &'s dyn Scope,
    frames: Vec<Frame<'s>>,
    fields: Vec<Field<'s>>,
    /// What the helpers that are called in the expression at hand answered, by the number of the call.
    pub(super) answers: Vec<(usize, Value)>,
}

impl<'s> Values<'s> {
    pub(super) fn new(scope: &'s dyn Scope) -> Self {
        Self { scope, frames: Vec::new(), fields: Vec::new(), answers: Vec::new() }
    }

    pub(super) fn push(&mut self, frame: Frame<'s>) {
        self.frames.push(frame);
    }

    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// The frame of one round over `list`.
    pub(super) fn push_round(
        &mut self,
        list: &Val<'s>,
        index: usize,
        len: usize,
        key: Option<&str>,
    ) {
        let part = key.map_or_else(|| Cow::Owned(index.to_string()), Cow::Borrowed);
        let item = list.part(&part);
        let key = key.map(|key| list.with(Cow::Owned(Value::from(key)), DataKind::Label));
        self.push(Frame { item, round: Some(Round { index, last: index + 1 == len, key }) });
    }

    /// Puts in place what a partial is given. All of it means what it means outside, so it is looked
    /// up before.
    pub(super) fn enter(&mut self, unit: &'s Unit, call: &'s PartialCall) -> Result<(), Error> {
        let mut fields = Vec::with_capacity(call.fields.len());
        for (name, expr) in &call.fields {
            fields.push((&**name, self.value(unit, *expr)?));
        }
        if let Some(context) = call.context {
            let item = self.value(unit, context)?;
            self.push(Frame { item, round: None });
        }
        let depth = self.frames.len();
        self.fields.extend(fields.into_iter().map(|(name, value)| Field { name, value, depth }));
        Ok(())
    }

    pub(super) fn leave(&mut self, call: &PartialCall) {
        self.fields.truncate(self.fields.len().saturating_sub(call.fields.len()));
        if call.context.is_some() {
            self.pop();
        }
    }

    /// The value of an expression. A name that nothing provides is reported.
    pub(super) fn value(&self, unit: &'s Unit, expr: usize) -> Result<Option<Val<'s>>, Error> {
        let Some(expression) = unit.exprs.get(expr) else { return Ok(None) };
        Ok(match expression {
            Expr::Name(name) => {
                let value = self.name(name);
                if value.is_none() && is_reported(name) {
                    self.scope.unresolved(&name.text, name.place);
                }
                value
            }
            Expr::Literal(value) => Some(Val::authored(Cow::Borrowed(value))),
            Expr::Lookup(list, key) => {
                let list = self.value(unit, *list)?;
                let key = match self.value(unit, *key)?.map(|key| key.to_json()) {
                    Some(Value::String(key)) => key,
                    Some(Value::Number(index)) => index.to_string(),
                    _ => return Ok(None),
                };
                list.and_then(|list| list.part(&key))
            }
            Expr::Json(inner, indent) => Some(match self.value(unit, *inner)? {
                Some(val) => {
                    let json = json(&val.to_json(), *indent)?;
                    val.with(Cow::Owned(Value::String(json)), DataKind::Block)
                }
                None => Val::authored(Cow::Owned(Value::from("null"))),
            }),
            Expr::Call(call) => {
                let answer = self.answers.iter().find(|(of, _)| *of == expr);
                answer.filter(|(_, answer)| !answer.is_null()).map(|(_, answer)| match call.host {
                    true => Val::root(&call.helper, given(&call.helper, answer.clone())),
                    false => Val::authored(Cow::Owned(answer.clone())),
                })
            }
        })
    }

    /// The value of a name; nothing is reported.
    pub(super) fn name(&self, name: &Name) -> Option<Val<'s>> {
        let frames = |up| self.frames.iter().rev().skip(up);
        match name.base {
            Base::Field { up } => self.field(&name.text, up),
            Base::Item { up } => frames(up).next()?.item.as_ref()?.below(name.path()),
            Base::Loop { up, what } => {
                let round = frames(up).find_map(|frame| frame.round.as_ref())?;
                let value = match (what, &round.key) {
                    (LoopVar::Key | LoopVar::KeyOrIndex, Some(key)) => return Some(key.clone()),
                    (LoopVar::Key, None) => return None,
                    (LoopVar::Index | LoopVar::KeyOrIndex, _) => Value::from(round.index),
                    (LoopVar::First, _) => Value::from(round.index == 0),
                    (LoopVar::Last, _) => Value::from(round.last),
                };
                Some(Val::authored(Cow::Owned(value)))
            }
        }
    }

    /// A bare name: what a partial was given together with the item, the item, what partials further
    /// out were given, a placeholder.
    fn field(&self, name: &str, up: usize) -> Option<Val<'s>> {
        let depth = self.frames.len().saturating_sub(up);
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let given = |field: &&Field<'_>| field.name == first;
        let nearest = self.fields.iter().rev().find(given);
        if let Some(field) = nearest.filter(|field| field.depth == depth) {
            return field.value.as_ref()?.below(rest);
        }
        let item = depth.checked_sub(1).and_then(|at| self.frames.get(at)?.item.as_ref());
        if let Some(value) = item.and_then(|item| item.part(name).or_else(|| item.below(name))) {
            return Some(value);
        }
        match nearest {
            Some(field) => field.value.as_ref()?.below(rest),
            None => Some(Val::root(name, self.scope.lookup(name)?)),
        }
    }
}

/// An item that is null, and a key where there is none, are not mistakes.
pub(super) fn is_reported(name: &Name) -> bool {
    match name.base {
        Base::Field { .. } => true,
        Base::Item { .. } => !name.path().is_empty(),
        Base::Loop { .. } => false,
    }
}
