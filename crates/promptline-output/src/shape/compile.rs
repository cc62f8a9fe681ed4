//! From a JSON Schema to shapes. References are followed one after the other, never one inside another; what
//! cannot be followed (an anchor, another base) is any value here, and the validator's business.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::bounded::bounded;
use super::{
    BOOL, Choice, INT, LIST, LIST_RULES, NULL, NUM, OBJ, Pattern, Prop, RULES, Rest, STR, Shape,
    ShapeId, Shapes,
};
use crate::error::{Error, ErrorKind};

/// How deep shapes are joined in shapes.
pub(super) const JOINED: usize = 32;

pub(super) fn compile(schema: &Value) -> Result<Shapes, Error> {
    bounded(schema)?;
    let mut compiler = Compiler {
        root: schema,
        shapes: vec![Shape::default()],
        refs: HashMap::from([("#".to_owned(), 0)]),
        queue: VecDeque::from([(0, schema)]),
        joining: 0,
    };
    while let Some((id, schema)) = compiler.queue.pop_front() {
        let shape = compiler.shape(schema)?;
        if let Some(place) = compiler.shapes.get_mut(id) {
            *place = shape;
        }
    }
    Ok(Shapes(split(compiler.shapes)))
}

pub(super) struct Compiler<'s> {
    root: &'s Value,
    pub(super) shapes: Vec<Shape>,
    refs: HashMap<String, ShapeId>,
    /// What references lead to, and where its shape belongs.
    queue: VecDeque<(ShapeId, &'s Value)>,
    /// Shapes that are being joined, one inside another.
    pub(super) joining: usize,
}

impl<'s> Compiler<'s> {
    fn add(&mut self, schema: &'s Value) -> Result<ShapeId, Error> {
        if let Some(reference) = lone_reference(schema) {
            return Ok(self.reference(reference));
        }
        let shape = self.shape(schema)?;
        Ok(self.push(shape))
    }

