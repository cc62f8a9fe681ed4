//! The steps that the `handlebars` crate takes for us. Each looks up its node in our tree by number;
//! the crate only decides which step comes next. State is never locked while a body is rendered.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderError,
    RenderErrorReason, Renderable, ScopedJson, template::Template,
};
use serde_json::Value;

use super::values::{Frame, Val, Values, is_reported};
use crate::template::printer::{Printer, weight};
use crate::template::scope::{Found, is_truthy};
use crate::template::tree::{Expr, Node, PartialCall, Unit};
use promptline_diagnostic::Error;

/// What a helper does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Prints a text of the template.
    Text,
    /// Prints the value of an expression.
    Print,
    /// Prints what a helper of the crate answered.
    Say,
    /// Gives the value of an expression to a helper of the crate.
    Value,
    /// Tells whether an expression holds.
    Truth,
    If,
    Unless,
    Each,
    With,
    Partial,
}

impl Step {
    pub(super) const ALL: [Self; 10] = [
        Self::Text,
        Self::Print,
        Self::Say,
        Self::Value,
        Self::Truth,
        Self::If,
        Self::Unless,
        Self::Each,
        Self::With,
        Self::Partial,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Print => "print",
            Self::Say => "say",
            Self::Value => "value",
            Self::Truth => "truth",
            Self::If => "if",
            Self::Unless => "unless",
            Self::Each => "each",
            Self::With => "with",
            Self::Partial => "partial",
        }
    }
}

/// One render.
pub(super) struct State<'s> {
    pub(super) units: Vec<&'s Unit>,
    pub(super) printer: Printer<'s>,
    pub(super) values: Values<'s>,
    /// Why the render stopped.
    pub(super) failed: Option<Error>,
}

/// A helper of one render.
pub(super) struct StepHelper<'s, 'a> {
    pub(super) step: Step,
    pub(super) state: &'a Mutex<State<'s>>,
}

impl<'s> StepHelper<'s, '_> {
    fn state(&self) -> MutexGuard<'_, State<'s>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the state; an error ends the render and is kept.
    fn with<T>(
        &self,
        act: impl FnOnce(&mut State<'s>) -> Result<T, Error>,
    ) -> Result<T, RenderError> {
        let mut state = self.state();
        act(&mut state).map_err(|error| {
            let reason = RenderErrorReason::Other(error.message().to_owned());
            state.failed = Some(error);
            reason.into()
        })
    }
}

impl HelperDef for StepHelper<'_, '_> {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        let value = self.with(|state| {
            let (unit, expr) = state.place(h);
            let value = unit.and_then(|unit| state.values.value(unit, expr));
            if self.step == Step::Truth {
                state.printer.budget.step(0)?;
                return Ok(Value::Bool(value.is_some_and(|value| value.found.is_truthy())));
            }
            let value = value.map_or(Value::Null, |value| value.to_json());
            state.printer.budget.step(weight(&value))?;
            Ok(value)
        })?;
        Ok(ScopedJson::Derived(value))
    }

    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        r: &'reg Handlebars<'reg>,
        ctx: &'rc Context,
        rc: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let start = self.with(|state| {
            state.printer.budget.step(0)?;
            Ok(state.printer.start())
        })?;
        let mut render = |body: Option<&'rc Template>| match body {
            Some(body) => body.render(r, ctx, rc, out),
            None => Ok(()),
        };
        match self.step {
            Step::Text | Step::Print | Step::Say | Step::Value | Step::Truth => {
                return self.with(|state| state.print(self.step, h));
            }
            Step::If | Step::Unless => {
                let holds = h.param(2).is_some_and(|param| is_truthy(param.value()));
                let negated = self.step == Step::Unless;
                render(if holds == negated { h.inverse() } else { h.template() })?;
            }
            Step::Each => {
                let list = self.with(|state| Ok(state.block_value(h)))?;
                let rounds = list.as_ref().and_then(|list| Some((list, list.rounds()?)));
                match rounds.filter(|(_, (len, _))| *len > 0) {
                    None => render(h.inverse())?,
                    Some((list, (len, keys))) => {
                        for index in 0..len {
                            let key = keys.as_ref().and_then(|keys| keys.get(index));
                            self.with(|state| {
                                state.values.push_round(list, index, len, key.map(String::as_str));
                                state.printer.budget.step(0)
                            })?;
                            render(h.template())?;
                            self.state().values.pop();
                        }
                    }
                }
            }
            Step::With => {
                let item = self.with(|state| Ok(state.block_value(h)))?;
                if item.as_ref().is_some_and(|item| item.found.is_truthy()) {
                    self.state().values.push(Frame { item, round: None });
                    render(h.template())?;
                    self.state().values.pop();
                } else {
                    render(h.inverse())?;
                }
            }
            Step::Partial => {
                let Some(call) = self.with(|state| Ok(state.enter_partial(h)))? else {
                    return Ok(());
                };
                render(r.get_template(&call.name))?;
                self.state().leave_partial(call);
            }
        }
        self.state().printer.end(start);
        Ok(())
    }
}

