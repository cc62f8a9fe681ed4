//! Carries out a plan: the value that comes of it, and notes of everything that was done. Never decides
//! anything.

use std::iter::Zip;
use std::slice;

use serde_json::{Map, Value, map};

use super::Fitter;
use super::issue::{expected, found, issue};
use super::members::{Gap, Member, Members};
use super::notes::{Notes, brief};
use super::plan::{How, Plan, PlanId, Wrong};
use super::scalar::says_nothing;
use crate::parsed::{Coerced, Coercion, IssueKind, Renamed, Unknown};
use crate::repair::{Risk, step};
use crate::shape::{Prop, ShapeId, Shapes};
use crate::spec::OnUnknown;

pub(super) fn build<'p>(
    plans: &'p [Plan<'p>],
    root: PlanId,
    fitter: &'p Fitter<'p>,
    cut: Option<&'p Value>,
) -> (Value, Notes) {
    let mut builder = Builder { fitter, cut, path: fitter.path.clone(), notes: Notes::default() };
    let mut frames: Vec<Frame<'_>> = Vec::new();
    let mut next = Some(root);
    loop {
        // Down, to a value that needs no other; then up, as far as values are complete.
        let mut done = None;
        while let Some(plan) = next.take().and_then(|id| plans.get(id)) {
            match &plan.how {
                How::Branch(id) => next = Some(*id),
                how => match Frame::of(plan, how, fitter.shapes) {
                    Some(frame) => frames.push(frame),
                    None => done = Some(builder.leaf(plan)),
                },
            }
        }
        loop {
            let Some(frame) = frames.last_mut() else {
                return (done.unwrap_or_default(), builder.notes);
            };
            if let Some(value) = done.take() {
                builder.put(frame, value);
            }
            next = builder.child(frame);
            if next.is_some() {
                break;
            }
            done = frames.pop().map(|frame| builder.close(frame));
        }
    }
}

/// A value that is made of others.
struct Frame<'p> {
    value: &'p Value,
    shape: ShapeId,
    plans: slice::Iter<'p, PlanId>,
    /// How long the path is without the step to the child.
    path: usize,
    made: Made<'p>,
}

enum Made<'p> {
    List(Vec<Value>),
    Object {
        fitted: Map<String, Value>,
        /// Entries that are not dealt with.
        entries: Zip<map::Iter<'p>, slice::Iter<'p, Member>>,
        gaps: &'p [Gap],
        /// The field whose value comes next.
        name: &'p str,
        /// The schema names none of its keys.
        nothing_known: bool,
    },
    Around {
        how: &'p How,
        inner: Value,
    },
}

impl<'p> Frame<'p> {
    fn of(plan: &'p Plan<'p>, how: &'p How, shapes: &Shapes) -> Option<Self> {
        let (plans, made) = match how {
            How::List(plans) => (plans.as_slice(), Made::List(Vec::with_capacity(plans.len()))),
            How::Object(members, plans) => {
                let nothing_known = members.knows_nothing(shapes.get(plan.shape));
                let Members { entries, gaps } = members;
                let fitted = Map::with_capacity(entries.len());
                let entries = plan.value.as_object()?.iter().zip(entries);
                let made = Made::Object { fitted, entries, gaps, name: "", nothing_known };
                (plans.as_slice(), made)
            }
            How::Wrapped(id) | How::InField(id) | How::Unwrapped(id) => {
                (slice::from_ref(id), Made::Around { how, inner: Value::Null })
            }
            _ => return None,
        };
        Some(Self { value: plan.value, shape: plan.shape, plans: plans.iter(), path: 0, made })
    }
}

struct Builder<'p> {
    fitter: &'p Fitter<'p>,
    /// A value that is not whole.
    cut: Option<&'p Value>,
    path: String,
    notes: Notes,
}

impl<'p> Builder<'p> {
    /// A value that is not made of others.
    fn leaf(&mut self, plan: &Plan<'_>) -> Value {
        match &plan.how {
            How::Becomes(becomes) => {
                self.coerced(becomes.how, becomes.risk, plan.value, &becomes.value);
                becomes.value.clone()
            }
            How::Decoded(inner) => {
                let mut inside = self.fitter.inside();
                inside.path.clone_from(&self.path);
                let (_, value, notes, _) = inside.fit(inner, plan.shape, None);
                self.coerced(Coercion::Decoded, Risk::Lossless, plan.value, &value);
                self.notes.take(notes);
                value
            }
            How::Split(parts) => {
                let mut inside = self.fitter.inside();
                inside.path.clone_from(&self.path);
                let (_, value, notes, _) = inside.fit(parts, plan.shape, None);
                self.coerced(Coercion::Split, Risk::Guess, plan.value, &value);
                self.notes.take(notes);
                value
            }
            How::Wrong(wrong) => {
                self.wrong(wrong, plan);
                plan.value.clone()
            }
            _ => plan.value.clone(),
        }
    }

