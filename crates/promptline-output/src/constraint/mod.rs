//! The form of an answer in words, for the prompt: short, strict, a line a field, one example. It says what
//! to do when something is unknown, since a model without that instruction guesses; never that null may be written
//! where the schema forbids it.

mod example;
mod words;

use crate::shape::{LIST, NULL, OBJ, Prop, Rest, Shape, ShapeId, Shapes};
use crate::spec::{OutputSpec, Spec};

/// The language of a constraint text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// Objects in objects are listed so deep; deeper ones are only named.
const DEPTH: usize = 6;

impl<T> OutputSpec<T> {
    /// Says in a prompt what the answer is to look like. A field is named with its type, its values and
    /// rules, what else they are called, and its `description`.
    #[must_use]
    pub fn constraint(&self, language: Language) -> String {
        self.spec.constraint(language)
    }
}

impl Spec {
    pub(crate) fn constraint(&self, language: Language) -> String {
        let mut writer = Writer {
            shapes: &self.shapes,
            language,
            text: String::new(),
            within: Vec::new(),
            unknown: Unknown::default(),
        };
        writer.whole();
        let example = example::of(&self.shapes, language);
        writer.line(0, language.example());
        writer.text.push_str(&example.to_string());
        // What a model reads last it follows most: measured, it keeps fences and prose away.
        if let Some(ends) = language.begins_and_ends(&self.shapes) {
            writer.text.push('\n');
            writer.text.push_str(ends);
        }
        writer.text
    }
}

struct Writer<'s> {
    shapes: &'s Shapes,
    language: Language,
    text: String,
    /// Objects that are being listed, to see one that holds itself.
    within: Vec<ShapeId>,
    unknown: Unknown,
}

/// What fields leave for the case that something is not known.
#[derive(Default)]
struct Unknown {
    /// Null is allowed somewhere.
    null: bool,
    /// A field may be left out somewhere.
    gap: bool,
    /// Somewhere there is neither.
    neither: bool,
}