    pub(super) fn push(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn reference(&mut self, reference: &str) -> ShapeId {
        if let Some(&id) = self.refs.get(reference) {
            return id;
        }
        let id = self.push(Shape::default());
        self.refs.insert(reference.to_owned(), id);
        if let Some(target) = target(self.root, reference) {
            self.queue.push_back((id, target));
        }
        id
    }

    /// The shape of an id, now: it may still be waiting for its turn.
    pub(super) fn ready(&mut self, id: ShapeId) -> Result<Shape, Error> {
        if self.joining < JOINED
            && let Some(at) = self.queue.iter().position(|(waiting, _)| *waiting == id)
            && let Some((_, schema)) = self.queue.remove(at)
        {
            self.joining += 1;
            let shape = self.shape(schema);
            self.joining -= 1;
            let shape = shape?;
            if let Some(place) = self.shapes.get_mut(id) {
                *place = shape;
            }
        }
        Ok(self.shapes.get(id).cloned().unwrap_or_default())
    }

    fn shape(&mut self, schema: &'s Value) -> Result<Shape, Error> {
        let Some(map) = schema.as_object() else {
            return match schema {
                Value::Bool(_) => Ok(Shape::default()),
                other => Err(Error::new(
                    ErrorKind::Schema,
                    format!("a schema is an object, true or false, but here is {other}"),
                )),
            };
        };
        let description = map.get("description").and_then(Value::as_str).map(str::to_owned);
        let mut shape = Shape {
            types: types(map),
            choices: choices(map)?,
            rules: rules(map),
            description,
            example: example(map),
            ..Shape::default()
        };
        self.members(map, &mut shape)?;
        self.elements(map, &mut shape)?;
        self.required(map, &mut shape);
        if shape.types == 0 && shape.choices.is_none() && shape.says_more_than_types() {
            let is_list = shape.item.is_some() || !shape.prefix.is_empty();
            shape.types = if is_list { LIST } else { OBJ };
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let any_of = vec![self.reference(reference)];
            self.merge(&mut shape, Shape { any_of, ..Shape::default() })?;
        }
        for part in list(map, "allOf") {
            let id = self.add(part)?;
            let part = self.ready(id)?;
            self.merge(&mut shape, part)?;
        }
        for key in ["anyOf", "oneOf"] {
            let any_of: Vec<ShapeId> =
                list(map, key).map(|branch| self.add(branch)).collect::<Result<_, _>>()?;
            if !any_of.is_empty() {
                self.merge(&mut shape, Shape { any_of, ..Shape::default() })?;
            }
        }
        self.cases(map, &mut shape)?;
        Ok(shape)
    }

    fn members(&mut self, map: &'s Map<String, Value>, shape: &mut Shape) -> Result<(), Error> {
        for (name, schema) in object(map, "properties") {
            let id = self.add(schema)?;
            shape.props.push(Prop {
                name: name.clone(),
                aliases: strings(schema.get("x-alias")),
                shape: id,
                required: false,
                default: schema.get("default").cloned(),
                synonyms: Vec::new(),
            });
        }
        for (pattern, schema) in object(map, "patternProperties") {
            let rule = serde_json::json!({"type": "string", "pattern": pattern});
            let rule = jsonschema::validator_for(&rule).map_err(|error| {
                Error::new(
                    ErrorKind::Schema,
                    format!("the pattern `{pattern}` cannot be read: {error}"),
                )
            })?;
            shape.extra.patterns.push((Pattern(Arc::new(rule)), self.add(schema)?));
        }
        let rest = map.get("additionalProperties").or_else(|| map.get("unevaluatedProperties"));
        shape.extra.rest = match rest {
            None => Rest::Unsaid,
            Some(Value::Bool(true)) => Rest::Free,
            Some(Value::Bool(false)) => Rest::Closed,
            Some(schema) => Rest::Of(self.add(schema)?),
        };
        Ok(())
    }

    fn elements(&mut self, map: &'s Map<String, Value>, shape: &mut Shape) -> Result<(), Error> {
        for schema in list(map, "prefixItems").chain(list(map, "items")) {
            let id = self.add(schema)?;
            shape.prefix.push(id);
        }
        let item = map.get("items").filter(|items| items.is_object());
        let item = item.or_else(|| map.get("additionalItems").filter(|items| items.is_object()));
        if let Some(schema) = item {
            shape.item = Some(self.add(schema)?);
        }
        Ok(())
    }

    /// The fields that must be there. One that nothing else names is known by that.
    fn required(&mut self, map: &Map<String, Value>, shape: &mut Shape) {
        for name in list(map, "required").filter_map(Value::as_str) {
            if let Some(prop) = shape.props.iter_mut().find(|prop| prop.name == name) {
                prop.required = true;
                // Of a field that must be written, its default says nothing about leaving it out.
                prop.default = None;
                continue;
            }
            let mut patterns = shape.extra.patterns.iter();
            let pattern = patterns.find(|(pattern, _)| pattern.matches(name)).map(|(_, id)| *id);
            let known = match (pattern, shape.extra.rest) {
                (Some(id), _) | (None, Rest::Of(id)) => id,
                _ => self.push(Shape::default()),
            };
            shape.props.push(Prop {
                name: name.to_owned(),
                aliases: Vec::new(),
                shape: known,
                required: true,
                default: None,
                synonyms: Vec::new(),
            });
        }
    }

    /// Fields that only some cases have (`then`, `else`, `dependentSchemas`): known, and never required here.
    fn cases(&mut self, map: &'s Map<String, Value>, shape: &mut Shape) -> Result<(), Error> {
        let cases = ["then", "else"].into_iter().filter_map(|key| map.get(key));
        for case in cases.chain(object(map, "dependentSchemas").map(|(_, schema)| schema)) {
            let id = self.add(case)?;
            let case = self.ready(id)?;
            self.or(shape, case)?;
        }
        Ok(())
    }
}

/// A list or an object gets a shape of its own, so that each shape is read in one way.
fn split(mut shapes: Vec<Shape>) -> Vec<Shape> {
    for at in 0..shapes.len() {
        let Some(shape) = shapes.get_mut(at) else { continue };
        let containers = shape.types & (LIST | OBJ);
        let one_way = containers == 0 || shape.types.count_ones() == 1;
        if one_way || shape.choices.is_some() {
            continue;
        }
        let whole = std::mem::take(shape);
        let (description, example) = (whole.description.clone(), whole.example.clone());
        let (of_lists, rules): (Vec<_>, Vec<_>) =
            whole.rules.into_iter().partition(|(key, _)| LIST_RULES.contains(key));
        let mut any_of = Vec::new();
        let mut parts = Vec::new();
        let scalars = whole.types & !(LIST | OBJ);
        if scalars != 0 {
            parts.push(Shape { types: scalars, rules, ..Shape::default() });
        }
        if whole.types & LIST != 0 {
            let (item, prefix) = (whole.item, whole.prefix);
            parts.push(Shape { types: LIST, item, prefix, rules: of_lists, ..Shape::default() });
        }
        if whole.types & OBJ != 0 {
            let (props, extra) = (whole.props, whole.extra);
            parts.push(Shape { types: OBJ, props, extra, ..Shape::default() });
        }
        for part in parts {
            any_of.push(shapes.len());
            shapes.push(part);
        }
        if let Some(place) = shapes.get_mut(at) {
            *place = Shape { any_of, description, example, ..Shape::default() };
        }
    }
    shapes
}

/// A reference beside which nothing is said of the value.
fn lone_reference(schema: &Value) -> Option<&str> {
    let map = schema.as_object()?;
    let reference = map.get("$ref")?.as_str()?;
    let beside = |key: &str| !matches!(key, "$ref" | "title" | "default" | "examples" | "x-alias");
    (!map.keys().any(|key| beside(key))).then_some(reference)
}

/// What a reference into the schema leads to.
pub(super) fn target<'s>(root: &'s Value, reference: &str) -> Option<&'s Value> {
    root.pointer(&decoded(reference.strip_prefix('#')?))
}

