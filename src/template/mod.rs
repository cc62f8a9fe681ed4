//! Templates: authored text with placeholders, conditions, loops and partials. A template is read
//! once, with every mistake found then; values are never read as templates, and never come out as
//! authored text unless the pack's author wrote them.
//!
//! A plain template (text, placeholders, `if`, `unless`) is rendered by copying segments; one with
//! `each`, `with`, partials or helpers is rendered by the `handlebars` crate (the feature of that name,
//! on by default). Both lanes take the same tree and print values by the same rules, so a template that
//! both can render comes out the same.
//!
//! | written | means |
//! |---|---|
//! | `{{NAME}}`, `{{{NAME}}}`, `{{&NAME}}` | the value; there is no escaping. Strings print as they are, everything else as JSON. A name nothing provides stays as written |
//! | `{{#if NAME}} … {{else}} … {{/if}}` | also `unless`, and `{{else if OTHER}}`. False, null, zero, `""`, `[]` and an unknown name do not hold |
//! | `{{#each LIST}} … {{else}} … {{/each}}` | each item of a list or object; `{{else}}` when there is none. In it `this`, `@index`, `@key`, `@first`, `@last`, or `as \|item key\|` |
//! | `{{#with VALUE}} … {{/with}}` | the fields of one value |
//! | `../NAME`, `../this` | one item further out |
//! | `{{> name}}`, `{{> name ITEM title=TITLE}}` | a partial, with an item and fields of its own |
//! | `{{json VALUE}}`, `{{json VALUE indent=2}}` | JSON on one line, or indented by so many blanks (0 to 16) |
//! | `{{lookup LIST key}}` | one part of a value |
//! | `(eq a b)` | `eq ne gt gte lt lte and or not len`, as those of the `handlebars` crate; they decide, or print a boolean or number |
//! | `{{upper NAME}}`, `(upper NAME key=VALUE)`, `{{#upper NAME}} … {{/upper}}`, `{{(now)}}` | a helper of the host; see below |
//! | `"text"`, `'text'`, `12`, `true`, `null` | literals, as arguments. A backslash is never special |
//! | `{{! note }}`, `{{!-- note --}}` | nothing |
//! | `{{{{raw}}}} … {{{{/raw}}}}` | its content, byte for byte |
//! | `{{~ … ~}}` | takes the whitespace beside it |
//!
//! Inside a loop a name is a field of the item, then a field that a partial was given, then a
//! placeholder. A name is letters, digits, `_` and `-` in parts joined by dots. The line of a block
//! tag, comment or partial that is alone on it vanishes, as in Handlebars (an indented partial
//! keeps its indentation, once).
//!
//! Limits: blocks (each `else if` is one), parentheses and partials stand 64 deep, all together; a
//! template with blocks has 256 KB; a render prints 16 MB and takes two million steps.
//!
//! Not supported, and refused at load: `log`, decorators, inline partials, `@root`, lists and objects
//! as literals, `includeZero`.
//!
//! # Helpers of a host
//!
//! A helper is what the `handlebars` crate (re-exported as [`handlebars`]) calls one: any
//! `handlebars::HelperDef`. `handlebars_helper!` makes one that gives a value; a function with the
//! signature of `HelperDef::call` is one that writes; a type that implements the trait can also be a
//! block. [`PromptRegistryBuilder::helper`](crate::PromptRegistryBuilder) registers it for all packs and
//! overlays of a registry, [`Helpers`] for templates that are parsed one by one. The example `own_helper`
//! has one of each kind.
//!
//! - A bare name is always a placeholder: `{{now}}` asks for a value, `{{(now)}}` calls the helper `now`
//!   without arguments.
//! - Arguments are the real values, never tokens: strings, numbers, lists as the template would see them.
//!   A name nothing provides is missing (null), and is reported as in a condition. `Context` is null: a
//!   helper sees what it is given, and nothing else of the request.
//! - A helper that implements `call_inner` gives a value, which prints by the rules of all values and can
//!   be compared, looped over (`{{#each (sorted LIST)}}`), or written as JSON. One that only implements
//!   `call` gives the string that it writes.
//! - What it gives is **verbatim text** with the source `helper:NAME`: never parsed as a template, never
//!   searched for structure, never changed by the clean-up. Line breaks around it are layout and are
//!   cleaned up with the template's own.
//! - A block gets its body from `h.template()` as the text that will be read, and may render it as often as
//!   it needs. Its output, body included, is verbatim. Names in the body mean what they mean outside.
//!   A section printed in it is part of that text, and no section of the prompt.
//! - A helper should depend on nothing but its arguments: the same values have to give the same bytes.
//!   Pass what changes (a date, a counter) as a placeholder.
//! - It cannot replace a helper or block of the language. One that is called and not registered is an
//!   error when the template is parsed, or, for a pack, when its registry is built.
//! - An error that it returns ends the render, with the helper's name. What it prints counts for the
//!   limits of a render.