impl Writer<'_> {
    fn whole(&mut self) {
        let language = self.language;
        let (root, shape) = resolved(self.shapes, 0);
        let forms = self.forms(shape);
        let object = is_object(shape)
            || !forms.is_empty()
                && forms.len() == shape.any_of.len()
                && forms.iter().all(|&form| is_object(resolved(self.shapes, form).1));
        self.line(0, language.only(object));
        if !shape.props.is_empty() {
            self.line(0, language.fields());
            self.fields(root, 0);
        } else if forms.len() > 1 && object {
            self.line(0, &language.one_of_forms(forms.len()));
            self.alternatives(&forms, 0);
        } else if !shape.is_any() {
            let kind = self.kind(root, DEPTH);
            let null = takes_null(self.shapes, root);
            self.unknown.null |= null;
            self.unknown.neither |= !null && forms.is_empty() && shape.types & (LIST | OBJ) == 0;
            self.line(0, &format!("- {kind}"));
            self.nested(root, 1);
        }
        let others = matches!(shape.extra.rest, Rest::Free | Rest::Of(_));
        let closed = !shape.props.is_empty() && shape.extra.patterns.is_empty() && !others;
        let closing = language.closing(&self.unknown, closed);
        self.line(0, &closing);
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn fields(&mut self, id: ShapeId, depth: usize) {
        let shapes = self.shapes;
        self.within.push(id);
        for prop in &shapes.get(id).props {
            let field = self.field(prop);
            self.line(depth, &field);
            self.nested(prop.shape, depth + 1);
        }
        self.within.pop();
    }

    fn field(&mut self, prop: &Prop) -> String {
        let language = self.language;
        let mut kind = self.kind(prop.shape, DEPTH);
        let (_, shape) = resolved(self.shapes, prop.shape);
        // What the values are called elsewhere is known only here.
        let synonyms = shape.choices.iter().flatten().flat_map(|choice| {
            choice.synonyms.iter().map(|said| (said.as_str(), choice.value.clone()))
        });
        let own = prop.synonyms.iter().map(|(said, meant)| (said.as_str(), meant.clone()));
        let called = language.called(synonyms.chain(own));
        kind.push_str(&called);
        let optional = !prop.required || prop.default.is_some();
        if optional {
            kind.push_str(language.optional());
        }
        let null = takes_null(self.shapes, prop.shape);
        self.unknown.null |= null;
        self.unknown.gap |= optional && !null;
        // Of a list or an object, what is in it may be unknown.
        self.unknown.neither |= !optional && !null && shape.types & (LIST | OBJ) == 0;
        let said = self.shapes.get(prop.shape).description.as_ref().or(shape.description.as_ref());
        let said = said.map(|said| said.split_whitespace().collect::<Vec<_>>().join(" "));
        language.field(&prop.name, &kind, said.as_deref())
    }

    /// The fields of objects in a field or a list.
    fn nested(&mut self, id: ShapeId, depth: usize) {
        let (id, shape) = resolved(self.shapes, id);
        if depth > DEPTH || self.within.contains(&id) {
            return;
        }
        if !shape.props.is_empty() {
            self.fields(id, depth);
        } else if let Some(item) = shape.item {
            self.nested(item, depth);
        } else if let Rest::Of(value) = shape.extra.rest {
            self.nested(value, depth);
        } else {
            match self.forms(shape).as_slice() {
                [] => {}
                [one] => self.nested(*one, depth),
                several => self.alternatives(several, depth),
            }
        }
    }

    /// The branches that have something to list.
    fn forms(&self, shape: &Shape) -> Vec<ShapeId> {
        let lists_more = |id: &ShapeId| {
            let (_, shape) = resolved(self.shapes, *id);
            shape.types & (OBJ | LIST) != 0 || !shape.any_of.is_empty()
        };
        shape.any_of.iter().copied().filter(lists_more).collect()
    }

    fn alternatives(&mut self, forms: &[ShapeId], depth: usize) {
        for (at, &form) in forms.iter().enumerate() {
            let kind = self.kind(form, DEPTH);
            let line = self.language.form(at + 1, &kind);
            self.line(depth, &line);
            self.nested(form, depth + 1);
        }
    }

    /// A value in a few words.
    fn kind(&mut self, id: ShapeId, depth: usize) -> String {
        let language = self.language;
        let (id, shape) = resolved(self.shapes, id);
        let mut text = if let Some(choices) = &shape.choices {
            language.one_of(&choices.iter().map(|choice| &choice.value).collect::<Vec<_>>())
        } else if !shape.any_of.is_empty() {
            self.union(shape, depth)
        } else if let (OBJ, Rest::Of(value), true) = (shape.types, shape.extra.rest, depth > 0)
            && shape.props.is_empty()
        {
            language.table_of(&self.kind(value, depth - 1))
        } else {
            language.types(shape.types)
        };
        if self.within.contains(&id) && is_object(shape) {
            text.push_str(language.the_same());
        }
        for (keyword, value) in &shape.rules {
            if let Some(rule) = language.rule(keyword, value) {
                text.push_str(language.comma());
                text.push_str(&rule);
            }
        }
        if depth > 0 && !shape.prefix.is_empty() {
            let items: Vec<String> =
                shape.prefix.iter().map(|&item| self.kind(item, depth - 1)).collect();
            text.push_str(&language.in_order(&items));
        } else if let (true, Some(item)) = (depth > 0, shape.item) {
            text.push_str(&language.each(&self.kind(item, depth - 1)));
        }
        text
    }

    fn union(&mut self, shape: &Shape, depth: usize) -> String {
        let language = self.language;
        if depth == 0 {
            return language.types(0);
        }
        let forms = self.forms(shape);
        let mut parts: Vec<String> = Vec::new();
        if forms.len() > 1 {
            parts.push(language.one_of_forms_below(forms.len()));
        }
        for &branch in &shape.any_of {
            if forms.len() > 1 && forms.contains(&branch) {
                continue;
            }
            let part = self.kind(branch, depth - 1);
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        language.or(&parts)
    }
}

fn takes_null(shapes: &Shapes, id: ShapeId) -> bool {
    let (_, shape) = resolved(shapes, id);
    let is_null = |shape: &Shape| {
        shape.types & NULL != 0
            || shape.choices.iter().flatten().any(|choice| choice.value.is_null())
            || shape.is_any()
    };
    is_null(shape) || shape.any_of.iter().any(|&branch| is_null(resolved(shapes, branch).1))
}

fn is_object(shape: &Shape) -> bool {
    shape.types == OBJ
}

/// A shape that only leads to another is that one.
fn resolved(shapes: &Shapes, id: ShapeId) -> (ShapeId, &Shape) {
    let mut id = id;
    for _ in 0..16 {
        match shapes.get(id).any_of.as_slice() {
            [only] => id = *only,
            _ => break,
        }
    }
    (id, shapes.get(id))
}