    /// What it may do to the meaning that the value of an optional field is left out.
    fn risk_of_leaving_out(&self, value: &Value) -> Risk {
        let is_cut = self.cut.is_some_and(|cut| std::ptr::eq(cut, value));
        match value {
            Value::Null if !is_cut => Risk::Lossless,
            Value::String(text) if !is_cut && says_nothing(text) => Risk::Guess,
            _ => Risk::Lossy,
        }
    }

    /// The next plan that is to be carried out for a value; entries that need none are put into it.
    fn child(&mut self, frame: &mut Frame<'p>) -> Option<PlanId> {
        frame.path = self.path.len();
        let props = &self.fitter.shapes.get(frame.shape).props;
        match &mut frame.made {
            Made::List(done) => {
                let id = frame.plans.next()?;
                step(&mut self.path, &done.len().to_string());
                Some(*id)
            }
            Made::Around { how, .. } => {
                let id = frame.plans.next()?;
                match how {
                    How::Wrapped(_) => step(&mut self.path, "0"),
                    How::InField(_) => step(&mut self.path, first(props)),
                    _ => {}
                }
                Some(*id)
            }
            Made::Object { fitted, entries, name, .. } => {
                for ((key, value), member) in entries {
                    let prop = member.field().and_then(|at| props.get(at));
                    *name = prop.map_or(key, |prop| &prop.name);
                    if prop.is_some() && key != name {
                        let (path, from, to) = (self.path.clone(), key.clone(), (*name).to_owned());
                        self.notes.renamed.push(Renamed { path, from, to });
                    }
                    match member {
                        Member::Field(_) | Member::Extra(_) => {
                            step(&mut self.path, name);
                            return frame.plans.next().copied();
                        }
                        Member::Meant(_, meant) => {
                            self.note(name, Coercion::Synonym, Risk::Lossless, value, meant);
                            fitted.insert((*name).to_owned(), meant.clone());
                        }
                        Member::LeftOut(_) => {
                            let default = prop.and_then(|prop| prop.default.as_ref());
                            let how = default.map_or(Coercion::LeftOut, |_| Coercion::Default);
                            let risk = self.risk_of_leaving_out(value);
                            self.note(name, how, risk, value, default.unwrap_or(&Value::Null));
                            if let Some(default) = default {
                                fitted.insert((*name).to_owned(), default.clone());
                            }
                        }
                        Member::Free => {
                            fitted.insert(key.clone(), value.clone());
                        }
                        Member::Unknown(what) => {
                            if self.unknown(*what, key, value) {
                                fitted.insert(key.clone(), value.clone());
                            }
                        }
                    }
                }
                None
            }
        }
    }

    /// Takes the value that a child has come to.
    fn put(&mut self, frame: &mut Frame<'p>, value: Value) {
        self.path.truncate(frame.path);
        match &mut frame.made {
            Made::List(done) => done.push(value),
            Made::Object { fitted, name, .. } => {
                fitted.insert((*name).to_owned(), value);
            }
            Made::Around { inner, .. } => *inner = value,
        }
    }

    fn close(&mut self, frame: Frame<'p>) -> Value {
        let props = &self.fitter.shapes.get(frame.shape).props;
        match frame.made {
            Made::List(mut done) => {
                // Elements of which the schema says nothing.
                let rest = frame.value.as_array().and_then(|list| list.get(done.len()..));
                done.extend(rest.unwrap_or_default().iter().cloned());
                Value::Array(done)
            }
            Made::Object { mut fitted, gaps, nothing_known, .. } => {
                if nothing_known {
                    self.nothing_known(frame.value, props);
                }
                for gap in gaps {
                    if let Some(prop) = props.get(gap.prop) {
                        self.gap(prop, &gap.keys, &mut fitted);
                    }
                }
                Value::Object(fitted)
            }
            Made::Around { how, inner } => {
                let (how, value) = match how {
                    How::Wrapped(_) => (Coercion::Wrapped, Value::Array(vec![inner])),
                    How::InField(_) => {
                        let mut object = Map::new();
                        object.insert(first(props).to_owned(), inner);
                        (Coercion::Wrapped, Value::Object(object))
                    }
                    _ => (Coercion::Unwrapped, inner),
                };
                let guess = value.is_object() && how == Coercion::Wrapped;
                let risk = if guess { Risk::Guess } else { Risk::Lossless };
                self.coerced(how, risk, frame.value, &value);
                value
            }
        }
    }

