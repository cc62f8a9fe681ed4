//! Turns a value into what the schema wants, at the lowest cost, and says what it did. Never makes up a
//! value, and never squeezes an object into a string. It descends as deep as the value is, which
//! [`Limits::depth`](crate::Limits::depth) bounds.

mod choice;
mod members;
pub(crate) mod scalar;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::parsed::{Coerced, Coercion, Issue, IssueKind, Renamed, Unknown};
use crate::repair::{short, step};
use crate::shape::{BOOL, Extra, INT, LIST, NULL, NUM, OBJ, STR, Shape, ShapeId, Shapes};
use crate::spec::OnUnknown;
use choice::{Chosen, choose};

/// What it costs to read a value in a way. The first number decides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cost {
    /// Places where the value is not as wanted.
    pub(crate) misfits: u64,
    /// Values that were wrapped, unwrapped or decoded.
    pub(crate) structural: u64,
    pub(crate) penalty: u64,
}

impl Cost {
    const MISFIT: Self = Self { misfits: 1, structural: 0, penalty: 0 };

    fn of(penalty: u64) -> Self {
        Self { penalty, ..Self::default() }
    }

    fn structural(penalty: u64) -> Self {
        Self { penalty, structural: 1, misfits: 0 }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            misfits: self.misfits.saturating_add(other.misfits),
            structural: self.structural.saturating_add(other.structural),
            penalty: self.penalty.saturating_add(other.penalty),
        }
    }

    /// The cost of a child, to its parent.
    fn of_child(self) -> Self {
        Self { penalty: self.penalty.saturating_mul(10), ..self }
    }
}

/// What was done to a value.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) coerced: Vec<Coerced>,
    pub(crate) renamed: Vec<Renamed>,
    pub(crate) unknown: Vec<Unknown>,
    pub(crate) issues: Vec<Issue>,
}

/// Fits values to the shapes of one spec.
pub(crate) struct Fitter<'s> {
    shapes: &'s Shapes,
    on_unknown: OnUnknown,
    /// The value is the text of the answer: words for values are looked for in it.
    prose: bool,
    /// A value that is not whole, by address: it counts as missing.
    unsafe_value: Option<usize>,
    /// Costs by the address of the value and its shape, so that unions of unions stay linear.
    costs: HashMap<(usize, ShapeId), Option<Cost>>,
    /// What is being fitted, to see a shape that leads back to itself.
    active: HashSet<(usize, ShapeId)>,
    path: String,
    /// Nothing is written down: only the cost is asked for.
    dry: bool,
    notes: Notes,
    /// How often JSON in strings may still be read.
    decode: u8,
    /// Values looked at.
    pub(crate) work: u64,
}

impl<'s> Fitter<'s> {
    pub(crate) fn new(shapes: &'s Shapes, on_unknown: OnUnknown, prose: bool) -> Self {
        Self {
            shapes,
            on_unknown,
            prose,
            unsafe_value: None,
            costs: HashMap::new(),
            active: HashSet::new(),
            path: String::new(),
            dry: false,
            notes: Notes::default(),
            decode: 2,
            work: 0,
        }
    }

    /// Fits a value; `cut` is the path of one that is not whole.
    pub(crate) fn root(mut self, value: &Value, cut: Option<&str>) -> (Cost, Value, Notes, u64) {
        self.unsafe_value =
            cut.and_then(|path| value.pointer(path)).map(std::ptr::from_ref).map(|at| at as usize);
        let (cost, fitted) = self.fit(value, 0);
        (cost, fitted, self.notes, self.work)
    }

