//! The output of one render, for both lanes: what is printed goes straight into a [`Text`], so that a
//! value from somewhere else can never come out as authored text.

use serde_json::Value;

use super::limits::Budget;
use super::scope::{NamePlace, Resolved, Scope, Unresolved};
use crate::text::Text;
use promptline_diagnostic::Error;

pub(super) struct Printer<'s> {
    pub(super) scope: &'s dyn Scope,
    pub(super) budget: Budget,
    text: Text,
    /// About so many values come from elsewhere; room for them is made when the first one comes, which
    /// in most templates none does.
    values: usize,
    /// There are marks or tokens in the text.
    marked: bool,
}

impl<'s> Printer<'s> {
    /// `bytes`: about as much will be printed; `values`: about as many of them come from elsewhere.
    pub(super) fn new(scope: &'s dyn Scope, bytes: usize, values: usize) -> Self {
        let mut text = Text::new();
        text.reserve(bytes);
        Self { scope, budget: Budget::default(), text, values, marked: false }
    }

    pub(super) fn into_text(self) -> Text {
        self.text
    }

    /// What was printed, as a string.
    pub(super) fn into_string(self) -> String {
        let Self { text, marked, .. } = self;
        if marked {
            return text.to_string();
        }
        // Without marks the skeleton is the text: it is taken, not copied.
        text.into_skeleton()
    }

    /// What was printed since the last call. What its tokens stand for stays here.
    #[cfg(feature = "handlebars")]
    pub(super) fn take_skeleton(&mut self) -> String {
        self.text.take_skeleton()
    }

    /// Sets what all of it came to in the end.
    #[cfg(feature = "handlebars")]
    pub(super) fn set_skeleton(&mut self, skeleton: String) {
        self.text.set_skeleton(skeleton);
    }

    /// Prints into another text; gives the one before.
    #[cfg(feature = "handlebars")]
    pub(super) fn swap_text(&mut self, text: Text) -> Text {
        std::mem::replace(&mut self.text, text)
    }

    /// Text of the template itself.
    #[inline]
    pub(super) fn text(&mut self, text: &str) -> Result<(), Error> {
        self.budget.print(text.len())?;
        self.text.push_trusted(text);
        Ok(())
    }

    #[inline]
    pub(super) fn found(&mut self, found: &Resolved<'_>) -> Result<(), Error> {
        self.budget.print(printed_len(found))?;
        if self.values > 0 && !matches!(found, Resolved::Authored(_) | Resolved::Word(_)) {
            self.text.reserve_values(std::mem::take(&mut self.values));
        }
        self.marked |= !found.print(&mut self.text);
        Ok(())
    }

    /// Something that could have printed did not.
    pub(super) fn empty(&mut self) {
        self.marked = true;
        self.text.push_empty();
    }

    /// A name that nothing provides, and the tag as written.
    pub(super) fn unresolved(&mut self, name: &str, written: &str) -> Result<(), Error> {
        match self.scope.unresolved(name, NamePlace::Print) {
            Unresolved::Keep => self.text(written),
            Unresolved::Empty => {
                self.empty();
                Ok(())
            }
        }
    }

    /// Where a block starts; for [`Printer::end`].
    pub(super) fn start(&self) -> usize {
        self.text.skeleton().len()
    }

    /// Ends a block that started there: one that printed nothing leaves a mark.
    pub(super) fn end(&mut self, start: usize) {
        if self.text.skeleton().len() == start {
            self.empty();
        }
    }
}

/// About the length of a token.
const TOKEN: usize = 8;

/// How many bytes a value prints, about; exact where it can be large.
fn printed_len(found: &Resolved<'_>) -> usize {
    match found {
        Resolved::Authored(value) | Resolved::Data { value, .. } => weight(value),
        Resolved::Word(word) => word.len(),
        // Only tokens are printed; what they stand for is counted when the prompt is joined.
        Resolved::Text(text) => text.skeleton().len(),
        Resolved::Section(_) => TOKEN,
    }
}

/// About the length of a value as JSON.
pub(super) fn weight(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 4,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(|item| weight(item) + 1).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(key, value)| key.len() + 4 + weight(value)).sum()
        }
    }
}