impl<'s> State<'s> {
    /// The tree that a helper belongs to, and the number that it is about.
    fn place(&self, h: &Helper<'_>) -> (Option<&'s Unit>, usize) {
        let number = |at| {
            let number = h.param(at).and_then(|param| param.value().as_u64());
            number.and_then(|number| usize::try_from(number).ok()).unwrap_or(usize::MAX)
        };
        (self.units.get(number(0)).copied(), number(1))
    }

    fn node(&self, h: &Helper<'_>) -> Option<(&'s Unit, &'s Node)> {
        let (unit, node) = self.place(h);
        let unit = unit?;
        Some((unit, unit.nodes.get(node)?))
    }

    fn print(&mut self, step: Step, h: &Helper<'_>) -> Result<(), Error> {
        match self.node(h) {
            Some((unit, Node::Text(span))) => self.printer.text(unit.file.slice(span)),
            Some((unit, Node::Print(expr, written))) => {
                if step == Step::Say {
                    let answer = h.param(2).map_or(Value::Null, |param| param.value().clone());
                    return self.printer.found(&Found::Authored(Cow::Owned(answer)));
                }
                let found = match unit.exprs.get(*expr) {
                    Some(Expr::Name(name)) => {
                        let found = self.values.name(name);
                        if found.is_none() && is_reported(name) {
                            return self.printer.unresolved(&name.text, unit.file.slice(written));
                        }
                        found
                    }
                    _ => self.values.value(unit, *expr),
                };
                match found {
                    Some(value) => self.printer.found(&value.found),
                    None => {
                        self.printer.empty();
                        Ok(())
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// What a loop is about.
    fn block_value(&self, h: &Helper<'_>) -> Option<Val<'s>> {
        match self.node(h) {
            Some((unit, Node::Block(block))) => self.values.value(unit, block.expr),
            _ => None,
        }
    }

    fn enter_partial(&mut self, h: &Helper<'_>) -> Option<&'s PartialCall> {
        let (unit, Node::Partial(call)) = self.node(h)? else {
            return None;
        };
        let call = unit.calls.get(*call)?;
        // All arguments mean what they mean outside, so they come before anything is put in place.
        let fields: Vec<_> = call
            .fields
            .iter()
            .map(|(name, expr)| (&**name, self.values.value(unit, *expr)))
            .collect();
        if let Some(context) = call.context {
            let item = self.values.value(unit, context);
            self.values.push(Frame { item, round: None });
        }
        for (name, value) in fields {
            self.values.give(name, value);
        }
        Some(call)
    }

    fn leave_partial(&mut self, call: &PartialCall) {
        self.values.take_back(call.fields.len());
        if call.context.is_some() {
            self.values.pop();
        }
    }
}
