//! How each value is best read: as one question, "this value by this shape, at what cost?", that waits for the
//! questions it leads to. Each is answered once, so that unions of unions stay linear; one that leads back to
//! itself is no way to read anything.

use std::collections::HashMap;

use serde_json::Value;

use super::Fitter;
use super::cost::Cost;
use super::members::{Member, Members};
use super::scalar::{self, Becomes};
use super::way::{Needs, Way};
use crate::shape::ShapeId;
use crate::spec::OnUnknown;

/// A place in the list of plans.
pub(super) type PlanId = usize;

/// How one value is read by one shape. It leads to earlier plans only.
#[derive(Debug)]
pub(super) struct Plan<'v> {
    pub(super) value: &'v Value,
    pub(super) shape: ShapeId,
    pub(super) cost: Cost,
    pub(super) how: How,
}

#[derive(Debug)]
pub(super) enum How {
    Keep,
    Becomes(Becomes),
    Wrong(Wrong),
    /// By a branch of the union.
    Branch(PlanId),
    /// Element by element.
    List(Vec<PlanId>),
    /// Field by field: those that have a plan of their own have it here, in the order of the members.
    Object(Members, Vec<PlanId>),
    /// As the only element of a list.
    Wrapped(PlanId),
    /// As the only field of an object.
    InField(PlanId),
    /// As the only element of a list that is there.
    Unwrapped(PlanId),
    /// As the JSON in a string.
    Decoded(Value),
    /// As the parts of a text, which are the elements of a list.
    Split(Value),
}

/// What is wrong with a value. Ordered: the last says most.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wrong {
    Type,
    /// None of the values that are allowed.
    Enum,
    /// It could be these.
    Ambiguous(Vec<String>),
    /// The answer was cut off in it.
    Cut,
}

/// A question that is being answered.
struct Question<'v> {
    value: &'v Value,
    shape: ShapeId,
    way: Way,
    needs: Needs<'v>,
    /// The plans for what it needs, in order; none where that leads back here.
    found: Vec<Option<PlanId>>,
}

pub(super) struct Planner<'v, 'f, 's> {
    pub(super) fitter: &'f Fitter<'s>,
    /// A value that is not whole: it counts as missing.
    pub(super) cut: Option<&'v Value>,
    /// Answers by the address of the value and its shape; none while a question is open.
    answers: HashMap<(usize, ShapeId), Option<PlanId>>,
    plans: Vec<Plan<'v>>,
    /// Values looked at, and bytes of those that were read once more.
    pub(super) work: u64,
}

impl<'v, 'f, 's> Planner<'v, 'f, 's> {
    pub(super) fn new(fitter: &'f Fitter<'s>, cut: Option<&'v Value>) -> Self {
        Self { fitter, cut, answers: HashMap::new(), plans: Vec::new(), work: 0 }
    }

    pub(super) fn end(self) -> (Vec<Plan<'v>>, u64) {
        (self.plans, self.work)
    }

    pub(super) fn plan(&mut self, value: &'v Value, shape: ShapeId) -> PlanId {
        let mut open = vec![self.ask(value, shape)];
        while let Some(question) = open.last_mut() {
            if let Some(&(value, shape)) = question.needs.get(question.found.len()) {
                match self.answers.get(&key(value, shape)) {
                    Some(answer) => question.found.push(*answer),
                    None => open.push(self.ask(value, shape)),
                }
            } else if let Some(question) = open.pop() {
                self.answer(question);
            }
        }
        self.plans.len().saturating_sub(1)
    }

    fn ask(&mut self, value: &'v Value, id: ShapeId) -> Question<'v> {
        self.work += 1;
        self.answers.insert(key(value, id), None);
        let (way, needs) = self.way(value, id);
        Question { value, shape: id, way, found: Vec::with_capacity(needs.len()), needs }
    }

    fn answer(&mut self, question: Question<'v>) {
        let Question { value, shape, way, found, .. } = question;
        let (cost, how) = match way {
            Way::Known(cost, how) => (cost, how),
            Way::Union => self.union(value, &found),
            Way::List => {
                let items: Vec<PlanId> = found.into_iter().flatten().collect();
                (self.children(&items), How::List(items))
            }
            Way::Object(members) => self.object(value, shape, members, found),
            Way::Wrapped => self.around(&found, Cost::structural(1), true, How::Wrapped),
            Way::InField => self.around(&found, Cost::structural(4), true, How::InField),
            Way::Unwrapped => self.around(&found, Cost::structural(2), false, How::Unwrapped),
        };
        self.answers.insert(key(value, shape), Some(self.plans.len()));
        self.plans.push(Plan { value, shape, cost, how });
    }

    /// The branch that costs least, of equals the first; one that is wrong as a whole comes last.
    fn union(&self, value: &Value, found: &[Option<PlanId>]) -> (Cost, How) {
        let branches = || found.iter().flatten().filter_map(|&id| Some((id, self.plans.get(id)?)));
        let wrong_as_a_whole = |plan: &Plan<'_>| match &plan.how {
            How::Wrong(wrong) => Some(wrong.clone()),
            _ => None,
        };
        // `"None"`, where null is a branch and text is another.
        let is_null =
            |plan: &Plan<'_>| matches!(&plan.how, How::Becomes(one) if one.value.is_null());
        if value.as_str().is_some_and(scalar::is_null_word)
            && let Some((id, plan)) = branches().find(|(_, plan)| is_null(plan))
        {
            return (plan.cost, How::Branch(id));
        }
        let best = branches().min_by_key(|(_, plan)| (wrong_as_a_whole(plan).is_some(), plan.cost));
        let Some((id, plan)) = best else { return wrong(Wrong::Type) };
        let is_scalar = scalar::is_scalar(value);
        if plan.cost.misfits > 0 && (is_scalar || wrong_as_a_whole(plan).is_some()) {
            // What is wrong is said of all branches.
            let most = branches().filter_map(|(_, plan)| wrong_as_a_whole(plan)).max();
            return wrong(most.unwrap_or(Wrong::Type));
        }
        (plan.cost, How::Branch(id))
    }

