//! The logic lane: templates with loops, partials and helpers, rendered by the `handlebars` crate with
//! its own helpers, ours under the names of its blocks, and those of the host.
//!
//! The crate gets its template as a tree (`compile`), not as source text. Its parser overflows the
//! stack on deep input, reads a backslash before braces as an escape, changes the content of raw
//! blocks, and judges white space otherwise; ours has done all of that already. Names are not paths of
//! the crate either but calls of `value`: a name here may be a field or a placeholder, is looked up in a
//! [`Scope`] only when it is needed, and keeps where its value came from, so that a value from
//! somewhere else is printed as a token and never as authored text.

mod blocks;
mod compile;
mod helpers;
mod host;
mod json;
mod render;
mod values;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use handlebars::{Context, RenderContext, RenderError, Renderable};
use once_cell::sync::OnceCell;

use super::printer::Printer;
use super::scope::Scope;
use super::tree::Unit;
use compile::Program;
pub use helpers::Helpers;
use host::HostHelper;
use promptline_diagnostic::Error;
use render::{Sink, State, lock};

/// What the logic lane needs beside the tree.
pub(super) struct Logic {
    /// The partials that the template prints, through others too.
    partials: BTreeMap<String, Arc<Unit>>,
    /// The host's helpers that it was read with.
    helpers: Helpers,
    /// Made at first use: most templates of a pack are never rendered.
    program: OnceCell<Program>,
}

impl Logic {
    /// Never fails; without the feature `handlebars` there is no logic lane, and then it does.
    pub(super) fn new(
        _: &Unit,
        partials: BTreeMap<String, Arc<Unit>>,
        helpers: Helpers,
    ) -> Result<Self, Error> {
        Ok(Self { partials, helpers, program: OnceCell::new() })
    }

    /// Compiles now.
    pub(super) fn compile(&self, unit: &Unit) {
        self.program(unit);
    }

    fn program(&self, unit: &Unit) -> &Program {
        self.program.get_or_init(|| Program::new(unit, &self.partials))
    }

    /// The helpers of a host that the template or one of its partials calls.
    pub(super) fn host_helpers<'u>(&'u self, unit: &'u Unit) -> impl Iterator<Item = &'u str> {
        let units = std::iter::once(unit).chain(self.partials.values().map(|unit| &**unit));
        units.flat_map(|unit| unit.helpers.iter().map(|helper| &*helper.name))
    }

    /// Renders the template. `unit` is the one that this was made for.
    pub(super) fn render<'s>(
        &'s self,
        unit: &'s Unit,
        scope: &'s dyn Scope,
    ) -> Result<Printer<'s>, Error> {
        let partials = self.partials.values().map(|unit| &**unit);
        let units = std::iter::once(unit).chain(partials).collect();
        let state = Mutex::new(State::new(units, scope));
        let mut sink = Sink::with_capacity(unit.text_len);
        let rendered = self.run(unit, scope, &state, &mut sink);
        let state = state.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.finish(rendered, sink)
    }

    fn run(
        &self,
        unit: &Unit,
        scope: &dyn Scope,
        state: &Mutex<State<'_>>,
        sink: &mut Sink,
    ) -> Result<(), RenderError> {
        let program = self.program(unit);
        let data = Context::null();
        let mut context = RenderContext::new(None);
        blocks::register(&mut context, state);
        for name in self.host_helpers(unit) {
            let helper = scope.helpers().and_then(|helpers| helpers.get(name));
            match helper.or_else(|| self.helpers.get(name)) {
                Some(helper) => {
                    let helper = HostHelper { name, helper, state };
                    context.register_local_helper(name, Box::new(helper));
                }
                None => {
                    let missing = helpers::not_registered(name);
                    return Err(lock(state).fail(missing));
                }
            }
        }
        program.main.render(&program.registry, &data, &mut context, sink)
    }
}
