//! A helper of the host in one render. What it gives is text of the host: it prints as a value from
//! somewhere else does, with the helper as its source.

use std::any::Any;
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderError,
    RenderErrorReason, ScopedJson,
};
use serde_json::Value;

use super::helpers::SharedHelper;
use super::render::{Sink, State, lock, with};
use crate::template::printer::weight;
use crate::template::scope::{DataKind, Resolved};
use crate::text::Source;
use promptline_diagnostic::{Error, ErrorKind};

pub(super) struct HostHelper<'s, 'a> {
    pub(super) name: &'a str,
    pub(super) helper: &'a SharedHelper,
    pub(super) state: &'a Mutex<State<'s>>,
}

/// What a helper of the host gave, as a value.
pub(super) fn given(name: &str, value: Value) -> Resolved<'static> {
    let source = Source::from(format!("helper:{name}"));
    Resolved::Data { value: Cow::Owned(value), kind: DataKind::Block, source }
}

impl HostHelper<'_, '_> {
    /// Its value; of one that only writes, the text.
    fn ask<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
    ) -> Result<Value, RenderError> {
        // A block is written, whatever else the helper can do.
        if !h.is_block() {
            match self.helper.call_inner(h, registry, data, context) {
                Ok(value) => return Ok(value.as_json().clone()),
                Err(error) if matches!(error.reason(), RenderErrorReason::Unimplemented) => {}
                Err(error) => return Err(error),
            }
        }
        let mut out = Sink::with_capacity(0);
        self.helper.call(h, registry, data, context, &mut out)?;
        Ok(Value::String(out.text))
    }

    fn value<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
    ) -> Result<Value, RenderError> {
        with(self.state, |state| {
            state.plain += 1;
            state.printer.budget.step(0)
        })?;
        let ask = AssertUnwindSafe(|| self.ask(h, registry, data, context));
        let given = catch_unwind(ask).unwrap_or_else(|panic| Err(panicked(panic.as_ref())));
        let mut state = lock(self.state);
        state.plain -= 1;
        let given = given.map_err(|error| {
            let message = format!("the helper `{}` failed: {}", self.name, error.reason());
            state.fail(Error::new(ErrorKind::Template, message))
        })?;
        let counted = state.printer.budget.step(weight(&given));
        counted.map_err(|error| state.fail(error))?;
        Ok(given)
    }
}

/// Code of the host that panics fails as any other does.
fn panicked(panic: &(dyn Any + Send)) -> RenderError {
    let message = panic.downcast_ref::<String>().map(String::as_str);
    let message = message.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panic");
    RenderErrorReason::Other(format!("it panicked: {message}")).into()
}

impl HelperDef for HostHelper<'_, '_> {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        self.value(h, registry, data, context).map(ScopedJson::Derived)
    }

    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let value = self.value(h, registry, data, context)?;
        let printed = with(self.state, |state| match value {
            Value::Null => Ok(state.mark()),
            value => state.print_answer(self.name, value),
        })?;
        out.write(&printed)?;
        Ok(())
    }
}
