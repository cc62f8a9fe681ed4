//! What a schema says about the form of a value, made ready for coercion. It says less than the schema does:
//! the last word has the validator.

use std::collections::HashMap;
use std::sync::Arc;

use jsonschema::Validator;
use serde_json::{Map, Value};

use crate::error::{Error, ErrorKind};

pub(crate) const NULL: u8 = 1;
pub(crate) const BOOL: u8 = 2;
pub(crate) const INT: u8 = 4;
pub(crate) const NUM: u8 = 8;
pub(crate) const STR: u8 = 16;
pub(crate) const LIST: u8 = 32;
pub(crate) const OBJ: u8 = 64;

pub(crate) type ShapeId = usize;

/// The form of one value.
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
    pub(crate) description: Option<String>,
}

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

/// What may stand in an object beside its fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Extra {
    /// The schema does not say.
    #[default]
    Unsaid,
    /// Anything, on purpose.
    Free,
    Closed,
    Of(ShapeId),
    /// By the name of the field.
    Patterns(Vec<(Pattern, ShapeId)>),
}

/// A pattern for names, which the validator reads: it knows the syntax of JSON Schema.
#[derive(Debug, Clone)]
pub(crate) struct Pattern(Arc<Validator>);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

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
        let mut compiler =
            Compiler { root: schema, shapes: vec![Shape::default()], refs: HashMap::new() };
        compiler.refs.insert("#".to_owned(), 0);
        let shape = compiler.shape(schema)?;
        if let Some(root) = compiler.shapes.first_mut() {
            *root = shape;
        }
        Ok(Self(compiler.shapes))
    }

    pub(crate) fn get(&self, id: ShapeId) -> &Shape {
        static ANY: Shape = Shape {
            types: 0,
            choices: None,
            props: Vec::new(),
            extra: Extra::Unsaid,
            item: None,
            prefix: Vec::new(),
            any_of: Vec::new(),
            description: None,
        };
        self.0.get(id).unwrap_or(&ANY)
    }

    pub(crate) fn is_any(&self) -> bool {
        self.get(0).is_any()
    }

    /// All fields of a name.
    pub(crate) fn fields(&mut self, name: &str) -> impl Iterator<Item = &mut Prop> {
        self.0.iter_mut().flat_map(|shape| &mut shape.props).filter(move |prop| prop.name == name)
    }
}

impl Shape {
    pub(crate) fn is_any(&self) -> bool {
        self.types == 0
            && self.choices.is_none()
            && self.any_of.is_empty()
            && self.props.is_empty()
            && self.item.is_none()
            && self.prefix.is_empty()
            && matches!(self.extra, Extra::Unsaid | Extra::Free)
    }
}

struct Compiler<'s> {
    root: &'s Value,
    shapes: Vec<Shape>,
    refs: HashMap<String, ShapeId>,
}