mod build;
mod escape;
mod expression;
mod file;
// Without the logic lane, half of what is read is never rendered, only refused.
#[cfg_attr(not(feature = "handlebars"), allow(dead_code))]
mod limits;
#[cfg_attr(not(feature = "handlebars"), path = "no_logic.rs")]
mod logic;
mod names;
mod partials;
mod printer;
pub(crate) mod scope;
mod segment;
mod slots;
#[cfg(test)]
mod tests;
mod token;
#[cfg_attr(not(feature = "handlebars"), allow(dead_code))]
mod tree;
mod whitespace;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use once_cell::sync::OnceCell;
use serde_json::{Map, Value};

use crate::text::Text;
use file::File;
#[cfg(not(feature = "handlebars"))]
pub(crate) use logic::Helpers;
use logic::Logic;
use printer::Printer;
use promptline_diagnostic::{Error, keep};
use scope::{NamePlace, Resolved, Scope, Unresolved};
use slots::Slots;
use tree::Unit;

pub use escape::{escape, unescape};
pub(crate) use expression::hint;
#[cfg(feature = "handlebars")]
pub use handlebars;
#[cfg(feature = "handlebars")]
pub use logic::Helpers;
pub(crate) use names::lookup_in;
pub use partials::Partials;

/// A template, read and checked. Cheap to clone.
///
/// ```
/// use promptline::template::Template;
/// use serde_json::json;
/// let template = Template::parse("Hello {{NAME}}{{#if LOUD}}!{{/if}}")?;
/// assert_eq!(template.placeholders(), ["NAME", "LOUD"]);
/// let values = json!({"NAME": "Ada", "LOUD": true});
/// assert_eq!(template.render(values.as_object().unwrap())?, "Hello Ada!");
/// # Ok::<(), promptline::Error>(())
/// ```
#[derive(Clone)]
pub struct Template(Arc<Inner>);

struct Inner {
    unit: Arc<Unit>,
    placeholders: Vec<String>,
    logic: Option<Logic>,
    /// What it prints, where that is the same in every render.
    fixed: OnceCell<Option<Text>>,
}

impl Template {
    /// Reads a template that prints no partials. Errors call its file `template`.
    ///
    /// # Errors
    /// Of kind `Template`, with line, column and help, when the source is not a template.
    pub fn parse(source: &str) -> Result<Self, Error> {
        Self::parse_named("template", source, &Partials::default())
    }

    /// Reads a template. The source is normalised: a byte order mark at its start and noncharacters
    /// go, CRLF becomes LF.
    ///
    /// # Errors
    /// Of kind `Template`, with `file`, line, column and help, when the source is not a template, or
    /// prints a partial that is not in `partials`.
    pub fn parse_named(file: &str, source: &str, partials: &Partials) -> Result<Self, Error> {
        Self::build(file, source, partials, false)
    }

    /// The same for a file of a pack, whose host and its helpers are not known yet: calls of helpers
    /// are among the errors, with the code `unknown-helper`. `place` puts an error where it belongs.
    pub(crate) fn collect(
        file: &str,
        source: &str,
        partials: &Partials,
        errors: &mut Vec<Error>,
        place: impl Fn(Error) -> Error,
    ) -> Option<Self> {
        let template = keep(errors, Self::parse_named(file, source, partials).map_err(&place))?;
        if partials.helpers().is_none() {
            errors.extend(template.0.unit.host_calls().map(place));
        }
        Some(template)
    }

