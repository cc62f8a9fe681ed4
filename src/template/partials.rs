//! Partials, checked together before any template uses them: every name they print exists, none of
//! them prints itself, and what they cost is known. Nothing of this is left for render time.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Helpers;
use super::build;
use super::file::File;
use super::limits::{MAX_DEPTH, MAX_EXPANSIONS};
use super::names::shown;
use super::tree::{PartialCall, Unit, Use};
use promptline_diagnostic::keep;
use promptline_diagnostic::words::nearest;
use promptline_diagnostic::{Error, ErrorKind};

/// The partials that templates may print with `{{> name}}`. Cheap to clone.
///
/// A partial is a template of its own; it may print other partials, and use the item of a loop that
/// is around it. Its placeholders are those of the template that prints it.
///
/// ```
/// use promptline::template::{Partials, Template};
/// let partials = Partials::from_sources([("greeting", "Hello {{NAME}}!")])?;
/// assert!(Template::parse_named("base.md", "{{> greeting}}", &partials).is_ok());
/// # Ok::<(), promptline::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Partials {
    checked: Arc<BTreeMap<String, Checked>>,
    helpers: Helpers,
    /// Which helpers there are is not known yet.
    open: bool,
}

/// A source whose partials are known to be good.
#[derive(Debug, Clone)]
pub(super) struct Checked {
    pub(super) unit: Arc<Unit>,
    /// The names that it and its partials can ask for, each once, in order of first use.
    pub(super) names: Vec<String>,
    /// Blocks, parentheses and partials in each other, at most.
    depth: usize,
    /// How many partials one rendering of it prints when every branch is taken once.
    expansions: usize,
    /// How many items around it it reads.
    needs: usize,
}

impl Partials {
    /// Reads and checks partials, each a name and its source. Errors call the file by that name.
    ///
    /// # Errors
    /// Of kind `Template`: a source that cannot be read, an unknown partial, a partial that prints
    /// itself, directly or through others. Of kind `Duplicate`: a name that is given twice.
    pub fn from_sources<N, S>(sources: impl IntoIterator<Item = (N, S)>) -> Result<Self, Error>
    where
        N: Into<String>,
        S: AsRef<str>,
    {
        Self::from_files(sources.into_iter().map(|(name, source)| {
            let name = name.into();
            (name.clone(), name, source)
        }))
    }

    /// The same with file names: each is a name, the file it is in, and its source.
    ///
    /// # Errors
    /// As [`Partials::from_sources`].
    pub fn from_files<N, F, S>(files: impl IntoIterator<Item = (N, F, S)>) -> Result<Self, Error>
    where
        N: Into<String>,
        F: AsRef<str>,
        S: AsRef<str>,
    {
        Self::default().with_files(files)
    }

    /// Templates that are read with these partials may call helpers of the host; see [`Helpers`]. So
    /// may partials that are added afterwards.
    #[cfg(feature = "handlebars")]
    #[must_use]
    pub fn with_helpers(mut self, helpers: Helpers) -> Self {
        self.set_helpers(helpers);
        self
    }

    pub(crate) fn set_helpers(&mut self, helpers: Helpers) {
        self.helpers = helpers;
        self.open = false;
    }

    /// The helpers that templates may call; `None` when that is not known yet.
    pub(super) fn helpers(&self) -> Option<&Helpers> {
        (!self.open).then_some(&self.helpers)
    }

    /// The same helpers with these partials instead, each a name, the file it is in, and its
    /// source.
    ///
    /// # Errors
    /// As [`Partials::from_sources`].
    pub fn with_files<N, F, S>(
        mut self,
        files: impl IntoIterator<Item = (N, F, S)>,
    ) -> Result<Self, Error>
    where
        N: Into<String>,
        F: AsRef<str>,
        S: AsRef<str>,
    {
        let mut errors = Vec::new();
        self.read(files, &mut errors);
        errors.into_iter().next().map_or(Ok(self), Err)
    }

    /// No partials, and helpers that are not known yet.
    pub(crate) fn open() -> Self {
        Self { open: true, ..Self::default() }
    }