impl Compiler<'_> {
    fn add(&mut self, schema: &Value) -> Result<ShapeId, Error> {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.reference(reference);
        }
        let shape = self.shape(schema)?;
        self.shapes.push(shape);
        Ok(self.shapes.len() - 1)
    }

    fn reference(&mut self, reference: &str) -> Result<ShapeId, Error> {
        if let Some(&id) = self.refs.get(reference) {
            return Ok(id);
        }
        let id = self.shapes.len();
        self.shapes.push(Shape::default());
        self.refs.insert(reference.to_owned(), id);
        let root = self.root;
        // Other forms of references are left to the validator.
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| root.pointer(&pointer.replace("%24", "$").replace("%20", " ")));
        if let Some(target) = target {
            let shape = self.shape(target)?;
            if let Some(place) = self.shapes.get_mut(id) {
                *place = shape;
            }
        }
        Ok(id)
    }

    fn shape(&mut self, schema: &Value) -> Result<Shape, Error> {
        let Some(map) = schema.as_object() else {
            return match schema {
                Value::Bool(_) => Ok(Shape::default()),
                other => Err(Error::new(
                    ErrorKind::Schema,
                    format!("a schema is an object, true or false, but here is {other}"),
                )),
            };
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let id = self.reference(reference)?;
            // The root and what a reference leads to may be references themselves.
            return Ok(Shape { any_of: vec![id], ..Shape::default() });
        }
        let mut shape = Shape {
            types: types(map),
            description: map.get("description").and_then(Value::as_str).map(str::to_owned),
            choices: choices(map),
            ..Shape::default()
        };
        self.members(map, &mut shape)?;
        self.elements(map, &mut shape)?;
        for key in ["anyOf", "oneOf"] {
            for branch in map.get(key).and_then(Value::as_array).into_iter().flatten() {
                let id = self.add(branch)?;
                shape.any_of.push(id);
            }
        }
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let id = self.add(part)?;
            let part = self.shapes.get(id).cloned().unwrap_or_default();
            merge(&mut shape, part);
        }
        if shape.types == 0 {
            if !shape.props.is_empty()
                || matches!(shape.extra, Extra::Of(_) | Extra::Closed | Extra::Patterns(_))
            {
                shape.types = OBJ;
            } else if shape.item.is_some() || !shape.prefix.is_empty() {
                shape.types = LIST;
            }
        }
        if !shape.props.is_empty() {
            // Branches that only add rules to an object are the validator's.
            shape.any_of.clear();
        }
        Ok(shape)
    }

    fn members(&mut self, map: &Map<String, Value>, shape: &mut Shape) -> Result<(), Error> {
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        for (name, schema) in map.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let id = self.add(schema)?;
            let is_required = required.contains(&name.as_str());
            shape.props.push(Prop {
                name: name.clone(),
                aliases: strings(schema.get("x-alias")),
                shape: id,
                required: is_required,
                // Of a field that must be written the schema's default says nothing about leaving it out.
                default: schema.get("default").filter(|_| !is_required).cloned(),
                synonyms: Vec::new(),
            });
        }
        let patterns = map.get("patternProperties").and_then(Value::as_object);
        let mut by_name = Vec::new();
        for (pattern, schema) in patterns.into_iter().flatten() {
            let rule = serde_json::json!({"type": "string", "pattern": pattern});
            let rule = jsonschema::validator_for(&rule).map_err(|error| {
                Error::new(
                    ErrorKind::Schema,
                    format!("the pattern `{pattern}` cannot be read: {error}"),
                )
            })?;
            by_name.push((Pattern(Arc::new(rule)), self.add(schema)?));
        }
        shape.extra = match map.get("additionalProperties") {
            _ if !by_name.is_empty() => Extra::Patterns(by_name),
            None => Extra::Unsaid,
            Some(Value::Bool(true)) => Extra::Free,
            Some(Value::Bool(false)) => Extra::Closed,
            Some(schema) => Extra::Of(self.add(schema)?),
        };
        Ok(())
    }

    fn elements(&mut self, map: &Map<String, Value>, shape: &mut Shape) -> Result<(), Error> {
        for key in ["prefixItems", "items"] {
            for schema in map.get(key).and_then(Value::as_array).into_iter().flatten() {
                let id = self.add(schema)?;
                shape.prefix.push(id);
            }
        }
        if let Some(schema) = map.get("items").filter(|items| items.is_object()) {
            shape.item = Some(self.add(schema)?);
        }
        Ok(())
    }
}

fn merge(shape: &mut Shape, part: Shape) {
    shape.types = if shape.types == 0 || part.types == 0 {
        shape.types | part.types
    } else {
        shape.types & part.types
    };
    shape.props.extend(part.props);
    if shape.choices.is_none() {
        shape.choices = part.choices;
    }
    if shape.extra == Extra::Unsaid {
        shape.extra = part.extra;
    }
    if shape.item.is_none() {
        shape.item = part.item;
    }
    if shape.any_of.is_empty() {
        shape.any_of = part.any_of;
    }
}

fn strings(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(all)) => {
            all.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    }
}

fn types(map: &Map<String, Value>) -> u8 {
    let bit = |name: &str| match name {
        "null" => NULL,
        "boolean" => BOOL,
        "integer" => INT,
        "number" => NUM,
        "string" => STR,
        "array" => LIST,
        "object" => OBJ,
        _ => 0,
    };
    strings(map.get("type")).iter().fold(0, |types, name| types | bit(name))
        | if map.get("nullable") == Some(&Value::Bool(true)) { NULL } else { 0 }
}

fn choices(map: &Map<String, Value>) -> Option<Vec<Choice>> {
    let values = match (map.get("const"), map.get("enum").and_then(Value::as_array)) {
        (Some(one), _) => vec![one.clone()],
        (None, Some(all)) => all.clone(),
        (None, None) => return None,
    };
    let aliases = map.get("x-enum-alias").and_then(Value::as_object);
    let choice = |value: Value| {
        let name = match &value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let synonyms = aliases.map(|all| strings(all.get(&name))).unwrap_or_default();
        Choice { value, name, synonyms }
    };
    Some(values.into_iter().map(choice).collect())
}
