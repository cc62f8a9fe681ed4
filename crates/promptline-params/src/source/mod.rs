//! Where values come from.

mod env;
#[cfg(feature = "etcd")]
mod etcd;
mod file;

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use serde_json::Value;

use crate::error::Error;
pub use env::EnvSource;
#[cfg(feature = "etcd")]
pub use etcd::Etcd;
pub use file::FileSource;

/// Where values come from. Calls may block; they are made from the thread that loads, or from the watching one.
///
/// ```
/// use promptline_params::{Error, Loaded, ParamSource};
///
/// /// One figure from somewhere.
/// struct Promotion;
///
/// impl ParamSource for Promotion {
///     fn name(&self) -> String {
///         "promotion".to_owned()
///     }
///
///     fn load(&self) -> Result<Loaded, Error> {
///         Ok(Loaded::new(self.name()).with("free_shipping_threshold", 79))
///     }
/// }
/// ```
pub trait ParamSource: Send + Sync {
    /// What it is called in reports, as a file's path. Never a secret.
    fn name(&self) -> String;

    /// All values that it has now.
    ///
    /// # Errors
    /// When it cannot be read. Values are then the last ones that it had.
    fn load(&self) -> Result<Loaded, Error>;

    /// Begins to watch: `changed` is to be called when something may have changed. What is returned is dropped to
    /// end it. `None`, unless a source says otherwise: it is polled.
    ///
    /// # Errors
    /// When it cannot be watched; it is then polled.
    fn watch(&self, changed: Changed) -> Result<Option<Watch>, Error> {
        let _ = changed;
        Ok(None)
    }
}

/// Ends a watch when it is dropped.
pub struct Watch(#[expect(dead_code, reason = "it is kept to be dropped")] Box<dyn Any + Send>);

impl Watch {
    /// What ends a watch when it is dropped.
    #[must_use]
    pub fn new(guard: impl Any + Send) -> Self {
        Self(Box::new(guard))
    }
}

impl std::fmt::Debug for Watch {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Watch").finish_non_exhaustive()
    }
}

/// Reports that something may have changed.
#[derive(Debug, Clone)]
pub struct Changed(pub(crate) Sender<crate::params::Signal>);

impl Changed {
    /// Something may have changed. Cheap; many at once are one.
    pub fn notify(&self) {
        // The watching may be at its end.
        let _ = self.0.send(crate::params::Signal::Changed);
    }
}

/// A value, and where it is written.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Located {
    /// The value, or its text.
    pub value: Value,
    /// As `shop.toml:3:1`.
    pub place: String,
}

/// What a source has.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The source's name.
    pub name: String,
    /// Values by name.
    pub values: BTreeMap<String, Located>,
    /// Values that it had earlier, by name.
    pub history: BTreeMap<String, Vec<Value>>,
    /// It may still be in the middle of being written: it is taken only when it has stayed so for a while.
    pub looks_cut: bool,
}

impl Loaded {
    /// Nothing yet.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a value.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        let place = self.name.clone();
        self.values.insert(name.into(), Located { value: value.into(), place });
        self
    }
}
