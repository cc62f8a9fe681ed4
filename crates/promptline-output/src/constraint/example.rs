//! One value of the form: what the schema gives as an example or allows, else a placeholder. What holds itself
//! ends as soon as it may.

use serde_json::{Map, Value};

use super::{Language, resolved};
use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, Rest, STR, Shape, ShapeId, Shapes};

/// Deeper values are null.
const DEPTH: usize = 12;

pub(super) fn of(shapes: &Shapes, language: Language) -> Value {
    let mut maker = Maker { shapes, language, within: Vec::new() };
    maker.value(0).unwrap_or_default()
}

struct Maker<'s> {
    shapes: &'s Shapes,
    language: Language,
    within: Vec<ShapeId>,
}

impl Maker<'_> {
    /// None for what would not end.
    fn value(&mut self, id: ShapeId) -> Option<Value> {
        let given = self.shapes.get(id).example.clone();
        let (id, shape) = resolved(self.shapes, id);
        if let Some(given) = given.or_else(|| shape.example.clone()) {
            return Some(given);
        }
        if let Some(choices) = &shape.choices {
            return choices.first().map(|choice| choice.value.clone());
        }
        if self.within.contains(&id) || self.within.len() >= DEPTH {
            return None;
        }
        self.within.push(id);
        let value = self.fresh(shape);
        self.within.pop();
        value
    }

    fn fresh(&mut self, shape: &Shape) -> Option<Value> {
        if !shape.any_of.is_empty() {
            // Null says least about the form.
            let is_null = |id: &ShapeId| resolved(self.shapes, *id).1.types == NULL;
            let mut branches = shape.any_of.clone();
            branches.sort_by_key(is_null);
            return branches.into_iter().find_map(|branch| self.value(branch));
        }
        match shape.types {
            types if types & STR != 0 => Some(self.text(shape)),
            types if types & (INT | NUM) != 0 => Some(number(shape)),
            types if types & BOOL != 0 => Some(Value::from(true)),
            LIST => self.list(shape),
            OBJ => self.object(shape),
            NULL => Some(Value::Null),
            _ => Some(Value::Object(Map::new())),
        }
    }

    fn list(&mut self, shape: &Shape) -> Option<Value> {
        let least = rule(shape, "minItems").and_then(Value::as_u64).unwrap_or(0);
        let mut list = Vec::new();
        for &item in &shape.prefix {
            list.push(self.value(item)?);
        }
        if let Some(item) = shape.item {
            match self.value(item) {
                Some(value) => {
                    list.push(value.clone());
                    while (list.len() as u64) < least.min(4) {
                        list.push(value.clone());
                    }
                }
                None if least > 0 => return None,
                None => {}
            }
        }
        Some(Value::Array(list))
    }

    fn object(&mut self, shape: &Shape) -> Option<Value> {
        let mut object = Map::new();
        for prop in &shape.props {
            match self.value(prop.shape) {
                Some(value) => {
                    object.insert(prop.name.clone(), value);
                }
                None if prop.required => return None,
                None => {}
            }
        }
        if let (Rest::Of(id), true) = (shape.extra.rest, shape.props.is_empty())
            && let Some(value) = self.value(id)
        {
            let key = match self.language {
                Language::English => "key",
                Language::Chinese => "键名",
            };
            object.insert(key.to_owned(), value);
        }
        Some(Value::Object(object))
    }

    fn text(&self, shape: &Shape) -> Value {
        let format = rule(shape, "format").and_then(Value::as_str);
        let text = match (format, self.language) {
            (Some("date"), _) => "2024-01-31",
            (Some("date-time"), _) => "2024-01-31T08:00:00Z",
            (Some("time"), _) => "08:00:00Z",
            (Some("email"), _) => "name@example.com",
            (Some("uri"), _) => "https://example.com",
            (_, Language::English) => "text",
            (_, Language::Chinese) => "文本",
        };
        Value::from(text)
    }
}

fn number(shape: &Shape) -> Value {
    let integer = shape.types & NUM == 0;
    let bound = |keyword: &str| rule(shape, keyword).and_then(Value::as_f64);
    let plain = if integer { 1.0 } else { 1.5 };
    let least = bound("minimum").or(bound("exclusiveMinimum").map(|bound| bound + 1.0));
    let most = bound("maximum").or(bound("exclusiveMaximum").map(|bound| bound - 1.0));
    let within = match (least, most) {
        (Some(least), _) if plain < least => least,
        (_, Some(most)) if plain > most => most,
        _ => plain,
    };
    let step = bound("multipleOf").filter(|step| *step > 0.0);
    let value = step.map_or(within, |step| (within / step).ceil() * step);
    let is_whole = integer && value.fract() == 0.0 && value.abs() < 1e15;
    if is_whole { Value::from(value as i64) } else { Value::from(value) }
}

fn rule<'s>(shape: &'s Shape, keyword: &str) -> Option<&'s Value> {
    shape.rules.iter().find(|(key, _)| *key == keyword).map(|(_, value)| value)
}
