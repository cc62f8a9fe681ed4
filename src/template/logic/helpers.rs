//! The helpers that a host registers.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use handlebars::HelperDef;

use crate::template::{expression, names};
use promptline_diagnostic::{Error, ErrorKind};

pub(super) type SharedHelper = dyn HelperDef + Send + Sync;

/// Helpers of a host's own, by name, for templates that call them. Cheap to clone.
///
/// A helper is what the `handlebars` crate calls one: a function, the result of its macro
/// `handlebars_helper!`, or a type with the trait `HelperDef` (see
/// [`template`](crate::template#helpers-of-a-host)).
///
/// ```
/// use promptline::template::{Helpers, Partials, Template, handlebars};
///
/// handlebars::handlebars_helper!(upper: |text: str| text.to_uppercase());
///
/// let helpers = Helpers::new().with("upper", upper)?;
/// let partials = Partials::default().with_helpers(helpers);
/// let template = Template::parse_named("t.md", "{{upper NAME}}", &partials)?;
/// let values = serde_json::json!({"NAME": "Ada"});
/// assert_eq!(template.render(values.as_object().unwrap())?, "ADA");
/// # Ok::<(), promptline::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Helpers(Arc<BTreeMap<String, Arc<SharedHelper>>>);

impl Helpers {
    /// No helpers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a helper.
    ///
    /// # Errors
    /// Of kind `Duplicate`, when the template language or an earlier call has a helper or block of that
    /// name; of kind `Template`, when it is not a name: letters, digits, `_` and `-`.
    pub fn with(
        mut self,
        name: impl Into<String>,
        helper: impl HelperDef + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let name = name.into();
        let shown = names::shown(&name);
        if expression::is_taken(&name) || self.get(&name).is_some() {
            let message = format!("there is a helper `{shown}` already");
            return Err(Error::new(ErrorKind::Duplicate, message)
                .with_help("give yours another name; helpers and blocks cannot be replaced"));
        }
        if !names::is_plain(&name) {
            let message = format!("`{shown}` cannot be the name of a helper");
            return Err(Error::new(ErrorKind::Template, message)
                .with_help("a name is letters, digits, `_` and `-`"));
        }
        Arc::make_mut(&mut self.0).insert(name, Arc::new(helper));
        Ok(self)
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(super) fn get(&self, name: &str) -> Option<&SharedHelper> {
        self.0.get(name).map(|helper| &**helper)
    }
}

impl fmt::Debug for Helpers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// A template is rendered where a helper that it calls is not registered.
pub(super) fn not_registered(name: &str) -> Error {
    Error::new(
        ErrorKind::Template,
        format!("the helper `{}` is not registered", names::shown(name)),
    )
    .with_help("register it where the template is rendered")
}
