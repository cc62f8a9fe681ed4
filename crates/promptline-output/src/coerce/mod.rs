//! Turns a value into what the schema wants, at the lowest cost, and says what it did. Never invents a
//! value, and never turns an object into a string.
//!
//! First every [`way`] to read every value is weighed ([`plan`]), then the cheapest is carried out ([`build`]).
//! Both keep their own stack: however deep a value is, nothing recurses.

mod build;
mod choice;
mod cost;
mod issue;
mod members;
mod notes;
mod number;
mod plan;
mod scalar;
mod split;
mod way;

use serde_json::Value;

use crate::shape::{ShapeId, Shapes};
use crate::spec::OnUnknown;
pub(crate) use cost::Cost;
pub(crate) use issue::{expected, found, issue};
pub(crate) use members::{Member, members};
pub(crate) use notes::{Notes, brief};
use plan::Planner;
pub(crate) use scalar::is_null_word;

/// Fits values to the shapes of one spec.
#[derive(Debug, Clone)]
pub(crate) struct Fitter<'s> {
    shapes: &'s Shapes,
    on_unknown: OnUnknown,
    /// The value is the text of the answer: words for values are looked for in it.
    prose: bool,
    /// How often JSON in strings may still be read.
    decode: u8,
    /// Where the value is in the answer, as a JSON Pointer.
    path: String,
}

impl<'s> Fitter<'s> {
    pub(crate) fn new(shapes: &'s Shapes, on_unknown: OnUnknown, prose: bool) -> Self {
        Self { shapes, on_unknown, prose, decode: 2, path: String::new() }
    }

    /// Fits a value; `cut` is the path of one that is not whole. Gives the work as well: values looked at.
    pub(crate) fn root(self, value: &Value, cut: Option<&str>) -> (Cost, Value, Notes, u64) {
        let cut = cut.and_then(|path| value.pointer(path));
        self.fit(value, 0, cut)
    }

    /// The same for the JSON in a string.
    fn inside(&self) -> Self {
        Self { decode: self.decode.saturating_sub(1), ..self.clone() }
    }

    /// The same for a value by any of the shapes.
    pub(crate) fn fit(
        &self,
        value: &Value,
        shape: ShapeId,
        cut: Option<&Value>,
    ) -> (Cost, Value, Notes, u64) {
        if self.shapes.get(shape).is_any() && cut.is_none() {
            return (Cost::default(), value.clone(), Notes::default(), 1);
        }
        let mut planner = Planner::new(self, cut);
        let root = planner.plan(value, shape);
        let (plans, work) = planner.end();
        let cost = plans.get(root).map_or(Cost::MISFIT, |plan| plan.cost);
        let (fitted, notes) = build::build(&plans, root, self, cut);
        (cost, fitted, notes, work)
    }

    /// What it costs, and the work to find out.
    fn cost(&self, value: &Value, shape: ShapeId) -> (Cost, u64) {
        let mut planner = Planner::new(self, None);
        let root = planner.plan(value, shape);
        let (plans, work) = planner.end();
        (plans.get(root).map_or(Cost::MISFIT, |plan| plan.cost), work)
    }
}