    fn build(
        file: &str,
        source: &str,
        partials: &Partials,
        force_logic: bool,
    ) -> Result<Self, Error> {
        let unit = Arc::new(build::read(File::new(file, source), false, partials.helpers())?);
        let checked = partials.check(&unit)?;
        let logic = if force_logic || unit.logic.is_some() {
            let helpers = partials.helpers().cloned().unwrap_or_default();
            Some(Logic::new(&unit, partials.reached(&unit), helpers)?)
        } else {
            None
        };
        Ok(Self(Arc::new(Inner {
            unit,
            placeholders: checked.names,
            logic,
            fixed: OnceCell::new(),
        })))
    }

    /// The names that a render can ask for, each once, in order of first use; those of its partials
    /// too. Fields of loop items are among them where they are bare names (`{{#each LIST}}{{name}}`
    /// lists `LIST` and `name`), since an item without that field leaves the name to the
    /// placeholders; `this.name`, block parameters, and names that a partial is given are not.
    #[must_use]
    pub fn placeholders(&self) -> &[String] {
        &self.0.placeholders
    }

    /// The names that can only be placeholders: those outside of loops and partials.
    pub(crate) fn outer_placeholders(&self) -> impl Iterator<Item = &str> {
        let unit = &self.0.unit;
        let names = unit.uses.iter().filter_map(|used| match used {
            tree::Use::Name(expr) => unit.name(*expr),
            tree::Use::Partial(_) => None,
        });
        names.filter(|name| !name.inside).map(|name| &*name.text)
    }

    /// Every use of a name in the order of the text, and whether it prints what it finds there: in a
    /// condition it does not, in a loop an unknown number of times. Names in partials are listed at the
    /// first one.
    pub(crate) fn uses(&self) -> Vec<(&str, bool)> {
        let unit = &self.0.unit;
        let mut own = BTreeSet::new();
        let mut partial = None;
        let mut uses = Vec::new();
        for used in &unit.uses {
            match used {
                tree::Use::Name(expr) => uses.extend(unit.name(*expr).map(|name| {
                    own.insert(&*name.text);
                    (&*name.text, name.place == scope::NamePlace::Print && !name.inside)
                })),
                tree::Use::Partial(_) => {
                    partial.get_or_insert(uses.len());
                }
            }
        }
        let at = partial.unwrap_or(uses.len());
        let names = self.placeholders().iter().map(String::as_str);
        let inner: Vec<_> =
            names.filter(|name| !own.contains(name)).map(|name| (name, false)).collect();
        uses.splice(at..at, inner);
        uses
    }

    /// The partials that it prints itself.
    pub(crate) fn partials(&self) -> impl Iterator<Item = &str> {
        self.0.unit.calls.iter().map(|call| call.name.as_str())
    }

    /// The source, normalised.
    #[must_use]
    pub fn source(&self) -> &str {
        self.0.unit.file.text()
    }

    /// What its file is called in messages.
    pub(crate) fn file(&self) -> &str {
        self.0.unit.file.name()
    }

    /// Renders with one flat layer of values. A name is looked up as the exact key, then as a path
    /// (`list.0` indexes); null provides nothing. Strings print as they are, but without
    /// noncharacters; a name that is not there stays as written.
    ///
    /// # Errors
    /// Of kind `Template`, when it runs over a limit: 16 MB of output, two million steps.
    pub fn render(&self, values: &Map<String, Value>) -> Result<String, Error> {
        Ok(self.print_in(&Flat::new(values, &self.0.unit.slots))?.into_string())
    }

    /// Renders with any scope.
    ///
    /// # Errors
    /// As [`Template::render`].
    pub(crate) fn render_in(&self, scope: &dyn Scope) -> Result<Text, Error> {
        Ok(self.print_in(scope)?.into_text())
    }

