//! The logic lane: templates with loops, partials and helpers. The `handlebars` crate walks the tree
//! and knows what `eq` and its kind mean. Its parser is never called (it overflows the stack on deep
//! input), and no text passes through it: what is printed is printed by this crate, with its origin.

mod helpers;
mod program;
mod values;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use handlebars::{Context, Output, RenderContext, RenderError, Renderable};
use once_cell::sync::OnceCell;

use super::printer::Printer;
use super::scope::Scope;
use super::tree::Unit;
use helpers::{State, Step, StepHelper};
use program::Program;
use promptline_diagnostic::{Error, ErrorKind};
use values::Values;

/// What the logic lane needs beside the tree.
pub(super) struct Logic {
    /// The partials that the template prints, through others too.
    partials: BTreeMap<String, Arc<Unit>>,
    /// Made at first use: most templates of a pack are never rendered.
    program: OnceCell<Program>,
}

impl Logic {
    /// Never fails; without the feature `handlebars` there is no logic lane, and then it does.
    pub(super) fn new(_: &Unit, partials: BTreeMap<String, Arc<Unit>>) -> Result<Self, Error> {
        Ok(Self { partials, program: OnceCell::new() })
    }

    /// Makes the program now.
    pub(super) fn compile(&self, unit: &Unit) {
        self.program(unit);
    }

    fn program(&self, unit: &Unit) -> &Program {
        self.program.get_or_init(|| Program::new(unit, &self.partials))
    }

    /// Renders the template. `unit` is the one that this was made for.
    pub(super) fn render<'s>(
        &'s self,
        unit: &'s Unit,
        scope: &'s dyn Scope,
    ) -> Result<Printer<'s>, Error> {
        let program = self.program(unit);
        let partials = self.partials.values().map(|unit| &**unit);
        let state = Mutex::new(State {
            units: std::iter::once(unit).chain(partials).collect(),
            printer: Printer::new(scope, unit.text_len, 0),
            values: Values::new(scope),
            failed: None,
        });
        let rendered = run(program, &state);
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (state.failed, rendered) {
            (Some(error), _) => Err(error),
            (None, Ok(())) => Ok(state.printer),
            (None, Err(error)) => Err(Error::new(ErrorKind::Template, error.to_string())),
        }
    }
}

fn run(program: &Program, state: &Mutex<State<'_>>) -> Result<(), RenderError> {
    let data = Context::null();
    let mut context = RenderContext::new(None);
    for step in Step::ALL {
        context.register_local_helper(step.name(), Box::new(StepHelper { step, state }));
    }
    program.main.render(&program.registry, &data, &mut context, &mut Nowhere)
}

/// Nothing that is printed passes through the crate.
struct Nowhere;

impl Output for Nowhere {
    fn write(&mut self, _: &str) -> Result<(), std::io::Error> {
        Ok(())
    }
}