    /// Says of an object that none of its keys is a field.
    fn nothing_known(&mut self, value: &Value, props: &[Prop]) {
        const MOST: usize = 8;
        let has_issue = props.iter().any(|prop| prop.required && prop.default.is_none());
        if props.is_empty() || has_issue {
            // What is missing is reported.
            return;
        }
        let names: Vec<String> =
            props.iter().take(MOST).map(|prop| format!("`{}`", prop.name)).collect();
        let keys: Vec<&str> = value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.as_str())
            .take(MOST)
            .collect();
        let found = crate::repair::short(&keys.join(", "));
        let what = "none of its keys is a field of the schema";
        let (path, kind) = (self.path.clone(), IssueKind::Unknown);
        self.notes.issues.push(issue(kind, path, names.join(" | "), found, what));
    }

    /// A field that is not there.
    fn gap(&mut self, prop: &Prop, keys: &[String], fitted: &mut Map<String, Value>) {
        if let Some(default) = &prop.default {
            self.note(&prop.name, Coercion::Default, Risk::Lossless, &Value::Null, default);
            fitted.insert(prop.name.clone(), default.clone());
            return;
        }
        if !prop.required {
            return;
        }
        let mut path = self.path.clone();
        step(&mut path, &prop.name);
        let expected = expected(self.fitter.shapes, prop.shape);
        let (kind, what) = if keys.is_empty() {
            (IssueKind::Missing, format!("this field is missing; expected {expected}"))
        } else {
            let keys = keys.join("`, `");
            (IssueKind::Ambiguous, format!("each of `{keys}` could be this field; write it once"))
        };
        self.notes.issues.push(issue(kind, path, expected, String::new(), &what));
    }

    /// A field that the schema does not know; says whether it stays.
    fn unknown(&mut self, what: OnUnknown, key: &str, value: &Value) -> bool {
        let kept = what == OnUnknown::Keep;
        let mut path = self.path.clone();
        step(&mut path, key);
        if what == OnUnknown::Reject {
            let what = "this field is not in the schema; leave it out";
            let expected = "no such field".to_owned();
            let issue = issue(IssueKind::Unknown, path.clone(), expected, found(value), what);
            self.notes.issues.push(issue);
        }
        self.notes.unknown.push(Unknown { path, value: value.clone(), kept });
        kept
    }

    fn wrong(&mut self, wrong: &Wrong, plan: &Plan<'_>) {
        let expected = expected(self.fitter.shapes, plan.shape);
        let (kind, what) = match wrong {
            Wrong::Type => {
                (IssueKind::Type, format!("a value of another type is wanted: {expected}"))
            }
            Wrong::Enum => {
                (IssueKind::Enum, format!("it is none of the values that are allowed: {expected}"))
            }
            Wrong::Ambiguous(names) => {
                (IssueKind::Ambiguous, format!("it could be each of {}", names.join(", ")))
            }
            Wrong::Cut => (
                IssueKind::Truncated,
                "the answer was cut off in this value, so it may not be whole".to_owned(),
            ),
        };
        let issue = issue(kind, self.path.clone(), expected, found(plan.value), &what);
        self.notes.issues.push(issue);
    }

    /// A note about a field of the object that is being made.
    fn note(&mut self, name: &str, how: Coercion, risk: Risk, before: &Value, after: &Value) {
        let length = self.path.len();
        step(&mut self.path, name);
        self.coerced(how, risk, before, after);
        self.path.truncate(length);
    }

    fn coerced(&mut self, how: Coercion, risk: Risk, before: &Value, after: &Value) {
        let path = self.path.clone();
        self.notes.coerced.push(Coerced {
            path,
            how,
            risk,
            before: brief(before),
            after: brief(after),
        });
    }
}

fn first(props: &[Prop]) -> &str {
    props.first().map_or("", |prop| prop.name.as_str())
}