    /// What it prints, when no name and no helper of a host is in it: rendered once, on first use. Also
    /// `None` when that runs over a limit.
    pub(crate) fn fixed(&self) -> Option<&Text> {
        let mut helpers = self.0.logic.iter().flat_map(|logic| logic.host_helpers(&self.0.unit));
        if !self.0.placeholders.is_empty() || helpers.next().is_some() {
            return None;
        }
        self.0
            .fixed
            .get_or_init(|| self.render_in(&Flat::new(&Map::new(), &Slots::default())).ok())
            .as_ref()
    }

    fn print_in<'s>(&'s self, scope: &'s dyn Scope) -> Result<Printer<'s>, Error> {
        let unit = &*self.0.unit;
        if let Some(logic) = &self.0.logic {
            return logic.render(unit, scope).map_err(|error| error.in_file(unit.file.name()));
        }
        segment::render(unit, scope).map_err(|error| error.in_file(unit.file.name()))
    }

    /// It goes through the `handlebars` crate.
    #[cfg(test)]
    pub(crate) fn uses_logic(&self) -> bool {
        self.0.logic.is_some()
    }

    /// Prepares the first render, as a pack that is loaded from a folder does. A template that is
    /// never rendered costs no more than its check.
    ///
    /// # Errors
    /// None: everything that could be wrong was found when the template was read. The result is for
    /// callers that load many kinds of things.
    pub(crate) fn compile(&self) -> Result<(), Error> {
        if let Some(logic) = &self.0.logic {
            logic.compile(&self.0.unit);
        }
        Ok(())
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Template")
            .field("file", &self.0.unit.file.name())
            .field("placeholders", &self.0.placeholders)
            .finish_non_exhaustive()
    }
}

/// One layer of values that the caller wrote.
struct Flat<'a> {
    values: &'a Map<String, Value>,
    /// The values of the template's names by number, those that are exact keys.
    exact: Vec<Option<&'a Value>>,
}

impl<'a> Flat<'a> {
    fn new(values: &'a Map<String, Value>, slots: &Slots) -> Self {
        /// A map that is so many times larger than the template is looked up name by name.
        const LARGER: usize = 4;
        let mut exact = Vec::new();
        if values.len() <= slots.len().saturating_mul(LARGER) {
            exact.resize(slots.len(), None);
            for (name, value) in values.iter().filter(|(_, value)| !value.is_null()) {
                if let Some(place) = slots.get(name).and_then(|slot| exact.get_mut(slot)) {
                    *place = Some(value);
                }
            }
        }
        Self { values, exact }
    }
}

impl Scope for Flat<'_> {
    fn lookup(&self, name: &str) -> Option<Resolved<'_>> {
        lookup_in(self.values, name).map(|value| Resolved::Authored(Cow::Borrowed(value)))
    }

    fn lookup_at(&self, slot: usize, name: &str) -> Option<Resolved<'_>> {
        match self.exact.get(slot) {
            Some(Some(value)) => Some(Resolved::Authored(Cow::Borrowed(*value))),
            _ => self.lookup(name),
        }
    }

    fn unresolved(&self, _: &str, _: NamePlace) -> Unresolved {
        Unresolved::Keep
    }
}

/// The names that a template without partials can ask for, as [`Template::placeholders`] has them.
///
/// # Errors
/// Of kind `Template`, when it is not a template.
pub fn placeholders(template: &str) -> Result<Vec<String>, Error> {
    Ok(Template::parse(template)?.placeholders().to_vec())
}

/// Those of the `required` names that a template does not ask for, in their order. Names are compared
/// as they are: one that is no legal name is missing, and no error.
///
/// # Errors
/// Of kind `Template`, when it is not a template.
pub fn missing(template: &str, required: &[&str]) -> Result<Vec<String>, Error> {
    let template = Template::parse(template)?;
    let has = |name: &&str| template.placeholders().iter().any(|asked| asked == name);
    Ok(required.iter().filter(|name| !has(name)).map(|&name| name.to_owned()).collect())
}
