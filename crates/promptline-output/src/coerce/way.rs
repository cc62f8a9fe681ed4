//! What has to be found out to read a value by a shape: nothing, if the value is a scalar; else what its parts,
//! or the branches of the shape, come to.

use serde_json::Value;

use super::choice::{Chosen, all_named, choose};
use super::cost::Cost;
use super::members::{Member, Members, members};
use super::plan::{How, Planner, Wrong, wrong};
use super::scalar::{self, Becomes};
use super::split;
use crate::parsed::Coercion;
use crate::repair::Risk;
use crate::shape::{Choice, LIST, OBJ, STR, Shape, ShapeId};

/// What a question leads to, before the answers are known.
pub(super) enum Way {
    Known(Cost, How),
    Union,
    List,
    Object(Members),
    Wrapped,
    InField,
    Unwrapped,
}

/// Values and the shapes by which they are to be read.
pub(super) type Needs<'v> = Vec<(&'v Value, ShapeId)>;

impl<'v> Planner<'v, '_, '_> {
    /// What there is to find out about a value.
    pub(super) fn way(&mut self, value: &'v Value, id: ShapeId) -> (Way, Needs<'v>) {
        let shapes = self.fitter.shapes;
        let shape = shapes.get(id);
        if self.cut.is_some_and(|cut| std::ptr::eq(cut, value)) {
            return known(wrong(Wrong::Cut));
        }
        if !shape.any_of.is_empty() {
            if let Some(branch) = self.discriminated(value, shape) {
                return (Way::Union, vec![(value, branch)]);
            }
            let needs = shape.any_of.iter().map(|&branch| (value, branch)).collect();
            return (Way::Union, needs);
        }
        if shape.choices.is_some() {
            return known(self.choice(value, shape));
        }
        if shape.types == LIST {
            return self.list(value, shape, id);
        }
        if shape.types == OBJ {
            return self.fields(value, shape, id);
        }
        known(self.scalar(value, shape))
    }