    fn fit(&mut self, value: &Value, id: ShapeId) -> (Cost, Value) {
        let key = (std::ptr::from_ref(value) as usize, id);
        if self.dry {
            match self.costs.get(&key) {
                Some(Some(cost)) => return (*cost, Value::Null),
                // A shape that leads back to itself, and to nothing else.
                Some(None) => return (Cost::MISFIT, Value::Null),
                None => {
                    self.costs.insert(key, None);
                }
            }
        }
        self.work += 1;
        if !self.dry && !self.active.insert(key) {
            // A shape that leads back to itself wraps the same value for ever.
            self.wrong_type(value, id);
            return (Cost::MISFIT, self.copy(value));
        }
        let fitted = self.fit_fresh(value, id);
        if self.dry {
            self.costs.insert(key, Some(fitted.0));
        } else {
            self.active.remove(&key);
        }
        fitted
    }

    /// Only the cost.
    fn cost(&mut self, value: &Value, id: ShapeId) -> Cost {
        let was = std::mem::replace(&mut self.dry, true);
        let cost = self.fit(value, id).0;
        self.dry = was;
        cost
    }

    fn fit_fresh(&mut self, value: &Value, id: ShapeId) -> (Cost, Value) {
        let shapes = self.shapes;
        let shape = shapes.get(id);
        if self.unsafe_value == Some(std::ptr::from_ref(value) as usize) {
            self.issue(
                IssueKind::Truncated,
                expected(shapes, id),
                found(value),
                "the answer was cut off in this value, so it may not be whole",
            );
            return (Cost::MISFIT, self.copy(value));
        }
        if let Some(choices) = &shape.choices {
            return self.fit_choice(value, choices, id);
        }
        if !shape.any_of.is_empty() {
            return self.fit_union(value, id);
        }
        if shape.is_any() {
            return (Cost::default(), self.copy(value));
        }
        let types = shape.types;
        let own = type_of(value);
        let exact = if types == 0 { own } else { types & own };
        if types.count_ones() <= 1 || exact != 0 {
            let wanted = if exact != 0 { exact } else { types };
            return self.fit_type(value, shape, id, wanted);
        }
        // The type that costs least; a null that is not written is the last.
        let was = std::mem::replace(&mut self.dry, true);
        let best = [INT, NUM, BOOL, LIST, OBJ, STR, NULL]
            .into_iter()
            .filter(|one| types & one != 0)
            .map(|one| (self.fit_type(value, shape, id, one).0, one))
            .min_by_key(|(cost, _)| *cost);
        self.dry = was;
        match best {
            Some((cost, _)) if cost.misfits > 0 && is_scalar(value) => {
                self.wrong_type(value, id);
                (cost, self.copy(value))
            }
            Some((_, one)) => self.fit_type(value, shape, id, one),
            None => (Cost::MISFIT, self.copy(value)),
        }
    }

