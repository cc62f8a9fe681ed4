//! What a schema says about the form of a value, made ready for coercion. It says less than the schema does:
//! the decision is made by the validator.

mod bounded;
mod compile;
mod merge;

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use crate::error::Error;

pub(crate) const NULL: u8 = 1;
pub(crate) const BOOL: u8 = 2;
pub(crate) const INT: u8 = 4;
pub(crate) const NUM: u8 = 8;
pub(crate) const STR: u8 = 16;
pub(crate) const LIST: u8 = 32;
pub(crate) const OBJ: u8 = 64;

pub(crate) type ShapeId = usize;

/// The form of one value. Where there are branches, they say everything; a list or an object is the only
/// type of its shape.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    /// The types that are allowed, as bits; none: any.
    pub(crate) types: u8,
    /// The only values that are allowed.
    pub(crate) choices: Option<Vec<Choice>>,
    pub(crate) props: Vec<Prop>,
    pub(crate) extra: Extra,
    pub(crate) item: Option<ShapeId>,
    pub(crate) prefix: Vec<ShapeId>,
    pub(crate) any_of: Vec<ShapeId>,
    /// Keywords that only the validator and the constraint text read, as `minimum`.
    pub(crate) rules: Vec<(&'static str, Value)>,
    pub(crate) description: Option<String>,
    /// A value that the schema gives as an example.
    pub(crate) example: Option<Value>,
}

/// Keywords of lists, and of other values, that are rules.
const LIST_RULES: [&str; 3] = ["minItems", "maxItems", "uniqueItems"];
const RULES: [&str; 9] = [
    "minimum",
    "exclusiveMinimum",
    "maximum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
];

/// A value that is allowed, and the words for it.
#[derive(Debug, Clone)]
pub(crate) struct Choice {
    pub(crate) value: Value,
    /// The name by which a model knows it.
    pub(crate) name: String,
    pub(crate) synonyms: Vec<String>,
}

/// A field of an object.
#[derive(Debug, Clone)]
pub(crate) struct Prop {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) shape: ShapeId,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) synonyms: Vec<(String, Value)>,
}

/// What may be in an object beside its fields.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extra {
    /// By the name of the field.
    pub(crate) patterns: Vec<(Pattern, ShapeId)>,
    pub(crate) rest: Rest,
}

/// What may be in an object beside its fields and what patterns name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The schema does not say.
    #[default]
    Unsaid,
    /// Anything, on purpose.
    Free,
    /// Nothing.
    Closed,
    Of(ShapeId),
}

/// A pattern for names, which the validator reads: it knows the syntax of JSON Schema.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Arc<Validator>);

impl Pattern {
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.0.is_valid(&Value::from(name))
    }
}

/// All shapes of a schema; the first is the root.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shapes(pub(crate) Vec<Shape>);

impl Shapes {
    /// Anything is allowed.
    pub(crate) fn any() -> Self {
        Self(vec![Shape::default()])
    }

    pub(crate) fn of(schema: &Value) -> Result<Self, Error> {
        compile::compile(schema)
    }

    pub(crate) fn get(&self, id: ShapeId) -> &Shape {
        static ANY: Shape = Shape {
            types: 0,
            choices: None,
            props: Vec::new(),
            extra: Extra { patterns: Vec::new(), rest: Rest::Unsaid },
            item: None,
            prefix: Vec::new(),
            any_of: Vec::new(),
            rules: Vec::new(),
            description: None,
            example: None,
        };
        self.0.get(id).unwrap_or(&ANY)
    }

    pub(crate) fn is_any(&self) -> bool {
        self.get(0).is_any()
    }

    /// The field at a path from the root: `/video/quality`, with `*` for any item of a list.
    pub(crate) fn field_at(&mut self, path: &str) -> Option<&mut Prop> {
        let mut steps: Vec<String> = path
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"))
            .collect();
        let last = steps.pop()?;
        let mut ids = vec![0];
        for step in steps {
            let ids_before = self.with_branches(ids);
            ids = Vec::new();
            for id in ids_before {
                let shape = self.get(id);
                if step == "*" {
                    ids.extend(shape.item.into_iter().chain(shape.prefix.iter().copied()));
                }
                ids.extend(shape.props.iter().filter(|prop| prop.name == step).map(|p| p.shape));
            }
        }
        let ids = self.with_branches(ids);
        let id = ids.into_iter().find(|&id| self.get(id).props.iter().any(|p| p.name == last))?;
        self.0.get_mut(id)?.props.iter_mut().find(|prop| prop.name == last)
    }

    /// Shapes and the branches of their unions, each once.
    pub(crate) fn with_branches(&self, mut ids: Vec<ShapeId>) -> Vec<ShapeId> {
        let mut at = 0;
        while let Some(&id) = ids.get(at) {
            at += 1;
            for &branch in &self.get(id).any_of {
                if !ids.contains(&branch) {
                    ids.push(branch);
                }
            }
        }
        ids
    }

    /// All fields of a name.
    pub(crate) fn fields(&mut self, name: &str) -> impl Iterator<Item = &mut Prop> {
        self.0.iter_mut().flat_map(|shape| &mut shape.props).filter(move |prop| prop.name == name)
    }
}

impl Shape {
    pub(crate) fn is_any(&self) -> bool {
        self.types == 0 && self.any_of.is_empty() && !self.says_more_than_types()
    }

    /// Something other than types and branches is said.
    fn says_more_than_types(&self) -> bool {
        self.choices.is_some()
            || !self.props.is_empty()
            || self.item.is_some()
            || !self.prefix.is_empty()
            || !self.extra.patterns.is_empty()
            || matches!(self.extra.rest, Rest::Closed | Rest::Of(_))
    }
}
