//! Two schemas about one value, made one shape: both hold, or either may. Where they cannot both hold, the
//! validator will say so. A shape that leads back to itself adds nothing to itself.

use super::compile::{Compiler, JOINED};
use super::{Choice, INT, NUM, Prop, Rest, Shape, ShapeId};
use crate::error::Error;

/// How many shapes there may be before no more are joined.
const MOST: usize = 10_000;

impl Compiler<'_> {
    /// Adds what holds as well.
    pub(super) fn merge(&mut self, shape: &mut Shape, part: Shape) -> Result<(), Error> {
        if self.joining >= JOINED || self.shapes.len() > MOST {
            return Ok(());
        }
        self.joining += 1;
        let description = shape.description.take().or_else(|| part.description.clone());
        let example = shape.example.take().or_else(|| part.example.clone());
        let merged = self.merged(std::mem::take(shape), part);
        self.joining -= 1;
        *shape = Shape { description, example, ..merged? };
        Ok(())
    }

    fn merged(&mut self, shape: Shape, part: Shape) -> Result<Shape, Error> {
        if shape.is_any() {
            let rules = [shape.rules, part.rules].concat();
            return Ok(Shape { rules, ..part });
        }
        match (shape.any_of.is_empty(), part.any_of.is_empty()) {
            (_, true) if part.is_any() => {
                let rules = [shape.rules, part.rules].concat();
                Ok(Shape { rules, ..shape })
            }
            (true, true) => self.plain(shape, part),
            (true, false) => self.distributed(part.any_of, shape),
            (false, true) => self.distributed(shape.any_of, part),
            // Not every pair of branches: the second ones only add their fields.
            (false, false) => {
                let mut shape = shape;
                self.or(&mut shape, part)?;
                Ok(shape)
            }
        }
    }

    /// What holds in every branch, put into each.
    fn distributed(&mut self, branches: Vec<ShapeId>, beside: Shape) -> Result<Shape, Error> {
        let mut ready = Vec::with_capacity(branches.len());
        for &branch in &branches {
            ready.push(self.ready(branch)?);
        }
        let says_no_more = |branch: &Shape| {
            branch.types != 0 && intersection(branch.types, beside.types) == branch.types
        };
        if !beside.says_more_than_types() && ready.iter().all(says_no_more) {
            return Ok(Shape { any_of: branches, ..Shape::default() });
        }
        let mut any_of = Vec::with_capacity(ready.len());
        for mut branch in ready {
            self.merge(&mut branch, Shape { description: None, example: None, ..beside.clone() })?;
            any_of.push(self.push(branch));
        }
        Ok(Shape { any_of, ..Shape::default() })
    }

    fn plain(&mut self, mut shape: Shape, part: Shape) -> Result<Shape, Error> {
        shape.types = intersection(shape.types, part.types);
        for prop in part.props {
            match shape.props.iter_mut().find(|own| own.name == prop.name) {
                Some(own) => {
                    own.required |= prop.required;
                    own.aliases.extend(prop.aliases);
                    own.default = own.default.take().or(prop.default).filter(|_| !own.required);
                    own.shape = self.both(own.shape, prop.shape)?;
                }
                None => shape.props.push(prop),
            }
        }
        shape.choices = match (shape.choices.take(), part.choices) {
            (Some(own), Some(other)) => Some(shared(own, &other)),
            (own, other) => own.or(other),
        };
        shape.rules.extend(part.rules);
        shape.extra.patterns.extend(part.extra.patterns);
        if shape.extra.rest == Rest::Unsaid {
            shape.extra.rest = part.extra.rest;
        }
        shape.item = shape.item.or(part.item);
        if shape.prefix.is_empty() {
            shape.prefix = part.prefix;
        }
        Ok(shape)
    }

    /// Adds fields that may be there.
    pub(super) fn or(&mut self, shape: &mut Shape, part: Shape) -> Result<(), Error> {
        let mut props = part.props;
        for branch in part.any_of {
            props.extend(self.ready(branch)?.props);
        }
        if props.is_empty() {
            return Ok(());
        }
        if shape.any_of.is_empty() {
            self.add_fields(shape, &props);
            return Ok(());
        }
        let mut any_of = Vec::with_capacity(shape.any_of.len());
        for branch in std::mem::take(&mut shape.any_of) {
            let mut branch = self.ready(branch)?;
            if branch.any_of.is_empty() {
                self.add_fields(&mut branch, &props);
            }
            any_of.push(self.push(branch));
        }
        shape.any_of = any_of;
        Ok(())
    }

    fn add_fields(&mut self, shape: &mut Shape, props: &[Prop]) {
        for prop in props {
            match shape.props.iter_mut().find(|own| own.name == prop.name) {
                Some(own) if own.shape == prop.shape => {}
                Some(own) => {
                    own.aliases.extend(prop.aliases.iter().cloned());
                    let any_of = vec![own.shape, prop.shape];
                    own.shape = self.push(Shape { any_of, ..Shape::default() });
                }
                None => shape.props.push(Prop { required: false, ..prop.clone() }),
            }
        }
    }

    fn both(&mut self, one: ShapeId, two: ShapeId) -> Result<ShapeId, Error> {
        if one == two {
            return Ok(one);
        }
        let (mut first, second) = (self.ready(one)?, self.ready(two)?);
        if second.is_any() {
            return Ok(one);
        }
        if first.is_any() {
            return Ok(two);
        }
        self.merge(&mut first, second)?;
        Ok(self.push(first))
    }
}

/// What both allow; if that is nothing, the validator will say so.
fn shared(own: Vec<Choice>, other: &[Choice]) -> Vec<Choice> {
    let is_shared = |one: &&Choice| other.iter().any(|two| two.value == one.value);
    let shared: Vec<Choice> = own.iter().filter(is_shared).cloned().collect();
    if shared.is_empty() { own } else { shared }
}

/// The types that are in both; an integer is a number. None: any.
fn intersection(left: u8, right: u8) -> u8 {
    let with_integers = |types: u8| if types & NUM != 0 { types | INT } else { types };
    match (left, right) {
        (0, types) | (types, 0) => types,
        _ => {
            let both = with_integers(left) & with_integers(right);
            let both = if both & NUM != 0 { both & !INT } else { both };
            if both == 0 { left } else { both }
        }
    }
}