    fn fit_union(&mut self, value: &Value, id: ShapeId) -> (Cost, Value) {
        let branches = &self.shapes.get(id).any_of;
        let mut best: Option<(Cost, ShapeId)> = None;
        for &branch in branches {
            let cost = self.cost(value, branch);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, branch));
            }
        }
        match best {
            Some((cost, _)) if self.dry => (cost, Value::Null),
            Some((_, branch)) => self.fit(value, branch),
            None => (Cost::MISFIT, self.copy(value)),
        }
    }

    fn fit_choice(
        &mut self,
        value: &Value,
        choices: &[crate::shape::Choice],
        id: ShapeId,
    ) -> (Cost, Value) {
        match choose(value, choices) {
            Chosen::One(_, None, _) => (Cost::default(), self.copy(value)),
            Chosen::One(choice, Some(how), penalty) => {
                let after = choice.value.clone();
                self.coerced(how, value, &after);
                (Cost::of(penalty), after)
            }
            Chosen::Several(names) => {
                let names = names.join(", ");
                self.issue(
                    IssueKind::Ambiguous,
                    expected(self.shapes, id),
                    found(value),
                    &format!("it could be each of {names}"),
                );
                (Cost::MISFIT, self.copy(value))
            }
            Chosen::None => {
                // `{"result": true}` and `["TWO"]` hold the value that is meant.
                if let Some(inner) = single(value)
                    && let Chosen::One(choice, _, _) = choose(inner, choices)
                {
                    let after = choice.value.clone();
                    self.coerced(Coercion::Unwrapped, value, &after);
                    return (Cost::structural(2), after);
                }
                self.issue(
                    IssueKind::Enum,
                    expected(self.shapes, id),
                    found(value),
                    "it is none of the values that are allowed",
                );
                (Cost::MISFIT, self.copy(value))
            }
        }
    }

    fn fit_type(&mut self, value: &Value, shape: &Shape, id: ShapeId, wanted: u8) -> (Cost, Value) {
        if wanted & (LIST | OBJ) != 0 {
            return match (wanted & OBJ != 0, value) {
                (true, Value::Object(object)) => self.fit_members(object, shape),
                (_, Value::Array(list)) if wanted & LIST != 0 => self.fit_list(list, shape),
                (true, _) => self.fit_to_object(value, shape, id),
                (false, _) => self.fit_to_list(value, shape, id),
            };
        }
        let (how, after) = match (wanted, value) {
            (STR, Value::String(_)) | (NULL, Value::Null) | (BOOL, Value::Bool(_)) => {
                return (Cost::default(), self.copy(value));
            }
            (STR, Value::Number(number)) => (Coercion::Text, Some(Value::from(number.to_string()))),
            (STR, Value::Bool(value)) => (Coercion::Text, Some(Value::from(value.to_string()))),
            (NULL, Value::String(text)) => {
                let says = matches!(text.trim().to_lowercase().as_str(), "null" | "none" | "nil");
                (Coercion::Null, says.then_some(Value::Null))
            }
            (BOOL, Value::String(text)) => {
                let said = match scalar::boolean(text) {
                    None if self.prose => scalar::boolean_in(text),
                    said => said,
                };
                (Coercion::Boolean, said.map(Value::Bool))
            }
            (BOOL, Value::Number(number)) => {
                let said = match number.as_f64() {
                    Some(1.0) => Some(true),
                    Some(0.0) => Some(false),
                    _ => None,
                };
                (Coercion::Boolean, said.map(Value::Bool))
            }
            (_, Value::Number(number)) if wanted & (INT | NUM) != 0 => {
                // 3.0 is an integer; 3.5 is none.
                if wanted & NUM != 0 || scalar::integral(number).is_some() {
                    return (Cost::default(), self.copy(value));
                }
                (Coercion::Number, None)
            }
            (_, Value::String(text)) if wanted & (INT | NUM) != 0 => {
                let said = match scalar::number(text) {
                    None if self.prose => scalar::number_in(text),
                    said => said,
                };
                let said = if wanted & NUM != 0 {
                    said
                } else {
                    said.and_then(|number| scalar::integral(&number))
                };
                (Coercion::Number, said.map(Value::Number))
            }
            _ => {
                if wanted & (BOOL | INT | NUM) != 0
                    && let Some(inner) = single(value)
                {
                    let was = std::mem::replace(&mut self.dry, true);
                    let cost = self.fit_type(inner, shape, id, wanted).0;
                    self.dry = was;
                    if cost.misfits == 0 {
                        let (cost, after) = self.fit_type(inner, shape, id, wanted);
                        self.coerced(Coercion::Unwrapped, value, &after);
                        return (cost.plus(Cost::structural(2)), after);
                    }
                }
                (Coercion::Text, None)
            }
        };
        match after {
            Some(after) => {
                self.coerced(how, value, &after);
                (Cost::of(1), after)
            }
            None => {
                self.wrong_type(value, id);
                (Cost::MISFIT, self.copy(value))
            }
        }
    }

    fn fit_list(&mut self, list: &[Value], shape: &Shape) -> (Cost, Value) {
        let mut cost = Cost::default();
        let mut fitted = Vec::with_capacity(if self.dry { 0 } else { list.len() });
        for (at, value) in list.iter().enumerate() {
            let item = shape.prefix.get(at).copied().or(shape.item);
            let before = self.enter(&at.to_string());
            let (child, value) = match item {
                Some(item) => self.fit(value, item),
                None => (Cost::default(), self.copy(value)),
            };
            self.path.truncate(before);
            cost = cost.plus(child.of_child());
            if !self.dry {
                fitted.push(value);
            }
        }
        (cost, Value::Array(fitted))
    }

    /// A list is wanted, and something else is there.
    fn fit_to_list(&mut self, value: &Value, shape: &Shape, id: ShapeId) -> (Cost, Value) {
        if let Some(fitted) = self.decoded(value, id, '[') {
            return fitted;
        }
        let item = shape.prefix.first().copied().or(shape.item);
        if value.is_null() || (self.prose && item.is_none_or(|item| self.takes_text(item))) {
            self.wrong_type(value, id);
            return (Cost::MISFIT, self.copy(value));
        }
        let before = self.enter("0");
        let (child, fitted) = match item {
            Some(item) => self.fit(value, item),
            None => (Cost::default(), self.copy(value)),
        };
        self.path.truncate(before);
        let fitted = Value::Array(vec![fitted]);
        self.coerced(Coercion::Wrapped, value, &fitted);
        (child.of_child().plus(Cost::structural(1)), fitted)
    }

    /// An object is wanted, and something else is there.
    fn fit_to_object(&mut self, value: &Value, shape: &Shape, id: ShapeId) -> (Cost, Value) {
        if let Some(fitted) = self.decoded(value, id, '{') {
            return fitted;
        }
        if let Value::Array(list) = value
            && let [Value::Object(object)] = list.as_slice()
        {
            let (cost, fitted) = self.fit_members(object, shape);
            self.coerced(Coercion::Unwrapped, value, &fitted);
            return (cost.plus(Cost::structural(2)), fitted);
        }
        // A bare number for an object of one number.
        if let (Value::Number(_) | Value::Bool(_), [prop]) = (value, shape.props.as_slice()) {
            let before = self.enter(&prop.name);
            let (child, inner) = self.fit(value, prop.shape);
            self.path.truncate(before);
            let mut object = serde_json::Map::new();
            object.insert(prop.name.clone(), inner);
            let fitted = Value::Object(object);
            self.coerced(Coercion::Wrapped, value, &fitted);
            return (child.of_child().plus(Cost::structural(4)), fitted);
        }
        self.wrong_type(value, id);
        (Cost::MISFIT, self.copy(value))
    }

    /// JSON in a string.
    fn decoded(&mut self, value: &Value, id: ShapeId, opens: char) -> Option<(Cost, Value)> {
        let Value::String(text) = value else { return None };
        if self.prose || self.decode == 0 || !text.trim_start().starts_with(opens) {
            return None;
        }
        // Words in brackets are text.
        let inner = crate::read::lone(text)?;
        self.work += text.len() as u64;
        let mut fitter = Fitter::new(self.shapes, self.on_unknown, false);
        fitter.decode = self.decode - 1;
        fitter.dry = self.dry;
        fitter.path.clone_from(&self.path);
        let (cost, fitted) = fitter.fit(&inner, id);
        self.work += fitter.work;
        if !self.dry {
            self.notes.take(fitter.notes);
        }
        self.coerced(Coercion::Decoded, value, &fitted);
        Some((cost.plus(Cost::structural(2)), fitted))
    }

    fn takes_text(&self, id: ShapeId) -> bool {
        let shape = self.shapes.get(id);
        shape.is_any() || shape.types & STR != 0 && shape.choices.is_none()
    }

    /// Goes down a step; the path is cut back to what is given.
    fn enter(&mut self, key: &str) -> usize {
        let before = self.path.len();
        if !self.dry {
            step(&mut self.path, key);
        }
        before
    }

    fn copy(&self, value: &Value) -> Value {
        if self.dry { Value::Null } else { value.clone() }
    }

    fn coerced(&mut self, how: Coercion, before: &Value, after: &Value) {
        if !self.dry {
            self.notes.coerced.push(Coerced {
                path: self.path.clone(),
                how,
                before: before.clone(),
                after: after.clone(),
            });
        }
    }

    fn wrong_type(&mut self, value: &Value, id: ShapeId) {
        let expected = expected(self.shapes, id);
        let message = format!("a value of another type is wanted: {expected}");
        self.issue(IssueKind::Type, expected, found(value), &message);
    }

    fn issue(&mut self, kind: IssueKind, expected: String, found: String, what: &str) {
        if !self.dry {
            let path = self.path.clone();
            self.notes.issues.push(issue(kind, path, expected, found, what));
        }
    }
}

