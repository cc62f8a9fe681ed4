//! The set of switches. Names are free; two old names are read as the ones that are used now.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What is switched on, by name.
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeSet<String>", into = "BTreeSet<String>")]
pub struct Flags(BTreeSet<String>);

impl Flags {
    /// Switches a flag on.
    pub fn insert(&mut self, flag: &str) {
        self.0.insert(canonical_flag(flag).to_owned());
    }

    /// Switches a flag off.
    pub fn remove(&mut self, flag: &str) {
        self.0.remove(canonical_flag(flag));
    }

    /// The flag is on.
    #[must_use]
    pub fn contains(&self, flag: &str) -> bool {
        self.0.contains(canonical_flag(flag))
    }

    /// The flags that are on, by name.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// Nothing is on.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<BTreeSet<String>> for Flags {
    fn from(names: BTreeSet<String>) -> Self {
        names.into_iter().collect()
    }
}

impl From<Flags> for BTreeSet<String> {
    fn from(flags: Flags) -> Self {
        flags.0
    }
}

impl<S: AsRef<str>> FromIterator<S> for Flags {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut flags = Self::default();
        names.into_iter().for_each(|name| flags.insert(name.as_ref()));
        flags
    }
}

/// The name that is used now for a flag.
fn canonical_flag(flag: &str) -> &str {
    match flag {
        "focus_chain" => "task_progress",
        "yolo" => "auto_approve",
        other => other,
    }
}