pub(super) fn object<'s>(
    map: &'s Map<String, Value>,
    key: &str,
) -> impl Iterator<Item = (&'s String, &'s Value)> {
    map.get(key).and_then(Value::as_object).into_iter().flatten()
}

pub(super) fn list<'s>(map: &'s Map<String, Value>, key: &str) -> impl Iterator<Item = &'s Value> {
    map.get(key).and_then(Value::as_array).into_iter().flatten()
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
    let types = strings(map.get("type")).iter().fold(0, |types, name| types | bit(name));
    // OpenAPI 3.0; without a type it says nothing.
    let nullable = types != 0 && map.get("nullable") == Some(&Value::Bool(true));
    types | if nullable { NULL } else { 0 }
}

fn rules(map: &Map<String, Value>) -> Vec<(&'static str, Value)> {
    let all = RULES.into_iter().chain(LIST_RULES);
    all.filter_map(|key| Some((key, map.get(key)?.clone()))).collect()
}

fn example(map: &Map<String, Value>) -> Option<Value> {
    let all = map.get("examples").and_then(Value::as_array);
    all.and_then(|all| all.first()).or_else(|| map.get("example")).cloned()
}

fn choices(map: &Map<String, Value>) -> Result<Option<Vec<Choice>>, Error> {
    let values = match (map.get("const"), map.get("enum").and_then(Value::as_array)) {
        (Some(one), _) => vec![one.clone()],
        (None, Some(all)) => all.clone(),
        (None, None) => return Ok(None),
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
    let choices: Vec<Choice> = values.into_iter().map(choice).collect();
    let mut names = aliases.into_iter().flat_map(Map::keys);
    if let Some(name) = names.find(|name| choices.iter().all(|choice| choice.name != **name)) {
        let said = format!(
            "`x-enum-alias` has other words for `{}`, which is no value of its enum; write the value first, \
             then its other words: {{\"1080p\": [\"full HD\"]}}",
            name.escape_debug()
        );
        return Err(Error::new(ErrorKind::Schema, said));
    }
    Ok(Some(choices))
}

/// A fragment without its percent signs (RFC 3986).
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