impl Notes {
    fn take(&mut self, other: Self) {
        self.coerced.extend(other.coerced);
        self.renamed.extend(other.renamed);
        self.unknown.extend(other.unknown);
        self.issues.extend(other.issues);
    }
}

/// An issue with its sentence.
pub(crate) fn issue(
    kind: IssueKind,
    path: String,
    expected: String,
    found: String,
    what: &str,
) -> Issue {
    let place = if path.is_empty() { "the answer".to_owned() } else { format!("`{path}`") };
    let message = if found.is_empty() {
        format!("{place}: {what}")
    } else {
        format!("{place}: {what}; found {found}")
    };
    Issue { kind, path, expected, found, message }
}

/// A value in a sentence.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Object(_) => "an object".to_owned(),
        Value::Array(list) => format!("a list of {}", list.len()),
        other => short(&other.to_string()),
    }
}

/// What a shape wants, in a few words.
pub(crate) fn expected(shapes: &Shapes, id: ShapeId) -> String {
    expected_in(shapes, id, 4)
}

fn expected_in(shapes: &Shapes, id: ShapeId, depth: usize) -> String {
    let shape = shapes.get(id);
    if let Some(choices) = &shape.choices {
        let names: Vec<String> = choices.iter().map(|choice| choice.value.to_string()).collect();
        return names.join(" | ");
    }
    if !shape.any_of.is_empty() && depth > 0 {
        let parts: Vec<String> =
            shape.any_of.iter().map(|&id| expected_in(shapes, id, depth - 1)).collect();
        return parts.join(" | ");
    }
    let names = [
        (STR, "string"),
        (INT, "integer"),
        (NUM, "number"),
        (BOOL, "boolean"),
        (LIST, "list"),
        (OBJ, "object"),
        (NULL, "null"),
    ];
    let parts: Vec<&str> =
        names.iter().filter(|(bit, _)| shape.types & bit != 0).map(|(_, name)| *name).collect();
    if parts.is_empty() { "any value".to_owned() } else { parts.join(" | ") }
}

/// The only value in a list or object of scalars; of several in a list, the first.
fn single(value: &Value) -> Option<&Value> {
    let inner = match value {
        Value::Array(list) => list.first()?,
        Value::Object(object) if object.len() == 1 => object.values().next()?,
        _ => return None,
    };
    is_scalar(inner).then_some(inner)
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

fn type_of(value: &Value) -> u8 {
    match value {
        Value::Null => NULL,
        Value::Bool(_) => BOOL,
        Value::Number(number) if scalar::integral(number).is_some() => INT | NUM,
        Value::Number(_) => NUM,
        Value::String(_) => STR,
        Value::Array(_) => LIST,
        Value::Object(_) => OBJ,
    }
}

/// What stands beside the declared fields is kept.
fn keeps_unknown(shape: &Shape) -> bool {
    match shape.extra {
        Extra::Free => true,
        Extra::Unsaid => shape.props.is_empty(),
        Extra::Patterns(_) => true,
        Extra::Closed | Extra::Of(_) => false,
    }
}