    fn object(
        &self,
        value: &Value,
        id: ShapeId,
        mut members: Members,
        found: Vec<Option<PlanId>>,
    ) -> (Cost, How) {
        let shape = self.fitter.shapes.get(id);
        let keys = value.as_object().into_iter().flatten();
        let mut cost = Cost::default();
        let mut plans = Vec::with_capacity(found.len());
        let mut found = found.into_iter().flatten();
        for ((key, value), member) in keys.zip(&mut members.entries) {
            let own = match *member {
                Member::Field(at) => {
                    let Some((plan, prop)) = found.next().zip(shape.props.get(at)) else {
                        continue;
                    };
                    let child = self.plans.get(plan).map_or(Cost::MISFIT, |plan| plan.cost);
                    let optional = prop.default.is_some() || !prop.required;
                    let nothing = value.is_null() || self.is_cut(value);
                    if child.misfits > 0 && optional && (nothing || scalar::is_scalar(value)) {
                        *member = Member::LeftOut(at);
                        // What was written there is lost.
                        if nothing { Cost::of(1) } else { Cost::structural(4).plus(Cost::LOST) }
                    } else {
                        plans.push(plan);
                        child.of_child().plus(renamed(key, &prop.name))
                    }
                }
                Member::Extra(_) => {
                    let Some(plan) = found.next() else { continue };
                    plans.push(plan);
                    self.plans.get(plan).map_or(Cost::MISFIT, |plan| plan.cost).of_child()
                }
                Member::Meant(at, _) => {
                    let name = shape.props.get(at).map_or("", |prop| prop.name.as_str());
                    Cost::of(1).of_child().plus(renamed(key, name))
                }
                Member::Unknown(OnUnknown::Reject) => Cost::MISFIT,
                Member::Unknown(OnUnknown::Keep) => Cost::of(1),
                Member::Unknown(_) => Cost::LOST,
                Member::LeftOut(_) | Member::Free => Cost::default(),
            };
            cost = cost.plus(own);
        }
        for gap in &members.gaps {
            let prop = shape.props.get(gap.prop);
            let filled = prop.is_none_or(|prop| prop.default.is_some() || !prop.required);
            cost = cost.plus(if filled { Cost::of(1) } else { Cost::MISFIT });
        }
        if members.knows_nothing(shape) {
            cost = cost.plus(Cost::MISFIT);
        }
        (cost, How::Object(members, plans))
    }

    /// The answer was cut off in this value.
    fn is_cut(&self, value: &Value) -> bool {
        self.cut.is_some_and(|cut| std::ptr::eq(cut, value))
    }

    /// One value in, or out of, another.
    fn around(
        &self,
        found: &[Option<PlanId>],
        more: Cost,
        is_child: bool,
        how: fn(PlanId) -> How,
    ) -> (Cost, How) {
        let inner = found.first().copied().flatten();
        match inner.and_then(|id| Some((id, self.plans.get(id)?))) {
            Some((id, plan)) => {
                let inner = if is_child { plan.cost.of_child() } else { plan.cost };
                (inner.plus(more), how(id))
            }
            None => wrong(Wrong::Type),
        }
    }

    fn children(&self, plans: &[PlanId]) -> Cost {
        plans
            .iter()
            .filter_map(|&id| self.plans.get(id))
            .fold(Cost::default(), |cost, plan| cost.plus(plan.cost.of_child()))
    }
}

pub(super) fn wrong(wrong: Wrong) -> (Cost, How) {
    (Cost::MISFIT, How::Wrong(wrong))
}

/// A key that is written in another way.
fn renamed(key: &str, name: &str) -> Cost {
    Cost::of(u64::from(key != name))
}

fn key(value: &Value, shape: ShapeId) -> (usize, ShapeId) {
    (std::ptr::from_ref(value) as usize, shape)
}
