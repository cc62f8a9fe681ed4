//! One render: what its helpers share, and where its output goes. The state is never locked while a
//! body is rendered.

use std::sync::{Mutex, MutexGuard, PoisonError};

use handlebars::{Helper, Output, RenderError, RenderErrorReason};
use serde_json::Value;

use super::host::given;
use super::values::{Val, Values, is_reported};
use crate::template::limits::MAX_OUTPUT;
use crate::template::printer::{Printer, weight};
use crate::template::scope::{Resolved, Scope};
use crate::template::tree::{Expr, Node, Unit};
use crate::text::trim_blank_lines;
use promptline_diagnostic::{Error, ErrorKind};

pub(super) struct State<'s> {
    /// The template, then its partials in alphabetical order.
    units: Vec<&'s Unit>,
    pub(super) values: Values<'s>,
    pub(super) printer: Printer<'s>,
    /// So many block helpers of the host are around: what they get to read is text, not tokens.
    pub(super) plain: usize,
    /// Why the render stopped.
    failed: Option<Error>,
}

pub(super) fn lock<'a, 's>(state: &'a Mutex<State<'s>>) -> MutexGuard<'a, State<'s>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does something with the state; an error ends the render and is kept.
pub(super) fn with<'s, T>(
    state: &Mutex<State<'s>>,
    act: impl FnOnce(&mut State<'s>) -> Result<T, Error>,
) -> Result<T, RenderError> {
    let mut state = lock(state);
    act(&mut state).map_err(|error| state.fail(error))
}

impl<'s> State<'s> {
    pub(super) fn new(units: Vec<&'s Unit>, scope: &'s dyn Scope) -> Self {
        Self {
            units,
            values: Values::new(scope),
            printer: Printer::new(scope, 0, 0),
            plain: 0,
            failed: None,
        }
    }

    /// Keeps the first error, and makes one for the crate.
    pub(super) fn fail(&mut self, error: Error) -> RenderError {
        let reason = RenderErrorReason::Other(error.message().to_owned());
        self.failed.get_or_insert(error);
        reason.into()
    }

    /// The printer with everything that was printed.
    pub(super) fn finish(
        mut self,
        rendered: Result<(), RenderError>,
        sink: Sink,
    ) -> Result<Printer<'s>, Error> {
        match (self.failed, rendered) {
            (Some(error), _) => Err(error),
            (None, Err(error)) => Err(Error::new(ErrorKind::Template, error.to_string())),
            (None, Ok(())) => {
                self.printer.budget.printed_at_least(sink.text.len())?;
                self.printer.set_skeleton(sink.text);
                Ok(self.printer)
            }
        }
    }

    /// What a helper of ours is about: the source that it is in, and a number of something there.
    /// The answers of helpers in it, which the crate has called, are behind these two.
    pub(super) fn subject(&mut self, h: &Helper<'_>) -> Option<(&'s Unit, usize)> {
        let number = |at: usize| usize::try_from(h.param(at)?.value().as_u64()?).ok();
        let unit = *self.units.get(number(0)?)?;
        let answers = h.params().get(2..).unwrap_or_default().chunks_exact(2);
        self.values.answers = answers
            .filter_map(|pair| {
                let expr = usize::try_from(pair.first()?.value().as_u64()?).ok()?;
                Some((expr, pair.get(1)?.value().clone()))
            })
            .collect();
        Some((unit, number(1)?))
    }

    /// The value of the expression that a helper of ours is about.
    pub(super) fn value(&mut self, h: &Helper<'_>) -> Result<Option<Val<'s>>, Error> {
        match self.subject(h) {
            Some((unit, expr)) => self.values.value(unit, expr),
            None => Ok(None),
        }
    }

    /// The same as helpers of the crate and of the host see it.
    pub(super) fn json(&mut self, h: &Helper<'_>) -> Result<Option<Value>, Error> {
        let value = self.value(h)?.map(|value| value.to_json());
        self.printer.budget.step(value.as_ref().map_or(0, weight))?;
        Ok(value)
    }

    /// Prints the value that a tag is about; what comes back is to be written.
    pub(super) fn print_tag(&mut self, h: &Helper<'_>) -> Result<String, Error> {
        let Some((unit, node)) = self.subject(h) else { return Ok(String::new()) };
        let Some(Node::Print(expr, written)) = unit.nodes.get(node) else {
            return Ok(String::new());
        };
        let found = match unit.exprs.get(*expr) {
            Some(Expr::Name(name)) => {
                let found = self.values.name(name);
                if found.is_none() && is_reported(name) {
                    let written = unit.file.slice(written);
                    return self.printed(|printer| printer.unresolved(&name.text, written));
                }
                found
            }
            _ => self.values.value(unit, *expr)?,
        };
        match found {
            Some(value) => self.print(&value.found),
            None => Ok(self.mark()),
        }
    }

    /// Prints a value; what comes back is to be written.
    pub(super) fn print(&mut self, found: &Resolved<'_>) -> Result<String, Error> {
        self.printed(|printer| printer.found(found))
    }

    /// Prints what a helper of the host gave. Line breaks around it are layout: a block that writes
    /// lines ends with one.
    pub(super) fn print_answer(&mut self, helper: &str, answer: Value) -> Result<String, Error> {
        let Value::String(text) = &answer else {
            return self.print(&given(helper, answer));
        };
        let inner = trim_blank_lines(text);
        let part = |range| text.get(range).unwrap_or_default();
        let (before, after) = (part(0..inner.start), part(inner.end..text.len()));
        let inner = given(helper, Value::from(part(inner)));
        self.printed(|printer| {
            printer.text(before)?;
            printer.found(&inner)?;
            printer.text(after)
        })
    }

    /// The mark of something that printed nothing.
    pub(super) fn mark(&mut self) -> String {
        self.printer.empty();
        let mark = self.printer.take_skeleton();
        if self.plain > 0 { String::new() } else { mark }
    }

    /// What `print` prints, with tokens; for a block helper of the host the text that they stand for.
    fn printed(
        &mut self,
        print: impl FnOnce(&mut Printer<'s>) -> Result<(), Error>,
    ) -> Result<String, Error> {
        if self.plain == 0 {
            print(&mut self.printer)?;
            return Ok(self.printer.take_skeleton());
        }
        let outer = self.printer.swap_text(Default::default());
        let printed = print(&mut self.printer);
        let text = self.printer.swap_text(outer);
        printed.map(|()| text.to_string())
    }
}

/// Where a template or a helper of the host prints to. It takes no more than a render may print.
pub(super) struct Sink {
    pub(super) text: String,
}

impl Sink {
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { text: String::with_capacity(bytes) }
    }
}

impl Output for Sink {
    fn write(&mut self, text: &str) -> Result<(), std::io::Error> {
        if text.len() > MAX_OUTPUT.saturating_sub(self.text.len()) {
            return Err(std::io::Error::other("more is printed than a template may print"));
        }
        self.text.push_str(text);
        Ok(())
    }
}
