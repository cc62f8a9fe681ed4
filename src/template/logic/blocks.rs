//! Our helpers, under the names that the crate knows them by: `print` for a value, `value` and `truth`
//! for an argument, `partial`, and the four blocks.

use std::sync::Mutex;

use handlebars::template::Template;
use handlebars::{
    Context, Handlebars, Helper, HelperDef, HelperResult, Output, RenderContext, RenderError,
    Renderable, ScopedJson,
};
use serde_json::Value;

use super::render::{State, lock, with};
use super::values::Frame;

type Written = Result<usize, RenderError>;
type Act = for<'c, 'reg, 'rc, 's> fn(&mut Call<'c, 'reg, 'rc, 's>) -> Written;

const BLOCKS: [(&str, Act); 6] = [
    ("print", print),
    ("partial", partial),
    ("if", |call| call.branch(true)),
    ("unless", |call| call.branch(false)),
    ("each", each),
    ("with", with_item),
];

/// Registers all of them for one render.
pub(super) fn register<'rc>(context: &mut RenderContext<'_, 'rc>, state: &'rc Mutex<State<'_>>) {
    for (name, act) in BLOCKS {
        context.register_local_helper(name, Box::new(Block { act, state }));
    }
    for (name, judge) in [("value", false), ("truth", true)] {
        context.register_local_helper(name, Box::new(Argument { judge, state }));
    }
}

/// A helper that prints; it says how many bytes it wrote.
struct Block<'s, 'a> {
    act: Act,
    state: &'a Mutex<State<'s>>,
}

/// A call of such a helper.
struct Call<'c, 'reg: 'rc, 'rc, 's> {
    state: &'c Mutex<State<'s>>,
    h: &'c Helper<'rc>,
    registry: &'reg Handlebars<'reg>,
    data: &'rc Context,
    context: &'c mut RenderContext<'reg, 'rc>,
    out: &'c mut dyn Output,
}

impl HelperDef for Block<'_, '_> {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let state = self.state;
        with(state, |state| state.printer.budget.step(0))?;
        let mut call = Call { state, h, registry, data, context, out };
        if (self.act)(&mut call)? == 0 {
            // A block that printed nothing counts as a placeholder that came out empty.
            let mark = lock(state).mark();
            out.write(&mark)?;
        }
        Ok(())
    }
}

impl<'rc> Call<'_, '_, 'rc, '_> {
    /// Renders a body; what it wrote counts as printed.
    fn body(&mut self, body: Option<&'rc Template>) -> Written {
        let Some(body) = body else { return Ok(0) };
        let before = lock(self.state).printer.budget.printed();
        let mut out = Counted { out: self.out, bytes: 0 };
        body.render(self.registry, self.data, self.context, &mut out)?;
        let bytes = out.bytes;
        with(self.state, |state| {
            state.printer.budget.printed_at_least(before.saturating_add(bytes))
        })?;
        Ok(bytes)
    }

    fn branch(&mut self, wanted: bool) -> Written {
        let holds = self.h.param(0).is_some_and(|param| *param.value() == Value::Bool(true));
        self.body(if holds == wanted { self.h.template() } else { self.h.inverse() })
    }
}

fn print(call: &mut Call<'_, '_, '_, '_>) -> Written {
    let printed = with(call.state, |state| state.print_tag(call.h))?;
    call.out.write(&printed)?;
    Ok(printed.len())
}

fn each(call: &mut Call<'_, '_, '_, '_>) -> Written {
    let list = with(call.state, |state| state.value(call.h))?;
    let rounds = list.as_ref().and_then(|list| Some((list, list.rounds()?)));
    let Some((list, (len, keys))) = rounds.filter(|(_, (len, _))| *len > 0) else {
        return call.body(call.h.inverse());
    };
    let mut written = 0;
    for index in 0..len {
        let key = keys.as_ref().and_then(|keys| keys.get(index)).map(String::as_str);
        with(call.state, |state| {
            state.values.push_round(list, index, len, key);
            state.printer.budget.step(0)
        })?;
        written += call.body(call.h.template())?;
        lock(call.state).values.pop();
    }
    Ok(written)
}

fn with_item(call: &mut Call<'_, '_, '_, '_>) -> Written {
    let item = with(call.state, |state| state.value(call.h))?;
    if !item.as_ref().is_some_and(|item| item.found.is_truthy()) {
        return call.body(call.h.inverse());
    }
    lock(call.state).values.push(Frame { item, round: None });
    let written = call.body(call.h.template())?;
    lock(call.state).values.pop();
    Ok(written)
}

fn partial(call: &mut Call<'_, '_, '_, '_>) -> Written {
    let entered = with(call.state, |state| {
        let Some((unit, number)) = state.subject(call.h) else { return Ok(None) };
        let Some(partial) = unit.calls.get(number) else { return Ok(None) };
        state.values.enter(unit, partial)?;
        Ok(Some(partial))
    })?;
    let Some(partial) = entered else { return Ok(0) };
    let written = call.body(call.registry.get_template(&partial.name))?;
    lock(call.state).values.leave(partial);
    Ok(written)
}

/// `(value …)`, or whether it holds: `(truth …)`.
struct Argument<'s, 'a> {
    judge: bool,
    state: &'a Mutex<State<'s>>,
}

impl HelperDef for Argument<'_, '_> {
    fn call_inner<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        _: &'reg Handlebars<'reg>,
        _: &'rc Context,
        _: &mut RenderContext<'reg, 'rc>,
    ) -> Result<ScopedJson<'rc>, RenderError> {
        with(self.state, |state| {
            if !self.judge {
                return Ok(state.json(h)?.map_or(ScopedJson::Missing, ScopedJson::Derived));
            }
            state.printer.budget.step(0)?;
            let holds = state.value(h)?.is_some_and(|value| value.found.is_truthy());
            Ok(ScopedJson::Derived(Value::Bool(holds)))
        })
    }
}

/// Counts what is written.
struct Counted<'a> {
    out: &'a mut dyn Output,
    bytes: usize,
}

impl Output for Counted<'_> {
    fn write(&mut self, text: &str) -> Result<(), std::io::Error> {
        self.bytes += text.len();
        self.out.write(text)
    }
}