    /// For a pack, whose host and its helpers are not known yet: calls of helpers are among the errors,
    /// with the code `unknown-helper`. It goes on after a mistake: a partial that has one is kept as an
    /// empty text, so that the templates that print it are not blamed as well.
    pub(crate) fn collect<N, F, S>(
        files: impl IntoIterator<Item = (N, F, S)>,
        errors: &mut Vec<Error>,
    ) -> Self
    where
        N: Into<String>,
        F: AsRef<str>,
        S: AsRef<str>,
    {
        let mut partials = Self::open();
        partials.read(files, errors);
        let units = partials.checked.values().map(|checked| &checked.unit);
        errors.extend(units.flat_map(|unit| unit.host_calls()));
        partials
    }

    fn read<N, F, S>(&mut self, files: impl IntoIterator<Item = (N, F, S)>, errors: &mut Vec<Error>)
    where
        N: Into<String>,
        F: AsRef<str>,
        S: AsRef<str>,
    {
        let helpers = self.helpers();
        let read = |file: &str, source: &str| build::read(File::new(file, source), true, helpers);
        let empty = |file: &str| read(file, "").ok().map(Arc::new);
        let mut units = BTreeMap::new();
        for (name, file, source) in files {
            let name = name.into();
            let file = file.as_ref();
            let unit = keep(errors, read(file, source.as_ref()));
            let Some(unit) = unit.map(Arc::new).or_else(|| empty(file)) else { continue };
            match units.entry(name) {
                Entry::Vacant(place) => {
                    place.insert(unit);
                }
                Entry::Occupied(place) => {
                    let message = format!("two partials are called `{}`", shown(place.key()));
                    errors.push(Error::new(ErrorKind::Duplicate, message).in_file(file));
                }
            }
        }
        let (order, bad) = callees_first(&units, errors);
        for name in bad {
            if let Some(unit) = units.get_mut(&name)
                && let Some(empty) = empty(unit.file.name())
            {
                *unit = empty;
            }
        }
        let mut checked = BTreeMap::new();
        for name in order {
            let Some(unit) = units.get(&name) else { continue };
            let good = keep(errors, check(unit, &checked))
                .or_else(|| check(&empty(unit.file.name())?, &checked).ok());
            checked.extend(good.map(|good| (name, good)));
        }
        self.checked = Arc::new(checked);
    }

    /// The partials that a partial prints itself, and the name of its file.
    pub(crate) fn calls(&self, name: &str) -> Option<(&str, impl Iterator<Item = &str>)> {
        let unit = &self.checked.get(name)?.unit;
        Some((unit.file.name(), unit.calls.iter().map(|call| call.name.as_str())))
    }

    /// The names of the partials, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.checked.keys().map(String::as_str)
    }

    /// Checks a template that may use these partials.
    pub(super) fn check(&self, unit: &Arc<Unit>) -> Result<Checked, Error> {
        check(unit, &self.checked)
    }

    /// The partials that a checked source prints, through others too.
    pub(super) fn reached(&self, unit: &Unit) -> BTreeMap<String, Arc<Unit>> {
        let mut reached = BTreeMap::new();
        let mut todo: Vec<&str> = unit.calls.iter().map(|call| call.name.as_str()).collect();
        while let Some(name) = todo.pop() {
            let Some(partial) = self.checked.get(name) else {
                continue;
            };
            if reached.insert(name.to_owned(), Arc::clone(&partial.unit)).is_none() {
                todo.extend(partial.unit.calls.iter().map(|call| call.name.as_str()));
            }
        }
        reached
    }
}