    /// The one branch of a wide union whose constants the value has, as in `{"kind": "dog", …}`.
    fn discriminated(&self, value: &Value, shape: &Shape) -> Option<ShapeId> {
        const WIDE: usize = 4;
        let object = value.as_object().filter(|_| shape.any_of.len() > WIDE)?;
        let has_constants = |id: &ShapeId| {
            let mut constants = self.fitter.shapes.get(*id).props.iter().filter_map(|prop| {
                match self.fitter.shapes.get(prop.shape).choices.as_deref() {
                    Some([only]) if prop.required => Some((prop.name.as_str(), &only.value)),
                    _ => None,
                }
            });
            let mut is_any = false;
            constants.all(|(name, constant)| {
                is_any = true;
                object.get(name) == Some(constant)
            }) && is_any
        };
        let mut found = shape.any_of.iter().copied().filter(has_constants);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    fn choice(&mut self, value: &Value, shape: &Shape) -> (Cost, How) {
        let choices = shape.choices.as_deref().unwrap_or_default();
        match choose(value, choices) {
            Chosen::Exact => return (Cost::default(), How::Keep),
            Chosen::One(choice, how, risk, penalty) => {
                let becomes = Becomes::new(how, risk, choice.value.clone());
                return (Cost::of(penalty), How::Becomes(becomes));
            }
            Chosen::Several(names) => {
                let names = names.into_iter().map(str::to_owned).collect();
                return wrong(Wrong::Ambiguous(names));
            }
            Chosen::None => {}
        }
        self.work += choices.len() as u64;
        // `{"result": true}` and `["TWO"]` hold the value that is meant.
        let inner = scalar::in_container(value, |inner| match choose(inner, choices) {
            Chosen::Exact => Some((inner.clone(), Risk::Lossless)),
            Chosen::One(choice, _, risk, _) => Some((choice.value.clone(), risk)),
            _ => None,
        });
        if let Some(becomes) = inner {
            return (Cost::structural(2), How::Becomes(becomes));
        }
        wrong(Wrong::Enum)
    }

    fn scalar(&self, value: &Value, shape: &Shape) -> (Cost, How) {
        match scalar::read(value, shape.types, self.fitter.prose) {
            Some(None) => return (Cost::default(), How::Keep),
            // A spelling of the same number costs nothing.
            Some(Some(becomes)) if value.is_number() && becomes.value.is_number() => {
                return (Cost::default(), How::Becomes(becomes));
            }
            Some(Some(becomes)) => return (Cost::of(1), How::Becomes(becomes)),
            None => {}
        }
        // Text is not taken out of anything.
        if shape.types & !STR == 0 {
            return wrong(Wrong::Type);
        }
        let inner = scalar::in_container(value, |inner| {
            let becomes = scalar::read(inner, shape.types & !STR, self.fitter.prose)?;
            Some(becomes.map_or((inner.clone(), Risk::Lossless), |one| (one.value, one.risk)))
        });
        match inner {
            Some(becomes) => (Cost::structural(2), How::Becomes(becomes)),
            None => wrong(Wrong::Type),
        }
    }

    fn list(&mut self, value: &'v Value, shape: &Shape, id: ShapeId) -> (Way, Needs<'v>) {
        let item = |at: usize| shape.prefix.get(at).copied().or(shape.item);
        if let Value::Array(list) = value {
            if shape.prefix.is_empty() && shape.item.is_none() {
                return known((Cost::default(), How::Keep));
            }
            // Elements of which nothing is said have no plan; they are the last.
            let needs = list.iter().enumerate().map_while(|(at, value)| Some((value, item(at)?)));
            return (Way::List, needs.collect());
        }
        if let Some(decoded) = self.decoded(value, id, '[') {
            return known(decoded);
        }
        if let Some(parts) = self.parts(value, shape, id) {
            return known(parts);
        }
        let first = item(0);
        let is_text = self.fitter.prose && first.is_none_or(|item| self.takes_text(item));
        match first {
            _ if value.is_null() || is_text => known(wrong(Wrong::Type)),
            Some(item) => (Way::Wrapped, vec![(value, item)]),
            None => {
                let list = Value::Array(vec![value.clone()]);
                let becomes = Becomes::new(Coercion::Wrapped, Risk::Lossless, list);
                known((Cost::structural(1), How::Becomes(becomes)))
            }
        }
    }

    /// A text that lists the elements.
    fn parts(&mut self, value: &Value, shape: &Shape, id: ShapeId) -> Option<(Cost, How)> {
        let item = shape.item.filter(|_| shape.prefix.is_empty())?;
        let text = value.as_str()?;
        let branches = self.fitter.shapes.with_branches(vec![item]);
        let choices: Vec<Choice> = branches
            .iter()
            .filter_map(|&id| self.fitter.shapes.get(id).choices.as_ref())
            .flatten()
            .cloned()
            .collect();
        let takes_text = branches.iter().any(|&id| self.takes_text(id));
        if !choices.is_empty() && !takes_text {
            // Every allowed value that is named.
            let named = all_named(text, &choices).filter(|named| named.len() > 1)?;
            self.work += text.len() as u64;
            let list = named.into_iter().map(|choice| choice.value.clone()).collect();
            return Some((Cost::structural(1), How::Split(Value::Array(list))));
        }
        if self.fitter.prose {
            return None;
        }
        let parts = split::split(text, takes_text)?;
        let list = Value::Array(parts.into_iter().map(Value::from).collect());
        let (cost, work) = self.fitter.inside().cost(&list, id);
        self.work += work;
        (cost.misfits == 0).then(|| (cost.plus(Cost::structural(1)), How::Split(list)))
    }

    fn fields(&mut self, value: &'v Value, shape: &Shape, id: ShapeId) -> (Way, Needs<'v>) {
        match value {
            Value::Object(object) => {
                self.work += object.len() as u64;
                let members = members(object, shape, self.fitter.on_unknown);
                let needs =
                    object.values().zip(&members.entries).filter_map(
                        |(value, member)| match member {
                            Member::Field(at) => Some((value, shape.props.get(*at)?.shape)),
                            Member::Extra(id) => Some((value, *id)),
                            _ => None,
                        },
                    );
                let needs = needs.collect();
                (Way::Object(members), needs)
            }
            Value::Array(list) => match list.as_slice() {
                [inner @ Value::Object(_)] => (Way::Unwrapped, vec![(inner, id)]),
                _ => known(wrong(Wrong::Type)),
            },
            // A bare number for an object of one number.
            Value::Number(_) | Value::Bool(_) => match shape.props.as_slice() {
                [prop] => (Way::InField, vec![(value, prop.shape)]),
                _ => known(wrong(Wrong::Type)),
            },
            _ => match self.decoded(value, id, '{') {
                Some(decoded) => known(decoded),
                None => known(wrong(Wrong::Type)),
            },
        }
    }

    /// JSON in a string.
    fn decoded(&mut self, value: &Value, id: ShapeId, opens: char) -> Option<(Cost, How)> {
        let Value::String(text) = value else { return None };
        let fitter = self.fitter;
        if fitter.prose || fitter.decode == 0 || !text.trim_start().starts_with(opens) {
            return None;
        }
        self.work += text.len() as u64;
        // Words in brackets are text.
        let inner = crate::read::lone(text)?;
        let (cost, work) = fitter.inside().cost(&inner, id);
        self.work += work;
        Some((cost.plus(Cost::structural(2)), How::Decoded(inner)))
    }

    fn takes_text(&self, id: ShapeId) -> bool {
        let shape = self.fitter.shapes.get(id);
        shape.is_any() || shape.types & STR != 0 && shape.choices.is_none()
    }
}

fn known<'v>((cost, how): (Cost, How)) -> (Way, Needs<'v>) {
    (Way::Known(cost, how), Vec::new())
}