/// The names in an order in which each comes after the partials that it prints. Depth first, with a
/// stack of our own: a chain of partials may be long.
///
/// The second list has the partials with a call that cannot be followed, in which case it is passed
/// over.
fn callees_first(
    units: &BTreeMap<String, Arc<Unit>>,
    errors: &mut Vec<Error>,
) -> (Vec<String>, BTreeSet<String>) {
    let mut order = Vec::new();
    let mut bad = BTreeSet::new();
    let mut done: BTreeSet<&str> = BTreeSet::new();
    for start in units.keys() {
        // The path from `start`, with how many calls of each partial are followed.
        let mut path: Vec<(&str, usize)> = vec![(start, 0)];
        let mut on_path: BTreeSet<&str> = BTreeSet::from([start.as_str()]);
        while let Some((name, followed)) = path.last_mut() {
            let unit = units.get(*name);
            let call = unit.and_then(|unit| Some((unit, unit.calls.get(*followed)?)));
            let Some((unit, call)) = call.filter(|_| !done.contains(*name)) else {
                if done.insert(name) {
                    order.push((*name).to_owned());
                }
                on_path.remove(*name);
                path.pop();
                continue;
            };
            *followed += 1;
            let name: &str = name;
            let Some((callee, _)) = units.get_key_value(&call.name) else {
                errors.push(unknown(unit, call, units.keys()));
                bad.insert(name.to_owned());
                continue;
            };
            if !on_path.insert(callee) {
                let ring = path.iter().map(|&(name, _)| name).skip_while(|name| name != callee);
                let ring: Vec<String> = ring.chain([callee.as_str()]).map(shown).collect();
                let error = unit.file.error(
                    call.at,
                    format!("partial cycle: {}", ring.join(" -> ")),
                    "a partial cannot print itself, not through others either",
                );
                errors.push(error.with_code("partial-cycle"));
                bad.insert(name.to_owned());
                continue;
            }
            path.push((callee, 0));
        }
    }
    (order, bad)
}

fn check(unit: &Arc<Unit>, partials: &BTreeMap<String, Checked>) -> Result<Checked, Error> {
    let mut seen = BTreeSet::new();
    let mut checked = Checked {
        unit: Arc::clone(unit),
        names: Vec::new(),
        depth: unit.depth,
        expansions: 0,
        needs: unit.needs,
    };
    for used in &unit.uses {
        match used {
            Use::Name(expr) => {
                if let Some(name) = unit.name(*expr).filter(|name| seen.insert(&*name.text)) {
                    checked.names.push(name.text.to_string());
                }
            }
            Use::Partial(call) => {
                let Some(call) = unit.calls.get(*call) else {
                    continue;
                };
                let Some(callee) = partials.get(&call.name) else {
                    return Err(unknown(unit, call, partials.keys()));
                };
                checked.add(call, callee)?;
                for name in &callee.names {
                    if !is_given(call, name) && seen.insert(name) {
                        checked.names.push(name.clone());
                    }
                }
            }
        }
    }
    Ok(checked)
}

impl Checked {
    fn add(&mut self, call: &PartialCall, callee: &Self) -> Result<(), Error> {
        let unit = &self.unit;
        let name = shown(&call.name);
        self.depth = self.depth.max(call.depth + 1 + callee.depth);
        if self.depth > MAX_DEPTH {
            let message =
                format!("with `{name}`, more than {MAX_DEPTH} blocks and partials in each other");
            return Err(unit.file.error(
                call.at,
                message,
                "print its text without the partials around it",
            ));
        }
        self.expansions = self.expansions.saturating_add(1).saturating_add(callee.expansions);
        if self.expansions > MAX_EXPANSIONS {
            let message = format!("with `{name}`, more than {MAX_EXPANSIONS} partials are printed");
            return Err(unit.file.error(
                call.at,
                message,
                "partials that print partials twice double the work at each level",
            ));
        }
        // Items that neither the callee nor the place of the call has must be around this source.
        let missing = callee.needs.saturating_sub(call.items);
        if missing > 0 && !unit.partial {
            return Err(unit.file.error(
                call.at,
                format!("`{name}` uses the item of a loop, and there is none here"),
                format!("write {{{{> {name} ITEM}}}}, or put it into an {{{{#each}}}}"),
            ));
        }
        self.needs = self.needs.max(missing);
        Ok(())
    }
}

/// The call gives the partial a field of that name: it never asks anyone else for it.
fn is_given(call: &PartialCall, name: &str) -> bool {
    let first = name.split('.').next().unwrap_or(name);
    call.fields.iter().any(|(field, _)| **field == *first)
}

fn unknown<'a>(unit: &Unit, call: &PartialCall, known: impl Iterator<Item = &'a String>) -> Error {
    let help = match nearest(&call.name, known.map(String::as_str)) {
        Some(near) => format!("did you mean {{{{> {near}}}}}?"),
        None => "no partial of that name is given".to_owned(),
    };
    let message = format!("unknown partial `{}`", shown(&call.name));
    unit.file.error(call.at, message, help).with_code("unknown-partial")
}
